/* Call graphs: known numbers of nodes, events as they were, deviations within the bounds; statistics of regions as the
 * events have them. */
#include <errno.h>
#include <unistd.h>

#include "callgraphs/graph_events.h"
#include "callgraphs/graph_file.h"
#include "callgraphs/graph_recording.h"
#include "callgraphs/graph_statistics.h"
#include "unit_test.h"

enum { MAIN, F, G, MOST_EVENTS = 200000 };

static struct fathom_otf2_event events[MOST_EVENTS];
static size_t event_count;
static uint64_t now;

static void put(enum fathom_record kind, uint64_t ref, uint64_t id)
{
	events[event_count++] = (struct fathom_otf2_event){ .kind = kind, .time = now, .ref = ref, .id = id };
}

static void call(uint64_t region, uint64_t ticks)
{
	put(FATHOM_RECORD_ENTER, region, 0);
	now += ticks;
	put(FATHOM_RECORD_LEAVE, region, 0);
}

static void begin(void)
{
	event_count = 0;
	now = 1000;
}

/* Makes the graph of the events. */
static void record(struct fathom_call_graph *graph, uint64_t ticks, double share)
{
	struct fathom_graph_recording recording;

	fathom_call_graph_init(graph);
	graph->bounds.ticks = ticks;
	graph->bounds.share = share;
	fathom_graph_recording_begin(&recording, graph, 7, false);
	for (size_t i = 0; i < event_count; i++)
		fathom_graph_recording_take(&recording, &events[i]);
	fathom_graph_recording_end(&recording);
}

/* Returns the number of nodes that are calls. */
static size_t calls_in(const struct fathom_call_graph *graph)
{
	return graph->call_count;
}

struct comparison {
	size_t next;
	uint64_t most, last_true, last;	/* largest deviation; times of the last event */
	double most_share;		/* largest deviation of a time between two events */
};

static bool compare(void *data, const struct fathom_otf2_event *event)
{
	struct comparison *comparison = data;
	const struct fathom_otf2_event *its = &events[comparison->next];
	uint64_t off = event->time > its->time ? event->time - its->time : its->time - event->time;

	assert_true(comparison->next < event_count);
	assert_int_equal(its->kind, event->kind);
	assert_int_equal(its->ref, event->ref);
	assert_int_equal(its->id, event->id);
	comparison->most = off > comparison->most ? off : comparison->most;
	if (comparison->next++ && its->time != comparison->last_true) {
		double gap = (double)(its->time - comparison->last_true), got = (double)(event->time - comparison->last);
		double share = got > gap ? got / gap - 1 : 1 - got / gap;

		comparison->most_share = share > comparison->most_share ? share : comparison->most_share;
	}
	comparison->last_true = its->time;
	comparison->last = event->time;
	return true;
}

/* Returns by how much the events of the graph deviate. The graph is also written to a file and read again. */
static struct comparison expand(struct fathom_call_graph *graph)
{
	struct comparison comparison = { 0 }, again = { 0 };
	struct fathom_call_graph copy;
	char path[64];
	const char *reason = "";
	uint64_t bytes;

	assert_int_equal(0, fathom_graph_events(graph, 0, compare, &comparison));
	assert_int_equal(event_count, comparison.next);
	snprintf(path, sizeof(path), "call_graph.%d", (int)getpid());
	unlink(path);
	assert_int_equal(0, fathom_graph_file_write(graph, path, &bytes));
	assert_int_equal(-EEXIST, fathom_graph_file_write(graph, path, &bytes));
	assert_true(fathom_graph_file_is(path));
	assert_int_equal(0, fathom_graph_file_read(&copy, path, &reason));
	assert_int_equal(graph->node_count, copy.node_count);
	assert_int_equal(graph->record_count, copy.record_count);
	assert_int_equal(0, fathom_graph_events(&copy, 0, compare, &again));
	assert_int_equal(event_count, again.next);
	assert_int_equal(comparison.most, again.most);
	unlink(path);
	fathom_call_graph_free(&copy);
	return comparison;
}

/* main calls f and g three times. */
static void make_small(uint64_t first, uint64_t second, uint64_t third)
{
	const uint64_t f[] = { first, second, third };

	begin();
	put(FATHOM_RECORD_ENTER, MAIN, 0);
	for (int i = 0; i < 3; i++) {
		now += 1;
		call(F, f[i]);
		now += 1;
		call(G, 5);
	}
	now += 1;
	put(FATHOM_RECORD_LEAVE, MAIN, 0);
}

static void equal_calls_are_one_node(void **state)
{
	struct fathom_call_graph graph;

	(void)state;
	make_small(10, 10, 10);
	record(&graph, 0, 0);
	assert_int_equal(3, calls_in(&graph));		/* main, f, g */
	assert_int_equal(0, expand(&graph).most);
	fathom_call_graph_free(&graph);
	make_small(10, 10, 11);
	record(&graph, 0, 0);
	assert_int_equal(4, calls_in(&graph));
	assert_int_equal(0, expand(&graph).most);
	fathom_call_graph_free(&graph);
}

static void close_times_become_equal(void **state)
{
	struct fathom_call_graph graph;
	struct comparison comparison;

	(void)state;
	make_small(10, 12, 14);
	record(&graph, 16, 0);
	assert_int_equal(3, calls_in(&graph));
	comparison = expand(&graph);
	assert_true(comparison.most <= 16);
	assert_true(graph.bounds.most <= 16 && graph.bounds.most >= comparison.most);
	fathom_call_graph_free(&graph);
}

static void requests_count_from_the_last_one(void **state)
{
	struct fathom_call_graph graph;

	(void)state;
	begin();
	for (uint64_t i = 0; i < 1000; i++) {
		put(FATHOM_RECORD_ENTER, MAIN, 0);
		put(FATHOM_RECORD_MPI_ISEND, 0, 2 * i + 100);
		now += 3;
		put(FATHOM_RECORD_MPI_IRECV_REQUEST, 0, 2 * i + 101);
		put(FATHOM_RECORD_MPI_ISEND_COMPLETE, 0, 2 * i + 100);
		put(FATHOM_RECORD_MPI_IRECV, 0, 2 * i + 101);
		put(FATHOM_RECORD_LEAVE, MAIN, 0);
		put(FATHOM_RECORD_PARAMETER_INT, 2, i * i);
		put(FATHOM_RECORD_PARAMETER_INT, 1, i);
	}
	record(&graph, 0, 0);
	assert_int_equal(2, calls_in(&graph));		/* the first call, whose request is not one more than the last */
	assert_int_equal(0, expand(&graph).most);
	fathom_call_graph_free(&graph);
}

/* Enters and leaves that do not nest, as those of tasks, and calls that never end. */
static void calls_need_not_nest(void **state)
{
	struct fathom_call_graph graph;

	(void)state;
	begin();
	put(FATHOM_RECORD_LEAVE, G, 0);
	for (uint64_t i = 0; i < 100; i++) {
		put(FATHOM_RECORD_ENTER, F, 0);
		now += i;
		put(FATHOM_RECORD_ENTER, G, 0);
		put(FATHOM_RECORD_LEAVE, F, 0);
		now += 2;
		put(FATHOM_RECORD_LEAVE, G, 0);
	}
	record(&graph, 0, 0);
	assert_int_equal(0, expand(&graph).most);
	fathom_call_graph_free(&graph);
}

static uint64_t seed = 42;

static void make_random(unsigned depth)
{
	uint64_t region = random_below(&seed, 5);

	put(FATHOM_RECORD_ENTER, region, 0);
	for (uint64_t i = random_below(&seed, 5); depth && i > 0; i--) {
		now += random_below(&seed, 4) ? random_below(&seed, 100) : random_below(&seed, 100000);
		make_random(depth - 1);
	}
	now += random_below(&seed, 300);
	put(FATHOM_RECORD_LEAVE, region, 0);
}

static void deviations_stay_within_bounds(void **state)
{
	static const uint64_t ticks[] = { 0, 1, 2, 3, 10, 1000, 100000 };
	static const double shares[] = { 0.01, 0.1, 0.5, 1 };
	struct fathom_call_graph graph;
	struct comparison comparison;

	(void)state;
	for (int round = 0; round < 20; round++) {
		begin();
		for (int i = 0; i < 20; i++)
			make_random(6);
		for (size_t i = 0; i < sizeof(ticks) / sizeof(*ticks); i++) {
			record(&graph, ticks[i], 0);
			comparison = expand(&graph);
			assert_true(comparison.most <= ticks[i]);
			assert_true(graph.bounds.most <= ticks[i] && graph.bounds.most >= comparison.most);
			fathom_call_graph_free(&graph);
		}
		for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
			record(&graph, 0, shares[i]);
			comparison = expand(&graph);
			assert_true(comparison.most_share <= shares[i]);
			fathom_call_graph_free(&graph);
		}
	}
}

/* --- statistics ---------------------------------------------------------------------------------------- */

enum { REGIONS = 5, DEEPEST = 10 };

/* Computes the statistics of all regions from the events, whose calls nest. */
static void count_events(struct fathom_region_statistics *regions, uint64_t from, uint64_t to)
{
	uint64_t stack[DEEPEST], before = 0;
	size_t depth = 0;

	memset(regions, 0, REGIONS * sizeof(*regions));
	for (size_t i = 0; i < event_count; i++) {
		const struct fathom_otf2_event *event = &events[i];
		uint64_t begin = before > from ? before : from, end = event->time < to ? event->time : to;
		bool is_known[REGIONS] = { false };

		for (size_t d = 0; d < depth && begin < end; d++) {
			if (!is_known[stack[d]])
				regions[stack[d]].inclusive += end - begin;
			is_known[stack[d]] = true;
		}
		if (depth && begin < end)
			regions[stack[depth - 1]].exclusive += end - begin;
		before = event->time;
		if (event->kind == FATHOM_RECORD_LEAVE) {
			depth--;
			continue;
		}
		stack[depth++] = event->ref;
		regions[event->ref].visits += event->time >= from && event->time < to;
	}
}

static void check_statistics(const struct fathom_call_graph *graph, uint64_t from, uint64_t to)
{
	struct fathom_region_statistics expected[REGIONS];
	struct fathom_graph_statistics statistics;

	count_events(expected, from, to);
	fathom_graph_statistics_make(&statistics, graph, from, to);
	for (size_t i = 0; i < statistics.count; i++) {
		const struct fathom_region_statistics *region = &statistics.regions[i];
		struct fathom_region_statistics *its = &expected[region->region];

		assert_true(region->region < REGIONS);
		assert_true(i == 0 || region->exclusive <= region[-1].exclusive);
		assert_int_equal(its->visits, region->visits);
		assert_int_equal(its->exclusive, region->exclusive);
		assert_int_equal(its->inclusive, region->inclusive);
		memset(its, 0, sizeof(*its));
	}
	for (size_t r = 0; r < REGIONS; r++)		/* none is missing */
		assert_true(!expected[r].visits && !expected[r].inclusive);
	free(statistics.regions);
}

static void times_of_regions(void **state)
{
	struct fathom_graph_statistics statistics;
	struct fathom_call_graph graph;

	(void)state;
	make_small(10, 10, 11);
	record(&graph, 0, 0);
	fathom_graph_statistics_make(&statistics, &graph, 0, UINT64_MAX);
	assert_int_equal(3, statistics.count);
	assert_int_equal(F, statistics.regions[0].region);
	assert_int_equal(31, statistics.regions[0].exclusive);
	assert_int_equal(31, statistics.regions[0].inclusive);
	assert_int_equal(3, statistics.regions[0].visits);
	assert_int_equal(MAIN, statistics.regions[2].region);
	assert_int_equal(7, statistics.regions[2].exclusive);
	assert_int_equal(53, statistics.regions[2].inclusive);
	free(statistics.regions);
	fathom_call_graph_free(&graph);
}

static void times_in_windows(void **state)
{
	struct fathom_call_graph graph;

	(void)state;
	for (int round = 0; round < 30; round++) {
		begin();
		for (int i = 0; i < 10; i++)
			make_random(6);
		record(&graph, 0, 0);
		check_statistics(&graph, 0, UINT64_MAX);
		for (int i = 0; i < 50; i++) {
			uint64_t from = 1000 + random_below(&seed, (uint32_t)(now - 1000));
			uint64_t to = from + random_below(&seed, (uint32_t)(now - from) + 1);

			check_statistics(&graph, from, to);
		}
		/* Windows that end where events are. */
		for (int i = 0; i < 20; i++) {
			uint64_t from = events[random_below(&seed, (uint32_t)event_count)].time;

			check_statistics(&graph, from, from + 1 + random_below(&seed, 1000));
			check_statistics(&graph, 0, from);
		}
		fathom_call_graph_free(&graph);
	}
}

/* --- lists ------------------------------------------------------------------------------------------------- */

/* Makes the graph of a loop of main, and checks the memory of the open call on the way. */
static void record_loop(struct fathom_call_graph *graph)
{
	struct fathom_graph_recording recording;

	fathom_call_graph_init(graph);
	fathom_graph_recording_begin(&recording, graph, 7, false);
	for (size_t i = 0; i < event_count; i++) {
		fathom_graph_recording_take(&recording, &events[i]);
		assert_true(recording.builder.item_count < 300);
	}
	fathom_graph_recording_end(&recording);
}

static void equal_calls_take_one_item(void **state)
{
	struct fathom_call_graph graph;

	(void)state;
	begin();
	put(FATHOM_RECORD_ENTER, MAIN, 0);
	for (int i = 0; i < 90000; i++) {
		now += 2;
		call(F, 10);
	}
	put(FATHOM_RECORD_LEAVE, MAIN, 0);
	record_loop(&graph);
	assert_int_equal(2, graph.call_count);
	assert_int_equal(2, graph.item_count);		/* main in the root, the calls of f in main */
	assert_int_equal(0, expand(&graph).most);
	check_statistics(&graph, 1000, UINT64_MAX);
	check_statistics(&graph, 5000, 100001);
	fathom_call_graph_free(&graph);
}

/* main repeats f g g f, and every tenth time h, which calls f. */
static void loops_are_lists(void **state)
{
	struct fathom_call_graph graph;

	(void)state;
	begin();
	put(FATHOM_RECORD_ENTER, MAIN, 0);
	for (int i = 0; i < 9000; i++) {
		now += 2;
		call(F, 10);
		now += 1;
		call(G, 5);
		now += 1;
		call(G, 5);
		call(F, 20);
		if (i % 10)
			continue;
		put(FATHOM_RECORD_ENTER, 3, 0);
		for (int k = 0; k < 5; k++)
			call(F, 7);
		put(FATHOM_RECORD_LEAVE, 3, 0);
	}
	put(FATHOM_RECORD_LEAVE, MAIN, 0);
	record_loop(&graph);
	assert_int_equal(6, graph.call_count);
	assert_true(graph.item_count < 400);
	assert_int_equal(0, expand(&graph).most);
	for (int i = 0; i < 50; i++) {
		uint64_t from = events[random_below(&seed, (uint32_t)event_count)].time;

		check_statistics(&graph, from, from + 1 + random_below(&seed, 10000));
		check_statistics(&graph, from + random_below(&seed, 10), from + random_below(&seed, 1000000));
	}
	fathom_call_graph_free(&graph);
}

static void make_loops(unsigned depth)
{
	uint64_t region = random_below(&seed, 5), times = 1 + random_below(&seed, 60);
	uint64_t ticks = random_below(&seed, 3), calls = random_below(&seed, 4), callees = seed;

	put(FATHOM_RECORD_ENTER, region, 0);
	while (times--) {
		if (random_below(&seed, 100))
			seed = callees;		/* most iterations are equal */
		for (uint64_t i = 0; depth && i < calls && event_count < MOST_EVENTS / 2; i++) {
			now += ticks;
			make_loops(depth - 1);
		}
	}
	now += ticks;
	put(FATHOM_RECORD_LEAVE, region, 0);
}

static void loops_in_loops(void **state)
{
	struct fathom_call_graph graph;

	(void)state;
	for (int round = 0; round < 40; round++) {
		uint64_t start = seed;

		begin();
		for (int i = 0; i < 6; i++)
			make_loops((unsigned)round % 4);
		seed = start + (uint64_t)round * 7919;
		record(&graph, 0, 0);
		assert_int_equal(0, expand(&graph).most);
		for (int i = 0; i < 5; i++) {
			uint64_t from = events[random_below(&seed, (uint32_t)event_count)].time;

			check_statistics(&graph, from, from + 1 + random_below(&seed, 1000));
			check_statistics(&graph, from, UINT64_MAX);
		}
		fathom_call_graph_free(&graph);
		record(&graph, 50, 0);
		assert_true(expand(&graph).most <= 50);
		fathom_call_graph_free(&graph);
	}
}

/* --- numbers ------------------------------------------------------------------------------------------------ */

static void round_numbers(void **state)
{
	(void)state;
	assert_int_equal(128, fathom_graph_round_number(50, 150, 100));
	assert_int_equal(64, fathom_graph_round_number(42, 126, 84));
	assert_int_equal(12, fathom_graph_round_number(11, 13, 11));
	assert_int_equal(7, fathom_graph_round_number(7, 7, 7));
	assert_int_equal(0, fathom_graph_round_number(0, 0, 0));
	for (int i = 0; i < 100000; i++) {
		uint64_t low = random_below(&seed, 1000), high = low + random_below(&seed, 1000);
		uint64_t wanted = low + random_below(&seed, (uint32_t)(high - low + 1));
		uint64_t number = fathom_graph_round_number(low, high, wanted);

		assert_true(number >= low && number <= high);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_calls_are_one_node),
		cmocka_unit_test(close_times_become_equal),
		cmocka_unit_test(requests_count_from_the_last_one),
		cmocka_unit_test(calls_need_not_nest),
		cmocka_unit_test(deviations_stay_within_bounds),
		cmocka_unit_test(times_of_regions),
		cmocka_unit_test(times_in_windows),
		cmocka_unit_test(equal_calls_take_one_item),
		cmocka_unit_test(loops_are_lists),
		cmocka_unit_test(loops_in_loops),
		cmocka_unit_test(round_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
