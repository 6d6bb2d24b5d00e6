#!/bin/sh
# fathom check: good traces, its output, what the trace says of itself, bad input.
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"
need_otf2

make_trace good good
works "$check" good
same "lines about a good trace" 1 "$(wc -l < out)"
contains "good" "$(cat out)" '^good/traces.otf2: good: 245 events of 7 locations, 6 messages, 10 collectives; no message received before it was sent$'
works "$check" good/traces.otf2
works "$check" good/
(cd good && works "$check")
if command -v otf2-print > otf2; then
	otf2-print --silent -Werror good/traces.otf2 > otf2 2>&1 || { cat otf2 >&2; bad "otf2-print does not like the good trace"; }
	otf2-print good/traces.otf2 > otf2
	grep INVALID otf2 && bad "the good trace refers to what is not defined"
fi

# The newest experiment that has a trace
mkdir runs runs/fathom-a-20260101-1200-0001 runs/fathom-b-20260102-1200-0001 runs/fathom-c-20260103-1200-0001
make_trace good runs/fathom-a-20260101-1200-0001
make_trace good runs/fathom-b-20260102-1200-0001
: > runs/fathom-c-20260103-1200-0001/profile.cubex
works "$check" runs
contains "newest" "$(cat out)" '^runs/fathom-b-20260102-1200-0001/traces.otf2: good'
FATHOM_DIR=runs works "$check"
contains "newest in FATHOM_DIR" "$(cat out)" '^runs/fathom-b'

# Ten are shown, all are counted
make_trace group-order many
"$check" many > out 2> err
same "exit code of a bad trace" 1 $?
same "faults go to stdout" 0 "$(wc -c < err)"
same "lines" 12 "$(wc -l < out)"
contains "the rest" "$(sed -n 11p out)" '^\.\.\. and [0-9]+ more; all together: 4 group members, [0-9]+ rank, .* \(--all shows them\)$'
contains "summary" "$(sed -n 12p out)" '^many/traces.otf2: [0-9]+ faults in 245 events of 7 locations'
"$check" --all many > all
number=$(sed -n 's/.*: \([0-9]*\) faults in .*/\1/p' all)
same "all of them" "$((number + 1))" "$(wc -l < all)"
head -10 out > first
head -10 all | diff first - || bad "--all begins otherwise"
make_trace never-left left
contains "where and when" "$("$check" left)" '^never left: MPI Rank 1, Master thread: 1 open at the end, the innermost is demo$'
make_trace leave-other left2
contains "where and when" "$("$check" left2)" '^unbalanced leave: MPI Rank 0, Master thread, event [0-9]+, at 0\.000[0-9]{6} s \(time [0-9]+\): Leave: MPI_Barrier is left, but main was entered last$'

# Clocks: counted, and a fault only where that is asked for
make_trace message-early early
works "$check" early
contains "violation" "$(cat out)" ': good: .*; clocks: 1 between hosts, by 5.000 us at most$'
works "$check" --clock 5000 early
"$check" --clock 4999 early > out
same "violation as a fault" 1 $?
contains "violation" "$(cat out)" '^received before sent: MPI Rank 1, Master thread, at .*: 5000 ns before it was sent \(tag 9, 4 bytes\)$'

# A trace that says it is not complete is not blamed for what is missing
INCOMPLETE=1 make_trace message-unreceived gap
works "$check" gap
contains "excused" "$(cat out)" ': good: .*; 1 gaps? that the trace itself declares$'
INCOMPLETE=1 make_trace never-left gap2
"$check" gap2 > out
same "not everything is excused" 1 $?

# A request that stays open holds nothing up for ever, and leads to no wrong finding
make_trace dense 100000 dense
works "$check" dense
contains "dense" "$(cat out)" ': good: 200035 events of 7 locations, 100001 messages'

# What it needs does not grow with the number of events
peak() { "$PYTHON3" -c '
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"; }
case "$("$CC" -v 2>&1; cat "$builddir/config.log" 2> /dev/null | grep '\$ .*configure')" in
*-fsanitize=*) ;;
*)
	make_trace pairs 20000 small
	make_trace pairs 400000 large
	small=$(peak "$check" small) large=$(peak "$check" large)
	[ "$large" -le $((small + 2048)) ] || bad "20 times the events: $large KB instead of $small KB"
	;;
esac

# No trace
refused "nothing there" 2 '^fathom check: nowhere: No such file' "$check" nowhere
mkdir none
refused "empty directory" 2 '^fathom check: none: no trace in it \(neither traces.otf2 nor traces.graphs nor directories fathom-\* with one\)$' "$check" none
refused "other file" 2 '^fathom check: good/traces.def: is a part of a trace; give good/traces.otf2$' "$check" good/traces.def
echo hello > none/traces.otf2
refused "anchor alone" 2 '^fathom check: none/traces.otf2: no whole trace: none/traces.def and none/traces/ should be beside it$' "$check" none
mkdir none/traces
cp good/traces.def none
refused "no anchor" 2 '^fathom check: none/traces.otf2: not an OTF2 anchor file, or damaged \(' "$check" none
cp -r good count
"$PYTHON3" - count/traces.otf2 <<'P' || bad "the number of properties"
import sys
data = bytearray(open(sys.argv[1], "rb").read())
place = data.index(0, 2) + 1 + 1 + 38                   # "OTF2", the format, and numbers
for text in range(3):
    place = data.index(0, place) + 1
assert data[place:place + 4] == bytes([6, 0, 0, 0]), data[place:place + 4]
data[place:place + 4] = bytes([0, 0, 0, 16])            # 2^28: gigabytes for the library, which it can have
open(sys.argv[1], "wb").write(data)
P
for tool in "$check" "$report"; do
	code=2; [ "$tool" = "$check" ] || code=1
	(ulimit -v 1000000; refused "a huge number of properties: $(basename "$tool")" $code \
		'count/traces.otf2: damaged: it announces 268435456 properties and has room for at most [0-9]*$' "$tool" count)
done
cp good/traces.otf2 none
head -c 20 good/traces.def > none/traces.def
refused "no definitions" 2 '^fathom check: none/traces.def: the definitions cannot be read \(' "$check" none
refused "no definitions, for programs" 2 'the definitions cannot be read' "$check" --json none
refused "unknown option" 2 '^fathom check: --bogus: no such option; see fathom check --help$' "$check" --bogus
refused "clock" 2 '^fathom check: --clock -1: not a number of nanoseconds' "$check" --clock -1
refused "two" 2 '^fathom check: good: one directory or file at a time' "$check" early good
works "$check" --help
contains "help" "$(cat out)" '^usage: fathom check'

# Cut off anywhere, or with any byte changed, it is said, and nothing worse happens
size=$(wc -c < good/traces/0.evt)
for part in 1 2 3 5 8; do
	rm -rf cut && cp -r good cut
	head -c $((size * part / 10)) good/traces/0.evt > cut/traces/0.evt
	"$check" cut > out 2> err
	same "cut at $part/10: exit code" 1 $?
	same "cut at $part/10: stderr" '' "$(cat err)"
done
"$PYTHON3" - "$check" << 'END' || bad "a damaged trace ends otherwise than it should"
import random, shutil, subprocess, sys
random.seed(4)
bad = 0
for number in range(60):
    shutil.rmtree("hurt", ignore_errors=True)
    shutil.copytree("good", "hurt")
    path = "hurt/traces" + random.choice((".def", "/0.evt", "/1.evt", "/4294967296.def", "/4294967296.evt"))
    data = bytearray(open(path, "rb").read())
    for _ in range(random.choice((1, 3))):
        data[random.randrange(20, len(data))] = random.randrange(256)
    open(path, "wb").write(data)
    done = subprocess.run([sys.argv[1], "hurt"], capture_output=True, timeout=60)
    if done.returncode not in (0, 1, 2) or (done.returncode == 2) != (done.stderr.count(b"\n") == 1):
        print(number, path, done.returncode, done.stderr[-300:])
        bad += 1
sys.exit(bad > 0)
END

# Those of another system
if [ -d "$shared/data" ]; then
	for kind in mix tasks lulesh; do
		works "$check" "$shared/data/$kind-trace"
		contains "$kind" "$(cat out)" ': good: '
	done
fi
verdict
