#!/bin/sh
# Every benchmark runs once, with very little work, so that none is found broken on the day its figures are wanted. The
# benchmarks as a tool: table, JSON and plot are whole, peers that are not there are left out and named, results that
# differ are found. How long anything takes decides nothing. Then what can be guarded at a program's start without a clock.
. "${srcdir:?}/test/lib.sh" || exit 99
need_part budget			# most groups compare with it
here=$srcdir/test/bench
export srcdir builddir CC MPICC MPIRUN PYTHONDONTWRITEBYTECODE=1
python=$("$PYTHON3" -c 'import sys; print(sys.executable)')
nm -D "$builddir/.libs/libfathom.so" 2> /dev/null | grep -Eq ' __(asan|tsan|ubsan|msan)_' &&
	skip "built with a sanitizer"
[ -e "$builddir/.libs/libfathom-trace.so" ] || skip "built without OTF2 (Debian: libopen-trace-format2-dev), which four groups measure"

# bench NAME ROUNDS GROUP...: with little work, to NAME.
bench() {
	name=$1 rounds=$2
	shift 2
	PATH=$path BENCH_ROUNDS=$rounds BENCH_KINDS='plain default' BENCH_SCALE=0.001 BENCH_OUT="$work/$name" "$python" "$here/bench.py" "$@" > "$name.out" \
		2> "$name.err" || { cat "$name.out" "$name.err" >&2; die "bench.py $*: it failed"; }
	same "$name: the table, printed and written" "$(cat "$name/bench.txt")" "$(grep -v '^written: ' "$name.out")"
}

# Only what is needed, and so no peer but gcc's own.
mkdir bin
for tool in gcc as ld sh env cat; do ln -s "$(command -v $tool)" "bin/$tool"; done
path=$work/bin
bench few 2 region_calls
path=$PATH
groups=$("$python" "$here/bench.py" nothing 2>&1 | sed -n 's/.*: choose from region_calls, //p' | tr -d ,)
bench many 1 $groups
"$python" - <<'PY' || bad "what was written"
import json, sys
import xml.etree.ElementTree as xml

def read(name):
    document = json.load(open(name + "/bench.json"))
    assert document["format"] == "fathom-bench 1" and not document["faults"], document
    for key in ("cpu", "processors", "kernel", "compiler", "load_begin", "load_end"):
        assert document["machine"][key] is not None, key
    for work in document["works"]:
        for variant in work["variants"].values():
            assert len(variant["values"]) in (1, 2)
            assert variant["quarter_low"] <= variant["median"] <= variant["quarter_high"], variant
        for target in work["targets"]:
            assert target["holds"] in (True, False)
    return document, {work["name"]: work for work in document["works"]}

few, works = read("few")
assert {entry["peer"]: entry["package"] for entry in few["missing"]} == \
    {"perf": "linux-perf", "callgrind": "valgrind", "uftrace": "uftrace"}, few["missing"]
calls = works["0.03 M calls"]
ours = {"none", "profile", "all", "budget", "b.hooks", "filter", "f.hooks"} | \
    {"d.budget", "e.profile", "ed.budget", "e.all", "e.budget"}
assert set(calls["variants"]) - {"gprof"} == {"plain", "limit", "empty"} | ours, set(calls["variants"])
assert {(t["variant"], t["base"]) for t in calls["targets"]} == \
    {("all", "limit"), ("budget", "plain"), ("f.hooks", "empty"), ("filter", "plain")}
table = open("few/bench.txt").read()
assert "without uftrace: not found (Debian: uftrace)" in table
assert all(name in table.split("\n")[0].split() for name in ours | {"limit", "empty"}), table

many, works = read("many")
assert not {"perf", "callgrind", "uftrace"} & {entry["peer"] for entry in many["missing"]} or many["missing"]
assert {"from exec to main", "page faults of a run", "memory of a thread"} <= set(works)
assert set(works["memory of a thread"]["variants"]) >= {"plain", "none", "profile"}
# Each group has left its row, or said what is missing.
missing = {entry["peer"] for entry in many["missing"]}
for row, needs in (("0.01 M calls, traced", None), ("ping-pong, 8 bytes", "MPI"),
                   ("wait states: Irecv, Isend, Waitall", "MPI"), ("hello world, 2 ranks", "MPI"),
                   ("wavefront, 20 steps, traced", "MPI"), ("adi, 20 steps, bytes of events", "MPI"),
                   ("4 counters", "counters"), ("parallel, gcc", "OpenMP by POMP2"), ("parallel, clang", "OpenMP by OMPT"),
                   ("bzip2", "bzip2"), ("FastTree", "FastTree"), ("Lua", "Lua"), ("Lua, long", "Lua"), ("hydrodynamics", None),
                   ("finite elements, default", None), ("Tachyon, default", "Tachyon"), ("Lua, default", "Lua"),
                   ("molecular dynamics", "MPI"), ("heat, 2 ranks", "MPI"), ("heat, 2 ranks: error", "MPI")):
    assert row in works or needs in missing, (row, missing, list(works))
assert {"profile_scale 65 2 4", "builder_scale 65 homogeneous", "waits_scale 65 20"} <= {fact["name"] for fact in many["facts"]}, many["facts"]
assert "MPI" in missing or any(fact["name"].startswith("wait states: search") for fact in many["facts"]), many["facts"]
for entry in many["missing"]:
    print(f"LEFT OUT: benchmarks with {entry['peer']}: {entry['why']} (Debian: {entry['package']})")
traced = works["bytes of a call, tick 0ns"]["targets"][0]
assert traced["holds"] and 23 < traced["value"] < 25, traced
assert any(fact["name"] == "libfathom: relocations" and fact["value"] > 0 for fact in many["facts"]), many["facts"]
for name, least in ("few", 10), ("many", 10):
    svg = xml.parse(name + "/bench.svg").getroot()
    marks = [e for e in svg.iter() if e.tag.rsplit("}")[-1] in ("circle", "rect") and len(e)]
    assert svg.tag.endswith("svg") and len(marks) >= least, len(marks)
PY

# Those of doc/internals/scale.md: make bench-scale.
mkdir scale
"$python" "$here/scale.py" simulate scale 2048 > scale.out 2> scale.err || bad "scale.py simulate: $(tail -3 scale.err)"
contains "scale.py simulate" "$(cat scale.out)" '^ranks=2048 kind=random bytes_per_rank=[0-9]* messages=[0-9]* rounds=[0-9]* '
[ -s scale/scale-memory.svg ] && [ -s scale/scale-rounds.svg ] || bad "scale.py simulate: no plots: $(ls scale)"
if have_mpi && [ -e "$builddir/.libs/libfathom-mpi.so" ]; then
	"$python" "$here/scale.py" finalize 2 1 > scale.out 2> scale.err || bad "scale.py finalize: $(tail -3 scale.err)"
	contains "scale.py finalize" "$(cat scale.out)" '^ranks=2 run_ms plain=[0-9.]* chain=[0-9.]* comm=[0-9.]* gather=[0-9.]*$'
fi

# The figures themselves, from values that are known.
"$python" - "$here" <<'PY' || bad "the arithmetic"
import os, sys
sys.path.insert(0, sys.argv[1])
import measure, real

bench = measure.Bench()
work = measure.Work("g", "w", "s", events=10)
work.values = {"plain": [1.0, 2.0, None, 4.0], "all": [3.0, 5.0, 1.0, None]}
assert work.ratios("all", "plain") == [3.0, 2.5]        # of rounds in which both ran
work.target("all", "plain", "ratio", 2.75, "")
work.target("all", "plain", "more", 0.2e9, "")
work.target("all", "limit", "ratio", 1, "")             # did not run
first, second, third = map(work.judged, work.targets)
assert first["holds"] and first["value"] == 2.75 and third is None
assert not second["holds"] and second["value"] == 2.5 / 10 * 1e9, second
bench.works.append(work)
assert "2.75 ±9" in bench.table() and "MISSED" in bench.table(), bench.table()

# Every variant runs once a round, none is always the first, and who takes too long does not come again.
order = []
bench.patience = 1e9
list(bench.turns({name: lambda name=name: order.append(name) for name in "abc"}, 3))
assert order == list("aabcbcacab"), order
bench.patience = 1e-9
assert [name for name, found in bench.turns({"a": lambda: 1}, 3) if found] == ["a"]

# Another result is noticed, and is what fails.
def once(output):
    def run(): return measure.Sample(1, 1, output)
    run.directory = "."
    return run
variants = real.equal_results(bench, work, {"plain": once(b"1"), "all": once(b"1"), "filter": once(b"2")})
for run in variants.values(): run()
assert bench.faults == ["w: filter has another result than plain"], bench.faults
os.chdir(os.environ["work"]) if "work" in os.environ else None
assert bench.finish("faulty") == 1

# Shares of functions: what may differ, and what may not.
import shares
assert shares.function_of("f.constprop.0.cold") == "f" and shares.function_of("a.b") == "a.b"
expected = {"a": 0.6, "b": 0.3, "c": 0.1, "d": 0.01, "(kernel)": 0.05}
assert shares.differences(expected, 10000, {"a": 0.61, "b": 0.29, "c": 0.1}, 0) == (["a", "b", "c"], [])
assert len(shares.differences(expected, 10000, {"a": 0.45, "b": 0.45, "c": 0.1}, 0)[1]) == 3
assert not shares.differences(expected, 100, {"a": 0.5, "b": 0.4, "c": 0.1}, 100)[1]
PY

# The proxies are what they say: both check what physics asks for, and what molecular dynamics comes to does not depend on
# the number of ranks.
"${CXX:-g++}" -O2 "$here/fem.cc" -o fem || die "cannot build fem.cc"
same "fem: what it says" "15 steps, largest error below 1e-6: yes" "$(./fem 6)"
"${CXX:-g++}" -O2 "$here/hydro.cc" -o hydro || die "cannot build hydro.cc"
./hydro 8 > hydro.out || bad "hydro: exit code $?"
contains "hydro: what it says" "$(cat hydro.out)" '^512 elements, [0-9]* steps to 0.400$'
./hydro 1 > out 2> err && bad "hydro: one element is taken"
if have_mpi; then
	"$MPICC" -O2 "$here"/md*.c -lm -o md || die "cannot build md.c"
	for ranks in 1 2; do
		"$MPIRUN" -n $ranks ./md 60 6 > md.$ranks || bad "md on $ranks ranks: exit code $?"
	done
	same "md: lines" 6 "$(grep -c '^step .* total -[0-9.]* an atom$' md.1)"
	same "md on one rank and on two" "$(cat md.1)" "$(cat md.2)"
fi

for words in BENCH_ROUNDS=0 BENCH_ROUNDS=x BENCH_SCALE=-1; do
	env "$words" BENCH_OUT="$work/none" "$python" "$here/bench.py" startup > out 2> err && bad "$words is taken"
	same "$words: said" "bench: $words: a number larger than 0 is wanted" "$(cat err)"
done
"$python" "$here/bench.py" nothing > out 2> err && bad "a group that does not exist is taken"
contains "a group that does not exist" "$(cat err)" '^bench: nothing: choose from region_calls, '

# --- the start of a program ------------------------------------------------------------------------

# What every process of a run loads: our libraries and what the C library is made of. Names are found by
# libfathom-symbols, which only the process that writes the profile loads; elfutils belongs there.
for library in libfathom libfathom-compiler libfathom-pthread; do
	readelf -d "$builddir/.libs/$library.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' |
	grep -Ev '^(libfathom\.so\.0|libc\.so\.6|libm\.so\.6|ld-linux.*|libpthread\.so\.0|libgcc_s\.so\.1)$' |
	while read -r other; do
		bad "$library needs $other, which every measured program would load at its start"
	done
done

"$CC" -O2 -g -pthread "$here/startup.c" -o plain || die "cannot build startup.c"
"$CC" -O2 -g -pthread -finstrument-functions "$here/startup.c" -o measured -L"$builddir/.libs" \
	-Wl,-rpath,"$builddir/.libs" -Wl,--no-as-needed -lfathom-compiler -lfathom-pthread -lfathom ||
	die "cannot build startup.c"
# of NAME COMMAND...: a figure that the command prints
of() {
	what=$1
	shift
	"$@" 2> err | sed -n "s/^$what \([0-9]*\).*/\1/p"
}
# at_most WHAT MORE PLAIN MEASURED: the measured one has so much more, if at all
at_most() {
	echo "$1: plain $3, measured $4, allowed $2 more"
	[ "$4" -gt 0 ] && [ $(($4 - $3)) -le "$2" ] || bad "$1: $3 without, $4 with fathom, $2 more are allowed"
}
faults=$(of faults ./plain 5 ./plain)
# 40 with the libraries alone, 270 with a profile from start to end, of which some 60 are those of the thread that takes
# snapshots: pages that are touched. A third more is allowed, for other C libraries and kernels. (What loads a library more, or clears a table, is beyond that at once.)
at_most "page faults, FATHOM_MODE=none" 60 "$faults" "$(FATHOM_MODE=none of faults ./plain 5 ./measured)"
at_most "page faults" 360 "$faults" "$(of faults ./plain 5 ./measured)"
# A thread that does little has one page for itself and its frames, and one for its call paths.
each() { echo $((($("$@" threads 40 2> err | sed 's/ KiB//') - $("$@" threads 8 2> err | sed 's/ KiB//')) * 10 / 32)); }
at_most "tenths of a KiB of a thread" 125 "$(each ./plain)" "$(each ./measured)"
verdict
