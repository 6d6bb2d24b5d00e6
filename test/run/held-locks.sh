#!/bin/bash
# A thread that holds the dynamic linker's lock, or that of the program's malloc, crashes while another thread's exit writes the
# result and waits for the lock: the program ends by the crash, and its profile is written without names.
. "${srcdir:?}/test/lib.sh" || exit 99
ulimit -c 0
printf 'extern void *__libc_malloc(unsigned long);\nint main(void) { return !__libc_malloc(1); }\n' > libc.c
"$CC" libc.c -o libc 2> /dev/null || skip "the C library has no __libc_malloc"
"$CC" -g -O1 -finstrument-functions "$srcdir/test/run/endings/locked.c" -o prog -pthread -L"$builddir/.libs" -Wl,-rpath,"$builddir/.libs" \
	-Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-pthread -lfathom -Wl,--pop-state || die "locked.c cannot be built"
for lock in linker malloc; do
	rm -rf fathom-*
	{ FATHOM_SNAPSHOT=off timeout -s KILL 120 ./prog $lock > out 2> err; status=$?; } 2> /dev/null
	same "$lock: status" 139 $status
	same "$lock: output" begin "$(cat out)"
	dir=$(experiment) && [ -s "$dir/profile.cubex" ] || { bad "$lock: no profile: $(cat err)"; continue; }
	contains "$lock: what is said" "$(cat err)" "^fathom: ended by SIGSEGV: profile up to there in "
	[ "$(values visits "$dir/profile.cubex" | grep -c '{thread}/')" -gt 0 ] || bad "$lock: $(values visits "$dir/profile.cubex")"
done
# Of a trace, a part may be written: what is left is the run snapshot.
if [ -e "$builddir/.libs/libfathom-trace.so" ]; then
	rm -rf fathom-*
	{ FATHOM_MODE=profile,trace timeout -s KILL 120 ./prog malloc > out 2> err; status=$?; } 2> /dev/null
	same "trace: status" 139 $status
	if grep -q 'fathom merge' err; then
		dir=$(experiment) && "$FATHOM" merge "$dir" > out 2>&1 && [ -s "$dir/profile.cubex" ] || bad "trace: $(cat out)"
	else
		left_out "a trace that is half written: no snapshots here"
	fi
fi
verdict
