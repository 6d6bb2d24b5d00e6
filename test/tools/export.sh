#!/bin/bash
# fathom export: readers of each format find the sums of fathom report --json; traces are written in bounded memory; bad
# input is refused and loses nothing.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
export=$builddir/fathom-export
profile_formats="collapsed speedscope callgrind gprof pprof csv"

# agrees FORMAT FILE REPORT.json [METRIC]
agrees() { "$PYTHON3" "$srcdir/test/tools/export.py" "$@" > said 2>&1 || bad "$*: $(cat said)"; }

# all_formats NAME PROFILE: every format of a profile against its report
all_formats()
{
	"$report" --json "$2" > "$1.json" 2> err || { bad "$1: no report: $(cat err)"; return; }
	for format in $profile_formats; do
		works "$export" --to "$format" -o "$1.$format" "$2"
		agrees "$format" "$1.$format" "$1.json"
	done
	for table in regions ranks values; do
		works "$export" --to csv --table $table -o "$1.$table.csv" "$2"
		agrees csv "$1.$table.csv" "$1.json"
	done
}

for kind in run foreign off hostile; do
	make_fixture $kind $kind.cubex
	all_formats $kind $kind.cubex
done
make_fixture recursion 5 recursion.cubex
all_formats recursion recursion.cubex

# Other metrics; one rank.
for metric in visits bytes_sent; do
	for format in $profile_formats; do
		works "$export" --to $format --metric $metric -o $metric.$format run.cubex
		agrees $format $metric.$format run.json $metric
	done
done
works "$report" --json --rank 2 run.cubex
mv out rank.json
for format in $profile_formats; do
	works "$export" --to $format --rank 2 -o rank.$format run.cubex
	agrees $format rank.$format rank.json
done

# A recursion has its value once.
works "$export" --to callgrind recursion.cubex
contains "recursive calls have no value" "$(tr '\n' ' ' < out)" 'calls=4 [0-9]+ [0-9]+ 0 '

# Valgrind's own reader.
if have callgrind_annotate; then
	for name in run foreign recursion; do
		callgrind_annotate --threshold=100 --inclusive=no $name.callgrind > annotated 2> err || bad "callgrind_annotate $name: $(cat err)"
		same "callgrind_annotate $name: complaints" "" "$(cat err)"
		same "callgrind_annotate $name: the total" "$(sed -n 's/^totals: //p' $name.callgrind)" \
			"$(sed -n 's/ (100.0%)  PROGRAM TOTALS//p' annotated | tr -d ', ')"
	done
	callgrind_annotate --threshold=100 --inclusive=yes run.callgrind > annotated
	contains "callgrind_annotate: an inclusive value" "$(cat annotated)" '18,537,109,375 .*heat.cc:main'
	contains "callgrind_annotate: an own value" "$(callgrind_annotate --threshold=100 run.callgrind)" '162,109,375 .*heat.cc:main'
fi

# The pprof of the Go tools.
if have go; then
	HOME=$work go tool pprof -top -unit=ns run.pprof > listed 2> err || bad "go tool pprof: $(cat err)"
	contains "go tool pprof: the total" "$(cat listed)" 'of 18544921875ns total'
	contains "go tool pprof: a region" "$(cat listed)" '^ *2734375000ns .* MPI_Allreduce'
fi

# A program that is measured here: parameters, a recursion, and its loops.
cat > prog.c << 'C'
#include <fathom/fathom.h>
static volatile double sink;
__attribute__((noinline)) static void inner(int n) { FATHOM_PARAMETER_INT("n", n); for (int i = 0; i < 1000 * n; i++) sink = sink * 0.5 + i; }
__attribute__((noinline)) static void down(int n) { inner(n); if (n) down(n - 1); }
int main(void) { for (int i = 0; i < 20; i++) down(3); return 0; }
C
"$FATHOM" "$CC" -g -O1 prog.c -o prog > out 2>&1 || die "prog: $(cat out)"
FATHOM_NAME=prog.exp ./prog > out 2> err || die "prog: exit $?: $(cat err)"
all_formats prog prog.exp
contains "parameters in flame graphs" "$(cat prog.collapsed)" 'inner \[n=3\] [0-9]+$'
same "standard output is what a file gets" "$(cat prog.collapsed)" "$("$export" --to collapsed prog.exp)"

# Profiles of another system.
for file in "$shared"/data/{lulesh,tasks}-profile/profile.cubex; do
	[ ! -f "$file" ] || all_formats "$(basename "$(dirname "$file")")" "$file"
done

# The profile with loops and inlined functions, where there is one.
mkdir scoped
cp run.cubex scoped/profile.cubex
cp foreign.cubex scoped/scopes.cubex
works "$export" --to callgrind --scopes scoped
same "--scopes" "$(cat foreign.callgrind)" "$(cat out)"

# The list of formats.
works "$export" --list
for format in $profile_formats chrome; do
	contains "--list" "$(cat out)" "^$format "
done

# Traces.
if [ -x "$builddir/test/tools/make_trace" ]; then
	# trace NAME DIRECTORY
	trace()
	{
		works "$report" --json "$2"/traces.otf2
		mv out "$1.json"
		works "$export" --to chrome -o "$1.trace" "$2"
		agrees trace "$1.trace" "$1.json"
	}
	make_trace good good
	trace good good
	contains "messages of the good trace" "$(cat said)" '^7 messages'
	contains "a counter" "$(cat good.trace)" '"name":"PAPI_TOT_CYC","id":"Pthread thread 1","args":.*"value":1955'
	contains "a sample" "$(cat good.trace)" '"ph":"i".*"name":"main"'

	# The memory does not grow with the trace: 10^5 and 10^6 events.
	make_trace pairs 50000 small
	make_trace pairs 500000 large
	"$builddir/test/tools/peak" "$export" --to chrome small > /dev/null 2> least || bad "small: $(cat least)"
	"$builddir/test/tools/peak" "$export" --to chrome -o large.trace large 2> most || bad "large: $(cat most)"
	[ "$(cat most)" -le $(($(cat least) + 8192)) ] || bad "memory: $(cat least) KiB for 10^5 events, $(cat most) KiB for 10^6"
	same "events of the large trace" 1000012 "$(grep -c '"ph":"[BE]"' large.trace)"
	rm large.trace

	if have_mpi; then
		cat > ring.c << 'C'
#include <mpi.h>
int main(int argc, char **argv)
{
	int rank, other, value = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	other = 1 - rank;
	for (int i = 0; i < 5; i++)
		MPI_Sendrecv(&rank, 1, MPI_INT, other, i, &value, 1, MPI_INT, other, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Finalize();
	return 0;
}
C
		"$FATHOM" "$MPICC" -g ring.c -o ring > out 2>&1 || die "ring: $(cat out)"
		FATHOM_MODE=trace FATHOM_NAME=ring.exp timeout -s KILL 60 "$MPIRUN" -n 2 ./ring > out 2> err || bad "ring: exit $?: $(cat err)"
		trace ring ring.exp
		contains "messages of ring" "$(cat said)" '^10 messages'
	fi
	refused "a trace, where a profile is needed" 1 'good/traces.otf2: is a trace; --to csv' "$export" --to csv good
	refused "no trace" 1 "export.sh: no trace" "$export" --to chrome "$srcdir/test/tools/export.sh" -o mine.otf2
else
	left_out "traces: built without OTF2 (Debian: libopen-trace-format2-dev)"
fi

# Bad input: one line, an exit code, and nothing is lost.
refused "no format" 2 'no format is named' "$export" run.cubex
refused "a format that does not exist" 2 '--to call: no such format' "$export" --to call run.cubex
refused "a slip" 2 'did you mean callgrind' "$export" --to calgrind run.cubex
refused "a metric that is not there" 1 'run.cubex: has no values of the metric cycles' "$export" --to gprof --metric cycles run.cubex
refused "a metric that is no sum" 1 'only metrics that are sums' "$export" --to gprof --metric min_time run.cubex
refused "no such rank" 1 'there is no rank 9' "$export" --to gprof --rank 9 run.cubex
refused "a table of no csv" 2 'only --to csv has tables' "$export" --to gprof --table regions run.cubex
refused "no such table" 2 '--table trees: not one of' "$export" --to csv --table trees run.cubex
refused "a rank of a trace" 2 '--rank: --to chrome' "$export" --to chrome --rank 1 run.cubex
refused "no profile" 1 'none.cubex' "$export" --to csv none.cubex
refused "no scopes" 1 'scopes.cubex' "$export" --to csv --scopes run.cubex
refused "a folder that is not there" 1 'nowhere/a.csv' "$export" --to csv -o nowhere/a.csv run.cubex
echo precious > mine.csv
refused "a file that exists" 1 'mine.csv: exists already' "$export" --to csv -o mine.csv run.cubex
same "the file is kept" precious "$(cat mine.csv)"
works "$export" --to csv -o mine.csv --force run.cubex
agrees csv mine.csv run.json
"$export" --to csv -o /dev/full --force run.cubex > out 2> err && bad "a device is replaced"
same "no part of a file stays" "" "$(ls ./*.part 2> /dev/null)"
verdict
