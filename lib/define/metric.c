#include "define/metric.h"

#include "platform/arena.h"
#include "platform/lock.h"

static struct {
	struct fathom_lock lock;	/* held while a metric is looked for or made; nests in nothing */
	struct fathom_arena arena;
	struct fathom_metric metrics[FATHOM_METRIC_MOST];
	uint32_t count;			/* written last, with release; pairs with fathom_metric_count */
	uint32_t strict_count, thread_count;
} metrics;

uint32_t fathom_metric_count(void)
{
	/* Pairs with the release in add(): metrics below the count are complete. */
	return __atomic_load_n(&metrics.count, __ATOMIC_ACQUIRE);
}

const struct fathom_metric *fathom_metric_by_id(uint32_t id)
{
	return &metrics.metrics[id];
}

uint32_t fathom_metric_strict_count(void)
{
	return metrics.strict_count;
}

uint32_t fathom_metric_thread_count(void)
{
	return metrics.thread_count;
}

static bool is_same(const struct fathom_metric *a, const struct fathom_metric *b)
{
	return a->type == b->type && a->mode == b->mode && a->is_process == b->is_process && !strcmp(a->unit, b->unit);
}

static struct fathom_metric *add(const struct fathom_metric *spec)
{
	struct fathom_metric *metric = &metrics.metrics[metrics.count];
	bool is_strict = spec->mode == FATHOM_METRIC_STRICT;

	if (metrics.count == FATHOM_METRIC_MOST)
		return NULL;
	/* Strict ones come first, those of threads before those of the process. */
	if (is_strict && (metrics.strict_count != metrics.count || metrics.count == FATHOM_METRIC_MOST_STRICT))
		return NULL;
	if (is_strict && !spec->is_process && metrics.thread_count != metrics.count)
		return NULL;
	*metric = *spec;
	metric->id = metrics.count;
	metric->name = fathom_arena_copy(&metrics.arena, spec->name, strlen(spec->name));
	metric->unit = fathom_arena_copy(&metrics.arena, spec->unit, strlen(spec->unit));
	metric->description = fathom_arena_copy(&metrics.arena, spec->description, strlen(spec->description));
	if (!metric->name || !metric->unit || !metric->description)
		return NULL;
	metrics.strict_count += is_strict;
	metrics.thread_count += is_strict && !spec->is_process;
	/* Pairs with fathom_metric_count. */
	__atomic_store_n(&metrics.count, metrics.count + 1, __ATOMIC_RELEASE);
	return metric;
}

const struct fathom_metric *fathom_metric_define(const struct fathom_metric *spec)
{
	struct fathom_metric *metric = NULL;
	uint32_t i;

	fathom_lock_take(&metrics.lock);
	for (i = 0; i < metrics.count && strcmp(metrics.metrics[i].name, spec->name) != 0; i++)
		;
	if (i == metrics.count)
		metric = add(spec);
	else if (is_same(&metrics.metrics[i], spec))
		metric = &metrics.metrics[i];
	fathom_lock_give(&metrics.lock);
	return metric;
}
