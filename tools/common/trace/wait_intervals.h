/*
 * wait_intervals: when threads of a trace waited, and where its critical path was, as fathom analyze found it
 * (analysis.intervals.txt, doc/reference/files.md). Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_COMMON_WAIT_INTERVALS_H
#define FATHOM_TOOLS_COMMON_WAIT_INTERVALS_H

#include <stdbool.h>

#include "otf2/archive_reader.h"

enum { FATHOM_WAIT_PATTERNS_MOST = 64 };

#define FATHOM_WAIT_NO_CAUSE UINT32_MAX
#define FATHOM_WAIT_CRITICAL_PATH UINT32_MAX	/* in the place of a pattern */

struct fathom_wait_interval {
	uint64_t begin, end;		/* in ticks of the global clock */
	uint32_t pattern;		/* index; or FATHOM_WAIT_CRITICAL_PATH */
	uint32_t cause;			/* index of the location that was waited for; or FATHOM_WAIT_NO_CAUSE */
};

/* Intervals that are shorter than a picture can show are joined to one mark: that of the longest of them. */
struct fathom_wait_mark {
	struct fathom_wait_interval longest;	/* with the begin of the first and the end of the last */
	uint32_t count;
	uint64_t ticks;			/* sum of their lengths */
};

struct fathom_wait_location {
	struct fathom_wait_interval *waits, *path;	/* in the order of their begins */
	size_t wait_count, wait_room, path_count, path_room;
};

struct fathom_wait_intervals {
	struct fathom_wait_location *locations;	/* by index */
	size_t location_count;
	char names[FATHOM_WAIT_PATTERNS_MOST][64];	/* by pattern: of the metric */
	char titles[FATHOM_WAIT_PATTERNS_MOST][64];	/* by pattern: for people */
	uint32_t pattern_count;
	size_t count;			/* of all intervals; 0: nothing is to be marked */
};

/* Reads the file next to the trace. If there is none, or if it is damaged or of another trace, which a warning says,
 * there are no intervals. */
void fathom_wait_intervals_read(struct fathom_wait_intervals *intervals, const struct fathom_otf2_archive *trace);
void fathom_wait_intervals_fini(struct fathom_wait_intervals *intervals);

/* Calls take with the marks of the waiting, or of the critical path, of a location in [from, to), cut off there. Marks
 * shorter than finest ticks are joined to the next one if both together are not longer than that. */
void fathom_wait_intervals_mark(const struct fathom_wait_intervals *intervals, uint32_t location, bool is_path,
				uint64_t from, uint64_t to, uint64_t finest,
				void (*take)(void *taker, const struct fathom_wait_mark *mark), void *taker);

#endif
