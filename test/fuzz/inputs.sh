#!/bin/sh
# What the commands and the library read may be damaged: experiments with a profile or a trace, profiles alone, filters. Each
# command ends in time, with a result or with a line that says what is wrong. FUZZ_RUNS (for each kind of input) and
# FUZZ_SEED ask for more and for other damage; FUZZ_TOOLS: a build directory whose commands are tried, best one with sanitizers. Readers of profiles and filters alone
# are tried faster by test/cube/fuzz_reader and test/filter/fuzz.c.
. "${srcdir:?}/test/lib.sh" || exit 99
runs=${FUZZ_RUNS:-25} seed=${FUZZ_SEED:-1}
tool=${FUZZ_TOOLS:-$builddir}/fathom
ASAN_OPTIONS="detect_leaks=0:${ASAN_OPTIONS:-}"
export FATHOM_INSTRUMENT_MIN_INSNS=0 ASAN_OPTIONS
flags="-O1 -g -I$srcdir/include"
echo 'int main(void) { return 0; }' > empty.c
"$CC" -fopenmp empty.c -o empty 2> /dev/null && flags="$flags -fopenmp"
# shellcheck disable=SC2086
"$FATHOM" "$CC" $flags "$srcdir/test/fuzz/prog.c" -o prog 2> build.err || die "prog.c cannot be built with fathom: $(cat build.err)"

# fuzz WHAT DIRECTORY COMMAND...: the command reads what is in the directory.
fuzz() {
	fuzz_what=$1
	shift
	"$builddir/test/fuzz/fuzz_files" "$seed" "$runs" "$@" > out 2>&1 || bad "$fuzz_what: $(head -20 out)"
	echo "$fuzz_what: $(tail -n 1 out)"
}

mkdir profile trace filter
FATHOM_DIR=profile FATHOM_NAME=run ./prog 12 > /dev/null 2> err && [ -s profile/run/profile.cubex ] || die "no profile: $(cat err)"
fuzz "report" profile "$tool" report profile/run
fuzz "report --json" profile "$tool" report --json profile/run
fuzz "report --threads" profile "$tool" report --threads work profile/run
fuzz "score" profile "$tool" score profile/run
fuzz "list" profile "$tool" list --json profile
# A profile of another tool, small enough that most damage is found by what follows the reader.
mkdir foreign
make_table=$builddir/test/tools/make_table
printf '%s\n' 'main compiler function time=2 visits=1' 'main>work compiler function time=1 visits=3' \
	'main>MPI_Send mpi point2point time=1,2 visits=3' | "$make_table" 2 foreign/run.cubex || die "no foreign profile"
printf '%s\n' 'main compiler function time=1' 'main>old compiler function time=3' | "$make_table" 1 one.cubex || die "no profile"
fuzz "remap" foreign sh -c 'rm -f new.cubex; exec "$0" remap -o new.cubex foreign/run.cubex' "$tool"
fuzz "scaling" foreign sh -c 'rm -f new.cubex; exec "$0" scaling -o new.cubex one.cubex foreign/run.cubex' "$tool"
fuzz "export --to callgrind" profile sh -c 'exec "$0" export --to callgrind profile/run > /dev/null' "$tool"
fuzz "export --to csv" profile sh -c 'exec "$0" export --to csv --table values profile/run > /dev/null' "$tool"
mkdir tau && "$tool" export --to tau -o tau/profiles profile/run > /dev/null && "$tool" export --to peri-xml -o peri.xml profile/run
fuzz "import of TAU" tau sh -c 'rm -f tau.cubex; exec "$0" import -o tau.cubex tau/profiles > /dev/null' "$tool"
mkdir peri && mv peri.xml peri
fuzz "import of PERI-XML" peri sh -c 'rm -f peri.cubex; exec "$0" import -o peri.cubex peri/peri.xml > /dev/null' "$tool"
mkdir ranks && FATHOM_MODE=profile FATHOM_DIR=ranks FATHOM_NAME=run ./prog 3 > /dev/null 2> err
mv ranks/run/profile.cubex ranks/run/rank-0.cubex
fuzz "merge" ranks sh -c 'rm -f joined.cubex; exec "$0" merge -o joined.cubex ranks/run' "$tool"

if [ -e "$builddir/.libs/libfathom-trace.so" ]; then
	FATHOM_DIR=trace FATHOM_NAME=run FATHOM_MODE=trace ./prog 6 > /dev/null 2> err && [ -s trace/run/traces.otf2 ] ||
		die "no trace: $(cat err)"
	# What is wrong with the trace is said on stdout.
	fuzz "check" trace sh -c 'exec "$0" check trace/run >&2' "$tool"
	fuzz "report of a trace" trace "$tool" report trace/run
	fuzz "list of traces" trace "$tool" list trace
	fuzz "clusters" trace "$tool" clusters --json trace/run
	fuzz "fold" trace "$tool" fold --json --region work trace/run
	fuzz "track" trace "$tool" track --windows 2 --json trace/run
	mkdir paraver && "$tool" export --to paraver -o paraver/run.prv trace/run
	fuzz "import of Paraver" paraver sh -c 'rm -rf new; exec "$0" import -o new paraver/run.prv > /dev/null' "$tool"
	fuzz "export of a trace" trace sh -c 'exec "$0" export --to chrome trace/run > /dev/null' "$tool"
else
	left_out "traces: built without OTF2"
fi

# Samples, and the program to which they belong: its symbols, debug information, unwind information and code.
mkdir samples program
cp profile/run/profile.cubex samples
"$CC" -g -O2 "$srcdir/test/symbols/nest.c" -o program/nest || die "nest.c cannot be compiled"
if have objdump readelf; then
	"$PYTHON3" "$srcdir/test/symbols/make_samples.py" "$PWD/program/nest" main > samples/samples.txt
	fuzz "report --loops" samples "$tool" report --loops samples
	fuzz "report --lines" samples "$tool" report --lines main samples
	fuzz "report --loops of a damaged program" program "$tool" report --loops samples
	fuzz "report --lines of a damaged program" program "$tool" report --lines 'm*' samples
	fuzz "all scopes of a damaged program" program "${FUZZ_TOOLS:-$builddir}/test/symbols/scopes" -q program/nest
	strip program/nest
	fuzz "report --loops of a damaged stripped program" program "$tool" report --loops samples
fi

# Samples by call path, from which the call tree gets its loops and inlined functions.
mkdir sampled
FATHOM_SAMPLING=10000 FATHOM_DIR=sampled FATHOM_NAME=run ./prog 30 > /dev/null 2> err
if grep -q '^path' sampled/run/samples.txt 2> /dev/null; then
	fuzz "report with scopes" sampled sh -c 'rm -f sampled/run/*scopes.cubex; exec "$0" report --json sampled/run' "$tool"
	"$tool" report sampled/run > out 2>&1 || bad "no report with scopes: $(cat out)"
	[ ! -e sampled/run/scopes.cubex ] || fuzz "report with scopes.cubex" sampled "$tool" report sampled/run
else
	left_out "samples by call path: none are taken here"
fi

cat > filter/rules <<'F'
# comments
exclude *
include function main file *.c
exclude rank 1- *
exclude openmp *critical*
exclude thread pthread_mutex_*
include "recurse(int)"
F
FATHOM_MODE=none fuzz "score with a filter" filter "$tool" score --filter=filter/rules profile/run
fuzz "filter" filter "$tool" filter --check filter/rules --on profile/run
FATHOM_FILTER=filter/rules FATHOM_DIR=measured fuzz "FATHOM_FILTER" filter ./prog 2
verdict
