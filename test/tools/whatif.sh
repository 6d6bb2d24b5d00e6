#!/bin/bash
# fathom whatif: known answers of replays of made traces, by text and JSON; predicted traces are as they should be and take
# the predicted time; traces of another tool; bad input; the examples of the guide.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
whatif=$builddir/fathom-whatif make=$builddir/test/tools/make_mpi_trace

# made RANKS RANKS_A_NODE DIR < TEXT
made() { "$make" "$@" || die "make_mpi_trace $*"; }
# holds WHAT FILE EXPRESSION...: whether the expressions of Python hold for the JSON document d; near(a, b) compares numbers.
holds() {
	"$PYTHON3" - "${@:2}" > holds.out 2>&1 << 'PY' || bad "$1: $(cat holds.out)"
import json, sys
d = json.load(open(sys.argv[1]))
def near(a, b, within=1e-6):
    return a is not None and abs(a - b) <= within * max(1, abs(b))
def seconds(run):
    return d[run]["seconds"]
wrong = [e for e in sys.argv[2:] if not eval(e)]
print(wrong, json.dumps({k: d[k] for k in ("measured", "replayed", "predicted", "machine_of_run")}))
sys.exit(1 if wrong else 0)
PY
}
# holds_replayed WHAT FILE RUN SECONDS: whether this run of the JSON document takes so long.
holds_replayed() {
	"$PYTHON3" -c 'import json, sys; d = json.load(open(sys.argv[1])); s = d[sys.argv[2]]["seconds"]
sys.exit(abs(s - float(sys.argv[3])) > 1e-6 * s)' "$2" "$3" "$4" || bad "$1"
}
json_of() { "$whatif" --json "${@:2}" > "$1" 2> err || bad "whatif ${*:2}: exit code $?: $(cat err)"; }

# Rank 0 computes 1 s and sends 1 MiB; rank 1 waits for it since 0.5 s. The machine of the run is found from it.
made 2 1 message << 'T'
0 0 enter main
0 0 enter solve
0 1000000 leave solve
0 1000000 enter MPI_Send
0 1000000 send 1 5 1048576
0 1000010 leave MPI_Send
0 1000010 leave main
1 0 enter main
1 500000 enter MPI_Recv
1 1010010 recv 0 5 1048576
1 1010010 leave MPI_Recv
1 1010010 leave main
T
works "$builddir/fathom-check" message
json_of replay.json message
holds "replay" replay.json 'near(seconds("measured"), 1.01001)' 'near(seconds("replayed"), 1.01001)' 'near(d["error"], 0)' \
	'd["predicted"] is None and d["speed_up"] is None and d["nodes"] == 2' \
	'near(d["replayed"]["ideal_network_seconds"], 1)' 'near(d["replayed"]["efficiency"]["load_balance"], .75)' \
	'near(d["replayed"]["ranks"][1]["waiting_seconds"], .5)' \
	'[w for w in d["waits"] if w["path"] == "main > MPI_Recv"][0]["longest_rank"] == 1'
# message OPTIONS SECONDS: the predicted time of this run
message() { json_of predicted.json message $1; holds "whatif $1" predicted.json "near(seconds('predicted'), $2)"; }
message "--latency 10us --bandwidth 100MiB/s" 1.01001
message "--latency 10us --bandwidth 200MiB/s" 1.00501
message "--latency 10us --bandwidth 100MiB/s --cpu 2" .51001
message "--latency 10us --bandwidth 100MiB/s --cpu 0" .01001
message "--latency 10us --bandwidth 100MiB/s --cpu 0=2" .51001
message "--latency 10us --bandwidth 100MiB/s --faster solve=4" .5
message "--latency 10us --bandwidth 100MiB/s --faster sol*=4 --faster main=2" .26001
message "--ideal" 1
message "--ideal --faster main=10" .1
message "--tasks-per-node 2 --latency 1ms --bandwidth 0 --inside-latency 2ms" 1.002
json_of sweep.json message --latency 10us --faster solve=2 --sweep 100MiB/s:200MiB/s
holds "sweep" sweep.json 'len(d["sweep"]) == 4' 'near(d["sweep"][0]["speed_up"], 1.01001 / 1.01001)' \
	'near(d["sweep"][3]["speed_up"], 1.01001 / .50501)' 'd["sweep"][3]["factor"] == 2'

# Rendezvous: the receiver computes until 2 s, so a sender of a large message waits for it.
sed 's/^1 500000/1 2000000/; s/^1 1010010/1 2000020/' << 'T' | made 2 1 late
0 0 enter main
0 1000000 enter MPI_Send
0 1000000 send 1 5 1048576
0 1000010 leave MPI_Send
0 1000010 leave main
1 0 enter main
1 500000 enter MPI_Recv
1 1010010 recv 0 5 1048576
1 1010010 leave MPI_Recv
1 1010010 leave main
T
json_of late.json late --latency 10us --bandwidth 100MiB/s --eager 64KiB
holds "rendezvous" late.json 'near(seconds("predicted"), 2.01001)' 'near(d["predicted"]["ranks"][0]["waiting_seconds"], 1)' \
	'd["machine_of_run"]["eager_limit_bytes"] is None and d["machine"]["eager_limit_bytes"] == 65536'

# Two ranks send each other 1 MiB at the same time (10 ms): one after the other through a half-duplex link.
made 2 1 exchange << 'T'
0 0 enter main
0 0 enter MPI_Send
0 0 send 1 5 1048576
0 10 leave MPI_Send
0 10 enter MPI_Recv
0 10010 recv 1 5 1048576
0 10010 leave MPI_Recv
0 10010 leave main
1 0 enter main
1 0 enter MPI_Send
1 0 send 0 5 1048576
1 10 leave MPI_Send
1 10 enter MPI_Recv
1 10010 recv 0 5 1048576
1 10010 leave MPI_Recv
1 10010 leave main
T
json_of full.json exchange --latency 0 --bandwidth 100MiB/s --links 1
holds "full duplex" full.json 'near(seconds("predicted"), .01)' 'not d["machine"]["between_nodes"]["half_duplex"]'
json_of half.json exchange --latency 0 --bandwidth 100MiB/s --links 1 --half-duplex --dimemas half.dim
holds "half duplex" half.json 'near(seconds("predicted"), .02)' 'd["machine"]["between_nodes"]["half_duplex"]'
json_of again.json half.dim --machine half.cfg
holds "half duplex of a configuration" again.json 'near(seconds("replayed"), .02)' 'd["machine"]["between_nodes"]["half_duplex"]'
"$whatif" exchange --half-duplex > out 2> err && bad "--half-duplex without links is taken"
grep -q -- '--half-duplex: how many links' err || bad "--half-duplex: $(cat err)"

# Ten iterations of 3 s and 1 s with a barrier: 30 s, balanced 20 s, all computation twice as fast 15 s.
"$PYTHON3" - << 'P' > iterations.txt
for rank, step in (0, 3000000), (1, 1000000):
    print(rank, 0, "enter main")
    for i in range(10):
        begin = i * 3000000
        print(rank, begin, "enter work")
        print(rank, begin + step, "leave work")
        print(rank, begin + step, "enter MPI_Barrier")
        print(rank, begin + step, "begin")
        print(rank, begin + 3000000, "end 0 -1 0 0")
        print(rank, begin + 3000000, "leave MPI_Barrier")
    print(rank, 30000000, "leave main")
P
made 2 2 iterations < iterations.txt
json_of iterations.json iterations --balance
holds "balance" iterations.json 'near(seconds("measured"), 30)' 'near(seconds("replayed"), 30)' 'near(seconds("predicted"), 20)' \
	'near(d["speed_up"], 1.5)' 'near(d["predicted"]["efficiency"]["load_balance"], 1)' \
	'near(d["replayed"]["efficiency"]["load_balance"], 2 / 3)' 'near(d["waits"][0]["waiting_before_seconds"], 20)' \
	'near(sum(w["waiting_seconds"] for w in d["waits"]), 0)'
json_of faster.json iterations --faster work=2
holds "faster" faster.json 'near(seconds("predicted"), 15)'
json_of collective.json iterations --latency 1ms --collective Barrier=linear/constant
holds "collective" collective.json 'near(seconds("predicted"), 30 + 10 * 2e-3)'
json_of processors.json iterations --cpus 1
holds "processors" processors.json 'near(seconds("predicted"), 40)'
# If both processes shared one processor in the measured run, they computed half of the time. Processes that share a
# processor and keep it while they wait compute half as fast.
json_of shared.json iterations --processors 1 --cpus 0
holds "shared processor" shared.json 'near(seconds("replayed"), 30, .01)' 'near(seconds("predicted"), 15, .01)' \
	'd["machine_of_run"]["cpus_per_node"] == 1 and d["machine_of_run"]["slice_seconds"] > 0' \
	'd["processors_per_node_of_run"] == 1 and d["busy_threads_per_node_of_run"] == 2' 'd["machine"]["cpus_per_node"] == 0'
json_of slices.json iterations --processors 2 --cpus 1 --slice 10ms
holds "slices" slices.json 'near(seconds("replayed"), 30)' 'near(seconds("predicted"), 60, .01)' \
	'd["machine_of_run"]["slice_seconds"] is None and near(d["machine"]["slice_seconds"], .01)'
"$whatif" iterations --processors 1 > text 2> err || bad "--processors 1: exit code $?"
grep -q 'processors of a node *1, shared in time slices of' text && grep -q '^! The processes shared processors' text || bad "text: $(cat text)"
for wrong in "--processors 0" "--processors x" "--slice -1ms" "--slice long"; do
	"$whatif" iterations $wrong > out 2> err && bad "$wrong is taken"
	grep -q -- "${wrong%% *}" err || bad "$wrong: $(cat err)"
done

# Kinds of bursts: the same function computes about 3 ms before each MPI_Allreduce (kind 1) and 1 ms before each MPI_Barrier
# (kind 2). The expected time of FACTOR1 and FACTOR2 is the sum over all steps of the slower process.
"$PYTHON3" - << 'P' > kinds.txt
now, rows = 0, [["0 0 enter main"], ["1 0 enter main"]]
for i in range(60):
    call, operation, base = (("MPI_Allreduce", 7, 3000), ("MPI_Barrier", 0, 1000))[i % 2]
    steps = [base + (i * 7 + rank * 11) % 20 for rank in (0, 1)]
    end = now + max(steps)
    for rank, step in enumerate(steps):
        rows[rank] += [f"{rank} {time} {text}" for time, text in (
            (now, "enter work"), (now + step, "leave work"), (now + step, f"enter {call}"), (now + step, "begin"),
            (end, f"end {operation} -1 8 8"), (end, f"leave {call}"))]
    now = end
for rank in 0, 1:
    print("\n".join(rows[rank]), f"{rank} {now} leave main", sep="\n")
P
made 2 2 kinds < kinds.txt
kinds() {	# kinds FACTOR1 FACTOR2 OPTION...
	local seconds
	seconds=$("$PYTHON3" -c 'import sys
slower = [max((3000, 1000)[i % 2] + (i * 7 + rank * 11) % 20 for rank in (0, 1)) for i in range(60)]
print(sum(step / float(sys.argv[1 + i % 2]) for i, step in enumerate(slower)) * 1e-6)' \
		"$1" "$2")
	json_of kinds.json kinds "${@:3}"
	holds "${*:3}" kinds.json "near(seconds('predicted'), $seconds, 1e-9)"
}
kinds 3 1 --faster cluster:1=3
kinds 1 2 --faster cluster:2=2
kinds 3 .5 --faster cluster:1=3 --faster cluster:2=.5
kinds 3 2 --faster cluster:1=3 --faster main=2
kinds 3 2 --faster main=2 --faster cluster:1=3
kinds 4 1 --faster cluster:1=4 --metrics duration
kinds 1 3 --faster cluster:2=3
holds "the kind" kinds.json 'd["faster_kinds"] == [dict(d["faster_kinds"][0], kind=2, factor=3, bursts=60, path="main > work")]'
"$builddir/fathom-clusters" --json kinds > clusters.json || bad "fathom clusters: exit $?"
"$PYTHON3" - << 'P' || bad "another kind than that of fathom clusters"
import json
kind, = json.load(open("kinds.json"))["faster_kinds"]
same = [c for c in json.load(open("clusters.json"))["clusters"] if c["number"] == 2][0]
raise SystemExit(same["bursts"] != 60 or abs(same["time"] - kind["seconds"]) > 1e-9)
P
works "$whatif" kinds --faster cluster:1=3 --width 80
fits "text of kinds" 80 out
contains "text of kinds" "$(cat out)" '^ +3 +1 +60 +180.* ms  main > work$'
rm -rf predicted
json_of kinds.json kinds --faster cluster:1=3 -o predicted
works "$builddir/fathom-check" predicted
json_of again.json predicted
holds_replayed "predicted trace of a kind" again.json measured "$("$PYTHON3" -c 'import json
print(json.load(open("kinds.json"))["predicted"]["seconds"])')"
refused "no such kind" 1 'the bursts of the trace are of 2 kinds' "$whatif" kinds --faster cluster:3=2
refused "kinds without a rule" 2 'go with --faster cluster:N=F only' "$whatif" kinds --metrics duration

# The predicted trace is as it should be, takes the predicted time, and its replay gives this time, too.
for options in "--ideal --balance" "--faster work=3 --latency 2ms" "--cpu 1=0.1"; do
	rm -rf predicted
	json_of predicted.json iterations $options -o predicted
	works "$builddir/fathom-check" predicted
	json_of again.json predicted
	"$PYTHON3" - << 'P' || bad "predicted trace: $options"
import json
predicted, again = json.load(open("predicted.json")), json.load(open("again.json"))
seconds = predicted["predicted"]["seconds"]
raise SystemExit(any(abs(again[run]["seconds"] - seconds) > 1e-6 * seconds for run in ("measured", "replayed")))
P
done
for trace in lulesh mix; do
	[ -d "$shared/data/$trace-trace" ] || { left_out "predicted trace of $trace" "no $trace-trace"; continue; }
	json_of foreign.json "$shared/data/$trace-trace" --latency 2us --bandwidth 1GB/s --balance -o "$trace"
	works "$builddir/fathom-check" "$trace"
	holds "$trace" foreign.json 'abs(d["error"]) < .15' 'd["predicted"]["seconds"] < d["measured"]["seconds"]'
done

# Text: everything is there, in the width of the page.
for width in 80 120; do
	works "$whatif" iterations --balance --faster work=2 --sweep 1MB/s:4MB/s --width $width
	fits "text" $width out
	for text in '^Prediction' 'speed-up  .*3.000' 'load balance .* 0.667 *0.667 *1.000' 'Who waits in the prediction' 'Speed-up by bandwidth' \
		'error of the replay'; do
		contains "text" "$(cat out)" "$text"
	done
done

# Traces and machines of Dimemas: the example of the format's description, and what is written takes the same time.
printf '%s\n' '#DIMEMAS:"x":0:2(1,1),1' d:1:1:2:0:1 1:0:0:1.000000000 2:0:0:1:-1:1048576:0:0:0 1:1:0:0.500000000 \
	3:1:0:0:-1:1048576:0:0:0 > example.dim
printf '%s\n' '"environment information" {"x", 0, "", 2, 100, 0, 3};;' '"node information" {0, "", 1, 1, 0, 0, 0, 0, 0, 1e-5, 0, 0, 0};;' \
	'"mapping information" {"", 2, [2] {0,1}};;' > example.cfg
echo nonsense > not.dim
json_of dimemas.json example.dim --machine example.cfg
holds_replayed "example of Dimemas" dimemas.json replayed 1.01001
json_of dimemas.json example.dim --machine example.cfg --bandwidth 200MiB/s
holds_replayed "example of Dimemas, faster" dimemas.json predicted 1.00501
works "$whatif" example.dim --machine example.cfg
contains "text of Dimemas" "$(cat out)" 'run time .*1.010 s'
for options in --ideal "--latency 2ms --cpus 1"; do
	rm -f written.dim written.cfg
	json_of whole.json iterations $options --dimemas written.dim
	json_of again.json written.dim --machine written.cfg
	holds_replayed "written for Dimemas: $options" again.json replayed \
		"$("$PYTHON3" -c 'import json; print(json.load(open("whole.json"))["predicted"]["seconds"])')"
done
refused "a file that exists" 1 'written.dim: exists already' "$whatif" iterations --dimemas written.dim
refused "no trace of Dimemas" 1 'not.dim: line 1: does not begin' "$whatif" not.dim
refused "a kind of a trace of Dimemas" 1 'kinds of bursts are found in OTF2 traces' "$whatif" example.dim --faster cluster:1=2
refused "no machine" 1 'not.dim: has no line' "$whatif" example.dim --machine not.dim
refused "another ending" 2 'must end in .dim' "$whatif" iterations --dimemas written.txt
refused "a trace of a trace of Dimemas" 1 '-o needs an OTF2 trace' "$whatif" example.dim -o new

# From a profile alone: Amdahl's law. solve takes 60 of 100 s, its own part 40 s; MPI takes 20 s.
printf '%s\n' 'main compiler function time=20' 'main>solve compiler function time=40' 'main>solve>part compiler function time=20' \
	'main>solve>MPI_Barrier mpi barrier time=20' | "$builddir/test/tools/make_table" 1 profile.cubex || bad "make_table"
"$whatif" --json profile.cubex --faster solve=2 > bound.json 2> err || bad "bound: $(cat err)"
"$PYTHON3" - bound.json << 'P' || bad "bound: $(cat bound.json)"
import json, sys
d = json.load(open(sys.argv[1]))
share = {r["region"]: (r["share"], r["speed_up_2"], r["speed_up_most"]) for r in d["regions"]}
near = lambda a, b: abs(a - b) < 1e-9
good = near(share["solve"][0], .4) and near(share["solve"][1], 1 / .8) and near(share["solve"][2], 1 / .6) and \
    "MPI_Barrier" not in share and near(d["rules"][0]["share"], .6) and near(d["speed_up"], 1 / .7)
raise SystemExit(not good)
P
works "$whatif" profile.cubex --faster solve=2 --faster 'pa*=4'
contains "bound" "$(cat out)" 'solve=2: 40.0% of the time, speed-up at most 1.250'
contains "bound" "$(cat out)" 'all of them: speed-up at most 1.538'
refused "a profile" 1 'only --faster can be answered' "$whatif" profile.cubex --ideal
refused "a kind of a profile" 1 'kinds of bursts are found in OTF2 traces' "$whatif" profile.cubex --faster cluster:1=2

# From a profile with the bursts of the run. Of 100 s, 24 bursts of 2 s before MPI_Send are 48 %, and 24 of 1 s before MPI_Recv 24 %.
mkdir recorded
printf '%s\n' 'main compiler function time=72' 'main>MPI_Send mpi point2point time=14' 'main>MPI_Recv mpi point2point time=14' |
	"$builddir/test/tools/make_table" 1 recorded/profile.cubex || bad "make_table"
pairs() { for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24; do printf '%s MPI_Send\n%s MPI_Recv\n' "$1" "$2"; done; }
pairs 2 1 | "$PYTHON3" "$srcdir/test/tools/make_recorded_bursts.py" recorded/bursts.bin 0 || bad "make_recorded_bursts"
works "$whatif" recorded
contains "bursts that no option asks for" "$(cat out)" 'run recorded its bursts'
works "$whatif" recorded --faster cluster:1=2 --faster cluster:2=4
contains "bound of kinds" "$(cat out)" 'cluster:1=2: 48.0% of the time, speed-up at most 1.316'
contains "bound of kinds" "$(cat out)" 'cluster:2=4: 24.0% of the time, speed-up at most 1.220'
contains "bound of kinds" "$(cat out)" '24 bursts in main'
contains "bound of kinds" "$(cat out)" 'all of them: speed-up at most 1.724'
grep -q dropped out && bad "bound of kinds: dropped bursts: $(cat out)"
"$whatif" --json recorded --faster cluster:2=3 > bound.json 2> err || bad "bound: $(cat err)"
"$PYTHON3" - bound.json << 'P' || bad "bound of kinds: $(cat bound.json)"
import json, sys
d = json.load(open(sys.argv[1]))
rule, = d["rules"]
good = rule["kind"] == 2 and rule["bursts"] == 24 and abs(rule["seconds"] - 24) < 1e-6 and abs(rule["share"] - .24) < 1e-9 and \
    abs(rule["speed_up"] - 1 / .84) < 1e-9 and d["dropped_bursts"] == 0 and d["all_bursts_read"]
raise SystemExit(not good)
P
refused "a kind and a region of a profile" 1 'the same time may be of both' "$whatif" recorded --faster cluster:1=2 --faster main=2
refused "no such kind of a profile" 1 'the bursts of the run are of 2 kinds' "$whatif" recorded --faster cluster:3=2
rm recorded/bursts.bin
pairs 2 1 | "$PYTHON3" "$srcdir/test/tools/make_recorded_bursts.py" recorded/bursts.bin 7 || bad "make_recorded_bursts"
works "$whatif" recorded --faster cluster:1=2
contains "bound with dropped bursts" "$(cat out)" 'The run dropped 7 bursts'
rm recorded/bursts.bin
pairs 5 4 | "$PYTHON3" "$srcdir/test/tools/make_recorded_bursts.py" recorded/bursts.bin 0 || bad "make_recorded_bursts"
refused "bursts of another run" 1 'of another run' "$whatif" recorded --faster cluster:1=2

refused "no such region of a profile" 1 'no region of' "$whatif" profile.cubex --faster nothing=2

# Programs that would not end on the machine, and other bad input.
"$PYTHON3" - << 'P' | made 2 1 crossing
for rank in 0, 1:
    print(rank, 0, "enter main")
    print(rank, 10, "enter MPI_Send")
    print(rank, 10, f"send {1 - rank} 0 5000")
    print(rank, 20, "leave MPI_Send")
    print(rank, 30, "enter MPI_Recv")
    print(rank, 40, f"recv {1 - rank} 0 5000")
    print(rank, 40, "leave MPI_Recv")
    print(rank, 50, "leave main")
P
works "$whatif" crossing
refused "a program that does not end" 1 'would not end: 2 processes wait for each other, process 0 in main > MPI_Send' "$whatif" crossing --eager 4000
refused "no such region" 1 '--faster nothing: no region of' "$whatif" crossing --faster nothing=2
refused "no such rank" 1 'has the ranks 0 to 1' "$whatif" crossing --cpu 2=3
refused "a directory that exists" 1 'crossing: File exists' "$whatif" message -o crossing
refused "no trace" 2 'nowhere' "$whatif" nowhere
for wrong in "--faster main" "--faster =2" "--faster main=0" "--faster cluster:0=2" "--faster cluster:1=2 --faster cluster:1=3" \
	"--latency 1x" "--latency -1us" "--bandwidth fast" "--eager 1X" "--cpu x" \
	"--cpu -1=2" "--collective Foo=log" "--collective Bcast=cubic" "--collective Bcast" "--sweep 1MB/s" "--sweep 2MB/s:1MB/s" \
	"--buses -1" "--tasks-per-node 0" "--top x" "--nothing"; do
	refused "$wrong" 2 "$(echo "$wrong" | sed 's/ .*//; s/-/\\-/g')" "$whatif" message $wrong
done
verdict
