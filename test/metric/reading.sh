#!/bin/bash
# How counters are read: what a visit costs is in the profile and in the report; where the instruction rdpmc traps, and
# under valgrind, which does not know it, they are read otherwise, and the program notices nothing.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/metric/lib.sh"
here=$srcdir/test/metric
instrument -I"$here" "$here/serial.c" -o serial.exe
may_count "$faults" serial.exe

# fact KEY EXPERIMENT: an attribute of the profile.
fact() { "$builddir/fathom-report" --json "$2" | sed -n "s/.*\"fathom::$1\":\"\([^\"]*\)\".*/\1/p"; }

# Measured at the start of each run: a reading takes something, and a visit more than one of them.
measured one "$faults" ./serial.exe
same "how perf is read" read "$(fact perf_read_by one)"
awk -v once="$(fact counter_reading_ns one)" -v visit="$(fact event_cost_ns one)" -v perf="$(fact perf_read_ns one)" \
	'BEGIN { exit !(once > 0 && perf > 0 && visit > once) }' ||
	bad "costs: $(fact counter_reading_ns one), $(fact perf_read_ns one), $(fact event_cost_ns one)"
contains "the report" "$("$builddir/fathom-report" one)" '^Measuring a visit takes [0-9.]+ [a-z]+ with these counters: they are read twice, in'
measured other rusage::minflt ./serial.exe
same "how perf is read where it is not" "" "$(fact perf_read_by other)$(fact perf_read_ns other)"
contains "the report without perf" "$("$builddir/fathom-report" other)" '^Measuring a visit takes '
FATHOM_NAME=none ./serial.exe 2> /dev/null
same "the cost of no counters" "" "$(fact counter_reading_ns none)"

# One system call reads all events, also if they take turns. How many readings the run needs for itself may vary.
if command -v strace > /dev/null; then
	calls() { FATHOM_NAME=traced FATHOM_METRICS=$1 strace -e trace=read -e signal=none -o reads ./serial.exe 2> /dev/null; rm -rf traced; wc -l < reads; }
	four=$faults,perf::MINOR-FAULTS,perf::MAJOR-FAULTS,perf::TASK-CLOCK
	one=$(calls "$faults")
	for FATHOM_METRICS_MULTIPLEX in off on; do
		export FATHOM_METRICS_MULTIPLEX
		got=$(calls "$four")
		[ "$got" -lt $((one * 2)) ] || bad "system calls for four counters, multiplex $FATHOM_METRICS_MULTIPLEX: $got, for one $one"
	done
	unset FATHOM_METRICS_MULTIPLEX
fi

# counted NAME: 3000 pages in one function, whatever the counter is called.
counted() {
	near "$1: counted" 3000 "$(own "$2" "$1/profile.cubex" '/main/touch$')" 20
	same "$1: how perf is read" read "$(fact perf_read_by "$1")"
}

# A processor whose counters cannot be read by programs, although the kernel says so.
case $("$CC" -dumpmachine) in x86_64-*) ;; *) verdict ;; esac
[ "$(cat /sys/bus/event_source/devices/cpu*/rdpmc 2> /dev/null | sort -n | tail -1)" != 2 ] || verdict
nm -D "$builddir/.libs/libfathom.so" 2> /dev/null | grep -Eq ' __(asan|tsan|ubsan|msan)_' && verdict
"$CC" -shared -fPIC "$here/fake_counters.c" -o fake.so -ldl || die "cannot build fake_counters.c"
metrics=perf::INSTRUCTIONS
faked() { name=$1; shift; measured "$name" "$metrics" env LD_PRELOAD="$work/fake.so" "$@" ./serial.exe; }
faked trapping
counted trapping perf::INSTRUCTIONS
same "what is said of trapping" 1 "$(wc -l < trapping.err)"
same "the time of rdpmc that traps" "" "$(fact perf_rdpmc_ns trapping)"

# More events than fit into a group: refused, or in several groups that take turns. The kernel's own do not count.
metrics=$faults,perf::INSTRUCTIONS,perf::CYCLES,perf::BRANCHES,perf::CACHE-MISSES,perf::TASK-CLOCK,perf::REF-CYCLES
faked many
contains "events that do not fit" "$(cat many.err)" \
	'FATHOM_METRICS: perf::BRANCHES, perf::CACHE-MISSES, perf::REF-CYCLES are not counted: .*; the run continues without them$'
for metric in perf::INSTRUCTIONS perf::CYCLES perf::PAGE_FAULTS; do counted many $metric; done
export FATHOM_METRICS_MULTIPLEX=on
faked turns
unset FATHOM_METRICS_MULTIPLEX
same "what is said of turns" 1 "$(wc -l < turns.err)"
for metric in perf::INSTRUCTIONS perf::CYCLES perf::BRANCHES perf::CACHE_MISSES perf::REF_CYCLES perf::PAGE_FAULTS; do
	counted turns $metric
done
metrics=perf::INSTRUCTIONS

if command -v valgrind > /dev/null && valgrind --tool=none true > /dev/null 2>&1; then
	faked emulated valgrind --tool=none
	counted emulated perf::INSTRUCTIONS
	! grep -i 'sigill\|unrecogni\|unhandled instruction' emulated.err || bad "valgrind meets rdpmc"
	# A real counter, where this machine has one.
	if "$builddir/fathom-metrics" perf::INSTRUCTIONS > /dev/null 2>&1; then
		measured valgrind perf::INSTRUCTIONS valgrind --tool=none ./serial.exe
		same "how perf is read under valgrind" read "$(fact perf_read_by valgrind)"
		! grep -i 'sigill\|unrecogni\|unhandled instruction' valgrind.err || bad "valgrind meets rdpmc"
	fi
fi
verdict
