/*
 * Constructs that are not left through their end, and programs that end inside one; signals that come in
 * between. One of them a run, named by the argument. How to read the expectations: expect.py.
 */
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static int threads;
static volatile int stop;

static NOINLINE int work(int i)
{
	__asm__ volatile("" : "+r"(i));
	return i * i % 7;
}

static void say(const char *what, int value)
{
	printf("%-16s %d\n", what, value);
	fflush(stdout);
}

//! run cancel
//! cancelled = 1
//!   team nobarrier @cancel_team = 1, T
//!     work = T
//!     !$omp implicit barrier @cancel_team >= 0
//!   team @cancel_loop_team = 1, T
//!     for @cancel_for = T
//!       work = T
//!     !$omp barrier @cancel_barrier = T
//!   team @cancel_group_team = 1, T
//!     single @cancel_single = T, 1
//!p      !$omp create task @cancel_task = 50
//!o      !$omp taskgroup @cancel_group = 1
//!o        !$omp create task @cancel_task = 50
//!o        !$omp taskgroup wait @cancel_group = 1
//! TASKS
//!   !$omp task @cancel_task >= 1
//!     work >= 1
//! main = 1
static NOINLINE void cancelled(void)
{
	int sum = 0;

#pragma omp parallel //@cancel_team
	{
#pragma omp atomic
		sum += work(2);
#pragma omp cancel parallel
#pragma omp atomic
		sum += 1000;
	}
	say("cancel parallel", sum);
	sum = 0;
#pragma omp parallel //@cancel_loop_team
	{
#pragma omp for //@cancel_for
		for (int i = 0; i < 4 * threads; i++) {
#pragma omp atomic
			sum += work(2);
#pragma omp cancel for
		}
#pragma omp barrier //@cancel_barrier
#pragma omp atomic
		sum += 100;
	}
	say("cancel for", sum / 100);
	sum = 0;
#pragma omp parallel //@cancel_group_team
#pragma omp single //@cancel_single
	{
#pragma omp taskgroup //@cancel_group
		for (int i = 0; i < 50; i++) {
#pragma omp task //@cancel_task
			{
				work(i);
#pragma omp cancel taskgroup
#pragma omp atomic
				sum++;
			}
		}
	}
	say("cancel taskgroup", sum);
}

/* By its first thread, when all have begun; the others wait for nothing. */
//! run exit 3
//! leave = 1
//!   team left @leave_team = 1, T
//!     work = T
//!     !$omp barrier @leave_barrier = T
//!     critical @leave_critical = 1
//! main = 1
//! run exit-worker 4
//! leave = 1
//!   team left @leave_team = 1, T
//!     work = T
//!     !$omp barrier @leave_barrier = T
//!     critical @leave_critical = 1
//! main = 1
//! run _exit 5
//! leave = 1
//!   team left @leave_team = 1, T
//!     work = T
//!     !$omp barrier @leave_barrier = T
//!     critical @leave_critical = 1
//! main = 1
//! run abort 134
//! leave = 1
//!   team left @leave_team = 1, T
//!     work = T
//!     !$omp barrier @leave_barrier = T
//!     critical @leave_critical = 1
//!       give_up = 1
//! main = 1
static NOINLINE void give_up(int code)
{
	if (code)
		abort();
}

static NOINLINE void leave(int who, void (*end)(int), int code)
{
#pragma omp parallel //@leave_team
	{
		work(3);
#pragma omp barrier //@leave_barrier
		if (omp_get_thread_num() == who) {
#pragma omp critical //@leave_critical
			{
				say("leaving", code);
				end(code);
			}
		}
		while (!stop)
			usleep(1000);
	}
}

/* The others go on with constructs while the program ends. */
//! run exit-busy 6
//! busy = 1
//!   team left @busy_team = 1, T
//!     !$omp barrier @busy_barrier = T
//! main = 1
//! anywhere critical @busy_critical >= 0
static NOINLINE void busy(void)
{
	int sum = 0;

#pragma omp parallel //@busy_team
	{
#pragma omp barrier //@busy_barrier
		if (omp_get_thread_num() == 0) {
			say("busy", 1);
			exit(6);
		}
		while (!stop) {
#pragma omp critical //@busy_critical
			sum++;
		}
	}
}

static NOINLINE void handler(int sig)
{
	work(sig);
}

/* A handler that runs inside constructs, at places known. */
//! run raise
//! raised = 1
//!   team @raise_team = 1, T
//!     critical @raise_critical = T
//!       handler = T
//!         work = T
//!     !$omp barrier @raise_barrier = T
//! main = 1
static NOINLINE void raised(void)
{
	signal(SIGUSR1, handler);
#pragma omp parallel //@raise_team
	{
#pragma omp critical //@raise_critical
		raise(SIGUSR1);
#pragma omp barrier //@raise_barrier
	}
	say("raised", 1);
}

/* One that comes at any time: how often is chance, and so is which of its calls are recorded. */
//! run timer
//! anywhere handler >= 0
//!   work >= 0
//! interrupted = 1
//!   team @timer_team = 300, 300 * T
//!     for @timer_for = 300 * T
//!     critical @timer_critical = 300 * T
//!       work = 300 * T
//!     single @timer_single = 300 * T, 300
//!       !$omp create task @timer_task = 600
//! TASKS
//!   !$omp task @timer_task = 600
//!     work = 600
//! main = 1
static NOINLINE void interrupted(void)
{
	sigset_t alarm;
	struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { { 0, 0 }, { 0, 0 } };
	struct sigaction action;
	int sum = 0;

	memset(&action, 0, sizeof(action));
	action.sa_handler = handler;
	action.sa_flags = SA_RESTART;
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	for (int round = 0; round < 300; round++) {
#pragma omp parallel //@timer_team
		{
			/* On another thread its handler might be at work while the team ends: that is what event/teams/team.h
			 * says of fathom_event_team_wait. */
			if (omp_get_thread_num() != 0)
				pthread_sigmask(SIG_BLOCK, &alarm, NULL);
#pragma omp for reduction(+:sum) //@timer_for
			for (int i = 0; i < 20; i++)
				sum += i;
#pragma omp critical //@timer_critical
			sum += work(3);
#pragma omp single //@timer_single
			{
				for (int i = 0; i < 2; i++) {
#pragma omp task //@timer_task
					work(i);
				}
			}
		}
	}
	setitimer(ITIMER_REAL, &never, NULL);
	say("interrupted", sum);
}

static NOINLINE void telling_handler(int sig)
{
	work(sig);
	__atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
}

/* Signals for a thread that has nothing to do: its team is over, whether it has been told or not. */
//! run idle
//! anywhere telling_handler >= 0
//!   work >= 0
//! idle = 1
//!   team @idle_team = 3, 3 * T
//!     work = 3
//!   interrupt = 9
//! main = 1
static NOINLINE void interrupt(pthread_t thread)
{
	stop = 0;
	pthread_kill(thread, SIGUSR1);
	while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE))
		usleep(100);
}

static NOINLINE void idle(void)
{
	pthread_t last = pthread_self();
	int sum = 0;

	signal(SIGUSR1, telling_handler);
	for (int round = 0; round < 3; round++) {
#pragma omp parallel reduction(+:sum) //@idle_team
		{
			if (omp_get_thread_num() == threads - 1)
				last = pthread_self();
			if (omp_get_thread_num() == 0)
				sum += work(round);
		}
		for (int i = 0; i < 3; i++)
			interrupt(last);
	}
	say("idle", sum);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	threads = omp_get_max_threads();
	if (!strcmp(what, "cancel"))
		cancelled();
	else if (!strcmp(what, "exit"))
		leave(0, exit, 3);
	else if (!strcmp(what, "exit-worker"))
		leave(threads - 1, exit, 4);
	else if (!strcmp(what, "_exit"))
		leave(threads - 1, _exit, 5);
	else if (!strcmp(what, "abort"))
		leave(threads - 1, give_up, 6);
	else if (!strcmp(what, "exit-busy"))
		busy();
	else if (!strcmp(what, "raise"))
		raised();
	else if (!strcmp(what, "timer"))
		interrupted();
	else if (!strcmp(what, "idle"))
		idle();
	else
		return 99;
	return 0;
}
