/*
 * team_parts: what threads did: teams, barriers, created threads, and locks.
 */
#include "tools/analyze/extraction.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"

/* Where a thread was created. */
struct creation {
	struct fathom_table_entry entry;	/* process, team, thread */
	uint32_t path;
};

const size_t fathom_extraction_creation_bytes = sizeof(struct creation);

/* --- teams ------------------------------------------------------------------------------------------- */

static void take_fork(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_extraction_fork *fork;
	struct fathom_waits_part part = { .kind = FATHOM_WAITS_FORK, .tag = (int32_t)event->count };

	extraction->forks = fathom_otf2_memory_grow(extraction->forks, extraction->fork_count, &extraction->fork_room,
						    sizeof(*extraction->forks));
	fork = &extraction->forks[extraction->fork_count++];
	*fork = (struct fathom_extraction_fork){
		.process = extraction->locations[event->location].process,
		.location = event->location,
		.anchor = fathom_extraction_path(extraction, event->location),
		.size = event->count,
	};
	fork->instance = extraction->instances[fork->process]++;
	part.comm = fork->instance;
	fathom_extraction_charge(extraction, event);
	fathom_extraction_part(extraction, event, part);
}

/* Returns the newest fork of the location that has not joined; NULL: there is none. */
static struct fathom_extraction_fork *fork_of(struct fathom_extraction *extraction, uint32_t location)
{
	size_t i;

	for (i = extraction->fork_count; i > 0; i--)
		if (extraction->forks[i - 1].location == location)
			return &extraction->forks[i - 1];
	return NULL;
}

static void take_join(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_extraction_fork *fork = fork_of(extraction, event->location);
	struct fathom_waits_part part = { .kind = FATHOM_WAITS_JOIN };

	fathom_extraction_charge(extraction, event);
	if (!fork)
		return;
	part.comm = fork->instance;
	fathom_extraction_part(extraction, event, part);
	extraction->fork_count--;
	memmove(fork, fork + 1, (size_t)(extraction->forks + extraction->fork_count - fork) * sizeof(*fork));
}

/* Returns how well a fork fits to a location that begins to work in the team comm; 0: not at all. Teams that were
 * forked by different threads at a time may have the same communicator. */
static int fit(const struct fathom_extraction_fork *fork, uint32_t process, uint32_t location, uint64_t comm)
{
	if (fork->process != process || (fork->has_comm && fork->comm != comm) || fork->begun >= fork->size)
		return 0;
	return 1 + fork->has_comm + 2 * (fork->location == location);
}

static struct fathom_extraction_fork *find_fork(struct fathom_extraction *extraction,
						const struct fathom_otf2_event *event)
{
	uint32_t process = extraction->locations[event->location].process;
	struct fathom_extraction_fork *best = NULL;
	int best_fit = 0;
	size_t i;

	for (i = extraction->fork_count; i > 0; i--) {
		int here = fit(&extraction->forks[i - 1], process, event->location, event->ref);

		if (here > best_fit) {
			best = &extraction->forks[i - 1];
			best_fit = here;
		}
	}
	return best;
}

static void take_team_begin(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_extraction_location *location = &extraction->locations[event->location];
	struct fathom_otf2_thread *thread = &extraction->stacks.threads[event->location];
	struct fathom_extraction_fork *fork = find_fork(extraction, event);
	const struct fathom_otf2_comm *comm = fathom_otf2_find(&extraction->trace->defs, FATHOM_OTF2_COMM, event->ref);
	int64_t number = comm ? fathom_otf2_comm_location(&extraction->trace->defs, comm, event->location) : -1;
	struct fathom_extraction_team team = { .anchor = FATHOM_NO_CALL_PATH };
	struct fathom_waits_part part = { .kind = FATHOM_WAITS_TEAM_BEGIN };

	fathom_extraction_charge(extraction, event);
	if (fork) {
		fork->has_comm = true;
		fork->comm = event->ref;
		fork->begun++;
		team.anchor = fork->anchor;
		team.instance = fork->instance;
		team.is_known = true;
	}
	team.number = number < 0 ? 0 : (uint32_t)number;
	location->teams = fathom_otf2_memory_grow(location->teams, thread->team_count, &location->team_room,
						  sizeof(*location->teams));
	location->teams[thread->team_count] = team;
	fathom_otf2_stacks_enter_team(&extraction->stacks, event->location, event->ref);
	part.comm = team.instance;
	part.peer = team.number;
	if (team.is_known)
		fathom_extraction_part(extraction, event, part);
}

static void take_team_end(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_waits_part part = { .kind = FATHOM_WAITS_TEAM_END };
	const struct fathom_extraction_team *team = fathom_extraction_team(extraction, event->location);

	fathom_extraction_charge(extraction, event);
	part.comm = team->instance;
	part.peer = team->number;
	if (fathom_otf2_stacks_team(&extraction->stacks, event->location) && team->is_known)
		fathom_extraction_part(extraction, event, part);
	fathom_otf2_stacks_leave_team(&extraction->stacks, event->location);
}

void fathom_extraction_barrier(struct fathom_extraction *extraction, const struct fathom_otf2_event *event,
			       bool is_implicit)
{
	struct fathom_extraction_team *team = fathom_extraction_team(extraction, event->location);
	struct fathom_waits_part part = { .kind = FATHOM_WAITS_BARRIER };

	if (!fathom_otf2_stacks_team(&extraction->stacks, event->location) || !team->is_known)
		return;
	part.flags = is_implicit ? FATHOM_WAITS_IMPLICIT : 0;
	part.comm = team->instance;
	part.peer = team->number;
	part.tag = (int32_t)team->barriers++;
	fathom_extraction_part(extraction, event, part);
}

/* --- created threads ----------------------------------------------------------------------------------- */

static void take_thread(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_extraction_location *location = &extraction->locations[event->location];
	struct creation *creation = fathom_table_find(&extraction->creations, location->process, event->ref, event->id);

	fathom_extraction_charge(extraction, event);
	switch (event->kind) {
	case FATHOM_RECORD_THREAD_CREATE:
		if (!creation)
			creation = fathom_table_add(&extraction->creations, location->process, event->ref, event->id);
		creation->path = fathom_extraction_path(extraction, event->location);
		break;
	case FATHOM_RECORD_THREAD_BEGIN:
		if (!creation)
			break;
		location->teams[0].anchor = creation->path;
		fathom_table_remove(&extraction->creations, creation);
		break;
	default:
		break;
	}
}

void fathom_extraction_thread(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	switch (event->kind) {
	case FATHOM_RECORD_THREAD_FORK:
	case FATHOM_RECORD_OMP_FORK:
		take_fork(extraction, event);
		break;
	case FATHOM_RECORD_THREAD_JOIN:
	case FATHOM_RECORD_OMP_JOIN:
		take_join(extraction, event);
		break;
	case FATHOM_RECORD_THREAD_TEAM_BEGIN:
		take_team_begin(extraction, event);
		break;
	case FATHOM_RECORD_THREAD_TEAM_END:
		take_team_end(extraction, event);
		break;
	default:
		take_thread(extraction, event);
		break;
	}
}

/* --- locks ------------------------------------------------------------------------------------------------ */

/* Returns the class of a lock. Outside of all calls it is released at the end of a critical construct. */
static uint32_t lock_class(enum fathom_region_use use, uint32_t paradigm, bool is_acquired)
{
	if (paradigm == OTF2_PARADIGM_OPENMP)
		return use == FATHOM_USE_LOCK ? FATHOM_WAITS_OMP_LOCK : FATHOM_WAITS_CRITICAL;
	return use == FATHOM_USE_CONDITION && is_acquired ? FATHOM_WAITS_CONDITION : FATHOM_WAITS_MUTEX;
}

void fathom_extraction_lock(struct fathom_extraction *extraction, const struct fathom_otf2_event *event)
{
	struct fathom_extraction_location *location = &extraction->locations[event->location];
	enum fathom_region_use use = location->open.use;
	bool is_acquired = event->kind == FATHOM_RECORD_THREAD_ACQUIRE_LOCK ||
			   event->kind == FATHOM_RECORD_OMP_ACQUIRE_LOCK;
	struct fathom_waits_part part = {
		.kind = is_acquired ? FATHOM_WAITS_LOCK : FATHOM_WAITS_UNLOCK,
		.comm = (uint32_t)event->id << 4 ^ event->op,
		.tag = (int32_t)event->tag,
	};

	if (extraction->without_logs)
		return;
	fathom_extraction_charge(extraction, event);
	part.peer = lock_class(use, event->op, is_acquired);
	if (is_acquired) {
		fathom_extraction_part(extraction, event, part);
		/* The operation ends here: the body of a critical construct is inside of its region. */
		if (use == FATHOM_USE_CRITICAL || use == FATHOM_USE_LOCK || use == FATHOM_USE_CONDITION)
			fathom_extraction_end(extraction, event->location, event->time);
		return;
	}
	/* A wait for a condition first releases the lock, in an operation of its own, and then waits to acquire it. */
	location->open.use = use == FATHOM_USE_BARRIER || use == FATHOM_USE_IMPLICIT_BARRIER ? use : FATHOM_USE_NONE;
	fathom_extraction_part(extraction, event, part);
	if (use == FATHOM_USE_CONDITION)
		fathom_extraction_begin(extraction, event, use);
	else if (location->open.use == FATHOM_USE_NONE)
		location->open.use = use;
}
