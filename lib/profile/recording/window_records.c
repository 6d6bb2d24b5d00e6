#include "profile/recording/window_records.h"

#include <string.h>

#include "define/region.h"
#include "profile/recording/callpath.h"
#include "profile/recording/wait_records.h"
#include "waits/recording.h"

/* Adds a part for each process of an epoch. */
static void add_epoch(struct fathom_location *self, const struct fathom_rma_step *step, struct fathom_waits_part part)
{
	for (uint32_t i = 0; i < step->member_count; i++) {
		part.peer = step->members[i];
		fathom_wait_record_part(self, part);
	}
}

/* Returns the step that a log has for a step of MPI; FATHOM_WAITS_RMA_STEPS: it has none. */
static enum fathom_waits_rma_step rma_step_of(const struct fathom_rma_step *step)
{
	switch (step->kind) {
	case FATHOM_RMA_PUT:
	case FATHOM_RMA_ACCUMULATE:
		return FATHOM_WAITS_RMA_PUT;
	case FATHOM_RMA_GET:
		return FATHOM_WAITS_RMA_GET;
	case FATHOM_RMA_FETCH:
	case FATHOM_RMA_SWAP:
		return FATHOM_WAITS_RMA_ATOMIC;
	case FATHOM_RMA_CREATED:
		return FATHOM_WAITS_RMA_CREATE;
	case FATHOM_RMA_FREED:
		return FATHOM_WAITS_RMA_FREE;
	case FATHOM_RMA_FENCED:
		return FATHOM_WAITS_RMA_FENCE;
	case FATHOM_RMA_LOCK:
		return FATHOM_WAITS_RMA_LOCK;
	case FATHOM_RMA_UNLOCK:
		return FATHOM_WAITS_RMA_UNLOCK;
	case FATHOM_RMA_FLUSHED:
		return FATHOM_WAITS_RMA_FLUSH;
	case FATHOM_RMA_OPENED:
		return step->is_exposure ? FATHOM_WAITS_RMA_POST : FATHOM_WAITS_RMA_START;
	case FATHOM_RMA_CLOSED:
		return step->is_exposure ? FATHOM_WAITS_RMA_WAIT : FATHOM_WAITS_RMA_COMPLETE;
	default:
		return FATHOM_WAITS_RMA_STEPS;
	}
}

/* Returns whether a step names its process by target. */
static bool has_target(enum fathom_waits_rma_step what)
{
	return what <= FATHOM_WAITS_RMA_ATOMIC || what >= FATHOM_WAITS_RMA_LOCK;
}

void fathom_window_record_step(struct fathom_location *self, const struct fathom_rma_step *step)
{
	const struct fathom_waits_recorded_comm *window = fathom_waits_window_find(step->log_window);
	enum fathom_waits_rma_step what = rma_step_of(step);
	struct fathom_waits_part part = {
		.kind = FATHOM_WAITS_RMA,
		.peer = FATHOM_WAITS_NO_PEER,
		.comm = step->log_window,
		.tag = (int32_t)what,
		.posted = FATHOM_WAITS_ITSELF,
	};

	if (!window || what == FATHOM_WAITS_RMA_STEPS)
		return;
	if (step->kind == FATHOM_RMA_OPENED || step->kind == FATHOM_RMA_CLOSED) {
		if (what == FATHOM_WAITS_RMA_WAIT && !strcmp(self->top->region->name, "MPI_Win_test"))
			part.flags = FATHOM_WAITS_TEST;
		add_epoch(self, step, part);
		return;
	}
	if (has_target(what) && step->target != FATHOM_RMA_EVERYBODY) {
		uint32_t rank = fathom_waits_member(&window->group, (uint32_t)step->target);

		part.peer = rank < FATHOM_WAITS_NO_PEER ? rank : FATHOM_WAITS_NO_PEER;
	}
	if (what == FATHOM_WAITS_RMA_LOCK && step->is_shared)
		part.flags = FATHOM_WAITS_IMPLICIT;
	fathom_wait_record_part(self, part);
}
