/*
 * compare_windows: compares what the index of frames says of random windows with all events of the trace, which OTF2's
 * own reader has read.
 *
 *   compare_windows ANCHOR SEED WINDOWS [exact]
 *
 * For each window and location: the sums of time, events, messages and bytes; the intervals that a picture is drawn
 * from. Times by call path must be exact with "exact", for traces with few call paths; otherwise a preview may have
 * charged time to callers, so the time of a path with all that it calls must not be larger than it is.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frames/frame_builder.h"
#include "frames/frame_window.h"
#include "otf2/memory.h"
#include "otf2/region_stacks.h"

struct moment {			/* an event, and the path after it */
	uint64_t time;
	uint32_t path;
	bool sends, receives, ends_collective;
	uint64_t bytes;
};

struct history {
	struct moment *moments;
	size_t count, room;
};

static struct fathom_otf2_archive trace;
static struct fathom_frame_index frames;
static struct fathom_otf2_stacks stacks;
static struct fathom_path_table paths;		/* of this program: numbers differ from those of the index */
static struct history *histories;
static uint32_t *own_numbers;			/* by path of the index */
static double *expected, *found;		/* by path: ticks with all callees */
static unsigned long failures;
static bool is_exact;

static void fail(const char *what, uint32_t location, uint64_t from, uint64_t to, double is, double should)
{
	if (failures++ < 20)
		printf("location %u, window %" PRIu64 " to %" PRIu64 ": %s: %.0f, not %.0f\n", location, from, to, what,
		       is, should);
}

/* --- all events ------------------------------------------------------------------------------------------ */

static uint32_t present_path(uint32_t location)
{
	const struct fathom_otf2_thread *thread = &stacks.threads[location];
	uint32_t path = FATHOM_PATH_NOTHING;

	for (uint32_t t = 0; t < thread->team_count; t++) {
		const struct fathom_otf2_team *team = &thread->teams[t];
		const struct fathom_otf2_stack *stack = team->task ? &team->task->stack : &team->stack;

		for (uint32_t i = 0; i < stack->count; i++)
			path = fathom_path_child(&paths, path, stack->regions[i]);
	}
	return path;
}

static void apply(const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_location *location = fathom_otf2_at(&trace.defs, FATHOM_OTF2_LOCATION,
								      event->location);
	const struct fathom_otf2_plain *context;
	struct fathom_otf2_stack *stack = fathom_otf2_stack_of(&stacks, event->location);
	struct fathom_otf2_task *task;

	switch (event->kind) {
	case FATHOM_RECORD_ENTER:
		fathom_otf2_stack_push(stack, (uint32_t)event->ref);
		break;
	case FATHOM_RECORD_CALLING_CONTEXT_ENTER:
		context = fathom_otf2_find(&trace.defs, FATHOM_OTF2_CONTEXT, event->ref);
		fathom_otf2_stack_push(stack, context ? context->number : UINT32_MAX);
		break;
	case FATHOM_RECORD_LEAVE:
	case FATHOM_RECORD_CALLING_CONTEXT_LEAVE:
		stack->count -= stack->count > 0;
		break;
	case FATHOM_RECORD_THREAD_TEAM_BEGIN:
		fathom_otf2_stacks_enter_team(&stacks, event->location, event->ref);
		break;
	case FATHOM_RECORD_THREAD_TEAM_END:
		fathom_otf2_stacks_leave_team(&stacks, event->location);
		break;
	case FATHOM_RECORD_THREAD_TASK_SWITCH:
	case FATHOM_RECORD_THREAD_TASK_COMPLETE:
		task = fathom_otf2_stacks_task(&stacks, location->process, event);
		if (event->kind == FATHOM_RECORD_THREAD_TASK_SWITCH)
			fathom_otf2_stacks_switch(&stacks, event->location, task);
		else if (task)
			fathom_otf2_stacks_complete(&stacks, event->location, task);
		break;
	default:
		break;
	}
}

static bool take_event(void *taker, const struct fathom_otf2_event *event)
{
	struct history *history = &histories[event->location];
	struct moment moment = { .time = event->time };

	(void)taker;
	apply(event);
	moment.path = present_path(event->location);
	moment.sends = event->kind == FATHOM_RECORD_MPI_SEND || event->kind == FATHOM_RECORD_MPI_ISEND;
	moment.receives = event->kind == FATHOM_RECORD_MPI_RECV || event->kind == FATHOM_RECORD_MPI_IRECV;
	moment.ends_collective = event->kind == FATHOM_RECORD_MPI_COLLECTIVE_END ||
				 event->kind == FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE;
	moment.bytes = event->bytes;
	/* The index lets times of a location never go back. */
	if (history->count && history->moments[history->count - 1].time > moment.time)
		moment.time = history->moments[history->count - 1].time;
	history->moments = fathom_otf2_memory_grow(history->moments, history->count, &history->room, sizeof(moment));
	history->moments[history->count++] = moment;
	return true;
}

/* Returns the index of the first moment at that time or later. */
static size_t first_at(const struct history *history, uint64_t time)
{
	size_t low = 0, high = history->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (history->moments[middle].time < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Adds ticks to a path and to all its callers. */
static void add_inclusive(double *sums, uint32_t path, uint64_t ticks)
{
	for (;;) {
		sums[path] += (double)ticks;
		if (path <= FATHOM_PATH_SEVERAL)
			return;
		path = paths.paths[path].parent;
	}
}

/* Sets expected, by all events, for [from, to). Returns the whole time. */
static uint64_t expect_times(const struct history *history, uint64_t from, uint64_t to)
{
	uint64_t sum = 0;
	size_t i = first_at(history, from);

	memset(expected, 0, paths.count * sizeof(*expected));
	for (i -= i > 0; i + 1 < history->count && history->moments[i].time < to; i++) {
		uint64_t begin = history->moments[i].time, end = history->moments[i + 1].time;

		begin = begin < from ? from : begin;
		end = end > to ? to : end;
		if (end <= begin)
			continue;
		add_inclusive(expected, history->moments[i].path, end - begin);
		sum += end - begin;
	}
	return sum;
}

/* Compares found with expected. */
static void compare_times(uint32_t location, uint64_t from, uint64_t to)
{
	for (uint32_t path = FATHOM_PATH_SEVERAL + 1; path < paths.count; path++)
		if (is_exact ? found[path] != expected[path] : found[path] > expected[path])
			fail("time of a path", location, from, to, found[path], expected[path]);
}

/* --- the index ------------------------------------------------------------------------------------------- */

static void compare_sums(uint32_t location, uint64_t from, uint64_t to)
{
	const struct history *history = &histories[location];
	struct fathom_preview_counts counts = { 0 };
	struct fathom_tally tally = { 0 };
	uint64_t sum = 0, should = expect_times(history, from, to);

	if (fathom_frame_window_sum(&frames, location, from, to, &tally))
		fail("an error", location, from, to, 1, 0);
	memset(found, 0, paths.count * sizeof(*found));
	for (uint32_t i = 0; i < tally.touched_count; i++) {
		uint32_t path = tally.touched[i];

		add_inclusive(found, own_numbers[path], tally.ticks[path]);
		sum += tally.ticks[path];
	}
	if (sum != should)
		fail("time of all paths", location, from, to, (double)sum, (double)should);
	compare_times(location, from, to);
	for (size_t i = first_at(history, from); i < history->count && history->moments[i].time < to; i++) {
		const struct moment *moment = &history->moments[i];

		counts.events++;
		counts.sends += moment->sends;
		counts.bytes_sent += moment->sends ? moment->bytes : 0;
		counts.receives += moment->receives;
		counts.bytes_received += moment->receives ? moment->bytes : 0;
		counts.collectives += moment->ends_collective;
	}
	if (memcmp(&counts, &tally.counts, sizeof(counts)) != 0)
		fail("number of events, messages or bytes", location, from, to, (double)tally.counts.events,
		     (double)counts.events);
	fathom_tally_fini(&tally);
}

struct picture {
	uint32_t location;
	uint64_t from, to, finest, end;
	unsigned long intervals;
};

static void take_interval(void *taker, const struct fathom_preview *preview)
{
	struct picture *picture = taker;
	uint64_t sum = 0, should;

	if (picture->intervals++ && preview->begin != picture->end)
		fail("begin of an interval", picture->location, picture->from, picture->to, (double)preview->begin,
		     (double)picture->end);
	picture->end = preview->end;
	if (preview->end - preview->begin > picture->finest && preview->share_count > 1)
		fail("length of an interval", picture->location, picture->from, picture->to,
		     (double)(preview->end - preview->begin), (double)picture->finest);
	should = expect_times(&histories[picture->location], preview->begin, preview->end);
	memset(found, 0, paths.count * sizeof(*found));
	for (uint32_t i = 0; i < preview->share_count; i++) {
		add_inclusive(found, own_numbers[preview->shares[i].path], preview->shares[i].ticks);
		sum += preview->shares[i].ticks;
	}
	if (sum != should)
		fail("time of an interval", picture->location, preview->begin, preview->end, (double)sum,
		     (double)should);
	compare_times(picture->location, preview->begin, preview->end);
}

static void compare_picture(uint32_t location, uint64_t from, uint64_t to, uint64_t columns)
{
	const struct history *history = &histories[location];
	struct picture picture = { location, from, to, (to - from) / columns + 1, 0, 0 };

	if (fathom_frame_window_read(&frames, location, from, to, picture.finest, take_interval, &picture))
		fail("an error", location, from, to, 1, 0);
	if (history->count && history->moments[0].time < to && history->moments[history->count - 1].time > from &&
	    !picture.intervals)
		fail("number of intervals", location, from, to, 0, 1);
	if (picture.intervals > 4 * columns + 2)
		fail("number of intervals", location, from, to, (double)picture.intervals, (double)columns);
}

/* --- the program ----------------------------------------------------------------------------------------- */

static uint64_t state;

static uint64_t random_number(uint64_t most)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return most ? (state >> 20) % (most + 1) : 0;
}

static void compare(unsigned long windows)
{
	size_t locations = fathom_otf2_count(&trace.defs, FATHOM_OTF2_LOCATION);
	uint64_t begin = trace.defs.offset, length = trace.defs.length;

	for (unsigned long w = 0; w < windows; w++) {
		uint64_t size = w ? random_number(length >> random_number(16)) + 1 : length + 1;
		uint64_t from = begin + (w ? random_number(length > size ? length - size : 0) : 0);
		uint32_t location = (uint32_t)random_number(locations - 1);

		compare_sums(location, from, from + size);
		compare_picture(location, from, from + size, 1 + random_number(200));
	}
}

/* Finds the paths of the index among those of this program. */
static void number_paths(void)
{
	own_numbers = fathom_otf2_memory_alloc(frames.paths.count, sizeof(*own_numbers));
	own_numbers[FATHOM_PATH_SEVERAL] = FATHOM_PATH_SEVERAL;
	for (uint32_t i = FATHOM_PATH_SEVERAL + 1; i < frames.paths.count; i++)
		own_numbers[i] = fathom_path_child(&paths, own_numbers[frames.paths.paths[i].parent],
						   frames.paths.paths[i].region);
	expected = fathom_otf2_memory_alloc(paths.count, sizeof(*expected));
	found = fathom_otf2_memory_alloc(paths.count, sizeof(*found));
}

int main(int argc, char **argv)
{
	char path[PATH_MAX + 8];
	int err;

	if (argc < 4)
		return 2;
	state = strtoull(argv[2], NULL, 10);
	is_exact = argc > 4;
	err = fathom_otf2_open(&trace, argv[1]);
	trace.keeps_translations = true;
	if (!err)
		err = fathom_otf2_read_definitions(&trace, NULL);
	fathom_frame_index_path(&trace, path);
	if (!err)
		err = fathom_frame_index_open(&frames, &trace, path);
	if (err) {
		printf("%s: %s %s\n", path, strerror(-err), trace.error);
		return 1;
	}
	fathom_path_table_init(&paths);
	fathom_otf2_stacks_init(&stacks, &trace.defs);
	histories = fathom_otf2_memory_alloc(fathom_otf2_count(&trace.defs, FATHOM_OTF2_LOCATION),
					     sizeof(*histories));
	if (fathom_otf2_read_events(&trace, NULL, take_event, NULL)) {
		printf("%s\n", trace.error);
		return 1;
	}
	number_paths();
	compare(strtoul(argv[3], NULL, 10));
	printf("%lu windows, %lu differences\n", strtoul(argv[3], NULL, 10), failures);
	return failures > 0;
}
