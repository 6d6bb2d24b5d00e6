#include "tools/view/command_output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs a command with its output in a pipe. Returns the pipe's end to read from; negative: -errno. */
static int start(const char *const *arguments, bool is_silent, pid_t *child)
{
	static char program[PATH_MAX];
	int ends[2];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 64);
	char *slash;

	if (length <= 0)
		return -errno;
	program[length] = '\0';
	slash = strrchr(program, '/');
	slash = slash ? slash + 1 : program;
	snprintf(slash, 64, "%s", arguments[0]);
	if (pipe(ends))
		return -errno;
	*child = fork();
	if (*child == 0) {
		int nowhere = is_silent ? open("/dev/null", O_WRONLY) : -1;

		dup2(ends[1], STDOUT_FILENO);
		if (nowhere >= 0)
			dup2(nowhere, STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		execv(program, (char *const *)arguments);
		_exit(127);
	}
	close(ends[1]);
	if (*child > 0)
		return ends[0];
	close(ends[0]);
	return -errno;
}

json_t *fathom_command_json(const char *const *arguments, bool is_silent)
{
	json_error_t error;
	json_t *result;
	pid_t child = -1;
	int status = 0, pipe_end = start(arguments, is_silent, &child);

	if (pipe_end < 0)
		return NULL;
	result = json_loadfd(pipe_end, 0, &error);
	close(pipe_end);
	waitpid(child, &status, 0);
	if (!status)
		return result;
	json_decref(result);
	return NULL;
}
