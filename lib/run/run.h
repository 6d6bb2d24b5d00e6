/*
 * run: the state of this run that only lib/run needs; the core has the rest (event/state.h).
 *
 * Written by one thread at a time: at the start, in MPI_Init, and by the thread that finishes the measurement.
 */
#ifndef FATHOM_RUN_RUN_H
#define FATHOM_RUN_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "event/state.h"
#include "platform/compiler.h"
#include "run/experiment.h"
#include "run/runtime.h"

/* Room for the path of a file or directory in the experiment directory, with the final zero. */
enum { FATHOM_RUN_PATH_BYTES = FATHOM_EXPERIMENT_BYTES + 32 };

struct fathom_run {
	struct fathom_runtime_identity identity;
	fathom_region_resolver *resolver;	/* names compiler regions; NULL: they keep their addresses */
	uint64_t begin_processor_ns;	/* processor time of the process before the measurement began */
	uint64_t finalized_ticks;	/* when the result of all processes had been written, or, after that, when
					 * PMPI_Finalize returned */
	uint64_t finalized_waited_ns;	/* how long the thread had waited for a processor until then */
	int64_t begin_seconds;		/* when the process began, in seconds since 1970 */
	const char *program_path;	/* of the executable; lives for ever */
	char arguments[4096];		/* the command line, blanks between the arguments */
	char host[256];
	struct {			/* the trace of this process, which can be written only once */
		char directory[FATHOM_RUN_PATH_BYTES];
		int error;		/* where a profile is written as well: how the trace went, 0 or -errno */
		bool is_written;
	} trace;
	int profile_failed_rank;	/* at rank 0, if the profile of all could not be written: whose error it was */
};

extern FATHOM_HIDDEN struct fathom_run fathom_run;

static inline bool fathom_run_writes_profile(void)
{
	return fathom.settings.mode & FATHOM_MODE_PROFILE;
}

static inline bool fathom_run_writes_trace(void)
{
	return fathom.settings.mode & FATHOM_MODE_TRACE;
}

/* Any event so far? Without one nothing is written. Context: finish, signal. */
bool fathom_run_has_events(void);

/* Makes a location for the calling thread if nothing has been recorded yet. Where the filter left everything out, the
 * result then has at least the program as such. Context: birth. */
void fathom_run_begin_at_least(void);

/*
 * Between these two calls nothing of the calling thread is recorded: neither events of the program's allocator nor
 * those of its signal handlers. The first one returns what the second one wants. Context: finish, signal.
 */
uintptr_t fathom_run_close_location(void);
void fathom_run_reopen_location(uintptr_t before);

#endif
