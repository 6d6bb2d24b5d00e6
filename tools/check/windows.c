#include "tools/check/windows.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/check/check.h"
#include "tools/check/fault_reports.h"
#include "tools/check/meetings.h"
#include "tools/common/command.h"

enum { DONE_MOST = 4096 };	/* complete operations that are kept, since a completion at the target may follow */

struct operation {
	struct fathom_table_entry entry;	/* process, window, id */
	struct operation *before, *after;	/* neighbours in the list of the window and process */
	uint64_t time;
	uint32_t location, target;
	bool local, remote;		/* the completion here, or at the target, is missing */
};

struct use {			/* the use of a window by a process */
	struct fathom_table_entry entry;	/* process, window */
	struct operation *first, *last;	/* the list of operations, in the order of time */
	uint32_t done;			/* how many of them are complete */
	bool created, destroyed, said;
};

struct lock {
	struct fathom_table_entry entry;	/* process, window, target << 32 | lock */
	uint64_t time;
	uint32_t location;
};

struct fathom_check_windows {
	struct fathom_table operations, uses, locks;
	struct fathom_check_meetings **meetings;	/* by window, NULL: none yet */
	uint64_t *created, *destroyed;	/* by window: members that created it, and that destroyed it */
	size_t count;
};

void fathom_check_windows_init(struct fathom_check *check)
{
	struct fathom_check_windows *part = fathom_tool_alloc(1, sizeof(*part));

	fathom_table_init(&part->operations, sizeof(struct operation));
	fathom_table_init(&part->uses, sizeof(struct use));
	fathom_table_init(&part->locks, sizeof(struct lock));
	part->count = fathom_otf2_count(&check->trace.defs, FATHOM_OTF2_WINDOW);
	part->meetings = fathom_tool_alloc(part->count, sizeof(struct fathom_check_meetings *));
	part->created = fathom_tool_alloc(part->count, sizeof(uint64_t));
	part->destroyed = fathom_tool_alloc(part->count, sizeof(uint64_t));
	check->windows = part;
}

static const char *window_name(const struct fathom_check *check, uint64_t id, char name[300])
{
	return fathom_otf2_name(&check->trace.defs, FATHOM_OTF2_WINDOW, id, name, 300);
}

static const struct fathom_otf2_comm *comm_of(const struct fathom_check *check,
					      const struct fathom_otf2_window *window)
{
	return window->comm < 0 ? NULL : fathom_otf2_at(&check->trace.defs, FATHOM_OTF2_COMM, (uint64_t)window->comm);
}

static struct use *use_of(struct fathom_check *check, uint32_t process, uint64_t window)
{
	struct fathom_table *uses = &check->windows->uses;
	struct use *use = fathom_table_find(uses, process, window, 0);

	return use ? use : fathom_table_add(uses, process, window, 0);
}

/* --- life ----------------------------------------------------------------------------------------------- */

static void take_life(struct fathom_check *check, const struct fathom_otf2_event *event, struct use *use)
{
	uint64_t index = (uint64_t)fathom_otf2_index(&check->trace.defs, FATHOM_OTF2_WINDOW, event->ref);
	bool is_creation = event->kind == FATHOM_RECORD_RMA_WIN_CREATE;
	const char *wrong = NULL;
	char name[300];

	if (is_creation)
		wrong = use->created ? "created a second time" : NULL;
	else
		wrong = !use->created ? "destroyed, but was never created" :
			use->destroyed ? "destroyed a second time" : NULL;
	if (wrong) {
		fathom_check_fault(check, FATHOM_FAULT_WINDOW, event, "%s is %s", window_name(check, event->ref, name),
				   wrong);
		return;
	}
	*(is_creation ? &use->created : &use->destroyed) = true;
	(is_creation ? check->windows->created : check->windows->destroyed)[index]++;
}

static void check_use(struct fathom_check *check, const struct fathom_otf2_event *event, struct use *use)
{
	const struct fathom_otf2_window *window = fathom_check_definition(check, event);
	char name[300];

	if (!(window->flags & OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS) || use->said ||
	    (use->created && !use->destroyed))
		return;
	use->said = true;
	fathom_check_fault(check, FATHOM_FAULT_WINDOW, event, "%s is used %s", window_name(check, event->ref, name),
			   use->created ? "after it was destroyed" : "before it is created");
}

/* --- operations -------------------------------------------------------------------------------------------- */

static void forget(struct fathom_check *check, struct use *use, struct operation *operation)
{
	*(operation->before ? &operation->before->after : &use->first) = operation->after;
	*(operation->after ? &operation->after->before : &use->last) = operation->before;
	use->done -= !operation->local && !operation->remote;
	fathom_table_remove(&check->windows->operations, operation);
}

static void check_target(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_window *window = fathom_check_definition(check, event);
	const struct fathom_otf2_comm *comm = comm_of(check, window);
	uint32_t process = fathom_check_process(check, event->location);
	char name[300];

	if (comm && fathom_otf2_comm_peer(&check->trace.defs, comm, process, event->peer) < 0)
		fathom_check_fault(check, FATHOM_FAULT_RANK, event, "there is no rank %u in %s", event->peer,
				   window_name(check, event->ref, name));
}

static void take_operation(struct fathom_check *check, const struct fathom_otf2_event *event, uint32_t process,
			   struct use *use)
{
	struct fathom_table *operations = &check->windows->operations;
	struct operation *operation = fathom_table_find(operations, process, event->ref, event->id);

	check_target(check, event);
	if (!operation) {
		operation = fathom_table_add(operations, process, event->ref, event->id);
		operation->before = use->last;
		*(use->last ? &use->last->after : &use->first) = operation;
		use->last = operation;
	} else if (!operation->local && !operation->remote) {
		use->done--;
	}
	operation->time = event->time;
	operation->location = event->location;
	operation->target = event->peer;
	operation->local = true;
	if (event->kind != FATHOM_RECORD_RMA_GET)
		operation->remote = true;
}

/* Removes old complete operations. They are kept for a while, because a get may also complete at the target. */
static void limit_done(struct fathom_check *check, struct use *use)
{
	struct operation *operation, *after;

	if (use->done <= DONE_MOST)
		return;
	for (operation = use->first; operation && use->done > DONE_MOST / 2; operation = after) {
		after = operation->after;
		if (!operation->local && !operation->remote)
			forget(check, use, operation);
	}
}

static void take_completion(struct fathom_check *check, const struct fathom_otf2_event *event, uint32_t process,
			    struct use *use)
{
	struct operation *operation = fathom_table_find(&check->windows->operations, process, event->ref, event->id);
	char name[300];

	if (!operation) {
		fathom_check_fault(check, FATHOM_FAULT_ONE_SIDED, event, "operation %" PRIu64 " on %s is not under way",
				   event->id, window_name(check, event->ref, name));
		return;
	}
	if (event->kind == FATHOM_RECORD_RMA_OP_TEST)
		return;
	if (event->kind == FATHOM_RECORD_RMA_OP_COMPLETE_REMOTE) {
		/* An operation that is complete at the target is also complete here. */
		forget(check, use, operation);
		return;
	}
	if (operation->local && !operation->remote)
		use->done++;
	operation->local = false;
	limit_done(check, use);
}

/* Marks the operations of a process on a window as complete at a target; UINT32_MAX: at all targets. */
static void synchronize(struct fathom_check *check, struct use *use, uint32_t target)
{
	struct operation *operation, *after;

	for (operation = use->first; operation; operation = after) {
		after = operation->after;
		if (target != UINT32_MAX && operation->target != target)
			continue;
		if (!operation->local) {
			forget(check, use, operation);
			continue;
		}
		operation->remote = false;
	}
}

/* --- locks and collectives --------------------------------------------------------------------------------- */

static void take_lock(struct fathom_check *check, const struct fathom_otf2_event *event, uint32_t process,
		      struct use *use)
{
	struct fathom_table *locks = &check->windows->locks;
	uint64_t key = (uint64_t)event->peer << 32 | (uint32_t)event->id;
	struct lock *lock = fathom_table_find(locks, process, event->ref, key);
	char name[300];

	if (event->peer != OTF2_UNDEFINED_UINT32)
		check_target(check, event);
	window_name(check, event->ref, name);
	if (event->kind == FATHOM_RECORD_RMA_REQUEST_LOCK || (event->kind == FATHOM_RECORD_RMA_TRY_LOCK && !lock)) {
		if (lock)
			fathom_check_fault(check, FATHOM_FAULT_WINDOW_LOCK, event,
					   "the lock of %s is requested a second time", name);
		else
			lock = fathom_table_add(locks, process, event->ref, key);
		lock->time = event->time;
		lock->location = event->location;
	} else if (!lock) {
		fathom_check_fault(check, FATHOM_FAULT_WINDOW_LOCK, event, "the lock of %s was not requested", name);
	} else if (event->kind == FATHOM_RECORD_RMA_RELEASE_LOCK) {
		fathom_table_remove(locks, lock);
		synchronize(check, use, event->peer);
	}
}

static void take_collective_end(struct fathom_check *check, const struct fathom_otf2_event *event, uint32_t process,
				struct use *use)
{
	struct fathom_check_windows *part = check->windows;
	struct fathom_check_location *location = &check->locations[event->location];
	const struct fathom_otf2_window *window = fathom_check_definition(check, event);
	const struct fathom_otf2_comm *comm = comm_of(check, window);
	uint64_t index = (uint64_t)fathom_otf2_index(&check->trace.defs, FATHOM_OTF2_WINDOW, event->ref);
	int64_t member = comm ? fathom_otf2_comm_process(&check->trace.defs, comm, process) : -1;
	char name[300];

	window_name(check, event->ref, name);
	if (location->window_collectives == 0)
		fathom_check_fault(check, FATHOM_FAULT_BRACKET, event,
				   "a collective on a window ends that did not begin");
	else
		location->window_collectives--;
	if (event->tag & OTF2_RMA_SYNC_LEVEL_MEMORY)
		synchronize(check, use, UINT32_MAX);
	if (comm && member < 0)
		fathom_check_fault(check, FATHOM_FAULT_RANK, event, "the process is no member of %s", name);
	if (member < 0 || comm->is_self)
		return;
	if (!part->meetings[index])
		part->meetings[index] = fathom_check_meetings_create(fathom_otf2_comm_size(&check->trace.defs, comm));
	fathom_check_meet(check, part->meetings[index], &(struct fathom_check_part){
		.member = (uint32_t)member, .op = event->op, .level = event->tag, .root = event->peer,
		.location = event->location, .time = event->time, .is_inter = comm->is_inter,
	}, FATHOM_FAULT_WINDOW_MEMBERS, name);
}

void fathom_check_windows_event(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	uint32_t process = fathom_check_process(check, event->location);
	struct use *use;

	if (event->kind == FATHOM_RECORD_RMA_COLLECTIVE_BEGIN) {
		if (check->locations[event->location].window_collectives++ > 0)
			fathom_check_fault(check, FATHOM_FAULT_BRACKET, event,
					   "a collective on a window begins inside another one");
		return;
	}
	use = use_of(check, process, event->ref);
	/* The collective that creates or destroys a window ends when the window exists already, or no longer. */
	if (event->kind == FATHOM_RECORD_RMA_COLLECTIVE_END) {
		take_collective_end(check, event, process, use);
		return;
	}
	if (event->kind == FATHOM_RECORD_RMA_WIN_CREATE || event->kind == FATHOM_RECORD_RMA_WIN_DESTROY) {
		if (event->kind == FATHOM_RECORD_RMA_WIN_DESTROY)
			synchronize(check, use, UINT32_MAX);
		take_life(check, event, use);
		return;
	}
	check_use(check, event, use);
	switch (event->kind) {
	case FATHOM_RECORD_RMA_PUT:
	case FATHOM_RECORD_RMA_GET:
	case FATHOM_RECORD_RMA_ATOMIC: take_operation(check, event, process, use); break;
	case FATHOM_RECORD_RMA_OP_COMPLETE_BLOCKING:
	case FATHOM_RECORD_RMA_OP_COMPLETE_NON_BLOCKING:
	case FATHOM_RECORD_RMA_OP_TEST:
	case FATHOM_RECORD_RMA_OP_COMPLETE_REMOTE: take_completion(check, event, process, use); break;
	case FATHOM_RECORD_RMA_REQUEST_LOCK:
	case FATHOM_RECORD_RMA_ACQUIRE_LOCK:
	case FATHOM_RECORD_RMA_TRY_LOCK:
	case FATHOM_RECORD_RMA_RELEASE_LOCK: take_lock(check, event, process, use); break;
	case FATHOM_RECORD_RMA_GROUP_SYNC:
		if (event->tag & OTF2_RMA_SYNC_LEVEL_MEMORY)
			synchronize(check, use, UINT32_MAX);
		break;
	default: break;
	}
}

/* --- the end -------------------------------------------------------------------------------------------------- */

static void finish_window(struct fathom_check *check, size_t index)
{
	const struct fathom_check_windows *part = check->windows;
	const struct fathom_otf2_window *window = fathom_otf2_at(&check->trace.defs, FATHOM_OTF2_WINDOW, index);
	const struct fathom_otf2_comm *comm = comm_of(check, window);
	uint64_t created = part->created[index], destroyed = part->destroyed[index];
	uint32_t size = comm ? fathom_otf2_comm_size(&check->trace.defs, comm) : 0;
	char name[300];

	window_name(check, window->id, name);
	if (part->meetings[index])
		fathom_check_meetings_finish(check, part->meetings[index], comm, FATHOM_FAULT_WINDOW_MEMBERS, name);
	fathom_check_meetings_destroy(part->meetings[index]);
	if (!(window->flags & OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS) || !comm)
		return;
	if (!comm->is_self && created != size)
		fathom_fault_say(&check->output.faults, FATHOM_FAULT_WINDOW, NULL,
				 "%s is created by %" PRIu64 " of its %u members",
				 name, created, size);
	else if (destroyed != 0 && destroyed != created)
		fathom_fault_say(&check->output.faults, FATHOM_FAULT_WINDOW, NULL,
				 "%s is created by %" PRIu64 " processes and "
				 "destroyed by %" PRIu64, name, created, destroyed);
}

void fathom_check_windows_finish(struct fathom_check *check)
{
	struct fathom_check_windows *part = check->windows;
	const struct operation *operation = NULL;
	const struct lock *lock = NULL;
	char name[300];
	uint32_t i;

	for (i = 0; i < fathom_otf2_count(&check->trace.defs, FATHOM_OTF2_LOCATION); i++)
		if (check->locations[i].window_collectives)
			fathom_check_fault_at(check, FATHOM_FAULT_BRACKET, i, UINT64_MAX,
					      "a collective on a window begins that never ends");
	while ((operation = fathom_table_next(&part->operations, operation)) != NULL)
		if (operation->local || operation->remote)
			fathom_check_fault_at(check, FATHOM_FAULT_ONE_SIDED, operation->location, operation->time,
					      "operation %" PRIu64 " on %s never completes%s", operation->entry.key[2],
					      window_name(check, operation->entry.key[1], name),
					      operation->local ? "" : " at its target");
	while ((lock = fathom_table_next(&part->locks, lock)) != NULL)
		fathom_check_fault_at(check, FATHOM_FAULT_WINDOW_LOCK, lock->location, lock->time,
				      "the lock of %s is never released", window_name(check, lock->entry.key[1], name));
	for (i = 0; i < part->count; i++)
		finish_window(check, i);
	fathom_table_fini(&part->operations);
	fathom_table_fini(&part->uses);
	fathom_table_fini(&part->locks);
	free(part->meetings);
	free(part->created);
	free(part->destroyed);
	free(part);
	check->windows = NULL;
}
