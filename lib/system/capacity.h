/*
 * capacity: how many processors a run may use, and whether its threads share processors.
 *
 * Threads share processors where the threads of some processes are more than the processors that these processes may
 * use, all their affinity masks together; or more than their control group allows. So two ranks that are bound to the
 * same processor are noticed although the node has more processors than ranks.
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
	FATHOM_PROCESSOR_WORDS = 128,	/* 8192 processors: the most that Linux is built for */
	FATHOM_PROCESSORS_TEXT = 2048,	/* bytes of fathom_processors_describe, at most */
};

struct fathom_processors {		/* of one process, or of several with the same mask and control group */
	uint64_t mask[FATHOM_PROCESSOR_WORDS];	/* all 0: not known */
	uint64_t group;			/* tells control groups with a limit apart; 0: no limit */
	uint64_t group_millis;		/* what the control group may use */
	uint32_t processes;
	uint32_t threads;		/* that lived at a time */
};

/* Processors that are shared, and by whom. Where none are shared, all is 0. */
struct fathom_shared {
	uint64_t millis;
	uint32_t processes;
	uint32_t threads;
};

struct fathom_capacity {
	uint64_t millis;		/* processors of all nodes that processes of the run may use */
	uint32_t nodes;
	uint32_t unknown_nodes;		/* where the system did not tell */
	uint32_t shared_nodes;		/* where threads share processors */
	uint32_t pad;
	struct fathom_shared most;	/* the processors of a node that most threads each have to share */
};

/* Of one node, from what its processes know. Context: finish, signal. */
void fathom_capacity_of(struct fathom_capacity *capacity, const struct fathom_processors *list, uint32_t count);

/* Adds the capacity of other nodes. Context: finish, signal. */
void fathom_capacity_add(struct fathom_capacity *capacity, const struct fathom_capacity *more);

/*
 * As text for the file of a single rank, "host NAME, cpus 0-3,8, threads 4, limit 1500 of 77", which fathom merge reads
 * back. False: it does not fit, or nothing is known. Context: finish, signal.
 */
bool fathom_processors_describe(const struct fathom_processors *own, const char *host, char *text, size_t bytes);

/* host has room for so many bytes. False: the text says something else. */
bool fathom_processors_parse(struct fathom_processors *processors, const char *text, char *host, size_t bytes);

#endif
