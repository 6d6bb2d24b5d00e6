/* fathom_interposed_NAME has the name NAME in the shared library (lib/local.mk). These functions save the result and
 * then call the C library's function of that name. */
#include "run/exec.h"

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/compiler.h"
#include "platform/log.h"
#include "run/ending.h"
#include "sample/sampling.h"

/* Returns whether path is a program that can be started. Most calls of exec that fail do so because there is no such
 * program; then the process does not end, and nothing has to be saved. */
static bool is_program(const char *path)
{
	return path && *path && access(path, X_OK) == 0;
}

/* Returns whether execvp and the like would find a program: a name without a slash is looked up in the directories of
 * PATH. */
static bool is_found(const char *file)
{
	const char *folder = getenv("PATH");
	char path[1024];

	if (!file || strchr(file, '/'))
		return is_program(file);
	for (folder = folder ? folder : "/bin:/usr/bin"; folder;
	     folder = strchr(folder, ':'), folder = folder ? folder + 1 : NULL) {
		size_t length = strcspn(folder, ":");

		fathom_format(path, sizeof(path), "%.*s%s%s", (int)length, folder, length ? "/" : "", file);
		if (is_program(path))
			return true;
	}
	return false;
}

FATHOM_API int execve(const char *path, char *const arguments[], char *const environment[]);
int execve(const char *path, char *const arguments[], char *const environment[])
{
	bool is_saved = is_program(path) && fathom_ending_before_exec();
	int result = (int)syscall(SYS_execve, path, arguments, environment);

	if (is_saved)
		fathom_sampling_after_exec();
	return result;
}

FATHOM_API int execv(const char *path, char *const arguments[]);
int execv(const char *path, char *const arguments[])
{
	return execve(path, arguments, environ);
}

typedef int exec_function(const char *, char *const[], char *const[]);

static exec_function *libc_execvpe;	/* NULL: not looked up yet, or there is none (a static program) */

void fathom_exec_init(void)
{
	*(void **)&libc_execvpe = dlsym(RTLD_NEXT, "execvpe");
}

FATHOM_API int fathom_interposed_execvpe(const char *file, char *const arguments[], char *const environment[]);
int fathom_interposed_execvpe(const char *file, char *const arguments[], char *const environment[])
{
	bool is_saved;
	int result;

	if (!libc_execvpe)
		fathom_exec_init();
	if (!libc_execvpe) {
		errno = ENOSYS;
		return -1;
	}
	is_saved = is_found(file) && fathom_ending_before_exec();
	result = libc_execvpe(file, arguments, environment);
	if (is_saved)
		fathom_sampling_after_exec();
	return result;
}

FATHOM_API int fathom_interposed_execvp(const char *file, char *const arguments[]);
int fathom_interposed_execvp(const char *file, char *const arguments[])
{
	return fathom_interposed_execvpe(file, arguments, environ);
}

/* The variadic functions copy their arguments to an array on the stack. The array is only as large as necessary,
 * because the stack of a thread may be small. */

/* Returns the number of arguments including the final NULL. */
static size_t count_arguments(const char *first, va_list rest)
{
	size_t count = 1;

	for (const char *argument = first; argument; argument = va_arg(rest, const char *))
		count++;
	return count;
}

static void collect(char *arguments[], const char *first, va_list rest)
{
	*arguments = (char *)first;
	while (*arguments++)
		*arguments = va_arg(rest, char *);
}

FATHOM_API int fathom_interposed_execl(const char *path, const char *argument, ...);
int fathom_interposed_execl(const char *path, const char *argument, ...)
{
	char **arguments;
	va_list rest;

	va_start(rest, argument);
	arguments = alloca(count_arguments(argument, rest) * sizeof(*arguments));
	va_end(rest);
	va_start(rest, argument);
	collect(arguments, argument, rest);
	va_end(rest);
	return execve(path, arguments, environ);
}

FATHOM_API int fathom_interposed_execlp(const char *file, const char *argument, ...);
int fathom_interposed_execlp(const char *file, const char *argument, ...)
{
	char **arguments;
	va_list rest;

	va_start(rest, argument);
	arguments = alloca(count_arguments(argument, rest) * sizeof(*arguments));
	va_end(rest);
	va_start(rest, argument);
	collect(arguments, argument, rest);
	va_end(rest);
	return fathom_interposed_execvpe(file, arguments, environ);
}

FATHOM_API int fathom_interposed_execle(const char *path, const char *argument, ...);
int fathom_interposed_execle(const char *path, const char *argument, ...)
{
	char *const *environment;
	char **arguments;
	va_list rest;

	va_start(rest, argument);
	arguments = alloca(count_arguments(argument, rest) * sizeof(*arguments));
	va_end(rest);
	va_start(rest, argument);
	collect(arguments, argument, rest);
	environment = va_arg(rest, char *const *);
	va_end(rest);
	return execve(path, arguments, environment);
}
