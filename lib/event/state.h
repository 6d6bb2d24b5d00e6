/*
 * state: the part of the measurement's state that the core needs. run/run.h has the rest of the state of a run.
 *
 * lib/run defines the variable fathom (start.c) and writes to it: at the start, after it has written a result, and in
 * a forked child.
 */
#ifndef FATHOM_EVENT_STATE_H
#define FATHOM_EVENT_STATE_H

#include <stdint.h>
#include <sys/types.h>

#include "event/substrate.h"
#include "platform/compiler.h"
#include "platform/settings.h"

enum fathom_phase {
	FATHOM_PHASE_OFF,		/* before the constructor, with FATHOM_MODE=none, and in a forked child */
	FATHOM_PHASE_RECORDING,
	FATHOM_PHASE_UNIFIED,		/* the result is written; events are still recorded */
	FATHOM_PHASE_FINISHED,		/* the last result of the process is written */
};

struct fathom_runtime {
	/* Every event reads these: two functions of the substrate, copied from its table, and the table. Events
	 * read none of the other members. */
	void (*enter)(struct fathom_location *self, struct fathom_frame *frame);
	void (*exit)(struct fathom_location *self, struct fathom_frame *frame, uint64_t now);
	const struct fathom_substrate *substrate;
	/* While this is false, the substrate needs no records about requests besides the arrival of a message. */
	const bool *follows_requests;
	enum fathom_phase phase;	/* read by fathom_peek and written by fathom_poke: any thread may do both */
	pid_t pid;			/* the process that is measured, not one of its forked children */
	struct fathom_settings settings;
	const struct fathom_region *program;	/* the root region of every call tree */
	uint64_t begin_ticks;		/* when the program began to run */
};

extern FATHOM_HIDDEN struct fathom_runtime fathom;

/* Makes events go to substrate from now on. The process must still have one thread only. Context: start. */
static inline void fathom_runtime_use(const struct fathom_substrate *substrate)
{
	fathom.enter = substrate->chain.enter;
	fathom.exit = substrate->chain.exit;
	fathom.substrate = substrate;
	fathom.follows_requests = substrate->follows_requests;
}

#endif
