/*
 * state: the measurement's state, as far as the core needs it. The rest of the state of a run is in run/run.h.
 *
 * lib/run defines it (start.c) and writes it: at the start, when a result has been written, and in a forked child.
 */
#ifndef FATHOM_EVENT_STATE_H
#define FATHOM_EVENT_STATE_H

#include <stdint.h>
#include <sys/types.h>

#include "event/substrate.h"
#include "platform/compiler.h"
#include "platform/settings.h"

enum fathom_phase {
	FATHOM_PHASE_OFF,		/* before the constructor, FATHOM_MODE=none, a forked child */
	FATHOM_PHASE_RECORDING,
	FATHOM_PHASE_UNIFIED,		/* the result is written; events are still recorded */
	FATHOM_PHASE_FINISHED,		/* the process's last result is written */
};

struct fathom_runtime {
	/* Read at every event: what stands in the substrate's table, and that itself; the rest is cold. */
	void (*enter)(struct fathom_location *self, struct fathom_frame *frame);
	void (*exit)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
	const struct fathom_substrate *substrate;
	volatile enum fathom_phase phase;
	pid_t pid;			/* of the process that is measured: not its forked children */
	struct fathom_settings settings;
	const struct fathom_region *program;	/* the root of every call tree */
	uint64_t begin_ticks;		/* when the program's work began */
};

extern FATHOM_HIDDEN struct fathom_runtime fathom;

/* Makes events go to substrate from now on. The process must still have one thread only. Context: start. */
static inline void fathom_runtime_use(const struct fathom_substrate *substrate)
{
	fathom.enter = substrate->enter;
	fathom.exit = substrate->exit;
	fathom.substrate = substrate;
}

#endif
