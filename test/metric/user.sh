#!/bin/bash
# Counters where the program tells of itself: its regions, iterations and their clusters, recording switched off; and what
# measuring costs when counters are read, which FATHOM_OVERHEAD keeps to.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/metric/lib.sh"
here=$srcdir/test/metric
"$FATHOM" --no-compiler "$CC" -g -O1 -I"$here" "$here/user.c" -o user.exe || die "cannot build user.c"
may_count "$faults" user.exe
[ ! -e "$builddir/.libs/libfathom-trace.so" ] || export FATHOM_MODE=profile,trace

iterations='/step/.*=[0-9]+$'
has_part FATHOM_PHASE_CLUSTERS || iterations='/step kind=[0-9]+$'
known() {
	p=$1/profile.cubex
	near "$1: page faults of a region" 300 "$(own perf::PAGE_FAULTS $p '/first$')" 3
	near "$1: page faults of all iterations" 2400 "$(own perf::PAGE_FAULTS $p "$iterations")" 24
	near "$1: page faults where recording was off" 460 "$(own perf::PAGE_FAULTS $p '/MEASUREMENT OFF$')" 20
	near "$1: page faults of the region around it" 120 "$(own perf::PAGE_FAULTS $p '/partly$')" 20
	same "$1: what was not recorded" 0 "$(values visits $p | grep -c unseen)"
}
measured apart "$faults,rusage::nvcsw" ./user.exe
known apart
if has_part FATHOM_PHASE_CLUSTERS; then
for i in 0 1 2 10 11; do
	near "page faults of iteration $i" $((100 * (i % 3 + 1))) "$(own perf::PAGE_FAULTS apart/profile.cubex "/step/instance=$i$")" 8
done
FATHOM_PHASE_CLUSTERS=3 measured joined "$faults" ./user.exe
known joined
"$builddir/fathom-report" --json --metric perf::PAGE_FAULTS joined > joined.json
"$PYTHON3" - << 'PY' || bad "page faults by iteration"
import json
phase, = json.load(open("joined.json"))["phases"]
faults = phase["metrics"]["perf::PAGE_FAULTS"]
assert phase["iterations"] == list(range(12)) and faults["unplaced"] == 0
assert abs(sum(faults["sum"]) - faults["total"]) < 1e-6 and 2400 <= faults["total"] <= 2424, faults
PY
fi
if [ -n "${FATHOM_MODE:-}" ]; then
	"$builddir/fathom-check" apart > checked 2>&1 || bad "the trace: $(cat checked)"
	if [ -x "$shared/oracle/check_otf2.py" ] && /usr/bin/python3 -c 'import otf2' 2> /dev/null; then
		/usr/bin/python3 "$shared/oracle/check_otf2.py" apart/traces.otf2 > checked 2>&1 || bad "the oracle: $(cat checked)"
	fi
fi
unset FATHOM_MODE

# What an event costs is measured with the counters that are read: two readings of the kernel are in it. By that the overhead of
# each call path is reckoned; it is its own time at most.
cost() { "$builddir/fathom-report" --json "$1" | sed -n 's/.*"fathom::event_cost_ns":"\([0-9.]*\)".*/\1/p'; }
overhead() { "$builddir/fathom-report" --json "$1" | sed -n 's/.*"inclusive":{[^}]*"measurement_overhead":\([-+0-9.e]*\).*/\1/p' | head -1; }
FATHOM_NAME=bare ./user.exe 20000 2> /dev/null
measured counted "$faults" ./user.exe 20000
awk -v bare="$(cost bare)" -v counted="$(cost counted)" 'BEGIN { exit !(bare > 0 && counted > 2 * bare) }' ||
	bad "an event costs $(cost counted) ns with a counter, $(cost bare) ns without"
awk -v cost="$(cost counted)" -v all="$(overhead counted)" 'BEGIN { exit !(all > 20000 * cost * 0.5e-9 && all < 20010 * cost * 1.01e-9) }' ||
	bad "20002 visits of $(cost counted) ns are $(overhead counted) s"

# A budget that holds without counters and not with them: then the function that is called often is switched off, and nothing
# of the counters is lost.
instrument -I"$here" -I"$srcdir/include" "$here/user.c" -o plain.exe
has_part FATHOM_OVERHEAD || verdict
export FATHOM_OVERHEAD=5%
FATHOM_NAME=kept ./plain.exe 100000 2> /dev/null
measured kept-counted "$faults" ./plain.exe 100000
FATHOM_OVERHEAD=off
same "visits without counters" 100000 "$(values visits kept/profile.cubex | sed -n 's,^\([0-9]*\) .*/small$,\1,p')"
visits=$(values visits kept-counted/profile.cubex | sed -n 's,^\([0-9]*\) .*/small$,\1,p')
# It is a share of the time that passes: where others take most of that, the budget holds.
mean=$(values time kept-counted/profile.cubex | awk -v n="$visits" '/small$/ { print int($1 * 1e9 / n) }')
[ "$visits" -lt 100000 ] || [ "$mean" -gt 12000 ] || bad "with counters the budget switches nothing off, at $mean ns a visit"
near "page faults beside what was switched off" 700 "$(own perf::PAGE_FAULTS kept-counted/profile.cubex '/main')" 60
verdict
