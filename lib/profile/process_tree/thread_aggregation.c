#include "profile/process_tree/thread_aggregation.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "define/metric.h"
#include "define/region.h"
#include "platform/log.h"
#include "profile/recording/callpath.h"

/* Written at the start, before anything is aggregated. */
static enum fathom_threads chosen = FATHOM_THREADS_ALL;

void fathom_aggregate_choose(enum fathom_threads threads)
{
	chosen = threads;
}

enum fathom_threads fathom_aggregate_chosen(void)
{
	return chosen;
}

/* --- the threads of each location ------------------------------------------------------------------- */

int fathom_aggregate_init(struct fathom_aggregate *aggregate, struct fathom_arena *arena,
			  const struct fathom_process_tree *process, enum fathom_threads threads)
{
	size_t room = ((size_t)process->location_count + 1) * sizeof(uint32_t);

	memset(aggregate, 0, sizeof(*aggregate));
	aggregate->threads = threads;
	aggregate->tree = &process->tree;
	aggregate->thread_count = process->location_count;
	aggregate->value_count = process->value_count;
	aggregate->location_of = fathom_arena_alloc(arena, room);
	if (!aggregate->location_of)
		return -ENOMEM;
	if (threads == FATHOM_THREADS_KEY) {
		aggregate->work = fathom_arena_alloc(arena, room * 2);
		aggregate->is_task = fathom_arena_alloc(arena, (size_t)process->tree.count + 1);
		return aggregate->work && aggregate->is_task ? 0 : -ENOMEM;
	}
	if (threads == FATHOM_THREADS_CALLTREE) {
		aggregate->first = fathom_arena_alloc(arena, room);
		aggregate->split = fathom_arena_alloc(arena, room);
		aggregate->group_count = 1;	/* all threads are in it at first */
		return aggregate->first && aggregate->split ? 0 : -ENOMEM;
	}
	return 0;
}

/* Returns true if the exclusive time of a region is work, and not waiting, communication or management. Regions
 * without a name yet are functions of the program, which are work. */
static bool is_work(const struct fathom_region *region)
{
	return fathom_activity_within((enum fathom_activity)region->activity, FATHOM_ACTIVITY_COMPUTATION);
}

/* Splits groups of threads at a call path. The threads that visited it, or did not visit it, as the lowest thread of
 * their group did stay in the group; the others become a new group. So no two threads need to be compared, and no
 * call paths need to be kept. */
static void split_groups(struct fathom_aggregate *aggregate, const uint64_t *visits)
{
	uint32_t before = aggregate->group_count;

	memset(aggregate->split, 0, before * sizeof(*aggregate->split));
	for (uint32_t t = 0; t < aggregate->thread_count; t++) {
		uint32_t group = aggregate->location_of[t];

		if (!visits[t] == !visits[aggregate->first[group]])
			continue;
		if (!aggregate->split[group]) {
			aggregate->first[aggregate->group_count] = t;
			aggregate->split[group] = aggregate->group_count++;
		}
		aggregate->location_of[t] = aggregate->split[group];
	}
}

/* Adds the exclusive time at a call path to the work of the threads. The time of an explicit task is in the tree of
 * tasks, and also in the stub region where the task was executed: only the former counts. The root is not work,
 * because it is not known what a thread did outside of all regions. */
static void add_work(struct fathom_aggregate *aggregate, uint32_t path, const struct fathom_region *region,
		     const uint64_t *time)
{
	bool is_task = region == fathom_tasks_region || aggregate->is_task[aggregate->tree->nodes[path].parent];

	aggregate->is_task[path] = is_task;
	if (path == 0 || (region->role == FATHOM_ROLE_TASK && !is_task) || !is_work(region))
		return;
	for (uint32_t t = 0; t < aggregate->thread_count; t++)
		aggregate->work[t] += time[t];
}

void fathom_aggregate_add_path(struct fathom_aggregate *aggregate, uint32_t path, const struct fathom_region *region,
			       const uint64_t *values)
{
	if (aggregate->threads == FATHOM_THREADS_CALLTREE)
		split_groups(aggregate, values + (size_t)FATHOM_VALUE_VISITS * aggregate->thread_count);
	if (aggregate->threads == FATHOM_THREADS_KEY)
		add_work(aggregate, path, region, values + (size_t)FATHOM_VALUE_TIME * aggregate->thread_count);
}

/* The locations of the strategy "key", in their order. */
enum { MASTER, FASTEST, SLOWEST, REMAINING, KEYS };

/* Chooses the locations of the threads; of two threads with equal work the lower one comes first. If there is a
 * single thread besides the initial one, it is the slowest and the only other location. */
static void choose_key_threads(struct fathom_aggregate *aggregate)
{
	uint32_t count = aggregate->thread_count, slowest = 1, fastest = 0;
	const uint64_t *work = aggregate->work;

	for (uint32_t t = 1; t < count; t++)
		if (work[t] > work[slowest])
			slowest = t;
	for (uint32_t t = 1; t < count; t++)
		if (t != slowest && (!fastest || work[t] < work[fastest]))
			fastest = t;
	aggregate->location_count = count < KEYS ? count : KEYS;
	for (uint32_t t = 1; t < count; t++)
		aggregate->location_of[t] = t == fastest ? FASTEST : t == slowest ? SLOWEST : REMAINING;
	if (count == 2)
		aggregate->location_of[slowest] = 1;
}

/* Numbers the groups by their lowest threads, so that the initial thread is in the first one. 0 or -ENOMEM. */
static int number_groups(struct fathom_aggregate *aggregate, struct fathom_arena *arena)
{
	uint32_t *number = fathom_arena_alloc(arena, ((size_t)aggregate->group_count + 1) * sizeof(*number));

	if (!number)
		return -ENOMEM;
	for (uint32_t t = 0; t < aggregate->thread_count; t++) {
		uint32_t group = aggregate->location_of[t];

		if (t == aggregate->first[group])
			number[group] = aggregate->location_count++;
		aggregate->location_of[t] = number[group];
	}
	return 0;
}

int fathom_aggregate_finish(struct fathom_aggregate *aggregate, struct fathom_arena *arena)
{
	switch (aggregate->threads) {
	case FATHOM_THREADS_SUM:
	case FATHOM_THREADS_SET:
		aggregate->location_count = aggregate->thread_count ? 1 : 0;
		return 0;
	case FATHOM_THREADS_KEY:
		choose_key_threads(aggregate);
		return 0;
	case FATHOM_THREADS_CALLTREE:
		return number_groups(aggregate, arena);
	case FATHOM_THREADS_ALL:
		break;
	}
	for (uint32_t t = 0; t < aggregate->thread_count; t++)
		aggregate->location_of[t] = t;
	aggregate->location_count = aggregate->thread_count;
	return 0;
}

/* --- the names of locations ------------------------------------------------------------------------- */

enum { NAME_BYTES = 64 };

/* Writes the name of a location of several threads. */
static void name_location(const struct fathom_aggregate *aggregate, uint32_t location, uint32_t members, char *name)
{
	static const char *const keys[KEYS] = { "master thread", "fastest thread", "slowest thread",
						"remaining threads" };

	switch (aggregate->threads) {
	case FATHOM_THREADS_SUM:
		fathom_format(name, NAME_BYTES, "sum of threads");
		break;
	case FATHOM_THREADS_SET:
		fathom_format(name, NAME_BYTES, "thread statistics");
		break;
	case FATHOM_THREADS_KEY:
		fathom_format(name, NAME_BYTES, "%s",
			      keys[location == 1 && aggregate->location_count == 2 ? SLOWEST : location]);
		break;
	default:
		fathom_format(name, NAME_BYTES, "cluster %u (%u thread%s)", location, members, members == 1 ? "" : "s");
		break;
	}
}

/* The threads of each location, as linked lists. */
struct members {
	uint32_t *first;	/* by location; every location has a thread */
	uint32_t *last;
	uint32_t *count;
	uint32_t *next;		/* by thread */
};

static int list_members(const struct fathom_aggregate *aggregate, struct fathom_arena *arena, struct members *members)
{
	size_t locations = (size_t)aggregate->location_count + 1;

	members->first = fathom_arena_alloc(arena, locations * sizeof(uint32_t));
	members->last = fathom_arena_alloc(arena, locations * sizeof(uint32_t));
	members->count = fathom_arena_alloc(arena, locations * sizeof(uint32_t));
	members->next = fathom_arena_alloc(arena, ((size_t)aggregate->thread_count + 1) * sizeof(uint32_t));
	if (!members->first || !members->last || !members->count || !members->next)
		return -ENOMEM;
	for (uint32_t t = 0; t < aggregate->thread_count; t++) {
		uint32_t location = aggregate->location_of[t];

		if (members->count[location]++)
			members->next[members->last[location]] = t;
		else
			members->first[location] = t;
		members->last[location] = t;
	}
	return 0;
}

/* Writes the threads of a location as in "0,2-7". Returns the end, behind the NUL. */
static char *put_members(const struct members *members, uint32_t location, char *place)
{
	uint32_t left = members->count[location], first = members->first[location];

	while (left) {
		uint32_t last = first;

		for (left--; left && members->next[last] == last + 1; left--)
			last++;
		place += fathom_format(place, NAME_BYTES, last > first ? "%u-%u" : "%u", first, last);
		first = members->next[last];
		if (left)
			*place++ = ',';
	}
	*place = '\0';
	return place + 1;
}

char *fathom_aggregate_names(const struct fathom_aggregate *aggregate, struct fathom_arena *arena,
			     const struct fathom_process_tree *process, size_t *bytes)
{
	/* The number of a thread and the separator before it take at most 11 bytes. */
	size_t most = (size_t)aggregate->location_count * (NAME_BYTES + 1) + (size_t)aggregate->thread_count * 11;
	char *texts = fathom_arena_alloc(arena, most + NAME_BYTES), *place = texts;
	struct members members;

	if (!texts || list_members(aggregate, arena, &members))
		return NULL;
	for (uint32_t l = 0; l < aggregate->location_count; l++) {
		if (aggregate->threads == FATHOM_THREADS_ALL)
			fathom_process_tree_location_name(process, l, place, NAME_BYTES);
		else
			name_location(aggregate, l, members.count[l], place);
		place += strlen(place) + 1;
		if (aggregate->threads == FATHOM_THREADS_ALL)
			*place++ = '\0';
		else
			place = put_members(&members, l, place);
	}
	*bytes = (size_t)(place - texts);
	return texts;
}

/* --- values ---------------------------------------------------------------------------------------- */

uint32_t fathom_aggregate_width(enum fathom_threads threads, uint32_t value, enum fathom_metric_type type)
{
	if (value == FATHOM_VALUE_THREADS)	/* a single thread is always one; statistics contain the count */
		return threads != FATHOM_THREADS_ALL && threads != FATHOM_THREADS_SET;
	/* A thread that is idle at a call path has not visited it, and statistics are over those that did. */
	if (value == FATHOM_VALUE_MIN || value == FATHOM_VALUE_MAX || value == FATHOM_VALUE_IDLE ||
	    fathom_metric_is_extreme(type))
		return 1;
	return threads == FATHOM_THREADS_SET ? FATHOM_STATISTICS : 1;
}

static enum fathom_metric_type type_of(uint32_t value)
{
	return value < FATHOM_VALUE_METRICS ? FATHOM_METRIC_UINT64 :
	       fathom_metric_by_id(value - FATHOM_VALUE_METRICS)->type;
}

size_t fathom_aggregate_offset(const struct fathom_aggregate *aggregate, uint32_t value)
{
	size_t width = 0;

	while (value-- > 0)
		width += fathom_aggregate_width(aggregate->threads, value, type_of(value));
	return width * aggregate->location_count;
}

static uint64_t combine(uint32_t value, uint64_t a, uint64_t b)
{
	if (value == FATHOM_VALUE_MIN)
		return b < a ? b : a;
	if (value == FATHOM_VALUE_MAX)
		return b > a ? b : a;
	return fathom_metric_sum(type_of(value), a, b);
}

void fathom_aggregate_add(const struct fathom_aggregate *aggregate, uint64_t *sum, const uint64_t *part)
{
	for (uint32_t v = 0; v < aggregate->value_count; v++)
		for (uint32_t t = 0; t < aggregate->thread_count; t++, sum++, part++)
			*sum = combine(v, *sum, *part);
}

/* Combines the values of the threads of each location: the sum, the minimum or the maximum. Returns true if any value
 * is not neutral. */
static bool combine_row(const struct fathom_aggregate *aggregate, uint32_t value, const uint64_t *of, uint64_t *row)
{
	uint64_t neutral = fathom_aggregate_neutral(value);
	bool says = false;

	for (uint32_t l = 0; l < aggregate->location_count; l++)
		row[l] = neutral;
	for (uint32_t t = 0; t < aggregate->thread_count; t++) {
		uint64_t *cell = &row[aggregate->location_of[t]];

		*cell = combine(value, *cell, of[t]);
		says |= of[t] != neutral;
	}
	return says;
}

static bool count_row(const struct fathom_aggregate *aggregate, const uint64_t *visits, uint64_t *row)
{
	bool says = false;

	memset(row, 0, aggregate->location_count * sizeof(*row));
	for (uint32_t t = 0; t < aggregate->thread_count; t++) {
		row[aggregate->location_of[t]] += visits[t] != 0;
		says |= visits[t] != 0;
	}
	return says;
}

/* Computes statistics over the threads that visited the call path. A thread that has a value there without a visit is
 * included, too, so that the sum is that of all threads. (A running thread may have a visit that is not counted yet.)
 */
static bool statistics_row(const struct fathom_aggregate *aggregate, const uint64_t *visits, const uint64_t *of,
			   uint64_t *row)
{
	unsigned __int128 squares = 0;
	double as_double;

	row[FATHOM_STATISTIC_COUNT] = 0;
	row[FATHOM_STATISTIC_MIN] = UINT64_MAX;
	row[FATHOM_STATISTIC_MAX] = 0;
	row[FATHOM_STATISTIC_SUM] = 0;
	for (uint32_t t = 0; t < aggregate->thread_count; t++) {
		if (!visits[t] && !of[t])
			continue;
		row[FATHOM_STATISTIC_COUNT]++;
		if (of[t] < row[FATHOM_STATISTIC_MIN])
			row[FATHOM_STATISTIC_MIN] = of[t];
		if (of[t] > row[FATHOM_STATISTIC_MAX])
			row[FATHOM_STATISTIC_MAX] = of[t];
		row[FATHOM_STATISTIC_SUM] += of[t];
		if (__builtin_add_overflow(squares, (unsigned __int128)of[t] * of[t], &squares))
			squares = ~(unsigned __int128)0;
	}
	as_double = (double)squares;
	memcpy(&row[FATHOM_STATISTIC_SQUARES], &as_double, sizeof(as_double));
	return row[FATHOM_STATISTIC_COUNT] != 0;
}

/* Computes statistics as statistics_row, for values that may be negative or fractions. */
static bool number_statistics_row(const struct fathom_aggregate *aggregate, const uint64_t *visits, const uint64_t *of,
				  enum fathom_metric_type type, uint64_t *row)
{
	double squares = 0;

	memset(row, 0, FATHOM_STATISTICS * sizeof(*row));
	for (uint32_t t = 0; t < aggregate->thread_count; t++) {
		double number = fathom_metric_number(type, of[t]);

		if (!visits[t] && !of[t])
			continue;
		if (!row[FATHOM_STATISTIC_COUNT]++) {
			row[FATHOM_STATISTIC_MIN] = of[t];
			row[FATHOM_STATISTIC_MAX] = of[t];
		}
		if (number < fathom_metric_number(type, row[FATHOM_STATISTIC_MIN]))
			row[FATHOM_STATISTIC_MIN] = of[t];
		if (number > fathom_metric_number(type, row[FATHOM_STATISTIC_MAX]))
			row[FATHOM_STATISTIC_MAX] = of[t];
		row[FATHOM_STATISTIC_SUM] = fathom_metric_sum(type, row[FATHOM_STATISTIC_SUM], of[t]);
		squares += number * number;
	}
	memcpy(&row[FATHOM_STATISTIC_SQUARES], &squares, sizeof(squares));
	return row[FATHOM_STATISTIC_COUNT] != 0;
}

fathom_presence fathom_aggregate_cells(const struct fathom_aggregate *aggregate, const uint64_t *values,
				       uint64_t *cells)
{
	const uint64_t *visits = values + (size_t)FATHOM_VALUE_VISITS * aggregate->thread_count;
	fathom_presence says = 0;

	if (!aggregate->location_count)
		return 0;
	for (uint32_t v = 0; v < aggregate->value_count; v++) {
		uint32_t width = fathom_aggregate_width(aggregate->threads, v, type_of(v));
		const uint64_t *of = values + (size_t)v * aggregate->thread_count;
		bool row_says = false;

		if (v == FATHOM_VALUE_THREADS)
			row_says = width && count_row(aggregate, visits, cells);
		else if (width == FATHOM_STATISTICS && type_of(v) != FATHOM_METRIC_UINT64)
			row_says = number_statistics_row(aggregate, visits, of, type_of(v), cells);
		else if (width == FATHOM_STATISTICS)
			row_says = statistics_row(aggregate, visits, of, cells);
		else
			row_says = combine_row(aggregate, v, of, cells);
		if (row_says)
			says |= fathom_presence_of(v);
		cells += (size_t)width * aggregate->location_count;
	}
	return says;
}
