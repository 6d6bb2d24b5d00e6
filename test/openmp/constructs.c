/*
 * The constructs that OPARI2 instruments, each by itself, and beside them those it does not see, which
 * must run right all the same. How to read the expectations: expect.py.
 */
#include <omp.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

static int shared_sum, threads;
static int private_sum;
#pragma omp threadprivate(private_sum)

static NOINLINE int work(int i)
{
	__asm__ volatile("" : "+r"(i));	/* not to be left out */
	return i * i % 7;
}

static void say(const char *what, int value)
{
	printf("%-16s %d\n", what, value);
}

//! plain_regions = 1
//!   team @plain_parallel = 1, T
//!     work = T
//!   team @plain_clauses = 1, T
//!   team @plain_serial = 1, 1
//!     work = 1
//!   team @plain_one = 1, 1
//!   team @plain_default = 1, T
static NOINLINE void plain_regions(void)
{
	int sum = 0, own = 5, given = 7;

#pragma omp parallel //@plain_parallel
	{
#pragma omp atomic
		sum += work(2);
	}
	say("parallel", sum);
	sum = 0;
#pragma omp parallel private(own) firstprivate(given) shared(sum) reduction(+:shared_sum) /*@plain_clauses*/ \
	proc_bind(close) num_threads(threads)
	{
		own = given;
		shared_sum += own;
	}
	say("clauses", shared_sum);
	shared_sum = 0;
#pragma omp parallel if(threads > 100) //@plain_serial
	sum += work(3) + omp_get_num_threads();
#pragma omp parallel num_threads(1) //@plain_one
	sum += omp_get_num_threads();
#pragma omp parallel default(none) shared(sum) //@plain_default
	{
#pragma omp atomic
		sum++;
	}
	say("if, one, none", sum);
}

//! loops = 1
//!   team @loops_team = 1, T
//!     for @loops_static = T
//!       work = 10
//!     for nowait @loops_chunk = T
//!     for nowait @loops_dynamic = T
//!       work = 9
//!     for @loops_guided = T
//!     for @loops_auto = T
//!     for @loops_collapse = T
//!     for @loops_last = T
//!     for @loops_reduce = T
//!     for @loops_ordered = T
//!       ordered @loops_inner = 6
//!         work = 6
//!p    for @loops_empty = T
static NOINLINE void loops(void)
{
	int sum = 0, last = -1, first = 3, i, order = 0;
	int field[4] = { 0, 0, 0, 0 };

#pragma omp parallel shared(sum, last, order) //@loops_team
	{
#pragma omp for schedule(static) reduction(+:sum) //@loops_static
		for (i = 0; i < 10; i++)
			sum += work(i);
#pragma omp for schedule(static, 2) nowait //@loops_chunk
		for (i = 0; i < 10; i++)
			;
#pragma omp for schedule(dynamic) nowait //@loops_dynamic
		for (i = 0; i < 9; i++)
			work(i);
#pragma omp for schedule(guided, 2) //@loops_guided
		for (i = 0; i < 9; i++)
			;
#pragma omp for schedule(auto) //@loops_auto
		for (i = 0; i < 9; i++)
			;
#pragma omp for collapse(2) private(i) schedule(runtime) reduction(+:sum) //@loops_collapse
		for (int a = 0; a < 4; a++)
			for (int b = 0; b < 4; b++)
				sum += a * b;
#pragma omp for firstprivate(first) lastprivate(last) //@loops_last
		for (i = 0; i < 12; i++)
			last = i + first;
#pragma omp for reduction(+:field[0:4]) //@loops_reduce
		for (i = 0; i < 16; i++)
			field[i % 4] += i;
#pragma omp for ordered schedule(dynamic) //@loops_ordered
		for (i = 0; i < 6; i++) {
#pragma omp ordered //@loops_inner
			order = order * 3 + work(i);
		}
#pragma omp for //@loops_empty
		for (i = 0; i < threads / 1000; i++)
			;
	}
	say("loops", sum + last + order);
	say("field", field[0] + 10 * field[1] + 100 * field[2] + 1000 * field[3]);
}

//! combined = 1
//!   teamfor @combined_for = 1, T
//!     work = 20
//!   teamfor @combined_clauses = 1, T
//!p  teamfor @combined_ordered = 1, T
//!p    ordered @combined_inner = 5
//!o  team @combined_ordered = 1, T
//!o    for @combined_ordered_for = T
//!o      ordered @combined_inner = 5
//!   teamsections @combined_sections = 1, T
//!p    !$omp section @combined_sections = 2
//!p      work = 1
//!o    work = 1
//!   team @stacked_team = 1, T
//!     for @stacked_for = T
static NOINLINE void combined(void)
{
	int sum = 0, last = 0, order = 0, i;

#pragma omp parallel for reduction(+:sum) //@combined_for
	for (i = 0; i < 20; i++)
		sum += work(i);
#pragma omp parallel for num_threads(threads) if(threads > 0) shared(order) /*@combined_clauses*/ \
	lastprivate(last) collapse(1) schedule(static, 3)
	for (i = 0; i < 20; i++)
		last = i;
#pragma omp parallel for ordered //@combined_ordered
	for (i = 0; i < 5; i++) { //@combined_ordered_for
#pragma omp ordered //@combined_inner
		order = order * 2 + i;
	}
#pragma omp parallel sections reduction(+:sum) //@combined_sections
	{
#pragma omp section
		sum += 1;
#pragma omp section
		sum += work(3);
	}
#pragma omp parallel //@stacked_team
#pragma omp for reduction(+:sum) //@stacked_for
	for (i = 0; i < 5; i++)
		sum += i;
	say("combined", sum + last + order);
}

/* OPARI2 names sections alike, and the first one only if it has a directive; the runtime system none. */
//! shared_out = 1
//!   team @shared_team = 1, T
//!     sections @sections_all = T
//!p      !$omp section @sections_all = 2
//!p        work = 1
//!o      work = 1
//!     sections nowait @sections_first = T
//!       work = 1
//!p      !$omp section @sections_first = 1
//!     single @single_plain = T, 1
//!       work = 1
//!     single nowait @single_nowait = T, 1
//!     single copyprivate @single_copy = T, 1
//!     !$omp master @master = 1
//!       work = 1
static NOINLINE void shared_out(void)
{
	int sum = 0, given = 0, all = 0;

#pragma omp parallel firstprivate(given) //@shared_team
	{
#pragma omp sections //@sections_all
		{
#pragma omp section
			{
#pragma omp atomic
				sum += work(3);
			}
#pragma omp section
			{
#pragma omp atomic
				sum += 20;
			}
		}
#pragma omp sections nowait //@sections_first
		{
			{
#pragma omp atomic
				sum += work(4) * 100;
			}
#pragma omp section
			{
#pragma omp atomic
				sum += 1000;
			}
		}
#pragma omp single //@single_plain
		{
#pragma omp atomic
			sum += work(5) * 10000;
		}
#pragma omp single nowait //@single_nowait
		{
#pragma omp atomic
			sum += 100000;
		}
#pragma omp single copyprivate(given) //@single_copy
		given = 3;
#pragma omp atomic
		all += given;
#pragma omp master //@master
		{
#pragma omp atomic
			sum += work(6) * 1000000;
		}
	}
	say("shared out", sum);
	say("copied", all);
}

//! exclusive = 1
//!   team @exclusive_team = 1, T
//!     critical @critical_plain = 3 * T
//!       work = 3 * T
//!     critical (one) @critical_one = T
//!       critical (two) @critical_two = T
//!     !$omp barrier @barrier = T
static NOINLINE void exclusive(void)
{
	int sum = 0, one = 0, two = 0, read = 0, flag = 0, old;

#pragma omp parallel private(old, read) //@exclusive_team
	{
		for (int i = 0; i < 3; i++) {
#pragma omp critical //@critical_plain
			sum += work(i);
		}
#pragma omp critical(one) //@critical_one
		{
			one++;
#pragma omp critical (two) //@critical_two
			two++;
		}
#pragma omp barrier //@barrier
#pragma omp atomic
		sum++;
#pragma omp atomic read
		read = flag;
#pragma omp atomic write
		flag = read & 0;
#pragma omp atomic capture
		old = sum++;
#pragma omp atomic capture
		{
			old = sum;
			sum += 1;
		}
		(void)old;
#pragma omp atomic update hint(omp_sync_hint_uncontended)
		sum += 2;
#pragma omp flush
#pragma omp flush(sum)
	}
	say("exclusive", sum + one + two + flag);
}

//! lock_functions = 1
//!   omp_init_lock = 1
//!   omp_init_nest_lock = 1
//!   team @lock_team = 1, T
//!     omp_set_lock = 2 * T
//!     omp_unset_lock = 2 * T
//!     omp_set_nest_lock = 2 * T
//!     omp_unset_nest_lock = 2 * T
//!   omp_test_lock = 2
//!   omp_test_nest_lock = 2
//!   omp_unset_lock = 1
//!   omp_unset_nest_lock = 2
//!   omp_destroy_lock = 1
//!   omp_destroy_nest_lock = 1
static NOINLINE void lock_functions(void)
{
	omp_lock_t lock;
	omp_nest_lock_t nest;
	int sum = 0, nested = 0;

	omp_init_lock(&lock);
	omp_init_nest_lock(&nest);
#pragma omp parallel //@lock_team
	{
		for (int i = 0; i < 2; i++) {
			omp_set_lock(&lock);
			sum++;
			omp_unset_lock(&lock);
		}
		omp_set_nest_lock(&nest);
		omp_set_nest_lock(&nest);
		nested++;
		omp_unset_nest_lock(&nest);
		omp_unset_nest_lock(&nest);
	}
	sum += 10 * omp_test_lock(&lock);
	sum += 100 * omp_test_lock(&lock);
	sum += 1000 * omp_test_nest_lock(&nest);
	sum += 1000 * omp_test_nest_lock(&nest);
	omp_unset_lock(&lock);
	omp_unset_nest_lock(&nest);
	omp_unset_nest_lock(&nest);
	omp_destroy_lock(&lock);
	omp_destroy_nest_lock(&nest);
	say("locks", sum + nested);
}

//! copies = 1
//!   team @copyin_team = 1, T
//!   team @kept_team = 1, T
static NOINLINE void copies(void)
{
	int sum = 0;

	private_sum = 4;
#pragma omp parallel copyin(private_sum) reduction(+:sum) //@copyin_team
	{
		private_sum += 1;
		sum += private_sum;
	}
#pragma omp parallel reduction(+:sum) //@kept_team
	sum += private_sum;
	say("copies", sum);
}

struct pair { int low, high; };
#pragma omp declare reduction(widen : struct pair : \
	omp_out.low = omp_in.low < omp_out.low ? omp_in.low : omp_out.low, \
	omp_out.high = omp_in.high > omp_out.high ? omp_in.high : omp_out.high) initializer(omp_priv = { 1000, -1000 })

/* LLVM's runtime system may use critical sections for them. */
//!o anywhere critical @reduction_own >= 0
//!o anywhere critical @reduction_many >= 0
//! reductions = 1
//!   teamfor @reduction_own = 1, T
//!   teamfor @reduction_many = 1, T
static NOINLINE void reductions(void)
{
	struct pair range = { 1000, -1000 };
	int a = 0, b = 1, c = -1, d = 0;

#pragma omp parallel for reduction(widen:range) //@reduction_own
	for (int i = -5; i < 17; i++) {
		range.low = i < range.low ? i : range.low;
		range.high = i > range.high ? i : range.high;
	}
#pragma omp parallel for reduction(+:a) reduction(*:b) reduction(&:c) reduction(max:d) //@reduction_many
	for (int i = 1; i < 5; i++) {
		a += i;
		b *= i;
		c &= ~i;
		d = d > i ? d : i;
	}
	say("reductions", range.low * 100 + range.high + a + b + c + d);
}

#pragma omp declare simd notinbranch
static NOINLINE int twice(int i)
{
	__asm__ volatile("" : "+r"(i));
	return 2 * i;
}

/* By OPARI2; the runtime system tells of more. */
//! unseen = 1
//!   team @unseen_team = 1, T
//!     for @unseen_for_simd = T
//!o    !$omp master @unseen_masked = 1
//!     !$omp barrier @unseen_barrier = T
//!     single @unseen_single = T, 1
//!o      !$omp taskgroup @unseen_group = 1
//!o        !$omp taskgroup @unseen_loop = 1
//!o          !$omp taskloop @unseen_loop = 1
//!o            !$omp create task @unseen_loop = 4
//!o          !$omp taskgroup wait @unseen_loop = 1
//!o        !$omp taskgroup wait @unseen_group = 1
//!o  !$omp teams @unseen_teams = 1 ...
//!o TASKS
//!o  !$omp task @unseen_loop = 4
static NOINLINE void unseen(void)
{
	int sum = 0, all = 0;

#pragma omp simd reduction(+:sum)
	for (int i = 0; i < 16; i++)
		sum += i;
#pragma omp parallel //@unseen_team
	{
#pragma omp for simd reduction(+:sum) //@unseen_for_simd
		for (int i = 0; i < 16; i++)
			sum += i;
#pragma omp masked //@unseen_masked
		{
#pragma omp atomic
			all += 5;
		}
#pragma omp barrier //@unseen_barrier
#ifndef __clang__
#pragma omp scope reduction(+:all)
		all++;
#pragma omp loop bind(parallel) reduction(+:sum)
		for (int i = 0; i < 4; i++)
			sum++;
#endif
#pragma omp single //@unseen_single
		{
#pragma omp taskgroup //@unseen_group
			{
#pragma omp taskloop grainsize(2) shared(sum) //@unseen_loop
				for (int i = 0; i < 8; i++) {
#pragma omp atomic
					sum++;
				}
			}
#pragma omp taskyield
		}
	}
#pragma omp teams num_teams(1) reduction(+:sum) //@unseen_teams
	{
#pragma omp distribute
		for (int i = 0; i < 4; i++)
			sum++;
	}
#pragma omp target map(tofrom: sum)
	sum += 100;
#pragma omp target data map(tofrom: sum)
	{
#pragma omp target update to(sum)
	}
	say("unseen", sum + all);
}

//! twice = 1
//! main = 1
int main(void)
{
	threads = omp_get_max_threads();
	plain_regions();
	loops();
	combined();
	shared_out();
	exclusive();
	lock_functions();
	copies();
	reductions();
	unseen();
	say("twice", twice(4));
	return shared_sum;
}
