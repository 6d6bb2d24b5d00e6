#include "tools/common/samples/source_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/common/command.h"

enum { TAB = 4, LONGEST_LINE = 4096 };

/* Opens a regular file. NULL: there is none of that name. */
static FILE *open_file(struct fathom_source_text *text, const char *path)
{
	struct stat status;
	FILE *stream;

	if (stat(path, &status) || !S_ISREG(status.st_mode))
		return NULL;
	stream = fopen(path, "re");
	if (!stream)
		return NULL;
	text->path = strdup(path);
	text->changed = status.st_mtime;
	return stream;
}

static FILE *find_file(struct fathom_source_text *text, const char *path)
{
	FILE *stream = open_file(text, path);
	const char *ending = path;

	while (!stream && (ending = strchr(ending, '/')) != NULL)
		stream = open_file(text, ++ending);
	return stream;
}

/* Returns a copy of a line in which blanks stand for tabs and other control characters. */
static char *copy_line(const char *line, size_t length)
{
	size_t tabs = 0, column = 0;
	char *copy;

	while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
		length--;
	length = length < LONGEST_LINE ? length : LONGEST_LINE;
	for (size_t i = 0; i < length; i++)
		tabs += line[i] == '\t';
	copy = fathom_tool_alloc(length + TAB * tabs + 1, 1);
	for (size_t i = 0; i < length; i++) {
		if (line[i] != '\t')
			copy[column++] = iscntrl((unsigned char)line[i]) ? ' ' : line[i];
		else
			do
				copy[column++] = ' ';
			while (column % TAB);
	}
	return copy;
}

bool fathom_source_text_read(struct fathom_source_text *text, const char *path, uint32_t begin, uint32_t end)
{
	FILE *stream;
	char *line = NULL;
	size_t room = 0, lines_room = 0;
	uint32_t number = 0;
	ssize_t length;

	*text = (struct fathom_source_text){ 0 };
	stream = find_file(text, path);
	if (!stream)
		return false;
	while (number < end && (length = getline(&line, &room, stream)) >= 0) {
		text->lines = fathom_tool_grow(text->lines, text->count, &lines_room, sizeof(*text->lines));
		number++;
		text->lines[text->count++] = number < begin ? NULL : copy_line(line, (size_t)length);
	}
	free(line);
	fclose(stream);
	return true;
}

const char *fathom_source_text_line(const struct fathom_source_text *text, uint32_t line)
{
	return line && line <= text->count ? text->lines[line - 1] : NULL;
}

void fathom_source_text_fini(struct fathom_source_text *text)
{
	for (uint32_t i = 0; i < text->count; i++)
		free(text->lines[i]);
	free(text->lines);
	free(text->path);
	*text = (struct fathom_source_text){ 0 };
}
