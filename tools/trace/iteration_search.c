#include "tools/trace/iteration_search.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bursts/burst_extraction.h"
#include "callgraphs/graph_trace.h"
#include "periods/periodic_region.h"
#include "tools/common/argument.h"
#include "tools/common/command.h"

enum { STEPS = 1 << 16 };	/* of the signal */

/* Calls take with each burst of a trace. OTF2's library reads the events of an open trace once only, so the trace is
 * opened again. Numbers of locations, processes and call paths are the same each time. 0, or -errno after an error
 * message. */
static int read_bursts(const char *anchor, fathom_burst_take *take, void *taker)
{
	struct fathom_burst_extraction extraction;
	struct fathom_otf2_archive trace;
	int err = fathom_trace_open(&trace, anchor);

	if (!err)
		err = fathom_otf2_read_definitions(&trace, NULL);
	if (!err) {
		fathom_burst_extraction_init(&extraction, &trace, take, taker);
		err = fathom_otf2_read_events(&trace, NULL, fathom_burst_extraction_take, &extraction);
		if (!err)
			fathom_burst_extraction_finish(&extraction);
		fathom_burst_extraction_fini(&extraction);
	}
	if (err)
		fathom_tool_error("%s", trace.error);
	fathom_otf2_close(&trace);
	return err;
}

/* --- the signal --------------------------------------------------------------------------------------- */

struct signal {			/* threads that compute */
	double *values;		/* by step; while bursts are read: only parts of steps */
	double *changes;	/* by step: how many more threads compute in all of this step than in the one before */
	uint64_t from, to;	/* ticks */
	double step;		/* ticks */
};

static bool add_burst(void *taker, const struct fathom_burst *burst)
{
	struct signal *signal = taker;
	uint64_t from = burst->begin > signal->from ? burst->begin : signal->from;
	uint64_t to = burst->end < signal->to ? burst->end : signal->to;
	double begin, end;
	size_t first, last;

	if (from >= to)
		return true;
	begin = (double)(from - signal->from) / signal->step;
	end = (double)(to - signal->from) / signal->step;
	first = begin < STEPS ? (size_t)begin : STEPS - 1;
	last = end < STEPS ? (size_t)end : STEPS - 1;
	if (first == last) {
		signal->values[first] += end - begin;
		return true;
	}
	signal->values[first] += (double)(first + 1) - begin;
	signal->values[last] += end - (double)last;
	signal->changes[first + 1]++;
	signal->changes[last]--;
	return true;
}

/* Reads the bursts of the trace between two times as a signal of STEPS values. The caller frees signal->values. */
static int read_signal(struct signal *signal, const struct fathom_otf2_archive *trace, uint64_t from, uint64_t to)
{
	double threads = 0;
	int err;

	*signal = (struct signal){ .from = from, .to = to, .step = (double)(to - from) / STEPS };
	signal->values = fathom_tool_alloc(STEPS, 2 * sizeof(double));
	signal->changes = signal->values + STEPS;
	err = read_bursts(trace->anchor, add_burst, signal);
	for (size_t i = 0; i < STEPS; i++)
		signal->values[i] += threads += signal->changes[i];
	return err;
}

/* --- levels ------------------------------------------------------------------------------------------- */

/* Searches the trace between two times. Sets the time at which the typical periods begin, when fewest threads compute.
 * Level count unchanged: nothing is periodic there. */
static int search_level(struct fathom_iterations *iterations, const struct fathom_otf2_archive *trace, uint64_t from,
			uint64_t to, size_t wanted, uint64_t *typical_begin)
{
	struct fathom_iteration_level *level = &iterations->levels[iterations->level_count];
	struct fathom_periodic_region region;
	struct signal signal;
	double begin;
	int err = read_signal(&signal, trace, from, to);

	if (!err && fathom_periodic_region_find(&region, signal.values, STEPS, wanted))
		fathom_tool_out_of_memory(STEPS * sizeof(double));
	free(signal.values);
	if (err || region.period <= 0)
		return err;
	*level = (struct fathom_iteration_level){
		.begin = from + (uint64_t)(region.begin * signal.step),
		.end = from + (uint64_t)(region.end * signal.step),
		.period = region.period * signal.step, .correlation = region.correlation, .likeness = region.likeness,
		.count = region.count, .typical = region.typical,
	};
	begin = region.begin + (double)region.typical * region.period + (double)region.calmest;
	if (begin + (double)wanted * region.period > region.end && begin - region.period >= region.begin)
		begin -= region.period;
	*typical_begin = from + (uint64_t)(begin * signal.step);
	iterations->level_count++;
	return 0;
}

/* --- the window --------------------------------------------------------------------------------------- */

struct call_place {		/* a call path behind which bursts of one thread begin */
	uint64_t bursts;
	uint64_t nearest;	/* begin of the burst nearest to the wanted time */
	bool is_near;		/* within half a period */
};

/* Decides what begins an iteration: a call that a thread does once in an iteration, near the wanted time. */
struct place_search {
	uint64_t time;		/* ticks */
	uint64_t farthest;	/* ticks from time */
	uint32_t location;	/* index + 1 of the first thread with bursts, the only one looked at */
	struct call_place *places;	/* by call path */
	size_t room;
};

static uint64_t distance_of(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static bool note_place(void *taker, const struct fathom_burst *burst)
{
	struct place_search *search = taker;
	struct call_place *place;

	if (search->location == 0)
		search->location = burst->location + 1;
	if (search->location != burst->location + 1 || burst->before == FATHOM_NO_BURST_PATH)
		return true;
	if (burst->before >= search->room) {
		size_t room = 2 * (size_t)burst->before + 64;
		struct call_place *places = fathom_tool_alloc(room, sizeof(*places));

		if (search->room)
			memcpy(places, search->places, search->room * sizeof(*places));
		free(search->places);
		search->places = places;
		search->room = room;
	}
	place = &search->places[burst->before];
	place->bursts++;
	if (distance_of(burst->begin, search->time) <= search->farthest &&
	    (!place->is_near || distance_of(burst->begin, search->time) < distance_of(place->nearest, search->time))) {
		place->nearest = burst->begin;
		place->is_near = true;
	}
	return true;
}

/* Returns the call path that begins an iteration: the rarest one near the wanted time that at least half of the
 * iterations have, of equally rare ones the nearest. FATHOM_NO_BURST_PATH: there is none. */
static uint32_t rarest_place(const struct place_search *search, size_t iterations)
{
	uint32_t best = FATHOM_NO_BURST_PATH;

	for (size_t p = 0; p < search->room; p++) {
		const struct call_place *place = &search->places[p], *before;

		if (!place->is_near || place->bursts < iterations / 2)
			continue;
		before = best == FATHOM_NO_BURST_PATH ? NULL : &search->places[best];
		if (!before || place->bursts < before->bursts ||
		    (place->bursts == before->bursts &&
		     distance_of(place->nearest, search->time) < distance_of(before->nearest, search->time)))
			best = (uint32_t)p;
	}
	return best;
}

struct boundary {		/* the begin of a burst nearest to a wanted time */
	uint64_t time;
	bool is_found;
};

struct boundary_search {
	const struct fathom_otf2_defs *defs;
	uint64_t times[2];	/* wanted: of the begin and of the end of the window */
	struct boundary *found[2];	/* by process */
	uint32_t path;		/* of the calls before the bursts */
	uint64_t farthest;	/* ticks */
	uint32_t *first;	/* by process: index + 1 of its first location with bursts, the only one looked at */
};

static bool find_boundary(void *taker, const struct fathom_burst *burst)
{
	struct boundary_search *search = taker;
	const struct fathom_otf2_location *location = fathom_otf2_at(search->defs, FATHOM_OTF2_LOCATION,
								     burst->location);
	uint32_t process = location->process;

	if (search->first[process] == 0)
		search->first[process] = burst->location + 1;
	if (search->first[process] != burst->location + 1 || search->path != burst->before)
		return true;
	for (int i = 0; i < 2; i++) {
		struct boundary *found = &search->found[i][process];
		uint64_t distance = distance_of(burst->begin, search->times[i]);

		if (distance <= search->farthest &&
		    (!found->is_found || distance < distance_of(found->time, search->times[i])))
			*found = (struct boundary){ burst->begin, true };
	}
	return true;
}

/* Finds where each process begins and ends the window; last[0] and last[1] are the times of the last processes, 0: no
 * process has such a burst. */
static int find_boundaries(const struct fathom_otf2_archive *trace, struct boundary_search *search, uint64_t last[2])
{
	size_t processes = fathom_otf2_count(&trace->defs, FATHOM_OTF2_PROCESS);
	int err;

	for (int i = 0; i < 2; i++)
		search->found[i] = fathom_tool_alloc(processes + 1, sizeof(*search->found[i]));
	search->first = fathom_tool_alloc(processes + 1, sizeof(*search->first));
	err = read_bursts(trace->anchor, find_boundary, search);
	for (size_t p = 0; p < processes; p++)
		for (int i = 0; i < 2; i++)
			if (search->found[i][p].is_found && search->found[i][p].time > last[i])
				last[i] = search->found[i][p].time;
	free(search->found[0]);
	free(search->found[1]);
	free(search->first);
	return err;
}

/* Sets the window. One thread decides which bursts begin iterations; in all processes, bursts behind the same call do.
 * The window has the begins of the last process. */
static int find_window(struct fathom_iterations *iterations, const struct fathom_otf2_archive *trace, uint64_t begin,
		       size_t wanted)
{
	const struct fathom_iteration_level *level = &iterations->levels[0];
	uint64_t length = (uint64_t)((double)wanted * level->period), last[2] = { 0, 0 };
	struct place_search place = { .time = begin, .farthest = (uint64_t)(level->period / 2) };
	int err = read_bursts(trace->anchor, note_place, &place);
	uint32_t path = rarest_place(&place, level->count);

	iterations->window = (struct fathom_time_window){ begin, begin + length, true };
	if (!err && path != FATHOM_NO_BURST_PATH) {
		uint64_t first = place.places[path].nearest;

		err = find_boundaries(trace, &(struct boundary_search){
			.defs = &trace->defs, .times = { first, first + length }, .path = path,
			.farthest = place.farthest,
		}, last);
	}
	iterations->is_aligned = last[0] && last[1] > last[0];
	if (iterations->is_aligned) {	/* the call that ends at the first boundary is not in the window */
		iterations->window.from = last[0] + 1;
		iterations->window.to = last[1];
	}
	free(place.places);
	return err;
}

int fathom_iteration_search(struct fathom_iterations *iterations, const struct fathom_otf2_archive *trace,
			    size_t wanted)
{
	const struct fathom_otf2_defs *defs = &trace->defs;
	uint64_t from = defs->offset, to = defs->offset + defs->length, begin, inner_begin;
	int err;

	*iterations = (struct fathom_iterations){ 0 };
	if (to <= from)
		return 0;
	err = search_level(iterations, trace, from, to, wanted, &begin);
	if (err || iterations->level_count == 0)
		return err;
	err = find_window(iterations, trace, begin, wanted);
	inner_begin = iterations->window.from;
	while (!err && iterations->level_count < FATHOM_ITERATION_LEVELS) {
		const struct fathom_iteration_level *outer = &iterations->levels[iterations->level_count - 1];
		uint32_t count = iterations->level_count;

		/* One iteration, so that the outer period is not found again. */
		err = search_level(iterations, trace, inner_begin, inner_begin + (uint64_t)outer->period, 2,
				   &inner_begin);
		if (iterations->level_count == count || outer[1].correlation < FATHOM_SURE_PERIOD) {
			iterations->level_count = count;
			break;
		}
	}
	return err;
}

int fathom_iteration_window_find(struct fathom_time_window *window, const char *cut,
				 const struct fathom_otf2_archive *trace)
{
	size_t wanted = (size_t)fathom_argument_number("--cut iterations:", strchr(cut, ':') + 1, 1, 1000000);
	struct fathom_iterations iterations;
	int err = fathom_iteration_search(&iterations, trace, wanted);

	if (!err && iterations.level_count == 0) {
		fathom_tool_error("--cut %s: no part of the trace repeats itself that often "
				  "(fathom trace --iterations)", cut);
		err = -EINVAL;
	}
	if (!err)
		*window = iterations.window;
	return err;
}
