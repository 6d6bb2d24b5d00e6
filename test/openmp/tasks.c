/*
 * Explicit tasks: tied and untied, nested and recursive, undeferred, with dependences, in groups, outside
 * parallel regions. How to read the expectations: expect.py. Which thread takes a task, and where it stops
 * for another, differs from run to run; how many there are of each, and what they call, does not.
 */
#include <omp.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

static NOINLINE int work(int i)
{
	__asm__ volatile("" : "+r"(i));
	return i * i % 7;
}

static NOINLINE void add(int *sum)
{
#pragma omp atomic
	++*sum;
}

static void say(const char *what, int value)
{
	printf("%-16s %d\n", what, value);
}

//! simple = 1
//!   team @simple_team = 1, T
//!     single @simple_single = T, 1
//!       !$omp create task @simple_task = 20
//!       !$omp taskwait @simple_wait = 1
//!       !$omp create task @simple_second = 5
//! TASKS
//!   !$omp task @simple_task = 20
//!     add = 20
//!   !$omp task @simple_second = 5
//! stubs @simple_task = 20
//! stubs @simple_second = 5
static NOINLINE void simple(void)
{
	int sum = 0;

#pragma omp parallel //@simple_team
	{
#pragma omp single //@simple_single
		{
			for (int i = 0; i < 20; i++) {
#pragma omp task //@simple_task
				add(&sum);
			}
#pragma omp taskwait //@simple_wait
			for (int i = 0; i < 5; i++) {
#pragma omp task shared(sum) firstprivate(i) //@simple_second
				{
#pragma omp atomic
					sum += i;
				}
			}
		}
	}
	say("simple", sum);
}

/* Every thread creates, and the tasks use constructs themselves. */
//! everyone = 1
//!   team @everyone_team = 1, T
//!     !$omp create task @everyone_task = 3 * T
//!     !$omp barrier @everyone_barrier = T
//!     !$omp create task @everyone_last = T
//! TASKS
//!   !$omp task @everyone_task = 3 * T
//!     critical (inside) @everyone_critical = 3 * T
//!       work = 3 * T
//!     team @everyone_nested = 3 * T, 3 * T
//!       work = 3 * T
//!   !$omp task @everyone_last = T
//! stubs @everyone_last = T
static NOINLINE void everyone(void)
{
	int sum = 0, inside = 0;

#pragma omp parallel //@everyone_team
	{
		for (int i = 0; i < 3; i++) {
#pragma omp task shared(sum, inside) //@everyone_task
			{
#pragma omp critical(inside) //@everyone_critical
				inside += work(3);
#pragma omp parallel num_threads(1) //@everyone_nested
				{
#pragma omp atomic
					sum += work(2);
				}
			}
		}
#pragma omp barrier //@everyone_barrier
#pragma omp task shared(sum) //@everyone_last
		{
#pragma omp atomic
			sum += 100;
		}
	}
	say("everyone", sum + inside);
}

static NOINLINE int fibonacci(int n)
{
	int a, b;

	if (n < 2)
		return n;
#pragma omp task shared(a) //@fib_first
	a = fibonacci(n - 1);
#pragma omp task shared(b) //@fib_second
	b = fibonacci(n - 2);
#pragma omp taskwait //@fib_wait
	return a + b;
}

/* fibonacci(10): 89 calls that return at once and 88 that create two tasks each, 177 in all. */
//! recursive = 1
//!   team @fib_team = 1, T
//!     single nowait @fib_single = T, 1
//!       fibonacci = 1
//!         !$omp create task @fib_first = 1
//!         !$omp create task @fib_second = 1
//!         !$omp taskwait @fib_wait = 1
//! TASKS
//!   !$omp task @fib_first = 88
//!     fibonacci = 88
//!       !$omp create task @fib_first = 54
//!       !$omp create task @fib_second = 54
//!       !$omp taskwait @fib_wait = 54
//!   !$omp task @fib_second = 88
//!     fibonacci = 88
//!       !$omp create task @fib_first = 33
//!       !$omp create task @fib_second = 33
//!       !$omp taskwait @fib_wait = 33
static NOINLINE void recursive(void)
{
	int result = 0;

#pragma omp parallel //@fib_team
#pragma omp single nowait //@fib_single
	result = fibonacci(10);
	say("fibonacci", result);
}

/* Untied tasks may go on elsewhere after each place where they can wait. */
//! untied = 1
//!   team @untied_team = 1, T
//!     single @untied_single = T, 1
//!       !$omp create untied @untied_outer = 10
//!       !$omp taskwait @untied_wait = 1
//! TASKS
//!   !$omp untied task @untied_outer = 10
//!     work = 10
//!     !$omp create untied @untied_inner = 20
//!     !$omp taskwait @untied_inner_wait = 20
//!   !$omp untied task @untied_inner = 20
//!     add = 20
static NOINLINE void untied(void)
{
	int sum = 0;

#pragma omp parallel //@untied_team
#pragma omp single //@untied_single
	{
		for (int i = 0; i < 10; i++) {
#pragma omp task untied shared(sum) //@untied_outer
			{
				int got = work(i);

				for (int j = 0; j < 2; j++) {
#pragma omp task untied shared(sum) //@untied_inner
					add(&sum);
#pragma omp taskwait //@untied_inner_wait
				}
#pragma omp taskyield
#pragma omp atomic
				sum += got;
			}
		}
#pragma omp taskwait //@untied_wait
	}
	say("untied", sum);
}

/*
 * if(0): executed on the spot. OPARI2 says nothing of a task whose if clause is false; the runtime does.
 * final: on the spot as well, and so are the tasks inside.
 */
//! undeferred = 1
//!   team @undeferred_team = 1, T
//!     single @undeferred_single = T, 1
//!p      add = 3
//!o      !$omp create task @undeferred_if = 3
//!p      !$omp create task @undeferred_some = 2
//!p      work = 2
//!o      !$omp create task @undeferred_some = 4
//!       !$omp create task @undeferred_final = 3
//!       !$omp create task @undeferred_mergeable = 3
//!       !$omp taskwait @undeferred_wait = 1
//! TASKS
//!o  !$omp task @undeferred_if = 3
//!o    add = 3
//!p  !$omp task @undeferred_some = 2
//!p    work = 2
//!o  !$omp task @undeferred_some = 4
//!o    work = 4
//!   !$omp task @undeferred_final = 3
//!     !$omp create task @undeferred_included = 3
//!   !$omp task @undeferred_included = 3
//!     add = 3
//!   !$omp task @undeferred_mergeable = 3
//!     add = 3
//! stubs @undeferred_some >= 2
static NOINLINE void undeferred(void)
{
	int sum = 0;

#pragma omp parallel shared(sum) //@undeferred_team
#pragma omp single //@undeferred_single
	{
		for (int i = 0; i < 3; i++) {
#pragma omp task if(0) //@undeferred_if
			add(&sum);
		}
		for (int i = 0; i < 4; i++) {
#pragma omp task if(i % 2) //@undeferred_some
			work(i);
		}
		for (int i = 0; i < 3; i++) {
#pragma omp task final(1) //@undeferred_final
			{
#pragma omp task //@undeferred_included
				add(&sum);
			}
#pragma omp task mergeable priority(i) //@undeferred_mergeable
			add(&sum);
		}
#pragma omp taskwait //@undeferred_wait
	}
	say("undeferred", sum);
}

//! depending = 1
//!   team @depend_team = 1, T
//!     single @depend_single = T, 1
//!       !$omp create task @depend_out = 4
//!       !$omp create task @depend_inout = 4
//!       !$omp create task @depend_in = 4
//!       !$omp taskwait @depend_wait = 1
//! TASKS
//!   !$omp task @depend_out = 4
//!     work = 4
//!   !$omp task @depend_inout = 4
//!   !$omp task @depend_in = 4
//! stubs @depend_out = 4
//! stubs @depend_inout = 4
//! stubs @depend_in = 4
static NOINLINE void depending(void)
{
	int chain[4] = { 0, 0, 0, 0 }, sum = 0;

#pragma omp parallel //@depend_team
#pragma omp single //@depend_single
	{
		for (int i = 0; i < 4; i++) {
#pragma omp task depend(out: chain[i]) shared(chain) //@depend_out
			chain[i] = work(i) + 1;
#pragma omp task depend(inout: chain[i]) shared(chain) //@depend_inout
			chain[i] *= 10;
#pragma omp task depend(in: chain[i]) shared(chain, sum) //@depend_in
			{
#pragma omp atomic
				sum += chain[i];
			}
		}
#pragma omp taskwait //@depend_wait
	}
	say("depending", sum);
}

static NOINLINE void part(int *sum)
{
#pragma omp atomic
	++*sum;
}

/* Groups and task loops: OPARI2 sees what is inside, the runtime the groups and the loops too. */
//! anywhere part = 12
//! groups = 1
//!   team @group_team = 1, T
//!     single @group_single = T, 1
//!p      !$omp create task @group_task = 6
//!o      !$omp taskgroup @group_group = 1
//!o        !$omp create task @group_task = 6
//!o        !$omp taskgroup wait @group_group = 1
//!o      !$omp taskgroup @group_loop = 1
//!o        !$omp taskloop @group_loop = 1
//!o          !$omp create task @group_loop = 4
//!o        !$omp taskgroup wait @group_loop = 1
//! TASKS
//!o  !$omp task @group_loop = 4
//!   !$omp task @group_task = 6
//!     !$omp create task @group_inner = 6
//!   !$omp task @group_inner = 6
//!     add = 6
static NOINLINE void groups(void)
{
	int sum = 0, counted = 0;

#pragma omp parallel //@group_team
#pragma omp single //@group_single
	{
#pragma omp taskgroup //@group_group
		{
			for (int i = 0; i < 6; i++) {
#pragma omp task shared(sum) //@group_task
				{
#pragma omp task shared(sum) //@group_inner
					add(&sum);
				}
			}
		}
		say("group", sum);
#pragma omp taskloop grainsize(3) shared(counted) //@group_loop
		for (int i = 0; i < 12; i++)
			part(&counted);
	}
	say("task loop", counted);
}

/* No team at all: the tasks are executed at once, or by nobody else. */
//! alone = 1
//!   !$omp create task @alone_task = 4
//!   !$omp taskwait @alone_wait = 1
//! TASKS
//!   !$omp task @alone_task = 4
//!     add = 4
//!     !$omp create task @alone_inner = 4
//!   !$omp task @alone_inner = 4
//!     add = 4
static NOINLINE void alone(void)
{
	int sum = 0;

	for (int i = 0; i < 4; i++) {
#pragma omp task shared(sum) //@alone_task
		{
			add(&sum);
#pragma omp task shared(sum) //@alone_inner
			add(&sum);
		}
	}
#pragma omp taskwait //@alone_wait
	say("alone", sum);
}

/* More tasks than any runtime keeps: it starts to execute them where they are created. */
//! many = 1
//!   team @many_team = 1, T
//!     for nowait @many_for = T
//!       !$omp create task @many_task = 3000
//! TASKS
//!   !$omp task @many_task = 3000
//!     work = 3000
//! stubs @many_task = 3000
static NOINLINE void many(void)
{
	int sum = 0;

#pragma omp parallel //@many_team
#pragma omp for nowait //@many_for
	for (int i = 0; i < 3000; i++) {
#pragma omp task shared(sum) //@many_task
		{
#pragma omp atomic
			sum += work(i);
		}
	}
	say("many", sum);
}

/* Reductions over tasks, and a task that somebody else says is over. */
//! reducing = 1
//!   team @reducing_team = 1, T
//!     single @reducing_single = T, 1
//!p      !$omp create task @reducing_task = 5
//!o      !$omp taskgroup @reducing_group = 1
//!o        !$omp create task @reducing_task = 5
//!o        !$omp taskgroup wait @reducing_group = 1
//! TASKS
//!   !$omp task @reducing_task = 5
//!     work = 5
static NOINLINE void reducing(void)
{
	int sum = 0;

#pragma omp parallel //@reducing_team
#pragma omp single //@reducing_single
	{
#pragma omp taskgroup task_reduction(+:sum) //@reducing_group
		{
			for (int i = 0; i < 5; i++) {
#pragma omp task in_reduction(+:sum) //@reducing_task
				sum += work(i);
			}
		}
	}
	say("reducing", sum);
}

//! main = 1
int main(void)
{
	simple();
	everyone();
	recursive();
	untied();
	undeferred();
	depending();
	groups();
	alone();
	many();
	reducing();
	return 0;
}
