#include "tools/common/sibling_command.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/command.h"

/* Returns the environment with FATHOM_MODE=none instead of all settings, so that the program is not measured. */
static char **environment_without_settings(void)
{
	static char mode[] = "FATHOM_MODE=none";
	size_t count = 0, kept = 0;
	char **made;

	while (environ[count])
		count++;
	made = fathom_tool_alloc(count + 2, sizeof(*made));
	for (size_t i = 0; i < count; i++)
		if (strncmp(environ[i], "FATHOM_", 7) != 0)
			made[kept++] = environ[i];
	made[kept] = mode;
	return made;
}

/* Writes the path of the program with that name in the directory of this program to path, which has PATH_MAX bytes. */
static void find_sibling(const char *name, char *path)
{
	size_t room = PATH_MAX - strlen(name) - 1;
	ssize_t length = readlink("/proc/self/exe", path, room);

	while (length > 0 && path[length - 1] != '/')
		length--;
	strcpy(path + (length > 0 ? length : 0), name);
}

static int spawn(pid_t *child, const char *path, char **arguments, bool is_silent)
{
	char **environment = environment_without_settings();
	posix_spawn_file_actions_t actions;
	int err = posix_spawn_file_actions_init(&actions);

	if (!err && is_silent)
		err = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	fflush(stdout);
	if (!err)
		err = posix_spawn(child, path, &actions, NULL, arguments, environment);
	posix_spawn_file_actions_destroy(&actions);
	free(environment);
	return err;
}

int fathom_sibling_run(const char *name, char *const *arguments, const char *subject, bool is_silent)
{
	char program[PATH_MAX], **complete;
	size_t count = 1;
	int status, err;
	pid_t child;

	while (arguments[count])
		count++;
	find_sibling(name, program);
	complete = fathom_tool_alloc(count + 1, sizeof(*complete));
	memcpy(complete, arguments, (count + 1) * sizeof(*complete));
	complete[0] = program;
	err = spawn(&child, program, complete, is_silent);
	free(complete);
	if (err) {
		fathom_tool_error("%s: %s", program, strerror(err));
		return -1;
	}
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	if (WIFSIGNALED(status)) {
		fathom_tool_error("%s: cannot be read (%s: %s)", subject, name, strsignal(WTERMSIG(status)));
		return -1;
	}
	return WEXITSTATUS(status);
}
