/*
 * state: the one struct fathom_runtime, for the files of lib/event.
 */
#ifndef FATHOM_EVENT_STATE_H
#define FATHOM_EVENT_STATE_H

#include <signal.h>
#include <sys/types.h>

#include "run/runtime.h"
#include "event/substrate.h"

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
	struct fathom_runtime_identity identity;
	fathom_region_resolver *resolver;
	const struct fathom_region *program;	/* the root of every call tree */
	uint64_t begin_ticks;
	uint64_t begin_processor_ns;	/* of processor time that the process had used before */
	uint64_t finalized_ticks;	/* when the result had been written together with the others, or, once that is
					 * over, when PMPI_Finalize returned */
	uint64_t finalized_waited_ns;	/* how long the thread had waited for a processor until then */
	int64_t begin_seconds;		/* since 1970 */
	const char *program_path;
	char arguments[4096];
	char host[256];
};

extern FATHOM_HIDDEN struct fathom_runtime fathom;

/* Events go to substrate from now on. Before there are threads. */
static inline void fathom_runtime_use(const struct fathom_substrate *substrate)
{
	fathom.enter = substrate->enter;
	fathom.exit = substrate->exit;
	fathom.substrate = substrate;
}

/* Any event so far? Without one nothing is written. */
bool fathom_runtime_has_events(void);

/* The process ends in an orderly way (destructor, quick_exit): writes what was not written yet, or waits for the
 * thread that does. The caller has blocked all signals. Context: finish. */
void fathom_runtime_end(void);

enum fathom_end {
	FATHOM_END_PERHAPS,		/* an exec, which may fail: then the process goes on */
	FATHOM_END_BY_ITSELF,
	FATHOM_END_BY_FORCE,
};

/*
 * The process is about to vanish without its destructors (_exit, exec, a fatal signal): saves what was recorded, or
 * waits for the thread that does. why: a few words. The caller has blocked all signals. Context: signal.
 */
void fathom_runtime_rescue(const char *why, enum fathom_end end);

/* jump.c: find what it interposes. Context: start. */
void fathom_jump_init(void);

/* ending.c: install handlers and fork hooks. Context: start. */
void fathom_ending_init(void);

/* Fatal signals are handled in this process. Context: signal. */
bool fathom_ending_has_handlers(void);

/* The C library's sigaction: the program's is ours. Context: signal. */
int fathom_ending_sigaction(int number, const struct sigaction *action, struct sigaction *old);

/* The signal goes to our handler; how it was handled before goes to old. Context: signal. */
void fathom_ending_catch(int number, struct sigaction *old);

#endif
