#include "tools/track/time_windows.h"

#include <stdio.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"

/* Copies a burst and its counters to the end of the list. */
static void keep(struct fathom_burst_data *window, const struct fathom_burst_data *whole, size_t burst)
{
	uint32_t counters = whole->list.counter_count;
	size_t count = window->list.count++;

	window->list.bursts[count] = whole->list.bursts[burst];
	if (counters)
		memcpy(window->list.counters + count * counters, whole->list.counters + burst * counters,
		       counters * sizeof(*window->list.counters));
	window->thread_count += count == 0 || window->list.bursts[count].location !=
				window->list.bursts[count - 1].location;
	fathom_duration_histogram_add(&window->histogram, fathom_burst_seconds(whole, burst));
}

struct fathom_burst_data *fathom_time_window_make(const struct fathom_burst_data *whole, uint32_t number,
						  uint32_t count, char *name, size_t bytes)
{
	struct fathom_burst_data *window = fathom_tool_alloc(1, sizeof(*window));
	uint64_t first = UINT64_MAX, last = 0, from, to;
	char from_text[FATHOM_NUMBER_BYTES], to_text[FATHOM_NUMBER_BYTES];

	for (size_t i = 0; i < whole->list.count; i++) {
		if (whole->list.bursts[i].begin < first)
			first = whole->list.bursts[i].begin;
		if (whole->list.bursts[i].begin > last)
			last = whole->list.bursts[i].begin;
	}
	from = first + (uint64_t)((double)(last - first + 1) / count * number);
	to = number + 1 == count ? last + 1 : first + (uint64_t)((double)(last - first + 1) / count * (number + 1));
	*window = *whole;
	window->histogram = (struct fathom_duration_histogram){ 0 };
	window->thread_count = 0;
	window->list.count = window->list.dropped = window->list.dropped_ticks = 0;
	window->list.bursts = fathom_tool_alloc(whole->list.count + 1, sizeof(*window->list.bursts));
	window->list.counters = fathom_tool_alloc(whole->list.count * whole->list.counter_count + 1,
						  sizeof(*window->list.counters));
	for (size_t i = 0; i < whole->list.count; i++)
		if (whole->list.bursts[i].begin >= from && whole->list.bursts[i].begin < to)
			keep(window, whole, i);
	snprintf(name, bytes, "%s to %s", fathom_number_seconds(from_text, fathom_burst_time(whole, from)),
		 fathom_number_seconds(to_text, fathom_burst_time(whole, to)));
	return window;
}

void fathom_time_window_fini(struct fathom_burst_data *window)
{
	fathom_burst_list_fini(&window->list);
}
