/*
 * preview: what happened on a location in an interval, in a few numbers, and the exact sums from which it is made.
 *
 * A preview divides the interval among call paths. If there are more paths than it has room for, the path with the
 * least time is charged to its caller, again and again; so the times of the paths that remain are exact or too large by
 * what they call, and the sum is the length of the interval. Context of all functions: tool.
 */
#ifndef FATHOM_FRAMES_PREVIEW_H
#define FATHOM_FRAMES_PREVIEW_H

#include "frames/byte_buffer.h"
#include "frames/path_table.h"

enum { FATHOM_PREVIEW_SHARES = 48, FATHOM_PREVIEW_PARTNERS = 4 };

/* Which kinds of records an interval has. */
enum {
	FATHOM_PREVIEW_SENDS = 1,
	FATHOM_PREVIEW_RECEIVES = 2,
	FATHOM_PREVIEW_COLLECTIVES = 4,
	FATHOM_PREVIEW_BEGINS = 16,	/* of receives and collective operations */
	FATHOM_PREVIEW_METRICS = 32,
	FATHOM_PREVIEW_SAMPLES = 64,
};

struct fathom_preview_share {
	uint32_t path;
	uint64_t ticks;
};

struct fathom_preview_partner {	/* a process that messages were sent to */
	uint32_t process;	/* index */
	uint64_t messages;
};

struct fathom_preview_counts {
	uint64_t events, sends, receives, bytes_sent, bytes_received;
	uint64_t collectives;	/* that ended */
};

struct fathom_preview {
	uint64_t begin, end;	/* in ticks of the global clock */
	struct fathom_preview_counts counts;
	uint32_t marks;		/* the kinds of records */
	uint32_t share_count, partner_count;
	struct fathom_preview_share shares[FATHOM_PREVIEW_SHARES];	/* the largest first */
	struct fathom_preview_partner partners[FATHOM_PREVIEW_PARTNERS];	/* those with most messages, as far
										 * as they were counted */
};

/* Exact sums of an interval. */
struct fathom_tally {
	uint64_t *ticks;	/* by path */
	size_t path_room;
	uint32_t *touched;	/* the paths with time */
	uint32_t touched_count;
	size_t touched_room;
	struct fathom_preview_counts counts;
	uint32_t marks;
	struct fathom_preview_partner partners[32];	/* messages to further processes are not counted by partner */
	uint32_t partner_count;
};

/* Make a tally empty, so that it can be used again; free its memory. A zeroed tally is empty. */
void fathom_tally_clear(struct fathom_tally *tally);
void fathom_tally_fini(struct fathom_tally *tally);

/* Adds time of a path; adds messages that were sent to a process; adds another tally; adds a preview. */
void fathom_tally_add_time(struct fathom_tally *tally, uint32_t path, uint64_t ticks);
void fathom_tally_add_partner(struct fathom_tally *tally, uint32_t process, uint64_t messages);
void fathom_tally_add(struct fathom_tally *tally, const struct fathom_tally *other);
void fathom_tally_add_preview(struct fathom_tally *tally, const struct fathom_preview *preview);

/* Makes the preview of an interval with at most so many paths. */
void fathom_preview_make(struct fathom_preview *preview, const struct fathom_tally *tally,
			 const struct fathom_path_table *paths, uint32_t most_shares);

/* Returns the path, cut off at a depth, that has the largest share of the interval. */
uint32_t fathom_preview_main_path(const struct fathom_preview *preview, const struct fathom_path_table *paths,
				  uint32_t depth);

/* Write a preview without its begin, and read it; the reader sets begin before. False: the bytes are damaged. */
void fathom_preview_write(const struct fathom_preview *preview, struct fathom_byte_buffer *buffer);
bool fathom_preview_read(struct fathom_preview *preview, struct fathom_byte_cursor *cursor, uint32_t path_count);

#endif
