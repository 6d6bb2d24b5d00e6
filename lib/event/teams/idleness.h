/*
 * idleness: how many threads of a team are idle at a time, and which working threads are blamed for it.
 *
 * A thread of a team is idle while it waits in a barrier or for tasks, outside of explicit tasks; otherwise it works.
 * While W of the T threads of a team work, each of the W is blamed for (T - W) / W of the time: together for the time
 * of all idle threads. A thread is not notified when others begin or end to be idle. Instead each team has an idle
 * clock: the integral of (T - W) / W over time. At its own events a working thread adds what the clock has advanced
 * since its last such event to the call path in which it has been since then. So the blame is exact to the event.
 *
 * The clock stands still while all threads work. Enters and exits read it only while it moves in any team: then
 * fathom.enter and fathom.exit are the functions of idle_stage.c, which call the substrate's chain. So enters and exits
 * cost nothing more where no thread is idle.
 */
#ifndef FATHOM_EVENT_IDLENESS_H
#define FATHOM_EVENT_IDLENESS_H

#include <stdbool.h>
#include <stdint.h>

#include "event/location.h"
#include "event/teams/idle_clock.h"
#include "event/teams/tasks.h"
#include "platform/compiler.h"

/* Charge the innermost call path, and call the substrate's chain (idle_stage.c). Context: hook. */
void fathom_idle_stage_enter(struct fathom_location *self, struct fathom_frame *frame);
void fathom_idle_stage_exit(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);

/* Returns whether the innermost region of the thread is one in which it is idle. Context: hook. */
static inline bool fathom_idleness_is_idle(const struct fathom_frame *frame)
{
	return frame->flags & FATHOM_FRAME_IDLE;
}

/*
 * For team.c and task.c; now: the time in ticks. fathom_idleness_reset: team gets its first thread soon.
 * fathom_idleness_join: self begins to work in team. fathom_idleness_leave: self has left team, and was idle until then
 * or not. fathom_idleness_note: self is about to change to another task or team: charges its innermost call path.
 * fathom_idleness_changed: self has changed to another task; was_idle: whether it was idle before. Context: hook.
 */
void fathom_idleness_reset(struct fathom_team *team);
void fathom_idleness_join(struct fathom_location *self, struct fathom_team *team, uint64_t now);
void fathom_idleness_leave(struct fathom_location *self, struct fathom_team *team, bool was_idle, uint64_t now);
void fathom_idleness_note(struct fathom_location *self, uint64_t now);
void fathom_idleness_changed(struct fathom_location *self, bool was_idle, uint64_t now);

/* Returns the team whose clock counts for self; NULL: none. Context: hook. */
static inline struct fathom_team *fathom_idleness_team(const struct fathom_location *self)
{
	return self->leads ? self->leads : self->team;
}

#endif
