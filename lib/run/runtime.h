/*
 * runtime: the measurement as a whole: when it starts, what it knows, how it ends.
 *
 * Life: starting -> recording -> (unified -> recording)* -> finished. The library's constructor
 * starts it. It ends once: collectively, when a wrapper that can communicate says so
 * (fathom_runtime_unify), or else alone, when the process ends (ending.c).
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
 * Names compiler regions: fills name, canonical, file and lines of *region, whose module and
 * offset are given. The texts live for ever. may_allocate is false where the process is crashing.
 */
typedef void fathom_region_resolver(struct fathom_region *region, bool may_allocate);

struct fathom_runtime_identity {
	char experiment[FATHOM_EXPERIMENT_BYTES];	/* path of the experiment directory; empty until it is known */
	int32_t rank;		/* in the world; 0 without MPI */
	int32_t size;		/* of the world; 1 without MPI */
	bool parallel;		/* MPI was initialised: results of several processes belong together */
};

/* Who names compiler regions. Called by wrappers/compiler. Context: start. */
FATHOM_API void fathom_runtime_set_resolver(fathom_region_resolver *resolver);

/* False: FATHOM_MODE=none, or a forked child: wrappers should only pass calls through. */
FATHOM_API bool fathom_runtime_measures(void);

/* The settings in force. Never NULL; read-only. */
FATHOM_API const struct fathom_settings *fathom_runtime_settings(void);

/*
 * The process is now rank of size, and comm reaches the others. Called by wrappers/mpi right
 * after MPI_Init; agrees with the others on the experiment directory (one broadcast).
 * comm is used during the call only.
 */
FATHOM_API void fathom_runtime_join(struct fathom_comm *comm);

/*
 * All processes of comm are here and none has left: put their measurement together and write
 * it. Called by wrappers/mpi from MPI_Finalize, before PMPI_Finalize. Events after it are
 * still recorded. Context: finish.
 */
FATHOM_API void fathom_runtime_unify(struct fathom_comm *comm);

/*
 * PMPI_Finalize has returned: from here on the process does work of the program that the result of all does not have.
 * What the MPI library takes to end does not count as such work. Called by wrappers/mpi after PMPI_Finalize, whether
 * the measurement was unified or not. Context: finish.
 */
FATHOM_API void fathom_runtime_finalized(void);

/*
 * This process may end at any moment without its peers (MPI_Abort, a fatal error): save what
 * it has in a file of its own. why: a few words for the line said ("MPI_Abort was called").
 * Does nothing where the measurement was unified already. Context: signal.
 */
FATHOM_API void fathom_runtime_save(const char *why);

#endif
