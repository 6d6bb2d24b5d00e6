/*
 * made_logs: operation logs of a program that tests invent, searched by any number of simulated hosts.
 *
 * Times are in seconds since the begin of the program; a tick is a microsecond. Call paths have the numbers 1 to
 * MADE_PATHS - 1, which are their digests, too.
 */
#ifndef FATHOM_TEST_MADE_LOGS_H
#define FATHOM_TEST_MADE_LOGS_H

#include <stdbool.h>

#include "waits/search.h"

enum { MADE_PATHS = 24 };

struct made_log {
	struct fathom_waits_record *records;
	uint32_t count, room;
};

struct made_program {
	uint32_t ranks, threads;	/* threads of each process */
	struct made_log *logs;		/* by rank * threads + thread */
	struct fathom_waits_location *locations;
	struct fathom_waits_process *processes;
	struct fathom_waits_communicator *communicators;	/* [rank][number] */
	uint32_t communicator_count;
	double (*results)[MADE_PATHS][FATHOM_WAITS_PATTERNS];	/* by location */
	struct fathom_waits_summary summary;
	double least_wait;
	uint32_t hosts;			/* of the last search */
	uint32_t absent;		/* this rank is hosted nowhere; UINT32_MAX: none */
};

/* A program with one communicator, number 0, of all ranks. */
struct made_program *made_create(uint32_t ranks, uint32_t threads);
void made_destroy(struct made_program *program);

/* The end of the life of a process; without it, its last operation. All begin at 0. */
void made_end(struct made_program *program, uint32_t rank, double end);

/* Another communicator; returns its number. ranks may be NULL: all. */
uint32_t made_communicator(struct made_program *program, const uint32_t *ranks, uint32_t count);

/* An operation of the first thread; returns its number. More parts are added with made_part. */
uint32_t made_operation(struct made_program *program, uint32_t rank, uint64_t path, double begin, double end,
			struct fathom_waits_part part);
uint32_t made_thread_operation(struct made_program *program, uint32_t rank, uint32_t thread, uint64_t path, double begin,
			       double end, struct fathom_waits_part part);
void made_part(struct made_program *program, uint32_t rank, struct fathom_waits_part part);

/* An entry of the time map before the next operation. */
void made_time(struct made_program *program, uint32_t rank, uint64_t path, double seconds);
void made_thread_time(struct made_program *program, uint32_t rank, uint32_t thread, uint64_t path, double seconds);

/* Blocking operations. */
void made_send(struct made_program *program, uint32_t rank, uint64_t path, double begin, double end, uint32_t to);
void made_receive(struct made_program *program, uint32_t rank, uint64_t path, double begin, double end, uint32_t from);
void made_collective(struct made_program *program, uint32_t rank, uint64_t path, double begin, double end, int operation,
		     int root, uint32_t comm);

/* The parts of the above. posted: number of the operation itself or an earlier one. */
struct fathom_waits_part made_part_of(enum fathom_waits_part_kind kind, uint32_t peer, uint32_t comm, int tag, uint32_t posted);

/* Searches on hosts that each have a part of the ranks; results are set. Returns the worst error. */
int made_search(struct made_program *program, uint32_t hosts);

/* Searches by 1, 2, 3 or 7 hosts for number 0, 1, 2 or 3; the test fails unless this works. False: nothing was searched,
 * because there is no such number, or there are more hosts than ranks. So a test loops over all numbers of hosts:
 * for (int number = 0; made_search_by(program, number); number++) */
bool made_search_by(struct made_program *program, int number);

/* The number of the next record of a rank. */
uint32_t made_next(const struct made_program *program, uint32_t rank);

/* A result of the first thread of a rank; the sum over its call paths; the sum over all. */
double made_at(const struct made_program *program, uint32_t rank, uint64_t path, enum fathom_waits_pattern pattern);
double made_of(const struct made_program *program, uint32_t rank, enum fathom_waits_pattern pattern);
double made_sum(const struct made_program *program, enum fathom_waits_pattern pattern);

/* The functions of an input, for benches. */
double made_seconds(void *context, const struct fathom_waits_process *process, uint64_t ticks);
uint64_t made_digest(void *context, const struct fathom_waits_process *process, const struct fathom_waits_location *location,
		     uint64_t call_path);

#endif
