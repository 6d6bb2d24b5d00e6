/*
 * perf_read: reads the perf events that a thread has open.
 *
 * group     events that the kernel counts together, and that one read() of its first event, the leader, reads. Without
 *           FATHOM_METRICS_MULTIPLEX all events of a thread are one group. With it, the groups take turns.
 *
 * There are two ways of reading. read() takes a system call for a whole group. rdpmc takes an instruction for
 * each event, but only for events of the processor, and in a virtual machine it may trap into the hypervisor and take
 * longer than read(). The thread that starts the measurement measures both, and all threads read in the quicker way.
 */
#ifndef FATHOM_METRIC_PERF_READ_H
#define FATHOM_METRIC_PERF_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "metric/counter_source.h"

/* Returns whether a thread that opens events has to map their pages, which rdpmc needs. Context: birth. */
bool fathom_perf_wants_pages(void);

/*
 * Measures both ways of reading with the events of this reader, which are open, and decides which way all readers take
 * from now on. Context: start, while there is no other reader.
 */
void fathom_perf_choose(struct fathom_metric_reader *reader, struct fathom_reading *reading);

/* The read function of the source (counter_source.h). Context: hook, with a system call. */
void fathom_perf_read(struct fathom_metric_reader *reader, uint64_t *values);

/*
 * Puts what read() returned for one group into values. data: the number of events; with several groups then the times
 * that the group was enabled and counted, ns; then a value for each event. first: index of the leader.
 * Context: hook.
 */
void fathom_perf_take_group(struct fathom_metric_reader *reader, uint32_t first, const uint64_t *data,
			    uint64_t *values);

/* Like fathom_perf_take_group, for groups that take turns. Uses vector registers. Context: hook. */
void fathom_perf_take_turn(struct fathom_metric_reader *reader, uint32_t first, const uint64_t *data, uint64_t *values);

#endif
