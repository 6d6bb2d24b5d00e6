/*
 * metric_records: counters and given values in a trace.
 *
 * Counters of a thread are one class: a record with all their values stands before every Enter and Leave, at the same
 * time. Those of the process are another one, which the initial thread records, and tell of its location group. Each
 * given metric is a class of its own, recorded when it is given.
 */
#ifndef FATHOM_TRACE_METRIC_RECORDS_H
#define FATHOM_TRACE_METRIC_RECORDS_H

#include <stdint.h>

#include "event/substrate.h"
#include "system/definition_pool.h"
#include "trace/archive.h"

struct fathom_trace_writing;

/* Before the first record. Context: start. */
void fathom_trace_metrics_init(void);

/* What the location's counters stand at; it is being recorded. Nothing where it has none. Context: hook. */
void fathom_trace_metrics(const struct fathom_location *self, struct fathom_trace *trace, uint64_t now);

/* The functions of the substrate's table where there are strict metrics: a record of them before those of the
 * function without. */
void fathom_trace_team_begin_metered(struct fathom_location *self, const struct fathom_team *team, uint32_t number,
				     uint64_t now);
void fathom_trace_team_end_metered(struct fathom_location *self, const struct fathom_team *team, uint64_t now);
void fathom_trace_task_start_metered(struct fathom_location *self, const struct fathom_task *task, uint64_t now);
void fathom_trace_task_complete_metered(struct fathom_location *self, const struct fathom_task *task, uint64_t now);

/* A given metric. Context: hook. */
void fathom_trace_give(struct fathom_location *self, const struct fathom_metric *metric, uint64_t bits);

/* Everything that this process has, into a pool that is empty. 0 or -ENOMEM. Context: finish. */
int fathom_trace_metrics_list(struct fathom_pool *pool, uint32_t rank);

/* Rank 0: write the definitions of the union. Returns what its things are called; NULL: no memory. Context: finish. */
uint32_t *fathom_trace_metrics_write(struct fathom_trace_writing *w, struct fathom_pool *pool);

#endif
