/*
 * The readings of a counter within an instance are kept until the instance is over, because they are shares of the
 * count of the whole instance. This count is known only if the counter was read at the begin and at the end.
 */
#include "tools/fold/fold_reading.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/event_region.h"
#include "tools/common/command.h"
#include "tools/common/progress.h"

struct counter_reading {
	uint64_t time;
	uint32_t counter;
	double value;
};

struct place {			/* a location */
	size_t next, end;	/* its instances that are not over: indices */
	struct counter_reading *readings;	/* from the begin of the present instance on */
	size_t count, room;
};

struct fold_reading {
	struct fathom_folds *folds;
	const struct fathom_instances *instances;
	struct place *places;		/* by location */
	int32_t *counters;		/* by index of member: counter, -1: none */
	uint64_t events;
};

/* --- counters ----------------------------------------------------------------------------------------- */

/* Adds the readings of a counter within an instance to its fold. */
static void add_counter(struct fathom_folded_counter *counter, uint32_t number, const struct place *place,
			const struct fathom_instance *instance)
{
	double first = 0, last = 0, length = (double)(instance->end - instance->begin);
	bool has_first = false, has_last = false;

	for (size_t i = 0; i < place->count; i++) {
		const struct counter_reading *reading = &place->readings[i];

		if (reading->counter != number)
			continue;
		if (reading->time == instance->begin) {
			first = reading->value;
			has_first = true;
		} else if (reading->time == instance->end && !has_last) {
			last = reading->value;
			has_last = true;
		}
	}
	if (!has_first || !has_last || last < first)
		return;
	counter->instances++;
	counter->sum += last - first;
	for (size_t i = 0; i < place->count && last > first; i++) {
		const struct counter_reading *reading = &place->readings[i];

		if (reading->counter == number && reading->time > instance->begin && reading->time < instance->end)
			fathom_fit_points_add(&counter->points, (double)(reading->time - instance->begin) / length,
					      (reading->value - first) / (last - first));
	}
}

/* Ends the present instance of a location. Readings at its end stay, because the next instance may begin there. */
static void end_instance(struct fold_reading *reading, struct place *place)
{
	const struct fathom_instance *instance = &reading->instances->list[place->next];
	size_t kept = 0;

	if (instance->fold != FATHOM_NO_FOLD)
		for (uint32_t c = 0; c < reading->folds->counter_count; c++)
			add_counter(&reading->folds->folds[instance->fold].counters[c], c, place, instance);
	for (size_t i = 0; i < place->count; i++)
		if (place->readings[i].time >= instance->end)
			place->readings[kept++] = place->readings[i];
	place->count = kept;
	place->next++;
}

static double number_of(OTF2_Type type, OTF2_MetricValue value)
{
	return type == OTF2_TYPE_DOUBLE ? value.floating_point :
	       type == OTF2_TYPE_INT64 ? (double)value.signed_int : (double)value.unsigned_int;
}

static void take_metric(struct fold_reading *reading, struct place *place, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_defs *defs = &reading->folds->trace->defs;
	const struct fathom_otf2_metric *metric = fathom_otf2_find(defs, FATHOM_OTF2_METRIC, event->ref);
	const OTF2_Type *types = event->types;

	if (metric && metric->of_class >= 0)
		metric = fathom_otf2_at(defs, FATHOM_OTF2_METRIC, (uint64_t)metric->of_class);
	if (!metric || metric->count != event->count)
		return;
	for (uint32_t m = 0; m < metric->count; m++) {
		int64_t member = fathom_otf2_index(defs, FATHOM_OTF2_MEMBER, metric->members[m]);

		if (member < 0 || reading->counters[member] < 0)
			continue;
		place->readings = fathom_tool_grow(place->readings, place->count, &place->room,
						   sizeof(*place->readings));
		place->readings[place->count++] = (struct counter_reading){
			event->time, (uint32_t)reading->counters[member], number_of(types[m], event->values[m]) *
			reading->folds->counters[reading->counters[member]].factor,
		};
	}
}

/* --- samples ------------------------------------------------------------------------------------------ */

/* Adds a sample to the fold of the present instance. Only samples of time say how long code runs. */
static void take_sample(struct fold_reading *reading, const struct fathom_instance *instance,
			const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_defs *defs = &reading->folds->trace->defs;
	const struct fathom_otf2_plain *generator = fathom_otf2_find(defs, FATHOM_OTF2_GENERATOR, event->other);
	const struct fathom_otf2_plain *context = fathom_otf2_find(defs, FATHOM_OTF2_CONTEXT, event->ref), *source;
	int64_t region = fathom_otf2_event_region(defs, event);
	struct fathom_fold *fold;
	struct fathom_folded_place *place;
	uint32_t line;
	double x;

	if (instance->fold == FATHOM_NO_FOLD || event->time < instance->begin || event->time >= instance->end ||
	    region < 0 || !context || !generator || generator->number != OTF2_INTERRUPT_GENERATOR_MODE_TIME)
		return;
	fold = &reading->folds->folds[instance->fold];
	source = fathom_otf2_find(defs, FATHOM_OTF2_SOURCE, context->other);
	line = source ? source->number : 0;
	place = fathom_table_find(&fold->place_table, (uint64_t)region, line, 0);
	if (!place) {
		place = fathom_table_add(&fold->place_table, (uint64_t)region, line, 0);
		place->file = source ? source->other : UINT32_MAX;
	}
	x = (double)(event->time - instance->begin) / (double)(instance->end - instance->begin);
	place->samples[(size_t)(x * FATHOM_FOLD_COLUMNS)]++;
	place->total++;
	fold->samples++;
}

/* --- all of it ---------------------------------------------------------------------------------------- */

static bool take_event(void *taker, const struct fathom_otf2_event *event)
{
	struct fold_reading *reading = taker;
	struct place *place = &reading->places[event->location];
	const struct fathom_instance *list = reading->instances->list;

	fathom_progress_set(reading->events++);
	while (place->next < place->end && event->time > list[place->next].end)
		end_instance(reading, place);
	if (place->next >= place->end)
		return true;
	/* An instance that is left out may be very long; the next one begins at its end at the earliest. */
	if (event->kind == FATHOM_RECORD_METRIC && event->time >= list[place->next].begin &&
	    (list[place->next].fold != FATHOM_NO_FOLD || event->time == list[place->next].end)) {
		take_metric(reading, place, event);
	} else if (event->kind == FATHOM_RECORD_CALLING_CONTEXT_SAMPLE) {
		size_t present = place->next;

		if (event->time == list[present].end && present + 1 < place->end)
			present++;
		take_sample(reading, &list[present], event);
	}
	return true;
}

static void init(struct fold_reading *reading)
{
	const struct fathom_otf2_defs *defs = &reading->folds->trace->defs;
	size_t locations = fathom_otf2_count(defs, FATHOM_OTF2_LOCATION);
	size_t members = fathom_otf2_count(defs, FATHOM_OTF2_MEMBER);

	reading->places = fathom_tool_alloc(locations + 1, sizeof(*reading->places));
	for (size_t i = 0; i < reading->instances->count; i++) {
		struct place *place = &reading->places[reading->instances->list[i].location];

		if (place->end == 0)
			place->next = i;
		place->end = i + 1;
	}
	reading->counters = fathom_tool_alloc(members + 1, sizeof(*reading->counters));
	for (size_t m = 0; m < members; m++) {
		const struct fathom_otf2_typed *member = fathom_otf2_at(defs, FATHOM_OTF2_MEMBER, m);
		const char *name = fathom_otf2_text(defs, member->name);

		/* Processes that count different things have definitions of their own. */
		reading->counters[m] = -1;
		for (uint32_t c = 0; c < reading->folds->counter_count; c++)
			if (member->mode == OTF2_METRIC_ACCUMULATED_START &&
			    strcmp(reading->folds->counters[c].name, name) == 0)
				reading->counters[m] = (int32_t)c;
	}
}

int fathom_folds_read(struct fathom_folds *folds, const struct fathom_instances *instances)
{
	struct fold_reading reading = { .folds = folds, .instances = instances };
	size_t locations = fathom_otf2_count(&folds->trace->defs, FATHOM_OTF2_LOCATION);
	int err;

	init(&reading);
	fathom_progress_begin("reading events", fathom_otf2_event_count(folds->trace));
	err = fathom_otf2_read_events(folds->trace, NULL, take_event, &reading);
	fathom_progress_end();
	if (err)
		fathom_tool_error("%s", folds->trace->error);
	for (size_t l = 0; l < locations; l++) {
		struct place *place = &reading.places[l];

		while (place->next < place->end)
			end_instance(&reading, place);
		free(place->readings);
	}
	free(reading.places);
	free(reading.counters);
	if (!err)
		fathom_folds_finish(folds);
	return err;
}
