#include "cube/reader/error_line.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The error text shows only the end of a longer path, so that room remains for the cause. */
#define SHOWN_PATH 200

int fathom_cube_error_set(struct fathom_cube_error *error, int err, const char *path, const char *format, ...)
{
	size_t length = strlen(path);
	size_t cut = length > SHOWN_PATH ? length - SHOWN_PATH : 0;
	va_list arguments;
	int prefix;

	if (!error)
		return err;
	prefix = snprintf(error->text, sizeof(error->text), "%s%s: ", cut ? "..." : "", path + cut);
	va_start(arguments, format);
	vsnprintf(error->text + prefix, sizeof(error->text) - (size_t)prefix, format, arguments);
	va_end(arguments);
	for (char *c = error->text; *c; c++) {
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	}
	return err;
}
