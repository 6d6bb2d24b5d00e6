#include "run/filtering.h"

#include "define/region.h"
#include "event/location.h"
#include "event/meter.h"
#include "run/omitted.h"
#include "event/state.h"
#include "event/switch.h"
#include "filter/filter.h"
#include "platform/clock.h"

static struct {
	struct fathom_filter filter;	/* filled before main; does not change later */
	bool has_filter;
	int64_t rank;			/* of the process; -1: not known, or not known yet */
	bool has_left_out;		/* the filter has excluded a region; any thread may set this */
	void (*follower)(void);		/* called when the rank is known; NULL: none */
} filtering = { .rank = -1 };

static enum fathom_filter_kind kind_of(enum fathom_paradigm paradigm)
{
	switch (paradigm) {
	case FATHOM_PARADIGM_COMPILER:
		return FATHOM_FILTER_FUNCTION;
	case FATHOM_PARADIGM_USER:
		return FATHOM_FILTER_USER;
	case FATHOM_PARADIGM_MPI:
		return FATHOM_FILTER_MPI;
	case FATHOM_PARADIGM_OPENMP:
		return FATHOM_FILTER_OPENMP;
	case FATHOM_PARADIGM_PTHREAD:
		return FATHOM_FILTER_THREAD;
	case FATHOM_PARADIGM_IO:
		return FATHOM_FILTER_IO;
	default:
		return FATHOM_FILTER_OTHER;
	}
}

/* Returns whether the filter excludes a region that is no function. It never excludes fathom's own regions. */
static bool excludes(const struct fathom_region *region)
{
	struct fathom_filter_subject subject = {
		.kind = kind_of(region->paradigm),
		.name = region->name ? region->name : region->canonical,
		.mangled = region->name ? region->canonical : NULL,
		.file = region->file,
		.object = region->module,
	};

	return region->paradigm != FATHOM_PARADIGM_COMPILER && region->paradigm != FATHOM_PARADIGM_MEASUREMENT &&
	       fathom_event_excludes(&subject);
}

/* Called for each region that is being defined. */
static void disable_if_excluded(struct fathom_region *region)
{
	if (!excludes(region))
		return;
	region->switched = FATHOM_SWITCH_DRAINED;
	fathom_event_left_out(region);
}

int fathom_filtering_init(const char *path, char *error, size_t error_bytes)
{
	int err = fathom_filter_read(&filtering.filter, path, error, error_bytes);

	if (err)
		return err;
	filtering.has_filter = true;
	fathom_region_set_judge(disable_if_excluded);
	return 0;
}

void fathom_filtering_join(int32_t rank)
{
	uint32_t count = fathom_region_count();

	filtering.rank = rank;
	if (!filtering.has_filter || !fathom_filter_wants_rank(&filtering.filter))
		return;
	for (uint32_t id = 0; id < count; id++) {
		const struct fathom_region *region = fathom_region_by_id(id);

		if (fathom_region_is_disabled(region) || !excludes(region))
			continue;
		fathom_event_switch(region, false);
		fathom_event_left_out(region);
	}
	if (filtering.follower)
		filtering.follower();
	fathom_event_settle_switches();
}

bool fathom_filtering_has_left_out(void)
{
	return fathom_peek(&filtering.has_left_out);
}

bool fathom_event_filters(void)
{
	return filtering.has_filter;
}

bool fathom_event_filters_files(void)
{
	return filtering.has_filter &&
	       fathom_filter_wants(&filtering.filter, FATHOM_FILTER_FUNCTION, FATHOM_FILTER_FILE);
}

bool fathom_event_excludes(struct fathom_filter_subject *subject)
{
	subject->rank = filtering.rank;
	return filtering.has_filter && fathom_filter_ask(&filtering.filter, subject, NULL) == FATHOM_FILTER_EXCLUDE;
}

void fathom_event_left_out(const struct fathom_region *region)
{
	fathom_omitted_add(region);
	fathom_poke(&filtering.has_left_out, true);
}

void *fathom_event_hide(void)
{
	return fathom_location_suspend();
}

void fathom_event_show(void *before)
{
	fathom_location_resume(before);
}

bool fathom_event_is_suspended(void)
{
	return fathom_location_is_suspended(fathom_self);
}

void fathom_event_begin_now(void)
{
	if (fathom_location_newest())
		return;
	fathom_meter_begin();
	fathom.begin_ticks = fathom_clock_ticks();
}

void fathom_event_follow_rank(void (*follower)(void))
{
	filtering.follower = follower;
}
