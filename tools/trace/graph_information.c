#include "tools/trace/graph_information.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "callgraphs/graph_file.h"
#include "callgraphs/graph_statistics.h"
#include "otf2/faults.h"
#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/common/number_format.h"
#include "tools/trace/trace_options.h"

enum { REGIONS_SHOWN = 20 };	/* lines of text; JSON has all */

struct information {
	const char *path;
	struct fathom_call_graph graph;
	struct fathom_otf2_archive clock;	/* the clock of the trace only */
	struct fathom_time_window window;
	struct fathom_graph_statistics statistics;
	uint64_t file_bytes, events;
};

/* Returns the field of the definition of that kind and id; OTF2_UNDEFINED_STRING: there is none. */
static uint64_t field_of(const struct fathom_call_graph *graph, enum fathom_definition_kind kind, uint64_t id,
			 int field)
{
	for (size_t i = 0; i < graph->definitions.count; i++) {
		const struct fathom_definition *record = &graph->definitions.records[i];

		if (record->kind == kind && record->fields[0] == id)
			return record->fields[field];
	}
	return OTF2_UNDEFINED_STRING;
}

/* Writes the name of a region to text. */
static const char *name_region(const struct information *information, uint64_t region, char *text, size_t bytes)
{
	uint64_t name = field_of(&information->graph, FATHOM_DEFINITION_REGION, region, 1);

	snprintf(text, bytes, "region %" PRIu64, region);
	for (size_t i = 0; i < information->graph.definitions.count; i++) {
		const struct fathom_definition *record = &information->graph.definitions.records[i];

		if (record->kind == FATHOM_DEFINITION_STRING && record->fields[0] == name && *record->text)
			snprintf(text, bytes, "%s", record->text);
	}
	fathom_fault_tame(text);
	return text;
}

/* Returns the number of nodes that are calls. */
static size_t different_calls(const struct information *information)
{
	return information->graph.call_count;
}

static double seconds(const struct information *information, uint64_t ticks)
{
	return fathom_otf2_seconds(&information->clock.defs, (double)ticks);
}

static void print_text(const struct information *information)
{
	const struct fathom_call_graph *graph = &information->graph;
	char text[FATHOM_NUMBER_BYTES], other[FATHOM_NUMBER_BYTES], name[256];

	printf("call graphs  %s\n", information->path);
	printf("locations    %zu\n", graph->location_count);
	printf("events       %" PRIu64 ", in %s; the files of events had %s\n", information->events,
	       fathom_number_bytes(text, (double)information->file_bytes),
	       fathom_number_bytes(other, (double)graph->event_bytes));
	printf("calls        %zu different ones, %zu different records\n", different_calls(information),
	       graph->record_count - 1);
	if (graph->bounds.ticks)
		printf("deviation    %" PRIu64 " ticks at most; %" PRIu64 " were allowed\n", graph->bounds.most,
		       graph->bounds.ticks);
	else if (graph->bounds.share > 0)
		printf("deviation    %g %% of each time between two events at most; %" PRIu64 " ticks of times\n",
		       100 * graph->bounds.share, graph->bounds.most);
	printf("\n%12s  %10s  %10s  region\n", "visits", "exclusive", "inclusive");
	for (size_t i = 0; i < information->statistics.count && i < REGIONS_SHOWN; i++) {
		const struct fathom_region_statistics *region = &information->statistics.regions[i];

		fathom_number_seconds(text, seconds(information, region->exclusive));
		fathom_number_seconds(other, seconds(information, region->inclusive));
		printf("%12" PRIu64 "  %10s  %10s  %s\n", region->visits, text, other,
		       name_region(information, region->region, name, sizeof(name)));
	}
	if (information->statistics.count > REGIONS_SHOWN)
		printf("%12zu more regions (--json shows all)\n", information->statistics.count - REGIONS_SHOWN);
}

static void print_json(const struct information *information)
{
	const struct fathom_call_graph *graph = &information->graph;
	char name[1024];

	printf("{\n\"fathom_call_graphs\": 1");
	fathom_json_member("file", fathom_json_text(information->path));
	fathom_json_member("location_count", fathom_json_number((double)graph->location_count));
	fathom_json_member("events", fathom_json_number((double)information->events));
	fathom_json_member("bytes", fathom_json_number((double)information->file_bytes));
	fathom_json_member("event_bytes", fathom_json_number((double)graph->event_bytes));
	fathom_json_member("different_calls", fathom_json_number((double)different_calls(information)));
	fathom_json_member("allowed_ticks", fathom_json_number((double)graph->bounds.ticks));
	fathom_json_member("allowed_share", fathom_json_number(graph->bounds.share));
	fathom_json_member("deviation_ticks", fathom_json_number((double)graph->bounds.most));
	fathom_json_begin_list("regions");
	for (size_t i = 0; i < information->statistics.count; i++) {
		const struct fathom_region_statistics *region = &information->statistics.regions[i];
		json_t *object = json_object();

		fathom_json_set_text(object, "name", name_region(information, region->region, name, sizeof(name)));
		fathom_json_set_number(object, "visits", (double)region->visits);
		fathom_json_set_number(object, "exclusive_seconds", seconds(information, region->exclusive));
		fathom_json_set_number(object, "inclusive_seconds", seconds(information, region->inclusive));
		fathom_json_item(i == 0, object);
	}
	fathom_json_end_list();
	printf("\n}\n");
}

/* Finds the clock of the trace and the window. */
static int find_window(struct information *information, const char *cut)
{
	struct fathom_otf2_defs *defs = &information->clock.defs;
	const struct fathom_definition_list *list = &information->graph.definitions;
	int err;

	for (size_t i = 0; i < list->count; i++)
		if (list->records[i].kind == FATHOM_DEFINITION_CLOCK) {
			defs->resolution = list->records[i].fields[FATHOM_CLOCK_RESOLUTION];
			defs->offset = list->records[i].fields[FATHOM_CLOCK_OFFSET];
			defs->length = list->records[i].fields[FATHOM_CLOCK_LENGTH];
		}
	if (cut && strrchr(cut, '#')) {
		fathom_tool_error("--cut %s: of call graphs, only a window FROM:TO in seconds can be shown", cut);
		return -EINVAL;
	}
	err = fathom_trace_options_window(&information->window, cut, &information->clock);
	/* The end of the trace belongs to a window that reaches it. */
	if (!err && information->window.to == defs->offset + defs->length)
		information->window.to = UINT64_MAX;
	return err;
}

int fathom_graph_information_print(const char *path, const char *cut, bool is_json)
{
	struct information information = { .path = path };
	struct stat status;
	const char *reason;
	int err = fathom_graph_file_read(&information.graph, path, &reason);

	if (err)
		fathom_tool_error("%s: %s", path, reason);
	else
		err = find_window(&information, cut);
	if (!err) {
		information.file_bytes = stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
		for (size_t i = 0; i < information.graph.location_count; i++)
			information.events += information.graph.locations[i].events;
		fathom_graph_statistics_make(&information.statistics, &information.graph, information.window.from,
					     information.window.to);
		if (is_json)
			print_json(&information);
		else
			print_text(&information);
	}
	free(information.statistics.regions);
	fathom_call_graph_free(&information.graph);
	return err;
}
