/*
 * stretch_digest: what identifies a stretch of the records of one thread, and whether the stretch can be left out.
 *
 * Two stretches are repetitions of each other if they have the same sum. The sum depends on the kinds of the records
 * and their order, on regions, communicators, and the partners of messages. It does not depend on times, sizes, tags,
 * and values of counters and parameters.
 *
 * A stretch can be left out if the trace without it is valid. That depends on its first and last moment
 * (stretches.h), and on its records: objects that are created or destroyed must stay in the trace, and locks that are
 * acquired must be released. Other regions may be active at its end than at its begin; the digest has those that were
 * left.
 */
#ifndef FATHOM_TRACE_STRETCH_DIGEST_H
#define FATHOM_TRACE_STRETCH_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

/* The largest number of regions that are active at the begin of a stretch and left in it. */
enum { FATHOM_STRETCH_MOST_LEFT = 64 };

struct fathom_stretch_digest {
	uint64_t sum;
	uint64_t records;
	int64_t locks;			/* number of locks acquired less those released */
	int64_t depth;			/* number of regions entered less those left */
	uint32_t left;			/* number of regions, active at the begin, that were left */
	bool is_excluded;		/* there is a record that prevents leaving the stretch out */
	uint32_t regions[FATHOM_STRETCH_MOST_LEFT];	/* the regions that were left, innermost first */
};

/* Adds the records between from and end, a part of one chunk (otf2/records.h). The digest of an empty stretch is all
 * zero. Context: hook. */
void fathom_stretch_digest_add(struct fathom_stretch_digest *digest, const uint8_t *from, const uint8_t *end);

/* Returns whether the records allow to leave the stretch out. Context: hook. */
bool fathom_stretch_digest_is_closed(const struct fathom_stretch_digest *digest);

#endif
