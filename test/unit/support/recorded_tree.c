#include "recorded_tree.h"

#include "event/state.h"
#include "platform/clock.h"
#include "stepping_threads.h"
#include "unit_test.h"

static struct fathom_process_tree tree;
static uint64_t *values;

void recorded_tree_begin(const struct recorded_region *regions, size_t count, uint32_t threads)
{
	fathom_clock_init(FATHOM_CLOCK_MONOTONIC);
	fathom_runtime_use(fathom_substrate_choose(&fathom.settings));	/* for this clock */
	for (size_t i = 0; i < count; i++)
		*regions[i].region = fathom_region_define(&(struct fathom_region){
			.name = regions[i].name,
			.role = regions[i].role,
			.paradigm = regions[i].paradigm,
			.activity = (uint8_t)regions[i].activity,
		});
	stepping_threads_create(threads);
}

int recorded_tree_end(void **state)
{
	(void)state;
	stepping_threads_join();
	fathom.phase = FATHOM_PHASE_FINISHED;
	return 0;
}

struct fathom_process_tree *recorded_tree_build(void)
{
	assert_int_equal(fathom_process_tree_build(&tree, &(struct fathom_costs){ 0 }, 0), 0);
	tree.scale.units_per_tick_q32 = (uint64_t)1 << 32;
	values = calloc((size_t)tree.value_count * tree.location_count, sizeof(*values));
	assert_non_null(values);
	return &tree;
}

void recorded_tree_free(void)
{
	free(values);
	fathom_process_tree_fini(&tree);
}

uint64_t recorded_tree_sum(uint32_t path, uint32_t value)
{
	uint64_t sum = 0;

	fathom_process_tree_values(&tree, path, values);
	for (uint32_t l = 0; l < tree.location_count; l++)
		sum += values[value * tree.location_count + l];
	return sum;
}
