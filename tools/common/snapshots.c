#include "tools/common/snapshots.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "tools/common/sibling_command.h"

bool fathom_snapshot_is_alive(const char *path)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	bool is_alive = fd >= 0 && fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;

	if (fd >= 0)
		close(fd);
	return is_alive;
}

static enum fathom_restored restore(char *const *arguments, const char *snapshot)
{
	enum { NOT_IN_IT = 3 };		/* exit code of fathom-restore: the process did not record the wanted result */
	int code = fathom_sibling_run("fathom-restore", arguments, snapshot, false);

	if (code == NOT_IN_IT)
		return FATHOM_RESTORED_NONE;
	return code ? FATHOM_RESTORED_FAILED : FATHOM_RESTORED;
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
