#include "tools/export/sorted_lines.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

enum { MOST_BYTES = 32 << 20, LONGEST = 4096 };

struct key {
	uint64_t time, number;	/* number: of the line, in the order in which lines were added */
	uint32_t kind, length;
};

struct fathom_sorted_line {
	struct key key;
	size_t text;		/* offset in texts */
};

static int compare_keys(const struct key *a, const struct key *b)
{
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

static int compare_lines(const void *a, const void *b)
{
	const struct fathom_sorted_line *x = a, *y = b;

	return compare_keys(&x->key, &y->key);
}

/* Moves the lines in memory to a temporary file. */
static void spill(struct fathom_sorted_lines *sorted)
{
	FILE *part = tmpfile();

	qsort(sorted->lines, sorted->count, sizeof(*sorted->lines), compare_lines);
	for (size_t i = 0; part && i < sorted->count; i++) {
		const struct fathom_sorted_line *line = &sorted->lines[i];

		fwrite(&line->key, sizeof(line->key), 1, part);
		fwrite(sorted->texts + line->text, 1, line->key.length, part);
	}
	if (!part || fflush(part) || ferror(part)) {
		sorted->err = errno ? -errno : -EIO;
		if (part)
			fclose(part);
	} else {
		rewind(part);
		sorted->parts = fathom_tool_grow(sorted->parts, sorted->part_count, &sorted->part_room,
						 sizeof(FILE *));
		sorted->parts[sorted->part_count++] = part;
	}
	sorted->count = sorted->text_bytes = 0;
}

void fathom_sorted_lines_add(struct fathom_sorted_lines *sorted, uint64_t time, unsigned kind, const char *text)
{
	size_t length = strlen(text), limit = sorted->memory_limit ? sorted->memory_limit : MOST_BYTES;
	struct fathom_sorted_line *line;

	if (sorted->err)
		return;
	if (sorted->text_bytes + length > limit && sorted->count)
		spill(sorted);
	if (sorted->text_bytes + length > sorted->text_room) {
		sorted->text_room = 2 * (sorted->text_bytes + length) + LONGEST;
		sorted->texts = realloc(sorted->texts, sorted->text_room);
		if (!sorted->texts)
			fathom_tool_out_of_memory(sorted->text_room);
	}
	sorted->lines = fathom_tool_grow(sorted->lines, sorted->count, &sorted->room, sizeof(*sorted->lines));
	line = &sorted->lines[sorted->count++];
	line->key = (struct key){ time, sorted->added++, kind, (uint32_t)length };
	line->text = sorted->text_bytes;
	memcpy(sorted->texts + line->text, text, length);
	sorted->text_bytes += length;
}

struct source {			/* a sorted part, with its next line */
	FILE *part;
	struct key key;
	char *text;
	size_t room;
	bool is_over;
};

static void read_line(struct source *source, int *err)
{
	source->is_over = fread(&source->key, sizeof(source->key), 1, source->part) != 1;
	if (source->is_over) {
		if (ferror(source->part))
			*err = -EIO;
		return;
	}
	if (source->key.length > source->room) {
		source->room = 2 * (size_t)source->key.length;
		source->text = realloc(source->text, source->room);
		if (!source->text)
			fathom_tool_out_of_memory(source->room);
	}
	if (fread(source->text, 1, source->key.length, source->part) != source->key.length) {
		source->is_over = true;
		*err = -EIO;
	}
}

/* Merges the sorted parts. There are few, so the next line is looked for in all of them. */
static void merge(struct fathom_sorted_lines *sorted, FILE *out)
{
	struct source *sources = fathom_tool_alloc(sorted->part_count + 1, sizeof(*sources)), *first;
	size_t i;

	for (i = 0; i < sorted->part_count; i++) {
		sources[i].part = sorted->parts[i];
		read_line(&sources[i], &sorted->err);
	}
	do {
		first = NULL;
		for (i = 0; i < sorted->part_count; i++)
			if (!sources[i].is_over && (!first || compare_keys(&sources[i].key, &first->key) < 0))
				first = &sources[i];
		if (!first)
			break;
		fwrite(first->text, 1, first->key.length, out);
		fputc('\n', out);
		read_line(first, &sorted->err);
	} while (!sorted->err && !ferror(out));
	for (i = 0; i < sorted->part_count; i++) {
		fclose(sources[i].part);
		free(sources[i].text);
	}
	free(sources);
}

int fathom_sorted_lines_write(struct fathom_sorted_lines *sorted, FILE *out)
{
	int err;

	if (sorted->part_count && sorted->count)
		spill(sorted);
	if (sorted->count)
		qsort(sorted->lines, sorted->count, sizeof(*sorted->lines), compare_lines);
	for (size_t i = 0; i < sorted->count; i++) {
		fwrite(sorted->texts + sorted->lines[i].text, 1, sorted->lines[i].key.length, out);
		fputc('\n', out);
	}
	merge(sorted, out);
	err = sorted->err;
	free(sorted->lines);
	free(sorted->texts);
	free(sorted->parts);
	*sorted = (struct fathom_sorted_lines){ 0 };
	return err;
}
