/*
 * call_names: what is known about a call by its name alone: about the calls of MPI and of threads that fathom has
 * wrappers for. Generated from the wrappers' tables (wrappers/call_names.py), so that a tool and the wrapper agree.
 */
#ifndef FATHOM_CUBE_CALL_NAMES_H
#define FATHOM_CUBE_CALL_NAMES_H

#include "define/activity.h"

struct fathom_call_name {
	const char *paradigm;		/* as in files: "mpi" */
	const char *name;		/* "MPI_Win_fence" */
	enum fathom_activity activity;	/* FATHOM_ACTIVITY_NONE: the role says it */
	const char *type;		/* of the wrapper: column type of wrappers/mpi/calls.txt, shape of pthread's */
	const char *constant;		/* what tells calls of one type apart: "FENCE"; often "" */
};

/* In the order of strcmp of the names. */
extern const struct fathom_call_name fathom_call_names[];
extern const unsigned int fathom_call_name_count;

/* NULL: no such call is known. Any context. */
const struct fathom_call_name *fathom_call_name_find(const char *paradigm, const char *name);

#endif
