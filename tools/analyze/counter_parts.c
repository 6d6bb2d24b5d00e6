#include "otf2/memory.h"
#include "tools/analyze/extraction.h"
#include "tools/analyze/wait_search.h"

/* A counter of a location: its last value, and when it was read. */
struct reading {
	struct fathom_table_entry entry;	/* location, index of the member */
	double last;
	uint64_t time;
};

/* The part of a counter that belongs to a call path of a location. */
struct amount {
	struct fathom_table_entry entry;	/* location, call path, index of the member */
	double value;
};

void fathom_counters_init(struct fathom_counters *counters)
{
	fathom_table_init(&counters->readings, sizeof(struct reading));
	fathom_table_init(&counters->amounts, sizeof(struct amount));
}

void fathom_counters_fini(struct fathom_counters *counters)
{
	fathom_table_fini(&counters->readings);
	fathom_table_fini(&counters->amounts);
}

static double number_of(OTF2_Type type, OTF2_MetricValue value)
{
	return type == OTF2_TYPE_DOUBLE ? value.floating_point :
	       type == OTF2_TYPE_INT64 ? (double)value.signed_int : (double)value.unsigned_int;
}

/* Returns how much a counter has grown since the last value of the location; 0 at the first value, because counters of
 * the kernel do not begin at 0. *path becomes the call path of the time without measurement if measurement was off in
 * between. */
static double growth(struct fathom_extraction *extraction, const struct fathom_otf2_event *event, uint64_t member,
		     double value, uint32_t *path)
{
	const struct fathom_extraction_location *location = &extraction->locations[event->location];
	struct fathom_table *readings = &extraction->counters.readings;
	struct reading *reading = fathom_table_find(readings, event->location, member, 0);
	double since;

	if (!reading) {
		reading = fathom_table_add(readings, event->location, member, 0);
		reading->last = value;
		reading->time = event->time;
	}
	if (reading->time < location->on_since)
		*path = location->off_path;
	since = value - reading->last;
	reading->last = value;
	reading->time = event->time;
	return since;
}

void fathom_extraction_counters(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_counters *counters = &extraction->counters;
	const struct fathom_otf2_defs *defs = &extraction->trace->defs;
	const struct fathom_otf2_metric *metric = fathom_otf2_find(defs, FATHOM_OTF2_METRIC, event->ref);
	const OTF2_Type *types = event->types;
	unsigned m;

	if (metric && metric->of_class >= 0)
		metric = fathom_otf2_at(defs, FATHOM_OTF2_METRIC, (uint64_t)metric->of_class);
	if (!metric || metric->count != event->count)
		return;
	for (m = 0; m < metric->count; m++) {
		int64_t index = fathom_otf2_index(defs, FATHOM_OTF2_MEMBER, metric->members[m]);
		const struct fathom_otf2_typed *member;
		uint32_t path = fathom_extraction_path(extraction, event->location);
		struct amount *amount;
		double value;

		if (index < 0)
			continue;
		member = fathom_otf2_at(defs, FATHOM_OTF2_MEMBER, (uint64_t)index);
		value = number_of(types[m], event->values[m]);
		if (member->mode == OTF2_METRIC_ACCUMULATED_START)
			value = growth(extraction, event, (uint64_t)index, value, &path);
		else if (member->mode != OTF2_METRIC_RELATIVE_POINT)
			continue;
		if (path == FATHOM_NO_CALL_PATH || value == 0)
			continue;
		amount = fathom_table_find(&counters->amounts, event->location, path, (uint64_t)index);
		if (!amount)
			amount = fathom_table_add(&counters->amounts, event->location, path, (uint64_t)index);
		amount->value += value;
	}
}

void fathom_counters_give(const struct fathom_counters *counters, struct fathom_wait_values *values)
{
	const struct amount *amount = NULL;

	while ((amount = fathom_table_next(&counters->amounts, amount)))
		fathom_wait_values_add(values, &(struct fathom_wait_value){
			.location = (uint32_t)amount->entry.key[0],
			.path = (uint32_t)amount->entry.key[1],
			.pattern = FATHOM_COUNTER_PATTERN + (uint32_t)amount->entry.key[2],
			.value = amount->value,
		});
}
