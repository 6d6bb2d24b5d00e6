#include "tools/trace/open_state.h"

#include <stdlib.h>

#include "tools/common/command.h"
#include "tools/trace/open_things.h"

struct writing {
	struct fathom_open_state *state;
	uint64_t time;
	fathom_open_write *write;
	void *data;
};

static void write_event(const struct writing *writing, const struct fathom_otf2_event *event)
{
	struct fathom_otf2_event timed = *event;

	timed.time = writing->time;
	writing->write(writing->data, &timed);
}

static void write_new(const struct writing *writing, enum fathom_record kind, uint32_t location, uint64_t ref,
		      uint32_t peer, uint32_t tag, uint64_t id)
{
	write_event(writing, &(struct fathom_otf2_event){
		.kind = kind, .location = location, .ref = ref, .peer = peer, .tag = tag, .id = id,
	});
}

/* Writes the last values of the metrics that must have some before each enter and leave. */
static void write_strict(const struct writing *writing, uint32_t location)
{
	struct fathom_open_strict *strict;

	for (strict = writing->state->places[location].strict; strict; strict = strict->next) {
		strict->event.types = strict->types;
		strict->event.values = strict->values;
		write_event(writing, &strict->event);
	}
}

static bool is_window_lock(const struct fathom_otf2_event *event)
{
	return event->kind == FATHOM_RECORD_RMA_REQUEST_LOCK || event->kind == FATHOM_RECORD_RMA_TRY_LOCK;
}

/* Opens items at the location where they are now; either the locks of windows, or all others. */
static void open_items(const struct writing *writing, const struct fathom_open_items *items, uint32_t location,
		       bool window_locks)
{
	size_t i;

	for (i = 0; i < items->count; i++) {
		struct fathom_otf2_event event = items->list[i].event;

		if (is_window_lock(&event) != window_locks)
			continue;
		event.location = location;
		if (event.kind == FATHOM_RECORD_ENTER || event.kind == FATHOM_RECORD_CALLING_CONTEXT_ENTER)
			write_strict(writing, location);
		event.types = items->list[i].arguments;
		write_event(writing, &event);
	}
}

/* Writes the event that closes an item, at the location where it is now. */
static void close_one(const struct writing *writing, const struct fathom_otf2_event *opening, uint32_t location)
{
	struct fathom_otf2_event event = *opening;

	event.location = location;
	switch (opening->kind) {
	case FATHOM_RECORD_ENTER: event.kind = FATHOM_RECORD_LEAVE; break;
	case FATHOM_RECORD_CALLING_CONTEXT_ENTER: event.kind = FATHOM_RECORD_CALLING_CONTEXT_LEAVE; break;
	case FATHOM_RECORD_THREAD_ACQUIRE_LOCK: event.kind = FATHOM_RECORD_THREAD_RELEASE_LOCK; break;
	case FATHOM_RECORD_OMP_ACQUIRE_LOCK: event.kind = FATHOM_RECORD_OMP_RELEASE_LOCK; break;
	case FATHOM_RECORD_THREAD_FORK: event.kind = FATHOM_RECORD_THREAD_JOIN; break;
	case FATHOM_RECORD_OMP_FORK: event.kind = FATHOM_RECORD_OMP_JOIN; break;
	case FATHOM_RECORD_THREAD_TEAM_BEGIN: event.kind = FATHOM_RECORD_THREAD_TEAM_END; break;
	case FATHOM_RECORD_THREAD_BEGIN: event.kind = FATHOM_RECORD_THREAD_END; break;
	case FATHOM_RECORD_RMA_REQUEST_LOCK:
	case FATHOM_RECORD_RMA_TRY_LOCK: event.kind = FATHOM_RECORD_RMA_RELEASE_LOCK; break;
	case FATHOM_RECORD_PROGRAM_BEGIN:
		event.kind = FATHOM_RECORD_PROGRAM_END;
		event.id = (uint64_t)OTF2_UNDEFINED_INT64;
		break;
	default: return;	/* parameters; measurement may stay off */
	}
	if (event.kind == FATHOM_RECORD_LEAVE || event.kind == FATHOM_RECORD_CALLING_CONTEXT_LEAVE)
		write_strict(writing, location);
	write_event(writing, &event);
}

/* Closes items, the last one first; either the locks of windows, or all others. */
static void close_items(const struct writing *writing, const struct fathom_open_items *items, uint32_t location,
			bool window_locks)
{
	size_t i = items->count;

	while (i-- > 0)
		if (is_window_lock(&items->list[i].event) == window_locks)
			close_one(writing, &items->list[i].event, location);
}

static int by_number(const void *a, const void *b)
{
	const struct fathom_open_item *x = *(const struct fathom_open_item *const *)a, *y =
		*(const struct fathom_open_item *const *)b;

	if (x->event.location != y->event.location)
		return x->event.location < y->event.location ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

struct item_list {
	const struct fathom_open_item **list;
	size_t count, room;
};

static void collect(struct item_list *items, const struct fathom_open_item *item)
{
	items->list = fathom_tool_grow(items->list, items->count, &items->room, sizeof(*items->list));
	items->list[items->count++] = item;
}

static void collect_singles(struct item_list *items, struct fathom_table *table)
{
	struct fathom_open_single *single = NULL;

	while ((single = fathom_table_next(table, single)) != NULL)
		collect(items, &single->item);
}

/* Leaves out the requests that are open, but for receives whose message is inside the window. */
static void collect_requests(struct fathom_open_state *state, struct item_list *items)
{
	struct fathom_open_single *single = NULL;

	while ((single = fathom_table_next(&state->requests, single)) != NULL) {
		single->is_left_out |= single->item.event.kind != FATHOM_RECORD_MPI_IRECV_REQUEST;
		if (!single->is_left_out)
			collect(items, &single->item);
	}
	while ((single = fathom_table_next(&state->file_operations, single)) != NULL)
		single->is_left_out = true;
}

/* Removes the threads that have ended, since the window does not have them; collects the creations of the others. */
static void collect_threads(struct fathom_open_state *state, struct item_list *items)
{
	struct fathom_open_thread *thread = NULL, **ended = NULL;
	size_t count = 0, room = 0;

	while ((thread = fathom_table_next(&state->threads, thread)) != NULL) {
		if (thread->is_created && !thread->is_ended)
			collect(items, &thread->creation);
		if (!thread->is_ended)
			continue;
		ended = fathom_tool_grow(ended, count, &room, sizeof(struct fathom_open_thread *));
		ended[count++] = thread;
	}
	while (count > 0)
		fathom_table_remove(&state->threads, ended[--count]);
	free(ended);
}

/* Writes what belongs to processes, in the order in which each location made it. */
static void open_of_processes(const struct writing *writing)
{
	struct fathom_open_state *state = writing->state;
	struct item_list items = { 0 };
	struct fathom_open_task *task = NULL;
	size_t i;

	collect_singles(&items, &state->comms);
	collect_singles(&items, &state->windows);
	collect_singles(&items, &state->handles);
	collect_requests(state, &items);
	collect_threads(state, &items);
	while ((task = fathom_table_next(&state->tasks, task)) != NULL)
		if (task->is_created)
			collect(&items, &task->creation);
	if (items.count)
		qsort(items.list, items.count, sizeof(*items.list), by_number);
	for (i = 0; i < items.count; i++)
		write_event(writing, &items.list[i]->event);
	free(items.list);
}

/* Returns how often the members of a team that began most often did so; 0: all parts are over. */
static uint64_t open_part(const struct fathom_open_team *team)
{
	uint64_t most = 0;
	bool is_open = false;
	uint32_t m;

	for (m = 0; m < team->size; m++)
		most = team->begun[m] > most ? team->begun[m] : most;
	for (m = 0; m < team->size; m++)
		is_open |= team->ended[m] < most;
	return is_open ? most : 0;
}

/*
 * Gives an empty part in each open team to the members that have none in the window: when it begins, those that have
 * ended their part already; when it ends, those that have not begun it yet.
 */
static void write_missing_parts(const struct writing *writing, bool is_begin)
{
	struct fathom_open_state *state = writing->state;
	size_t index;
	uint32_t m;

	for (index = 0; index < state->comm_count; index++) {
		struct fathom_open_team *team = state->teams[index];
		const struct fathom_otf2_comm *comm = fathom_otf2_at(state->defs, FATHOM_OTF2_COMM, index);
		const struct fathom_otf2_roster *roster;
		uint64_t part = team ? open_part(team) : 0;

		if (!part)
			continue;
		roster = fathom_otf2_roster(state->defs, comm->group);
		for (m = 0; m < team->size && m < roster->count; m++) {
			if (is_begin ? team->ended[m] < part : team->begun[m] >= part)
				continue;
			write_new(writing, FATHOM_RECORD_THREAD_TEAM_BEGIN, roster->location[m], comm->id, 0, 0, 0);
			write_new(writing, FATHOM_RECORD_THREAD_TEAM_END, roster->location[m], comm->id, 0, 0, 0);
		}
	}
}

/* Writes a switch to a task, NULL: to the implicit task of the location in that team. */
static void write_switch(const struct writing *writing, uint32_t location, const struct fathom_open_task *task,
			 uint64_t team)
{
	const struct fathom_otf2_comm *comm = fathom_otf2_find(writing->state->defs, FATHOM_OTF2_COMM, team);
	int64_t member = comm ? fathom_otf2_comm_location(writing->state->defs, comm, location) : -1;

	if (task)
		write_new(writing, FATHOM_RECORD_THREAD_TASK_SWITCH, location, team,
			  (uint32_t)(task->entry.key[2] >> 32),
			  (uint32_t)task->entry.key[2], 0);
	else
		write_new(writing, FATHOM_RECORD_THREAD_TASK_SWITCH, location, team, member < 0 ? 0 : (uint32_t)member,
			  0, 0);
}

/* Opens the regions of the tasks that ran before the window, at the locations where they ran last. A task that runs
 * on is the last one of its location. */
static void open_tasks(const struct writing *writing)
{
	struct fathom_open_state *state = writing->state;
	struct fathom_open_task *task = NULL;
	uint32_t i;

	while ((task = fathom_table_next(&state->tasks, task)) != NULL) {
		if (!task->is_started || task == state->places[task->location].task)
			continue;
		write_switch(writing, task->location, task, task->entry.key[1]);
		open_items(writing, &task->items, task->location, false);
		if (!state->places[task->location].task)
			write_switch(writing, task->location, NULL, task->entry.key[1]);
	}
	for (i = 0; i < state->place_count; i++) {
		task = state->places[i].task;
		if (!task)
			continue;
		write_switch(writing, i, task, task->entry.key[1]);
		open_items(writing, &task->items, i, false);
	}
}

static void close_task(const struct writing *writing, const struct fathom_open_task *task, uint32_t location)
{
	close_items(writing, &task->items, location, false);
	write_new(writing, FATHOM_RECORD_THREAD_TASK_COMPLETE, location, task->entry.key[1],
		  (uint32_t)(task->entry.key[2] >> 32), (uint32_t)task->entry.key[2], 0);
}

static void close_tasks(const struct writing *writing)
{
	struct fathom_open_state *state = writing->state;
	struct fathom_open_task *task = NULL;
	uint32_t i;

	for (i = 0; i < state->place_count; i++) {
		task = state->places[i].task;
		if (!task && state->places[i].after_task)
			write_switch(writing, i, NULL, state->places[i].after_team);
		if (!task)
			continue;
		close_task(writing, task, i);
		write_switch(writing, i, NULL, task->entry.key[1]);
	}
	task = NULL;
	while ((task = fathom_table_next(&state->tasks, task)) != NULL) {
		if (!task->is_started || task == state->places[task->location].task)
			continue;
		write_switch(writing, task->location, task, task->entry.key[1]);
		close_task(writing, task, task->location);
		write_switch(writing, task->location, NULL, task->entry.key[1]);
	}
}

void fathom_open_state_begin(struct fathom_open_state *state, uint64_t time, fathom_open_write *write, void *data)
{
	const struct writing writing = { state, time, write, data };
	struct fathom_open_lock *lock = NULL;
	uint32_t i;

	state->is_inside = true;
	while ((lock = fathom_table_next(&state->locks, lock)) != NULL)
		lock->before = lock->depth && lock->held ? lock->held - 1 : lock->last;
	for (i = 0; i < state->place_count; i++) {
		open_items(&writing, &state->places[i].items, i, false);
		state->places[i].skips_collective = state->places[i].in_collective;
		state->places[i].skips_window_collective = state->places[i].in_window_collective;
	}
	open_of_processes(&writing);
	for (i = 0; i < state->place_count; i++)	/* windows exist now */
		open_items(&writing, &state->places[i].items, i, true);
	write_missing_parts(&writing, true);
	open_tasks(&writing);
}

/* Writes the end of each communicator, window or handle that exists. */
static void close_singles(const struct writing *writing, struct fathom_table *table, enum fathom_record kind)
{
	struct fathom_open_single *single = NULL;

	while ((single = fathom_table_next(table, single)) != NULL)
		write_new(writing, kind, single->item.event.location, single->entry.key[1], 0, 0, 0);
}

static void close_operations(const struct writing *writing)
{
	struct fathom_open_state *state = writing->state;
	struct fathom_open_single *request = NULL;
	struct fathom_open_access *access = NULL;
	uint32_t i;

	while ((request = fathom_table_next(&state->requests, request)) != NULL)
		if (request->item.event.kind == FATHOM_RECORD_MPI_ISEND && !request->is_left_out)
			write_new(writing, FATHOM_RECORD_MPI_ISEND_COMPLETE, request->item.event.location, 0, 0, 0,
				  request->item.event.id);
	while ((access = fathom_table_next(&state->accesses, access)) != NULL)
		if (access->is_local || access->is_remote)
			write_new(writing, FATHOM_RECORD_RMA_OP_COMPLETE_REMOTE, access->event.location,
				  access->event.ref, 0, 0, access->event.id);
	for (i = 0; i < state->place_count; i++)
		close_items(writing, &state->places[i].items, i, true);
}

void fathom_open_state_end(struct fathom_open_state *state, uint64_t time, fathom_open_write *write, void *data)
{
	const struct writing writing = { state, time, write, data };
	uint32_t i;

	close_operations(&writing);
	close_singles(&writing, &state->handles, FATHOM_RECORD_IO_DESTROY_HANDLE);
	close_singles(&writing, &state->windows, FATHOM_RECORD_RMA_WIN_DESTROY);
	close_singles(&writing, &state->comms, FATHOM_RECORD_COMM_DESTROY);
	close_tasks(&writing);
	write_missing_parts(&writing, false);
	for (i = 0; i < state->place_count; i++)
		close_items(&writing, &state->places[i].items, i, false);
}
