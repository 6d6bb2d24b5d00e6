/*
 * partners: how many messages and bytes a location exchanged with each rank of MPI_COMM_WORLD.
 *
 * Each location that communicates has a hash table of partners, which only its own thread writes. The table has at most
 * as many partners as the setting FATHOM_MESSAGES says. When a further partner comes, the half of the partners with the
 * least traffic leaves the table, and their numbers are added to those of all other ranks (others). So the sums over
 * the table and the others are always exact. A partner that enters the table afterwards may have been in it before: its
 * member missed says how much of its traffic is at most among the others. A partner with more traffic than the largest
 * missed is always in the table (the algorithm is that of Misra and Gries, for halves of the table).
 *
 * A table does not change its size. A larger one, or one with fewer partners, is completed before a single store
 * replaces the old one, so that run snapshots and signal handlers always find a valid table.
 */
#ifndef FATHOM_PROFILE_PARTNERS_H
#define FATHOM_PROFILE_PARTNERS_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_arena;
struct fathom_location;

enum fathom_direction { FATHOM_SENT, FATHOM_RECEIVED, FATHOM_DIRECTIONS };

struct fathom_traffic {
	uint64_t messages[FATHOM_DIRECTIONS];
	uint64_t bytes[FATHOM_DIRECTIONS];
};

/* Values of the member rank. A rank of another MPI_COMM_WORLD is not known. */
#define FATHOM_PARTNER_NONE UINT32_MAX		/* the entry is not used */
#define FATHOM_PARTNER_UNKNOWN 0xffffff		/* no larger rank is known; as FATHOM_WAITS_NO_PEER */

struct fathom_partner {			/* 64 bytes: a cache line */
	uint32_t rank;			/* in MPI_COMM_WORLD; stored last */
	uint64_t missed;		/* of the sum of the partner's messages and bytes, at most so much is among the
					 * others */
	struct fathom_traffic traffic;
	double waited[FATHOM_DIRECTIONS];	/* seconds that this process waited for the partner, as the sender and
						 * as the receiver of messages; only in tables made at the end */
};

/* A bound for the member mask: the largest value of FATHOM_MESSAGES, 100000, needs 2^18 entries. */
enum { FATHOM_PARTNERS_MOST_MASK = (1 << 18) - 1 };

struct fathom_partners {
	uint32_t mask;			/* the table has mask + 1 entries, a power of 2; at most half are used */
	uint32_t count;			/* of used entries */
	uint64_t floor;			/* the member missed of partners that enter the table */
	struct fathom_traffic others;	/* of partners that have left the table */
	double others_waited[FATHOM_DIRECTIONS];
	struct fathom_traffic unknown;	/* of processes outside of MPI_COMM_WORLD */
	struct fathom_partners *spare;	/* another table of equal size, to be used next; NULL: there is none */
	struct fathom_partner table[];	/* by rank & mask; if that entry has another rank, one of the next entries */
};

/* Returns the weight by which partners are kept: messages without data count, too. Context: hook. */
static inline uint64_t fathom_partner_weight(const struct fathom_partner *partner)
{
	const struct fathom_traffic *traffic = &partner->traffic;

	return partner->missed + traffic->messages[FATHOM_SENT] + traffic->messages[FATHOM_RECEIVED] +
	       traffic->bytes[FATHOM_SENT] + traffic->bytes[FATHOM_RECEIVED];
}

/* The largest number of partners in the table of a location; 0: messages are not counted by partner. Set at the
 * start. */
extern FATHOM_HIDDEN uint32_t fathom_partners_most;

/*
 * Returns the entry of a rank in *partners, and makes it if necessary, which may make a new table. most: the largest
 * number of partners in the table. NULL: no memory; *partners is as before. Context: birth, signal.
 */
struct fathom_partner *fathom_partners_make(struct fathom_partners **partners, struct fathom_arena *arena,
					    uint32_t rank, uint32_t most);

/* Replaces *partners by a table with at most keep partners: those with the most weight. False: no memory, and nothing
 * has changed. Context: birth, signal. */
bool fathom_partners_thin(struct fathom_partners **partners, struct fathom_arena *arena, uint32_t keep);

/* Adds the numbers of one location to those of the process. False: no memory. Context: birth, signal. */
bool fathom_partners_merge(struct fathom_partners **sum, struct fathom_arena *arena,
			   const struct fathom_partners *location);

/* Adds what to sum. Any context. */
void fathom_traffic_add(struct fathom_traffic *sum, const struct fathom_traffic *what);

/* Counts a message where fathom_partners_count does not find the partner at once. Context: hook; birth for a new
 * partner. */
void fathom_partners_count_rarely(struct fathom_location *self, struct fathom_partners **partners, uint32_t rank,
				  enum fathom_direction direction, uint64_t bytes);

/* Counts a message of this many bytes to or from a rank. Context: hook; birth for a new partner. */
static inline void fathom_partners_count(struct fathom_location *self, struct fathom_partners **partners,
					 uint32_t rank, enum fathom_direction direction, uint64_t bytes)
{
	struct fathom_partners *present = *partners;
	struct fathom_partner *partner;

	if (unlikely(!present)) {
		fathom_partners_count_rarely(self, partners, rank, direction, bytes);
		return;
	}
	partner = &present->table[rank & present->mask];
	if (unlikely(partner->rank != rank)) {
		fathom_partners_count_rarely(self, partners, rank, direction, bytes);
		return;
	}
	fathom_add(&partner->traffic.messages[direction], 1);
	fathom_add(&partner->traffic.bytes[direction], bytes);
}

#endif
