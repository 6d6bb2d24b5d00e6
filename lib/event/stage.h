/*
 * stage: a part of the chain of functions that an enter or exit passes behind the door (enter_exit.h).
 *
 * At the start each substrate composes its chain from the stages that the settings ask for. A stage does its part and
 * calls the next stage as its last act, through a pointer of its own that is fixed from then on; so no register has to
 * be saved, and a stage that nobody asked for costs nothing. The last stage reads the clock, if no stage before
 * did, and ends the event. The chain of a profile and a trace with all their stages:
 *
 *	readings	the counters of FATHOM_METRICS are read (meter.h)
 *	metric records	they go to the trace (trace/trace.c)
 *	trace		the record of the enter or leave; reads the clock (trace/trace.c)
 *	folding		FATHOM_RECURSION=fold: where the region is active already, its call path (profile/folding.h)
 *	call path	else the call path below the caller's; visits and time (profile/callpath.h)
 *	counters	what the counters have counted goes to the call path (profile/metered.h)
 *	end		of the event; with a budget, sometimes a sampling point behind it (profile/sampling_point.h)
 *
 * A plain profile has call path alone, which ends the event itself: that is one jump from the door.
 */
#ifndef FATHOM_EVENT_STAGE_H
#define FATHOM_EVENT_STAGE_H

#include <stdint.h>

#include "platform/compiler.h"

struct fathom_frame;
struct fathom_location;

struct fathom_stage {
	/* frame->region was entered. The time was not read yet. Context: hook. */
	void (*enter)(struct fathom_location *self, struct fathom_frame *frame);
	/* The same, at the time now. Context: hook. */
	void (*enter_at)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
	/* The region of frame was left at the time now. Context: hook. */
	void (*exit)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
};

/* In end_stage.c. The end of a chain: keeps the time of an enter in the frame, and ends the event. Context: start. */
FATHOM_API struct fathom_stage fathom_event_end_stage(void);

#endif
