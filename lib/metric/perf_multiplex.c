/*
 * Groups of perf events that take turns. This is not in perf_read.c, whose code uses no vector registers: numbers are
 * fractions here.
 */
#include "metric/perf_read.h"

/* The processor has fewer counters than these groups need, so each group counts for a part of the time only. The counts
 * of the remaining time are estimated from the mean rate of the group so far, and are added when that time has passed.
 * So the growth of a value is exact while its group counts, and no value ever decreases. */
void fathom_perf_take_turn(struct fathom_metric_reader *reader, uint32_t first, const uint64_t *data, uint64_t *values)
{
	uint32_t count = (uint32_t)data[0];
	uint64_t counted_ns = data[2], waited_ns = data[1] - data[2];
	double more_ns = (double)(waited_ns - reader->waited_ns[first]);

	if (counted_ns) {
		for (uint32_t i = 0; waited_ns > reader->waited_ns[first] && i < count; i++)
			reader->estimate[first + i] += more_ns * (double)data[3 + i] / (double)counted_ns;
		reader->waited_ns[first] = waited_ns;
	}
	for (uint32_t i = 0; i < count; i++)
		values[reader->events[first + i]->id] = data[3 + i] + (uint64_t)reader->estimate[first + i];
}
