/*
 * metric_definitions: the counters, and the metrics of the program, as definitions of a trace.
 *
 * records/metric_records.h says which metric classes a process has. The class of a process's counters is written with
 * an instance for each process.
 */
#ifndef FATHOM_TRACE_METRIC_DEFINITIONS_H
#define FATHOM_TRACE_METRIC_DEFINITIONS_H

#include <stdint.h>

#include "system/definition_pool.h"

struct fathom_trace_writing;

/* Lists all metric classes of this process in the pool, which is empty. 0 or -ENOMEM. Context: finish. */
int fathom_trace_metrics_list(struct fathom_pool *pool, uint32_t rank);

/* At rank 0: writes the metric classes and instances of the union. Returns the number in the trace of each entry of
 * the pool; NULL: no memory. Errors are noted in w. Context: finish. */
uint32_t *fathom_trace_metrics_write(struct fathom_trace_writing *w, struct fathom_pool *pool);

#endif
