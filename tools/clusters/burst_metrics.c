#include "tools/clusters/burst_metrics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/command.h"

static const char *const instruction_names[] = { "perf::INSTRUCTIONS", "PAPI_TOT_INS" };
static const char *const cycle_names[] = { "perf::CYCLES", "PAPI_TOT_CYC" };

static int32_t counter_of(const struct fathom_burst_data *data, const char *const names[2])
{
	for (int n = 0; n < 2; n++)
		for (uint32_t c = 0; c < data->extraction.counter_count; c++)
			if (strcmp(data->extraction.counters[c].name, names[n]) == 0)
				return (int32_t)c;
	return -1;
}

void fathom_burst_metrics_find(struct fathom_burst_metrics *metrics, const struct fathom_burst_data *data)
{
	int32_t instructions = counter_of(data, instruction_names), cycles = counter_of(data, cycle_names);

	metrics->metrics[0] = (struct fathom_burst_metric){ FATHOM_BURST_DURATION, "duration", "sec", 0, 0 };
	metrics->metrics[1] = (struct fathom_burst_metric){ FATHOM_BURST_CALL, "call", "", 0, 0 };
	metrics->count = 2;
	metrics->instructions = metrics->cycles = metrics->ipc = -1;
	for (uint32_t c = 0; c < data->extraction.counter_count; c++) {
		const struct fathom_burst_counter *counter = &data->extraction.counters[c];

		if (metrics->count == FATHOM_BURST_METRICS_MOST - 1)	/* the last one is for the ratio */
			break;
		if ((int32_t)c == instructions)
			metrics->instructions = (int32_t)metrics->count;
		if ((int32_t)c == cycles)
			metrics->cycles = (int32_t)metrics->count;
		metrics->metrics[metrics->count++] =
			(struct fathom_burst_metric){ FATHOM_BURST_COUNTER, counter->name, counter->unit, c, 0 };
	}
	if (instructions < 0 || cycles < 0)
		return;
	metrics->ipc = (int32_t)metrics->count;
	metrics->metrics[metrics->count++] = (struct fathom_burst_metric){
		FATHOM_BURST_RATIO, "ipc", "", (uint32_t)instructions, (uint32_t)cycles,
	};
}

double fathom_burst_metric_value(const struct fathom_burst_data *data, const struct fathom_burst_metric *metric,
				 size_t burst)
{
	const double *counters = data->list.counters + burst * data->list.counter_count;

	switch (metric->kind) {
	case FATHOM_BURST_DURATION:
		return fathom_burst_seconds(data, burst);
	case FATHOM_BURST_CALL:
		return data->list.bursts[burst].after == FATHOM_NO_BURST_PATH ? -1.0 : data->list.bursts[burst].after;
	case FATHOM_BURST_COUNTER:
		return counters[metric->counter];
	case FATHOM_BURST_RATIO:
		return counters[metric->divisor] > 0 ? counters[metric->counter] / counters[metric->divisor] : NAN;
	}
	return NAN;
}

uint32_t fathom_burst_metrics_index(const struct fathom_burst_metrics *metrics, const char *name, size_t length)
{
	char names[1024] = "";

	for (uint32_t m = 0; m < metrics->count; m++) {
		const char *other = metrics->metrics[m].name;
		size_t used = strlen(names);

		if (strlen(other) == length && strncmp(other, name, length) == 0)
			return m;
		snprintf(names + used, sizeof(names) - used, "%s%s", m ? ", " : "", other);
	}
	fathom_tool_usage_error("--metrics %.*s: the trace has %s", (int)length, name, names);
}
