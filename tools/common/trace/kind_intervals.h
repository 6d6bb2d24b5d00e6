/*
 * kind_intervals: the kinds of bursts in a copy of a trace that `fathom clusters --trace` has written: on which thread
 * a burst of which kind was when. Context of all functions: tool.
 *
 * The copy has them as a metric of each thread, whose value is the kind of the burst, and 0 outside of bursts.
 */
#ifndef FATHOM_TOOLS_COMMON_TRACE_KIND_INTERVALS_H
#define FATHOM_TOOLS_COMMON_TRACE_KIND_INTERVALS_H

#include "otf2/archive_reader.h"

/* The name of the metric, and the begin of its description; then "; NUMBER: CALL PATH" follows for each kind. */
#define FATHOM_KIND_METRIC "cluster"
#define FATHOM_KIND_DESCRIPTION "kind of the burst of computation"

/* The values of the metric for bursts of no kind. Kinds are numbered from 1. */
enum { FATHOM_MARK_NONE = 0, FATHOM_MARK_NOISE = -1, FATHOM_MARK_SHORT = -2, FATHOM_MARK_MISSING = -3 };

enum { FATHOM_MOST_KINDS = 4096 };	/* larger numbers are not kinds */

struct fathom_kind_interval {		/* a burst */
	uint64_t begin, end;		/* in ticks of the global clock; end 0: it has not ended yet */
	int32_t kind;			/* or a mark of no kind, never FATHOM_MARK_NONE */
};

struct fathom_kind_row {
	struct fathom_kind_interval *intervals;	/* in the order of time; they do not overlap */
	size_t count, room;
};

struct fathom_kind_intervals {
	bool is_known;			/* the trace has kinds */
	uint64_t member;		/* index of the member of their metric */
	struct fathom_kind_row *rows;
	uint32_t row_count;
	int32_t most;			/* the largest number of a kind in rows */
};

void fathom_kind_intervals_init(struct fathom_kind_intervals *kinds, const struct fathom_otf2_defs *defs,
				uint32_t row_count);
void fathom_kind_intervals_fini(struct fathom_kind_intervals *kinds);

/* Takes an event of a row, in the order of time. */
void fathom_kind_intervals_take(struct fathom_kind_intervals *kinds, const struct fathom_otf2_defs *defs,
				const struct fathom_otf2_event *event, uint32_t row);

/* Sets cells to the kinds of a row in [from, to), in so many columns: the kind or mark with most of the column's time,
 * FATHOM_MARK_NONE where no burst is. */
void fathom_kind_intervals_draw(const struct fathom_kind_intervals *kinds, uint32_t row, uint64_t from, uint64_t to,
				uint32_t columns, int32_t *cells);

/* Returns the ticks of all rows in [from, to), by kind: the caller frees them. Element 0 has those of bursts of no
 * kind, and the last one has the index most. */
uint64_t *fathom_kind_intervals_sum(const struct fathom_kind_intervals *kinds, uint64_t from, uint64_t to);

/* Writes the name of a kind or mark for people, such as "2: main > solve". */
void fathom_kind_name(const struct fathom_kind_intervals *kinds, const struct fathom_otf2_defs *defs, int32_t kind,
		      char *text, size_t bytes);

/* Returns the colour of a kind or mark, 0xrrggbb. */
uint32_t fathom_kind_colour(int32_t kind);

#endif
