/*
 * capacity: how many processors a run may use, and whether its threads share processors.
 *
 * Threads share processors if some processes together have more threads than processors in the union of their affinity
 * masks, or more threads than their control group allows. This finds two ranks that are bound to the same processor,
 * even if the node has more processors than ranks.
 *
 * Processors are counted in thousandths ("millis"), because the limit of a control group need not be whole.
 */
#ifndef FATHOM_SYSTEM_CAPACITY_H
#define FATHOM_SYSTEM_CAPACITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

enum {
	FATHOM_PROCESSOR_WORDS = 128,	/* 8192 bits: the largest number of processors that Linux supports */
	FATHOM_PROCESSORS_TEXT = 2048,	/* largest text of fathom_processors_describe, bytes */
};

struct fathom_processors {		/* of one process, or of several with the same mask and control group */
	uint64_t mask[FATHOM_PROCESSOR_WORDS];	/* all 0: unknown */
	uint64_t group;			/* identifies the control group with a limit; 0: no limit */
	uint64_t group_millis;		/* limit of the control group */
	uint32_t processes;
	uint32_t threads;		/* largest number of threads at a time */
};

/* Processors that threads share, and the numbers of these threads and their processes. All 0 if none are shared. */
struct fathom_shared {
	uint64_t millis;
	uint32_t processes;
	uint32_t threads;
};

struct fathom_capacity {
	uint64_t millis;		/* processors that the run may use, on all nodes */
	uint32_t nodes;
	uint32_t unknown_nodes;		/* nodes whose processors are unknown */
	uint32_t shared_nodes;		/* nodes on which threads share processors */
	uint32_t pad;
	struct fathom_shared most;	/* the shared processors with the most threads on each */
};

/* Computes the capacity of one node from the processors of its processes. Context: finish, signal. */
void fathom_capacity_of(struct fathom_capacity *capacity, const struct fathom_processors *list, uint32_t count);

/* Adds the capacity of other nodes. Context: finish, signal. */
void fathom_capacity_add(struct fathom_capacity *capacity, const struct fathom_capacity *more);

/*
 * Writes the processors as text for the file of a single rank, "host NAME, cpus 0-3,8, threads 4, limit 1500 of 77",
 * which fathom merge parses. Returns false if the text does not fit, or the processors are unknown. Context: finish,
 * signal.
 */
bool fathom_processors_describe(const struct fathom_processors *own, const char *host, char *text, size_t bytes);

/* Parses a text of fathom_processors_describe. host has room for bytes. Returns false if the text has another form.
 * Context: tool. */
bool fathom_processors_parse(struct fathom_processors *processors, const char *text, char *host, size_t bytes);

#endif
