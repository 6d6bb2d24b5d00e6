#!/bin/bash
# longjmp, C++ exceptions, signal handlers: regions left without an exit end when the stack says so.
. "${srcdir:?}/test/lib.sh" || exit 99
export FATHOM_SAMPLING=1000	# all of this is the same while samples are taken

cat > jump.c <<'C'
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf home;
static sigjmp_buf handler_home;
static volatile int sink;
static void thrower(int depth) { if (depth) thrower(depth - 1); else longjmp(home, 1); sink++; }
static void after(void) { sink++; }
static void catcher(void) { if (!setjmp(home)) thrower(3); after(); }
/* Recursion: the jump goes from level 0 to level 2, whose exit follows at once. */
static jmp_buf level_home;
static void level(int n)
{
	if (n == 2) { if (!setjmp(level_home)) level(n - 1); return; }
	if (n == 0) longjmp(level_home, 1);
	level(n - 1);
	sink++;
}
static void on_alarm(int number) { (void)number; after(); siglongjmp(handler_home, 1); }
static void from_handler(void) { if (!sigsetjmp(handler_home, 1)) raise(SIGUSR1); after(); }
static void last(void) { sink++; }
int main(void)
{
	static char room[65536];
	stack_t stack = { .ss_sp = room, .ss_size = sizeof(room) };
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_ONSTACK };
	for (int i = 0; i < 10; i++) catcher();
	for (int i = 0; i < 10; i++) level(5);
	signal(SIGUSR1, on_alarm);
	for (int i = 0; i < 10; i++) from_handler();
	sigaltstack(&stack, NULL);
	sigaction(SIGUSR1, &action, NULL);
	for (int i = 0; i < 10; i++) from_handler();
	last();
	puts("end");
	return 0;
}
C
instrument jump.c -o jump
same "nothing measured" "end, 0" "$(FATHOM_MODE=none ./jump 2>&1), $?"
same "output" end "$(./jump 2> err)"
dir=$(experiment) || exit 1
f=$dir/profile.cubex
check_profile "$f"
same "catcher" 10 "$(value visits jump/main/catcher "$f")"
same "after stands below catcher" 10 "$(value visits jump/main/catcher/after "$f")"
same "thrower" 10 "$(value visits jump/main/catcher/thrower/thrower/thrower/thrower "$f")"
same "level 5" 10 "$(value visits jump/main/level "$f")"
same "level 0" 10 "$(value visits jump/main/level/level/level/level/level/level "$f")"
same "after stands below from_handler" 20 "$(value visits jump/main/from_handler/after "$f")"
same "after stands below the handler" 20 "$(values visits "$f" | grep -E '/on_alarm/after$' | awk '{ s += $1 } END { print s + 0 }')"
same "last stands below main" 1 "$(value visits jump/main/last "$f")"
"$builddir/test/run/dump" -s "$f" | grep -q unbalanced && bad "unbalanced exits: $("$builddir/test/run/dump" -s "$f" | grep unbalanced)"

cat > throw.cc <<'C'
#include <cstdio>
static volatile int sink;
static void thrower(int depth) { if (depth) thrower(depth - 1); else throw depth; sink = depth; }
static void after() { sink = sink + 1; }
static void catcher() { try { thrower(3); } catch (int) { after(); } after(); }
static void last() { sink = 0; }
int main() { for (int i = 0; i < 10; i++) catcher(); last(); std::puts("end"); }
C
for compiler in "$CXX" clang++; do
	have $compiler || continue
	rm -rf fathom-*
	$compiler -g -O0 -finstrument-functions throw.cc -o throw $fathom_libs || die "cannot build throw.cc"
	same "$compiler: nothing measured" "end, 0" "$(FATHOM_MODE=none ./throw 2>&1), $?"
	same "$compiler: output" end "$(./throw 2> err)"
	dir=$(experiment) || exit 1
	f=$dir/profile.cubex
	check_profile "$f"
	same "$compiler: after stands below catcher()" 20 "$(value visits 'throw/main/catcher()/after()' "$f")"
	same "$compiler: last() stands below main" 1 "$(value visits 'throw/main/last()' "$f")"
done
verdict
