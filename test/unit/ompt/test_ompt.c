/*
 * The OMPT adapter against a runtime of our own making, which tells what LLVM's tells, also the odd things, and a core
 * that writes down what it is told.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../../../wrappers/openmp/ompt/mutex.h"
#include "../../../wrappers/openmp/ompt/sync.h"
#include "../../../wrappers/openmp/ompt/task.h"
#include "../../../wrappers/openmp/ompt/team.h"
#include "../../../wrappers/openmp/ompt/work.h"
#include "../../../wrappers/openmp/ompt/regions.h"
#include "define/region.h"
#include "ompt_core.h"

/* --- the runtime ------------------------------------------------------------------------------- */

static fathom_ompt_function *callbacks[64];

static int set_callback(int event, fathom_ompt_function *callback)
{
	assert_true(event > 0 && event < 64);
	callbacks[event] = callback;
	return 5;
}

static const void *in_runtime;		/* an address that counts as the runtime's own: of the C library here */

static fathom_ompt_function *look_up(const char *name)
{
	return strcmp(name, "ompt_set_callback") ? NULL : (fathom_ompt_function *)set_callback;
}

struct fathom_ompt_tool *ompt_start_tool(unsigned version, const char *runtime);

#define CALL(event, type) ((__typeof__(type) *)callbacks[event])
#define parallel_begin CALL(FATHOM_OMPT_PARALLEL_BEGIN, fathom_ompt_parallel_begin)
#define parallel_end CALL(FATHOM_OMPT_PARALLEL_END, fathom_ompt_parallel_end)
#define implicit_task CALL(FATHOM_OMPT_IMPLICIT_TASK, fathom_ompt_implicit_task)
#define work CALL(FATHOM_OMPT_WORK, fathom_ompt_work)
#define masked CALL(FATHOM_OMPT_MASKED, fathom_ompt_masked)
#define sync_region CALL(FATHOM_OMPT_SYNC_REGION, fathom_ompt_sync_region)
#define sync_wait CALL(FATHOM_OMPT_SYNC_REGION_WAIT, fathom_ompt_sync_region_wait)
#define reduction CALL(FATHOM_OMPT_REDUCTION, fathom_ompt_reduction)
#define task_create CALL(FATHOM_OMPT_TASK_CREATE, fathom_ompt_task_create)
#define task_schedule CALL(FATHOM_OMPT_TASK_SCHEDULE, fathom_ompt_task_schedule)
#define mutex_acquire CALL(FATHOM_OMPT_MUTEX_ACQUIRE, fathom_ompt_mutex_acquire)
#define mutex_acquired CALL(FATHOM_OMPT_MUTEX_ACQUIRED, fathom_ompt_mutex_acquired)
#define mutex_released CALL(FATHOM_OMPT_MUTEX_RELEASED, fathom_ompt_mutex_released)
#define nest_lock CALL(FATHOM_OMPT_NEST_LOCK, fathom_ompt_nest_lock)
#define lock_init CALL(FATHOM_OMPT_LOCK_INIT, fathom_ompt_lock_init)
#define lock_destroy CALL(FATHOM_OMPT_LOCK_DESTROY, fathom_ompt_lock_destroy)
#define flush CALL(FATHOM_OMPT_FLUSH, fathom_ompt_flush)
#define thread_begin CALL(FATHOM_OMPT_THREAD_BEGIN, fathom_ompt_thread_begin)
#define thread_end CALL(FATHOM_OMPT_THREAD_END, fathom_ompt_thread_end)

enum { BEGIN = FATHOM_OMPT_BEGIN, END = FATHOM_OMPT_END, IMPLICIT = 2, EXPLICIT = 4, SWITCH = 7 };

static union fathom_ompt_data initial, initial_parallel, team, master, worker;

/* A second thread, which does what it is told while the first one waits. */
static struct {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	void (*job)(void);
	bool ends;
} second = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

static void *serve(void *unused)
{
	pthread_mutex_lock(&second.lock);
	while (!second.ends) {
		if (second.job)
			second.job();
		second.job = NULL;
		pthread_cond_broadcast(&second.changed);
		pthread_cond_wait(&second.changed, &second.lock);
	}
	pthread_mutex_unlock(&second.lock);
	return unused;
}

static void on_second(void (*job)(void))
{
	pthread_mutex_lock(&second.lock);
	second.job = job;
	pthread_cond_broadcast(&second.changed);
	while (second.job)
		pthread_cond_wait(&second.changed, &second.lock);
	pthread_mutex_unlock(&second.lock);
}

static int begin(void **state)
{
	struct fathom_ompt_tool *tool = ompt_start_tool(201611, "a runtime");

	(void)state;
	assert_non_null(tool);
	assert_int_equal(tool->initialize(look_up, 0, &tool->tool), 1);
	/* Else all of this program, where the addresses lie, would count as the runtime. */
	in_runtime = dlsym(RTLD_DEFAULT, "gnu_get_libc_version");
	fathom_ompt_regions_init(in_runtime);
	initial = initial_parallel = (union fathom_ompt_data){ 0 };
	thread_begin(FATHOM_OMPT_THREAD_INITIAL, &(union fathom_ompt_data){ 0 });
	implicit_task(BEGIN, &initial_parallel, &initial, 1, 1, FATHOM_OMPT_TASK_INITIAL);
	assert_int_equal(pthread_create(&second.thread, NULL, serve, NULL), 0);
	TOLD_NOTHING();
	ompt_core_reset();
	return 0;
}

static int end(void **state)
{
	(void)state;
	ompt_core_forget();
	implicit_task(END, NULL, &initial, 0, 1, FATHOM_OMPT_TASK_INITIAL);
	thread_end(&(union fathom_ompt_data){ 0 });
	pthread_mutex_lock(&second.lock);
	second.ends = true;
	pthread_cond_broadcast(&second.changed);
	pthread_mutex_unlock(&second.lock);
	pthread_join(second.thread, NULL);
	second.ends = false;
	ompt_core_reset();
	return 0;
}

static void fork_one(unsigned threads)
{
	team = master = (union fathom_ompt_data){ 0 };
	parallel_begin(&initial, NULL, &team, threads, (int)0x80000002, AT(10));
	implicit_task(BEGIN, &team, &master, threads, 0, IMPLICIT);
}

static void join_one(void)
{
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLICIT, BEGIN, &team, &master, AT(10));
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLICIT, END, NULL, &master, AT(10));
	implicit_task(END, NULL, &master, 2, 0, IMPLICIT);
	parallel_end(&team, &initial, (int)0x80000002, AT(10));
}

/* Of a worker; what others told is not looked at. */
static void worker_comes(void)
{
	worker = (union fathom_ompt_data){ 0 };
	implicit_task(BEGIN, &team, &worker, 2, 1, IMPLICIT);
}

static void worker_waits(void)
{
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLICIT, BEGIN, &team, &worker, NULL);
}

static void worker_hears_of_end(void)
{
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLICIT, END, NULL, &worker, NULL);
	implicit_task(END, NULL, &worker, 0, 1, IMPLICIT);
}

/* Begin a team, and forget what was told. */
static void in_team(void)
{
	fork_one(2);
	ompt_core_forget();
}

/* --- teams ------------------------------------------------------------------------------------- */

static void start_second(void)
{
	thread_begin(FATHOM_OMPT_THREAD_WORKER, &(union fathom_ompt_data){ 0 });
}

static void end_second(void)
{
	thread_end(&(union fathom_ompt_data){ 0 });
}

static void a_worker_hears_late_that_its_team_is_over(void **state)
{
	(void)state;
	fork_one(2);
	TOLD("fork team1 !$omp parallel @10 2", "begin team1 0 of 2");
	on_second(start_second);
	on_second(worker_comes);
	on_second(worker_waits);
	TOLD("ignore", "begin team1 1 of 2", "enter !$omp implicit barrier @10", "wait in !$omp implicit barrier @10");
	join_one();
	TOLD("enter !$omp implicit barrier @10", "exit !$omp implicit barrier @10", "end team1", "join team1");
	fork_one(2);
	TOLD("fork team2 !$omp parallel @10 2", "begin team2 0 of 2");
	/* No exit of the barrier now: it was over long ago. Once for each begin, the end. */
	on_second(worker_hears_of_end);
	TOLD("end team1");
	on_second(worker_comes);
	on_second(worker_waits);
	TOLD("begin team2 1 of 2", "enter !$omp implicit barrier @10", "wait in !$omp implicit barrier @10");
	join_one();
	ompt_core_forget();
	on_second(worker_hears_of_end);
	on_second(end_second);
	TOLD("end team2");
}

static void barriers_on_the_way_end_in_time(void **state)
{
	(void)state;
	in_team();
	on_second(worker_comes);
	ompt_core_forget();
	sync_region(FATHOM_OMPT_SYNC_BARRIER_EXPLICIT, BEGIN, &team, &master, AT(14));
	sync_region(FATHOM_OMPT_SYNC_BARRIER_EXPLICIT, END, &team, &master, AT(14));
	TOLD("enter !$omp barrier @14", "exit !$omp barrier @14");
	/* Without an address, from GCC's code: it belongs to the loop before. */
	work(FATHOM_OMPT_WORK_LOOP, BEGIN, &team, &master, 4, AT(15));
	work(FATHOM_OMPT_WORK_LOOP, END, &team, &master, 0, AT(16));
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLEMENTATION, BEGIN, &team, &master, NULL);
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLEMENTATION, END, &team, &master, NULL);
	TOLD("enter !$omp for @15", "exit !$omp for @15", "enter !$omp implicit barrier @15",
	     "exit !$omp implicit barrier @15");
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLEMENTATION, BEGIN, &team, &master, NULL);
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLEMENTATION, END, &team, &master, NULL);
	TOLD("enter !$omp implicit barrier", "exit !$omp implicit barrier");
	/* Kinds of a later standard. */
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLICIT_WORKSHARE, BEGIN, &team, &master, AT(17));
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLICIT_WORKSHARE, END, &team, &master, AT(17));
	TOLD("enter !$omp implicit barrier @17", "exit !$omp implicit barrier @17");
	join_one();
	on_second(worker_hears_of_end);
	on_second(end_second);
}

static void nested_and_serial_regions(void **state)
{
	union fathom_ompt_data inner = { 0 }, inner_master = { 0 };

	(void)state;
	in_team();
	parallel_begin(&master, NULL, &inner, 1, (int)0x80000001, AT(20));
	implicit_task(BEGIN, &inner, &inner_master, 1, 0, IMPLICIT);
	work(FATHOM_OMPT_WORK_LOOP, BEGIN, &inner, &inner_master, 4, AT(21));
	/* Not closed, as by cancel or exit: the core ends it with the team. */
	implicit_task(END, NULL, &inner_master, 1, 0, IMPLICIT);
	parallel_end(&inner, &master, (int)0x80000001, NULL);
	TOLD("fork team2 !$omp parallel @20 1", "begin team2 0 of 1", "enter !$omp for @21", "end team2", "join team2");
	join_one();
	TOLD("enter !$omp implicit barrier @10", "exit !$omp implicit barrier @10", "end team1", "join team1");
}

static void a_league(void **state)
{
	union fathom_ompt_data league = { 0 }, first = { 0 }, unwritten = { 0 }, inside = { 0 }, written = { 0 };

	(void)state;
	parallel_begin(&initial, NULL, &league, 2, 0x40000002, AT(30));
	implicit_task(BEGIN, &league, &first, 2, 0, FATHOM_OMPT_TASK_INITIAL);
	TOLD("fork team1 !$omp teams @30 2", "begin team1 0 of 2");
	parallel_begin(&first, NULL, &unwritten, 1, (int)0x80000002, NULL);
	implicit_task(BEGIN, &unwritten, &inside, 1, 0, IMPLICIT);
	work(FATHOM_OMPT_WORK_DISTRIBUTE, BEGIN, &unwritten, &inside, 4, AT(31));
	TOLD("enter !$omp distribute @31");
	/* Inside, the loop's end says that it is the distribute's. */
	parallel_begin(&inside, NULL, &written, 1, (int)0x80000002, AT(32));
	implicit_task(BEGIN, &written, &master, 1, 0, IMPLICIT);
	work(FATHOM_OMPT_WORK_LOOP, BEGIN, &written, &master, 2, AT(33));
	work(FATHOM_OMPT_WORK_DISTRIBUTE, END, &written, &master, 0, AT(33));
	TOLD("fork team2 !$omp parallel @32 1", "begin team2 0 of 1", "enter !$omp for @33", "exit !$omp for @33");
	implicit_task(END, NULL, &master, 1, 0, IMPLICIT);
	parallel_end(&written, &inside, (int)0x80000002, AT(32));
	work(FATHOM_OMPT_WORK_DISTRIBUTE, END, &unwritten, &inside, 0, AT(31));
	implicit_task(END, NULL, &inside, 1, 0, IMPLICIT);
	parallel_end(&unwritten, &first, (int)0x80000002, NULL);
	TOLD("end team2", "join team2", "exit !$omp distribute @31");
	implicit_task(END, NULL, &first, 0, 0, FATHOM_OMPT_TASK_INITIAL);
	parallel_end(&league, &initial, 0x40000002, AT(30));
	TOLD("end team1", "join team1");
}

/* --- work -------------------------------------------------------------------------------------- */

static void worksharing(void **state)
{
	(void)state;
	in_team();
	work(FATHOM_OMPT_WORK_SECTIONS, BEGIN, &team, &master, 2, AT(40));
	work(FATHOM_OMPT_WORK_SECTIONS, END, &team, &master, 0, AT(41));
	TOLD("enter !$omp sections @40", "exit !$omp sections @40");
	work(FATHOM_OMPT_WORK_SINGLE_OTHER, BEGIN, &team, &master, 1, AT(42));
	work(FATHOM_OMPT_WORK_SINGLE_OTHER, END, &team, &master, 1, AT(42));
	TOLD_NOTHING();
	work(FATHOM_OMPT_WORK_SINGLE_EXECUTOR, BEGIN, &team, &master, 1, AT(42));
	work(FATHOM_OMPT_WORK_SINGLE_EXECUTOR, END, &team, &master, 1, AT(43));
	TOLD("enter !$omp single @42", "enter !$omp single sblock @42", "exit !$omp single sblock @42",
	     "exit !$omp single @42");
	masked(BEGIN, &team, &master, AT(44));
	masked(END, &team, &master, AT(45));
	TOLD("enter !$omp master @44", "exit !$omp master @44");
	work(11, BEGIN, &team, &master, 1, AT(46));	/* a dynamic loop, by a later standard */
	work(11, END, &team, &master, 1, AT(46));
	TOLD("enter !$omp for @46", "exit !$omp for @46");
	work(77, BEGIN, &team, &master, 1, AT(47));	/* nobody knows */
	work(77, END, &team, &master, 1, AT(47));
	work(FATHOM_OMPT_WORK_LOOP, END, &team, &master, 1, AT(47));
	masked(END, &team, &master, AT(47));
	TOLD_NOTHING();
	/* A worker's combined sections of GCC's: a loop without an address. */
	work(FATHOM_OMPT_WORK_LOOP, BEGIN, &team, &master, 2, NULL);
	work(FATHOM_OMPT_WORK_LOOP, END, &team, &master, 0, AT(48));
	TOLD("enter !$omp for @10", "exit !$omp for @10");
	flush(NULL, AT(49));
	TOLD("enter !$omp flush @49", "exit !$omp flush @49");
	join_one();
}

static void a_single_without_an_end(void **state)
{
	(void)state;
	in_team();
	work(FATHOM_OMPT_WORK_SINGLE_EXECUTOR, BEGIN, &team, &master, 1, AT(50));
	sync_region(FATHOM_OMPT_SYNC_TASKWAIT, BEGIN, &team, &master, AT(51));
	sync_region(FATHOM_OMPT_SYNC_TASKWAIT, END, &team, &master, AT(51));
	TOLD("enter !$omp single @50", "enter !$omp single sblock @50", "enter !$omp taskwait @51",
	     "exit !$omp taskwait @51");
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLEMENTATION, BEGIN, &team, &master, AT(52));
	TOLD("exit !$omp single sblock @50", "exit !$omp single @50", "enter !$omp implicit barrier @52");
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLEMENTATION, END, &team, &master, AT(52));
	work(FATHOM_OMPT_WORK_SINGLE_EXECUTOR, BEGIN, &team, &master, 1, AT(53));
	ompt_core_forget();
	work(FATHOM_OMPT_WORK_LOOP, BEGIN, &team, &master, 1, AT(54));
	TOLD("exit !$omp single sblock @53", "exit !$omp single @53", "enter !$omp for @54");
	work(FATHOM_OMPT_WORK_LOOP, END, &team, &master, 1, AT(54));
	join_one();
}

static void reductions_are_nested(void **state)
{
	(void)state;
	in_team();
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLEMENTATION, BEGIN, &team, &master, AT(60));
	reduction(FATHOM_OMPT_SYNC_REDUCTION, BEGIN, &team, &master, NULL);
	reduction(FATHOM_OMPT_SYNC_REDUCTION, BEGIN, &team, &master, NULL);
	reduction(FATHOM_OMPT_SYNC_REDUCTION, END, &team, &master, NULL);
	reduction(FATHOM_OMPT_SYNC_REDUCTION, END, &team, &master, NULL);
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLEMENTATION, END, &team, &master, AT(60));
	TOLD("enter !$omp implicit barrier @60", "enter !$omp reduction @60", "enter !$omp reduction @60",
	     "exit !$omp reduction @60", "exit !$omp reduction @60", "exit !$omp implicit barrier @60");
	join_one();
}

/* --- mutual exclusion -------------------------------------------------------------------------- */

static void critical_and_ordered(void **state)
{
	(void)state;
	in_team();
	mutex_acquire(FATHOM_OMPT_MUTEX_CRITICAL, 0, 2, 0xa, AT(70));
	mutex_acquired(FATHOM_OMPT_MUTEX_CRITICAL, 0xa, AT(70));
	mutex_acquire(FATHOM_OMPT_MUTEX_CRITICAL, 0, 2, 0xb, AT(71));
	mutex_acquired(FATHOM_OMPT_MUTEX_CRITICAL, 0xb, NULL);
	mutex_released(FATHOM_OMPT_MUTEX_CRITICAL, 0xb, NULL);
	mutex_released(FATHOM_OMPT_MUTEX_CRITICAL, 0xa, NULL);
	TOLD("enter !$omp critical @70", "enter !$omp critical sblock @70", "enter !$omp critical @71",
	     "enter !$omp critical sblock @71", "exit !$omp critical sblock @71", "exit !$omp critical @71",
	     "exit !$omp critical sblock @70", "exit !$omp critical @70");
	mutex_acquire(FATHOM_OMPT_MUTEX_ORDERED, 0, 1, 0xc, AT(72));
	mutex_acquired(FATHOM_OMPT_MUTEX_ORDERED, 0xc, AT(72));
	mutex_released(FATHOM_OMPT_MUTEX_ORDERED, 0xc, AT(73));
	TOLD("enter !$omp ordered @72", "enter !$omp ordered sblock @72", "exit !$omp ordered sblock @72",
	     "exit !$omp ordered @72");
	mutex_released(FATHOM_OMPT_MUTEX_CRITICAL, 0xd, NULL);
	mutex_acquired(FATHOM_OMPT_MUTEX_CRITICAL, 0xd, NULL);
	TOLD_NOTHING();
	join_one();
}

/* What the runtime's functions look like, by name: it says "lock" for both. Not static: names must be found. */
void runtime_set_lock(int type);
void runtime_test_lock(int type);
__attribute__((noinline, visibility("default"))) void runtime_set_lock(int type)
{
	mutex_acquire(type, 0, 2, 0xe, AT(80));
	__asm__ volatile("");
}

__attribute__((noinline, visibility("default"))) void runtime_test_lock(int type)
{
	mutex_acquire(type, 0, 2, 0xe, AT(80));
	__asm__ volatile("");
}

static void locks(void **state)
{
	(void)state;
	lock_init(FATHOM_OMPT_MUTEX_LOCK, 0, 2, 0xe, AT(80));
	TOLD("enter omp_init_lock", "exit omp_init_lock");
	runtime_set_lock(FATHOM_OMPT_MUTEX_LOCK);
	TOLD("enter omp_set_lock");
	mutex_acquired(FATHOM_OMPT_MUTEX_LOCK, 0xe, AT(80));
	TOLD("exit omp_set_lock");
	runtime_test_lock(FATHOM_OMPT_MUTEX_LOCK);	/* fails, without a word */
	TOLD("enter omp_test_lock", "exit omp_test_lock");
	mutex_released(FATHOM_OMPT_MUTEX_LOCK, 0xe, AT(80));
	TOLD("enter omp_unset_lock", "exit omp_unset_lock");
	runtime_test_lock(FATHOM_OMPT_MUTEX_LOCK);
	mutex_acquired(FATHOM_OMPT_MUTEX_LOCK, 0xe, AT(80));
	TOLD("enter omp_test_lock", "exit omp_test_lock");
	runtime_set_lock(FATHOM_OMPT_MUTEX_TEST_LOCK);	/* a later runtime says what it is */
	TOLD("enter omp_test_lock", "exit omp_test_lock");
	lock_destroy(FATHOM_OMPT_MUTEX_LOCK, 0xe, AT(80));
	TOLD("enter omp_destroy_lock", "exit omp_destroy_lock");
	/* Should a test not be known as one: it is over when anything else begins. */
	runtime_set_lock(FATHOM_OMPT_MUTEX_LOCK);
	in_team();
	implicit_task(END, NULL, &master, 2, 0, IMPLICIT);
	parallel_end(&team, &initial, (int)0x80000002, AT(10));
	ompt_core_forget();
	mutex_acquired(FATHOM_OMPT_MUTEX_LOCK, 0xe, AT(80));
	TOLD_NOTHING();
}

static void nested_locks(void **state)
{
	(void)state;
	lock_init(FATHOM_OMPT_MUTEX_NEST_LOCK, 0, 2, 0xe, AT(80));
	runtime_set_lock(FATHOM_OMPT_MUTEX_NEST_LOCK);
	mutex_acquired(FATHOM_OMPT_MUTEX_NEST_LOCK, 0xe, AT(80));
	runtime_set_lock(FATHOM_OMPT_MUTEX_NEST_LOCK);
	nest_lock(BEGIN, 0xe, AT(80));
	runtime_test_lock(FATHOM_OMPT_MUTEX_NEST_LOCK);
	nest_lock(BEGIN, 0xe, AT(80));
	nest_lock(END, 0xe, AT(80));
	mutex_released(FATHOM_OMPT_MUTEX_NEST_LOCK, 0xe, AT(80));
	lock_destroy(FATHOM_OMPT_MUTEX_NEST_LOCK, 0xe, AT(80));
	TOLD("enter omp_init_nest_lock", "exit omp_init_nest_lock", "enter omp_set_nest_lock",
	     "exit omp_set_nest_lock", "enter omp_set_nest_lock", "exit omp_set_nest_lock",
	     "enter omp_test_nest_lock", "exit omp_test_nest_lock", "enter omp_unset_nest_lock",
	     "exit omp_unset_nest_lock", "enter omp_unset_nest_lock", "exit omp_unset_nest_lock",
	     "enter omp_destroy_nest_lock", "exit omp_destroy_nest_lock");
}

/* --- tasks ------------------------------------------------------------------------------------- */

static union fathom_ompt_data a, b;

static void create(union fathom_ompt_data *creator, union fathom_ompt_data *task, const void *address)
{
	task_create(creator, NULL, task, EXPLICIT, 0, address);
}

static void a_lost_address_is_found_in_the_frame(void **state)
{
	const void *const stack[2] = { NULL, AT(88) };
	struct fathom_ompt_frame frame = { .enter.pointer = (void *)stack, .enter_flags = 0x20 };
	const int untied = 0x10000000;

	(void)state;
	task_create(&initial, &frame, &a, EXPLICIT | untied, 0, NULL);
	TOLD("enter !$omp create untied @88", "create task1 !$omp untied task @88", "exit !$omp create untied @88");
	frame.enter_flags = 0x31;	/* an address of another kind */
	task_create(&initial, &frame, &a, EXPLICIT, 0, NULL);
	TOLD("enter !$omp create task", "create task2 !$omp task", "exit !$omp create task");
	frame = (struct fathom_ompt_frame){ .enter_flags = 0x20 };
	task_create(&initial, &frame, &a, EXPLICIT, 0, NULL);
	TOLD("enter !$omp create task", "create task3 !$omp task", "exit !$omp create task");
}

static void tasks_that_wait_for_tasks(void **state)
{
	(void)state;
	in_team();
	create(&master, &a, AT(90));
	TOLD("enter !$omp create task @90", "create task1 !$omp task @90", "exit !$omp create task @90");
	task_schedule(&master, SWITCH, &a);
	create(&a, &b, AT(91));
	ompt_core_forget();
	sync_region(FATHOM_OMPT_SYNC_TASKWAIT, BEGIN, &team, &a, AT(92));
	task_schedule(&a, SWITCH, &b);
	/* Its end does not reach into the task that waits. */
	sync_region(FATHOM_OMPT_SYNC_TASKWAIT, END, &team, &b, AT(92));
	TOLD("enter !$omp taskwait @92", "run task2");
	task_schedule(&b, FATHOM_OMPT_TASK_COMPLETE, &a);
	sync_region(FATHOM_OMPT_SYNC_TASKWAIT, END, &team, &a, AT(92));
	task_schedule(&a, FATHOM_OMPT_TASK_COMPLETE, &master);
	TOLD("over task2", "switch task1", "exit !$omp taskwait @92", "over task1", "switch implicit");
	join_one();
}

static void second_goes_on_with_a(void)
{
	task_schedule(&worker, SWITCH, &a);
}

static void second_leaves_a(void)
{
	task_schedule(&a, FATHOM_OMPT_TASK_COMPLETE, &worker);
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLICIT, END, &team, &worker, AT(95));
}

static void worker_waits_at_95(void)
{
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLICIT, BEGIN, &team, &worker, AT(95));
}

static void untied_tasks_migrate(void **state)
{
	(void)state;
	in_team();
	on_second(worker_comes);
	on_second(worker_waits_at_95);
	create(&master, &a, AT(94));
	ompt_core_forget();
	task_schedule(&master, SWITCH, &a);
	mutex_acquire(FATHOM_OMPT_MUTEX_CRITICAL, 0, 2, 0xa, AT(96));
	task_schedule(&a, SWITCH, &master);	/* a part is over, in a critical construct */
	TOLD("run task1", "enter !$omp critical @96", "switch implicit");
	on_second(second_goes_on_with_a);
	TOLD("switch task1");
	on_second(second_leaves_a);
	TOLD("over task1", "switch implicit", "exit !$omp implicit barrier @95");
	/* Nothing of the task was left on the first thread. */
	mutex_released(FATHOM_OMPT_MUTEX_CRITICAL, 0xa, AT(96));
	TOLD_NOTHING();
	join_one();
	on_second(worker_hears_of_end);
	on_second(end_second);
}

static void tasks_that_never_begin(void **state)
{
	(void)state;
	in_team();
	create(&master, &a, AT(97));
	ompt_core_forget();
	task_schedule(&a, FATHOM_OMPT_TASK_CANCEL, &master);
	TOLD("over task1", "switch implicit");
	ompt_core_refuse_tasks(true);
	create(&master, &b, AT(97));
	TOLD("enter !$omp create task @97", "exit !$omp create task @97");
	task_schedule(&master, SWITCH, &b);
	task_schedule(&b, FATHOM_OMPT_TASK_COMPLETE, &master);
	TOLD("switch implicit");
	ompt_core_refuse_tasks(false);
	join_one();
}

static void detached_tasks_end_once(void **state)
{
	(void)state;
	create(&initial, &a, AT(98));
	task_schedule(&initial, SWITCH, &a);
	ompt_core_forget();
	task_schedule(&a, FATHOM_OMPT_TASK_DETACH, &initial);
	TOLD("over task1", "switch implicit");
	task_schedule(&a, 6, NULL);	/* its event is fulfilled */
	TOLD_NOTHING();
	task_schedule(&a, FATHOM_OMPT_TASK_COMPLETE, &initial);
	TOLD("switch implicit");
}

static void one_task_may_follow_another(void **state)
{
	(void)state;
	in_team();
	create(&master, &a, AT(95));
	create(&master, &b, AT(95));
	task_schedule(&master, SWITCH, &a);
	ompt_core_forget();
	task_schedule(&a, FATHOM_OMPT_TASK_COMPLETE, &b);
	sync_region(FATHOM_OMPT_SYNC_TASKWAIT, BEGIN, &team, &b, AT(96));
	create(&b, &a, AT(97));		/* where the first one was */
	task_schedule(&b, SWITCH, &a);
	task_schedule(&a, FATHOM_OMPT_TASK_COMPLETE, &b);
	sync_region(FATHOM_OMPT_SYNC_TASKWAIT, END, &team, &b, AT(96));
	TOLD("over task1", "run task2", "enter !$omp taskwait @96", "enter !$omp create task @97",
	     "create task3 !$omp task @97", "exit !$omp create task @97", "run task3", "over task3", "switch task2",
	     "exit !$omp taskwait @96");
	task_schedule(&b, FATHOM_OMPT_TASK_COMPLETE, &master);
	join_one();
}

static void a_taskwait_with_dependences_is_a_task(void **state)
{
	(void)state;
	create(&initial, &b, AT(99));
	ompt_core_forget();
	task_create(&initial, NULL, &a, FATHOM_OMPT_TASK_TASKWAIT | 0x48000000, 1, AT(100));
	task_schedule(&initial, SWITCH, &b);
	task_schedule(&b, FATHOM_OMPT_TASK_COMPLETE, &initial);
	task_schedule(&a, FATHOM_OMPT_TASKWAIT_COMPLETE, NULL);
	TOLD("enter !$omp taskwait @100", "run task1", "over task1", "switch implicit", "exit !$omp taskwait @100");
}

static void second_creates_for_the_first(void)
{
	create(&master, &b, in_runtime);	/* a loop of many tasks is divided by tasks */
}

static void tasks_of_loops_have_the_line_of_the_loop(void **state)
{
	(void)state;
	in_team();
	on_second(worker_comes);
	ompt_core_forget();
	sync_region(FATHOM_OMPT_SYNC_TASKGROUP, BEGIN, &team, &master, AT(101));
	work(FATHOM_OMPT_WORK_TASKLOOP, BEGIN, &team, &master, 9, in_runtime);
	create(&master, &a, in_runtime);
	work(FATHOM_OMPT_WORK_TASKLOOP, END, &team, &master, 9, in_runtime);
	TOLD("enter !$omp taskgroup @101", "enter !$omp taskloop @101", "enter !$omp create task @101",
	     "create task1 !$omp task @101", "exit !$omp create task @101", "exit !$omp taskloop @101");
	on_second(second_creates_for_the_first);
	TOLD("enter !$omp create task @101", "create task2 !$omp task @101", "exit !$omp create task @101");
	sync_wait(FATHOM_OMPT_SYNC_TASKGROUP, BEGIN, &team, &master, AT(102));
	task_schedule(&master, SWITCH, &a);
	task_schedule(&a, FATHOM_OMPT_TASK_COMPLETE, &master);
	sync_wait(FATHOM_OMPT_SYNC_TASKGROUP, END, &team, &master, AT(102));
	sync_region(FATHOM_OMPT_SYNC_TASKGROUP, END, &team, &master, AT(102));
	TOLD("enter !$omp taskgroup wait @101", "run task1", "over task1", "switch implicit",
	     "exit !$omp taskgroup wait @101", "exit !$omp taskgroup @101");
	/* Without a group nothing is known. */
	work(FATHOM_OMPT_WORK_TASKLOOP, BEGIN, &team, &master, 9, in_runtime);
	create(&master, &a, in_runtime);
	work(FATHOM_OMPT_WORK_TASKLOOP, END, &team, &master, 9, in_runtime);
	TOLD("enter !$omp taskloop", "enter !$omp create task", "create task3 !$omp task", "exit !$omp create task",
	     "exit !$omp taskloop");
	join_one();
	on_second(worker_hears_of_end);
	on_second(end_second);
}

/* A task in a task in a task: more than the stack has room for at first. */
static void deep_nesting(void **state)
{
	enum { DEPTH = 1000 };
	static union fathom_ompt_data deep[DEPTH];
	uint64_t lines = 0;

	(void)state;
	in_team();
	for (int i = 0; i < DEPTH; i++) {
		union fathom_ompt_data *outer = i ? &deep[i - 1] : &master;

		create(outer, &deep[i], AT(103));
		sync_region(FATHOM_OMPT_SYNC_TASKWAIT, BEGIN, &team, outer, AT(104));
		task_schedule(outer, SWITCH, &deep[i]);
		ompt_core_forget();
	}
	for (int i = DEPTH - 1; i >= 0; i--) {
		union fathom_ompt_data *outer = i ? &deep[i - 1] : &master;

		task_schedule(&deep[i], FATHOM_OMPT_TASK_COMPLETE, outer);
		sync_region(FATHOM_OMPT_SYNC_TASKWAIT, END, &team, outer, AT(104));
		lines += strstr(ompt_core_told(), "exit !$omp taskwait @104") != NULL;
		ompt_core_forget();
	}
	assert_int_equal(lines, DEPTH);
	join_one();
	TOLD("enter !$omp implicit barrier @10", "exit !$omp implicit barrier @10", "end team1", "join team1");
}

/* --- regions ----------------------------------------------------------------------------------- */

enum { SEEKERS = 4, ADDRESSES = 900 };

static const struct fathom_region *found[SEEKERS][ADDRESSES];
static uint16_t numbers[SEEKERS][ADDRESSES];

static void *seek(void *mine)
{
	for (size_t i = 0; i < ADDRESSES; i++) {
		((const struct fathom_region **)mine)[i] = fathom_ompt_region(AT(1000 + i), FATHOM_CONSTRUCT_LOOP);
		numbers[((const struct fathom_region **)mine - found[0]) / ADDRESSES][i] = fathom_ompt_number(AT(i));
	}
	return NULL;
}

/* While the table grows under them. */
static void many_threads_find_the_same_regions(void **state)
{
	pthread_t seekers[SEEKERS];

	(void)state;
	for (int i = 0; i < SEEKERS; i++)
		assert_int_equal(pthread_create(&seekers[i], NULL, seek, found[i]), 0);
	for (int i = 0; i < SEEKERS; i++)
		pthread_join(seekers[i], NULL);
	for (size_t i = 0; i < ADDRESSES; i++) {
		assert_non_null(found[0][i]);
		assert_int_equal(found[0][i]->begin_line, 1000 + i);
		assert_ptr_equal(fathom_ompt_numbered(numbers[0][i]), AT(i));
		for (int j = 1; j < SEEKERS; j++) {
			assert_ptr_equal(found[j][i], found[0][i]);
			assert_int_equal(numbers[j][i], numbers[0][i]);
		}
	}
	assert_ptr_not_equal(fathom_ompt_region(AT(1000), FATHOM_CONSTRUCT_TASK), found[0][0]);
	assert_int_equal(fathom_ompt_number(NULL), 0);
	assert_null(fathom_ompt_numbered(0));
	assert_null(fathom_ompt_numbered(65535));
	/* More than there is room for: no number, and so no line. */
	for (size_t i = 0; i < 200; i++)
		fathom_ompt_number(AT(ADDRESSES + i));
	assert_int_equal(fathom_ompt_number(AT(ADDRESSES + 200)), 0);
}

/* --- beginning and end -------------------------------------------------------------------------- */

static void ends_without_beginnings(void **state)
{
	(void)state;
	implicit_task(END, NULL, &master, 0, 1, IMPLICIT);
	sync_region(FATHOM_OMPT_SYNC_BARRIER_IMPLICIT, END, NULL, &master, NULL);
	sync_region(FATHOM_OMPT_SYNC_TASKGROUP, END, &team, &master, NULL);
	sync_wait(FATHOM_OMPT_SYNC_TASKGROUP, END, &team, &master, NULL);
	work(FATHOM_OMPT_WORK_SINGLE_EXECUTOR, END, &team, &master, 1, NULL);
	reduction(FATHOM_OMPT_SYNC_REDUCTION, END, &team, &master, NULL);
	team.pointer = NULL;
	parallel_end(&team, &initial, 0, NULL);
	TOLD_NOTHING();
}

static void nothing_is_asked_for_when_nothing_is_measured(void **state)
{
	(void)state;
	ompt_core_measure(false);
	assert_null(ompt_start_tool(201611, "a runtime"));
	ompt_core_measure(true);
	assert_non_null(ompt_start_tool(201611, "a runtime"));
}

/* As in a forked child: what is known is used, nothing is added. */
static void nothing_is_added_when_nothing_is_measured(void **state)
{
	(void)state;
	in_team();
	ompt_core_measure(false);
	work(FATHOM_OMPT_WORK_LOOP, BEGIN, &team, &master, 4, AT(900));
	work(FATHOM_OMPT_WORK_LOOP, END, &team, &master, 4, AT(900));
	on_second(worker_comes);
	on_second(worker_waits);
	on_second(worker_hears_of_end);
	TOLD_NOTHING();
	join_one();
	TOLD("enter !$omp implicit barrier @10", "exit !$omp implicit barrier @10", "end team1", "join team1");
}

int main(void)
{
#define CASE(test) cmocka_unit_test_setup_teardown(test, begin, end)
	const struct CMUnitTest cases[] = {
		CASE(a_worker_hears_late_that_its_team_is_over),
		CASE(barriers_on_the_way_end_in_time),
		CASE(nested_and_serial_regions),
		CASE(a_league),
		CASE(worksharing),
		CASE(a_single_without_an_end),
		CASE(reductions_are_nested),
		CASE(critical_and_ordered),
		CASE(locks),
		CASE(nested_locks),
		CASE(a_lost_address_is_found_in_the_frame),
		CASE(tasks_that_wait_for_tasks),
		CASE(untied_tasks_migrate),
		CASE(tasks_that_never_begin),
		CASE(detached_tasks_end_once),
		CASE(one_task_may_follow_another),
		CASE(a_taskwait_with_dependences_is_a_task),
		CASE(tasks_of_loops_have_the_line_of_the_loop),
		CASE(deep_nesting),
		CASE(many_threads_find_the_same_regions),
		CASE(ends_without_beginnings),
		CASE(nothing_is_added_when_nothing_is_measured),
		CASE(nothing_is_asked_for_when_nothing_is_measured),
	};

	return cmocka_run_group_tests(cases, NULL, NULL);
}
