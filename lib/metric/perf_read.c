#include "metric/perf_read.h"

#include <linux/perf_event.h>

#include "metric/kernel_call.h"
#include "metric/rdpmc.h"
#include "platform/clock.h"
#include "platform/vectors.h"

/* The way in which all readers read; written once, before the first event of the program. */
static struct {
	bool is_decided;
	bool by_rdpmc;
} way;

bool fathom_perf_wants_pages(void)
{
	return !way.is_decided || way.by_rdpmc;
}

/* --- by read() ----------------------------------------------------------------------------------- */

FATHOM_KEEPS_VECTORS(fathom_perf_take_turn);

void fathom_perf_take_group(struct fathom_metric_reader *reader, uint32_t first, const uint64_t *data, uint64_t *values)
{
	if (reader->is_multiplexed) {
		fathom_perf_take_turn_kept(reader, first, data, values);
		return;
	}
	for (uint32_t i = 0; i < data[0]; i++)
		values[reader->events[first + i]->id] = data[1 + i];
}

static void read_groups(struct fathom_metric_reader *reader, uint64_t *values)
{
	uint64_t data[3 + FATHOM_METRIC_MOST_STRICT];

	for (uint32_t first = 0; first < reader->count; first += reader->group[first]) {
		uint32_t head = reader->is_multiplexed ? 3 : 1;
		long bytes = (long)((head + reader->group[first]) * sizeof(*data));

		if (fathom_kernel_call(SYS_read, reader->fds[first], data, bytes) == bytes)
			fathom_perf_take_group(reader, first, data, values);
	}
}

/* --- by rdpmc ------------------------------------------------------------------------------------ */

#if defined(__x86_64__)
/* Reads a counter as linux/perf_event.h of the kernel describes. False: the counter is not on the processor at the
 * moment, or programs may not read it. */
static inline bool read_page(const volatile struct perf_event_mmap_page *page, uint64_t *value)
{
	uint32_t sequence, index;
	int64_t counter;

	do {
		sequence = page->lock;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		index = page->index;
		if (!page->cap_user_rdpmc || !index)
			return false;
		counter = (int64_t)(fathom_rdpmc(index - 1) << (64 - page->pmc_width)) >> (64 - page->pmc_width);
		if (unlikely(fathom_rdpmc_has_trapped))
			return false;
		*value = (uint64_t)(page->offset + counter);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
	} while (page->lock != sequence);
	return true;
}

static bool read_pages(const struct fathom_metric_reader *reader, uint64_t *values)
{
	for (uint32_t i = 0; i < reader->count; i++)
		if (!reader->pages[i] || !read_page(reader->pages[i], &values[reader->events[i]->id]))
			return false;
	return true;
}

/* Returns whether all events can be read without a system call. */
static bool can_read_pages(const struct fathom_metric_reader *reader)
{
	const volatile struct perf_event_mmap_page *page;

	for (uint32_t i = 0; i < reader->count; i++) {
		page = reader->pages[i];
		if (!page || !page->cap_user_rdpmc || !page->index)
			return false;
	}
	page = reader->pages[0];
	return reader->count && fathom_rdpmc_works(page->index - 1);
}
#else
static bool read_pages(const struct fathom_metric_reader *reader, uint64_t *values)
{
	(void)reader, (void)values;
	return false;
}

static bool can_read_pages(const struct fathom_metric_reader *reader)
{
	(void)reader;
	return false;
}
#endif

/* --- the choice ---------------------------------------------------------------------------------- */

/* The number of readings, of which the fastest counts: in the others, caches were cold or an interrupt came. */
enum { TRIES = 7 };

static uint64_t least_ticks_of_read(struct fathom_metric_reader *reader, uint64_t *values)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < TRIES; i++) {
		uint64_t begin = fathom_clock_ticks(), ticks;

		read_groups(reader, values);
		ticks = fathom_clock_ticks() - begin;
		least = ticks < least ? ticks : least;
	}
	return least;
}

/* Returns the smallest number of ticks for a reading by rdpmc. 0: the events cannot be read by rdpmc. */
static uint64_t least_ticks_of_rdpmc(const struct fathom_metric_reader *reader, uint64_t *values)
{
	uint64_t least = 0;

	if (!can_read_pages(reader))
		return 0;
	for (int i = 0; i < TRIES; i++) {
		uint64_t begin = fathom_clock_ticks(), ticks;

		if (!read_pages(reader, values))
			continue;
		ticks = fathom_clock_ticks() - begin;
		least = !least || ticks < least ? ticks : least;
	}
	return least;
}

void fathom_perf_choose(struct fathom_metric_reader *reader, struct fathom_reading *reading)
{
	uint64_t values[FATHOM_METRIC_MOST_STRICT] = { 0 };

	reading->read_ticks = least_ticks_of_read(reader, values);
	reading->rdpmc_ticks = least_ticks_of_rdpmc(reader, values);
	reading->by_rdpmc = reading->rdpmc_ticks && reading->rdpmc_ticks < reading->read_ticks;
	way.by_rdpmc = reading->by_rdpmc;
	way.is_decided = true;
}

void fathom_perf_read(struct fathom_metric_reader *reader, uint64_t *values)
{
	if (!way.by_rdpmc || !read_pages(reader, values))
		read_groups(reader, values);
}
