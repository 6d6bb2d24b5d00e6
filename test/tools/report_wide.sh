#!/bin/sh
# The memory of a report must not grow with the number of locations; what it says of single ones must be right.
. "$srcdir/test/lib.sh"
"$builddir/test/tools/make_wide" 16 64 few.cubex || die "make_wide"
"$builddir/test/tools/make_wide" 2048 64 many.cubex || die "make_wide"
check_profile few.cubex

# 131,072 locations against 1,024. A list of them takes 5 MiB, a row of values 1 MiB; the 2,048 processes that
# are kept take less than a quarter of one.
for option in --all --json --system; do
	few=$("$builddir/test/tools/peak" "$FATHOM" report $option few.cubex 2>&1 > few.out) || bad "report $option few.cubex"
	many=$("$builddir/test/tools/peak" "$FATHOM" report $option many.cubex 2>&1 > many.out) || bad "report $option many.cubex"
	[ "$((many - few))" -lt 1024 ] || bad "report $option: $few KiB for 1024 locations, $many KiB for 131072"
	[ -s many.out ] || bad "report $option says nothing"
done

# The slow thread is in the last process: 64 threads with 3 seconds each, and 6 more.
"$FATHOM" report many.cubex > report.txt || bad "report"
contains "the slowest rank" "$(grep ' All ' report.txt)" '198\.0 s.* 2047$'
"$FATHOM" report --rank 2047 --threads solve many.cubex > threads.txt || bad "report --rank"
contains "the slowest thread" "$(grep 'OMP thread 1 ' threads.txt)" '2 +3\.0[0-9]* s +3\.0'
"$FATHOM" report --json many.cubex > report.json || bad "report --json"
said=$("$PYTHON3" -c 'import json
locations = json.load(open("report.json"))["locations"]
assert len(locations) == 2048 * 64
for number, location in enumerate(locations):
    assert location["rank"] == number // 64 and location["thread"] == number % 64
    assert location["name"] == "OMP thread %d" % (number % 64)
print("right")') || bad "the locations of the JSON document"
same "the locations" right "$said"
verdict
