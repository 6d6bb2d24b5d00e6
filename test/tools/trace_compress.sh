#!/bin/bash
# fathom trace --compress, --expand: a trace as a file of call graphs, and back. Without a deviation the trace is the same:
# event by event, and in its definitions. With one, times are within the bounds and everything else is the same.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
trace=$builddir/fathom-trace

printed() { otf2-print "$1/traces.otf2" | grep -v '^===' > "$2.events" && otf2-print -G "$1/traces.otf2" | grep -v '^===' > "$2.definitions"; }

# equal WHAT A B: two traces
equal() {
	have otf2-print || return 0
	printed "$2" a
	printed "$3" b
	cmp a.events b.events || bad "$1: other events"
	cmp a.definitions b.definitions || bad "$1: other definitions"
}

# within WHAT TRUE MADE BOUND: times of the trace MADE deviate from those of TRUE by BOUND at most: ticks, or a percentage of the
# time between two events of a location
cat > within.py <<'P'
import re, subprocess, sys
def read(anchor):
    events = {}
    for line in subprocess.run(["otf2-print", anchor], capture_output=True, text=True, check=True).stdout.splitlines():
        match = re.match(r"(\w+) +(\d+) +(\d+) (.*)", line)
        if match:
            rest = re.sub(r"Stop Time: \d+", "", match[4])
            events.setdefault(int(match[2]), []).append((int(match[3]), match[1], rest))
    return events
a, b, bound = read(sys.argv[1]), read(sys.argv[2]), sys.argv[3]
assert a.keys() == b.keys(), "other locations"
for location in a:
    x, y = a[location], b[location]
    assert [e[1:] for e in x] == [e[1:] for e in y], "other events"
    if not bound.endswith("%"):
        off = max(abs(p[0] - q[0]) for p, q in zip(x, y))
        assert off <= int(bound), "location %d: %d ticks" % (location, off)
        continue
    share = float(bound[:-1]) / 100
    assert x[0][0] == y[0][0], "the first event"
    for i in range(1, len(x)):
        true, made = x[i][0] - x[i - 1][0], y[i][0] - y[i - 1][0]
        assert abs(true - made) <= share * true, "location %d: %d instead of %d ticks" % (location, made, true)
P
within() {
	have otf2-print || return 0
	"$PYTHON3" within.py "$2/traces.otf2" "$3/traces.otf2" "$4" 2> err || bad "$1: $(tail -1 err)"
}

# round WHAT DIR LEAST: DIR to a file and back, lossless and with bounds; the lossless file is LEAST times smaller at least,
# the others 2.5 times as small
round() {
	rm -rf whole out.graphs expanded
	works "$trace" -o whole "$2"
	works "$trace" --compress -o out.graphs "$2"
	"$PYTHON3" -c '
import re, sys
times = float(re.search(r"([0-9.]+) times smaller", open("out").read())[1])
assert times >= float(sys.argv[1]), times' "$3" || bad "$1: $(cat out)"
	works "$trace" --expand -o expanded out.graphs
	equal "$1" whole expanded
	for deviation in 1000 50%; do
		rm -rf bounded
		works "$trace" --compress --deviation $deviation -o bounded.graphs "$2"
		works "$trace" --expand -o bounded bounded.graphs
		within "$1, $deviation" whole bounded $deviation
		contains "$1: says so" "$("$trace" bounded)" 'FATHOM::DEVIATION = '
		rm bounded.graphs
	done
}

make_trace good good
round "all kinds of records" good 2.5
works "$check" expanded
for name in tasks:20 lulesh:12 mix:3; do
	[ -d "${shared:-}/data/${name%:*}-trace" ] || continue
	round "${name%:*}" "$shared/data/${name%:*}-trace" "${name#*:}"
done

# --- many events of few kinds: equal calls are stored once
make_trace pairs 20000 pairs
round "pairs" pairs 50

# --- visits and times of regions, without making events
works "$trace" --compress -o kept.graphs good
works "$trace" --json kept.graphs
mv out graphs.json
"$PYTHON3" -c '
import json
graphs = json.load(open("graphs.json"))
assert graphs["fathom_call_graphs"] == 1 and graphs["events"] == 245 and graphs["different_calls"] == 36, graphs
mine = {r["name"]: r for r in graphs["regions"]}
assert len(mine) == len(graphs["regions"]) > 10 and mine["MPI_Barrier"]["visits"] == 3, mine
' || bad "--info of call graphs"
works "$trace" --info kept.graphs
contains "as text" "$(cat out)" '^calls        36 different ones, [0-9]+ different records$'
works "$trace" --cut 0.0002:0.0004 kept.graphs
contains "a window" "$(cat out)" '  main$'
works "$trace" --info --json --cut 0: kept.graphs
cmp out graphs.json || bad "a window of all"
refused "a visit" 1 'only a window FROM:TO' "$trace" --info --cut 'main#1' kept.graphs
works "$trace" --index kept.graphs
contains "an index of call graphs" "$(cat out)" '^kept.graphs.frames: [0-9]+ events, '
rm kept.graphs kept.graphs.frames

# --- nothing is lost or overwritten, one line says what is wrong
works "$trace" --compress -o kept.graphs good
cp kept.graphs before
refused "an existing file" 1 '^fathom trace: kept.graphs: File exists' "$trace" --compress -o kept.graphs good
cmp kept.graphs before || bad "the file has changed"
refused "an existing directory" 1 '^fathom trace: good: File exists' "$trace" --expand -o good kept.graphs
refused "no file" 1 '^fathom trace: nothing: No such file or directory' "$trace" --expand -o new nothing
refused "another file" 1 '^fathom trace: out: is no file of call graphs' "$trace" --expand -o new out
refused "no output" 2 '^fathom trace: -o NEW-FILE is missing' "$trace" --compress good
refused "no name" 2 '^fathom trace: --expand needs' "$trace" --expand -o new
refused "a wrong deviation" 2 '^fathom trace: --deviation 0: neither a number of ticks' "$trace" --compress --deviation 0 -o new good
refused "a wrong share" 2 '^fathom trace: --deviation 101%: neither' "$trace" --compress --deviation 101% -o new good
refused "two deviations" 2 'do not go together' "$trace" --compress --deviation 5 --deviation 5% -o new good
refused "deviation alone" 2 '^fathom trace: --deviation goes with --compress' "$trace" --deviation 5 -o new good
refused "two forms" 2 '^fathom trace: choose one of' "$trace" --compress --expand -o new good
refused "no place" 1 '^fathom trace: no/where: No such file or directory$' "$trace" --compress -o no/where good
{ head -c 8 kept.graphs; printf '\1'; tail -c +10 kept.graphs; } > old.graphs
refused "an older form" 1 '^fathom trace: old.graphs: was written by an older fathom' "$trace" --expand -o new old.graphs
{ head -c 8 kept.graphs; printf '\9'; tail -c +10 kept.graphs; } > old.graphs
refused "a newer form" 1 '^fathom trace: old.graphs: was written by a newer fathom' "$trace" --expand -o new old.graphs
head -c 1000 kept.graphs > short.graphs
refused "a short file" 1 'is damaged: its length or checksum is wrong$' "$trace" --expand -o new short.graphs

# Damage that the checksum does not show: each file is read without a crash, and either refused or expanded.
cat > damage.py <<'P'
import random, sys
data = bytearray(open("kept.graphs", "rb").read())
chance = random.Random(int(sys.argv[1]))
for i in range(chance.randrange(1, 4)):
    data[chance.randrange(32, len(data))] = chance.randrange(256)
total = 0xcbf29ce484222325
for byte in data[32:]:
    total = (total ^ byte) * 0x100000001b3 % 2**64
data[24:32] = total.to_bytes(8, "little")
open("damaged.graphs", "wb").write(data)
P
for seed in $(seq 1 20); do
	"$PYTHON3" damage.py "$seed"
	(ulimit -v 4000000; timeout 60 "$trace" --expand -o new damaged.graphs > out 2> err)
	code=$?
	[ $code -le 1 ] || bad "damage $seed: exit code $code: $(head -2 err)"
	[ $code = 0 ] || [ ! -e new ] || bad "damage $seed: an unfinished trace was left"
	rm -rf new
done
verdict
