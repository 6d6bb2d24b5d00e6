#include "trace/definitions/metric_definitions.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "define/metric.h"
#include "trace/definitions/definition_pools.h"
#include "trace/definitions/definition_writer.h"
#include "trace/records/metric_records.h"

/* A class as an entry of the pool. For each member follow its type, mode and origin, one byte each, and its name,
 * unit and description, each with a NUL. */
struct class_thing {
	uint32_t is_process, is_given;
	uint32_t is_partial;		/* the other groups of counters have turns, too */
	uint32_t rank;			/* of the process, for a class of its own; else 0 */
	uint32_t member_count;
};

static char *put_member(char *at, const struct fathom_metric *metric)
{
	*at++ = (char)metric->type;
	*at++ = (char)metric->mode;
	*at++ = (char)metric->origin;
	at = stpcpy(at, metric->name) + 1;
	at = stpcpy(at, metric->unit) + 1;
	return stpcpy(at, metric->description) + 1;
}

/* Adds a class with these metrics as members. */
static int add_class(struct fathom_pool *pool, const struct fathom_metric *const *members, uint32_t count,
		     uint32_t rank)
{
	const struct fathom_metric *metric = members[0];
	struct class_thing thing = {
		.is_process = metric->is_process,
		.is_given = metric->mode != FATHOM_METRIC_STRICT,
		.is_partial = metric->mode == FATHOM_METRIC_STRICT && !metric->is_process &&
			      fathom_metric_group_count() > 1,
		.rank = metric->is_process ? rank : 0,
		.member_count = count,
	};
	size_t bytes = sizeof(thing);
	char *data, *at;
	int64_t number;

	for (uint32_t m = 0; m < count; m++) {
		metric = members[m];
		bytes += 3 + strlen(metric->name) + strlen(metric->unit) + strlen(metric->description) + 3;
	}
	data = malloc(bytes);
	if (!data)
		return -ENOMEM;
	memcpy(data, &thing, sizeof(thing));
	at = data + sizeof(thing);
	for (uint32_t m = 0; m < count; m++)
		at = put_member(at, members[m]);
	number = fathom_pool_add(pool, data, (uint32_t)bytes);
	free(data);
	return number < 0 ? -ENOMEM : 0;
}

/* Adds a class with the metrics whose ids are at least first and below end. */
static int add_metrics(struct fathom_pool *pool, uint32_t first, uint32_t end, uint32_t rank)
{
	const struct fathom_metric *members[FATHOM_METRIC_MOST];

	for (uint32_t m = first; m < end; m++)
		members[m - first] = fathom_metric_by_id(m);
	return add_class(pool, members, end - first, rank);
}

/* Adds the classes of the groups of counters of threads. */
static int add_groups(struct fathom_pool *pool, uint32_t rank)
{
	const struct fathom_metric *members[FATHOM_METRIC_MOST_STRICT];
	uint32_t ids[FATHOM_METRIC_MOST_STRICT];
	int err = 0;

	for (uint32_t g = 0; !err && g < fathom_metric_group_count(); g++) {
		uint32_t count = fathom_trace_group_members(g, ids);

		for (uint32_t i = 0; i < count; i++)
			members[i] = fathom_metric_by_id(ids[i]);
		if (fathom_trace_group_begins_class(g))
			err = add_class(pool, members, count, rank);
	}
	return err;
}

/* Adds the class of the visits that pending enters leave out (records/pending_enters.h). */
static int add_left_out(struct fathom_pool *pool)
{
	static const struct fathom_metric visits = {
		.name = "left out visits",
		.unit = "occ",
		.description = "Visits of functions, in this region, that are not in the trace",
		.type = FATHOM_METRIC_UINT64,
		.mode = FATHOM_METRIC_GIVEN,
	};
	static const struct fathom_metric time = {
		.name = "left out time",
		.unit = "10^-9 s",
		.description = "Time of the visits of functions, in this region, that are not in the trace",
		.type = FATHOM_METRIC_UINT64,
		.mode = FATHOM_METRIC_GIVEN,
	};
	const struct fathom_metric *const members[] = { &visits, &time };

	return add_class(pool, members, 2, 0);
}

/* Adds the class of the repetitions that are left out (stretches.h). */
static int add_repeats(struct fathom_pool *pool)
{
	static const struct fathom_metric metrics[] = {
		{ .name = "left out stretches", .unit = "occ",
		  .description = "Number of stretches of the run that are not in the trace, because they repeat "
				 "earlier ones",
		  .type = FATHOM_METRIC_UINT64, .mode = FATHOM_METRIC_GIVEN },
		{ .name = "left out stretch time", .unit = "10^-9 s", .description = "Time of these stretches",
		  .type = FATHOM_METRIC_UINT64, .mode = FATHOM_METRIC_GIVEN },
		{ .name = "shortest left out stretch", .unit = "10^-9 s",
		  .description = "Time of the shortest of these stretches",
		  .type = FATHOM_METRIC_UINT64, .mode = FATHOM_METRIC_GIVEN },
		{ .name = "longest left out stretch", .unit = "10^-9 s",
		  .description = "Time of the longest of these stretches",
		  .type = FATHOM_METRIC_UINT64, .mode = FATHOM_METRIC_GIVEN },
	};
	const struct fathom_metric *const members[] = { &metrics[0], &metrics[1], &metrics[2], &metrics[3] };

	return add_class(pool, members, 4, 0);
}

/* The order is that of the numbers of classes in records. */
int fathom_trace_metrics_list(struct fathom_pool *pool, uint32_t rank)
{
	uint32_t count = fathom_metric_count(), of_threads = fathom_metric_thread_count();
	uint32_t strict = fathom_metric_strict_count();
	int err = add_groups(pool, rank);

	if (!err && strict > of_threads)
		err = add_metrics(pool, of_threads, strict, rank);
	if (!err && fathom_trace_has_left_out_class())
		err = add_left_out(pool);
	if (!err && fathom_trace_has_repeat_class())
		err = add_repeats(pool);
	for (uint32_t m = strict; !err && m < count; m++)
		if (fathom_trace_has_class(fathom_metric_by_id(m)))
			err = add_metrics(pool, m, m + 1, rank);
	return err;
}

/* --- rank 0 -------------------------------------------------------------------------------------- */

/* The state of writing: the next free numbers. */
struct writing {
	struct fathom_trace_writing *w;
	uint32_t members, classes;	/* classes and instances share their numbers */
};

/* Splits a unit: "10^-6 s" is "s" with base 10 and exponent -6. */
static const char *read_unit(const char *unit, OTF2_Base *base, int64_t *exponent)
{
	char *end;

	*base = OTF2_BASE_DECIMAL;
	*exponent = 0;
	if (strncmp(unit, "10^", 3) && strncmp(unit, "2^", 2))
		return unit;
	*base = *unit == '2' ? OTF2_BASE_BINARY : OTF2_BASE_DECIMAL;
	*exponent = strtol(strchr(unit, '^') + 1, &end, 10);
	return *end == ' ' ? end + 1 : end;
}

/* Writes the next member of a class; returns the begin of the following one. */
static const char *write_member(struct writing *writing, const char *at, OTF2_MetricMemberRef *number)
{
	/* Counters count from the start of the run; an amount that the program gives is added to the metric; a single
	 * value is the value of the metric. */
	static const OTF2_MetricMode modes[] = {
		[FATHOM_METRIC_STRICT] = OTF2_METRIC_ACCUMULATED_START,
		[FATHOM_METRIC_GIVEN] = OTF2_METRIC_RELATIVE_POINT,
		[FATHOM_METRIC_POINT] = OTF2_METRIC_ABSOLUTE_POINT,
	};
	static const OTF2_MetricType origins[] = {
		[FATHOM_METRIC_ORIGIN_OTHER] = OTF2_METRIC_TYPE_OTHER,
		[FATHOM_METRIC_ORIGIN_PAPI] = OTF2_METRIC_TYPE_PAPI,
		[FATHOM_METRIC_ORIGIN_RUSAGE] = OTF2_METRIC_TYPE_RUSAGE,
		[FATHOM_METRIC_ORIGIN_USER] = OTF2_METRIC_TYPE_USER,
	};
	struct fathom_trace_writing *w = writing->w;
	enum fathom_metric_type type = (enum fathom_metric_type)at[0];
	OTF2_MetricMode mode = modes[(unsigned char)at[1]];
	OTF2_MetricType origin = origins[(unsigned char)at[2]];
	const char *name = at + 3, *unit = name + strlen(name) + 1, *description = unit + strlen(unit) + 1;
	OTF2_Base base;
	int64_t exponent;
	uint32_t name_text = fathom_trace_text(w, name), description_text = fathom_trace_text(w, description);
	uint32_t unit_text = fathom_trace_text(w, read_unit(unit, &base, &exponent));

	*number = writing->members++;
	DEFINE(OTF2_GlobalDefWriter_WriteMetricMember, *number, name_text, description_text, origin, mode,
	       fathom_trace_metric_type(type), base, exponent, unit_text);
	return description + strlen(description) + 1;
}

static uint32_t write_one(struct writing *writing, const struct fathom_pool_thing *thing)
{
	OTF2_MetricMemberRef members[FATHOM_METRIC_MOST];
	struct fathom_trace_writing *w = writing->w;
	const char *at = (const char *)thing->data + sizeof(struct class_thing);
	struct class_thing what;
	uint32_t number = writing->classes++;

	memcpy(&what, thing->data, sizeof(what));
	for (uint32_t m = 0; m < what.member_count; m++)
		at = write_member(writing, at, &members[m]);
	DEFINE(OTF2_GlobalDefWriter_WriteMetricClass, number, (uint8_t)what.member_count, members,
	       what.is_given ? OTF2_METRIC_ASYNCHRONOUS :
	       what.is_partial ? OTF2_METRIC_SYNCHRONOUS : OTF2_METRIC_SYNCHRONOUS_STRICT,
	       what.is_process ? OTF2_RECORDER_KIND_ABSTRACT : OTF2_RECORDER_KIND_CPU);
	return number;
}

/* Writes an instance for one process of a class that belongs to processes: its scope is the location group of the
 * process. */
static uint32_t write_instance(struct writing *writing, uint32_t class, uint32_t rank)
{
	struct fathom_trace_writing *w = writing->w;
	uint32_t number = writing->classes++;

	DEFINE(OTF2_GlobalDefWriter_WriteMetricInstance, number, class,
	       w->locations[w->first_of[rank] + w->master_of[rank]], OTF2_SCOPE_LOCATION_GROUP, rank);
	return number;
}

/* Returns true if two classes have the same members. */
static bool same_members(const struct fathom_pool_thing *a, const struct fathom_pool_thing *b)
{
	return a->bytes == b->bytes && !memcmp((const char *)a->data + sizeof(struct class_thing),
					       (const char *)b->data + sizeof(struct class_thing),
					       a->bytes - sizeof(struct class_thing));
}

uint32_t *fathom_trace_metrics_write(struct fathom_trace_writing *w, struct fathom_pool *pool)
{
	uint32_t *names = fathom_arena_alloc(&w->defs->arena, (pool->count + 1) * sizeof(*names));
	const struct fathom_pool_thing *last = NULL;
	struct writing writing = { .w = w };
	uint32_t class = 0;

	for (uint32_t i = 0; names && i < pool->count; i++) {
		const struct fathom_pool_thing *thing = &pool->things[i];
		struct class_thing what;

		memcpy(&what, thing->data, sizeof(what));
		if (!what.is_process) {
			names[i] = write_one(&writing, thing);
			continue;
		}
		/* Most processes have the same class: it is written once. */
		if (!last || !same_members(last, thing))
			class = write_one(&writing, thing);
		last = thing;
		names[i] = write_instance(&writing, class, what.rank);
	}
	if (!names && !w->err)
		w->err = -ENOMEM;
	return names;
}
