#define _GNU_SOURCE
#include "opari/file_names.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/word_list.h"
#include "opari/buffer.h"

int fathom_marker_read(struct fathom_marker *marker, const char *text, size_t length)
{
	const char *end = text + length, *quote;
	char *behind;

	*marker = (struct fathom_marker){ .line = 0 };
	if (text == end || *text++ != '#')
		return 0;
	while (text < end && isblank((unsigned char)*text))
		text++;
	if (end - text > 4 && memcmp(text, "line", 4) == 0)
		text += 4;
	while (text < end && isblank((unsigned char)*text))
		text++;
	if (text == end || !isdigit((unsigned char)*text))
		return 0;
	marker->line = strtoul(text, &behind, 10);
	quote = memchr(behind, '"', (size_t)(end - behind));
	if (!quote)
		return 0;
	for (text = quote + 1; text < end && *text != '"'; text++) {
		if (*text == '\\')
			text++;
	}
	if (text >= end)
		return 0;
	marker->file = quote + 1;
	marker->file_length = (size_t)(text - marker->file);
	marker->flags = text + 1;
	marker->flags_length = (size_t)(end - marker->flags);
	return 1;
}

char *fathom_names_resolve(const char *path, size_t length)
{
	char folder[PATH_MAX];
	char *whole, *from, *to;

	if (length && path[0] == '/')
		whole = fathom_text("%.*s", (int)length, path);
	else
		whole = fathom_text("%s/%.*s", getcwd(folder, sizeof(folder)) ? folder : "", (int)length, path);
	for (from = to = whole; *from;) {
		size_t part = 1 + strcspn(from + 1, "/");	/* the length of a part, with the slash before it */

		if (part == 3 && from[1] == '.' && from[2] == '.') {
			while (to > whole && *--to != '/')
				;
		} else if (part > 1 && !(part == 2 && from[1] == '.')) {
			memmove(to, from, part);
			to += part;
		}
		from += part;
	}
	*to = '\0';
	return whole;
}

struct fathom_name *fathom_names_find(struct fathom_names *names, const char *absolute, size_t length)
{
	for (size_t i = 0; i < names->count; i++) {
		size_t at = (names->last + i) % names->count;
		const char *name = names->list[at].absolute;

		if (strncmp(name, absolute, length) == 0 && !name[length]) {
			names->last = at;
			return &names->list[at];
		}
	}
	return NULL;
}

static struct fathom_name *find_written(struct fathom_names *names, const struct fathom_marker *marker)
{
	for (size_t i = 0; i < names->count; i++) {
		size_t at = (names->last + i) % names->count;
		const char *name = names->list[at].written;

		if (strncmp(name, marker->file, marker->file_length) == 0 && !name[marker->file_length]) {
			names->last = at;
			return &names->list[at];
		}
	}
	return NULL;
}

static struct fathom_name *add_name(struct fathom_names *names, const struct fathom_marker *marker)
{
	/* A name with // at the end is the directory of the compilation. A name with <> is no file that can be
	 * opened. */
	int is_file = marker->file_length && marker->file[0] != '<' &&
		      !(marker->file_length > 1 && memcmp(marker->file + marker->file_length - 2, "//", 2) == 0);
	struct fathom_name *name;

	if (names->count == names->room) {
		names->room = names->room ? 2 * names->room : 64;
		names->list = fathom_buffer_list(names->list, names->room, sizeof(*names->list));
	}
	name = &names->list[names->last = names->count++];
	name->written = fathom_text("%.*s", (int)marker->file_length, marker->file);
	name->absolute = is_file ? fathom_names_resolve(marker->file, marker->file_length)
				 : fathom_text("%s", name->written);
	return name;
}

const char *fathom_names_absolute(struct fathom_names *names, const struct fathom_marker *marker)
{
	struct fathom_name *name = find_written(names, marker);

	if (!name)
		name = add_name(names, marker);
	name->is_system = memchr(marker->flags, '3', marker->flags_length) != NULL;
	return name->absolute;
}

void fathom_names_fini(struct fathom_names *names)
{
	for (size_t i = 0; i < names->count; i++) {
		free(names->list[i].absolute);
		free(names->list[i].written);
	}
	free(names->list);
	*names = (struct fathom_names){ 0 };
}
