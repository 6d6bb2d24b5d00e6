#include "tools/view/page_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "tools/view/page_text.h"

/* Returns whether the file is a page that this command wrote, so that it may be replaced. */
static bool is_page(const char *path)
{
	char begin[sizeof(fathom_page_mark)] = "";
	FILE *file = fopen(path, "r");
	size_t length = file ? fread(begin, 1, sizeof(begin) - 1, file) : 0;

	if (file)
		fclose(file);
	return length == sizeof(begin) - 1 && memcmp(begin, fathom_page_mark, length) == 0;
}

int fathom_page_file_write(const char *path, const struct fathom_packed_text *definitions,
			   const struct fathom_packed_text *values, const struct fathom_packed_text *first_values)
{
	struct stat status;
	char *part;
	FILE *file;
	int err;

	if (lstat(path, &status) == 0 && !(S_ISREG(status.st_mode) && is_page(path))) {
		fathom_tool_error("%s: exists already and is no page of fathom view (choose another name with "
				  "--output)", path);
		return -EEXIST;
	}
	if (asprintf(&part, "%s.part", path) < 0)
		fathom_tool_out_of_memory(strlen(path));
	file = fopen(part, "wx");
	if (!file) {
		err = -errno;
		fathom_tool_error("%s: %s", part, strerror(errno));
		free(part);
		return err;
	}
	fwrite(fathom_page_before_definitions, 1, strlen(fathom_page_before_definitions), file);
	fwrite(definitions->text, 1, definitions->bytes, file);
	fwrite(fathom_page_before_values, 1, strlen(fathom_page_before_values), file);
	fwrite(values->text, 1, values->bytes, file);
	fwrite(fathom_page_before_first, 1, strlen(fathom_page_before_first), file);
	if (first_values)
		fwrite(first_values->text, 1, first_values->bytes, file);
	fwrite(fathom_page_end, 1, strlen(fathom_page_end), file);
	err = ferror(file) ? -EIO : 0;
	if (fclose(file) && !err)
		err = -errno;
	if (!err && rename(part, path))
		err = -errno;
	if (err) {
		fathom_tool_error("%s: %s", path, strerror(-err));
		unlink(part);
	}
	free(part);
	return err;
}
