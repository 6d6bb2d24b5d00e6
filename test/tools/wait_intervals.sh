#!/bin/bash
# fathom analyze writes when single wait states were, and where the critical path was: known answers, the same sums as in the
# profile, the same file with several processes, and a bounded number of lines.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
make=$builddir/test/tools/make_mpi_trace

# sums DIR: each pattern has the same waiting in the file as in the profile. Completion, early fences and late complete are no
# single intervals. A metric contains its children, such as wrong order in late senders.
sums()
{
	awk '$1 == "wait" { sum[$5] += $4 } $5 ~ /^mpi_lswo/ { sum["mpi_latesender"] += $4 }
		$1 == "path" { sum["critical_path"] += $4 } $1 == "trace" { ticks = $4 }
		$1 == "left-out" { print "left out" } END { for (name in sum) printf "%s %.9f\n", name, sum[name] / ticks }' \
		"$1/analysis.intervals.txt" | sort > sums.intervals
	while read -r sum_name _; do
		values "$sum_name" "$1/analysis.cubex" | awk -v name="$sum_name" '{ sum += $1 } END { printf "%s %.9f\n", name, sum }'
	done < sums.intervals > sums.profile
	"$PYTHON3" - << 'P' || bad "$1: the sums differ: $(paste sums.intervals sums.profile)"
lines = [[line.split() for line in open(name)] for name in ("sums.intervals", "sums.profile")]
wrong = len(lines[0]) != len(lines[1]) or not lines[0]
for (name, value), (other, expected) in zip(*lines):
    wrong |= name != other or abs(float(value) - float(expected)) > 1e-6 + 1e-6 * float(expected)
raise SystemExit(wrong)
P
}

# --- rank 1 waits 600 us for a message, then rank 0 waits 490 us at a barrier; the path is on 0, 1, and 0 again
"$make" 2 1 small << 'T' || die make_mpi_trace
0 0 enter main
0 1000 enter MPI_Send
0 1000 send 1 5 8
0 1010 leave MPI_Send
0 1500 enter MPI_Barrier
0 1500 begin 0 -1 0 0
0 2000 end 0 -1 0 0
0 2000 leave MPI_Barrier
0 3000 leave main
1 0 enter main
1 400 enter MPI_Recv
1 1020 recv 0 5 8
1 1030 leave MPI_Recv
1 1990 enter MPI_Barrier
1 1990 begin 0 -1 0 0
1 2000 end 0 -1 0 0
1 2000 leave MPI_Barrier
1 2500 leave main
T
works "$analyze" small
same "the intervals" 'fathom intervals 1
trace 18 3000001 1000000000
wait 0 1500000 490000 mpi_barrier_wait 1
path 0 0 1000000
path 0 1990000 1010000
wait 1 400000 600000 mpi_latesender 0
path 1 1000000 990000' "$(grep -v '^pattern ' small/analysis.intervals.txt)"
contains "names" "$(cat small/analysis.intervals.txt)" 'pattern mpi_barrier_wait Wait at barrier'
sums small

# --- time lines mark them: the picture, the page, and the answers of the server
works "$builddir/fathom-timeline" --no-messages --svg small.svg small
works "$builddir/fathom-timeline" --no-messages --no-waits --svg plain.svg small
works "$builddir/fathom-view" --no-source -o small.html small/analysis.cubex
grep -q '#c2001f' plain.svg && bad "--no-waits: waits"
"$builddir/fathom-serve" small > served 2> served.err &
server=$!
trap 'kill "$server" 2> /dev/null' EXIT
for _ in $(seq 300); do
	grep -q http served && break
	kill -0 "$server" 2> /dev/null || break
	sleep 0.1
done
"$PYTHON3" - "$(sed -n 's|^fathom serve: \(http[^ ]*\) .*|\1|p' served)" << 'P' > said 2>&1 || bad "marks: $(tail -5 said)"
import base64, json, re, sys, urllib.request, zlib
expected = {0: {"waits": [(1500000, 490000)], "path": [(0, 1000000), (1990000, 1010000)]},
            1: {"waits": [(400000, 600000)], "path": [(1000000, 990000)]}}
def marks_of(marks, begin, end, unit):
    assert [marks["patterns"][row[2]] for row in marks["waits"] if row] == \
        [pattern for pattern, row in (("Wait at barrier", 0), ("Late sender", 1)) if any(b < end and b + l > begin for b, l in expected[row]["waits"])]
    assert all(row[3] == row[1] and row[4] == 1 for row in marks["waits"] if row)
    assert [marks["threads"][row[5]] for row in marks["waits"] if row] == \
        [name for name, row in (("MPI Rank 1 Master thread", 0), ("MPI Rank 0 Master thread", 1)) if marks["waits"][row]]
    for row, kinds in expected.items():
        for kind, size in (("waits", 6), ("path", 2)):
            numbers = marks[kind][row]
            shown = [(numbers[i] + marks["begin"], numbers[i + 1]) for i in range(0, len(numbers), size)]
            inside = [(max(b, begin), min(b + l, end) - max(b, begin)) for b, l in kinds[kind] if b < end and b + l > begin]
            assert shown == inside, (kind, row, shown, inside)
page = re.search(r'id="definitions">([^<]*)<', open("small.html").read()).group(1)
marks_of(json.loads(zlib.decompress(base64.b64decode(page)))["trace"]["marks"], 0, 3000001, 1)
if sys.argv[1]:
    for begin, end in ((0, 0.003), (0.0005, 0.0012), (0.0016, 0.0017)):
        answer = json.load(urllib.request.urlopen(sys.argv[1] + "window?from=%f&to=%f" % (begin, end)))
        marks_of(answer["marks"], round(begin * 1e9), round(end * 1e9), 1)
svg = open("small.svg").read()
found = [tuple(float(n) for n in rect) for rect in
         re.findall(r'<rect x="([0-9.]+)" y="([0-9.]+)" width="([0-9.]+)" height="[0-9.]+" fill="#c2001f"', svg)]
for row, kinds in expected.items():
    for begin, length in kinds["waits"]:
        x, width = 160 + begin / 3000001 * 1030, length / 3000001 * 1030
        assert any(abs(f[0] - x) < 0.01 and abs(f[2] - width) < 0.01 and 24 <= f[1] - row * 24 < 48 for f in found), (row, x, width, found)
P
[ -s served ] && { kill "$server"; wait "$server"; } || left_out "fathom serve: $(head -1 served.err)"
cp -r small stale && echo 'wait 0 5' >> stale/analysis.intervals.txt
"$builddir/fathom-timeline" --svg stale.svg stale > out 2> err || bad "damaged intervals: exit $?"
contains "damaged intervals" "$(cat err)" '^! stale/analysis.intervals.txt: no wait states are marked: it is damaged \(line [0-9]+'
grep -q '#c2001f' stale.svg && bad "damaged intervals are marked"
sed -i 's/^trace 18 /trace 19 /' stale/analysis.intervals.txt
"$builddir/fathom-timeline" --force --svg stale.svg stale > out 2> err || bad "stale intervals: exit $?"
contains "stale intervals" "$(cat err)" 'it is of another trace \(line 2'

# --- places
cp small/analysis.intervals.txt kept
works "$analyze" -o other.cubex small
cmp kept other.intervals.txt || bad "-o: another file"
rm small/analysis.cubex
refused "a file that exists" 1 '^fathom analyze: small/analysis.intervals.txt: exists already \(--force' "$analyze" small
[ ! -e small/analysis.cubex ] || bad "refused, but a profile was left"
works "$analyze" --force small
cmp kept small/analysis.intervals.txt || bad "--force: another file"
works "$analyze" --no-waits -o without.cubex small
[ ! -e without.intervals.txt ] || bad "--no-waits: intervals"

# --- 12000 late senders: the 5000 longest are kept, the others are counted
awk 'BEGIN { for (i = 0; i < 12000; i++) { t = i * 100; w = 10 + i % 60
	print 0, t + w, "enter MPI_Send"; print 0, t + w, "send 1 5 8"; print 0, t + w + 1, "leave MPI_Send"
	print 1, t, "enter MPI_Recv"; print 1, t + w + 2, "recv 0 5 8"; print 1, t + w + 3, "leave MPI_Recv" } }' > long.txt
"$make" 2 1 long < long.txt || die make_mpi_trace
works "$analyze" long
same "kept wait states" 5000 "$(grep -c '^wait 1 ' long/analysis.intervals.txt)"
same "left out" '7000 189000000' "$(sed -n 's/^left-out 1 wait //p' long/analysis.intervals.txt)"
same "the shortest that is kept" 45000 "$(awk '$1 == "wait" { print $4 }' long/analysis.intervals.txt | sort -n | head -1)"

# --- a real trace, and three processes
real=${shared:-}/data/lulesh-trace
if [ -d "$real" ]; then
	mkdir real && cp -r "$real"/traces* real || die copy
	works "$analyze" real
	sums real
	if have_mpi; then
		works "$MPIRUN" -n 3 "$analyze" -o three.cubex real
		cmp real/analysis.intervals.txt three.intervals.txt || bad "three processes find other intervals"
	fi
else
	left_out "a real trace"
fi
verdict
