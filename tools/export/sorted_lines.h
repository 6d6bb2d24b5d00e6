/*
 * sorted_lines: lines of text that come in any order and are written in the order of their times.
 *
 * Up to 32 MB of lines are in memory; more of them go to temporary files, each sorted, which are merged at the end.
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_EXPORT_SORTED_LINES_H
#define FATHOM_TOOLS_EXPORT_SORTED_LINES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct fathom_sorted_lines {		/* all zero: empty */
	struct fathom_sorted_line *lines;	/* of the part in memory */
	size_t count, room;
	char *texts;
	size_t text_bytes, text_room;
	FILE **parts;			/* sorted parts */
	size_t part_count, part_room;
	uint64_t added;
	size_t memory_limit;		/* bytes of texts in memory; 0: 32 MB */
	int err;			/* of a temporary file */
};

/* Adds a line without its end. Lines at the same time are in the order of their kinds, then in the order in which they
 * were added. Errors of temporary files come out at the end. */
void fathom_sorted_lines_add(struct fathom_sorted_lines *sorted, uint64_t time, unsigned kind, const char *line);

/* Writes all lines, and frees everything. 0, or -errno of a temporary file. */
int fathom_sorted_lines_write(struct fathom_sorted_lines *sorted, FILE *out);

#endif
