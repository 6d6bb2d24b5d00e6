/*
 * window: a list of windows; the one that was used last is the first. Programs have few windows.
 */
#include "mpi/window.h"

#include "mpi/collective.h"

#include <string.h>
#include <sys/mman.h>

/* Epochs with more processes are not recorded for the search for wait states. */
enum { MOST_EPOCH_MEMBERS = 32 };

struct fathom_mpi_window {
	struct fathom_mpi_window *next;
	uint64_t key;
	uint32_t number;	/* of the window in the trace; FATHOM_NO_OBJECT without a trace */
	uint32_t log_number;	/* of fathom_event_window_note, or FATHOM_NO_OBJECT */
	bool memory;		/* MPI allocated memory for the window */
	int32_t size;
	uint32_t open;		/* operations that are not complete at their target */
	uint32_t groups[FATHOM_MPI_EPOCHS];	/* numbers in the trace of the ranks in the present epochs */
	/* The ranks in MPI_COMM_WORLD of the processes in the present epochs, for the search for wait states. */
	uint32_t members[FATHOM_MPI_EPOCHS][MOST_EPOCH_MEMBERS];
	uint32_t member_counts[FATHOM_MPI_EPOCHS];
	struct fathom_mpi_request *newest[];	/* by target: its newest operation; older ones follow by chain */
};

/* Protects the list of windows and their lists of operations; held for a walk; nests in nothing. */
static int lock;
static struct fathom_mpi_window *windows;

static size_t bytes_of(int32_t size)
{
	return sizeof(struct fathom_mpi_window) + (size_t)size * sizeof(struct fathom_mpi_request *);
}

/* Takes a window out of the list. The caller holds the lock. NULL: the window is not in the list. */
static struct fathom_mpi_window *take(uint64_t key)
{
	struct fathom_mpi_window **link = &windows, *window;

	while (*link && (*link)->key != key)
		link = &(*link)->next;
	window = *link;
	if (window)
		*link = window->next;
	return window;
}

static void put(struct fathom_mpi_window *window)
{
	window->next = windows;
	windows = window;
}

static struct fathom_mpi_window *find(MPI_Win win)
{
	struct fathom_mpi_window *window;

	fathom_mpi_lock(&lock);
	window = take(FATHOM_MPI_KEY(win));
	if (window)
		put(window);
	fathom_mpi_unlock(&lock);
	return window;
}

/* --- making and freeing windows ------------------------------------------------------------------ */

static void record_step(const struct fathom_mpi_window *window, enum fathom_rma_kind kind, int target, uint64_t id)
{
	fathom_event_rma_step(&(struct fathom_rma_step){
		.kind = kind,
		.window = window->number,
		.log_window = window->log_number,
		.target = target,
		.id = id,
		.has_memory = window->memory,
	});
}

void fathom_mpi_window_agreed(MPI_Comm comm)
{
	fathom_mpi_collective(comm, (struct fathom_mpi_transfer){ FATHOM_COLLECTIVE_WINDOW, FATHOM_NO_ROOT, 0, 0 });
}

void fathom_mpi_window_made(MPI_Comm comm_handle, MPI_Win win, bool memory)
{
	struct fathom_mpi_communicator *comm = fathom_mpi_communicator(comm_handle);
	struct fathom_mpi_window *window = comm ? fathom_mpi_pages(bytes_of(comm->base.size)) : NULL;
	struct fathom_mpi_window *stale;

	if (!window) {
		fathom_event_incomplete();
		return;
	}
	window->key = FATHOM_MPI_KEY(win);
	window->memory = memory;
	window->size = comm->base.size;
	for (int i = 0; i < FATHOM_MPI_EPOCHS; i++)
		window->groups[i] = FATHOM_NO_OBJECT;
	window->log_number = fathom_event_window_note(comm->base.number, ++comm->windows);
	window->number = FATHOM_NO_OBJECT;
	if (fathom_mpi_tracing)
		window->number = fathom_event_object_define(&(struct fathom_object){
			.kind = FATHOM_OBJECT_WINDOW,
			.comm = &comm->base,
		});
	if ((fathom_mpi_tracing ? window->number : window->log_number) == FATHOM_NO_OBJECT) {
		munmap(window, bytes_of(window->size));
		fathom_event_incomplete();
		return;
	}
	fathom_mpi_lock(&lock);
	stale = take(window->key);	/* the program freed it by a PMPI_ call, which no wrapper sees */
	put(window);
	fathom_mpi_unlock(&lock);
	if (stale)
		munmap(stale, bytes_of(stale->size));
	record_step(window, FATHOM_RMA_ALL_BEGIN, 0, 0);
	record_step(window, FATHOM_RMA_CREATED, 0, 0);
}

void fathom_mpi_window_named(MPI_Win win, const char *name, size_t length)
{
	struct fathom_mpi_window *window = find(win);
	char copy[MPI_MAX_OBJECT_NAME];

	if (!window)
		return;
	if (length >= sizeof(copy))
		length = sizeof(copy) - 1;
	memcpy(copy, name, length);
	copy[length] = '\0';
	fathom_event_window_name(window->number, copy);
}

struct fathom_mpi_window *fathom_mpi_window_detach_slow(MPI_Win win)
{
	struct fathom_mpi_window *window;

	fathom_mpi_lock(&lock);
	window = take(FATHOM_MPI_KEY(win));
	fathom_mpi_unlock(&lock);
	return window;
}

/* --- operations ---------------------------------------------------------------------------------- */

/* Returns the record for an operation on target: a new one if the operation has a request, else the one that operations
 * without a request share. The caller does not hold the lock. NULL: no memory. */
static struct fathom_mpi_request *begin(struct fathom_mpi_window *window, int target, bool has_get_only,
					MPI_Request handle)
{
	struct fathom_mpi_request *request;
	uint64_t key;

	if (handle == MPI_REQUEST_NULL) {
		fathom_mpi_lock(&lock);
		for (request = window->newest[target]; request; request = request->chain)
			if (request->active && !request->waits)
				break;
		fathom_mpi_unlock(&lock);
		if (request)
			return request;
	}
	key = handle == MPI_REQUEST_NULL ? FATHOM_MPI_KEY(window) : FATHOM_MPI_KEY(handle);
	request = fathom_mpi_request_create(key, FATHOM_MPI_REQUEST_RMA);
	if (!request)
		return NULL;
	request->window = window;
	request->peer = target;
	request->active = true;
	request->begin_recorded = true;
	request->waits = handle != MPI_REQUEST_NULL;
	request->only_gets = has_get_only;
	request->linked = true;
	fathom_mpi_lock(&lock);
	request->chain = window->newest[target];
	window->newest[target] = request;
	window->open++;
	fathom_mpi_unlock(&lock);
	return request;
}

void fathom_mpi_window_operation(MPI_Win win, enum fathom_rma_kind kind, int target, uint64_t bytes_put,
				 uint64_t bytes_got, MPI_Request handle)
{
	struct fathom_mpi_window *window = find(win);
	struct fathom_mpi_request *request = NULL;

	if (fathom_mpi_tracing && window && target >= 0 && target < window->size)
		request = begin(window, target, kind == FATHOM_RMA_GET, handle);
	if (!request) {
		if (fathom_mpi_tracing)
			fathom_event_incomplete();
		fathom_mpi_request_of_nothing(handle);
	}
	if (!window || (fathom_mpi_tracing && !request))
		return;
	fathom_event_rma_step(&(struct fathom_rma_step){
		.kind = kind,
		.window = window->number,
		.log_window = window->log_number,
		.target = target,
		.bytes_put = bytes_put,
		.bytes_got = bytes_got,
		.id = request ? request->number : 0,
	});
	if (request && handle != MPI_REQUEST_NULL)
		fathom_mpi_request_add(request);
}

/* Takes an operation out of its window's list. The caller holds the lock. */
static void unlink_operation(struct fathom_mpi_request *request)
{
	struct fathom_mpi_request **link = &request->window->newest[request->peer];

	while (*link != request)
		link = &(*link)->chain;
	*link = request->chain;
	request->linked = false;
	request->window->open--;
}

bool fathom_mpi_window_waited(struct fathom_mpi_request *request, bool recorded)
{
	struct fathom_mpi_window *window = request->window;
	bool was_active, is_over;

	fathom_mpi_lock(&lock);
	was_active = request->active;
	request->active = false;
	request->waits = false;
	/* The data of a get have arrived at the origin, so the operation is complete at its target, too. */
	is_over = request->linked && request->only_gets;
	if (is_over)
		unlink_operation(request);
	recorded = recorded && was_active;
	fathom_mpi_unlock(&lock);
	if (recorded)
		record_step(window, FATHOM_RMA_DONE_HERE, 0, request->number);
	if (recorded && is_over)
		record_step(window, FATHOM_RMA_DONE_THERE, 0, request->number);
	return !request->linked;
}

/* Records that all operations on target are complete at the origin and at the target. Takes the lock for each one
 * again, because another thread may wait for an operation meanwhile. */
static void complete_at_target(struct fathom_mpi_window *window, int target)
{
	struct fathom_mpi_request *request;
	bool was_active, drops;
	uint64_t number;

	for (;;) {
		fathom_mpi_lock(&lock);
		request = window->newest[target];
		if (!request) {
			fathom_mpi_unlock(&lock);
			return;
		}
		unlink_operation(request);
		was_active = request->active;
		request->active = false;
		drops = !request->waits;
		number = request->number;
		fathom_mpi_unlock(&lock);
		if (was_active)
			record_step(window, FATHOM_RMA_DONE_HERE, 0, number);
		record_step(window, FATHOM_RMA_DONE_THERE, 0, number);
		if (drops)
			fathom_mpi_request_drop(request);
	}
}

/* Records that the operations on target are complete at the origin. They stay in the list. */
static void complete_at_origin(struct fathom_mpi_window *window, int target)
{
	struct fathom_mpi_request *request;
	uint64_t number = 0;

	do {
		fathom_mpi_lock(&lock);
		for (request = window->newest[target]; request && !request->active; request = request->chain)
			continue;
		if (request) {
			request->active = false;
			number = request->number;
		}
		fathom_mpi_unlock(&lock);
		if (request)
			record_step(window, FATHOM_RMA_DONE_HERE, 0, number);
	} while (request);
}

static void complete_all(struct fathom_mpi_window *window, int target, bool only_at_origin)
{
	int first = target == FATHOM_RMA_EVERYBODY ? 0 : target;
	int end = target == FATHOM_RMA_EVERYBODY ? window->size : target + 1;

	if (first < 0 || end > window->size)
		return;
	for (int i = first; i < end && window->open; i++) {
		if (only_at_origin)
			complete_at_origin(window, i);
		else
			complete_at_target(window, i);
	}
}

void fathom_mpi_window_freed_slow(struct fathom_mpi_scope scope, struct fathom_mpi_window *window, int err)
{
	if (err != MPI_SUCCESS) {
		fathom_mpi_lock(&lock);
		put(window);
		fathom_mpi_unlock(&lock);
		return;
	}
	if (scope.region)
		record_step(window, FATHOM_RMA_ALL_BEGIN, 0, 0);
	complete_all(window, FATHOM_RMA_EVERYBODY, false);
	if (scope.region)
		record_step(window, FATHOM_RMA_FREED, 0, 0);
	munmap(window, bytes_of(window->size));
}

/* --- synchronisation ----------------------------------------------------------------------------- */

void fathom_mpi_window_synced(MPI_Win win, int target, enum fathom_mpi_sync how)
{
	struct fathom_mpi_window *window = find(win);

	if (!window || target == MPI_PROC_NULL)
		return;
	if (how == FATHOM_MPI_FENCE)
		record_step(window, FATHOM_RMA_ALL_BEGIN, 0, 0);
	complete_all(window, target, how == FATHOM_MPI_FLUSH_LOCAL);
	if (how == FATHOM_MPI_FENCE)
		record_step(window, FATHOM_RMA_FENCED, 0, 0);
	else if (how == FATHOM_MPI_UNLOCK)
		record_step(window, FATHOM_RMA_UNLOCK, target, 0);
	else
		record_step(window, FATHOM_RMA_FLUSHED, target, 0);
}

void fathom_mpi_window_locked(MPI_Win win, int target, int type)
{
	struct fathom_mpi_window *window = find(win);

	if (window && target != MPI_PROC_NULL)
		fathom_event_rma_step(&(struct fathom_rma_step){
			.kind = FATHOM_RMA_LOCK,
			.window = window->number,
			.log_window = window->log_number,
			.target = target,
			.is_shared = type == MPI_LOCK_SHARED,
		});
}

/* Returns the number of the ranks of a group in the trace. FATHOM_NO_OBJECT: they have none. */
static uint32_t ranks_of(MPI_Group group)
{
	uint32_t number = FATHOM_NO_OBJECT;
	int initialized = 0, size = 0, *ranks;
	bool known = true;
	MPI_Group world;

	PMPI_Initialized(&initialized);
	PMPI_Group_size(group, &size);
	ranks = initialized ? fathom_mpi_pages(2 * (size_t)size * sizeof(*ranks) + 1) : NULL;
	if (!ranks)
		return number;
	for (int i = 0; i < size; i++)
		ranks[i] = i;
	PMPI_Comm_group(MPI_COMM_WORLD, &world);
	PMPI_Group_translate_ranks(group, size, ranks, world, ranks + size);
	PMPI_Group_free(&world);
	for (int i = 0; i < size; i++)
		known &= ranks[size + i] != MPI_UNDEFINED;
	if (known)
		number = fathom_event_object_define(&(struct fathom_object){
			.kind = FATHOM_OBJECT_RANKS,
			.ranks = (const uint32_t *)ranks + size,
			.count = (uint32_t)size,
		});
	munmap(ranks, 2 * (size_t)size * sizeof(*ranks) + 1);
	return number;
}

/* Notes the processes of a group for the present epoch, for the search for wait states. */
static void note_members(struct fathom_mpi_window *window, MPI_Group group, enum fathom_mpi_epoch epoch)
{
	int members[MOST_EPOCH_MEMBERS], ranks[MOST_EPOCH_MEMBERS], initialized = 0, size = 0;
	MPI_Group world;

	window->member_counts[epoch] = 0;
	PMPI_Initialized(&initialized);
	PMPI_Group_size(group, &size);
	if (!initialized || size > MOST_EPOCH_MEMBERS)
		return;
	for (int i = 0; i < size; i++)
		members[i] = i;
	PMPI_Comm_group(MPI_COMM_WORLD, &world);
	PMPI_Group_translate_ranks(group, size, members, world, ranks);
	PMPI_Group_free(&world);
	for (int i = 0; i < size; i++) {
		if (ranks[i] == MPI_UNDEFINED)
			return;
		window->members[epoch][i] = (uint32_t)ranks[i];
	}
	window->member_counts[epoch] = (uint32_t)size;
}

static void record_epoch(const struct fathom_mpi_window *window, enum fathom_rma_kind kind, enum fathom_mpi_epoch epoch)
{
	fathom_event_rma_step(&(struct fathom_rma_step){
		.kind = kind,
		.window = window->number,
		.log_window = window->log_number,
		.ranks = window->groups[epoch],
		.members = window->members[epoch],
		.member_count = window->member_counts[epoch],
		.is_exposure = epoch == FATHOM_MPI_EXPOSURE,
	});
}

void fathom_mpi_window_opened(MPI_Win win, MPI_Group group, enum fathom_mpi_epoch epoch)
{
	struct fathom_mpi_window *window = find(win);

	if (!window)
		return;
	if (fathom_mpi_tracing)
		window->groups[epoch] = ranks_of(group);
	if (window->log_number != FATHOM_NO_OBJECT)
		note_members(window, group, epoch);
	record_epoch(window, FATHOM_RMA_OPENED, epoch);
}

void fathom_mpi_window_closed(MPI_Win win, enum fathom_mpi_epoch epoch)
{
	struct fathom_mpi_window *window = find(win);

	if (!window)
		return;
	if (epoch == FATHOM_MPI_ACCESS)
		complete_all(window, FATHOM_RMA_EVERYBODY, false);
	record_epoch(window, FATHOM_RMA_CLOSED, epoch);
}

void fathom_mpi_window_tested(MPI_Win win, bool over)
{
	struct fathom_mpi_window *window = find(win);

	if (window)
		record_epoch(window, over ? FATHOM_RMA_CLOSED : FATHOM_RMA_TESTED, FATHOM_MPI_EXPOSURE);
}
