/*
 * run: the state of this run that only lib/run needs; event/state.h has the state that the core needs.
 *
 * One thread at a time writes the state: at the start, in MPI_Init, and when the measurement is finished.
 */
#ifndef FATHOM_RUN_RUN_H
#define FATHOM_RUN_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "event/state.h"
#include "platform/compiler.h"
#include "run/experiment.h"
#include "run/runtime.h"

/* Room for the path of a file or directory in the experiment directory, in bytes with the final zero. */
enum { FATHOM_RUN_PATH_BYTES = FATHOM_EXPERIMENT_BYTES + 32 };

struct fathom_run {
	struct fathom_runtime_identity identity;
	fathom_region_resolver *resolver;	/* finds the names of functions; NULL: regions show addresses */
	fathom_naming_runner *naming_runner;	/* NULL if resolver is NULL */
	uint64_t begin_processor_ns;	/* processor time of the process before the measurement began */
	uint64_t finalized_ticks;	/* time when the result of all processes had been written; later the time when
					 * PMPI_Finalize returned */
	uint64_t finalized_waited_ns;	/* how long the thread had waited for a processor until that time */
	int64_t begin_seconds;		/* time when the measurement began, in seconds since 1970 */
	const char *program_path;	/* of the executable; is never freed */
	char arguments[4096];		/* the command line, with blanks between the arguments */
	char host[256];
	struct {			/* the trace of this process, which is written at most once */
		char directory[FATHOM_RUN_PATH_BYTES];
		int error;		/* 0 or -errno of writing the trace, if a profile is written as well */
		bool is_written;
	} trace;
	int profile_failed_rank;	/* at rank 0: the rank whose error prevented the profile of all ranks */
};

extern FATHOM_HIDDEN struct fathom_run fathom_run;

/* Returns whether this run writes a profile. Context: signal. */
static inline bool fathom_run_writes_profile(void)
{
	return fathom.settings.mode & FATHOM_MODE_PROFILE;
}

/* Returns whether this run writes a trace. Context: signal. */
static inline bool fathom_run_writes_trace(void)
{
	return fathom.settings.mode & FATHOM_MODE_TRACE;
}

/* Returns whether an event has been recorded so far. Without one, no result is written. Context: finish, signal. */
bool fathom_run_has_events(void);

/*
 * Returns whether the user wants this process to be measured whatever it does: it is a program that was linked with
 * fathom, or the process that `fathom run` became. Programs with a preloaded library of fathom that a script starts are
 * measured only if they have an event, because most of them are not what the user wants to know about. Context: start.
 */
bool fathom_run_is_asked_for(void);

/* Makes a location for the calling thread if no event has been recorded yet. A result from which the filter has
 * excluded all regions then still has the program's own region. Context: birth. */
void fathom_run_begin_at_least(void);

/*
 * Makes the calling thread record nothing until fathom_run_reopen_location: neither events of the program's allocator,
 * which fathom may call, nor those of signal handlers. Returns the value to pass to fathom_run_reopen_location.
 * Context: finish, signal.
 */
uintptr_t fathom_run_close_location(void);

/* Lets the calling thread record again. before: what fathom_run_close_location returned. Context: finish, signal. */
void fathom_run_reopen_location(uintptr_t before);

#endif
