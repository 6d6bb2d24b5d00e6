/*
 * regions: the region of a construct, found by the address of its code.
 *
 * What it is called (file and line) is found out when the measurement is over, from module and offset, as for
 * functions: hence a region without a name, whose canonical name is that of the construct.
 */
#ifndef FATHOM_WRAPPERS_OMPT_REGIONS_H
#define FATHOM_WRAPPERS_OMPT_REGIONS_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_region;

enum fathom_construct {
	FATHOM_CONSTRUCT_PARALLEL,
	FATHOM_CONSTRUCT_FORK,		/* the forking thread's management */
	FATHOM_CONSTRUCT_TEAMS,
	FATHOM_CONSTRUCT_LOOP,
	FATHOM_CONSTRUCT_SECTIONS,
	FATHOM_CONSTRUCT_SINGLE,
	FATHOM_CONSTRUCT_SINGLE_BLOCK,
	FATHOM_CONSTRUCT_WORKSHARE,
	FATHOM_CONSTRUCT_DISTRIBUTE,
	FATHOM_CONSTRUCT_TASKLOOP,
	FATHOM_CONSTRUCT_SCOPE,
	FATHOM_CONSTRUCT_MASTER,
	FATHOM_CONSTRUCT_CRITICAL,
	FATHOM_CONSTRUCT_CRITICAL_BLOCK,
	FATHOM_CONSTRUCT_ORDERED,
	FATHOM_CONSTRUCT_ORDERED_BLOCK,
	FATHOM_CONSTRUCT_ATOMIC,
	FATHOM_CONSTRUCT_BARRIER,
	FATHOM_CONSTRUCT_IMPLICIT_BARRIER,
	FATHOM_CONSTRUCT_TASKWAIT,
	FATHOM_CONSTRUCT_TASKGROUP,
	FATHOM_CONSTRUCT_TASKGROUP_WAIT,
	FATHOM_CONSTRUCT_REDUCTION,
	FATHOM_CONSTRUCT_FLUSH,
	FATHOM_CONSTRUCT_CREATE_TASK,
	FATHOM_CONSTRUCT_TASK,
	FATHOM_CONSTRUCT_CREATE_UNTIED,
	FATHOM_CONSTRUCT_UNTIED_TASK,
	/* Routines: one region each, whoever calls them. */
	FATHOM_CONSTRUCT_INIT_LOCK,
	FATHOM_CONSTRUCT_DESTROY_LOCK,
	FATHOM_CONSTRUCT_SET_LOCK,
	FATHOM_CONSTRUCT_TEST_LOCK,
	FATHOM_CONSTRUCT_UNSET_LOCK,
	FATHOM_CONSTRUCT_INIT_NEST_LOCK,
	FATHOM_CONSTRUCT_DESTROY_NEST_LOCK,
	FATHOM_CONSTRUCT_SET_NEST_LOCK,
	FATHOM_CONSTRUCT_TEST_NEST_LOCK,
	FATHOM_CONSTRUCT_UNSET_NEST_LOCK,
	FATHOM_CONSTRUCT_COUNT
};

/*
 * The region of a construct at address, which is a return address into the code that encountered it; NULL and
 * addresses inside the runtime are no place. Ignored for routines. NULL: out of memory. Context: hook; the
 * first of its kind at an address: birth.
 */
const struct fathom_region *fathom_ompt_region(const void *address, enum fathom_construct construct);

/*
 * The region of the attempt to get a lock that is reported from inside the runtime's function around caller: the
 * runtime says the same of omp_set_lock and omp_test_lock, but they are different functions.
 * nested: of a nestable lock. Context as above.
 */
const struct fathom_region *fathom_ompt_lock_region(const void *caller, bool nested);

/* Whether address is code of the OpenMP runtime. Context: hook. */
bool fathom_ompt_in_runtime(const void *address);

/*
 * A small number for an address, and back: for what has no room for an address. 0 is NULL; also where there are
 * too many. Context as for regions.
 */
uint16_t fathom_ompt_number(const void *address);
const void *fathom_ompt_numbered(uint16_t number);

/* The runtime is the library that this is a function of. Context: start. */
void fathom_ompt_regions_init(const void *function);

#endif
