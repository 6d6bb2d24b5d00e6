#include "profile/budget/budget_estimates.h"

#include "profile/budget/budget.h"

/* Adds the estimates for one node of a location to values, which belong to the call path and have all locations. */
static fathom_presence add_node(const struct fathom_process_tree *process, const struct fathom_node *node,
				uint32_t location, uint64_t *values)
{
	struct fathom_missing missing = fathom_budget_missing(node);
	uint64_t units = fathom_ticks_to_units(process->scale, missing.ticks);

	values[(size_t)FATHOM_VALUE_MISSING_VISITS * process->location_count + location] += missing.visits;
	values[(size_t)FATHOM_VALUE_MISSING_TIME * process->location_count + location] += units;
	return (missing.visits ? fathom_presence_of(FATHOM_VALUE_MISSING_VISITS) : 0) |
	       (units ? fathom_presence_of(FATHOM_VALUE_MISSING_TIME) : 0);
}

fathom_presence fathom_budget_estimates_add(const struct fathom_process_tree *process, uint32_t path, uint64_t *values)
{
	uint32_t locations = process->location_count;
	fathom_presence present = 0;

	if (!fathom_budget_share())
		return 0;
	for (uint32_t l = 0; l < locations; l++) {
		const struct fathom_node *node = process->nodes[(size_t)path * locations + l];
		const struct fathom_extra_node *extra =
			node && process->extra_nodes ? process->extra_nodes[path] : NULL;

		if (node)
			present |= add_node(process, node, l, values);
		for (; extra; extra = extra->next)
			if (extra->location == l)
				present |= add_node(process, extra->node, l, values);
	}
	return present;
}
