#!/bin/sh
# The memory of a report must not grow with the number of locations; what it says of single ones must be right.
. "$srcdir/test/lib.sh"
"$builddir/test/tools/make_wide" 16 64 few.cubex || die "make_wide"
"$builddir/test/tools/make_wide" 4096 64 many.cubex || die "make_wide"
check_profile few.cubex

# memory OUTPUT COMMAND...: the most memory the command had at a time, in KiB
memory() {
	"$PYTHON3" -c 'import resource, subprocess, sys
with open(sys.argv[1], "wb") as output:
    code = subprocess.call(sys.argv[2:], stdout=output)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)' "$@"
}

# 262,144 locations against 1,024. A list of them takes 10 MiB, a row of values 2 MiB; the 4,096 processes that
# are kept take less than half a MiB.
for option in --all --json --system; do
	few=$(memory few.out "$FATHOM" report $option few.cubex) || bad "report $option few.cubex"
	many=$(memory many.out "$FATHOM" report $option many.cubex) || bad "report $option many.cubex"
	[ "$((many - few))" -lt 2560 ] || bad "report $option: $few KiB for 1024 locations, $many KiB for 262144"
	[ -s many.out ] || bad "report $option says nothing"
done

# The slow thread is in the last process: 64 threads with 3 seconds each, and 6 more.
"$FATHOM" report many.cubex > report.txt || bad "report"
contains "the slowest rank" "$(grep ' All ' report.txt)" '198\.0 s.* 4095$'
"$FATHOM" report --rank 4095 --threads solve many.cubex > threads.txt || bad "report --rank"
contains "the slowest thread" "$(grep 'OMP thread 1 ' threads.txt)" '2 +3\.0[0-9]* s +3\.0'
"$FATHOM" report --json many.cubex > report.json || bad "report --json"
said=$("$PYTHON3" -c 'import json
locations = json.load(open("report.json"))["locations"]
assert len(locations) == 4096 * 64
for number, location in enumerate(locations):
    assert location["rank"] == number // 64 and location["thread"] == number % 64
    assert location["name"] == "OMP thread %d" % (number % 64)
print("right")') || bad "the locations of the JSON document"
same "the locations" right "$said"
verdict
