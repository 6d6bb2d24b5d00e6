/*
 * collective_lines: the collective operations of a trace, each with its members. Context of all functions: tool.
 *
 * The n-th operations of all processes on a communicator are one operation.
 */
#ifndef FATHOM_TOOLS_COMMON_COLLECTIVE_LINES_H
#define FATHOM_TOOLS_COMMON_COLLECTIVE_LINES_H

#include "otf2/archive_reader.h"

struct fathom_collective_member {
	uint32_t comm, number;		/* which operation on which communicator */
	uint32_t row;
	uint64_t begin, end;		/* in ticks of the global clock; equal where only the end is known */
};

struct fathom_collective_lines {
	/* After fathom_collective_lines_sort: the members of an operation are neighbours, in the order of rows. */
	struct fathom_collective_member *members;
	size_t count, room;
	bool has_too_many;		/* the members are not known, because there are too many */
	uint32_t *numbers;		/* by process and communicator: of its operations so far */
	uint64_t *begins;		/* by location: of the present operation; 0: there is none */
	size_t process_count, comm_count;
};

/* Takes an event of a location that has that row; row < 0: the location is not shown. */
void fathom_collective_lines_take(struct fathom_collective_lines *lines, const struct fathom_otf2_defs *defs,
				  const struct fathom_otf2_event *event, int64_t row);

/* Puts the members in order, after the last event. */
void fathom_collective_lines_sort(struct fathom_collective_lines *lines);
void fathom_collective_lines_fini(struct fathom_collective_lines *lines);

/* Returns the index behind the last member of the operation that begins at a member. */
size_t fathom_collective_lines_next(const struct fathom_collective_lines *lines, size_t first);

#endif
