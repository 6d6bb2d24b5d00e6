/*
 * result: the data that the run passes to the substrate when a result is written: the path of the result, and values
 * that the substrate does not have itself.
 */
#ifndef FATHOM_EVENT_RESULT_H
#define FATHOM_EVENT_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "event/cost.h"

struct fathom_region;
struct fathom_sampling;

/* The destination of a result, and facts about the run for it. Texts live at least as long as the call. */
struct fathom_result {
	const char *path;		/* of the profile; used at rank 0 only */
	const char *trace_directory;	/* of the trace; used at rank 0 only, but NULL in all processes if there is a
					 * trace already */
	int *trace_error;		/* gets the error of writing the trace (0 or -errno), if a profile is written,
					 * too */
	int *failed_rank;		/* gets the rank whose error prevented the profile; may be NULL */
	const char *mode;		/* the value of FATHOM_MODE */
	const char *program;		/* path of the executable */
	const char *arguments;		/* the whole command line, separated by blanks */
	const char *host;		/* of this process */
	const char *filter;		/* the file of FATHOM_FILTER; NULL: none */
	uint32_t left_out;		/* number of regions that the filter disables; complete at rank 0, like
					 * left_out_ranks */
	const char *left_out_ranks;	/* how many in which ranks, if the ranks differ; else empty */
	const char *system_tree;	/* FATHOM_SYSTEM_TREE; may be NULL */
	uint64_t system_split;		/* enum fathom_split */
	const char *incomplete;		/* why other processes or the end of the run are missing; NULL: the result is
					 * complete */
	int64_t begin_seconds;		/* start of the run, in seconds since 1970 */
	const char *begin_text;		/* start of the run, as ISO 8601 */
	uint64_t end_ticks;		/* the end of the program's work; later time is not part of the run */
	uint64_t wall_ticks;		/* from the begin of the measurement to end_ticks */
	uint64_t processor_ns;		/* processor time of this process in wall_ticks */
	uint64_t initial_ns;		/* processor time of its initial thread */
	struct fathom_costs costs;	/* of an enter and its exit */
	const struct fathom_sampling *sampling;	/* NULL: no samples are taken */
	const char *processors;		/* for the profile of a single rank: the processors of the process; NULL: not
					 * known */
	int32_t rank;			/* of this process in the world */
	int32_t world_size;
	bool parallel;			/* MPI was initialised */
	int may_allocate;		/* 0 in a crashing process: no malloc, no lookup of names */
	void (*resolve)(struct fathom_region *region, bool may_allocate);	/* finds the name of a region, see
										 * runtime.h; may be NULL */
	/* Calls run(data), which calls resolve for many regions, see runtime.h; may be NULL. */
	void (*run_naming)(void (*run)(void *data), void *data);
};

#endif
