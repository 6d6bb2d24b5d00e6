/*
 * call_names: the facts about a call that follow from its name, for the MPI and thread calls that fathom has wrappers
 * for.
 *
 * The table is generated from the wrappers' tables (wrappers/call_names.py), so that tools and wrappers agree.
 */
#ifndef FATHOM_CUBE_CALL_NAMES_H
#define FATHOM_CUBE_CALL_NAMES_H

#include "define/activity.h"

struct fathom_call_name {
	const char *paradigm;		/* as in files: "mpi" */
	const char *name;		/* "MPI_Win_fence" */
	enum fathom_activity activity;	/* FATHOM_ACTIVITY_NONE: the class follows from the role */
	const char *type;		/* of the wrapper: column type of wrappers/mpi/calls.txt, shape of pthread's */
	const char *constant;		/* the word that distinguishes calls of one type, "FENCE"; often "" */
};

/* The table, in the order of strcmp of the names. */
extern const struct fathom_call_name fathom_call_names[];
extern const unsigned int fathom_call_name_count;

/* Returns the facts about a call. NULL: the table does not contain the call. Any context. */
const struct fathom_call_name *fathom_call_name_find(const char *paradigm, const char *name);

#endif
