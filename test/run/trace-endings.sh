#!/bin/bash
# All the ways a process can end, traced: it ends as it would without fathom, and a sound trace is on disk, with
# what was done until then.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
# A shell gives what it starts in the background an ignored SIGINT: the program shall have it as it is by default.
as_ever="env --default-signal=INT"; $as_ever true 2> /dev/null || as_ever=
ulimit -c 0

# The program of endings.sh, and the ways that matter to traces alone.
sed -n '/^cat > prog.c/,/^C$/p' "$srcdir/test/run/endings.sh" | sed '1d;$d' > ways.c
[ -s ways.c ] || die "endings.sh has no program"
sed 's/^static void end(const char \*way)$/#include "more.h"\n&/; s/^	work();$/	work();\n	more(way);/' ways.c > prog.c
cat > library.c <<'C'
static volatile long count;
static void step(void) { count++; }
void library_work(void) { for (int i = 0; i < 50; i++) step(); }
C
cat > more.h <<'C'
#include <dlfcn.h>
#include <errno.h>
static void *pass(void *unused) { for (int i = 0; i < 200000; i++) work(); return unused; }
static void *wait_for_ever(void *unused) { work(); pause(); return unused; }
static void more(const char *way)
{
	pthread_t t[4];
	if (!strcmp(way, "exec-format")) { execl("./not-a-program", "x", (char *)NULL); work(); exit(errno == ENOEXEC ? 15 : 16); }
	if (!strcmp(way, "many-at-exit")) { for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, pass, NULL); usleep(5000); exit(17); }
	if (!strcmp(way, "many-at-abort")) { for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, busy, NULL); usleep(5000); abort(); }
	if (!strcmp(way, "waits-at-exit")) { pthread_create(&t[0], NULL, wait_for_ever, NULL); usleep(5000); exit(18); }
	if (!strcmp(way, "term-from-outside")) {
		pid_t self = getpid();
		if (fork() == 0) { usleep(30000); kill(self, SIGTERM); _exit(0); }
		for (;;) work();
	}
	if (!strcmp(way, "for-ever")) for (;;) work();
	if (!strcmp(way, "dlclose")) {
		void *library = dlopen("./library.so", RTLD_NOW);
		void (*f)(void) = (void (*)(void))dlsym(library, "library_work");
		f();
		dlclose(library);
		exit(19);
	}
	if (!strcmp(way, "signals-ignored")) { signal(SIGCHLD, SIG_IGN); raise(SIGTERM); }
	if (!strcmp(way, "daemon")) {
		if (fork()) _exit(20);
		for (int i = 0; i < 20000; i++) work();
		exit(21);
	}
}
C
echo "no program" > not-a-program; chmod +x not-a-program
instrument -shared -fPIC library.c -o library.so
instrument prog.c -o prog -pthread -ldl -I.
"$CC" -g -O1 prog.c -o plain -pthread -ldl -I.
export LD_LIBRARY_PATH=$PWD${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

check() # WAY LINES-ON-STDERR PATTERN
{
	rm -rf fathom-*
	($as_ever ./plain "$1" > plain.out 2> plain.err; echo "code $?" >> plain.out) 2> /dev/null
	($as_ever ./prog "$1" > prog.out 2> prog.err; echo "code $?" >> prog.out) 2> /dev/null
	cmp -s plain.out prog.out || bad "$1: ends differently: $(tr '\n' ' ' < plain.out)/ $(tr '\n' ' ' < prog.out)"
	dir=$(experiment) || { bad "$1: no experiment; said: $(cat prog.err)"; return; }
	grep -v '^fathom:' prog.err > others
	cmp -s plain.err others || bad "$1: says: $(cat others)"
	contains "$1: lines of fathom ($(cat prog.err))" "$(grep -c '^fathom: ' prog.err)" "^$2\$"
	contains "$1: what is said" "$(cat prog.err)" "$3"
	nothing_hidden "$1"
	sound "$1" "$dir" || return
	[ "$(enters "$dir" | awk '$2 == "work" { print $1 }')" -ge 1 ] || bad "$1: work is not in the trace"
}

export FATHOM_MODE=trace
for way in return exit quick_exit thread-exit fork-exec fork fork-signal vfork system pthread_exit exec-fails \
	many-at-exit waits-at-exit dlclose; do
	check $way 1 "^fathom: trace in fathom-[^ ]* \(look at it: fathom report fathom-[^ ]*\)$"
done
contains "dlclose" "$(enters "$dir")" "^50 step$"
check fork 1 "^fathom: trace in "
same "what the child does is not in the parent's trace" 1 "$(enters "$dir" | awk '$2 == "work" { print $1 }')"
for way in _exit _Exit handler exec daemon; do
	check $way 1 "trace up to there in "
done
check exec-format 2 "^fathom: another program replaced it \(exec\): trace up to there in "
for ending in abort=ABRT segv=SEGV overflow=SEGV term=TERM kill-idiom=TERM int=INT usr1=USR1 fpe=FPE \
	term-from-outside=TERM many-at-abort=ABRT signals-ignored=TERM; do
	check ${ending%=*} 1 "^fathom: ended by SIG${ending#*=}: trace up to there in "
done
[ ! -e "$dir/profile.cubex" ] || bad "FATHOM_MODE=trace writes a profile"
check segv 1 "trace up to there"
same "names after a crash" "end main prog work" "$(enters "$dir" | awk '{ print $2 }' | grep -v more | tr '\n' ' ' | sed 's/ $//')"

# Both at once, and with buffers that are written many times before the end, which is said.
export FATHOM_MODE=profile,trace FATHOM_TRACE_MEMORY=300k
check exit 1 "^fathom: profile and trace in "
check many-at-exit "[12]" "^fathom: profile and trace in "
check term-from-outside 1 "^fathom: ended by SIGTERM: profile and trace up to there in "
check_profile "$dir/profile.cubex"
check daemon 1 "profile and trace up to there in "

# Killed without warning: no trace, but nothing that looks like one either.
rm -rf fathom-* .fathom-*
{ timeout -s KILL 0.2 ./prog for-ever > /dev/null 2>&1; } 2> /dev/null
[ -z "$(find . -name traces.otf2)" ] || bad "after SIGKILL there is a trace"
verdict
