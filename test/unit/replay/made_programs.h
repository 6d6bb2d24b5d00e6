/* Programs for replays, written record by record. Times are in seconds; a tick is a nanosecond. */
#ifndef FATHOM_TEST_MADE_PROGRAMS_H
#define FATHOM_TEST_MADE_PROGRAMS_H

#include "unit_test.h"

#include <math.h>

#include "replay/replay.h"

#define NEAR(a, b) assert_true(fabs((a) - (b)) < 1e-9)

/* Begins a program of so many tasks, of which so many are on each node. Communicator 0 has all of them. */
struct fathom_replay_program made_program(uint32_t tasks, uint32_t tasks_a_node);

void made_burst(struct fathom_replay_program *program, uint32_t task, double seconds, uint16_t group);

/* A send; blocking ones wait at once. Returns its number. */
uint32_t made_send(struct fathom_replay_program *program, uint32_t from, uint32_t to, uint64_t bytes,
		   enum fathom_replay_mode mode, bool is_blocking);

/* A blocking receive, and one whose wait is made later with made_wait_receive. */
void made_receive(struct fathom_replay_program *program, uint32_t to, uint32_t from);
uint32_t made_post(struct fathom_replay_program *program, uint32_t to, uint32_t from);
void made_wait_receive(struct fathom_replay_program *program, uint32_t task, uint32_t receive);

/* A blocking collective operation of communicator 0; root NONE: without a root. */
void made_collective(struct fathom_replay_program *program, uint32_t task, enum fathom_collective operation,
		     uint64_t bytes, uint32_t root);

/* Finishes the program if it is not finished and replays it; the result has the waits. Frees nothing. */
struct fathom_replay_result made_replay(struct fathom_replay_program *program, const struct fathom_machine *machine);

/* As above; returns the time of the run only. */
double made_seconds(struct fathom_replay_program *program, const struct fathom_machine *machine);

/* A machine whose networks, inside of nodes and between them, have that latency and bandwidth. */
struct fathom_machine made_machine(double latency, double bandwidth);

#endif
