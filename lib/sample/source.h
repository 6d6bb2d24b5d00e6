/*
 * source: what interrupts one thread for samples of one event: a timer of the thread's processor time, or a counter.
 *
 * An armed source sends the thread FATHOM_SAMPLING_SIGNAL (sampling_signal.h) a given number of times, each time after
 * one period. At the last of these signals the handler arms the source again, with a period that differs at random from
 * the one that was asked for by up to a tenth. So a source never has more than that number of signals on the way,
 * however long a thread blocks signals; few samples need a system call; and samples do not keep step with a loop of the
 * program (doc/internals/sampling.md).
 *
 * There are two kinds. A perf event (source_perf.c) counts in the program only: the kernel drops what would interrupt
 * it inside a system call, so that no system call of the program fails with EINTR. A timer of the thread's processor
 * time (source_timer.c) is used for processor time where the kernel does not allow perf events; it is not faster than
 * the tick of the kernel.
 */
#ifndef FATHOM_SAMPLE_SOURCE_H
#define FATHOM_SAMPLE_SOURCE_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* What is sampled. */
struct fathom_sampled_event {
	char name[64];
	uint32_t number;	/* as in struct fathom_sample */
	uint32_t type;		/* of a perf event */
	uint64_t config;	/* of a perf event */
	uint64_t period;	/* between two samples: ns of processor time, or occurrences of the event */
};

struct fathom_source {
	const struct fathom_source_kind *kind;	/* NULL: not open. Written by the source's thread, read by others */
	const struct fathom_sampled_event *event;
	uint64_t identity;	/* of a perf event, which tells it from another file with the same number */
	uint64_t last_ns;	/* of a timer: the thread's processor time at the last sample */
	uint64_t due_ns;	/* of a timer: the processor time at which it is due */
	int number;		/* of the file or the timer */
};

struct fathom_source_kind {
	const char *name;	/* for people */
	/* Opens the source for the calling thread, not armed. source->event is set. 0 or -errno. Context: birth. */
	int (*open)(struct fathom_source *source);
	/* Returns whether the source has sent the signal. Context: signal. */
	bool (*has_sent)(const struct fathom_source *source, const siginfo_t *info);
	/* Returns what the sample that is being taken stands for, in the unit of the period. Context: signal. */
	uint64_t (*value)(struct fathom_source *source);
	/* Arms the source, which sends count signals, one after each period. Keeps no errno. Context: signal. */
	void (*arm)(struct fathom_source *source, uint64_t period, uint32_t count);
	/* Returns whether the signal was the last one that the source sends before it is armed again. Context:
	 * signal. */
	bool (*is_last)(const siginfo_t *info);
	/* Frees what open has made. In a child of fork, what it shares with the parent. Context: birth. */
	void (*close)(struct fathom_source *source);
	bool is_lost_in_fork;	/* a child of fork does not have the source, so there is nothing to close */
	/* Returns whether the kernel may send the signal to a thread inside a system call, which then fails. May be
	 * NULL. Context: start. */
	bool (*interrupts_calls)(void);
};

extern const struct fathom_source_kind fathom_source_perf;
extern const struct fathom_source_kind fathom_source_timer;

/* Returns the number of samples in a second that timers of processor time cannot exceed: the tick of the kernel.
 * Context: start. */
uint32_t fathom_source_timer_most(void);

/* Makes the event of processor time for that many samples in a second. Context: start. */
void fathom_source_time_event(struct fathom_sampled_event *event, uint32_t rate);

#endif
