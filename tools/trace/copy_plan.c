#include "tools/trace/copy_plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/trace/operation_matching.h"

enum { PAGE_BITS = 1 << 15 };

struct begun {			/* something that another event must follow, else its first event is left out */
	struct fathom_table_entry entry;
	uint32_t location;
	uint64_t number;
};

struct planning {
	struct fathom_copy_plan *plan;
	struct fathom_otf2_selection *selection;
	const struct fathom_time_window *window;
	struct fathom_operation_matching *matching;
	uint64_t *counts;		/* by location: events so far */
	struct fathom_table tasks, threads, file_operations;	/* struct begun */
	bool is_over;			/* the window has ended */
};

/* --- marks ------------------------------------------------------------------------------------------ */

static void mark(struct fathom_copy_plan *plan, uint32_t location, uint64_t number)
{
	struct fathom_copy_marks *marks = &plan->locations[location];
	size_t page = (size_t)(number / PAGE_BITS), room = marks->count;
	uint64_t bit = number % PAGE_BITS;

	while (room <= page)
		room = room ? 2 * room : 16;
	if (room != marks->count) {
		uint64_t **pages = fathom_tool_alloc(room, sizeof(*pages));

		if (marks->count)
			memcpy(pages, marks->pages, marks->count * sizeof(*pages));
		free(marks->pages);
		marks->pages = pages;
		marks->count = room;
	}
	if (!marks->pages[page])
		marks->pages[page] = fathom_tool_alloc(PAGE_BITS / 64, sizeof(uint64_t));
	marks->pages[page][bit / 64] |= 1ull << bit % 64;
}

bool fathom_copy_plan_has(const struct fathom_copy_plan *plan, uint32_t location, uint64_t number)
{
	const struct fathom_copy_marks *marks;
	size_t page = (size_t)(number / PAGE_BITS);

	if (!plan->locations)
		return false;
	marks = &plan->locations[location];
	return page < marks->count && marks->pages[page] &&
	       marks->pages[page][number % PAGE_BITS / 64] >> number % 64 & 1;
}

void fathom_copy_plan_fini(struct fathom_copy_plan *plan)
{
	size_t i, page;

	for (i = 0; plan->locations && i < plan->location_count; i++) {
		for (page = 0; page < plan->locations[i].count; page++)
			free(plan->locations[i].pages[page]);
		free(plan->locations[i].pages);
	}
	free(plan->locations);
	*plan = (struct fathom_copy_plan){ 0 };
}

/* --- decisions --------------------------------------------------------------------------------------- */

static bool is_inside(const struct planning *planning, uint64_t time)
{
	return time >= planning->window->from && time <= planning->window->to;
}

static void take_message(void *data, const struct fathom_operation_part *send,
			 const struct fathom_operation_part *receive)
{
	struct planning *planning = data;

	if (is_inside(planning, send->first_time) == is_inside(planning, receive->last_time))
		return;
	mark(planning->plan, send->location, send->first_number);
	mark(planning->plan, receive->location, receive->first_number);
	planning->plan->left_out++;
}

static void take_collective(void *data, const struct fathom_operation_part *parts, uint32_t count, bool is_complete)
{
	struct planning *planning = data;
	bool is_whole = is_complete || !planning->window->is_cut, is_outside = true;
	uint32_t i;

	for (i = 0; i < count; i++) {
		bool begins = is_inside(planning, parts[i].first_time), ends = is_inside(planning, parts[i].last_time);

		is_whole = is_whole && begins && ends;
		is_outside = is_outside && !begins && !ends;
	}
	if (is_whole || is_outside)
		return;
	for (i = 0; i < count; i++)
		mark(planning->plan, parts[i].location, parts[i].first_number);
	planning->plan->left_out++;
}

static void take_lone(void *data, const struct fathom_operation_part *part, bool is_left_out)
{
	struct planning *planning = data;

	/* Without a cut, operations without partner are faults of the trace, which a copy keeps. */
	if (!is_left_out && !planning->window->is_cut)
		return;
	mark(planning->plan, part->location, part->first_number);
	if (is_inside(planning, part->first_time) || (part->is_ended && is_inside(planning, part->last_time)))
		planning->plan->left_out++;
}

/* --- what must be followed by something ------------------------------------------------------------- */

static void begin(struct fathom_table *table, uint64_t a, uint64_t b, uint64_t c, const struct fathom_otf2_event *event,
		  uint64_t number)
{
	struct begun *begun = fathom_table_find(table, a, b, c);

	if (!begun)
		begun = fathom_table_add(table, a, b, c);
	begun->location = event->location;
	begun->number = number;
}

static void follow(struct fathom_table *table, uint64_t a, uint64_t b, uint64_t c)
{
	struct begun *begun = fathom_table_find(table, a, b, c);

	if (begun)
		fathom_table_remove(table, begun);
}

static void take_others(struct planning *planning, const struct fathom_otf2_event *event, uint64_t number)
{
	const struct fathom_otf2_location *location = fathom_otf2_at(planning->selection->defs, FATHOM_OTF2_LOCATION,
								     event->location);
	uint64_t task = (uint64_t)event->peer << 32 | event->tag, process = location->process;

	switch (event->kind) {
	case FATHOM_RECORD_THREAD_TASK_CREATE:
		begin(&planning->tasks, process, event->ref, task, event, number);
		break;
	case FATHOM_RECORD_THREAD_TASK_SWITCH:
	case FATHOM_RECORD_THREAD_TASK_COMPLETE: follow(&planning->tasks, process, event->ref, task); break;
	case FATHOM_RECORD_THREAD_CREATE:
		begin(&planning->threads, process, event->ref, event->id, event, number);
		break;
	case FATHOM_RECORD_THREAD_BEGIN: follow(&planning->threads, process, event->ref, event->id); break;
	case FATHOM_RECORD_IO_OPERATION_BEGIN:
		begin(&planning->file_operations, process, event->ref, event->id, event, number);
		break;
	case FATHOM_RECORD_IO_OPERATION_COMPLETE:
	case FATHOM_RECORD_IO_OPERATION_CANCELLED:
		follow(&planning->file_operations, process, event->ref, event->id);
		break;
	default: break;
	}
}

static void mark_unfollowed(struct planning *planning, struct fathom_table *table)
{
	struct begun *begun = NULL;

	while (planning->window->is_cut && (begun = fathom_table_next(table, begun)) != NULL)
		mark(planning->plan, begun->location, begun->number);
	fathom_table_fini(table);
}

/* --- reading -------------------------------------------------------------------------------------------- */

static bool take_event(void *data, const struct fathom_otf2_event *event)
{
	struct planning *planning = data;
	struct fathom_otf2_event renumbered = *event;
	uint64_t number = planning->counts[event->location]++;

	planning->is_over = event->time > planning->window->to;
	if (planning->is_over)
		return false;
	if (!fathom_otf2_selection_has(planning->selection, event->location))
		return true;
	fathom_operation_matching_take(planning->matching, event, number,
				       !fathom_otf2_selection_renumber(planning->selection, &renumbered));
	take_others(planning, event, number);
	return true;
}

int fathom_copy_plan_make(struct fathom_copy_plan *plan, struct fathom_otf2_archive *trace,
			  struct fathom_otf2_selection *selection, const struct fathom_time_window *window)
{
	struct planning planning = { .plan = plan, .selection = selection, .window = window };
	int err;

	plan->location_count = fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION);
	plan->locations = fathom_tool_alloc(plan->location_count, sizeof(*plan->locations));
	plan->left_out = 0;
	planning.counts = fathom_tool_alloc(plan->location_count, sizeof(uint64_t));
	planning.matching = fathom_operation_matching_create(selection, &(struct fathom_operation_user){
		.data = &planning, .message = take_message, .collective = take_collective, .lone = take_lone,
	});
	fathom_table_init(&planning.tasks, sizeof(struct begun));
	fathom_table_init(&planning.threads, sizeof(struct begun));
	fathom_table_init(&planning.file_operations, sizeof(struct begun));
	err = fathom_otf2_read_events(trace, NULL, take_event, &planning);
	if (planning.is_over)
		err = 0;
	if (err)
		fathom_tool_error("%s", trace->error);
	fathom_operation_matching_destroy(planning.matching);
	mark_unfollowed(&planning, &planning.tasks);
	mark_unfollowed(&planning, &planning.threads);
	mark_unfollowed(&planning, &planning.file_operations);
	free(planning.counts);
	return err;
}
