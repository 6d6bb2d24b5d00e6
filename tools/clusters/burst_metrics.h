/*
 * burst_metrics: the metrics of bursts, of which some are the dimensions in which bursts are clustered.
 *
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_BURST_METRICS_H
#define FATHOM_TOOLS_CLUSTERS_BURST_METRICS_H

#include "tools/clusters/burst_data.h"

enum fathom_burst_metric_kind {
	FATHOM_BURST_DURATION,	/* seconds */
	FATHOM_BURST_CALL,	/* number of the call path of the call that ends the burst: a category */
	FATHOM_BURST_COUNTER,
	FATHOM_BURST_RATIO,	/* of two counters */
};

struct fathom_burst_metric {
	enum fathom_burst_metric_kind kind;
	const char *name, *unit;
	uint32_t counter, divisor;	/* indices */
};

enum { FATHOM_BURST_METRICS_MOST = 256 };

struct fathom_burst_metrics {
	struct fathom_burst_metric metrics[FATHOM_BURST_METRICS_MOST];	/* duration and call are the first two */
	uint32_t count;
	int32_t instructions, cycles, ipc;	/* indices of metrics; -1: the trace does not have the counters */
};

/* Finds the metrics of the bursts of a trace. */
void fathom_burst_metrics_find(struct fathom_burst_metrics *metrics, const struct fathom_burst_data *data);

/* Returns the value of a metric for a burst; not a number: it was not measured. */
double fathom_burst_metric_value(const struct fathom_burst_data *data, const struct fathom_burst_metric *metric,
				 size_t burst);

/* Returns the index of the metric with a name of that length. Ends the program with a line if there is none. */
uint32_t fathom_burst_metrics_index(const struct fathom_burst_metrics *metrics, const char *name, size_t length);

#endif
