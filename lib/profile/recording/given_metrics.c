/*
 * These functions are not in callpath.c, because that file is compiled for general registers only and a value may be a
 * floating-point number.
 */
#include "profile/recording/given_metrics.h"

#include <stddef.h>

#include "define/region.h"

static FATHOM_COLD struct fathom_given *make_given(struct fathom_location *self, struct fathom_node *node,
						   const struct fathom_metric *metric)
{
	struct fathom_tally *tally = node->tally ? node->tally : fathom_callpath_make_tally(self, node);
	struct fathom_given *given = tally ? fathom_arena_alloc(&self->arena, sizeof(*given)) : NULL;

	if (!given) {
		fathom_location_drop(self, FATHOM_DROP_MEMORY);
		return NULL;
	}
	given->metric = metric;
	given->next = tally->given;
	/* Pairs with the acquire in process_tree.c. The sum needs no start value: all bits 0 are 0 in any type. */
	__atomic_store_n(&tally->given, given, __ATOMIC_RELEASE);
	return given;
}

void fathom_callpath_give(struct fathom_location *self, const struct fathom_metric *metric, uint64_t bits)
{
	struct fathom_node *node = self->top->node;
	double number;

	if (unlikely(node->is_anchor))
		return;
	fathom_callpath_give_at(self, node, metric, bits, 1);
	if (metric->mode != FATHOM_METRIC_POINT)
		return;
	number = fathom_metric_number(metric->type, bits);
	fathom_callpath_give_at(self, node, metric + FATHOM_METRIC_PART_COUNT, 1, 1);
	for (int part = FATHOM_METRIC_PART_LEAST; part <= FATHOM_METRIC_PART_GREATEST; part++)
		fathom_callpath_give_at(self, node, metric + part, fathom_metric_extreme(metric[part].type, number), 1);
}

void fathom_callpath_give_at(struct fathom_location *self, struct fathom_node *node, const struct fathom_metric *metric,
			     uint64_t bits, uint64_t count)
{
	struct fathom_given *given = node->tally ? node->tally->given : NULL;

	while (given && given->metric != metric)
		given = given->next;
	if (unlikely(!given)) {
		given = make_given(self, node, metric);
		if (!given)
			return;
	}
	fathom_poke(&given->sum, fathom_metric_sum(metric->type, given->sum, bits));
	fathom_poke(&given->count, given->count + count);
}
