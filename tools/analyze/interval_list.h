/*
 * interval_list: the single wait states and the pieces of the critical path that an analysis found, with their times.
 *
 * The list is bounded: of each location, it keeps the longest wait states and the longest pieces of the path, and
 * counts the others. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_ANALYZE_INTERVAL_LIST_H
#define FATHOM_TOOLS_ANALYZE_INTERVAL_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/analyze/extraction.h"
#include "waits/wait_patterns.h"

#define FATHOM_INTERVAL_NO_CAUSE UINT32_MAX

struct fathom_interval {
	uint64_t begin, end;		/* in ticks from the beginning of the trace */
	uint32_t location;		/* index */
	uint32_t pattern;		/* enum fathom_waits_pattern */
	uint32_t cause_process;		/* index of the process; FATHOM_INTERVAL_NO_CAUSE: none, or not known */
	uint32_t cause_thread;		/* which of the locations with events of that process */
};

enum { FATHOM_INTERVAL_WAITS, FATHOM_INTERVAL_PATH, FATHOM_INTERVAL_KINDS };

struct fathom_interval_part {		/* the intervals of one kind of a location */
	struct fathom_interval *intervals;
	size_t count, room;
	uint64_t left_out, left_out_ticks;	/* intervals that were too many, and their lengths */
};

struct fathom_interval_list {
	struct fathom_interval_part (*parts)[FATHOM_INTERVAL_KINDS];	/* by location */
	uint32_t location_count;
	size_t most;			/* so many intervals of a kind are kept for each location */
};

void fathom_interval_list_init(struct fathom_interval_list *list, uint32_t location_count);
void fathom_interval_list_fini(struct fathom_interval_list *list);

/* Adds an interval. If the location has too many of this kind, the shortest ones are left out. */
void fathom_interval_list_add(struct fathom_interval_list *list, const struct fathom_interval *interval);

/* Adds what another list left out. */
void fathom_interval_list_leave_out(struct fathom_interval_list *list, uint32_t location, int kind, uint64_t count,
				    uint64_t ticks);

/* Sets path (PATH_MAX bytes) to the file that belongs to an analysis, whose path ends in .cubex: the same with the end
 * .intervals.txt. */
void fathom_interval_list_path(const char *analysis, char *path);

/* Writes the file of a list (doc/reference/files.md), which replaces one that exists. 0, or -errno after an error
 * message. */
int fathom_interval_list_write(struct fathom_interval_list *list, const struct fathom_extraction *extraction,
			       const char *path);

#endif
