/*
 * Where the program is linked with another MPI, the process starts itself again with the wrappers for that MPI. This
 * happens before main, and before constructors that may have effects. An MPI that comes later, by dlopen, can only be
 * refused.
 */
#include "mpi/mpi_mismatch.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/log.h"

/* A variable that only Open MPI has: other MPIs have only the names of the standard in common with it. */
static const char mark[] = "ompi_mpi_comm_world";

#ifdef OPEN_MPI
static const char ours[] = "libfathom-mpi-openmpi.so", others[] = "libfathom-mpi-preload.so";
static const char mpi_name[] = "openmpi", other_mpi_name[] = "mpich";
#else
static const char ours[] = "libfathom-mpi-preload.so", others[] = "libfathom-mpi-openmpi.so";
static const char mpi_name[] = "mpich", other_mpi_name[] = "openmpi";
#endif

static bool is_other(void *library)
{
#ifdef OPEN_MPI
	return !dlsym(library, mark);
#else
	return dlsym(library, mark) != NULL;
#endif
}

void fathom_mpi_mismatch_check(void *library)
{
	if (!is_other(library))
		return;
	fathom_log(FATHOM_LOG_ERROR, "the program has loaded %s while it runs, but wrappers for %s were preloaded: "
		   "start it by fathom run --mpi=%s", other_mpi_name, mpi_name, other_mpi_name);
	_exit(1);
}

/*
 * Returns LD_PRELOAD with the wrappers for the other MPI in place of these, or without any if those are not installed.
 * NULL: these wrappers were not preloaded, or there is no memory. The caller frees the text.
 */
static char *other_preload(void)
{
	const char *before = getenv("LD_PRELOAD");
	const char *name = before ? strstr(before, ours) : NULL;
	const char *begin = name, *end;
	char *changed = NULL;

	if (!name)
		return NULL;
	while (begin > before && begin[-1] != ':' && begin[-1] != ' ')
		begin--;
	end = name + strlen(ours);
	if (asprintf(&changed, "%.*s%s", (int)(name - begin), begin, others) < 0)
		return NULL;
	if (access(changed, R_OK)) {
		free(changed);
		end += *end != '\0';	/* without the colon behind it */
		if (asprintf(&changed, "%.*s%s", (int)(begin - before), before, end) < 0)
			return NULL;
		return changed;
	}
	free(changed);
	return asprintf(&changed, "%.*s%s%s", (int)(name - before), before, others, end) < 0 ? NULL : changed;
}

/* Returns the words of the process's command line, with a NULL at the end. NULL: they cannot be read. */
static char **command_words(void)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	size_t length = 0, room = 0, count = 0;
	char *text = NULL, **words;

	for (ssize_t got = 1; fd >= 0 && got > 0; length += got > 0 ? (size_t)got : 0) {
		if (length + 65536 > room) {
			char *longer = realloc(text, room += 131072);

			if (!longer)
				break;
			text = longer;
		}
		got = read(fd, text + length, room - length - 1);
	}
	if (fd >= 0)
		close(fd);
	if (!length)
		return NULL;
	text[length] = '\0';
	words = calloc(length + 1, sizeof(*words));
	for (char *at = text; words && at < text + length; at += strlen(at) + 1)
		words[count++] = at;
	return words;
}

__attribute__((constructor(102))) static void restart_with_other_wrappers(void)
{
	char *preload, **words;

	if (!dlsym(RTLD_NEXT, "PMPI_Init") || !is_other(RTLD_NEXT))
		return;
	preload = other_preload();
	words = preload ? command_words() : NULL;
	if (!words || setenv("LD_PRELOAD", preload, 1))
		return;
	/* Not by execve, which is fathom's own (lib/run/exec.c) and saves what the process has measured. */
	syscall(SYS_execve, "/proc/self/exe", words, environ);
}
