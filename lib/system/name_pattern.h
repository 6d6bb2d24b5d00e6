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

/* The name of a location of this process. */
struct fathom_location_label {
	const char *name;	/* "OMP thread 3" */
	const char *threads;	/* the threads that the location stands for; NULL: a single one */
};

struct fathom_name_pattern {
	size_t at, bytes;	/* the pattern with its NUL, on top of the stack; a class of sequence.h */
	uint32_t number;	/* 0 where there is none */
	bool has_number;
};

/* Pushes the pattern of the location and fills in *title. 0 or -ENOMEM. Context: finish, signal. */
int fathom_name_pattern_put(struct fathom_name_pattern *title, struct fathom_byte_stack *stack,
		     const struct fathom_location_label *location);

#endif
