#!/bin/bash
# All the ways a process can end: it ends as it would without fathom, and the profile is on disk.
. "${srcdir:?}/test/lib.sh" || exit 99
export FATHOM_SAMPLING=1000	# all of this is the same while samples are taken
# A shell gives what it starts in the background an ignored SIGINT: the program shall have it as it is by default.
as_ever="env --default-signal=INT"; $as_ever true 2> /dev/null || as_ever=
ulimit -c 0

cat > prog.c <<'C'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long sink;
static void work(void) { for (int i = 0; i < 1000; i++) sink++; }
static int deep(int n) { volatile char room[4096]; room[0] = (char)n; return deep(n + 1) + room[0]; }
static void *busy(void *unused) { for (;;) work(); return unused; }
static void cleanup(int number) { signal(number, SIG_DFL); raise(number); }
static void jump_over(int number) { (void)number; _exit(44); }

static void end(const char *way)
{
	work();
	if (!strcmp(way, "exit")) exit(5);
	if (!strcmp(way, "_exit")) _exit(6);
	if (!strcmp(way, "_Exit")) _Exit(7);
	if (!strcmp(way, "quick_exit")) quick_exit(8);
	if (!strcmp(way, "abort")) abort();
	if (!strcmp(way, "segv")) *(volatile int *)8 = 0;
	if (!strcmp(way, "overflow")) deep(0);
	if (!strcmp(way, "term")) kill(getpid(), SIGTERM);
	if (!strcmp(way, "int")) raise(SIGINT);
	if (!strcmp(way, "usr1")) raise(SIGUSR1);
	if (!strcmp(way, "kill-idiom")) { signal(SIGTERM, cleanup); raise(SIGTERM); }
	if (!strcmp(way, "handler")) { signal(SIGTERM, jump_over); raise(SIGTERM); }
	if (!strcmp(way, "fpe")) { volatile int zero = 0; sink = 7 / zero; }
	if (!strcmp(way, "exec")) execl("/bin/sh", "sh", "-c", "exit 9", (char *)NULL);
	if (!strcmp(way, "exec-fails")) { execlp("/nonexistent/program", "x", (char *)NULL); work(); exit(10); }
	if (!strcmp(way, "thread-exit")) { pthread_t t; pthread_create(&t, NULL, busy, NULL); usleep(20000); exit(11); }
	if (!strcmp(way, "fork-exec")) {
		int status;
		if (fork() == 0) { work(); execlp("sh", "sh", "-c", "exit 12", (char *)NULL); _exit(99); }
		wait(&status);
		exit(WEXITSTATUS(status));
	}
	if (!strcmp(way, "fork")) {
		int status;
		if (fork() == 0) { for (int i = 0; i < 100; i++) work(); exit(13); }
		wait(&status);
		exit(WEXITSTATUS(status));
	}
	if (!strcmp(way, "fork-signal")) {
		int status;
		pid_t child = fork();
		if (child == 0) { work(); raise(SIGTERM); }
		waitpid(child, &status, 0);
		exit(WIFSIGNALED(status) ? WTERMSIG(status) : 99);
	}
	if (!strcmp(way, "vfork")) {
		int status;
		if (vfork() == 0) { execl("/bin/true", "true", (char *)NULL); _exit(99); }
		wait(&status);
		exit(14 + WEXITSTATUS(status));
	}
	if (!strcmp(way, "system")) exit(system("exit 3") / 256 + 12);
	if (!strcmp(way, "pthread_exit")) pthread_exit(NULL);
}

int main(int argc, char **argv)
{
	(void)argc;
	printf("begin\n");
	fflush(stdout);
	end(argv[1]);
	return 4;
}
C
instrument prog.c -o prog -pthread
"$CC" -g -O1 prog.c -o plain -pthread

# check WAY LINES-ON-STDERR PATTERN: how it ends must be the same, and the profile must be there.
check()
{
	rm -rf fathom-*
	($as_ever ./plain "$1" > plain.out 2> plain.err; echo "code $?" >> plain.out) 2> /dev/null
	($as_ever ./prog "$1" > prog.out 2> prog.err; echo "code $?" >> prog.out) 2> /dev/null
	cmp -s plain.out prog.out || bad "$1: ends differently: $(tr '\n' ' ' < plain.out)/ $(tr '\n' ' ' < prog.out)"
	dir=$(experiment) || { bad "$1: no experiment; said: $(cat prog.err)"; return; }
	grep -v '^fathom:' prog.err > others
	cmp -s plain.err others || bad "$1: says: $(cat others)"
	same "$1: lines of fathom" "$2" "$(grep -c '^fathom: ' prog.err)"
	contains "$1: what is said" "$(cat prog.err)" "$3"
	check_profile "$dir/profile.cubex"
	[ "$(value visits prog/main/end/work "$dir/profile.cubex")" -ge 1 ] || bad "$1: work is not in the profile"
}

for way in return exit quick_exit thread-exit fork-exec fork fork-signal vfork system pthread_exit; do
	check $way 1 "^fathom: profile in "
done
check exec-fails 1 "^fathom: profile in "
same "visits after a failed exec" 2 "$(value visits prog/main/end/work "$dir/profile.cubex")"
check fork 1 "^fathom: profile in "
same "visits of the child are not the parent's" 1 "$(value visits prog/main/end/work "$dir/profile.cubex")"
for way in _exit _Exit handler exec; do
	check $way 1 "profile up to there in "
done
check abort 1 "ended by SIGABRT: profile up to there in "
check segv 1 "ended by SIGSEGV: profile up to there in "
check overflow 1 "ended by SIGSEGV: profile up to there in "
check term 1 "ended by SIGTERM: profile up to there in "
check kill-idiom 1 "ended by SIGTERM: profile up to there in "
check int 1 "ended by SIGINT: profile up to there in "
check usr1 1 "ended by SIGUSR1: profile up to there in "
check fpe 1 "ended by SIGFPE: profile up to there in "

# The names are there even after a crash, and the file says that it is not the whole.
contains "after a crash" "$("$builddir/test/run/dump" -s "$dir/profile.cubex")" "^attribute fathom::complete=no: ended by SIGFPE$"

# Signals that the parent wanted ignored stay ignored.
rm -rf fathom-*
(trap '' USR1; ./prog usr1 > /dev/null 2>&1; same "an ignored signal" 4 $?)
# Without FATHOM_SIGNALS nobody catches them.
rm -rf fathom-*
(FATHOM_SIGNALS=off ./prog term > /dev/null 2> prog.err; true) 2> /dev/null
same "FATHOM_SIGNALS=off" "" "$(cat prog.err)"
verdict
