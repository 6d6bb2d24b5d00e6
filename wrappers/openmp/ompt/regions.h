/*
 * regions: the region of an OpenMP construct, found by the address of the construct's code.
 *
 * The file and line of the construct are looked up when the measurement is over, from module and offset, as for
 * functions. Until then the region has no name, and its canonical name is that of the construct.
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
	/* Routines of the runtime: one region each, wherever they are called. */
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
 * Returns the region of a construct. address: a return address into the code that encountered the construct; NULL and
 * addresses inside the runtime mean an unknown place. Routines ignore it. NULL: no memory. Context: hook; the first
 * construct of its kind at an address: birth.
 */
const struct fathom_region *fathom_ompt_region(const void *address, enum fathom_construct construct);

/* Returns the region of omp_set_lock or omp_test_lock, or with nested of the functions for nestable locks. The runtime
 * reports the same event for both; they are distinguished by caller, an address inside the runtime's function. Context:
 * hook; the first call: birth. */
const struct fathom_region *fathom_ompt_lock_region(const void *caller, bool nested);

/* Returns whether address is code of the OpenMP runtime. Context: hook. */
bool fathom_ompt_in_runtime(const void *address);

/*
 * Return a small number for an address, and the address of a number, for data without room for an address. The number
 * of NULL is 0, and so is that of an address for which no number is left. Context: hook; a new address: birth.
 */
uint16_t fathom_ompt_number(const void *address);
const void *fathom_ompt_numbered(uint16_t number);

/* Notes that the OpenMP runtime is the library that contains function. Context: start. */
void fathom_ompt_regions_init(const void *function);

#endif
