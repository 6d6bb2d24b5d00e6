/*
 * faster_kinds: the bursts of the kinds that a what-if makes faster (--faster cluster:N=F).
 *
 * The kinds are those of `fathom clusters` with the same options, under the same numbers. A burst here is a stretch of
 * computation between two calls of a parallel runtime (lib/bursts); it lies within one stretch of computation of the
 * replay, which only MPI calls divide. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_WHATIF_FASTER_KINDS_H
#define FATHOM_TOOLS_WHATIF_FASTER_KINDS_H

#include <stddef.h>
#include <stdint.h>

#include "tools/clusters/kinds.h"
#include "tools/whatif/speed_rules.h"

struct fathom_faster_burst {
	uint64_t begin, end;		/* ticks of the trace */
	uint32_t location;		/* index */
	uint16_t rule;			/* number */
};

struct fathom_faster_kinds {
	struct fathom_faster_burst *bursts;	/* by location, then by time; those of a location do not overlap */
	size_t count, room;
	size_t *next;			/* by location: the first burst that may end behind the time that is reached */
	uint32_t location_count;
};

/* Clusters the bursts of a trace and keeps those of the kinds that rules are about; says in these rules where the kinds
 * are. 0, or -errno after an error message. */
int fathom_faster_kinds_find(struct fathom_faster_kinds *kinds, const char *anchor,
			     const struct fathom_cluster_choice *choice, struct fathom_speed_rules *rules);
void fathom_faster_kinds_fini(struct fathom_faster_kinds *kinds);

/* The time of the bursts that a run recorded itself (bursts/recorded_bursts.h). */
struct fathom_kind_times {
	double *seconds;	/* by rule: of all bursts of its kind, sums over threads; 0 for rules about regions */
	double all_seconds;	/* of all bursts in the file */
	uint64_t dropped;	/* bursts of the run that are not in the file, because they had no room */
	bool is_cut;		/* there were too many bursts in the file to read them all */
};

/* Clusters the bursts of a file and adds up the time of the kinds that rules are about; says in these rules how many
 * bursts the kinds have, and where they are. 0, or -errno after an error message. */
int fathom_kind_times_find(struct fathom_kind_times *times, const char *bursts,
			   const struct fathom_cluster_choice *choice, struct fathom_speed_rules *rules);
void fathom_kind_times_fini(struct fathom_kind_times *times);

/* Returns the first burst of a location that overlaps the ticks from `from` to `to`; NULL: none does. For a location,
 * `from` must not decrease from call to call. */
const struct fathom_faster_burst *fathom_faster_kinds_next(struct fathom_faster_kinds *kinds, uint32_t location,
							   uint64_t from, uint64_t to);

#endif
