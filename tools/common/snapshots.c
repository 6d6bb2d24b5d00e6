#include "tools/common/snapshots.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/command.h"

bool fathom_snapshot_is_alive(const char *path)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is_alive = fd >= 0 && fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;

	if (fd >= 0)
		close(fd);
	return is_alive;
}

/* Returns the environment with FATHOM_MODE=none instead of all settings, so that fathom-restore is not measured. */
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

/* Runs fathom-restore, whose path this function puts into arguments[0]. */
static enum fathom_restored restore(char **arguments, const char *snapshot)
{
	enum { NOT_IN_IT = 3 };		/* exit code of fathom-restore: the process did not record the wanted result */
	static const char name[] = "fathom-restore";
	char program[PATH_MAX], **environment;
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - sizeof(name) - 1);
	int status, err;
	pid_t child;

	while (length > 0 && program[length - 1] != '/')
		length--;
	memcpy(program + (length > 0 ? length : 0), name, sizeof(name));
	arguments[0] = program;
	environment = environment_without_settings();
	fflush(stdout);
	err = posix_spawn(&child, program, NULL, NULL, arguments, environment);
	free(environment);
	if (err) {
		fathom_tool_error("%s: %s", program, strerror(err));
		return FATHOM_RESTORED_FAILED;
	}
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return FATHOM_RESTORED_FAILED;
	if (WIFSIGNALED(status)) {
		fathom_tool_error("%s: cannot be read (%s: %s)", snapshot, name, strsignal(WTERMSIG(status)));
		return FATHOM_RESTORED_FAILED;
	}
	if (WEXITSTATUS(status) == NOT_IN_IT)
		return FATHOM_RESTORED_NONE;
	return WEXITSTATUS(status) ? FATHOM_RESTORED_FAILED : FATHOM_RESTORED;
}

enum fathom_restored fathom_snapshot_restore(const char *snapshot, const char *profile)
{
	char *arguments[] = { NULL, (char *)(uintptr_t)snapshot, (char *)(uintptr_t)profile, NULL };

	return restore(arguments, snapshot);
}

enum fathom_restored fathom_snapshot_restore_traces(const char *directory, const char *const *snapshots, size_t count)
{
	char **arguments = fathom_tool_alloc(count + 4, sizeof(*arguments)), option[] = "--trace";
	enum fathom_restored restored;

	arguments[1] = option;
	arguments[2] = (char *)(uintptr_t)directory;
	memcpy(arguments + 3, snapshots, count * sizeof(*arguments));
	restored = restore(arguments, directory);
	free(arguments);
	return restored;
}
