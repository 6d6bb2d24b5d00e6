/* topology: grids of processes or threads that the program describes. */
#ifndef FATHOM_USER_TOPOLOGY_H
#define FATHOM_USER_TOPOLOGY_H

#include <stdbool.h>
#include <stddef.h>

#include "config.h"

/* A topology as the program describes it, or the numbers of a place in it. */
struct fathom_user_topology {
	const char *name;		/* no text here need end with a NUL */
	size_t length;
	const char *file;		/* NULL: not known */
	size_t file_length;
	unsigned line;
	int count;			/* of dimensions, or of numbers */
	const int *sizes;
	const int *periodic;		/* NULL: none is */
	const char *const *names;	/* of dimensions; NULL: they have none */
	const size_t *name_lengths;
};

#ifndef FATHOM_WITHOUT_TOPOLOGIES

/* Define a topology; set the position of the process, or of the calling thread, in a topology. Impossible values are
 * noted for the report at the end. Context: birth. */
void fathom_user_define_topology(const struct fathom_user_topology *given);
void fathom_user_place(const struct fathom_user_topology *given, const int *at, bool is_thread);

#else

/* configure --without-topologies: the program may describe topologies, and nothing is recorded. */
static inline void fathom_user_define_topology(const struct fathom_user_topology *given)
{
	(void)given;
}

static inline void fathom_user_place(const struct fathom_user_topology *given, const int *at, bool is_thread)
{
	(void)given;
	(void)at;
	(void)is_thread;
}

#endif

#endif
