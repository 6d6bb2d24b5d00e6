/*
 * Teams, created threads and explicit tasks, under a clock that the test moves: where their call paths end up, and
 * that no tick is lost or counted twice.
 */
#include "moved_clock.h"
#include "unit_test.h"

#include <pthread.h>

#include "define/region.h"
#include "event/event.h"
#include "event/state.h"
#include "event/teams/task.h"
#include "event/teams/tasks.h"
#include "event/teams/team.h"
#include "event/thread.h"
#include "platform/clock.h"
#include "profile/process_tree/call_path_values.h"
#include "profile/process_tree/process_tree.h"

static const struct fathom_region *run_region, *parallel, *management, *barrier, *work, *create, *small, *large,
	*thread;

/* --- one test: a thread of its own with what it starts; afterwards a snapshot ------------------ */

static struct fathom_process_tree snapshot;
static uint64_t *values;

static void enter(const struct fathom_region *region)
{
	fathom_event_enter_block(region);
}

static void leave(const struct fathom_region *region)
{
	fathom_event_exit(region);
}

static pthread_t start(void *(*body)(void *), void *argument)
{
	pthread_t started;

	assert_int_equal(pthread_create(&started, NULL, body, argument), 0);
	return started;
}

static void finish(pthread_t started)
{
	pthread_join(started, NULL);
}

/* Each test's regions are inside one of its own, so that tests do not see each other's. */
static const struct fathom_region *test_region(const char *name)
{
	return fathom_region_define(&(struct fathom_region){ .name = name, .paradigm = FATHOM_PARADIGM_USER });
}

static void *run_body(void *body)
{
	enter(run_region);
	(*(void (**)(void))body)();
	leave(run_region);
	return NULL;
}

static void run(const char *name, void (*body)(void))
{
	run_region = test_region(name);
	finish(start(run_body, &body));
	assert_int_equal(fathom_process_tree_build(&snapshot, &(struct fathom_costs){ 0 }, 0), 0);
	snapshot.scale.units_per_tick_q32 = (uint64_t)1 << 32;
	values = calloc((size_t)FATHOM_VALUE_COUNT * snapshot.location_count, sizeof(*values));
}

static void end(void)
{
	free(values);
	fathom_process_tree_fini(&snapshot);
}

static uint32_t child(uint32_t parent, const struct fathom_region *region)
{
	for (uint32_t i = snapshot.tree.nodes[parent].first_child; i; i = snapshot.tree.nodes[i].sibling)
		if (snapshot.tree.nodes[i].key == region->id)
			return i;
	return 0;
}

/* The node at a path below the test's own region, or below TASKS. */
#define PATH(...) find_path((const struct fathom_region *[]){ __VA_ARGS__, NULL })
static uint32_t find_path(const struct fathom_region **path)
{
	uint32_t node = 0;

	for (; *path; path++) {
		node = child(node, *path);
		if (!node)
			fail_msg("no %s", (*path)->name);
	}
	return node;
}

/* Over all locations: visits, and exclusive time. */
static void has(uint32_t node, uint64_t visits, uint64_t ticks)
{
	uint64_t sum[2] = { 0, 0 };

	fathom_process_tree_values(&snapshot, node, values);
	for (uint32_t l = 0; l < snapshot.location_count; l++) {
		sum[0] += values[FATHOM_VALUE_VISITS * snapshot.location_count + l];
		sum[1] += values[FATHOM_VALUE_TIME * snapshot.location_count + l];
	}
	assert_int_equal(sum[0], visits);
	assert_int_equal(sum[1], ticks);
}

static uint64_t value_of(uint32_t node, int value, const char *location)
{
	char name[64];

	fathom_process_tree_values(&snapshot, node, values);
	for (uint32_t l = 0; l < snapshot.location_count; l++)
		if (!strcmp(fathom_process_tree_location_name(&snapshot, l, name, sizeof(name)), location))
			return values[(uint32_t)value * snapshot.location_count + l];
	fail_msg("no location %s", location);
	return 0;
}

static uint64_t sum_of(uint32_t node, int value)
{
	uint64_t sum = 0;

	fathom_process_tree_values(&snapshot, node, values);
	for (uint32_t l = 0; l < snapshot.location_count; l++)
		sum += values[(uint32_t)value * snapshot.location_count + l];
	return sum;
}

static uint64_t min_of(uint32_t node)
{
	uint64_t min = UINT64_MAX;

	fathom_process_tree_values(&snapshot, node, values);
	for (uint32_t l = 0; l < snapshot.location_count; l++)
		if (values[FATHOM_VALUE_MIN * snapshot.location_count + l] < min)
			min = values[FATHOM_VALUE_MIN * snapshot.location_count + l];
	return min;
}

/* --- teams --------------------------------------------------------------------------------------- */

/* One thread of a team at a time has its turn, so that the clock means something. */
static struct fathom_team *team;

static void *work_in_team(void *number)
{
	fathom_event_team_begin(team, (uint32_t)(uintptr_t)number, 2);
	enter(work);
	pass(10);
	leave(work);
	fathom_event_team_end(team);
	return NULL;
}

static void fork_two(enum fathom_team_places places)
{
	pass(1);
	team = fathom_event_fork(parallel, management, 2, places);
	pass(2);
	fathom_event_team_begin(team, 0, 2);
	enter(work);
	pass(3);
	leave(work);
	finish(start(work_in_team, (void *)1));
	fathom_event_team_end(team);
	pass(4);
	fathom_event_join(team);
	pass(5);
}

static void two_teams(void)
{
	fork_two(FATHOM_PLACES_LOGICAL);
	fork_two(FATHOM_PLACES_LOGICAL);
}

static void workers_hang_under_the_fork(void **state)
{
	char path[64];

	(void)state;
	run("workers", two_teams);
	has(PATH(run_region), 1, 2 * (1 + 5));
	/* The leader has the time of the worker's turn as its own. */
	has(PATH(run_region, parallel), 4, 2 * 10);
	has(PATH(run_region, parallel, management), 4, 2 * (2 + 4));
	has(PATH(run_region, parallel, work), 4, 2 * (3 + 10));
	/* Other threads came, the place was the same. */
	for (uint32_t l = 0; l < snapshot.location_count; l++) {
		fathom_process_tree_location_name(&snapshot, l, path, sizeof(path));
		if (strstr(path, "OMP"))
			assert_string_equal(path, "OMP thread 1 of Thread 1");
	}
	assert_int_equal(value_of(PATH(run_region, parallel, work), FATHOM_VALUE_VISITS, "OMP thread 1 of Thread 1"),
			 2);
	assert_int_equal(value_of(PATH(run_region, parallel), FATHOM_VALUE_MAX, "OMP thread 1 of Thread 1"), 10);
	/* The worker is idle while its leader is alone. */
	assert_int_equal(value_of(PATH(run_region), FATHOM_VALUE_IDLE, "OMP thread 1 of Thread 1"), 2 * (1 + 5));
	assert_int_equal(sum_of(PATH(run_region, parallel), FATHOM_VALUE_IDLE), 0);
	assert_int_equal(sum_of(PATH(run_region), FATHOM_VALUE_IDLE), 2 * (1 + 5));
	end();
}

/* A worker waits in the last barrier; the runtime lets it know much later that it is over. */
static pthread_barrier_t step;

static void *wait_late(void *number)
{
	fathom_event_team_begin(team, (uint32_t)(uintptr_t)number, 2);
	pass(1);
	enter(barrier);
	pthread_barrier_wait(&step);	/* the leader goes on */
	pthread_barrier_wait(&step);	/* and lets us know */
	fathom_event_team_end(team);
	pthread_barrier_wait(&step);
	return NULL;
}

static void late_end(void)
{
	pthread_t worker;

	pthread_barrier_init(&step, NULL, 2);
	team = fathom_event_fork(parallel, management, 2, FATHOM_PLACES_THREADS);
	fathom_event_team_begin(team, 0, 2);
	worker = start(wait_late, (void *)1);
	pthread_barrier_wait(&step);
	pass(7);
	fathom_event_team_end(team);
	fathom_event_join(team);
	pass(100);
	pthread_barrier_wait(&step);
	pthread_barrier_wait(&step);
	finish(worker);
	pthread_barrier_destroy(&step);
}

static void a_late_end_is_as_late_as_the_leaders(void **state)
{
	(void)state;
	run("late", late_end);
	has(PATH(run_region, parallel, barrier), 1, 7);
	has(PATH(run_region, parallel), 2, 8 + 1);
	has(PATH(run_region), 1, 100);
	end();
}

static void *never_ends(void *number)
{
	fathom_event_team_begin(team, (uint32_t)(uintptr_t)number, 2);
	enter(work);
	pass(2);
	return NULL;
}

static void cancelled(void)
{
	for (int i = 0; i < 3; i++) {
		team = fathom_event_fork(parallel, management, 2, FATHOM_PLACES_LOGICAL);
		fathom_event_team_begin(team, 0, 2);
		enter(work);
		finish(start(never_ends, (void *)1));
		pass(1);
		fathom_event_join(team);
		pass(50);
	}
}

static void the_join_ends_who_did_not(void **state)
{
	(void)state;
	run("cancel", cancelled);
	has(PATH(run_region, parallel, work), 6, 3 * (3 + 3));
	has(PATH(run_region), 1, 150);
	end();
}

/* Each of the outer two forks two; places are by numbers, whichever thread comes. */
static void *inner(void *outer)
{
	struct fathom_team *around = outer, *own;
	bool is_leader = fathom_self == around->leader;

	fathom_event_team_begin(around, is_leader ? 0 : 1, 2);
	own = fathom_event_fork(parallel, management, 2, FATHOM_PLACES_LOGICAL);
	fathom_event_team_begin(own, 0, 2);
	team = own;
	finish(start(work_in_team, (void *)1));
	fathom_event_team_end(own);
	fathom_event_join(own);
	fathom_event_team_end(around);
	return NULL;
}

static void nested(void)
{
	struct fathom_team *outer = fathom_event_fork(parallel, management, 2, FATHOM_PLACES_LOGICAL);

	inner(outer);
	/* The leader's end does not end the team for others. */
	fathom_event_join(outer);
	outer = fathom_event_fork(parallel, management, 2, FATHOM_PLACES_LOGICAL);
	fathom_event_team_begin(outer, 0, 2);
	finish(start(inner, outer));
	fathom_event_team_end(outer);
	fathom_event_join(outer);
}

static void nested_teams_have_places_of_their_own(void **state)
{
	char first[64];

	(void)state;
	run("nested", nested);
	has(PATH(run_region, parallel, parallel, work), 2, 20);
	has(PATH(run_region, parallel, parallel), 4, 20);
	fathom_process_tree_location_name(&snapshot, 0, first, sizeof(first));
	assert_int_equal(sum_of(PATH(run_region, parallel, parallel, work), FATHOM_VALUE_VISITS), 2);
	{
		uint32_t found = 0;

		for (uint32_t l = 0; l < snapshot.location_count; l++) {
			char name[64];

			fathom_process_tree_location_name(&snapshot, l, name, sizeof(name));
			found |= !strncmp(name, "OMP thread 0:1 of", 17) ? 1 : 0;
			found |= !strncmp(name, "OMP thread 1:1 of", 17) ? 2 : 0;
		}
		assert_int_equal(found, 3);
	}
	end();
}

/* --- created threads ----------------------------------------------------------------------------- */

static struct fathom_origin origin;

static void *created(void *unused)
{
	(void)unused;
	fathom_event_thread_begin(&origin, thread);
	pass(3);
	enter(work);
	pass(4);
	if (fathom_self->id % 2)	/* with open regions, or not */
		leave(work);
	fathom_event_thread_end();
	return NULL;
}

static void create_threads(void)
{
	enter(create);
	for (int i = 0; i < 4; i++) {
		fathom_event_thread_create(&origin);
		finish(start(created, NULL));
	}
	leave(create);
}

static void a_created_thread_hangs_under_its_creator(void **state)
{
	uint32_t before;

	(void)state;
	run("created", create_threads);
	has(PATH(run_region, create, thread), 4, 12);
	has(PATH(run_region, create, thread, work), 4, 16);
	before = snapshot.location_count;
	end();
	fathom.settings.thread_reuse = FATHOM_REUSE_SAME;
	run("created again", create_threads);
	has(PATH(run_region, create, thread, work), 4, 16);
	assert_int_equal(snapshot.location_count, before + 2);	/* the test's thread, and one for all four */
	end();
	fathom.settings.thread_reuse = FATHOM_REUSE_NO;
}

static void *not_recorded(void *unused)
{
	fathom_event_thread_ignore();
	enter(work);
	pass(1);
	leave(work);
	return unused;
}

static void ignore_a_thread(void)
{
	finish(start(not_recorded, NULL));
}

static void an_ignored_thread_records_nothing(void **state)
{
	uint32_t before = 0;

	(void)state;
	for (const struct fathom_location *l = fathom_location_newest(); l; l = l->next)
		before++;
	run("ignored", ignore_a_thread);
	assert_int_equal(snapshot.location_count, before + 1);
	end();
}

/* --- tasks --------------------------------------------------------------------------------------- */

static struct fathom_task *make(const struct fathom_region *region)
{
	struct fathom_task *task;

	enter(create);
	task = fathom_event_task_create(region);
	leave(create);
	return task;
}

static void one_in_the_other(void)
{
	struct fathom_task *a = make(large), *b = make(small);

	enter(barrier);
	pass(1);
	fathom_event_task_begin(a);
	pass(2);
	enter(work);
	pass(3);
	fathom_event_task_begin(b);	/* a waits */
	pass(10);
	enter(work);
	pass(20);
	leave(work);
	fathom_event_task_end(b);
	assert_ptr_equal(fathom_event_task_current(), a);
	pass(4);
	leave(work);
	fathom_event_task_end(a);
	assert_null(fathom_event_task_current());
	pass(5);
	leave(barrier);
}

static void a_suspended_task_passes_no_time(void **state)
{
	(void)state;
	run("suspended", one_in_the_other);
	has(PATH(run_region, barrier), 1, 6);
	has(PATH(run_region, barrier, large), 2, 9);	/* pieces */
	has(PATH(run_region, barrier, small), 1, 30);
	has(PATH(fathom_tasks_region), 0, 0);
	has(PATH(fathom_tasks_region, large), 1, 2);
	has(PATH(fathom_tasks_region, large, work), 1, 7);
	has(PATH(fathom_tasks_region, small), 1, 10);
	has(PATH(fathom_tasks_region, small, work), 1, 20);
	assert_int_equal(min_of(PATH(fathom_tasks_region, large)), 9);
	assert_int_equal(sum_of(PATH(fathom_tasks_region, large),
				FATHOM_VALUE_COUNTERS + FATHOM_COUNTER_TASK_SWITCHES), 1);
	end();
}

static struct fathom_task *moving;

static void *go_on(void *unused)
{
	enter(run_region);
	fathom_event_task_switch(moving);
	pass(5);
	leave(work);
	pass(6);
	fathom_event_task_end(moving);
	leave(run_region);
	return unused;
}

static void move(void)
{
	moving = make(large);
	fathom_event_task_begin(moving);
	pass(1);
	enter(work);
	pass(2);
	fathom_event_task_switch(NULL);
	pass(3);
	finish(start(go_on, NULL));
}

static const struct fathom_region *moved_region;

static void a_task_goes_on_elsewhere(void **state)
{
	uint32_t task;

	(void)state;
	large = moved_region;
	run("moved", move);
	task = PATH(fathom_tasks_region, large);
	has(task, 1, 1 + 6);
	has(PATH(fathom_tasks_region, large, work), 1, 2 + 5);
	has(PATH(run_region, large), 2, 14);
	has(PATH(run_region), 2, 3 + 11);
	assert_int_equal(sum_of(task, FATHOM_VALUE_COUNTERS + FATHOM_COUNTER_TASK_MIGRATIONS), 1);
	end();
}

/* Any order of what tasks do: the time of all call paths is the time that passed, the stubs' is the tasks'. */
static uint64_t passed;

static void pass_some(uint64_t *seed)
{
	uint64_t ticks = random_below(seed, 5);

	pass(ticks);
	passed += ticks;
}

static void any_order(void)
{
	enum { MOST = 40 };
	struct fathom_task *ready[MOST] = { NULL };
	uint64_t seed = 7;

	passed = 0;
	for (int i = 0; i < 20000; i++) {
		uint32_t k = random_below(&seed, MOST);
		struct fathom_task *current = fathom_event_task_current();

		pass_some(&seed);
		if (!ready[k]) {
			ready[k] = fathom_event_task_create(k % 2 ? small : large);
			fathom_event_task_begin(ready[k]);
			enter(work);
		} else if (current && current == ready[k]) {
			if (k % 3)
				leave(work);
			pass_some(&seed);
			fathom_event_task_end(current);
			ready[k] = NULL;
			/* Whom it gave way to may have ended since: where it goes on is ours to say. */
			fathom_event_task_switch(NULL);
		} else {
			fathom_event_task_switch(ready[k]);
		}
	}
	fathom_event_task_switch(NULL);
}

static uint64_t subtree_ticks(uint32_t node)
{
	uint64_t sum = sum_of(node, FATHOM_VALUE_TIME);

	for (uint32_t i = snapshot.tree.nodes[node].first_child; i; i = snapshot.tree.nodes[i].sibling)
		sum += subtree_ticks(i);
	return sum;
}

static void no_tick_is_lost_or_doubled(void **state)
{
	uint32_t own;

	(void)state;
	large = test_region("large of any order");
	small = test_region("small of any order");
	run("any order", any_order);
	own = PATH(run_region);
	assert_int_equal(subtree_ticks(own), passed);
	assert_int_equal(sum_of(child(own, large), FATHOM_VALUE_TIME),
			 subtree_ticks(PATH(fathom_tasks_region, large)));
	assert_int_equal(sum_of(child(own, small), FATHOM_VALUE_TIME),
			 subtree_ticks(PATH(fathom_tasks_region, small)));
	end();
}

/* Tasks deeper than their first frames, and very many that one thread makes and another one executes. */
static struct fathom_task *handed[1000];
static size_t mapped;
static int grown;

static void *execute_all(void *unused)
{
	for (size_t i = 0; i < sizeof(handed) / sizeof(*handed); i++) {
		fathom_event_task_begin(handed[i]);
		fathom_event_task_end(handed[i]);
	}
	return unused;
}

static void hand_over(void)
{
	struct fathom_task *deep = make(large);

	fathom_event_task_begin(deep);
	for (int i = 0; i < 1000; i++)
		enter(work);
	for (int i = 0; i < 1000; i++)
		leave(work);
	fathom_event_task_end(deep);
	for (int round = 0; round < 40; round++) {
		for (size_t i = 0; i < sizeof(handed) / sizeof(*handed); i++)
			handed[i] = fathom_event_task_create(small);
		if (round == 2)
			mapped = fathom_self->arena.mapped_bytes;
		else if (round > 2 && fathom_self->arena.mapped_bytes > mapped)
			grown++;
		finish(start(execute_all, NULL));
	}
}

static void tasks_are_used_again(void **state)
{
	(void)state;
	small = test_region("small of many");
	run("handed", hand_over);
	has(PATH(fathom_tasks_region, small), 40000, 0);
	assert_int_equal(grown, 0);
	end();
}

static struct fathom_team *inner_team;

static void fork_in_a_task(void)
{
	struct fathom_task *task = make(large);

	enter(barrier);
	fathom_event_task_begin(task);
	inner_team = team = fathom_event_fork(parallel, management, 2, FATHOM_PLACES_LOGICAL);
	fathom_event_team_begin(team, 0, 2);
	assert_null(fathom_event_task_current());
	{
		struct fathom_task *in_team = make(small);

		fathom_event_task_begin(in_team);
		pass(6);
		fathom_event_task_end(in_team);
	}
	finish(start(work_in_team, (void *)1));
	fathom_event_team_end(team);
	fathom_event_join(team);
	assert_ptr_equal(fathom_event_task_current(), task);
	pass(1);
	fathom_event_task_end(task);
	leave(barrier);
}

static void a_task_may_fork(void **state)
{
	(void)state;
	large = test_region("large that forks");
	small = test_region("small inside");
	run("task forks", fork_in_a_task);
	has(PATH(fathom_tasks_region, large), 1, 1);
	has(PATH(fathom_tasks_region, large, parallel), 1, 10);
	has(PATH(fathom_tasks_region, large, parallel, small), 1, 6);
	has(PATH(fathom_tasks_region, small), 1, 6);
	/* What the worker did is in nobody's stub: it is in the tree itself, below the leader's. */
	has(PATH(run_region, barrier, large), 1, 17);
	has(PATH(run_region, barrier, large, parallel, work), 1, 10);
	end();
}

static void make_regions(void)
{
	static const char *const names[] = { "!$omp parallel @f:1", "!$omp fork and join @f:1", "!$omp barrier @f:2",
					     "work", "!$omp create task @f:3", "!$omp task @f:4", "!$omp task @f:5",
					     "{thread}" };
	const struct fathom_region **regions[] = { &parallel, &management, &barrier, &work, &create, &small, &large,
						   &thread };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		*regions[i] = fathom_region_define(&(struct fathom_region){
			.name = names[i],
			.paradigm = FATHOM_PARADIGM_OPENMP,
			.role = i ? FATHOM_ROLE_CODE : FATHOM_ROLE_PARALLEL,
		});
	moved_region = test_region("large that moves");
}

/* Nothing of this is a result to be written. */
static int end_measurement(void **state)
{
	(void)state;
	fathom.phase = FATHOM_PHASE_FINISHED;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workers_hang_under_the_fork),
		cmocka_unit_test(a_late_end_is_as_late_as_the_leaders),
		cmocka_unit_test(the_join_ends_who_did_not),
		cmocka_unit_test(nested_teams_have_places_of_their_own),
		cmocka_unit_test(a_created_thread_hangs_under_its_creator),
		cmocka_unit_test(an_ignored_thread_records_nothing),
		cmocka_unit_test(a_suspended_task_passes_no_time),
		cmocka_unit_test(a_task_goes_on_elsewhere),
		cmocka_unit_test(no_tick_is_lost_or_doubled),
		cmocka_unit_test(tasks_are_used_again),
		cmocka_unit_test(a_task_may_fork),
	};

	fathom_clock_init(FATHOM_CLOCK_MONOTONIC);
	fathom_runtime_use(fathom_substrate_choose(&fathom.settings));	/* for this clock */
	make_regions();
	return cmocka_run_group_tests(tests, NULL, end_measurement);
}
