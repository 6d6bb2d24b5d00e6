/*
 * stage: a part of the chain that an event passes after the core has handled it (enter_exit.h, task.h, team.h).
 *
 * At the start each substrate composes its chain from the stages that the settings need, from the end: a function
 * X_before gets the stage that shall follow X, and returns a copy of it in which the functions of X take the place of
 * those for the events that X takes part in. So an event passes only the stages that do something for it, and a stage
 * that no setting needs costs nothing. A stage does its part and calls the next stage as its last act, through a static
 * pointer that does not change later; then the compiler need not save any register. If no earlier stage has read the
 * clock of an enter, the last stage reads it; the last stage also ends the event. Late hooks need stages that use few
 * registers: HACKING.md says what a new stage needs. The chain of a profile and a trace with all their stages:
 *
 *	idle threads	FATHOM_IDLENESS, only while threads of a team are idle: charges the call path that the thread
 *			was in (idleness.h). It is not composed, but put in front of the chain at such times
 *	counter turns	FATHOM_METRICS_ROTATE: when a call has begun, may change the group of counters that the thread
 *			counts (counter_turns.h)
 *	readings	reads the counters of FATHOM_METRICS (meter.h)
 *	metric records	writes the readings to the trace (trace/records/metric_records.h)
 *	trace		reads the clock and writes the record of the enter or leave (trace/trace.c), and those of
 *			teams and tasks (trace/records/team_records.h). FATHOM_TRACE_GRANULARITY: keeps enters of
 *			functions pending (trace/records/pending_enters.h), and writes the metric records of enters
 *			and leaves itself
 *	folding		FATHOM_RECURSION=fold: uses the call path of a visit that is active already
 *			(profile/recording/folding.h)
 *	call path	finds the call path below the caller's; adds the visit and the time
 *			(profile/recording/callpath.h, anchor_nodes.h, task_call_paths.h)
 *	counters	adds the differences of the readings to the call path (profile/recording/metered.h)
 *	bursts		FATHOM_BURSTS: records the stretches between calls of MPI and OpenMP
 *			(profile/recording/burst_stage.h)
 *	end		ends the event; with a budget, sometimes checks the budget then
 *			(profile/budget/sampling_point.h)
 *
 * The chain of a plain profile is the stage of the call path alone, which ends the event itself: one jump from the
 * core.
 */
#ifndef FATHOM_EVENT_STAGE_H
#define FATHOM_EVENT_STAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_frame;
struct fathom_location;
struct fathom_task;
struct fathom_team;

/* The functions of a stage, each followed by those of the later stages. The core calls all except birth between
 * fathom_location_begin and fathom_location_end. */
struct fathom_stage {
	/* A location is created; root is its lowest frame. 0 or -errno: the location cannot record. Context: birth. */
	int (*birth)(struct fathom_location *self, struct fathom_frame *root);

	/* frame->region was entered; the clock has not been read yet. Context: hook. */
	void (*enter)(struct fathom_location *self, struct fathom_frame *frame);
	/* frame->region was entered at the time now. Context: hook. */
	void (*enter_at)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
	/* The region of frame was left at the time now. Context: hook. */
	void (*exit)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);

	/* frame is an anchor: the regions above it appear below the call path origin. There is no exit for frame.
	 * Context: hook. */
	void (*anchor)(struct fathom_location *self, struct fathom_frame *frame, void *origin);
	/* An explicit task begins or ends at now; frame is its lowest frame, with the region of the task. Context:
	 * hook. */
	void (*task_begin)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
	void (*task_end)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
	/* A task is suspended, or continues: called for each of its frames, from the lowest. No time counts for a
	 * suspended task. is_moved: it continues on another location than the one that suspended it. Context: hook. */
	void (*suspend)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
	void (*resume)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now, bool is_moved);

	/*
	 * Records of teams and tasks in addition to the regions; all NULL in a chain without a trace and without the
	 * stage of bursts. For one location,
	 * now is never smaller than in earlier calls, except in team_end (see event/teams/team.h). task_start: from
	 * now on the location executes task, which begins. task_complete: the task that the location executes ends; a
	 * task_switch follows (substrate.h). Context: hook.
	 */
	void (*team_begin)(struct fathom_location *self, struct fathom_team *team, uint32_t number, uint64_t now);
	void (*team_end)(struct fathom_location *self, struct fathom_team *team, uint64_t now);
	void (*task_start)(struct fathom_location *self, const struct fathom_task *task, uint64_t now);
	void (*task_complete)(struct fathom_location *self, const struct fathom_task *task, uint64_t now);
};

/* Returns the last stage of a chain (end_stage.c), which keeps the time of an enter in the frame and ends the event;
 * for other events it does nothing. Context: start. */
FATHOM_API struct fathom_stage fathom_event_end_stage(void);

#endif
