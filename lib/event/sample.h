/*
 * sample: what one sample of a thread says: the machine frames between the interrupted instruction and the innermost
 * recorded frame of the thread's location.
 *
 * lib/sample makes samples in a signal handler and hands them to the substrate (event/substrate.h). The frames stay as
 * they are only during that call.
 */
#ifndef FATHOM_EVENT_SAMPLE_H
#define FATHOM_EVENT_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

/* One machine frame. */
struct fathom_sample_frame {
	uintptr_t address;	/* the interrupted instruction in the innermost frame; a return address in all others */
	uintptr_t function;	/* the first instruction of its function, by its unwind information; 0: not known */
};

struct fathom_sample {
	const struct fathom_sample_frame *frames;	/* innermost first */
	uint32_t count;		/* of frames; may be 0 */
	bool is_partial;	/* the unwinder reached neither the innermost recorded frame nor the thread's outermost
				 * machine frame */
	bool has_own;		/* the outermost of frames is the machine frame of the recorded region itself, or of the
				 * thread's outermost function: it says where in that function the sample was taken, or
				 * the function called the next frame */
	uint32_t event;		/* number of the sampled event; FATHOM_SAMPLE_TIME: processor time */
	uint64_t period;	/* what the sample stands for: nanoseconds of processor time, or counts of the event */
	uint64_t mean_period;	/* what one sample of the event stands for on average */
	const char *name;	/* of the event; lives as long as the process */
};

/* The sampled event that every run has, if it samples at all. */
enum { FATHOM_SAMPLE_TIME = 0 };

/* A sampled event. The texts live as long as the process. */
struct fathom_sample_event {
	const char *name;	/* "time", "cycles", "PAPI_L2_TCM" */
	const char *unit;	/* "sec", "occ" */
	const char *description;	/* one line */
};

/* What a process says about its samples when its result is written (event/result.h). */
struct fathom_sampling {
	const char *source;	/* what supplies the samples of processor time, for people: "perf cpu-clock" */
	uint64_t rate;		/* how many of these the settings ask for, per second of processor time of a thread */
	uint64_t dropped;	/* samples that no substrate got, because the thread was inside the core */
	const struct fathom_sample_event *events;	/* by their numbers */
	uint32_t event_count;
};

#endif
