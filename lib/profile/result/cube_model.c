#include "profile/result/cube_model.h"

#include <errno.h>
#include <string.h>

#include "config.h"
#include "cube/derived.h"
#include "define/region.h"
#include "event/location.h"
#include "event/sample.h"
#include "event/switch.h"
#include "platform/clock.h"
#include "platform/log.h"
#include "profile/budget/budget.h"
#include "profile/result/region_merging.h"
#include "profile/result/wait_states.h"

/* The metrics that do not depend on activity classes. Those of the classes come after time. */
static const struct {
	uint32_t value;
	enum fathom_cube_dtype dtype;
	const char *name, *title, *unit, *description;
} plain_metrics[] = {
	{ FATHOM_VALUE_VISITS, FATHOM_CUBE_UINT64, "visits", "Visits", "occ",
	  "How often a call path was entered" },
	{ FATHOM_VALUE_THREADS, FATHOM_CUBE_UINT32, "num_threads", "Number of threads", "threads",
	  "How many threads entered a call path" },
	{ FATHOM_VALUE_TIME, FATHOM_CUBE_DOUBLE, "time", "Time", "sec",
	  "Wall-clock time of each thread" },
	{ FATHOM_VALUE_MIN, FATHOM_CUBE_MINDOUBLE, "min_time", "Minimum inclusive time", "sec",
	  "Time of the shortest visit of a call path, with all that was called" },
	{ FATHOM_VALUE_MAX, FATHOM_CUBE_MAXDOUBLE, "max_time", "Maximum inclusive time", "sec",
	  "Time of the longest visit of a call path, with all that was called" },
	{ FATHOM_VALUE_IDLE, FATHOM_CUBE_DOUBLE, "omp_idle_threads", "Idle threads", "sec",
	  "Time, not in the metric time, in which OpenMP threads wait for the next fork of a team" },
	{ FATHOM_VALUE_OVERHEAD, FATHOM_CUBE_DOUBLE, "measurement_overhead", "Measurement overhead (estimate)", "sec",
	  "The part of the time that measuring took: visits, here and of called regions, times their cost" },
	{ FATHOM_VALUE_MISSING_VISITS, FATHOM_CUBE_UINT64, "visits_missing", "Visits not recorded (estimate)", "occ",
	  "Visits since the region was disabled, if it was called as often as before" },
	{ FATHOM_VALUE_MISSING_TIME, FATHOM_CUBE_DOUBLE, "time_missing", "Time not recorded (estimate)", "sec",
	  "Time of the visits not recorded, with all that was called; the callers' time contains it" },
	{ FATHOM_VALUE_GIVEN, FATHOM_CUBE_UINT64, "amounts_given", "Amounts given", "occ",
	  "How often the program gave an amount of one of its own metrics" },
	{ FATHOM_VALUE_GIVEN_REAL, FATHOM_CUBE_UINT64, "real_amounts_given", "Amounts given as double", "occ",
	  "How many of the amounts given were of type double" },
	{ FATHOM_VALUE_SAMPLES, FATHOM_CUBE_UINT64, "samples", "Samples", "occ",
	  "How many samples of processor time were taken at a call path; its time is an estimate by them where it has "
	  "no visits" },
#define COUNTER(counter) (uint32_t)FATHOM_VALUE_COUNTERS + FATHOM_COUNTER_##counter
	{ COUNTER(BYTES_SENT), FATHOM_CUBE_UINT64, "bytes_sent", "Bytes sent", "bytes",
	  "Bytes sent in messages and collective operations" },
	{ COUNTER(BYTES_RECEIVED), FATHOM_CUBE_UINT64, "bytes_received", "Bytes received", "bytes",
	  "Bytes received in messages and collective operations" },
	{ COUNTER(MESSAGES_SENT), FATHOM_CUBE_UINT64, "messages_sent", "Messages sent", "occ",
	  "How many point-to-point messages were sent" },
	{ COUNTER(MESSAGES_RECEIVED), FATHOM_CUBE_UINT64, "messages_received", "Messages received", "occ",
	  "How many point-to-point messages were received" },
	{ COUNTER(BYTES_PUT), FATHOM_CUBE_UINT64, "bytes_put", "Bytes put", "bytes",
	  "Bytes sent by one-sided operations" },
	{ COUNTER(BYTES_GET), FATHOM_CUBE_UINT64, "bytes_get", "Bytes got", "bytes",
	  "Bytes fetched by one-sided operations" },
	{ COUNTER(IO_READ), FATHOM_CUBE_UINT64, "io_bytes_read", "File bytes read", "bytes",
	  "Bytes read from files, by MPI, POSIX or stdio" },
	{ COUNTER(IO_WRITTEN), FATHOM_CUBE_UINT64, "io_bytes_written", "File bytes written", "bytes",
	  "Bytes written to files, by MPI, POSIX or stdio" },
	{ COUNTER(TASK_SWITCHES), FATHOM_CUBE_UINT64, "task_switches", "Task switches", "occ",
	  "How often an explicit task was suspended for another task" },
	{ COUNTER(TASK_MIGRATIONS), FATHOM_CUBE_UINT64, "task_migrations", "Task migrations", "occ",
	  "How many explicit tasks went on here after they were suspended on another thread" },
	{ COUNTER(LOCK_WAIT), FATHOM_CUBE_DOUBLE, "lock_wait", "Waiting for locks", "sec",
	  "Time in which a thread waited for locks and critical constructs that other threads held" },
	{ COUNTER(LOCK_BLAME), FATHOM_CUBE_DOUBLE, "lock_blame", "Blame for waiting for locks", "sec",
	  "Time in which other threads waited for locks and critical constructs that this call path held" },
	{ COUNTER(CONDITION_WAIT), FATHOM_CUBE_DOUBLE, "condition_wait", "Waiting for conditions", "sec",
	  "Time in which a thread waited for a condition, until another thread that had the mutex released it" },
	{ COUNTER(CONDITION_BLAME), FATHOM_CUBE_DOUBLE, "condition_blame", "Blame for waiting for conditions", "sec",
	  "Time in which other threads waited for a condition until this call path released the mutex" },
	{ COUNTER(TASK_WAIT), FATHOM_CUBE_DOUBLE, "task_wait", "Waiting of tasks", "sec",
	  "Time in which the tasks that this call path created waited for locks, conditions and other tasks" },
	{ COUNTER(IDLE_BLAME), FATHOM_CUBE_DOUBLE, "p_all_thread_idleness", "Blame for idle threads", "sec",
	  "Time in which other OpenMP threads waited, as far as the threads that worked meanwhile were here" },
	{ FATHOM_VALUE_MISSING_THREADS, FATHOM_CUBE_DOUBLE, "p_req_core_idleness", "Blame for missing threads", "sec",
	  "Time in which fewer threads worked than the largest team has, as far as those that worked were here" },
	{ FATHOM_VALUE_IDLE_PROCESSORS, FATHOM_CUBE_DOUBLE, "p_all_core_idleness", "Blame for idle cores", "sec",
	  "Time in which fewer threads worked than there are processors, as far as those that worked were here" },
};
enum { PLAIN_COUNT = sizeof(plain_metrics) / sizeof(*plain_metrics) };

static void *take(struct fathom_model *model, size_t count, size_t bytes)
{
	return fathom_arena_alloc(&model->arena, (count + 1) * bytes);
}

/* --- attributes --------------------------------------------------------------------------- */

static int add_attribute(struct fathom_model *model, const char *key, const char *value)
{
	char *copy = fathom_arena_copy(&model->arena, value, strlen(value));

	if (!copy)
		return -ENOMEM;
	model->cube.attributes[model->cube.attribute_count++] = (struct fathom_cube_attribute){ key, copy };
	return 0;
}

static int add_number(struct fathom_model *model, const char *key, uint64_t number)
{
	char text[32];

	fathom_format(text, sizeof(text), "%lu", (unsigned long)number);
	return add_attribute(model, key, text);
}

/* Adds a number with six decimals. */
static int add_decimal(struct fathom_model *model, const char *key, double number)
{
	uint64_t millionths = (uint64_t)(number * 1e6 + 0.5);
	char text[32];

	fathom_format(text, sizeof(text), "%lu.%06lu", (unsigned long)(millionths / 1000000),
		      (unsigned long)(millionths % 1000000));
	return add_attribute(model, key, text);
}

static double ns_of(uint64_t units)
{
	return (double)units / FATHOM_UNITS_PER_SECOND * 1e9;
}

/* Adds the mean own cost of a visit; if there were no visits, that of a function call. */
static int add_costs(struct fathom_model *model, const struct fathom_totals *totals, const struct fathom_costs *costs)
{
	struct fathom_cost cost = totals->events ? totals->cost : costs->of[FATHOM_WAY_CALL];
	double events = totals->events ? (double)totals->events : 1;
	int err;

	err = add_decimal(model, "fathom::event_cost_ns", ns_of(cost.inside_units + cost.outside_units) / events);
	return err | add_decimal(model, "fathom::event_cost_inside_ns", ns_of(cost.inside_units) / events);
}

/* Adds the time that one reading of all counters takes, and how the perf counters are read. */
static int add_reading(struct fathom_model *model, const struct fathom_reading_cost *reading)
{
	int err;

	if (!reading->all_units)
		return 0;
	err = add_decimal(model, "fathom::counter_reading_ns", ns_of(reading->all_units));
	if (!reading->perf_read_units)
		return err;
	err |= add_attribute(model, "fathom::perf_read_by", reading->by_rdpmc ? "rdpmc" : "read");
	err |= add_decimal(model, "fathom::perf_read_ns", ns_of(reading->perf_read_units));
	if (reading->perf_rdpmc_units)
		err |= add_decimal(model, "fathom::perf_rdpmc_ns", ns_of(reading->perf_rdpmc_units));
	return err;
}

/* Adds the processor time, and the processors that were available. */
static int add_usage(struct fathom_model *model, const struct fathom_usage *usage)
{
	const struct fathom_capacity *capacity = &usage->capacity;
	int err = add_decimal(model, "fathom::processor_time", (double)usage->processor_ns / 1e9);

	if (capacity->nodes && !capacity->unknown_nodes)
		err |= add_decimal(model, "fathom::processors", (double)capacity->millis / 1000);
	if (!capacity->shared_nodes)
		return err;
	err |= add_number(model, "fathom::shared_nodes", capacity->shared_nodes);
	err |= add_decimal(model, "fathom::shared_processors", (double)capacity->most.millis / 1000);
	err |= add_number(model, "fathom::shared_by_processes", capacity->most.processes);
	return err | add_number(model, "fathom::shared_by_threads", capacity->most.threads);
}

/* Adds where samples came from, and how many there are. Call paths without visits were sampled: so they are marked, and
 * the attribute says it. */
static int add_sampling(struct fathom_model *model, const struct fathom_totals *totals,
			const struct fathom_sampling *sampling)
{
	static const char *const keys[FATHOM_SAMPLES_COUNT] = {
		[FATHOM_SAMPLES_TAKEN] = "fathom::samples",
		[FATHOM_SAMPLES_PARTIAL] = "fathom::samples_partial",
		[FATHOM_SAMPLES_SHORTENED] = "fathom::samples_shortened",
		[FATHOM_SAMPLES_DROPPED] = "fathom::samples_dropped",
	};
	int err = 0;

	if (sampling && sampling->source)
		err |= add_attribute(model, "fathom::sampling_source", sampling->source);
	if (sampling)
		err |= add_number(model, "fathom::sampling_rate", sampling->rate);
	if (!sampling && !totals->samples[FATHOM_SAMPLES_TAKEN])
		return err;
	for (int i = 0; i < FATHOM_SAMPLES_COUNT; i++)
		err |= add_number(model, keys[i], totals->samples[i]);
	return err | add_attribute(model, "fathom::sampled_call_paths", "those without visits");
}

/* Processes may differ in FATHOM_THREADS: then the text is "mixed". */
static const char *threads_text(const struct fathom_union *u)
{
	static const char *const texts[] = {
		[FATHOM_THREADS_ALL] = "all", [FATHOM_THREADS_SUM] = "sum", [FATHOM_THREADS_SET] = "set",
		[FATHOM_THREADS_KEY] = "key", [FATHOM_THREADS_CALLTREE] = "calltree",
	};

	return u->is_mixed ? "mixed" : texts[u->threads];
}

/* The metrics of a list: all, or the counters of threads or of the process. */
enum list { LIST_ALL, LIST_THREAD, LIST_PROCESS };

static bool is_in_list(const struct fathom_metric *metric, enum list list)
{
	if (list == LIST_ALL)
		return metric->mode != FATHOM_METRIC_PART && metric->mode != FATHOM_METRIC_FOUND;
	return metric->mode == FATHOM_METRIC_STRICT && metric->is_process == (list == LIST_PROCESS);
}

/* Adds a list of metrics as an attribute: their names, with commas between them. */
static int add_metric_list(struct fathom_model *model, const struct fathom_union *u, const char *key, enum list list)
{
	size_t bytes = 1;
	char *text, *at;

	for (uint32_t m = 0; m < u->metric_count; m++)
		bytes += strlen(u->metrics[m].name) + 1;
	text = take(model, bytes, 1);
	if (!text)
		return -ENOMEM;
	at = text;
	for (uint32_t m = 0; m < u->metric_count; m++) {
		if (!is_in_list(&u->metrics[m], list))
			continue;
		if (at > text)
			*at++ = ',';
		at = stpcpy(at, u->metrics[m].name);
	}
	return at > text ? add_attribute(model, key, text) : 0;
}

/* Adds what became of the search for wait states. */
static int add_wait_states(struct fathom_model *model, const struct fathom_wait_states *waits)
{
	static const char *const texts[] = {
		[FATHOM_WAIT_STATES_FOUND] = "yes",
		[FATHOM_WAIT_STATES_FAILED] = "no: the memory of a process did not suffice for the search",
		[FATHOM_WAIT_STATES_APART] =
			"no: the program uses MPI sessions only, so its processes are measured apart",
		[FATHOM_WAIT_STATES_MISSED] = "no: the run did not end with MPI_Finalize",
	};
	const struct fathom_waits_summary *summary = &waits->summary;
	int err;

	if (waits->outcome == FATHOM_WAIT_STATES_NONE)
		return 0;
	err = add_attribute(model, "fathom::wait_states", texts[waits->outcome]);
	if (waits->outcome != FATHOM_WAIT_STATES_FOUND)
		return err;
	err |= add_number(model, "fathom::wait_operations", summary->operations);
	err |= add_decimal(model, "fathom::wait_search_time", waits->seconds);
	err |= add_decimal(model, "fathom::wait_with_cause", summary->waiting);
	err |= add_decimal(model, "fathom::wait_delays", summary->delays);
	err |= add_decimal(model, "fathom::wait_unexplained", summary->unexplained);
	if (summary->unmatched_sends + summary->unmatched_receives)
		err |= add_number(model, "fathom::wait_unmatched_messages",
				  summary->unmatched_sends + summary->unmatched_receives);
	if (summary->incomplete_collectives + summary->skipped_collectives)
		err |= add_number(model, "fathom::wait_skipped_collectives",
				  summary->incomplete_collectives + summary->skipped_collectives);
	if (summary->lost)
		err |= add_number(model, "fathom::wait_operations_lost", summary->lost);
	if (summary->clock_violations)
		err |= add_number(model, "fathom::wait_clock_violations", summary->clock_violations);
	return err;
}

enum { MOST_ATTRIBUTES = 72 };	/* number of attributes that are added here */

static int make_attributes(struct fathom_model *model, const struct fathom_union *u, const struct fathom_result *result)
{
	static const char *const drop_keys[FATHOM_DROP_COUNT] = {
		[FATHOM_DROP_DEPTH] = "fathom::dropped_depth",
		[FATHOM_DROP_NODES] = "fathom::dropped_nodes",
		[FATHOM_DROP_MEMORY] = "fathom::dropped_memory",
		[FATHOM_DROP_UNBALANCED] = "fathom::unbalanced_exits",
	};
	char text[256];
	int err;

	model->cube.attributes = take(model, MOST_ATTRIBUTES + u->note_count, sizeof(*model->cube.attributes));
	if (!model->cube.attributes)
		return -ENOMEM;
	err = add_attribute(model, "CubePL Version", "1.1");
	err |= add_attribute(model, "Cube anchor.xml syntax version", "4.4");
	err |= add_attribute(model, "Creator", "fathom " PACKAGE_VERSION);
	err |= add_attribute(model, "CUBE_CT_AGGR", "SUM");
	err |= add_attribute(model, "fathom::mode", result->mode ? result->mode : "profile");
	err |= add_attribute(model, "fathom::program", result->program);
	err |= add_attribute(model, "fathom::arguments", result->arguments);
	err |= add_attribute(model, "fathom::begin", result->begin_text);
	err |= add_decimal(model, "fathom::wall_time", (double)u->usage.wall_units / FATHOM_UNITS_PER_SECOND);
	err |= add_usage(model, &u->usage);
	err |= add_costs(model, &u->totals, &result->costs);
	err |= add_reading(model, &result->costs.reading);
	err |= add_number(model, "fathom::events", u->totals.events);
	err |= add_sampling(model, &u->totals, result->sampling);
	if (result->filter) {
		err |= add_attribute(model, "fathom::filter", result->filter);
		err |= add_number(model, "fathom::filtered_regions", result->left_out);
		if (result->left_out_ranks && *result->left_out_ranks)
			err |= add_attribute(model, "fathom::filtered_ranks", result->left_out_ranks);
	}
	if (fathom_budget_share())
		err |= add_decimal(model, "fathom::overhead_budget", (double)fathom_budget_share() / 1e5);
	if (fathom_budget_share() && fathom_event_hooks_stay())
		err |= add_attribute(model, "fathom::disabled_hooks", "in the code");
	err |= add_attribute(model, FATHOM_CUBE_THREADS, threads_text(u));
	err |= add_attribute(model, "fathom::clock", fathom_clock.uses_tsc ? "tsc" : "monotonic");
	fathom_format(text, sizeof(text), "no: %s", result->incomplete ? result->incomplete : "");
	err |= add_attribute(model, "fathom::complete", result->incomplete ? text : "yes");
	if (result->incomplete && result->world_size > 1) {
		err |= add_number(model, "fathom::rank", (uint64_t)result->rank);
		err |= add_number(model, "fathom::size", (uint64_t)result->world_size);
		if (result->processors)	/* fathom merge adds up the processors of all ranks of a node */
			err |= add_attribute(model, "fathom::rank_processors", result->processors);
		err |= add_number(model, "fathom::ranks_missing", (uint64_t)result->world_size - u->process_count);
	}
	if (u->waits)
		err |= add_wait_states(model, u->waits);
	err |= add_metric_list(model, u, "fathom::metrics", LIST_ALL);
	err |= add_metric_list(model, u, "fathom::counters", LIST_THREAD);
	err |= add_metric_list(model, u, "fathom::process_counters", LIST_PROCESS);
	for (uint32_t i = 0; i < u->note_count; i++)	/* the union owns the texts */
		model->cube.attributes[model->cube.attribute_count++] = u->notes[i];
	for (int why = 0; why < FATHOM_DROP_COUNT; why++)
		if (u->totals.dropped[why])
			err |= add_number(model, drop_keys[why], u->totals.dropped[why]);
	return err;
}

/* --- regions and call paths ------------------------------------------------------------------ */

struct naming {
	struct fathom_union *u;
	const struct fathom_result *result;
};

/* May be called in another thread than the one that finishes, see naming_thread.h. */
static void resolve_regions(void *data)
{
	const struct naming *naming = data;
	struct fathom_location *before = fathom_location_suspend();

	for (uint32_t i = 0; i < naming->u->region_count; i++)
		if (!naming->u->regions[i].name)
			naming->result->resolve(&naming->u->regions[i], naming->result->may_allocate);
	fathom_location_resume(before);
}

int fathom_model_name_regions(struct fathom_union *u, const struct fathom_result *result)
{
	struct naming naming = { u, result };

	if (result->resolve && result->run_naming && result->may_allocate)
		result->run_naming(resolve_regions, &naming);
	else if (result->resolve)
		resolve_regions(&naming);
	for (uint32_t i = 0; i < u->region_count; i++) {
		struct fathom_region *region = &u->regions[i];

		if (!region->name)
			region->name = fathom_region_place_name(region, &u->arena);
		if (!region->name)
			return -ENOMEM;
	}
	return 0;
}

/* Returns the description of a region: whether and when it was disabled. NULL: no memory. */
static const char *describe(struct fathom_model *model, const struct fathom_region *region)
{
	uint64_t ms = (region->disabled_ns + 999999) / 1000000;
	char text[96];

	if (!region->disabled_ns)
		return "";
	fathom_format(text, sizeof(text), "disabled after %lu.%03lu s, to keep FATHOM_OVERHEAD",
		      (unsigned long)(ms / 1000), (unsigned long)(ms % 1000));
	return fathom_arena_copy(&model->arena, text, strlen(text));
}

static int make_regions(struct fathom_model *model, const struct fathom_union *u,
			const struct fathom_distinct_regions *distinct)
{
	struct fathom_cube_region *regions = take(model, distinct->count, sizeof(*regions));

	if (!regions)
		return -ENOMEM;
	for (uint32_t i = 0; i < distinct->count; i++) {
		const struct fathom_region *region = &u->regions[distinct->region[i]];

		regions[i] = (struct fathom_cube_region){
			.name = region->name,
			.mangled = region->canonical ? region->canonical : region->name,
			.file = region->file ? region->file : "",
			.paradigm = fathom_paradigm_name(region->paradigm),
			.role = fathom_role_name(region->role),
			.description = describe(model, region),
			.begin_line = region->begin_line ? (int32_t)region->begin_line : -1,
			.end_line = region->end_line ? (int32_t)region->end_line : -1,
			.activity = (enum fathom_activity)region->activity,
		};
		if (!regions[i].description)
			return -ENOMEM;
	}
	model->cube.regions = regions;
	model->cube.region_count = distinct->count;
	return 0;
}

/* Returns the number of parameters in the text of a region (define/parameter.h): each ends with a newline. */
static uint32_t count_parameters(const char *parameters)
{
	uint32_t count = 0;

	for (; parameters && *parameters; parameters++)
		count += *parameters == '\n';
	return count;
}

/* Writes the parameters in a region's text to the array that begins at first. Keys and values are copies in the
 * arena. 0 or -ENOMEM. */
static int read_parameters(const char *parameters, struct fathom_cube_parameter *first, struct fathom_arena *arena)
{
	const char *end;

	for (; parameters && (end = strchr(parameters, '\n')); parameters = end + 1, first++) {
		const char *equals = memchr(parameters, '=', (size_t)(end - parameters));

		if (!equals)
			equals = end;
		first->is_numeric = *parameters != 's';
		first->key = fathom_arena_copy(arena, parameters + 1, (size_t)(equals - parameters - 1));
		first->value = equals == end ? "" : fathom_arena_copy(arena, equals + 1, (size_t)(end - equals - 1));
		if (!first->key || !first->value)
			return -ENOMEM;
	}
	return 0;
}

/* Gives each call path the parameters of its region. */
static int make_parameters(struct fathom_model *model, const struct fathom_union *u, const uint32_t *order)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < u->tree.count; i++) {
		struct fathom_cube_cnode *cnode = &model->cube.cnodes[i];

		cnode->first_parameter = count;
		cnode->parameter_count = count_parameters(u->regions[u->tree.nodes[order[i]].key].parameters);
		count += cnode->parameter_count;
	}
	model->cube.parameters = take(model, count, sizeof(*model->cube.parameters));
	if (!model->cube.parameters)
		return -ENOMEM;
	model->cube.parameter_count = count;
	for (uint32_t i = 0; i < u->tree.count; i++)
		if (read_parameters(u->regions[u->tree.nodes[order[i]].key].parameters,
				      model->cube.parameters + model->cube.cnodes[i].first_parameter, &model->arena))
			return -ENOMEM;
	return 0;
}

static int make_cnodes(struct fathom_model *model, const struct fathom_union *u, const uint32_t *order,
		       const struct fathom_distinct_regions *distinct)
{
	uint32_t *number = take(model, u->tree.count, sizeof(*number));

	model->cube.cnodes = take(model, u->tree.count, sizeof(*model->cube.cnodes));
	model->present = take(model, u->tree.count, sizeof(*model->present));
	if (!number || !model->cube.cnodes || !model->present)
		return -ENOMEM;
	for (uint32_t i = 0; i < u->tree.count; i++) {
		const struct fathom_tree_node *node = &u->tree.nodes[order[i]];

		number[order[i]] = i;
		model->present[i] = u->present[order[i]];
		model->cube.cnodes[i].region = distinct->index[node->key];
		model->cube.cnodes[i].parent = i == 0 ? -1 : (int32_t)number[node->parent];
	}
	model->cube.cnode_count = u->tree.count;
	return make_parameters(model, u, order);
}

/* --- metrics --------------------------------------------------------------------------- */

static void add_metric(struct fathom_model *model, const struct fathom_cube_metric *metric, uint32_t value,
		       int activity)
{
	struct fathom_cube_metric *added = &model->cube.metrics[model->cube.metric_count];

	model->metrics[model->cube.metric_count++] = (struct fathom_model_metric){ value, activity };
	*added = *metric;
	if (fathom_aggregate_width(model->threads, value, fathom_model_type(model, value)) == FATHOM_STATISTICS)
		added->dtype = FATHOM_CUBE_TUPLE;
}

/* Adds a metric for each activity class in which some call path spent time, below the metric of the class that
 * contains it. */
static void add_activities(struct fathom_model *model, int32_t time)
{
	bool occurs[FATHOM_ACTIVITY_COUNT] = { false };
	int32_t metric_of[FATHOM_ACTIVITY_COUNT];

	for (uint32_t c = 0; c < model->cube.cnode_count; c++) {
		int activity = (int)model->cube.regions[model->cube.cnodes[c].region].activity;

		if (!(model->present[c] & fathom_presence_of(FATHOM_VALUE_TIME)))
			continue;
		for (; activity >= 0; activity = fathom_activity_table[activity].parent)
			occurs[activity] = true;
	}
	for (int a = 0; a < FATHOM_ACTIVITY_COUNT; a++) {
		const struct fathom_activity_info *info = &fathom_activity_table[a];
		struct fathom_cube_metric metric = {
			.uniq_name = info->metric,
			.disp_name = info->title,
			.unit = "sec",
			.description = info->description,
			.url = "",
			.type = FATHOM_CUBE_EXCLUSIVE,
			.dtype = FATHOM_CUBE_DOUBLE,
		};

		if (!occurs[a])
			continue;
		metric.parent = info->parent < 0 ? time : metric_of[info->parent];
		metric_of[a] = (int32_t)model->cube.metric_count;
		add_metric(model, &metric, FATHOM_VALUE_TIME, a);
	}
}

/* Returns the name that a metric of the program has in the file; it differs from all other names. NULL: no memory. */
static const char *name_defined(struct fathom_model *model, const struct fathom_metric *defined, bool *is_taken)
{
	char *name;

	/* The name of a part depends on that of the metric that it belongs to. */
	for (uint32_t m = 0; m < model->cube.metric_count && defined->mode != FATHOM_METRIC_PART; m++) {
		*is_taken = fathom_derived_is_called(model->cube.metrics[m].uniq_name, defined->name);
		if (*is_taken)
			break;
	}
	if (!*is_taken)
		return defined->name;
	name = take(model, strlen(defined->name) + sizeof("user::"), 1);
	if (name)
		stpcpy(stpcpy(name, "user::"), defined->name);
	return name;
}

/*
 * Adds the results of the search for wait states, each below its parent. A parent has at least the values of its
 * children, so it is in the file as well.
 */
static void add_found(struct fathom_model *model, fathom_presence present)
{
	int32_t metric_of[FATHOM_WAITS_PATTERNS];

	for (int pattern = 0; pattern < FATHOM_WAITS_PATTERNS; pattern++) {
		const struct fathom_waits_pattern_info *info =
			fathom_waits_pattern_info((enum fathom_waits_pattern)pattern);
		struct fathom_cube_metric metric = {
			.uniq_name = info->name,
			.disp_name = info->title,
			.unit = info->is_count ? "occ" : "sec",
			.description = info->description,
			.url = "",
			.parent = info->parent == FATHOM_WAITS_NO_PARENT ? -1 : metric_of[info->parent],
			.type = FATHOM_CUBE_EXCLUSIVE,
			.dtype = info->is_count ? FATHOM_CUBE_UINT64 : FATHOM_CUBE_DOUBLE,
		};

		metric_of[pattern] = metric.parent;
		for (uint32_t value = FATHOM_VALUE_METRICS; value < model->value_count; value++) {
			const struct fathom_metric *defined = &model->defined[value - FATHOM_VALUE_METRICS];

			if (defined->mode != FATHOM_METRIC_FOUND || strcmp(defined->name, info->name) ||
			    !(present >> value & 1))
				continue;
			metric_of[pattern] = (int32_t)model->cube.metric_count;
			add_metric(model, &metric, value, -1);
		}
	}
}

/*
 * Adds the metrics that the program or the settings define. Counters are always in the file, and so is the sum of
 * single values, which may be zero; other metrics are in the file if they have a value. They are stored exclusively,
 * like time, because a thread may have values below a call path of another thread.
 */
static int add_defined(struct fathom_model *model, fathom_presence present)
{
	static const enum fathom_cube_dtype dtypes[] = {
		[FATHOM_METRIC_UINT64] = FATHOM_CUBE_UINT64,
		[FATHOM_METRIC_INT64] = FATHOM_CUBE_INT64,
		[FATHOM_METRIC_DOUBLE] = FATHOM_CUBE_DOUBLE,
		[FATHOM_METRIC_LEAST] = FATHOM_CUBE_MINDOUBLE,
		[FATHOM_METRIC_GREATEST] = FATHOM_CUBE_MAXDOUBLE,
	};
	bool is_taken = false;

	for (uint32_t value = FATHOM_VALUE_METRICS; value < model->value_count; value++) {
		const struct fathom_metric *defined = &model->defined[value - FATHOM_VALUE_METRICS];
		struct fathom_cube_metric metric = {
			.unit = defined->unit,
			.description = defined->description,
			.url = "",
			.parent = -1,
			.type = FATHOM_CUBE_EXCLUSIVE,
			.dtype = dtypes[defined->type],
		};

		if (defined->mode == FATHOM_METRIC_FOUND)
			continue;
		metric.uniq_name = metric.disp_name = name_defined(model, defined, &is_taken);
		if (!metric.uniq_name)
			return -ENOMEM;
		if (defined->mode == FATHOM_METRIC_STRICT || defined->mode == FATHOM_METRIC_POINT ||
		    (present >> value & 1))
			add_metric(model, &metric, value, -1);
	}
	return 0;
}

static int make_metrics(struct fathom_model *model)
{
	size_t most = PLAIN_COUNT + FATHOM_ACTIVITY_COUNT + FATHOM_METRIC_MOST + FATHOM_DERIVED_MOST;
	fathom_presence present = 0;

	model->cube.metrics = take(model, most, sizeof(*model->cube.metrics));
	model->metrics = take(model, most, sizeof(*model->metrics));
	if (!model->cube.metrics || !model->metrics)
		return -ENOMEM;
	for (uint32_t c = 0; c < model->cube.cnode_count; c++)
		present |= model->present[c];
	for (int i = 0; i < PLAIN_COUNT; i++) {
		struct fathom_cube_metric metric = {
			.uniq_name = plain_metrics[i].name,
			.disp_name = plain_metrics[i].title,
			.unit = plain_metrics[i].unit,
			.description = plain_metrics[i].description,
			.url = "",
			.parent = -1,
			.type = FATHOM_CUBE_EXCLUSIVE,
			.dtype = plain_metrics[i].dtype,
		};

		if (plain_metrics[i].value >= FATHOM_VALUE_IDLE && plain_metrics[i].value != FATHOM_VALUE_THREADS &&
		    !(present & fathom_presence_of(plain_metrics[i].value)))
			continue;
		if (!fathom_aggregate_width(model->threads, plain_metrics[i].value, FATHOM_METRIC_UINT64))
			continue;
		add_metric(model, &metric, plain_metrics[i].value, -1);
		if (plain_metrics[i].value == FATHOM_VALUE_TIME)
			add_activities(model, (int32_t)model->cube.metric_count - 1);
	}
	add_found(model, present);
	if (add_defined(model, present))
		return -ENOMEM;
	return fathom_derived_add(&model->cube, &model->arena);
}

enum fathom_metric_type fathom_model_type(const struct fathom_model *model, uint32_t value)
{
	return value < FATHOM_VALUE_METRICS ? FATHOM_METRIC_UINT64 : model->defined[value - FATHOM_VALUE_METRICS].type;
}

bool fathom_model_present(void *context, uint32_t metric, uint32_t cnode)
{
	const struct fathom_model *model = context;
	const struct fathom_model_metric *what = &model->metrics[metric];

	if (model->cube.metrics[metric].type == FATHOM_CUBE_DERIVED)
		return false;
	if (!(model->present[cnode] >> what->value & 1))
		return false;
	return what->activity < 0 ||
	       fathom_activity_within(model->cube.regions[model->cube.cnodes[cnode].region].activity,
				      (enum fathom_activity)what->activity);
}

/* --- the model -------------------------------------------------------------------------------- */

int fathom_model_init(struct fathom_model *model, struct fathom_union *u, const uint32_t *order,
		      const struct fathom_cube_system *system, uint64_t locations, const struct fathom_result *result)
{
	struct fathom_distinct_regions distinct;
	int err;

	memset(model, 0, sizeof(*model));
	if (locations > INT32_MAX)
		return -EOVERFLOW;
	model->threads = u->is_mixed ? FATHOM_THREADS_SUM : (enum fathom_threads)u->threads;
	model->value_count = FATHOM_VALUE_METRICS + u->metric_count;
	model->defined = u->metrics;
	err = fathom_distinct_regions_find(&distinct, &model->arena, u->regions, u->region_count,
					   FATHOM_REGION_ALL & ~FATHOM_REGION_PARAMETERS);
	if (!err)
		err = make_regions(model, u, &distinct);
	if (!err)
		err = make_cnodes(model, u, order, &distinct);
	if (!err)
		err = make_metrics(model);
	model->cube.system = system;
	model->cube.location_count = (uint32_t)locations;
	if (!err)
		err = make_attributes(model, u, result);
	if (err)
		fathom_model_fini(model);
	return err;
}

void fathom_model_fini(struct fathom_model *model)
{
	fathom_arena_fini(&model->arena);
}
