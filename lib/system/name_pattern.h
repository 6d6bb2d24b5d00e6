/*
 * name_pattern: splits the name of a location into a pattern and a number, so that many locations share one pattern:
 * "OMP thread 3" is number 3 of "OMP thread %".
 */
#ifndef FATHOM_SYSTEM_NAME_PATTERN_H
#define FATHOM_SYSTEM_NAME_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "system/byte_stack.h"

/* A location of this process, for the sequence. */
struct fathom_location_label {
	const char *name;	/* "OMP thread 3" */
	const char *threads;	/* which threads it stands for; NULL: it is one */
};

struct fathom_name_pattern {
	size_t at, bytes;	/* the class, as in system/sequence.h, with a NUL, on top of the stack */
	uint32_t number;	/* 0 where there is none */
	bool has_number;
};

/* 0 or -ENOMEM. Context: finish, signal. */
int fathom_name_pattern_put(struct fathom_name_pattern *title, struct fathom_byte_stack *stack,
		     const struct fathom_location_label *location);

#endif
