#include "tools/common/trace/new_directory.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/common/command.h"

int fathom_new_directory_make(const char *path)
{
	int err;

	if (mkdir(path, 0777) == 0)
		return 0;
	err = -errno;
	fathom_tool_error("%s: %s%s", path, strerror(errno),
			  errno == EEXIST ? " (the result is always a new directory)" : "");
	return err;
}

static int remove_one(const char *path, const struct stat *status, int flag, struct FTW *walk)
{
	(void)status; (void)flag; (void)walk;
	return remove(path);
}

void fathom_new_directory_remove(const char *path)
{
	nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}
