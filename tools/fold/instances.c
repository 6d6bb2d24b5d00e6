#include "tools/fold/instances.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgraphs/graph_trace.h"
#include "otf2/event_region.h"
#include "tools/clusters/burst_data.h"
#include "tools/clusters/clustering.h"
#include "tools/common/command.h"

enum { MOST_BURSTS = 4000000 };

static void add(struct fathom_instances *instances, const struct fathom_instance *instance)
{
	instances->list = fathom_tool_grow(instances->list, instances->count, &instances->room,
					   sizeof(*instances->list));
	instances->list[instances->count++] = *instance;
}

static int by_place(const void *a, const void *b)
{
	const struct fathom_instance *x = a, *y = b;

	if (x->location != y->location)
		return x->location < y->location ? -1 : 1;
	return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static char *copy_text(const char *text)
{
	char *copy = fathom_tool_alloc(strlen(text) + 1, 1);

	return strcpy(copy, text);
}

void fathom_instances_fini(struct fathom_instances *instances)
{
	for (uint32_t s = 0; s < instances->subject_count; s++)
		free(instances->names[s]);
	free(instances->names);
	free(instances->list);
	*instances = (struct fathom_instances){ 0 };
}

/* --- visits of a region ------------------------------------------------------------------------------- */

struct open_visit {		/* of a location */
	uint64_t begin;
	uint64_t depth;		/* how often the region is open */
};

struct visit_search {
	struct fathom_instances *instances;
	const struct fathom_otf2_defs *defs;
	bool *is_wanted;	/* by index of region */
	struct open_visit *visits;	/* by location */
};

static bool take_event(void *taker, const struct fathom_otf2_event *event)
{
	struct visit_search *search = taker;
	struct open_visit *visit = &search->visits[event->location];
	bool is_enter = event->kind == FATHOM_RECORD_ENTER || event->kind == FATHOM_RECORD_CALLING_CONTEXT_ENTER;
	int64_t region;

	if (!is_enter && event->kind != FATHOM_RECORD_LEAVE && event->kind != FATHOM_RECORD_CALLING_CONTEXT_LEAVE)
		return true;
	region = fathom_otf2_event_region(search->defs, event);
	if (region < 0 || !search->is_wanted[region])
		return true;
	if (is_enter) {
		if (visit->depth++ == 0)
			visit->begin = event->time;
	} else if (visit->depth > 0 && --visit->depth == 0 && event->time > visit->begin) {
		add(search->instances, &(struct fathom_instance){
			visit->begin, event->time, event->location, 0, FATHOM_NO_FOLD });
	}
	return true;
}

/* Marks the regions with a name. Returns whether there are any. */
static bool mark_regions(struct visit_search *search, const char *name)
{
	size_t count = fathom_otf2_count(search->defs, FATHOM_OTF2_REGION);
	bool is_known = false;

	search->is_wanted = fathom_tool_alloc(count + 1, sizeof(bool));
	for (size_t r = 0; r < count; r++) {
		const struct fathom_otf2_region *region = fathom_otf2_at(search->defs, FATHOM_OTF2_REGION, r);

		search->is_wanted[r] = strcmp(fathom_otf2_text(search->defs, region->name), name) == 0;
		is_known |= search->is_wanted[r];
	}
	return is_known;
}

int fathom_instances_of_region(struct fathom_instances *instances, const char *anchor, const char *region)
{
	struct fathom_otf2_archive trace;
	struct visit_search search = { .instances = instances, .defs = &trace.defs };
	int err = fathom_trace_open(&trace, anchor);

	*instances = (struct fathom_instances){ .subject_count = 1 };
	instances->names = fathom_tool_alloc(1, sizeof(*instances->names));
	instances->names[0] = copy_text(region);
	if (!err)
		err = fathom_otf2_read_definitions(&trace, NULL);
	if (err) {
		fathom_tool_error("%s", trace.error);
	} else if (!mark_regions(&search, region)) {
		fathom_tool_error("--region %s: the trace has no region of that name (fathom trace --info lists them)",
				  region);
		err = -ENOENT;
	} else {
		search.visits = fathom_tool_alloc(fathom_otf2_count(&trace.defs, FATHOM_OTF2_LOCATION) + 1,
						  sizeof(*search.visits));
		err = fathom_otf2_read_events(&trace, NULL, take_event, &search);
		if (err)
			fathom_tool_error("%s", trace.error);
	}
	if (!err && instances->count)
		qsort(instances->list, instances->count, sizeof(*instances->list), by_place);
	free(search.is_wanted);
	free(search.visits);
	fathom_otf2_close(&trace);
	return err;
}

/* --- bursts of kinds ---------------------------------------------------------------------------------- */

/* Returns the name of a kind: its number, and the call path with most of its time. The caller frees it. */
static char *name_of(const struct fathom_clustering *clustering, uint32_t kind)
{
	const struct fathom_cluster *cluster = &clustering->clusters[kind];
	char path[1024] = "", name[1200];

	if (cluster->place_count)
		fathom_burst_path_text(&clustering->data->extraction, cluster->places[0].path, path, sizeof(path));
	snprintf(name, sizeof(name), "kind %u%s%s", kind, *path ? ": " : "", path);
	return copy_text(name);
}

static void take_bursts(struct fathom_instances *instances, const struct fathom_clustering *clustering, uint32_t kind,
			uint32_t top)
{
	const struct fathom_burst_list *list = &clustering->data->list;

	instances->subject_count = clustering->count + 1;
	instances->names = fathom_tool_alloc(instances->subject_count, sizeof(*instances->names));
	for (uint32_t k = 1; k <= clustering->count; k++)
		if (kind ? k == kind : k <= top)
			instances->names[k] = name_of(clustering, k);
	for (size_t i = 0; i < list->count; i++) {
		uint32_t number = clustering->numbers[i];

		if (number <= clustering->count && instances->names[number])
			add(instances, &(struct fathom_instance){ list->bursts[i].begin, list->bursts[i].end,
								  list->bursts[i].location, number, FATHOM_NO_FOLD });
	}
}

int fathom_instances_of_kinds(struct fathom_instances *instances, const char *anchor,
			      const struct fathom_cluster_choice *choice, uint32_t kind, uint32_t top)
{
	static struct fathom_burst_data data;
	static struct fathom_clustering clustering;
	int err = fathom_burst_data_read(&data, anchor, MOST_BURSTS);

	*instances = (struct fathom_instances){ 0 };
	if (!err)
		err = fathom_clustering_make(&clustering, &data, choice);
	if (!err && kind > clustering.count) {
		fathom_tool_error("--kind %u: the bursts of the trace are of %u kind%s (fathom clusters)", kind,
				  clustering.count, clustering.count == 1 ? "" : "s");
		err = -ENOENT;
	}
	if (!err)
		take_bursts(instances, &clustering, kind, top);
	fathom_clustering_fini(&clustering);
	fathom_burst_data_fini(&data);
	return err;
}
