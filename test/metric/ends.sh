#!/bin/bash
# What fathom does before the program's work begins and after it ends is nobody's time, however long reading counters
# takes: neither in the profile, nor in the counters, nor in a trace. Here reading takes 20 ms, and measuring what a
# visit costs takes most of a second.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/metric/lib.sh"
here=$srcdir/test/metric
nm -D "$builddir/.libs/libfathom.so" 2> /dev/null | grep -Eq ' __(asan|tsan|ubsan|msan)_' && skip "built with a sanitizer"
"$CC" -shared -fPIC "$here/slow_proc.c" -o slow.so -ldl || die "cannot build slow_proc.c"
slow() { FATHOM_NAME=$1 FATHOM_METRICS=$2 LD_PRELOAD=$work/slow.so "./$3" > "$1.out" 2> "$1.err" || bad "$1: it ends with $?: $(head -3 "$1.err")"; }

# seconds METRIC FILE LOCATION: what the call paths of a location have of a metric together.
seconds() { "$builddir/test/run/dump" -l "$1" "$2" | awk -v l="@$3" '$NF == l { s += $1 } END { print s + 0 }'; }

# begins_and_ends WHAT SECONDS FILE: as long as main, which a file has in ns, and less than 0.6 s more: readings around main.
begins_and_ends() {
	awk -v got="$2" -v main="$(cat "$3")" 'BEGIN { exit !(got >= main / 1e9 && got < main / 1e9 + 0.6) }' ||
		bad "$1: $2 s, main took $(cat "$3") ns"
}

tried=0
for compiler in "$CC" clang; do
	name=team-${compiler##*/}
	"$FATHOM" "$compiler" -fopenmp -g -O1 "$here/team.c" -o "$name.exe" 2> build.err || continue
	tried=$((tried + 1))
	slow "$name" proc::rchar "$name.exe"
	profile=$name/profile.cubex
	check_profile "$profile"
	begins_and_ends "$name, the initial thread" "$(seconds time "$profile" 0)" "$name.out"
	begins_and_ends "$name, wall time" "$("$builddir/test/run/dump" -s "$profile" | sed -n 's/^attribute fathom::wall_time=//p')" "$name.out"
	awk -v idle="$(seconds omp_idle_threads "$profile" 1)" 'BEGIN { exit !(idle < 0.6) }' ||
		bad "$name: threads are idle for $(seconds omp_idle_threads "$profile" 1) s"
	[ "$tried" = 1 ] || continue
	# What the counters of the thread went on by meanwhile is nobody's, either.
	slow clock proc::rchar,perf::TASK-CLOCK "$name.exe"
	grep -q 'TASK-CLOCK.*not counted' clock.err ||
		awk -v got="$(seconds perf::TASK_CLOCK clock/profile.cubex 0)" -v main="$(cat clock.out)" \
			'BEGIN { exit !(got > 0 && got < main + 6e8) }' || bad "the thread's clock: $(seconds perf::TASK_CLOCK clock/profile.cubex 0) ns, main took $(cat clock.out)"
	if [ -e "$builddir/.libs/libfathom-trace.so" ]; then
		export FATHOM_MODE=profile,trace
		slow both proc::rchar "$name.exe"
		unset FATHOM_MODE
		begins_and_ends "both, the profile" "$(seconds time both/profile.cubex 0)" both.out
		begins_and_ends "both, the trace" "$("$builddir/fathom-report" --json both/traces.otf2 | sed -n 's/.*"duration":\([0-9.e-]*\).*/\1/p')" both.out
	fi
done
[ "$tried" != 0 ] || skip "no compiler for OpenMP that fathom can be used with: $(head -1 build.err)"
verdict
