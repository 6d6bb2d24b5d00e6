#include "tools/common/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/command.h"

int fathom_output_file_open(struct fathom_output_file *file, const char *path, bool force)
{
	struct stat status;
	int err;

	*file = (struct fathom_output_file){ .stream = stdout, .path = path };
	if (!path)
		return 0;
	if (lstat(path, &status) == 0 && !(force && S_ISREG(status.st_mode))) {
		fathom_tool_error("%s: exists already (%s)", path,
				  S_ISREG(status.st_mode) ? "--force replaces it; -o chooses another name" :
							    "and is no file; -o chooses another name");
		return -EEXIST;
	}
	if (asprintf(&file->part, "%s.part", path) < 0)
		fathom_tool_out_of_memory(strlen(path));
	file->stream = fopen(file->part, "wx");
	if (file->stream)
		return 0;
	err = -errno;
	if (err == -EEXIST)
		fathom_tool_error("%s: left by a command that did not finish (remove it)", file->part);
	else
		fathom_tool_error("%s: %s", file->part, strerror(-err));
	free(file->part);
	return err;
}

int fathom_output_file_close(struct fathom_output_file *file, int err)
{
	int write_error = 0;

	if (!file->path)
		return err;	/* fathom_tool_end checks standard output */
	if (ferror(file->stream))
		write_error = -EIO;
	if (fclose(file->stream) && !write_error)
		write_error = -errno;
	if (!err && !write_error && rename(file->part, file->path))
		write_error = -errno;
	if (err || write_error)
		unlink(file->part);
	if (!err && write_error)
		fathom_tool_error("%s: %s", file->path, strerror(-write_error));
	free(file->part);
	return err ? err : write_error;
}
