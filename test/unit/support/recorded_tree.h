/*
 * recorded_tree: the process tree of what stepping threads (stepping_threads.h) have recorded, and the regions for it.
 * One tree at a time. With the clock of the test, values of time are in its steps.
 */
#ifndef FATHOM_TEST_RECORDED_TREE_H
#define FATHOM_TEST_RECORDED_TREE_H

#include "define/region.h"
#include "profile/process_tree/call_path_values.h"
#include "profile/process_tree/process_tree.h"

struct recorded_region {
	const char *name;
	const struct fathom_region **region;	/* is set */
	enum fathom_role role;
	enum fathom_paradigm paradigm;
	enum fathom_activity activity;
};

/* Begins the measurement: defines regions, and creates so many threads. */
void recorded_tree_begin(const struct recorded_region *regions, size_t count, uint32_t threads);

/* Ends the threads and the measurement, without a result; for cmocka_run_group_tests. */
int recorded_tree_end(void **state);

/* Builds the tree. */
struct fathom_process_tree *recorded_tree_build(void);
void recorded_tree_free(void);

/* Returns the sum of a value of a call path over all locations. */
uint64_t recorded_tree_sum(uint32_t path, uint32_t value);

#endif
