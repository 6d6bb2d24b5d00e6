#include "event/teams/idleness.h"

#include "define/region.h"
#include "event/frame.h"
#include "event/state.h"
#include "event/teams/tasks.h"
#include "event/teams/waiting.h"
#include "platform/clock.h"

/* A thread that finds the clock of its team locked for so many attempts gives up: the thread that has locked it was
 * stopped, or a signal handler has left it by a jump. */
enum { MOST_ATTEMPTS = 100000 };

/* Number of teams whose clocks move, and a lock for the pointers that depend on it. */
static struct {
	uint32_t lock;
	uint32_t moving;
} clocks;

static bool is_recorded(void)
{
	return fathom.substrate && fathom.substrate->idle_blame;
}

static bool lock(uint32_t *place)
{
	for (int i = 0; i < MOST_ATTEMPTS; i++) {
		if (!fathom_peek(place) && !__atomic_exchange_n(place, 1, __ATOMIC_ACQUIRE))
			return true;
#if defined(__x86_64__)
		__builtin_ia32_pause();
#endif
	}
	return false;
}

static void unlock(uint32_t *place)
{
	__atomic_store_n(place, 0, __ATOMIC_RELEASE);
}

/* One more team's clock moves (step is 1), or one less (-1). */
static void count_moving(int step)
{
	bool charges;

	if (!lock(&clocks.lock))
		return;
	clocks.moving += (uint32_t)step;
	charges = clocks.moving && fathom.phase == FATHOM_PHASE_RECORDING;
	fathom_poke(&fathom.enter, charges ? fathom_idle_stage_enter : fathom.substrate->chain.enter);
	fathom_poke(&fathom.exit, charges ? fathom_idle_stage_exit : fathom.substrate->chain.exit);
	unlock(&clocks.lock);
}

static bool is_moving(const struct fathom_idle_clock *clock)
{
	return clock->begun > clock->working;
}

/* Returns the number of idle threads for each working one, in 2^-20; 0 if no thread works. */
static uint64_t rate_of(uint32_t idle, uint32_t working)
{
	/* 2^20 / W, rounded, so that most changes need no division. */
	static const uint32_t quotients[] = { 0, 1048576, 524288, 349525, 262144, 209715, 174763, 149797, 131072 };

	if (likely(working < sizeof(quotients) / sizeof(*quotients)))
		return (uint64_t)idle * quotients[working];
	return ((uint64_t)idle << 20) / working;
}

/* Changes the numbers of threads at the time now. Returns the reading then. */
static uint64_t change(struct fathom_idle_clock *clock, int begun, int working, uint64_t now)
{
	bool was_moving, moves;
	uint64_t reading;

	if (!lock(&clock->lock))
		return fathom_idle_reading(clock, now);
	was_moving = is_moving(clock);
	if (now < clock->since_ticks)
		now = clock->since_ticks;
	fathom_poke(&clock->sequence, clock->sequence + 1);
	__atomic_thread_fence(__ATOMIC_RELEASE);	/* pairs with the fence in fathom_idle_reading */
	reading = clock->reading + (uint64_t)((unsigned __int128)(now - clock->since_ticks) * clock->rate >>
					      (20 - FATHOM_IDLE_SHIFT));
	clock->begun += (uint32_t)begun;
	clock->working += (uint32_t)working;
	fathom_poke(&clock->reading, reading);
	fathom_poke(&clock->since_ticks, now);
	fathom_poke(&clock->rate, is_moving(clock) ? rate_of(clock->begun - clock->working, clock->working) : 0);
	__atomic_store_n(&clock->sequence, clock->sequence + 1, __ATOMIC_RELEASE);
	moves = is_moving(clock);
	unlock(&clock->lock);
	if (unlikely(moves != was_moving))
		count_moving(moves ? 1 : -1);
	return reading;
}

/* Charges the call path of frame for what the clock has advanced until reading. */
static void charge(struct fathom_location *self, const struct fathom_frame *frame, uint64_t reading)
{
	uint64_t blame = reading - self->idle_mark;

	self->idle_mark = reading;
	if (blame && frame->node && (int64_t)blame > 0)
		fathom.substrate->idle_blame(self, frame->node, blame);
}

/* Returns the team if idleness in it is recorded: it has several threads. */
static struct fathom_team *team_of(const struct fathom_location *self)
{
	struct fathom_team *team = fathom_idleness_team(self);

	return team && team->size > 1 ? team : NULL;
}

void fathom_idleness_reset(struct fathom_team *team)
{
	if (is_moving(&team->idle_clock) && is_recorded())
		count_moving(-1);
	team->idle_clock = (struct fathom_idle_clock){ .sequence = team->idle_clock.sequence & ~1u };
}

void fathom_idleness_join(struct fathom_location *self, struct fathom_team *team, uint64_t now)
{
	if (!is_recorded() || team->size <= 1)
		return;
	if (team->leader == self)
		team->outer_idle_mark = self->idle_mark;
	self->idle_mark = change(&team->idle_clock, 1, 1, now);
}

void fathom_idleness_leave(struct fathom_location *self, struct fathom_team *team, bool was_idle, uint64_t now)
{
	struct fathom_idle_clock *clock = &team->idle_clock;
	struct fathom_team *outer;

	if (!is_recorded() || team->size <= 1)
		return;
	if (team->leader != self) {
		if (fathom_peek(&clock->begun))
			change(clock, -1, was_idle ? 0 : -1, now);
		return;
	}
	/* The team is over, even if some workers have not reported their ends yet. */
	change(clock, -(int)clock->begun, -(int)clock->working, now);
	outer = team_of(self);
	self->idle_mark = team->outer_idle_mark;
	if (outer)
		charge(self, self->top, fathom_idle_reading(&outer->idle_clock, now));
}

void fathom_idleness_note(struct fathom_location *self, uint64_t now)
{
	struct fathom_team *team = is_recorded() ? team_of(self) : NULL;

	if (team && !fathom_idleness_is_idle(self->top))
		charge(self, self->top, fathom_idle_reading(&team->idle_clock, now));
}

void fathom_idleness_changed(struct fathom_location *self, bool was_idle, uint64_t now)
{
	struct fathom_team *team = is_recorded() ? team_of(self) : NULL;
	bool is_idle = fathom_idleness_is_idle(self->top);

	if (team && is_idle != was_idle)
		self->idle_mark = change(&team->idle_clock, 0, is_idle ? -1 : 1, now);
}

/* --- the functions that wrappers call ------------------------------------------------------------------ */

static bool waits_in(const struct fathom_frame *frame)
{
	const struct fathom_region *region = frame->region;

	return !(frame->flags & (FATHOM_FRAME_PLACEHOLDER | FATHOM_FRAME_BOTTOM | FATHOM_FRAME_IDLE)) && region &&
	       (region->role == FATHOM_ROLE_BARRIER || region->role == FATHOM_ROLE_IMPLICIT_BARRIER ||
		region->role == FATHOM_ROLE_TASK_WAIT);
}

static __attribute__((noinline)) void begin_waiting(struct fathom_location *self, struct fathom_team *team,
						    uintptr_t here)
{
	struct fathom_frame *frame = self->top;

	if (self->busy || !is_recorded() || !waits_in(frame))
		return;
	fathom_location_begin(self, here);
	charge(self, frame - 1, change(&team->idle_clock, 0, -1, frame->enter_ticks));
	fathom_poke(&frame->flags, frame->flags | FATHOM_FRAME_IDLE);
	fathom_location_end(self, frame);
}

/* Charges the call path that created the present task for the task's waiting in the innermost region. The frames of a
 * task count no time in which the task is suspended. */
static FATHOM_COLD void charge_task(struct fathom_location *self, uintptr_t here)
{
	const struct fathom_frame *frame = self->top;
	const struct fathom_region *region = frame->region;

	if (self->busy || !fathom.substrate->task_wait || !self->task->origin || !region ||
	    region->role != FATHOM_ROLE_TASK_WAIT || (frame->flags & FATHOM_FRAME_PLACEHOLDER))
		return;
	fathom_location_begin(self, here);
	fathom.substrate->task_wait(self, self->task->origin, fathom_clock_ticks() - frame->enter_ticks);
	fathom_location_end(self, self->top);
}

bool fathom_event_blames_for_waiting(void)
{
	return is_recorded();
}

void fathom_event_wait_begin(void)
{
	struct fathom_location *self = fathom_self;
	struct fathom_team *team = fathom_idleness_team(self);

	if (team && team->size > 1)
		begin_waiting(self, team, (uintptr_t)__builtin_dwarf_cfa());
}

void fathom_event_wait_end(void)
{
	struct fathom_location *self = fathom_self;
	struct fathom_frame *frame = self->top;
	struct fathom_team *team;

	if (unlikely(self->task))
		charge_task(self, (uintptr_t)__builtin_dwarf_cfa());
	if (!fathom_idleness_is_idle(frame) || self->busy)
		return;
	team = team_of(self);
	if (!team)
		return;
	fathom_location_begin(self, (uintptr_t)__builtin_dwarf_cfa());
	self->idle_mark = change(&team->idle_clock, 0, 1, fathom_clock_ticks_after());
	fathom_poke(&frame->flags, frame->flags & ~(uint32_t)FATHOM_FRAME_IDLE);
	fathom_location_end(self, frame);
}
