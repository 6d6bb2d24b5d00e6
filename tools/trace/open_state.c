#include "tools/trace/open_state.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/trace/open_things.h"

struct fathom_open_state *fathom_open_state_create(struct fathom_otf2_selection *selection,
						   const struct fathom_copy_plan *plan)
{
	struct fathom_open_state *state = fathom_tool_alloc(1, sizeof(*state));

	state->selection = selection;
	state->plan = plan;
	state->defs = selection->defs;
	state->place_count = fathom_otf2_count(state->defs, FATHOM_OTF2_LOCATION);
	state->comm_count = fathom_otf2_count(state->defs, FATHOM_OTF2_COMM);
	state->places = fathom_tool_alloc(state->place_count, sizeof(*state->places));
	state->teams = fathom_tool_alloc(state->comm_count, sizeof(struct fathom_open_team *));
	fathom_table_init(&state->tasks, sizeof(struct fathom_open_task));
	fathom_table_init(&state->threads, sizeof(struct fathom_open_thread));
	fathom_table_init(&state->comms, sizeof(struct fathom_open_single));
	fathom_table_init(&state->windows, sizeof(struct fathom_open_single));
	fathom_table_init(&state->handles, sizeof(struct fathom_open_single));
	fathom_table_init(&state->requests, sizeof(struct fathom_open_single));
	fathom_table_init(&state->file_operations, sizeof(struct fathom_open_single));
	fathom_table_init(&state->accesses, sizeof(struct fathom_open_access));
	fathom_table_init(&state->locks, sizeof(struct fathom_open_lock));
	return state;
}

static void free_items(struct fathom_open_items *items)
{
	size_t i;

	for (i = 0; i < items->count; i++)
		free(items->list[i].arguments);
	free(items->list);
}

void fathom_open_state_destroy(struct fathom_open_state *state)
{
	struct fathom_open_task *task = NULL;
	size_t i;

	while ((task = fathom_table_next(&state->tasks, task)) != NULL)
		free_items(&task->items);
	for (i = 0; i < state->place_count; i++) {
		struct fathom_open_strict *strict, *next;

		free_items(&state->places[i].items);
		for (strict = state->places[i].strict; strict; strict = next) {
			next = strict->next;
			free(strict);
		}
	}
	for (i = 0; i < state->comm_count; i++) {
		if (!state->teams[i])
			continue;
		free(state->teams[i]->begun);
		free(state->teams[i]->ended);
		free(state->teams[i]);
	}
	fathom_table_fini(&state->tasks);
	fathom_table_fini(&state->threads);
	fathom_table_fini(&state->comms);
	fathom_table_fini(&state->windows);
	fathom_table_fini(&state->handles);
	fathom_table_fini(&state->requests);
	fathom_table_fini(&state->file_operations);
	fathom_table_fini(&state->accesses);
	fathom_table_fini(&state->locks);
	free(state->places);
	free(state->teams);
	free(state);
}

static uint32_t process_of(const struct fathom_open_state *state, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_location *location = fathom_otf2_at(state->defs, FATHOM_OTF2_LOCATION,
								     event->location);

	return location->process;
}

static bool is_marked(const struct fathom_open_state *state, const struct fathom_otf2_event *event, uint64_t number)
{
	return fathom_copy_plan_has(state->plan, event->location, number);
}

/* --- items ---------------------------------------------------------------------------------------------- */

/* Returns a copy of an event that may be kept. */
static struct fathom_otf2_event keepable(const struct fathom_otf2_event *event)
{
	struct fathom_otf2_event copy = *event;

	copy.attributes = NULL;
	copy.types = copy.values = NULL;
	return copy;
}

static struct fathom_open_items *current_items(struct fathom_open_state *state, uint32_t location)
{
	struct fathom_open_place *place = &state->places[location];

	return place->task ? &place->task->items : &place->items;
}

static void push(struct fathom_open_items *items, const struct fathom_otf2_event *event, uint64_t number)
{
	struct fathom_open_item *item;

	items->list = fathom_tool_grow(items->list, items->count, &items->room, sizeof(*items->list));
	item = &items->list[items->count++];
	*item = (struct fathom_open_item){ .event = keepable(event), .number = number };
	if (event->kind != FATHOM_RECORD_PROGRAM_BEGIN || !event->count)
		return;
	item->arguments = fathom_tool_alloc(event->count, sizeof(OTF2_StringRef));
	memcpy(item->arguments, event->types, event->count * sizeof(OTF2_StringRef));
}

static bool is_parameter(const struct fathom_otf2_event *event)
{
	return event->kind == FATHOM_RECORD_PARAMETER_STRING || event->kind == FATHOM_RECORD_PARAMETER_INT ||
	       event->kind == FATHOM_RECORD_PARAMETER_UNSIGNED_INT;
}

static void remove_item(struct fathom_open_items *items, size_t index)
{
	free(items->list[index].arguments);
	memmove(&items->list[index], &items->list[index + 1], (items->count - index - 1) * sizeof(*items->list));
	items->count--;
}

/* Removes the last item of that kind which refers to the same thing, with the parameters of a region. */
static void close_item(struct fathom_open_items *items, enum fathom_record kind, const struct fathom_otf2_event *event)
{
	size_t i = items->count;

	while (i-- > 0) {
		const struct fathom_otf2_event *opening = &items->list[i].event;

		if (opening->kind != kind || opening->ref != event->ref)
			continue;
		if ((kind == FATHOM_RECORD_THREAD_ACQUIRE_LOCK || kind == FATHOM_RECORD_OMP_ACQUIRE_LOCK) &&
		    (opening->id != event->id || opening->op != event->op))
			continue;
		if ((kind == FATHOM_RECORD_RMA_REQUEST_LOCK || kind == FATHOM_RECORD_RMA_TRY_LOCK) &&
		    (opening->peer != event->peer || opening->id != event->id))
			continue;
		remove_item(items, i);
		while (i < items->count && is_parameter(&items->list[i].event))
			remove_item(items, i);
		return;
	}
}

/* Keeps a parameter of the innermost region; an earlier value of the same parameter there is replaced. */
static void push_parameter(struct fathom_open_items *items, const struct fathom_otf2_event *event, uint64_t number)
{
	size_t i = items->count;

	while (i > 0 && is_parameter(&items->list[i - 1].event)) {
		i--;
		if (items->list[i].event.ref == event->ref) {
			remove_item(items, i);
			break;
		}
	}
	if (items->count)
		push(items, event, number);
}

/* --- locks ------------------------------------------------------------------------------------------- */

static void take_acquire(struct fathom_open_state *state, const struct fathom_otf2_event *event, uint64_t number)
{
	uint32_t process = process_of(state, event);
	struct fathom_open_lock *lock = fathom_table_find(&state->locks, process, event->op, event->id);

	if (!lock)
		lock = fathom_table_add(&state->locks, process, event->op, event->id);
	if (lock->depth++ == 0)
		lock->held = event->tag;
	lock->last = event->tag;
	push(current_items(state, event->location), event, number);
}

static void take_release(struct fathom_open_state *state, const struct fathom_otf2_event *event)
{
	struct fathom_open_lock *lock = fathom_table_find(&state->locks, process_of(state, event), event->op,
							  event->id);

	if (lock && lock->depth)
		lock->depth--;
	close_item(current_items(state, event->location), event->kind == FATHOM_RECORD_OMP_RELEASE_LOCK ?
		   FATHOM_RECORD_OMP_ACQUIRE_LOCK : FATHOM_RECORD_THREAD_ACQUIRE_LOCK, event);
}

void fathom_open_state_renumber(const struct fathom_open_state *state, struct fathom_otf2_event *event)
{
	const struct fathom_open_lock *lock;

	if (event->kind != FATHOM_RECORD_THREAD_ACQUIRE_LOCK && event->kind != FATHOM_RECORD_THREAD_RELEASE_LOCK &&
	    event->kind != FATHOM_RECORD_OMP_ACQUIRE_LOCK && event->kind != FATHOM_RECORD_OMP_RELEASE_LOCK)
		return;
	lock = fathom_table_find(&state->locks, process_of(state, event), event->op, event->id);
	if (lock && event->tag > lock->before)
		event->tag -= lock->before;
}

/* --- metrics -------------------------------------------------------------------------------------------- */

static void take_metric(struct fathom_open_state *state, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_metric *metric = fathom_otf2_find(state->defs, FATHOM_OTF2_METRIC, event->ref);
	struct fathom_open_place *place = &state->places[event->location];
	struct fathom_open_strict *strict;

	if (metric && metric->of_class >= 0)
		metric = fathom_otf2_at(state->defs, FATHOM_OTF2_METRIC, (uint64_t)metric->of_class);
	if (!metric || metric->occurrence != OTF2_METRIC_SYNCHRONOUS_STRICT)
		return;
	for (strict = place->strict; strict && strict->event.ref != event->ref; strict = strict->next)
		;
	if (!strict) {
		strict = fathom_tool_alloc(1, sizeof(*strict));
		strict->next = place->strict;
		place->strict = strict;
	}
	strict->event = keepable(event);
	memcpy(strict->types, event->types, event->count * sizeof(OTF2_Type));
	memcpy(strict->values, event->values, event->count * sizeof(OTF2_MetricValue));
}

/* --- teams, tasks, threads --------------------------------------------------------------------------- */

static struct fathom_open_team *team_of(struct fathom_open_state *state, const struct fathom_otf2_event *event,
					int64_t *member)
{
	const struct fathom_otf2_comm *comm = fathom_otf2_find(state->defs, FATHOM_OTF2_COMM, event->ref);
	int64_t index = fathom_otf2_index(state->defs, FATHOM_OTF2_COMM, event->ref);
	struct fathom_open_team *team;

	*member = comm && !comm->is_self ? fathom_otf2_comm_location(state->defs, comm, event->location) : -1;
	if (*member < 0)
		return NULL;
	team = state->teams[index];
	if (!team) {
		team = fathom_tool_alloc(1, sizeof(*team));
		team->size = fathom_otf2_comm_size(state->defs, comm);
		team->begun = fathom_tool_alloc(team->size, sizeof(uint64_t));
		team->ended = fathom_tool_alloc(team->size, sizeof(uint64_t));
		state->teams[index] = team;
	}
	return team;
}

static void take_team(struct fathom_open_state *state, const struct fathom_otf2_event *event, uint64_t number)
{
	struct fathom_open_place *place = &state->places[event->location];
	int64_t member;
	struct fathom_open_team *team = team_of(state, event, &member);

	place->task = NULL;
	place->after_task = false;
	if (event->kind == FATHOM_RECORD_THREAD_TEAM_BEGIN)
		push(&place->items, event, number);
	else
		close_item(&place->items, FATHOM_RECORD_THREAD_TEAM_BEGIN, event);
	if (team)
		(event->kind == FATHOM_RECORD_THREAD_TEAM_BEGIN ? team->begun : team->ended)[member]++;
}

static struct fathom_open_task *task_of(struct fathom_open_state *state, const struct fathom_otf2_event *event)
{
	uint64_t number = (uint64_t)event->peer << 32 | event->tag;
	uint32_t process = process_of(state, event);
	struct fathom_open_task *task;

	if (event->tag == 0)
		return NULL;
	task = fathom_table_find(&state->tasks, process, event->ref, number);
	return task ? task : fathom_table_add(&state->tasks, process, event->ref, number);
}

static bool take_task(struct fathom_open_state *state, const struct fathom_otf2_event *event, uint64_t number)
{
	struct fathom_open_place *place = &state->places[event->location];
	struct fathom_open_task *task;

	if (event->kind == FATHOM_RECORD_THREAD_TASK_CREATE && is_marked(state, event, number))
		return false;
	task = task_of(state, event);
	switch (event->kind) {
	case FATHOM_RECORD_THREAD_TASK_CREATE:
		if (!task)
			break;
		task->creation = (struct fathom_open_item){ .event = keepable(event), .number = number };
		task->is_created = true;
		break;
	case FATHOM_RECORD_THREAD_TASK_SWITCH:
		place->task = task;
		place->after_task = false;
		if (!task)
			break;
		task->location = event->location;
		task->is_started = true;
		break;
	default:
		if (place->task == task)
			place->task = NULL;
		place->after_task = true;
		place->after_team = event->ref;
		if (!task)
			break;
		free_items(&task->items);
		fathom_table_remove(&state->tasks, task);
		break;
	}
	return true;
}

static bool take_thread(struct fathom_open_state *state, const struct fathom_otf2_event *event, uint64_t number)
{
	struct fathom_open_place *place = &state->places[event->location];
	struct fathom_open_thread *thread;
	bool is_gone;

	if (event->kind == FATHOM_RECORD_THREAD_BEGIN)
		push(&place->items, event, number);
	else if (event->kind == FATHOM_RECORD_THREAD_END)
		close_item(&place->items, FATHOM_RECORD_THREAD_BEGIN, event);
	if (event->id == OTF2_UNDEFINED_UINT64)
		return true;
	if (event->kind == FATHOM_RECORD_THREAD_CREATE && is_marked(state, event, number))
		return false;
	thread = fathom_table_find(&state->threads, process_of(state, event), event->ref, event->id);
	if (event->kind == FATHOM_RECORD_THREAD_WAIT) {
		/* The thread ended before the window. */
		is_gone = state->is_inside && !thread;
		if (thread && thread->is_ended)
			fathom_table_remove(&state->threads, thread);
		return !is_gone;
	}
	if (!thread)
		thread = fathom_table_add(&state->threads, process_of(state, event), event->ref, event->id);
	if (event->kind == FATHOM_RECORD_THREAD_CREATE) {
		thread->creation = (struct fathom_open_item){ .event = keepable(event), .number = number };
		thread->is_created = true;
	} else if (event->kind == FATHOM_RECORD_THREAD_END) {
		thread->is_ended = true;
	}
	return true;
}

/* --- operations ----------------------------------------------------------------------------------------- */

static struct fathom_open_single *begin_single(struct fathom_open_state *state, struct fathom_table *table,
				   const struct fathom_otf2_event *event, uint64_t id, uint64_t number)
{
	uint32_t process = process_of(state, event);
	struct fathom_open_single *single = fathom_table_find(table, process, id, 0);

	if (!single)
		single = fathom_table_add(table, process, id, 0);
	single->item = (struct fathom_open_item){ .event = keepable(event), .number = number };
	single->is_left_out = is_marked(state, event, number);
	return single;
}

static void end_single(struct fathom_open_state *state, struct fathom_table *table,
		       const struct fathom_otf2_event *event, uint64_t id)
{
	struct fathom_open_single *single = fathom_table_find(table, process_of(state, event), id, 0);

	if (single)
		fathom_table_remove(table, single);
}

/* Takes the end or test of a request or file operation. Returns whether the copy has it. */
static bool continue_single(struct fathom_open_state *state, struct fathom_table *table,
			    const struct fathom_otf2_event *event, uint64_t a, bool is_end)
{
	struct fathom_open_single *single = fathom_table_find(table, process_of(state, event), a, 0);
	bool is_left_out = single && single->is_left_out;

	if (single && is_end)
		fathom_table_remove(table, single);
	return !is_left_out;
}

/* Returns one number for an operation on a handle. Operations of different handles seldom share their ids, and then
 * only whether one of them is left out is exchanged. */
static uint64_t file_operation(const struct fathom_otf2_event *event)
{
	return event->ref << 48 ^ event->id;
}

static bool take_collective(bool *is_in, bool *skips, bool is_begin, bool is_left_out)
{
	bool was_skipped = *skips;

	*is_in = is_begin;
	*skips = is_begin && is_left_out;
	return is_begin ? !is_left_out : !was_skipped;
}

/* Removes the one-sided operations of the process that a synchronization completes; target UINT32_MAX: at all targets.
 * Those that are not complete here stay until they are. */
static void synchronize(struct fathom_open_state *state, const struct fathom_otf2_event *event, uint32_t target)
{
	uint32_t process = process_of(state, event);
	struct fathom_open_access *access = NULL, **done = NULL;
	size_t count = 0, room = 0;

	while ((access = fathom_table_next(&state->accesses, access)) != NULL) {
		if (access->entry.key[0] != process || access->entry.key[1] != event->ref ||
		    (target != UINT32_MAX && access->event.peer != target))
			continue;
		access->is_remote = false;
		if (access->is_local)
			continue;
		done = fathom_tool_grow(done, count, &room, sizeof(struct fathom_open_access *));
		done[count++] = access;
	}
	while (count > 0)
		fathom_table_remove(&state->accesses, done[--count]);
	free(done);
}

static bool take_window_collective(struct fathom_open_state *state, struct fathom_open_place *place,
				   const struct fathom_otf2_event *event, bool is_left_out)
{
	bool is_begin = event->kind == FATHOM_RECORD_RMA_COLLECTIVE_BEGIN;
	bool is_kept = take_collective(&place->in_window_collective, &place->skips_window_collective, is_begin,
				       is_left_out);

	/* Only a synchronization that the copy has completes operations of the copy. */
	if (!is_begin && is_kept && state->is_inside && event->tag & OTF2_RMA_SYNC_LEVEL_MEMORY)
		synchronize(state, event, UINT32_MAX);
	return is_kept;
}

static bool take_access(struct fathom_open_state *state, const struct fathom_otf2_event *event)
{
	uint32_t process = process_of(state, event);
	struct fathom_open_access *access = fathom_table_find(&state->accesses, process, event->ref, event->id);
	struct fathom_otf2_event renumbered = *event;

	switch (event->kind) {
	case FATHOM_RECORD_RMA_PUT:
	case FATHOM_RECORD_RMA_GET:
	case FATHOM_RECORD_RMA_ATOMIC:
		if (!fathom_otf2_selection_renumber(state->selection, &renumbered))
			return false;
		if (!state->is_inside)
			return true;
		if (!access)
			access = fathom_table_add(&state->accesses, process, event->ref, event->id);
		access->event = keepable(event);
		access->is_local = true;
		access->is_remote |= event->kind != FATHOM_RECORD_RMA_GET;
		return true;
	case FATHOM_RECORD_RMA_OP_TEST: return access != NULL;
	case FATHOM_RECORD_RMA_OP_COMPLETE_REMOTE:
		if (access)
			fathom_table_remove(&state->accesses, access);
		return access != NULL;
	default:
		if (access)
			access->is_local = false;
		return access != NULL;
	}
}

static bool take_window_lock(struct fathom_open_state *state, const struct fathom_otf2_event *event, uint64_t number)
{
	struct fathom_open_items *items = &state->places[event->location].items;
	struct fathom_otf2_event renumbered = *event;

	if (!fathom_otf2_selection_renumber(state->selection, &renumbered))
		return false;
	if (event->kind == FATHOM_RECORD_RMA_REQUEST_LOCK || event->kind == FATHOM_RECORD_RMA_TRY_LOCK) {
		/* A lock that is tried again and again is opened once. */
		close_item(items, event->kind, event);
		push(items, event, number);
	}
	if (event->kind != FATHOM_RECORD_RMA_RELEASE_LOCK)
		return true;
	close_item(items, FATHOM_RECORD_RMA_REQUEST_LOCK, event);
	close_item(items, FATHOM_RECORD_RMA_TRY_LOCK, event);
	if (state->is_inside)
		synchronize(state, event, event->peer);
	return true;
}

/* --- parts ----------------------------------------------------------------------------------------------- */

/* The functions below each take the records of one part of the table of records. They return whether the copy has the
 * event. */

static bool take_general(struct fathom_open_state *state, const struct fathom_otf2_event *event, uint64_t number)
{
	struct fathom_open_place *place = &state->places[event->location];
	struct fathom_open_items *items = current_items(state, event->location);

	switch (event->kind) {
	case FATHOM_RECORD_ENTER:
	case FATHOM_RECORD_CALLING_CONTEXT_ENTER: push(items, event, number); break;
	case FATHOM_RECORD_LEAVE: close_item(items, FATHOM_RECORD_ENTER, event); break;
	case FATHOM_RECORD_CALLING_CONTEXT_LEAVE:
		close_item(items, FATHOM_RECORD_CALLING_CONTEXT_ENTER, event);
		break;
	case FATHOM_RECORD_PARAMETER_STRING:
	case FATHOM_RECORD_PARAMETER_INT:
	case FATHOM_RECORD_PARAMETER_UNSIGNED_INT: push_parameter(items, event, number); break;
	case FATHOM_RECORD_METRIC: take_metric(state, event); break;
	case FATHOM_RECORD_PROGRAM_BEGIN: push(&place->items, event, number); break;
	case FATHOM_RECORD_PROGRAM_END:
		if (place->items.count && place->items.list[0].event.kind == FATHOM_RECORD_PROGRAM_BEGIN)
			remove_item(&place->items, 0);
		break;
	case FATHOM_RECORD_MEASUREMENT_ON_OFF:
		if (event->op)
			close_item(&place->items, FATHOM_RECORD_MEASUREMENT_ON_OFF, event);
		else
			push(&place->items, event, number);
		break;
	default: break;
	}
	return true;
}

static bool take_thread_or_team(struct fathom_open_state *state, const struct fathom_otf2_event *event, uint64_t number)
{
	struct fathom_open_items *items = &state->places[event->location].items;

	switch (event->kind) {
	case FATHOM_RECORD_THREAD_FORK:
	case FATHOM_RECORD_OMP_FORK: push(items, event, number); return true;
	case FATHOM_RECORD_THREAD_JOIN: close_item(items, FATHOM_RECORD_THREAD_FORK, event); return true;
	case FATHOM_RECORD_OMP_JOIN: close_item(items, FATHOM_RECORD_OMP_FORK, event); return true;
	case FATHOM_RECORD_THREAD_TEAM_BEGIN:
	case FATHOM_RECORD_THREAD_TEAM_END: take_team(state, event, number); return true;
	case FATHOM_RECORD_THREAD_TASK_CREATE:
	case FATHOM_RECORD_THREAD_TASK_SWITCH:
	case FATHOM_RECORD_THREAD_TASK_COMPLETE: return take_task(state, event, number);
	case FATHOM_RECORD_THREAD_CREATE:
	case FATHOM_RECORD_THREAD_BEGIN:
	case FATHOM_RECORD_THREAD_END:
	case FATHOM_RECORD_THREAD_WAIT: return take_thread(state, event, number);
	default: return true;
	}
}

static void take_lock(struct fathom_open_state *state, const struct fathom_otf2_event *event, uint64_t number)
{
	if (event->kind == FATHOM_RECORD_THREAD_ACQUIRE_LOCK || event->kind == FATHOM_RECORD_OMP_ACQUIRE_LOCK)
		take_acquire(state, event, number);
	else
		take_release(state, event);
}

/* Takes a record of messages, communicators or collective operations on communicators. */
static bool take_mpi(struct fathom_open_state *state, const struct fathom_otf2_event *event, uint64_t number)
{
	struct fathom_open_place *place = &state->places[event->location];
	bool is_left_out = is_marked(state, event, number);

	switch (event->kind) {
	case FATHOM_RECORD_MPI_SEND:
	case FATHOM_RECORD_MPI_RECV: return !is_left_out;
	case FATHOM_RECORD_MPI_ISEND:
	case FATHOM_RECORD_MPI_IRECV_REQUEST:
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_REQUEST:
		begin_single(state, &state->requests, event, event->id, number);
		return !is_left_out;
	case FATHOM_RECORD_MPI_REQUEST_TEST: return continue_single(state, &state->requests, event, event->id, false);
	case FATHOM_RECORD_MPI_IRECV:
	case FATHOM_RECORD_MPI_ISEND_COMPLETE:
	case FATHOM_RECORD_MPI_REQUEST_CANCELLED:
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE:
		return continue_single(state, &state->requests, event, event->id, true) && !is_left_out;
	case FATHOM_RECORD_MPI_COLLECTIVE_BEGIN:
	case FATHOM_RECORD_MPI_COLLECTIVE_END:
		return take_collective(&place->in_collective, &place->skips_collective,
				       event->kind == FATHOM_RECORD_MPI_COLLECTIVE_BEGIN, is_left_out);
	case FATHOM_RECORD_COMM_CREATE: begin_single(state, &state->comms, event, event->ref, number); return true;
	case FATHOM_RECORD_COMM_DESTROY: end_single(state, &state->comms, event, event->ref); return true;
	default: return true;
	}
}

static bool take_window(struct fathom_open_state *state, const struct fathom_otf2_event *event, uint64_t number)
{
	switch (event->kind) {
	case FATHOM_RECORD_RMA_WIN_CREATE: begin_single(state, &state->windows, event, event->ref, number); return true;
	case FATHOM_RECORD_RMA_WIN_DESTROY:
		synchronize(state, event, UINT32_MAX);
		end_single(state, &state->windows, event, event->ref);
		return true;
	case FATHOM_RECORD_RMA_COLLECTIVE_BEGIN:
	case FATHOM_RECORD_RMA_COLLECTIVE_END:
		return take_window_collective(state, &state->places[event->location], event,
					      is_marked(state, event, number));
	case FATHOM_RECORD_RMA_GROUP_SYNC:
		if (event->tag & OTF2_RMA_SYNC_LEVEL_MEMORY && state->is_inside)
			synchronize(state, event, UINT32_MAX);
		return true;
	case FATHOM_RECORD_RMA_PUT:
	case FATHOM_RECORD_RMA_GET:
	case FATHOM_RECORD_RMA_ATOMIC:
	case FATHOM_RECORD_RMA_OP_COMPLETE_BLOCKING:
	case FATHOM_RECORD_RMA_OP_COMPLETE_NON_BLOCKING:
	case FATHOM_RECORD_RMA_OP_TEST:
	case FATHOM_RECORD_RMA_OP_COMPLETE_REMOTE: return take_access(state, event);
	case FATHOM_RECORD_RMA_REQUEST_LOCK:
	case FATHOM_RECORD_RMA_ACQUIRE_LOCK:
	case FATHOM_RECORD_RMA_TRY_LOCK:
	case FATHOM_RECORD_RMA_RELEASE_LOCK: return take_window_lock(state, event, number);
	default: return true;
	}
}

static bool take_file(struct fathom_open_state *state, const struct fathom_otf2_event *event, uint64_t number)
{
	switch (event->kind) {
	case FATHOM_RECORD_IO_CREATE_HANDLE:
		begin_single(state, &state->handles, event, event->ref, number);
		return true;
	case FATHOM_RECORD_IO_DUPLICATE_HANDLE:
		begin_single(state, &state->handles, event, event->other, number);
		return true;
	case FATHOM_RECORD_IO_DESTROY_HANDLE: end_single(state, &state->handles, event, event->ref); return true;
	case FATHOM_RECORD_IO_OPERATION_BEGIN:
		return !begin_single(state, &state->file_operations, event, file_operation(event), number)->is_left_out;
	case FATHOM_RECORD_IO_OPERATION_TEST:
	case FATHOM_RECORD_IO_OPERATION_ISSUED:
		return continue_single(state, &state->file_operations, event, file_operation(event), false);
	case FATHOM_RECORD_IO_OPERATION_COMPLETE:
	case FATHOM_RECORD_IO_OPERATION_CANCELLED:
		return continue_single(state, &state->file_operations, event, file_operation(event), true);
	default: return true;
	}
}

bool fathom_open_state_take(struct fathom_open_state *state, const struct fathom_otf2_event *event, uint64_t number)
{
	switch (fathom_otf2_records[event->kind].part) {
	case FATHOM_OTF2_PART_GENERAL: return take_general(state, event, number);
	case FATHOM_OTF2_PART_TEAM: return take_thread_or_team(state, event, number);
	case FATHOM_OTF2_PART_LOCK: take_lock(state, event, number); return true;
	case FATHOM_OTF2_PART_MESSAGE:
	case FATHOM_OTF2_PART_COLLECTIVE: return take_mpi(state, event, number);
	case FATHOM_OTF2_PART_WINDOW: return take_window(state, event, number);
	case FATHOM_OTF2_PART_FILE: return take_file(state, event, number);
	}
	return true;
}
