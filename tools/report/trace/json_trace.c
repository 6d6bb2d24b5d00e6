#include "tools/report/trace/json_trace.h"

#include <stdio.h>
#include <string.h>

#include "tools/common/json_writer.h"

enum { DOCUMENT = 1 };		/* version of the document's structure */

static json_t *head(const struct fathom_trace_summary *summary)
{
	const struct fathom_otf2_archive *trace = summary->trace;
	json_t *object = json_object();
	char version[32];

	snprintf(version, sizeof(version), "%u.%u.%u", trace->version[0], trace->version[1], trace->version[2]);
	fathom_json_set_text(object, "file", trace->anchor);
	fathom_json_set_text(object, "command", summary->command);
	fathom_json_set_text(object, "creator", trace->creator);
	json_object_set_new(object, "otf2", trace->source ? json_null() : fathom_json_text(version));
	fathom_json_set_number(object, "processes", (double)fathom_otf2_count(&trace->defs, FATHOM_OTF2_PROCESS));
	fathom_json_set_number(object, "locations", (double)fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION));
	fathom_json_set_known(object, "duration", trace->defs.clocks,
			      fathom_otf2_seconds(&trace->defs, (double)trace->defs.length));
	fathom_json_set_known(object, "begin", trace->defs.realtime != OTF2_UNDEFINED_TIMESTAMP,
			      (double)trace->defs.realtime * 1e-9);
	fathom_json_set_number(object, "ticks_per_second", (double)trace->defs.resolution);
	fathom_json_set_number(object, "events", (double)summary->events);
	fathom_json_set_number(object, "event_bytes", (double)trace->event_bytes);
	fathom_json_set_number(object, "definition_bytes", (double)trace->definition_bytes);
	fathom_json_set_number(object, "flushes", (double)summary->kinds[FATHOM_RECORD_BUFFER_FLUSH]);
	fathom_json_set_number(object, "flush_seconds", fathom_otf2_seconds(&trace->defs,
									    (double)summary->flush_ticks));
	fathom_json_set_number(object, "off_seconds", fathom_otf2_seconds(&trace->defs, (double)summary->off_ticks));
	fathom_json_set_number(object, "time", fathom_otf2_seconds(&trace->defs, (double)summary->own_ticks));
	fathom_json_set_number(object, "one_sided_bytes", (double)summary->rma_bytes);
	fathom_json_set_number(object, "io_bytes_read", (double)summary->io_bytes_read);
	fathom_json_set_number(object, "io_bytes_written", (double)summary->io_bytes_written);
	return object;
}

static json_t *properties(const struct fathom_otf2_archive *trace)
{
	json_t *object = json_object();
	uint32_t i;

	for (i = 0; i < trace->property_count; i++)
		fathom_json_set_text(object, trace->properties[i].name, trace->properties[i].value);
	return object;
}

static json_t *kinds(const struct fathom_trace_summary *summary)
{
	json_t *object = json_object();
	unsigned k;

	for (k = 0; k < FATHOM_RECORD_COUNT; k++)
		if (summary->kinds[k])
			fathom_json_set_number(object, fathom_otf2_records[k].name, (double)summary->kinds[k]);
	return object;
}

static void put_locations(const struct fathom_trace_summary *summary)
{
	const struct fathom_otf2_defs *defs = &summary->trace->defs;
	char name[512];
	size_t i;

	fathom_json_begin_list("locations");
	for (i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_LOCATION); i++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, i);
		const struct fathom_otf2_process *process = location->process == UINT32_MAX ? NULL :
			fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, location->process);
		json_t *object = json_object();

		json_object_set_new(object, "id", json_integer((json_int_t)location->id));
		fathom_json_set_text(object, "name", fathom_otf2_name(defs, FATHOM_OTF2_LOCATION, location->id, name,
								      sizeof(name)));
		if (process)
			fathom_json_set_text(object, "process", fathom_otf2_name(defs, FATHOM_OTF2_PROCESS,
										 process->id,
										 name, sizeof(name)));
		fathom_json_set_number(object, "events", (double)summary->location_events[i]);
		fathom_json_item(i == 0, object);
	}
	fathom_json_end_list();
}

static void put_regions(const struct fathom_trace_summary *summary)
{
	const struct fathom_otf2_archive *trace = summary->trace;
	bool first = true;
	size_t i;

	fathom_json_begin_list("regions");
	for (i = 0; i < fathom_trace_summary_region_count(summary); i++) {
		struct fathom_cube_region words = fathom_trace_summary_region(summary, i);
		json_t *object;

		if (!summary->regions[i].visits && !summary->regions[i].own_ticks && !summary->regions[i].samples)
			continue;
		object = json_object();
		fathom_json_set_text(object, "name", words.name);
		fathom_json_set_text(object, "canonical", words.mangled);
		fathom_json_set_text(object, "file", words.file);
		fathom_json_set_known(object, "line", words.begin_line > 0, words.begin_line);
		fathom_json_set_text(object, "paradigm", words.paradigm);
		fathom_json_set_text(object, "role", words.role);
		fathom_json_set_number(object, "visits", (double)summary->regions[i].visits);
		fathom_json_set_number(object, "own_time",
				       fathom_otf2_seconds(&trace->defs, (double)summary->regions[i].own_ticks));
		if (summary->samples)
			fathom_json_set_number(object, "samples", (double)summary->regions[i].samples);
		fathom_json_item(first, object);
		first = false;
	}
	fathom_json_end_list();
}

static void put_comms(const struct fathom_trace_summary *summary)
{
	struct fathom_otf2_defs *defs = &summary->trace->defs;
	bool first = true;
	char name[512];
	size_t i;

	fathom_json_begin_list("communicators");
	for (i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_COMM); i++) {
		const struct fathom_otf2_comm *comm = fathom_otf2_at(defs, FATHOM_OTF2_COMM, i);
		const struct fathom_otf2_comm_sum *sum = &summary->comms[i];
		json_t *object;

		if (!sum->messages && !sum->collectives)
			continue;
		object = json_object();
		fathom_json_set_text(object, "name", fathom_otf2_name(defs, FATHOM_OTF2_COMM, comm->id, name,
								      sizeof(name)));
		fathom_json_set_number(object, "members", fathom_otf2_comm_size(defs, comm));
		fathom_json_set_number(object, "messages", (double)sum->messages);
		fathom_json_set_number(object, "bytes", (double)sum->bytes);
		fathom_json_set_number(object, "collectives", (double)sum->collectives);
		fathom_json_set_number(object, "collective_bytes", (double)sum->collective_bytes);
		fathom_json_item(first, object);
		first = false;
	}
	fathom_json_end_list();
}

void fathom_trace_json(const struct fathom_trace_summary *summary)
{
	printf("{\n\"fathom_trace_report\": %d", DOCUMENT);
	fathom_json_member("summary", head(summary));
	fathom_json_member("properties", properties(summary->trace));
	fathom_json_member("events", kinds(summary));
	put_locations(summary);
	put_comms(summary);
	put_regions(summary);
	printf("\n}\n");
}
