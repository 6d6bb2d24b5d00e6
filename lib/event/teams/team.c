#include "event/teams/team.h"

#include <stddef.h>
#include <string.h>

#include "event/event.h"
#include "event/frame.h"
#include "event/pause.h"
#include "event/state.h"
#include "event/teams/idleness.h"
#include "event/teams/tasks.h"
#include "platform/clock.h"

#define HERE ((uintptr_t)__builtin_dwarf_cfa())

/* --- fork and join --------------------------------------------------------------------------- */

static bool forks;	/* set by the first reported fork, whether it is recorded or not */

bool fathom_event_forks(void)
{
	return __atomic_load_n(&forks, __ATOMIC_RELAXED);
}

static uint32_t team_level(const struct fathom_location *leader)
{
	uint32_t level = 0;

	for (const struct fathom_team *team = leader->leads; team; team = team->outer_leads)
		level++;
	return level;
}

/* Returns a team of the leader that no thread uses any more, or a new one. NULL: no memory. */
static struct fathom_team *unused_team(struct fathom_location *leader)
{
	struct fathom_team **end = &leader->forked;

	for (; *end; end = &(*end)->next)
		if (!__atomic_load_n(&(*end)->references, __ATOMIC_ACQUIRE))	/* pairs with release() */
			return *end;
	*end = fathom_arena_alloc(&leader->arena, sizeof(**end));
	return *end;
}

static FATHOM_COLD int make_places(struct fathom_team *team, uint32_t threads)
{
	uint32_t room = threads < 8 ? 8 : threads;
	struct fathom_location **places = fathom_arena_alloc(&team->leader->arena, room * sizeof(*places));

	if (!places)
		return -1;
	if (team->room)
		memcpy(places, team->places, team->room * sizeof(*places));
	team->places = places;
	team->room = room;
	return 0;
}

static void release(struct fathom_team *team)
{
	__atomic_fetch_sub(&team->references, 1, __ATOMIC_RELEASE);
}

static void end_orphan(struct fathom_location *worker);

struct fathom_team *fathom_event_fork(const struct fathom_region *parallel, const struct fathom_region *management,
				      uint32_t threads, enum fathom_team_places places)
{
	struct fathom_location *self;
	struct fathom_frame *frame = fathom_frame_block(&self, HERE);
	struct fathom_team *team;
	uint64_t now;

	if (unlikely(!fathom_event_forks()))
		__atomic_store_n(&forks, true, __ATOMIC_RELAXED);
	if (!frame)
		return NULL;
	team = unused_team(self);
	if (!team) {
		fathom_location_drop(self, FATHOM_DROP_MEMORY);
		return NULL;
	}
	team->leader = self;
	team->has_logical_places = places == FATHOM_PLACES_LOGICAL;
	team->end_orphan = end_orphan;
	if (unlikely(places == FATHOM_PLACES_LOGICAL && threads > team->room && make_places(team, threads))) {
		fathom_location_drop(self, FATHOM_DROP_MEMORY);
		return NULL;
	}
	team->parallel = parallel;
	team->management = management;
	team->level = team_level(self);
	team->end_ticks = 0;
	team->records = 0;
	fathom_idleness_reset(team);
	fathom_location_begin(self, HERE);
	team->origin = fathom.substrate->origin(self);
	fathom_location_end(self, self->top);
	team->depth = (uint32_t)(frame - self->root);
	__atomic_store_n(&team->references, 1, __ATOMIC_RELAXED);
	now = fathom_clock_ticks();
	fathom_frame_enter_at(self, frame, parallel, HERE, now);
	team->is_placeholder = fathom_frame_is_placeholder(frame);
	team->is_paused = self->is_paused;
	frame = fathom_frame_room(self, HERE);
	if (frame)
		fathom_frame_enter_at(self, frame, management, HERE, now);
	FATHOM_NOTIFY(self, HERE, fork, team, threads, now);
	return team;
}

/* --- the leader's part ----------------------------------------------------------------------- */

/* Returns the frame of the parallel region. NULL: the leader is not on the stack of frames on which it forked. */
static struct fathom_frame *parallel_frame(const struct fathom_team *team)
{
	const struct fathom_location *self = team->leader;
	struct fathom_frame *frame = self->root + team->depth;

	return frame <= self->top && fathom_frame_region(frame) == team->parallel ? frame : NULL;
}

static void lead(struct fathom_team *team)
{
	struct fathom_location *self = team->leader;
	struct fathom_frame *frame = parallel_frame(team);
	uint64_t now = fathom_clock_ticks();

	if (!frame || team->led)
		return;
	fathom_frame_pop_to(self, frame, HERE, now);
	fathom_idleness_note(self, now);
	fathom_location_begin(self, HERE);
	team->outer_task = self->task;
	team->outer_implicit = self->implicit;
	team->outer_leads = self->leads;
	self->task = NULL;	/* the following regions belong to an implicit task */
	self->leads = team;
	team->led = true;
	fathom_location_end(self, self->top);
	__atomic_fetch_add(&team->references, 1, __ATOMIC_RELAXED);
	fathom_idleness_join(self, team, now);
	FATHOM_NOTIFY(self, HERE, chain.team_begin, team, 0, now);
}

static void stop_leading(struct fathom_team *team, uint64_t now)
{
	struct fathom_location *self = team->leader;
	struct fathom_frame *frame;

	team->led = false;
	fathom_poke(&team->end_ticks, now);
	if (self->leads == team) {
		bool was_idle = fathom_idleness_is_idle(self->top);

		fathom_idleness_note(self, now);
		fathom_task_leave(self, now);
		frame = parallel_frame(team);
		if (frame) {
			fathom_frame_note_open(self, frame, frame->region);
			fathom_frame_pop_to(self, frame, HERE, now);
		}
		FATHOM_NOTIFY(self, HERE, chain.team_end, team, now);
		fathom_location_begin(self, HERE);
		self->task = team->outer_task;
		self->implicit = team->outer_implicit;
		self->leads = team->outer_leads;
		fathom_location_end(self, self->top);
		fathom_idleness_leave(self, team, was_idle, now);
		frame = frame ? fathom_frame_room(self, HERE) : NULL;
		if (frame)
			fathom_frame_enter_at(self, frame, team->management, HERE, now);
	}
	release(team);
}

/* --- the workers' part ----------------------------------------------------------------------- */

/* Returns the location of the thread outside of teams. A thread whose last team did not report its end is still on
 * the logical place of that team. */
static struct fathom_location *thread_alone(void)
{
	struct fathom_location *self = fathom_self;

	while (self->outer && !self->team)
		self = self->outer;
	return self == fathom_location_ignored() || !fathom_location_is_none(self) ? self : fathom_location_ignored();
}

/* Returns the logical place with this number, and creates it at its first use. NULL: no memory, or number is too
 * large. */
static struct fathom_location *logical_place(struct fathom_team *team, uint32_t number)
{
	struct fathom_location *place;

	if (number >= team->room)
		return NULL;
	place = team->places[number];
	if (!place) {
		place = fathom_location_create(FATHOM_KIND_WORKER, team->leader, number, team->level);
		team->places[number] = place;
	}
	return place;
}

/* Returns the calling thread's own location, and creates it if there is none. NULL: no memory. */
static struct fathom_location *own_place(struct fathom_team *team, uint32_t number)
{
	struct fathom_location *self = fathom_self;

	if (!fathom_location_is_none(self))
		return self;
	self = fathom_location_create(FATHOM_KIND_WORKER, team->leader, number, team->level);
	if (self)
		fathom_location_adopt(self);
	return self;
}

static void work(struct fathom_team *team, uint32_t number)
{
	bool is_logical = team->has_logical_places;
	struct fathom_location *self = is_logical ? logical_place(team, number) : own_place(team, number);
	struct fathom_frame *frame;
	uint64_t now;

	if (!self || self->busy)
		return;
	if (self->team)			/* the end of that team was not reported */
		fathom_event_team_end(self->team);
	if (is_logical) {
		fathom_location_adopt_places();
		self->outer = thread_alone();
		fathom_self = self;
	}
	frame = fathom_frame_room(self, HERE);
	if (!frame)
		return;
	__atomic_fetch_add(&team->references, 1, __ATOMIC_RELAXED);
	fathom_location_begin(self, HERE);
	frame->region = NULL;
	fathom_poke(&frame->stack, FATHOM_STACK_HIGHEST);
	fathom_poke(&frame->flags, FATHOM_FRAME_ANCHOR | FATHOM_FRAME_UNTRACED);
	fathom.substrate->chain.anchor(self, frame, team->origin);
	fathom_poke(&self->team, team);
	fathom_location_end(self, frame);
	now = fathom_clock_ticks_after();
	fathom_idleness_join(self, team, now);
	FATHOM_NOTIFY(self, HERE, chain.team_begin, team, number, now);
	if (unlikely(team->is_paused)) {
		fathom_location_set_paused(self, true);
		fathom_pause_notify(self, HERE, false, fathom_clock_ticks());
	}
	fathom_event_enter_block(team->parallel);
}

/* Returns the team anchor: the frame below the worker's regions in the team. */
static struct fathom_frame *team_anchor(struct fathom_location *self)
{
	struct fathom_frame *frame = self->top;

	while (frame > self->root && !(frame->flags & FATHOM_FRAME_ANCHOR))
		frame--;
	return frame;
}

/* Ends the work of the location self in the team. The calling thread may also be the leader. */
static void stop_working(struct fathom_location *self, struct fathom_team *team, uint64_t now)
{
	struct fathom_frame *frame;
	bool was_idle = fathom_idleness_is_idle(self->top);

	fathom_idleness_note(self, now);
	fathom_task_leave(self, now);
	if (self->lost_depth)
		fathom_frame_forget_lost(self);
	frame = team_anchor(self);
	if (now < self->top->enter_ticks)	/* the worker came to the barrier after the leader had left it */
		now = self->top->enter_ticks;
	fathom_frame_note_open(self, frame, NULL);
	fathom_frame_pop_to(self, frame, HERE, now);
	fathom_pause_end(self, HERE, now);
	if (frame > self->root)
		fathom_poke(&self->top, frame - 1);
	FATHOM_NOTIFY(self, HERE, chain.team_end, team, now);
	fathom_poke(&self->team, NULL);
	fathom_idleness_leave(self, team, was_idle, now);
	self->is_orphaned = false;
	fathom_location_set_limit(self);
	release(team);
}

static void end_orphan(struct fathom_location *worker)
{
	struct fathom_team *team = worker->team;
	uint64_t end = fathom_peek(&team->end_ticks);

	if (end)
		stop_working(worker, team, end);
}

/* --- the functions that wrappers call ----------------------------------------------------------- */

void fathom_event_team_begin(struct fathom_team *team, uint32_t number, uint32_t size)
{
	if (!team)
		return;
	/* Most teams have the size of the team before; without a store the cache line stays shared. */
	if (fathom_peek(&team->size) != size)
		fathom_poke(&team->size, size);
	if (fathom_self != team->leader)
		work(team, number);
	else if (!fathom_self->busy)
		lead(team);
}

void fathom_event_team_wait(const struct fathom_region *barrier)
{
	struct fathom_location *self = fathom_self;

	if (self->busy || !self->team || self->top->region != barrier)
		return;
	fathom_poke(&self->top->flags, self->top->flags | FATHOM_FRAME_ORPHANED);
	self->is_orphaned = true;
	fathom_location_set_limit(self);
}

void fathom_event_team_end(struct fathom_team *team)
{
	struct fathom_location *self = fathom_self;
	bool is_place;
	uint64_t end;

	if (!team || self->busy)
		return;
	if (self == team->leader) {
		if (team->led)
			stop_leading(team, fathom_clock_ticks());
		return;
	}
	if (self->team != team)
		return;
	/* The leader may take the team for another parallel region as soon as this thread has stopped working in it. */
	is_place = team->has_logical_places;
	/* A thread on a logical place reports its end at once; other threads may learn late that the team is over. */
	end = is_place ? 0 : fathom_peek(&team->end_ticks);
	stop_working(self, team, end ? end : fathom_clock_ticks());
	if (is_place)
		fathom_self = self->outer;
}

/* Ends the work of logical places that have not reported their end; at the join their threads have ended it. */
static void end_places(struct fathom_team *team, uint64_t now)
{
	for (uint32_t i = 0; i < team->room; i++) {
		struct fathom_location *place = team->places[i];

		if (place && place->team == team && !place->busy)
			stop_working(place, team, now);
	}
}

void fathom_event_join(struct fathom_team *team)
{
	uint64_t now = fathom_clock_ticks_after();
	struct fathom_location *self = fathom_self;
	struct fathom_frame *frame;

	if (!team || self != team->leader || self->busy)
		return;
	if (team->led)
		stop_leading(team, now);
	if (team->has_logical_places &&
	    __atomic_load_n(&team->references, __ATOMIC_ACQUIRE) != 1)
		end_places(team, now);
	frame = parallel_frame(team);
	if (frame)
		fathom_frame_pop_to(self, frame - 1, HERE, now);
	FATHOM_NOTIFY(self, HERE, join, team, now);
	release(team);
}
