/*
 * stage: a function in the chain that an enter or exit passes after the core has handled it (enter_exit.h).
 *
 * At the start each substrate composes its chain from the stages that the settings need. A stage does its part and
 * calls the next stage as its last act, through a static pointer that does not change later. So the compiler need not
 * save any register, and a stage that no setting needs costs nothing. If no earlier stage has read the clock, the
 * last stage reads it; the last stage also ends the event. Late hooks need stages that use few registers: HACKING.md
 * says what a new stage needs. The chain of a profile and a trace with all their stages:
 *
 *	readings	reads the counters of FATHOM_METRICS (meter.h)
 *	metric records	writes the readings to the trace (trace/trace.c)
 *	trace		reads the clock and writes the record of the enter or leave (trace/trace.c)
 *	folding		FATHOM_RECURSION=fold: uses the call path of a visit that is active already
 *			(profile/recording/folding.h)
 *	call path	finds the call path below the caller's; adds the visit and the time
 *			(profile/recording/callpath.h)
 *	counters	adds the differences of the readings to the call path (profile/recording/metered.h)
 *	end		ends the event; with a budget, sometimes checks the budget then
 *			(profile/budget/sampling_point.h)
 *
 * The chain of a plain profile is the stage of the call path alone, which ends the event itself: one jump from the
 * core.
 */
#ifndef FATHOM_EVENT_STAGE_H
#define FATHOM_EVENT_STAGE_H

#include <stdint.h>

#include "platform/compiler.h"

struct fathom_frame;
struct fathom_location;

struct fathom_stage {
	/* frame->region was entered; the clock has not been read yet. Context: hook. */
	void (*enter)(struct fathom_location *self, struct fathom_frame *frame);
	/* frame->region was entered at the time now. Context: hook. */
	void (*enter_at)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
	/* The region of frame was left at the time now. Context: hook. */
	void (*exit)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
};

/* Returns the last stage of a chain (end_stage.c), which keeps the time of an enter in the frame and ends the event.
 * Context: start. */
FATHOM_API struct fathom_stage fathom_event_end_stage(void);

#endif
