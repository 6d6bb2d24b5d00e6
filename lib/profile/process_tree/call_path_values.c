#include "profile/process_tree/call_path_values.h"

#include "event/sample.h"
#include "event/teams/idleness.h"
#include "profile/process_tree/idleness_values.h"
#include "profile/process_tree/sampled_call_paths.h"

static struct fathom_cost cost_of(const struct fathom_process_tree *process, const struct fathom_node *node)
{
	return process->costs.of[fathom_cost_way(node->region)];
}

static uint64_t inclusive_units(const struct fathom_process_tree *process, const struct fathom_node *node);

/* Returns the inclusive time of a phase's iterations. */
static uint64_t series_units(const struct fathom_process_tree *process, const struct fathom_node *node)
{
	const struct fathom_node *child = __atomic_load_n(&node->first_child, __ATOMIC_ACQUIRE);
	uint64_t units = 0;

	for (; child; child = child->sibling)
		if (child->snapshot_serial == process->serial)
			units += inclusive_units(process, child);
	return units;
}

/* Returns the inclusive time as it was noted when the tree was built. If it were read again, a visit that has ended
 * since then would count twice. */
static uint64_t inclusive_units(const struct fathom_process_tree *process, const struct fathom_node *node)
{
	/* Negative only if a running thread changed its frames while they were read. */
	uint64_t own = (int64_t)node->total_ticks > 0 ? fathom_ticks_to_units(process->scale, node->total_ticks) : 0;

	return unlikely(node->is_series) ? own + series_units(process, node) : own;
}

/* Returns the exclusive time. Never negative, even if a running thread changes the node. */
static uint64_t exclusive_units(const struct fathom_process_tree *process, const struct fathom_node *node)
{
	uint64_t units = inclusive_units(process, node);
	const struct fathom_node *child = __atomic_load_n(&node->first_child, __ATOMIC_ACQUIRE);

	for (; child; child = child->sibling) {
		uint64_t part = inclusive_units(process, child);

		if (child->snapshot_serial != process->serial)
			continue;
		units = units > part ? units - part : 0;
	}
	for (child = fathom_sampled_below(&process->sampled, node); child; child = child->sibling) {
		uint64_t part = inclusive_units(process, child);

		units = units > part ? units - part : 0;
	}
	return units;
}

/* Returns the longest time that a visit may have taken. The minimum and maximum may include a visit that ended while
 * the tree was built and that is not in the time. Only a task that came from another thread may have less time at a
 * node than one visit took. */
static uint64_t longest(const struct fathom_process_tree *process, const struct fathom_node *node)
{
	return node->in_tasks ? UINT64_MAX : inclusive_units(process, node);
}

static void add_min_and_max(const struct fathom_process_tree *process, const struct fathom_node *node, uint64_t *min,
			    uint64_t *max)
{
	uint64_t min_ticks = fathom_peek(&node->min_ticks), max_ticks = fathom_peek(&node->max_ticks), units;
	uint64_t most = longest(process, node);

	if (node->open_visits) {
		uint64_t open = node->open_ticks / node->open_visits;

		min_ticks = open < min_ticks ? open : min_ticks;
		max_ticks = open > max_ticks ? open : max_ticks;
	}
	units = min_ticks == UINT64_MAX ? UINT64_MAX : fathom_ticks_to_units(process->scale, min_ticks);
	if (units != UINT64_MAX && units > most)
		units = most;
	if (units < *min)
		*min = units;
	units = fathom_ticks_to_units_up(process->scale, max_ticks);
	if (units > most + 1 && most != UINT64_MAX)	/* one is rounded up, the other one down */
		units = most;
	if (units > *max)
		*max = units;
}

static uint64_t frozen_value(const struct fathom_node *node, uint32_t metric)
{
	const struct fathom_tally *tally = __atomic_load_n(&node->tally, __ATOMIC_ACQUIRE);

	return tally && tally->frozen ? tally->frozen[metric] : 0;
}

/* Returns the value of a strict metric, including callees. The value of a phase is that of its iterations. */
static uint64_t inclusive_value(const struct fathom_process_tree *process, const struct fathom_node *node,
				uint32_t metric)
{
	const struct fathom_node *child = __atomic_load_n(&node->first_child, __ATOMIC_ACQUIRE);
	uint64_t value = frozen_value(node, metric);

	for (; node->is_series && child; child = child->sibling)
		if (child->snapshot_serial == process->serial)
			value += frozen_value(child, metric);
	return value;
}

/* Returns the exclusive value of a strict metric. The value of a counter that only grows is never negative, even if a
 * running thread changes the node. */
static uint64_t exclusive_value(const struct fathom_process_tree *process, const struct fathom_node *node,
				uint32_t metric)
{
	const struct fathom_node *child = __atomic_load_n(&node->first_child, __ATOMIC_ACQUIRE);
	uint64_t value = inclusive_value(process, node, metric);

	if (node->in_tasks && !node->parent)	/* the root of the tasks' tree is never entered */
		return 0;
	for (; child; child = child->sibling)
		if (child->snapshot_serial == process->serial)
			value -= inclusive_value(process, child, metric);
	return (int64_t)value < 0 && fathom_metric_by_id(metric)->type == FATHOM_METRIC_UINT64 ? 0 : value;
}

static void add_metrics(const struct fathom_process_tree *process, const struct fathom_node *node,
			const struct fathom_tally *tally, uint64_t *values)
{
	const struct fathom_given *given = __atomic_load_n(&tally->given, __ATOMIC_ACQUIRE);

	for (uint32_t m = 0; m < fathom_metric_strict_count(); m++)
		values[FATHOM_VALUE_METRICS + m] += exclusive_value(process, node, m);
	for (; given; given = given->next) {
		uint32_t value = FATHOM_VALUE_METRICS + given->metric->id;

		if (value < process->value_count)
			values[value] = fathom_metric_sum(given->metric->type, values[value], fathom_peek(&given->sum));
		if (given->metric->mode != FATHOM_METRIC_GIVEN)
			continue;
		values[FATHOM_VALUE_GIVEN] += fathom_peek(&given->count);
		if (given->metric->type == FATHOM_METRIC_DOUBLE)
			values[FATHOM_VALUE_GIVEN_REAL] += fathom_peek(&given->count);
	}
}

/* Returns the own cost within the exclusive time of a node: the inside part of its own visits, and the outside part
 * of its callees' visits. At most the exclusive time: an event may take less than the average if hardly anything
 * else was done. The root of a thread was never entered. */
static uint64_t overhead_units(const struct fathom_process_tree *process, const struct fathom_node *node, uint64_t most)
{
	const struct fathom_node *child = __atomic_load_n(&node->first_child, __ATOMIC_ACQUIRE);
	uint64_t units = node->parent ? fathom_peek(&node->visits) * cost_of(process, node).inside_units : 0;

	for (; child; child = child->sibling)
		if (child->snapshot_serial == process->serial)
			units += fathom_peek(&child->visits) * cost_of(process, child).outside_units;
	return units < most ? units : most;
}

/* Returns the visits of a node. A running thread may have added visits after the time of the node was noted; the
 * result is at most the number of visits that fit into this time. */
static uint64_t visits_of(const struct fathom_node *node)
{
	uint64_t visits = fathom_peek(&node->visits), shortest = fathom_peek(&node->min_ticks);
	uint64_t ended = node->total_ticks - node->open_ticks, most;

	if (node->in_tasks || node->has_less || !shortest || fathom_peek(&node->inclusive_ticks) == ended)
		return visits;
	most = ended / shortest + node->open_visits;
	return visits < most ? visits : most;
}

/* Adds what samples say of a node. */
static void add_samples(const struct fathom_process_tree *process, const struct fathom_node *node, uint64_t *values)
{
	const struct fathom_sample_record *record = fathom_sampled_record(&process->sampled, node);
	const struct fathom_sampled *sampled = &process->sampled;

	values[FATHOM_VALUE_SAMPLES] += record->samples;
	for (uint32_t event = FATHOM_SAMPLE_TIME + 1; record->values && event < sampled->event_count; event++) {
		uint32_t value = FATHOM_VALUE_METRICS + sampled->metrics[event] - 1;

		if (sampled->metrics[event] && value < process->value_count)
			values[value] += record->values[event];
	}
}

static void add_node(const struct fathom_process_tree *process, const struct fathom_node *node, uint64_t *values)
{
	const struct fathom_tally *tally = __atomic_load_n(&node->tally, __ATOMIC_ACQUIRE);
	uint64_t visits = visits_of(node), own_units;

	/* A task that came from another thread has time at this node, but no visit. */
	if (visits || node->total_ticks) {
		values[FATHOM_VALUE_VISITS] += visits;
		own_units = exclusive_units(process, node);
		values[FATHOM_VALUE_TIME] += own_units;
		values[FATHOM_VALUE_OVERHEAD] += overhead_units(process, node, own_units);
		add_min_and_max(process, node, &values[FATHOM_VALUE_MIN], &values[FATHOM_VALUE_MAX]);
	}
	for (int c = 0; tally && c < FATHOM_COUNTER_FIRST_TIME; c++)
		values[FATHOM_VALUE_COUNTERS + c] += fathom_peek(&tally->counters[c]);
	for (int c = FATHOM_COUNTER_FIRST_TIME; tally && c < FATHOM_COUNTER_COUNT; c++) {
		uint64_t ticks = fathom_peek(&tally->counters[c]);

		if (c == FATHOM_COUNTER_IDLE_BLAME)
			ticks >>= FATHOM_IDLE_SHIFT;
		values[FATHOM_VALUE_COUNTERS + c] += fathom_ticks_to_units(process->scale, ticks);
	}
	if (tally)
		add_metrics(process, node, tally, values);
	if (node->has_samples)
		add_samples(process, node, values);
}

/* Sets the idle time of the workers at a call path, which is the time that their leader was there alone. Returns true
 * if there is any. */
static bool idle_values(const struct fathom_process_tree *process, uint32_t path, uint64_t *values)
{
	const uint64_t *time = values + (size_t)FATHOM_VALUE_TIME * process->location_count;
	uint64_t *idle = values + (size_t)FATHOM_VALUE_IDLE * process->location_count;
	bool says = false;

	if (!process->leaders || !process->is_serial[path])
		return false;
	for (uint32_t l = 0; l < process->location_count; l++) {
		if (!process->leaders[l])
			continue;
		idle[l] = time[process->leaders[l] - 1];
		says |= idle[l] != 0;
	}
	return says;
}

fathom_presence fathom_process_tree_values(const struct fathom_process_tree *process, uint32_t path, uint64_t *values)
{
	uint32_t locations = process->location_count;
	fathom_presence present = 0;

	for (uint32_t l = 0; l < locations; l++) {
		const struct fathom_node *node = process->nodes[(size_t)path * locations + l];
		uint64_t of_location[FATHOM_VALUE_METRICS + FATHOM_METRIC_MOST] = { [FATHOM_VALUE_MIN] = UINT64_MAX };
		const struct fathom_extra_node *extra =
			node && process->extra_nodes ? process->extra_nodes[path] : NULL;

		if (node)
			add_node(process, node, of_location);
		for (; extra; extra = extra->next)
			if (extra->location == l)
				add_node(process, extra->node, of_location);
		of_location[FATHOM_VALUE_THREADS] = of_location[FATHOM_VALUE_VISITS] != 0;
		for (uint32_t v = 0; v < process->value_count; v++) {
			values[(size_t)v * locations + l] = of_location[v];
			if (of_location[v] != (v == FATHOM_VALUE_MIN ? UINT64_MAX : 0))
				present |= fathom_presence_of(v);
		}
	}
	if (idle_values(process, path, values))
		present |= fathom_presence_of(FATHOM_VALUE_IDLE);
	return present | fathom_idleness_values(process, path, values);
}
