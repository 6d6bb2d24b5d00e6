/*
 * result: what the run says to the substrate when it has a result written: where it goes, and what stands in it
 * in addition to the values that the substrate has itself.
 */
#ifndef FATHOM_EVENT_RESULT_H
#define FATHOM_EVENT_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "event/cost.h"

struct fathom_region;

/* Where a result goes and what is to be said in it. Texts live at least as long as the call. */
struct fathom_result {
	const char *path;		/* of the profile; matters at rank 0 only */
	const char *trace_directory;	/* of the trace; matters at rank 0 only, but NULL everywhere where there is
					 * one already */
	int *trace_error;		/* where a profile is written as well: how the trace went, 0 or -errno */
	int *failed_rank;		/* where a profile cannot be written, whose error it was; may be NULL */
	const char *mode;		/* as FATHOM_MODE says it */
	const char *program;		/* path of the executable */
	const char *arguments;		/* the whole command line, blanks between */
	const char *host;		/* of this process */
	const char *filter;		/* the file of FATHOM_FILTER; NULL: none */
	uint32_t left_out;		/* regions, by the filter; complete at rank 0, and so is the next */
	const char *left_out_ranks;	/* how many in which ranks, where these differ; else empty */
	const char *system_tree;	/* FATHOM_SYSTEM_TREE; may be NULL */
	uint64_t system_split;		/* enum fathom_split */
	const char *incomplete;		/* why other processes or the end are missing; NULL: all is there */
	int64_t begin_seconds;		/* when it started, since 1970 */
	const char *begin_text;		/* the same, ISO 8601 */
	uint64_t end_ticks;		/* when the program's work ended: what is done since then is not its time */
	uint64_t wall_ticks;		/* from the begin of the measurement to there */
	uint64_t processor_ns;		/* processor time of this process in that time, */
	uint64_t initial_ns;		/* and of its initial thread */
	struct fathom_costs costs;	/* of an enter and its exit */
	const char *processors;		/* of a rank's own profile: which processors it had; NULL: not known */
	int32_t rank;			/* of this process in the world */
	int32_t world_size;
	bool parallel;			/* MPI was initialised */
	int may_allocate;		/* false in a crashing process: no malloc, no names */
	void (*resolve)(struct fathom_region *region, bool may_allocate);	/* see runtime.h; may be NULL */
};

#endif
