#!/bin/sh
# fathom-restore reads what a killed process left: whatever is damaged or missing there, it ends with a profile or a trace that
# can be read, or with a line that says why there is none. FUZZ_RUNS (for each of the snapshots), FUZZ_SEED and FUZZ_TOOLS are those of inputs.sh.
. "${srcdir:?}/test/lib.sh" || exit 99
runs=${FUZZ_RUNS:-40} seed=${FUZZ_SEED:-1}
restore=${FUZZ_TOOLS:-$builddir}/fathom-restore
prog=$srcdir/test/run/kills/prog.c
export FATHOM_INSTRUMENT_MIN_INSNS=0 ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS:-}"

build() { "$FATHOM" "$@" -I"$srcdir/include" -lpthread 2> build.err || { cat build.err >&2; die "cannot build: $*"; }; }
build "$CC" -O1 -g "$prog" -o serial
build "$CC" -O1 -g -DTHREADS=3 "$prog" -o threads

# left_by NAME COMMAND...: NAME.left/snapshot is what the command left when it was killed.
left_by() {
	left_name=$1
	shift
	mkdir "$left_name.left" && rm -rf fathom-* map
	timeout -s KILL 0.7 "$@" > out 2> err
	mv fathom-*/*.snapshot "$left_name.left/snapshot" && names="$names $left_name"
}
names=
FATHOM_VERBOSE=1 left_by serial ./serial map 2> /dev/null
[ -s serial.left/snapshot ] || skip "$(sed -n 's/^fathom: FATHOM_SNAPSHOT: //p' err | head -1)"
left_by threads ./threads map || bad "threads: no snapshot"
# Phases, parameters, values and, with OpenMP, tasks in teams; with counters, with call paths folded.
if "$FATHOM" "$CC" -O1 -g -fopenmp -I"$srcdir/include" "$srcdir/test/fuzz/prog.c" -o all 2> build.err; then :; else
	left_out "OpenMP: $CC -fopenmp cannot build"
	build "$CC" -O1 -g "$srcdir/test/fuzz/prog.c" -o all
fi
left_by all ./all || bad "all: no snapshot"
if "$FATHOM" metrics 2> /dev/null | grep -q 'perf::PAGE-FAULTS'; then
	FATHOM_METRICS=perf::PAGE-FAULTS FATHOM_RECURSION=fold left_by counters ./all || bad "counters: no snapshot"
else
	left_out "counters: no perf::PAGE-FAULTS"
fi
# One of two ranks: each of them leaves a file.
if have_mpi && build "$MPICC" -O1 -g -DWITH_MPI "$prog" -o ranks; then
	mkdir ranks.left && rm -rf fathom-* map
	timeout -k 5 60 $MPIRUN -n 2 ./ranks map > out 2>&1 &
	launcher=$!
	for _ in $(seq 500); do
		[ -s map ] && [ "$(FATHOM_MODE=none ./serial pids map | wc -l)" -eq 2 ] && break
		sleep 0.02
	done
	sleep 0.7
	kill -KILL $(FATHOM_MODE=none ./serial pids map)
	wait $launcher 2> /dev/null
	cp fathom-*/rank-1.snapshot ranks.left/snapshot && names="$names ranks" || bad "MPI: no snapshot"
fi

for name in $names; do
	FATHOM_MODE=none "$restore" "$name.left/snapshot" "$name.cubex" 2> err || bad "$name: undamaged, but: $(cat err)"
	FATHOM_MODE=none "$builddir/test/fuzz/fuzz_files" -s "$seed" "$runs" "$name.left" \
		sh -c 'rm -f o.cubex; "$0" "$1" o.cubex; s=$?
			[ $s != 3 ] || { echo "no profile in it" >&2; exit 1; }
			[ $s = 0 ] || exit $s; exec "$2" -s o.cubex' \
		"$restore" "$name.left/snapshot" "$builddir/test/run/dump" > out 2>&1 || bad "$name: $(head -20 out)"
	echo "$name: $(tail -1 out)"
done

# --- traces -----------------------------------------------------------------------------------------

[ -e "$builddir/.libs/libfathom-trace.so" ] || { left_out "traces: built without OTF2"; verdict; }
export FATHOM_MODE=trace

# traced_by NAME COMMAND...: as left_by; NAME.left has the snapshots of an experiment, and beside it the events.
traced_by() {
	left_name=$1
	shift
	rm -rf fathom-* .fathom-trace-* map
	mkdir -p "$left_name.left"
	timeout -s KILL 0.7 "$@" > out 2> err
	mv fathom-* "$left_name.left/experiment" && mv .fathom-trace-* "$left_name.left" && traced="$traced $left_name"
}
traced=
traced_by trace-threads ./threads map || bad "trace of threads: no snapshot"
FATHOM_TRACE_MEMORY=600k traced_by trace-all ./all || bad "trace of all: no snapshot"
if [ -e ranks ]; then
	rm -rf fathom-* .fathom-trace-* map
	timeout -k 5 60 $MPIRUN -n 2 ./ranks map > out 2>&1 &
	launcher=$!
	for _ in $(seq 500); do
		[ -s map ] && [ "$(FATHOM_MODE=none ./serial pids map | wc -l)" -eq 2 ] && break
		sleep 0.02
	done
	sleep 0.4
	kill -KILL $(FATHOM_MODE=none ./serial pids map)
	wait $launcher 2> /dev/null
	mkdir trace-ranks.left
	mv fathom-* trace-ranks.left/experiment && mv .fathom-trace-* trace-ranks.left && traced="$traced trace-ranks"
fi
for name in $traced; do
	rm -rf o && mkdir o
	FATHOM_MODE=none "$restore" --trace o "$name.left"/experiment/*.snapshot > out 2> err || bad "$name: $(cat err)"
	[ -f o/traces.otf2 ] || bad "$name: no trace"
	FATHOM_MODE=none "$builddir/test/fuzz/fuzz_files" -s "$seed" "$runs" "$name.left" \
		sh -c 'rm -rf o; mkdir o; "$0" --trace o "$1"/experiment/*.snapshot; s=$?
			[ $s != 3 ] || { echo "no trace in it" >&2; exit 1; }
			[ $s = 0 ] || exit $s
			[ -f o/traces.otf2 ] || ls o/rank-*/traces.otf2 > /dev/null || exit 9' \
		"$restore" "$name.left" > out 2>&1 || bad "$name: $(head -20 out)"
	echo "$name: $(tail -1 out)"
done
verdict
