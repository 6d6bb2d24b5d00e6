/*
 * Where constructs stand: in functions of their own, in recursion, in teams inside teams, in teams of
 * changing size, in teams that threads of the program's own fork. How to read the expectations: expect.py.
 */
#include <omp.h>
#include <pthread.h>
#include <stdio.h>

#define NOINLINE __attribute__((noinline))

static int threads;

static NOINLINE int work(int i)
{
	__asm__ volatile("" : "+r"(i));
	return i * i % 7;
}

static void say(const char *what, int value)
{
	printf("%-16s %d\n", what, value);
}

static NOINLINE void add(int *sum)
{
#pragma omp atomic
	++*sum;
}

/* Constructs that find their team at run time, or none. */
static NOINLINE void orphans(int *sum)
{
#pragma omp for //@orphan_for
	for (int i = 0; i < 8; i++)
		add(sum);
#pragma omp single //@orphan_single
	add(sum);
#pragma omp master //@orphan_master
	add(sum);
#pragma omp critical //@orphan_critical
	++*sum;
#pragma omp barrier //@orphan_barrier
}

//! orphaned = 1
//!   team @orphan_team = 2, 2 * T
//!     orphans = 2 * T
//!       for @orphan_for = 2 * T
//!         add = 16
//!       single @orphan_single = 2 * T, 2
//!         add = 2
//!       !$omp master @orphan_master = 2
//!         add = 2
//!       critical @orphan_critical = 2 * T
//!       !$omp barrier @orphan_barrier = 2 * T
//!   orphans = 1
//!     for @orphan_for = 1
//!       add = 8
//!     single @orphan_single = 1, 1
//!       add = 1
//!     !$omp master @orphan_master = 1
//!       add = 1
//!     critical @orphan_critical = 1
//!     !$omp barrier @orphan_barrier = 1
static NOINLINE void orphaned(void)
{
	int sum = 0;

	for (int i = 0; i < 2; i++) {
#pragma omp parallel //@orphan_team
		orphans(&sum);
	}
	orphans(&sum);
	say("orphaned", sum);
}

/* Teams that grow, shrink and grow again: threads end and others begin in their places. */
//! sizes = 2
//!   team @sizes_team = 18, 2 * sum(min(n, T) for n in [1, 2, 4, 3, 1, 4, 2, 3, 4])
//!     work = 2 * sum(min(n, T) for n in [1, 2, 4, 3, 1, 4, 2, 3, 4])
//!   team @sizes_after = 2, 2 * T
static NOINLINE void sizes(void)
{
	static const int wanted[] = { 1, 2, 4, 3, 1, 4, 2, 3, 4 };
	int sum = 0;

	for (int i = 0; i < 9; i++) {
#pragma omp parallel num_threads(wanted[i] < threads ? wanted[i] : threads) reduction(+:sum) //@sizes_team
		sum += 1 + work(i);
	}
#pragma omp parallel reduction(+:sum) //@sizes_after
	sum++;
	say("sizes", sum);
}

//! nested = 1
//!   team @outer = 2, 2 * min(T, 2)
//!     team @inner = 2 * min(T, 2), 4 * min(T, 2)
//!       for @inner_for = 4 * min(T, 2)
//!         work = 12 * min(T, 2)
//!       critical (both) @inner_critical = 4 * min(T, 2)
//!     single @outer_single = 2 * min(T, 2), 2
//!       team @third = 2, 4
//!         team @fourth = 4, 4
//!           work = 4
static NOINLINE void nested(void)
{
	int sum = 0, both = 0;

	omp_set_max_active_levels(3);
	for (int i = 0; i < 2; i++) {
#pragma omp parallel num_threads(threads < 2 ? 1 : 2) shared(sum, both) //@outer
		{
#pragma omp parallel num_threads(2) //@inner
			{
#pragma omp for //@inner_for
				for (int j = 0; j < 6; j++)
					work(j);
#pragma omp critical(both) //@inner_critical
				both++;
			}
#pragma omp single //@outer_single
			{
#pragma omp parallel num_threads(2) //@third
				{
#pragma omp parallel if(sum < 0) num_threads(2) //@fourth
					{
#pragma omp atomic
						sum += work(3) + omp_get_level();
					}
				}
			}
		}
	}
	omp_set_max_active_levels(1);
	say("nested", sum + both);
}

/* One level is active: the inner region has a team of one. */
//! not_nested = 1
//!   team @active = 1, T
//!     team @inactive = T, T
//!       for @inactive_for = T
//!         work = 3 * T
static NOINLINE void not_nested(void)
{
	int sum = 0;

#pragma omp parallel shared(sum) if(threads > 1) //@active
	{
#pragma omp parallel num_threads(1) //@inactive
		{
#pragma omp for //@inactive_for
			for (int i = 0; i < 3; i++) {
#pragma omp atomic
				sum += work(i);
			}
		}
	}
	say("not nested", sum);
}

/* The same region again and again inside itself, through a function. */
static NOINLINE void descend(int depth, int *sum)
{
	if (!depth)
		return;
#pragma omp parallel num_threads(depth == 3 ? threads : 1) //@descend
	{
		add(sum);
#pragma omp master //@descend_master
		descend(depth - 1, sum);
	}
}

//! recursion = 1
//!   descend = 1
//!     team @descend = 1, T
//!       add = T
//!       !$omp master @descend_master = 1
//!         descend = 1
//!           team @descend = 1, 1
//!             add = 1
//!             !$omp master @descend_master = 1
//!               descend = 1
//!                 team @descend = 1, 1
//!                   add = 1
//!                   !$omp master @descend_master = 1
//!                     descend = 1
static NOINLINE void recursion(void)
{
	int sum = 0;

	descend(3, &sum);
	say("recursion", sum);
}

/* Threads of the program, each of which is number 0 of teams of its own, at the same time. */
static void *root(void *sum)
{
	for (int i = 0; i < 3; i++) {
#pragma omp parallel num_threads(2) //@root_team
		{
			add(sum);
#pragma omp barrier //@root_barrier
		}
	}
#pragma omp critical //@root_critical
	add(sum);
	return NULL;
}

//! anywhere root = 3
//!   team @root_team = 9, 18
//!     add = 18
//!     !$omp barrier @root_barrier = 18
//!   critical @root_critical = 3
//!     add = 3
//! roots = 1
//!   pthread_create = 3
//!   pthread_join = 3
//!   {thread} = 3
static NOINLINE void roots(void)
{
	pthread_t created[2];
	int sum = 0;

	for (int i = 0; i < 2; i++)
		pthread_create(&created[i], NULL, root, &sum);
	for (int i = 0; i < 2; i++)
		pthread_join(created[i], NULL);
	pthread_create(&created[0], NULL, root, &sum);
	pthread_join(created[0], NULL);
	say("roots", sum);
}

//! main = 1
int main(void)
{
	threads = omp_get_max_threads();
	orphaned();
	sizes();
	not_nested();	/* before it: LLVM 14's loops in teams of one lose iterations after active nested ones */
	nested();
	recursion();
	roots();
	sizes();
	return 0;
}
