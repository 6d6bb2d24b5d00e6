#!/bin/bash
# Signal handlers that leave by a jump, 10000 times a second, also in the middle of an event: the program goes on as without fathom,
# and the trace is sound.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"

cat > jumps.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

static sigjmp_buf home;
static volatile long sink;
static volatile sig_atomic_t signals, may_jump;
static int jumps_at_all;

static void leaf(void) { sink++; }
static void work(int n) { leaf(); if (n) work(n - 1); leaf(); }
static void ring(int n) { if (n) { work(1); ring(n - 1); } }
static void in_handler(void) { sink++; }

static void on_alarm(int number)
{
	(void)number;
	in_handler();
	signals++;
	if (may_jump && jumps_at_all)
		siglongjmp(home, 1);
}

static void turn(void) { for (int i = 0; i < 10; i++) ring(5); }

int main(int count, char **arguments)
{
	long most = atol(arguments[1]);
	struct itimerval often = { { 0, 100 }, { 0, 100 } }, off = { 0 };
	static char room[65536];
	stack_t stack = { .ss_sp = room, .ss_size = sizeof(room) };
	struct sigaction action = { .sa_handler = on_alarm };
	time_t begin = time(NULL);

	jumps_at_all = count > 2 && strcmp(arguments[2], "return");
	if (count > 2 && !strcmp(arguments[2], "alternate")) {
		sigaltstack(&stack, NULL);
		action.sa_flags = SA_ONSTACK;
	}
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	/* A loaded machine may be slow. */
	while (signals < most && time(NULL) - begin < 20)
		if (!sigsetjmp(home, 1)) {
			may_jump = 1;
			turn();
			may_jump = 0;
		} else {
			may_jump = 0;
		}
	setitimer(ITIMER_REAL, &off, NULL);
	leaf();
	puts("done");
	return 5;
}
C
instrument jumps.c -o early
programs=early
FATHOM_INSTRUMENT_HOOKS=late FATHOM_INSTRUMENT_MIN_INSNS=0 "$FATHOM" "$CC" -g -O1 jumps.c -o late 2> late.err && programs="early late"

# run PROGRAM SIGNALS WAY SETTING...; the first two turns check the profile, too.
turn=1
run() {
	program=$1 signals=$2 way=$3
	shift 3
	what="$program, handlers $way, $*"
	rm -rf result
	env "$@" FATHOM_NAME=result "./$program" "$signals" "$way" > out 2> said
	same "$what: exit code" 5 $?
	same "$what: output" "done" "$(cat out)"
	[ -e result/traces.otf2 ] || { bad "$what: no trace: $(cat said)"; return; }
	"$FATHOM" check result > check.out 2>&1 || bad "$what: fathom check: $(head -5 check.out)"
	nothing_hidden "$what"
	[ "$turn" -gt 2 ] || case $* in *profile,trace*) check_profile result/profile.cubex ;; esac
}

for program in $programs; do
	for way in own alternate; do
		for turn in $(seq 20); do
			[ "$turn" -gt 3 ] || run $program 100 $way FATHOM_MODE=trace
			run $program 100 $way FATHOM_MODE=profile,trace
		done
		turn=1
	done
	run $program 200 own FATHOM_MODE=trace FATHOM_TRACE_MEMORY=1M
	run $program 100 own FATHOM_MODE=trace FATHOM_TRACE_TICK=1us
	run $program 50 own FATHOM_MODE=trace FATHOM_METRICS=rusage::minflt
	run $program 200 return FATHOM_MODE=trace
done
# What other readers say of one of each.
run early 20 own FATHOM_MODE=trace
sound "early" result
verdict
