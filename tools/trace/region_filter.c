#include "tools/trace/region_filter.h"

#include <stdlib.h>

#include "filter/filter.h"
#include "otf2/event_region.h"
#include "tools/common/command.h"

struct fathom_region_filter {
	struct fathom_filter rules;
	struct fathom_otf2_archive *trace;
	bool wants_rank;
	/* By process, or one for all if no rule wants the rank; by region: 0: not asked yet, 1: kept, 2: excluded. */
	uint8_t **answers;
	size_t process_count;
};

struct fathom_region_filter *fathom_region_filter_create(const char *path, struct fathom_otf2_archive *trace)
{
	struct fathom_region_filter *filter = fathom_tool_alloc(1, sizeof(*filter));
	char error[1024];

	if (fathom_filter_read(&filter->rules, path, error, sizeof(error))) {
		fathom_tool_error("%s", error);
		free(filter);
		return NULL;
	}
	filter->trace = trace;
	filter->wants_rank = fathom_filter_wants_rank(&filter->rules);
	filter->process_count = fathom_otf2_count(&trace->defs, FATHOM_OTF2_PROCESS);
	filter->answers = fathom_tool_alloc(filter->process_count, sizeof(uint8_t *));
	return filter;
}

void fathom_region_filter_destroy(struct fathom_region_filter *filter)
{
	size_t i;

	for (i = 0; i < filter->process_count; i++)
		free(filter->answers[i]);
	free(filter->answers);
	fathom_filter_fini(&filter->rules);
	free(filter);
}

/* Returns the kind of a region in rules; 0: fathom's own, which no rule excludes. */
static enum fathom_filter_kind kind_of(const struct fathom_otf2_region *region)
{
	switch (region->paradigm) {
	case OTF2_PARADIGM_COMPILER: return FATHOM_FILTER_FUNCTION;
	case OTF2_PARADIGM_USER: return FATHOM_FILTER_USER;
	case OTF2_PARADIGM_MPI: return FATHOM_FILTER_MPI;
	case OTF2_PARADIGM_OPENMP: return FATHOM_FILTER_OPENMP;
	case OTF2_PARADIGM_PTHREAD: return FATHOM_FILTER_THREAD;
	case OTF2_PARADIGM_MEASUREMENT_SYSTEM: return 0;
	default:
		return region->role == OTF2_REGION_ROLE_FILE_IO || region->role == OTF2_REGION_ROLE_FILE_IO_METADATA ?
		       FATHOM_FILTER_IO : FATHOM_FILTER_OTHER;
	}
}

static const char *text_or_null(const struct fathom_otf2_defs *defs, uint32_t id)
{
	const char *text = id == OTF2_UNDEFINED_STRING ? "" : fathom_otf2_text(defs, id);

	return *text ? text : NULL;
}

static bool ask(const struct fathom_region_filter *filter, const struct fathom_otf2_region *region, uint32_t process)
{
	const struct fathom_otf2_defs *defs = &filter->trace->defs;
	struct fathom_filter_subject subject = {
		.kind = kind_of(region),
		.name = text_or_null(defs, region->name),
		.mangled = text_or_null(defs, region->canonical),
		.file = text_or_null(defs, region->file),
		.rank = filter->wants_rank ? (int64_t)process : -1,
	};

	return subject.kind && fathom_filter_ask(&filter->rules, &subject, NULL) == FATHOM_FILTER_EXCLUDE;
}

bool fathom_region_filter_excludes(struct fathom_region_filter *filter, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_defs *defs = &filter->trace->defs;
	const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, event->location);
	uint32_t process = filter->wants_rank && location->process != UINT32_MAX ? location->process : 0;
	int64_t index;
	uint8_t **answers = &filter->answers[process];

	index = fathom_otf2_event_region(defs, event);
	if (index < 0)
		return false;
	if (!*answers)
		*answers = fathom_tool_alloc(fathom_otf2_count(defs, FATHOM_OTF2_REGION), 1);
	if (!(*answers)[index])
		(*answers)[index] = ask(filter, fathom_otf2_at(defs, FATHOM_OTF2_REGION, (uint64_t)index), process) ?
			2 : 1;
	return (*answers)[index] == 2;
}
