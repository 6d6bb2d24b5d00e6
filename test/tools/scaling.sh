#!/bin/bash
# fathom scaling: known answers of losses, efficiencies and projections; what grows is named, in made profiles and in a
# program whose messages grow with the number of ranks; the file with the losses is a profile like others.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
scaling=$builddir/fathom-scaling make_table=$builddir/test/tools/make_table

table() { "$make_table" "$@" || die "make_table $*"; }		# table RANKS FILE < TABLE
# holds WHAT FILE EXPRESSION: whether the expression of Python holds for the JSON document d; near(a, b) compares numbers.
holds() {
	"$PYTHON3" - "$2" "$3" << 'PY' || bad "$1: $3"
import json, sys
d = json.load(open(sys.argv[1]))
path = {p["path"]: p for p in d["call_paths"]}
size = d["sizes"]
def near(a, b, within=1e-9):
    return a is not None and abs(a - b) <= within * max(1, abs(b))
sys.exit(0 if eval(sys.argv[2]) else 1)
PY
}
json_of() { "$scaling" --json "${@:2}" > "$1" 2> err || bad "scaling ${*:2}: exit code $?: $(cat err)"; }
# run_of RANKS SOLVE EXCHANGE IO FILE: a profile whose ranks all take so many seconds
run_of() {
	printf '%s\n' 'main compiler function time=0 visits=1' "main>solve compiler function time=$2 visits=1" \
		"main>exchange compiler function time=$3 visits=$1" "main>io compiler function time=$4 visits=1" | table "$1" "$5"
}

# Strong scaling from 4 to 16 ranks: the losses of the parts are 5, 23.125 and 9.375 per cent, together 37.5.
run_of 4 80 15 5 s4.cubex
run_of 16 22 13 5 s16.cubex
json_of strong.json s16.cubex s4.cubex -o strong.cubex
for is in 'd["expectation"] == "strong" and [s["ranks"] for s in size] == [4, 16]' \
	'path["main > solve"]["loss"] == 32 and path["main > solve"]["loss_percent"] == 5' \
	'path["main > exchange"]["loss"] == 148 and path["main > exchange"]["loss_percent"] == 23.125' \
	'path["main > io"]["loss"] == 60 and path["main > io"]["loss_percent"] == 9.375' \
	'path["main"]["inclusive_loss_percent"] == 37.5 and path["main"]["loss"] == 0' \
	'size[1]["loss_percent"] == 37.5 and size[1]["speed_up"] == 2.5 and near(size[1]["efficiency"]["global"], .625)' \
	'd["call_paths"][0]["name"] == "exchange" and d["model"] is None and d["growing"] == []' \
	'{r["name"]: r["loss_percent"] for r in d["regions"]} == {"solve": 5, "exchange": 23.125, "io": 9.375, "main": 0}'
do holds "strong scaling" strong.json "$is"; done
json_of coefficients.json --expect 16:4 s4.cubex s16.cubex
holds "coefficients" coefficients.json 'path["main > exchange"]["loss"] == 148 and size[1]["loss_percent"] == 37.5'

# Weak scaling: 1.6, 16 and 2.4 per cent of 125 s, together 20; several cores of a node: the same losses.
run_of 16 82 35 8 w16.cubex
json_of weak.json s4.cubex w16.cubex
for is in 'd["expectation"] == "weak" and near(size[1]["loss_percent"], 20)' \
	'[near(path["main > " + n]["loss_percent"], x) for n, x in (("solve", 1.6), ("exchange", 16), ("io", 2.4))] == [True] * 3'
do holds "weak scaling" weak.json "$is"; done
json_of multicore.json --expect multicore s4.cubex w16.cubex
holds "multicore" multicore.json 'd["expectation"] == "multicore" and near(size[1]["loss_percent"], 20)'

# Several runs of a size are averaged; what is in one run only is kept; suffixes of compilers do not count.
run_of 16 21 13 5 a.cubex
run_of 16 23 13 5 b.cubex
json_of mean.json a.cubex s4.cubex b.cubex
holds "two runs of a size" mean.json 'near(path["main > solve"]["loss"], 32) and len(size[1]["files"]) == 2'
printf '%s\n' 'main compiler function time=1' 'main>work compiler function time=8' 'main>old compiler function time=1' |
	table 1 one.cubex
printf '%s\n' 'main compiler function time=1' 'main>work.constprop.0 compiler function time=4' \
	'main>new compiler function time=3' | table 2 two.cubex
json_of union.json one.cubex two.cubex -o union.cubex --expect strong
holds "what is in one run only" union.json 'near(path["main > new"]["loss"], 6) and near(path["main > old"]["loss"], -1) \
	and path["main > work"]["loss"] == 0 and len(path) == 4'

# The losses as a profile.
for file in strong.cubex union.cubex; do
	"$PYTHON3" "$srcdir/test/cube/foreign.py" "$file" > foreign.out 2>&1 || bad "$(cat foreign.out)"
done
"$report" --json strong.cubex > loss.json || bad "the report of the losses: exit code $?"
"$PYTHON3" - loss.json << 'PY' || bad "the losses in the file differ"
import json, sys
tree = {c["name"]: c for c in json.load(open(sys.argv[1]))["call_tree"]}
assert tree["main"]["inclusive"] == {"time": 640, "scaling_loss": 240, "scaling_loss_percent": 37.5}, tree
assert tree["exchange"]["exclusive"] == {"time": 208, "scaling_loss": 148, "scaling_loss_percent": 23.125}, tree
PY
works "$report" union.cubex

# Efficiencies: useful 10, 8, 6, 8 of 12 s, 10.5 s without transfers; the reference has 30 s of useful time.
printf '%s\n' 'main compiler function time=15 visits=1 PAPI_TOT_INS=150 PAPI_TOT_CYC=150' \
	'main>MPI_Recv mpi point2point time=0 wait_states=0 wait_p2p=0' | table 2 e2.cubex
printf '%s\n' 'main compiler function time=10,8,6,8 visits=1 PAPI_TOT_INS=100,80,60,80 PAPI_TOT_CYC=125,100,75,100' \
	'main>MPI_Recv mpi point2point time=2,4,6,4 wait_states=0.5,2.5,4.5,2.5 wait_p2p=0.5,2.5,4.5,2.5' | table 4 e4.cubex
json_of efficiency.json e2.cubex e4.cubex
for factor in load_balance=.8 communication=10/12 serialisation=.952380952 transfer=.875 parallel=8/12 computation=.9375 \
	global=.625 instructions=.9375 ipc=.8 frequency=1.25
do holds "efficiency" efficiency.json "near(size[1]['efficiency']['${factor%=*}'], ${factor#*=}, 1e-8)"; done
holds "the factor that breaks first" efficiency.json 'd["recognised_by"] == "instructions" and d["first_broken"] is None'
contains "no shared processors" "$("$scaling" --json e2.cubex e4.cubex)" '"ranks":4.*"shares_processors":false'
printf '%s\n' 'attribute fathom::shared_nodes 1' 'main compiler function time=4' | table 4 shared.cubex
works "$scaling" e2.cubex shared.cubex
contains "shared processors" "$(cat out)" '^Size 4: ranks or threads shared processors'
# Ranks with threads: the threads compute 28 of 40 s, the ranks are 9 of 10 s outside of MPI.
printf '%s\n' 'main compiler function time=8,4,10,6' 'main>MPI_Send mpi point2point time=2,0,0,0' | table 2x2 h4.cubex
printf 'main compiler function time=10\n' | table 1 h1.cubex
json_of hybrid.json h1.cubex h4.cubex --expect weak
holds "threads" hybrid.json 'near(size[1]["efficiency"]["parallel"], .7) and near(size[1]["efficiency"]["threads"], .7 / .9)'
holds "threads break first" hybrid.json 'd["first_broken"]["factor"] == "threads" and d["first_broken"]["threads"] == 4'

# A load balance of 1, 0.8 and 0.5 at 16, 25 and 52 ranks becomes 1/15 at 520.
for case in 16:1 25:0.8 52:0.5; do
	"$PYTHON3" -c '
import sys
n, balance = int(sys.argv[1]), float(sys.argv[2])
useful = [1.0] + [(n * balance - 1) / (n - 1)] * (n - 1)
print("main compiler function time=" + ",".join("%.12f" % u for u in useful))
print("main>MPI_Barrier mpi barrier time=" + ",".join("%.12f" % (1 - u) for u in useful))' "${case%:*}" "${case#*:}" |
		table "${case%:*}" "b${case%:*}.cubex"
done
json_of projection.json b16.cubex b25.cubex b52.cubex --expect weak
holds "projection" projection.json 'd["target"] == 520 and near(d["projected"]["load_balance"], 1 / 15, 1e-6)'

# Growth: the exchange is O(p), a reduction O(log p); the exchange is named first.
for p in 1 2 4 8 16; do
	"$PYTHON3" -c '
import math, sys
p = int(sys.argv[1])
print("main compiler function time=%.9f" % (10 / p))
print("main>exchange compiler function time=%.9f" % (0.1 * p))
print("main>reduce compiler function time=%.9f" % (0.5 + 0.25 * math.log2(p)))' "$p" | table "$p" "g$p.cubex"
done
json_of growth.json g1.cubex g2.cubex g4.cubex g8.cubex g16.cubex
for is in '[d["call_paths"][i]["name"] for i in d["growing"]] == ["exchange", "reduce", "main"]' \
	'path["main > exchange"]["model"]["exponent"] == 1 and path["main > exchange"]["model"]["log_exponent"] == 0' \
	'near(path["main > exchange"]["model"]["predicted"], 16, 1e-6) and path["main > exchange"]["model"]["error"] < 1e-6' \
	'path["main > reduce"]["model"]["term"] == "log2(p)" and near(path["main > reduce"]["model"]["coefficient"], .25, 1e-6)' \
	'path["main"]["model"]["exponent"] == -1 and near(path["main"]["model"]["predicted"], 10 / 160, 1e-6)'
do holds "growth" growth.json "$is"; done
works "$scaling" --width 80 g1.cubex g2.cubex g4.cubex g8.cubex g16.cubex
fits "text" 80 out
contains "the exchange in text" "$(cat out)" '^p  .* 0\.0%.* 16\.00 s  main > exchange'
# The same as a page: complete in itself, well-formed, with the values of the text.
works "$scaling" --page growth.html g1.cubex g2.cubex g4.cubex g8.cubex g16.cubex
"$PYTHON3" - growth.html << 'PY' || bad "the page is not as it should be"
import re, sys
from xml.etree import ElementTree
text = open(sys.argv[1], encoding="utf-8").read()
head, rest = text.split("\n", 1)
page = ElementTree.fromstring(rest)
assert head == "<!DOCTYPE html>" and not re.search("https?:|<script|src=", text)
cells = [["".join(td.itertext()) for td in tr] for tr in page.iter("tr")]
assert ["p", "0.0%", "1.600 s", "16.00 s", "16.00 s", "16.00 s", "main > exchange"] in cells, cells
assert any(row[0] == "Computation scaling" for row in cells), cells
charts = [svg for svg in page.iter("svg") if svg.get("role") == "img"]
assert len(charts) == 2 and all(not re.search("nan|inf", p.get("d")) for p in page.iter("path")), len(charts)
PY
printf '%s\n' 'main compiler function time=0' 'main>a&b<c compiler function time=3' | table 1 n1.cubex
printf '%s\n' 'main compiler function time=0' 'main>a&b<c compiler function time=3' | table 2 n2.cubex
works "$scaling" --page names.html n1.cubex n2.cubex --expect strong
contains "names in the page" "$(cat names.html)" '&gt; a&amp;b&lt;c</td>'
works "$scaling" --width 80 --all strong.cubex s4.cubex
works "$scaling" s4.cubex s16.cubex
contains "the whole run" "$(cat out)" '37\.5% .* the whole run'

# A program in which each rank sends a message to each other one. Visits are counted, so the model is exact.
if have_mpi; then
	cat > talk.c << 'C'
#include <mpi.h>
static void exchange(int rank, int size)
{
	for (int other = 0; other < size; other++) {
		int sent = rank, got;

		if (other != rank)
			MPI_Sendrecv(&sent, 1, MPI_INT, other, 0, &got, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	}
}
int main(int argc, char **argv)
{
	int rank, size;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 3; i++)
		exchange(rank, size);
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
C
	FATHOM_INSTRUMENT_MIN_INSNS=0 "$FATHOM" "$MPICC" -g -O1 talk.c -o talk > err 2>&1 || die "talk: $(cat err)"
	for p in 1 2 4 8; do
		FATHOM_NAME=talk$p $MPIRUN -n $p ./talk > out 2> err || die "talk with $p ranks: exit $?: $(cat err)"
	done
	json_of talk.json --metric visits talk1 talk2 talk4 talk8
	holds "the exchange of the program is named" talk.json 'd["call_paths"][d["growing"][0]]["name"] == "MPI_Sendrecv"'
	holds "its growth" talk.json '[(m["exponent"], m["log_exponent"], near(m["predicted"], 237, 1e-6), m["error"] < 1e-6)
		for m in [d["call_paths"][d["growing"][0]]["model"]]] == [(1, 0, True, True)]'
	holds "nothing else grows" talk.json 'all(near(p["model"]["coefficient"], 0) for p in d["call_paths"]
		if p["name"] not in ("MPI_Sendrecv",) and p["values"][0] > 0)'
	works "$scaling" talk1 talk2 talk4 talk8
fi

refused "one run" 2 's4.cubex: runs of at least two sizes' "$scaling" s4.cubex
refused "no run" 2 'no run is named' "$scaling"
refused "one size" 1 'all runs have 16 ranks and 16 threads' "$scaling" a.cubex b.cubex
refused "an expectation" 2 '--expect 16: strong, weak' "$scaling" --expect 16 s4.cubex s16.cubex
refused "coefficients" 2 '--expect 1:x: strong' "$scaling" --expect 1:x s4.cubex s16.cubex
refused "a metric that is not there" 1 's4.cubex: has no metric cycles' "$scaling" --metric cycles s4.cubex s16.cubex
refused "a name" 2 '-o losses: the name must end in .cubex' "$scaling" -o losses s4.cubex s16.cubex
refused "a page's name" 2 '--page x: the name must end in .html' "$scaling" --page x s4.cubex s16.cubex
refused "a page that exists" 1 'names.html: exists already' "$scaling" --page names.html s4.cubex s16.cubex
refused "a page in no directory" 1 'none/x.html: cannot be made' "$scaling" --page none/x.html s4.cubex s16.cubex
refused "an output that exists" 1 's4.cubex: exists already' "$scaling" -o s4.cubex s4.cubex s16.cubex
refused "a directory that is not there" 1 'none/x.cubex: cannot be made' "$scaling" -o none/x.cubex s4.cubex s16.cubex
refused "no profile" 1 'none.cubex' "$scaling" s4.cubex none.cubex
verdict
