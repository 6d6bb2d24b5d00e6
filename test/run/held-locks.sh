#!/bin/bash
# A thread that holds the dynamic linker's lock, or that of the program's malloc, crashes while another thread's exit writes the
# result and waits for the lock: the program ends by the crash, and its profile is written without names.
. "${srcdir:?}/test/lib.sh" || exit 99
export FATHOM_SAMPLING=1000	# all of this is the same while samples are taken
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
# The copy of the process that writes the trace waits for the lock and is killed, and the next copy finds what it has
# written: the end of the files of events.
if [ -e "$builddir/.libs/libfathom-trace.so" ]; then
	. "$srcdir/test/run/trace-lib.sh"
	rm -rf fathom-*
	{ FATHOM_MODE=profile,trace timeout -s KILL 120 ./prog released > out 2> err; status=$?; } 2> /dev/null
	same "released: status" 139 $status
	dir=$(experiment) && sound "released" "$dir"
	nothing_hidden "released"
	# No copy gets the lock: the thread that has it is held.
	rm -rf fathom-*
	{ FATHOM_MODE=profile,trace timeout -s KILL 120 ./prog measured > out 2> err; status=$?; } 2> /dev/null
	same "measured: status" 139 $status
	dir=$(experiment)
	if grep -q 'fathom merge' err; then
		"$FATHOM" merge "$dir" > out 2>&1 || bad "measured: $(cat out)"
		sound "measured" "$dir"
	else
		left_out "a trace that no copy can write: no snapshots here"
	fi
fi
# The copy stops in the middle of putting the trace together, at each step: another copy undoes that and begins again.
if [ -e "$builddir/.libs/libfathom-trace.so" ]; then
	"$CC" -g -O1 -finstrument-functions "$srcdir/test/run/endings/stuck_rename.c" -o stuck -pthread -rdynamic -L"$builddir/.libs" \
		-Wl,-rpath,"$builddir/.libs" -Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-pthread -lfathom \
		-Wl,--pop-state || die "stuck_rename.c cannot be built"
	for call in 1 2 3 4 5 6 7; do
		rm -rf fathom-* .fathom-*
		{ FATHOM_MODE=trace timeout -s KILL 120 ./stuck $call > out 2> err; status=$?; } 2> /dev/null
		same "stuck $call: status" 139 $status
		dir=$(experiment) && sound "stuck $call" "$dir"
		nothing_hidden "stuck $call"
	done
fi
# Of a trace, a part may be written: what is left is the run snapshot.
for lock in linker malloc; do
	[ -e "$builddir/.libs/libfathom-trace.so" ] || break
	rm -rf fathom-* .fathom-*
	{ FATHOM_MODE=profile,trace timeout -s KILL 120 ./prog $lock > out 2> err; status=$?; } 2> /dev/null
	same "trace, $lock: status" 139 $status
	if grep -q 'fathom merge' err; then
		dir=$(experiment)
		"$FATHOM" merge "$dir" > out 2>&1 && [ -s "$dir/profile.cubex" ] || bad "trace, $lock: $(cat out)"
		sound "trace, $lock" "$dir"
		[ ! -e "$dir/traces.killed" ] || bad "trace, $lock: $(ls "$dir")"
	else
		left_out "a trace that is half written: no snapshots here"
	fi
done
verdict
