/*
 * title: what a location is called, taken apart so that those of many are the same: "OMP thread 3" is number 3 of
 * "OMP thread %".
 */
#ifndef FATHOM_SYSTEM_TITLE_H
#define FATHOM_SYSTEM_TITLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/store.h"

/* A location of this process, for the sequence. */
struct fathom_location_label {
	const char *name;	/* "OMP thread 3" */
	const char *threads;	/* which threads it stands for; NULL: it is one */
};

struct fathom_title {
	size_t at, bytes;	/* the class, as in system/sequence.h, with a NUL, on top of the store */
	uint32_t number;	/* 0 where there is none */
	bool has_number;
};

/* 0 or -ENOMEM. Context: finish, signal. */
int fathom_title_put(struct fathom_title *title, struct fathom_store *store,
		     const struct fathom_location_label *location);

#endif
