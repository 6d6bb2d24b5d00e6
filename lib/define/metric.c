#include "define/metric.h"

#include "platform/arena.h"
#include "platform/lock.h"
#include "platform/log.h"

enum { MOST_NAME_BYTES = 1024 };	/* of the texts of a part; longer ones are cut */

static struct {
	struct fathom_lock lock;	/* held while a metric is searched or created; no other lock is taken inside */
	struct fathom_arena arena;
	struct fathom_metric metrics[FATHOM_METRIC_MOST];
	uint32_t count;			/* written last, with release; pairs with fathom_metric_count */
	uint32_t strict_count, thread_count, given_count, group_count;
} metrics = { .group_count = 1 };

uint32_t fathom_metric_count(void)
{
	/* Pairs with the release in add(): metrics below the count are complete. */
	return __atomic_load_n(&metrics.count, __ATOMIC_ACQUIRE);
}

const struct fathom_metric *fathom_metric_by_id(uint32_t id)
{
	return &metrics.metrics[id];
}

const struct fathom_metric *fathom_metric_named(const char *name, size_t length)
{
	uint32_t count = fathom_metric_count();

	for (uint32_t i = 0; i < count; i++)
		if (!strncmp(metrics.metrics[i].name, name, length) && !metrics.metrics[i].name[length])
			return &metrics.metrics[i];
	return NULL;
}

const struct fathom_arena *fathom_metric_arena(void)
{
	return &metrics.arena;
}

uint32_t fathom_metric_strict_count(void)
{
	return metrics.strict_count;
}

uint32_t fathom_metric_thread_count(void)
{
	return metrics.thread_count;
}

uint32_t fathom_metric_group_count(void)
{
	return metrics.group_count;
}

void fathom_metric_set_group_count(uint32_t count)
{
	metrics.group_count = count;
}

static bool is_same(const struct fathom_metric *a, const struct fathom_metric *b)
{
	return a->type == b->type && a->mode == b->mode && a->is_process == b->is_process && !strcmp(a->unit, b->unit);
}

/* Fills in the metric behind the last one, before the count includes it. false: no memory. */
static bool fill(struct fathom_metric *metric, const struct fathom_metric *spec)
{
	*metric = *spec;
	metric->id = (uint32_t)(metric - metrics.metrics);
	metric->name = fathom_arena_copy(&metrics.arena, spec->name, strlen(spec->name));
	metric->unit = fathom_arena_copy(&metrics.arena, spec->unit, strlen(spec->unit));
	metric->description = fathom_arena_copy(&metrics.arena, spec->description, strlen(spec->description));
	return metric->name && metric->unit && metric->description;
}

/* Fills in the parts of a point. false: no memory. */
static bool fill_parts(struct fathom_metric *point)
{
	static const struct {
		const char *suffix, *what;
		enum fathom_metric_type type;
	} parts[] = {
		[FATHOM_METRIC_PART_COUNT] = { "count", "How often it was given", FATHOM_METRIC_UINT64 },
		[FATHOM_METRIC_PART_LEAST] = { "min", "Least value", FATHOM_METRIC_LEAST },
		[FATHOM_METRIC_PART_GREATEST] = { "max", "Greatest value", FATHOM_METRIC_GREATEST },
	};
	char name[MOST_NAME_BYTES], description[MOST_NAME_BYTES];

	for (int part = FATHOM_METRIC_PART_COUNT; part < FATHOM_METRIC_PARTS; part++) {
		struct fathom_metric spec = *point;

		fathom_format(name, sizeof(name), "%s::%s", point->name, parts[part].suffix);
		fathom_format(description, sizeof(description), "%s: %s", parts[part].what, point->description);
		spec.name = name;
		spec.unit = part == FATHOM_METRIC_PART_COUNT ? "occ" : point->unit;
		spec.description = description;
		spec.type = parts[part].type;
		spec.mode = FATHOM_METRIC_PART;
		if (!fill(point + part, &spec))
			return false;
	}
	return true;
}

static struct fathom_metric *add(const struct fathom_metric *spec)
{
	struct fathom_metric *metric = &metrics.metrics[metrics.count];
	bool is_strict = spec->mode == FATHOM_METRIC_STRICT, is_point = spec->mode == FATHOM_METRIC_POINT;
	uint32_t more = is_point ? FATHOM_METRIC_PARTS : 1;

	if (metrics.count + more > FATHOM_METRIC_MOST)
		return NULL;
	/* Strict metrics come first, those of threads before those of the process. */
	if (is_strict && (metrics.strict_count != metrics.count || metrics.count == FATHOM_METRIC_MOST_STRICT))
		return NULL;
	if (is_strict && !spec->is_process && metrics.thread_count != metrics.count)
		return NULL;
	if (!fill(metric, spec) || (is_point && !fill_parts(metric)))
		return NULL;
	if (is_strict) {	/* done before other threads exist, which read these members */
		metrics.strict_count++;
		metrics.thread_count += !spec->is_process;
	} else if (spec->mode != FATHOM_METRIC_FOUND) {
		metric->number = metrics.given_count++;
	}
	/* Pairs with fathom_metric_count. */
	__atomic_store_n(&metrics.count, metrics.count + more, __ATOMIC_RELEASE);
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
