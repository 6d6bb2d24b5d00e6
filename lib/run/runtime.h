/*
 * runtime: the measurement as a whole, as the wrappers see it: its start, its identity and its end.
 *
 * The phases of a measurement are: starting, recording, unified, finished. The library's constructor starts it
 * (start.c). The result is written once: by all processes together, when a wrapper that can communicate calls
 * fathom_runtime_unify, or otherwise by each process alone, when the process ends (ending.c).
 */
#ifndef FATHOM_RUN_RUNTIME_H
#define FATHOM_RUN_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "run/experiment.h"
#include "platform/compiler.h"
#include "platform/settings.h"

struct fathom_comm;
struct fathom_region;

/*
 * Finds the name of a function: fills name, canonical, file and lines of *region, whose module and offset are given.
 * The texts are never freed. may_allocate is false if the process is crashing.
 */
typedef void fathom_region_resolver(struct fathom_region *region, bool may_allocate);

/* Calls run(data), which finds the names of many functions, so that the memory that this takes does not disturb the
 * program's, and returns after it. */
typedef void fathom_naming_runner(void (*run)(void *data), void *data);

struct fathom_runtime_identity {
	char experiment[FATHOM_EXPERIMENT_BYTES];	/* path of the experiment directory; empty: not known yet */
	int32_t rank;		/* in MPI_COMM_WORLD; 0 without MPI */
	int32_t size;		/* of MPI_COMM_WORLD; 1 without MPI */
	bool parallel;		/* the process is one of several whose results belong together */
};

/* Sets the functions that find the names of functions. Called by wrappers/compiler. Context: start. */
FATHOM_API void fathom_runtime_set_resolver(fathom_region_resolver *resolver, fathom_naming_runner *runner);

/* Returns whether this process is measured. If not (FATHOM_MODE=none, or a child of fork), wrappers should only pass
 * calls through. Context: signal. */
FATHOM_API bool fathom_runtime_measures(void);

/* Returns the settings in force: never NULL, and read-only. Context: signal. */
FATHOM_API const struct fathom_settings *fathom_runtime_settings(void);

/* The calling thread has created a thread, whether that is measured or not. The C library may have replaced the handler
 * of samples meanwhile (sample/sampling_signal.h). Keeps errno. Context: birth. */
FATHOM_API void fathom_runtime_thread_created(void);

/*
 * Makes this process the rank of comm among the processes of comm, and agrees with them on the experiment directory
 * (one broadcast). Called by wrappers/mpi right after MPI_Init. comm is used during the call only. Context: start.
 */
FATHOM_API void fathom_runtime_join(struct fathom_comm *comm);

/*
 * Unifies the measurement of all processes of comm and writes the result. Called by wrappers/mpi from MPI_Finalize,
 * before PMPI_Finalize, when all processes still exist. Events after the call are still recorded. Errors are reported
 * to the user. Context: finish.
 */
FATHOM_API void fathom_runtime_unify(struct fathom_comm *comm);

/*
 * Notes the time at which PMPI_Finalize returned: what the program does from now on is not in the result of all
 * processes. The time that the MPI library needs to end does not count as work of the program. Called by wrappers/mpi
 * after PMPI_Finalize, whether the measurement was unified or not. Context: finish.
 */
FATHOM_API void fathom_runtime_finalized(void);

/*
 * Saves what this process has recorded in files of its own, because the process may end at any moment without the other
 * ranks (MPI_Abort, a fatal error). why: a few words for the message ("MPI_Abort was called"). Does nothing if the
 * measurement was unified already. Context: signal.
 */
FATHOM_API void fathom_runtime_save(const char *why);

#endif
