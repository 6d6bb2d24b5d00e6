#include "tools/trace/trace_information.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/event_region.h"
#include "otf2/faults.h"
#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/common/number_format.h"

enum { LOCATIONS_SHOWN = 32, REGIONS_SHOWN = 20 };	/* lines of text; JSON has all */

struct place {
	uint64_t events, first, last;
};

struct region_count {
	uint64_t index, events;
};

struct information {
	const struct fathom_otf2_archive *trace;
	uint64_t kinds[FATHOM_RECORD_COUNT];
	struct place *places;		/* by location */
	struct region_count *regions;	/* by index, then sorted by number of events */
	size_t place_count, region_count;
	uint64_t events, first, last;
};

static bool take_event(void *data, const struct fathom_otf2_event *event)
{
	struct information *information = data;
	struct place *place = &information->places[event->location];
	int64_t index;

	information->kinds[event->kind]++;
	if (information->events++ == 0)
		information->first = event->time;
	if (event->time > information->last)
		information->last = event->time;
	if (place->events++ == 0)
		place->first = event->time;
	place->last = event->time;
	switch (event->kind) {
	case FATHOM_RECORD_CALLING_CONTEXT_ENTER:
	case FATHOM_RECORD_CALLING_CONTEXT_LEAVE:
	case FATHOM_RECORD_ENTER:
	case FATHOM_RECORD_LEAVE:
		index = fathom_otf2_event_region(&information->trace->defs, event);
		if (index >= 0)
			information->regions[index].events++;
		break;
	default: break;
	}
	return true;
}

static int by_events(const void *a, const void *b)
{
	const struct region_count *x = a, *y = b;

	if (x->events != y->events)
		return x->events > y->events ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static double seconds_from_begin(const struct information *information, uint64_t time)
{
	const struct fathom_otf2_defs *defs = &information->trace->defs;

	return fathom_otf2_seconds(defs, (double)(int64_t)(time - defs->offset));
}

static uint32_t process_count(const struct fathom_otf2_defs *defs)
{
	uint32_t i, count = 0;

	for (i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_PROCESS); i++) {
		const struct fathom_otf2_process *process = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, i);

		count += process->type == OTF2_LOCATION_GROUP_TYPE_PROCESS;
	}
	return count;
}

/* Writes the names of a location and of its process. */
static void name_location(const struct fathom_otf2_defs *defs, const struct fathom_otf2_location *location,
			  char *process, char *name, size_t bytes)
{
	const struct fathom_otf2_process *its;

	snprintf(process, bytes, "no process");
	if (location->process != UINT32_MAX) {
		its = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, location->process);
		snprintf(process, bytes, "%s", fathom_otf2_text(defs, its->name));
	}
	snprintf(name, bytes, "%s", fathom_otf2_text(defs, location->name));
	fathom_fault_tame(process);
	fathom_fault_tame(name);
}

/* --- text ----------------------------------------------------------------------------------------------- */

static void print_clocks(const struct information *information)
{
	const struct fathom_otf2_defs *defs = &information->trace->defs;
	char text[FATHOM_NUMBER_BYTES];
	int64_t most = 0;
	size_t i, corrected = 0;

	for (i = 0; i < information->place_count; i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, i);

		corrected += location->offset_count > 0;
		if (location->offset_count && llabs(location->first_offset) > most)
			most = llabs(location->first_offset);
		if (location->offset_count && llabs(location->last_offset) > most)
			most = llabs(location->last_offset);
	}
	if (corrected)
		printf("clocks       %zu of %zu locations have clock offsets, by %s at most\n", corrected,
		       information->place_count, fathom_number_seconds(text, fathom_otf2_seconds(defs, (double)most)));
	else
		printf("clocks       no location has clock offsets\n");
}

static void print_head(const struct information *information)
{
	const struct fathom_otf2_archive *trace = information->trace;
	const struct fathom_otf2_defs *defs = &trace->defs;
	char text[FATHOM_NUMBER_BYTES], more[FATHOM_NUMBER_BYTES];
	uint32_t i, processes = process_count(defs);
	char line[300];

	printf("trace        %s\n", trace->anchor);
	snprintf(line, sizeof(line), "%s", trace->creator);
	fathom_fault_tame(line);
	printf("made by      %s, OTF2 %u.%u.%u\n", *line ? line : "an unknown program", trace->version[0],
	       trace->version[1], trace->version[2]);
	printf("ranks        %u\n", processes);
	printf("locations    %zu\n", information->place_count);
	printf("time         %s, in ticks of ", fathom_number_seconds(text, fathom_otf2_seconds(defs,
											       (double)defs->length)));
	printf("%.4g ns\n", defs->resolution ? 1e9 / (double)defs->resolution : 0);
	if (information->events)
		printf("events       %" PRIu64 ", from %.9f to %.9f s\n", information->events,
		       seconds_from_begin(information, information->first),
		       seconds_from_begin(information, information->last));
	else
		printf("events       none\n");
	printf("files        %s of events, %s of definitions\n", fathom_number_bytes(text, (double)trace->event_bytes),
	       fathom_number_bytes(more, (double)trace->definition_bytes));
	print_clocks(information);
	for (i = 0; i < trace->property_count; i++) {
		snprintf(line, sizeof(line), "%s = %s", trace->properties[i].name, trace->properties[i].value);
		fathom_fault_tame(line);
		printf("%s%s\n", i ? "             " : "properties   ", line);
	}
}

static void print_locations(const struct information *information)
{
	const struct fathom_otf2_defs *defs = &information->trace->defs;
	char text[FATHOM_NUMBER_BYTES], process[200], name[200];
	size_t i;

	printf("\n%12s %10s %14s %14s  location\n", "events", "bytes", "first s", "last s");
	for (i = 0; i < information->place_count && i < LOCATIONS_SHOWN; i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, i);
		const struct place *place = &information->places[i];

		name_location(defs, location, process, name, sizeof(name));
		printf("%12" PRIu64 " %10s ", place->events, fathom_number_bytes(text, (double)location->event_bytes));
		if (place->events)
			printf("%14.6f %14.6f", seconds_from_begin(information, place->first),
			       seconds_from_begin(information, place->last));
		else
			printf("%14s %14s", "-", "-");
		printf("  %s, %s\n", process, name);
	}
	if (information->place_count > LOCATIONS_SHOWN)
		printf("... and %zu more locations (--json has all)\n", information->place_count - LOCATIONS_SHOWN);
}

static int by_order(const void *a, const void *b)
{
	uint32_t x = fathom_otf2_record_order(*(const enum fathom_record *)a);
	uint32_t y = fathom_otf2_record_order(*(const enum fathom_record *)b);

	return x < y ? -1 : x > y;
}

/* Sets kinds to the records that occur, in the order of listings. Returns their number. */
static size_t kinds_found(const struct information *information, enum fathom_record kinds[FATHOM_RECORD_COUNT])
{
	size_t count = 0;
	unsigned kind;

	for (kind = 0; kind < FATHOM_RECORD_COUNT; kind++)
		if (information->kinds[kind])
			kinds[count++] = (enum fathom_record)kind;
	qsort(kinds, count, sizeof(kinds[0]), by_order);
	return count;
}

static void print_kinds(const struct information *information)
{
	enum fathom_record kinds[FATHOM_RECORD_COUNT];
	size_t count = kinds_found(information, kinds), i;

	printf("\n%12s  record\n", "number");
	for (i = 0; i < count; i++)
		printf("%12" PRIu64 "  %s\n", information->kinds[kinds[i]], fathom_otf2_records[kinds[i]].name);
}

static void print_regions(const struct information *information)
{
	const struct fathom_otf2_defs *defs = &information->trace->defs;
	char name[300];
	size_t i;

	printf("\n%12s %8s  region\n", "events", "share");
	for (i = 0; i < information->region_count && information->regions[i].events; i++) {
		const struct fathom_otf2_region *region = fathom_otf2_at(defs, FATHOM_OTF2_REGION,
									 information->regions[i].index);

		if (i == REGIONS_SHOWN) {
			printf("... and more regions (--json has all)\n");
			break;
		}
		fathom_otf2_name(defs, FATHOM_OTF2_REGION, region->id, name, sizeof(name));
		fathom_fault_tame(name);
		printf("%12" PRIu64 " %7.2f%%  %s\n", information->regions[i].events,
		       100.0 * (double)information->regions[i].events / (double)information->events, name);
	}
}

/* --- JSON ----------------------------------------------------------------------------------------------- */

static void print_json_lists(const struct information *information)
{
	const struct fathom_otf2_defs *defs = &information->trace->defs;
	char process[200], name[200];
	size_t i;

	fathom_json_begin_list("locations");
	for (i = 0; i < information->place_count; i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, i);
		const struct place *place = &information->places[i];
		json_t *object = json_object();

		name_location(defs, location, process, name, sizeof(name));
		json_object_set_new(object, "id", json_integer((json_int_t)location->id));
		fathom_json_set_text(object, "process", process);
		fathom_json_set_text(object, "name", name);
		fathom_json_set_number(object, "events", (double)place->events);
		fathom_json_set_number(object, "bytes", (double)location->event_bytes);
		fathom_json_set_known(object, "first_seconds", place->events, seconds_from_begin(information,
												 place->first));
		fathom_json_set_known(object, "last_seconds", place->events, seconds_from_begin(information,
												place->last));
		fathom_json_set_number(object, "clock_offsets", location->offset_count);
		fathom_json_set_known(object, "first_clock_offset_seconds", location->offset_count,
				      fathom_otf2_seconds(defs, (double)location->first_offset));
		fathom_json_set_known(object, "last_clock_offset_seconds", location->offset_count,
				      fathom_otf2_seconds(defs, (double)location->last_offset));
		fathom_json_item(i == 0, object);
	}
	fathom_json_end_list();
	fathom_json_begin_list("regions");
	for (i = 0; i < information->region_count && information->regions[i].events; i++) {
		const struct fathom_otf2_region *region = fathom_otf2_at(defs, FATHOM_OTF2_REGION,
									 information->regions[i].index);
		json_t *object = json_object();

		fathom_json_set_text(object, "name", fathom_otf2_text(defs, region->name));
		fathom_json_set_number(object, "events", (double)information->regions[i].events);
		fathom_json_item(i == 0, object);
	}
	fathom_json_end_list();
}

static void print_json(const struct information *information)
{
	const struct fathom_otf2_archive *trace = information->trace;
	const struct fathom_otf2_defs *defs = &trace->defs;
	enum fathom_record kinds[FATHOM_RECORD_COUNT];
	size_t count = kinds_found(information, kinds), i;
	json_t *object = json_object();

	printf("{\n\"fathom_trace\": 1");
	fathom_json_member("file", fathom_json_text(trace->anchor));
	fathom_json_member("creator", fathom_json_text(trace->creator));
	fathom_json_member("ranks", json_integer(process_count(defs)));
	fathom_json_member("location_count", json_integer((json_int_t)information->place_count));
	fathom_json_member("events", json_integer((json_int_t)information->events));
	fathom_json_member("seconds", fathom_json_number(fathom_otf2_seconds(defs, (double)defs->length)));
	fathom_json_member("ticks_per_second", json_integer((json_int_t)defs->resolution));
	fathom_json_member("event_bytes", json_integer((json_int_t)trace->event_bytes));
	fathom_json_member("definition_bytes", json_integer((json_int_t)trace->definition_bytes));
	for (i = 0; i < trace->property_count; i++)
		fathom_json_set_text(object, trace->properties[i].name, trace->properties[i].value);
	fathom_json_member("properties", object);
	object = json_object();
	for (i = 0; i < count; i++)
		json_object_set_new(object, fathom_otf2_records[kinds[i]].name,
				    json_integer((json_int_t)information->kinds[kinds[i]]));
	fathom_json_member("events_by_kind", object);
	print_json_lists(information);
	printf("\n}\n");
}

int fathom_trace_information_print(struct fathom_otf2_archive *trace, bool json)
{
	struct information information = { .trace = trace };
	size_t i;
	int err;

	information.place_count = fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION);
	information.region_count = fathom_otf2_count(&trace->defs, FATHOM_OTF2_REGION);
	information.places = fathom_tool_alloc(information.place_count, sizeof(struct place));
	information.regions = fathom_tool_alloc(information.region_count, sizeof(struct region_count));
	for (i = 0; i < information.region_count; i++)
		information.regions[i].index = i;
	err = fathom_otf2_read_events(trace, NULL, take_event, &information);
	qsort(information.regions, information.region_count, sizeof(struct region_count), by_events);
	if (err) {
		fathom_tool_error("%s", trace->error);
	} else if (json) {
		print_json(&information);
	} else {
		print_head(&information);
		print_locations(&information);
		print_kinds(&information);
		print_regions(&information);
	}
	free(information.places);
	free(information.regions);
	return err;
}
