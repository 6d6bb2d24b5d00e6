// What OPARI2 alone does not take, but compiles and is measured with fathom: combined directives that have
// to be split, clauses that have to be moved, directives made by the preprocessor. How to read the
// expectations: expect.py.
#include <cstdio>
#include <omp.h>
#include "traps.h"

#define NOINLINE __attribute__((noinline))
#define DIRECTIVE(text) _Pragma(#text)
#define EVERY_SECOND DIRECTIVE(omp parallel for reduction(+:sum))

namespace t {

static void say(const char *what, long value)
{
	std::printf("%-16s %ld\n", what, value);
}

static NOINLINE int work(int i)
{
	__asm__ volatile("" : "+r"(i));
	return i * i % 7;
}

// In tasks that any thread may take.
static NOINLINE int part(int i)
{
	return work(i) + 1;
}

// A barrier more than in the source: that of the loop when it stands by itself.
//! t::split(int) = 1
//!   team @for_simd = 1, T
//!     for @for_simd = T
//!       t::work(int) = 8
//!   team @for_linear = 1, T
//!     for @for_linear = T
//!   team @for_order = 1, T
//!     for @for_order = T
//!   team @schedule_expression = 1, T
//!     for @schedule_expression = T
//!       t::work(int) = 8
//!   team @first_and_last = 1, T
//!     for @first_and_last = T
//!   team @inscan = 1, T
//!     for @inscan = T
//!   team @parallel_master = 1, T
//!     !$omp master @parallel_master = 1
//!       t::work(int) = 1
//!   team @parallel_masked = 1, T
//!   team @parallel_loop = 1, T
//!     t::work(int) = 8
//!   team @none_split = 1, T
//!     for @none_split = T
//!   team @none_last = 1, T
//!     for @none_last = T
static NOINLINE void split(int chunk)
{
	int sum = 0, step = 0, both = 3, running = 0, prefix[8], table[4] = { 1, 2, 3, 4 };

#pragma omp parallel for simd reduction(+:sum) //@for_simd
	for (int i = 0; i < 8; i++)
		sum += work(i);
#pragma omp parallel for linear(step:2) //@for_linear
	for (int i = 0; i < 8; i++)
		step += 2;
#pragma omp parallel for order(concurrent) reduction(+:sum) //@for_order
	for (int i = 0; i < 8; i++)
		sum += i;
#pragma omp parallel for schedule(dynamic, (chunk) * (2)) num_threads(omp_get_max_threads()) reduction(+:sum) //@schedule_expression
	for (int i = 0; i < 8; i++)
		sum += work(i);
#pragma omp parallel for firstprivate(both) lastprivate(both) //@first_and_last
	for (int i = 0; i < 8; i++)
		both = i * 10;
#pragma omp parallel for reduction(inscan, +:running) //@inscan
	for (int i = 0; i < 8; i++) {
		running += i;
#pragma omp scan inclusive(running)
		prefix[i] = running;
	}
#pragma omp parallel master //@parallel_master
	sum += work(3);
#pragma omp parallel masked filter(0) //@parallel_masked
	sum += 1;
#pragma omp parallel loop reduction(+:sum) //@parallel_loop
	for (int i = 0; i < 8; i++)
		sum += work(i);
#pragma omp parallel for simd default(none) shared(table) firstprivate(chunk) reduction(+:sum) //@none_split
	for (int i = 0; i < 4; i++)
		sum += table[i] * chunk;
#pragma omp parallel for default(none) lastprivate(both) schedule(static) //@none_last
	for (int i = 0; i < 4; i++)
		both = i;
	say("split", sum + step + both + running + prefix[3]);
}

//! t::modifiers(int) = 1
//!   team @if_parallel = 1, T
//!   teamfor @if_parallel_for = 1, 1
//!   team @modifier_team = 1, T
//!     single @modifier_single = T, 1
//!       !$omp create task @if_task = 4
//!     !$omp master @master_taskloop = 1
//! anywhere t::part(int) = 6
//!   t::work(int) = 6
//! TASKS
//!   !$omp task @if_task = 4
//!     t::work(int) = 4
static NOINLINE void modifiers(int yes)
{
	int sum = 0;

#pragma omp parallel if(parallel: yes) shared(sum) //@if_parallel
	{
#pragma omp atomic
		sum++;
	}
#pragma omp parallel for if(parallel: !yes) reduction(+:sum) //@if_parallel_for
	for (int i = 0; i < 4; i++)
		sum += i;
#pragma omp parallel //@modifier_team
	{
#pragma omp single //@modifier_single
		{
			for (int i = 0; i < 4; i++) {
#pragma omp task if(task: yes) shared(sum) //@if_task
				{
#pragma omp atomic
					sum += work(i);
				}
			}
		}
#pragma omp master taskloop shared(sum) //@master_taskloop
		for (int i = 0; i < 6; i++) {
#pragma omp atomic
			sum += part(i);
		}
	}
	say("modifiers", sum);
}

// Directives that are made by macros, chosen by conditions, or come from a header.
//! t::made() = 1
//!   teamfor @made_macro = 1, T
//!   team @made_condition = 1, T
//!   team @made_operator = 1, T
//!     t::work(int) = T
//!   teamfor @made_continued = 1, T
//! t::in_header(int) = 1
//!   teamfor @traps.h:header_for = 1, T
static NOINLINE void made()
{
	int sum = 0;

	EVERY_SECOND //@made_macro
	for (int i = 0; i < 10; i += 2)
		sum += i;
#ifdef NEVER
#pragma omp parallel for reduction(+:sum)
#else
#pragma omp parallel reduction(+:sum) //@made_condition
#endif
	sum += 1;
	_Pragma("omp parallel reduction(+:sum)") //@made_operator
	sum += work(3);
#  pragma	omp   parallel for \
	reduction(+:sum) /*@made_continued:-1*/ \
	schedule(static)
	for (int i = 0; i < 4; i++)
		sum += i;
	say("made", sum);
}

} // namespace t

//! main = 1
int main()
{
	t::split(1);
	t::modifiers(1);
	t::made();
	t::say("header", t::in_header(6));
}
