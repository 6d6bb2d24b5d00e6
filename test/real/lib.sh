# What the tests with real programs share, on top of test/lib.sh. Each fetches its program once
# (REAL_SOURCES keeps the sources), builds it several times through its own build system, and compares.
. "$srcdir/test/lib.sh" || exit 99
real=$srcdir/test/real
sources=${REAL_SOURCES:-$builddir/real-sources}
PATH=$builddir:$PATH
[ -x "$builddir/test/run/dump" ] || die "test/run/dump is not built"
for tool in make gcov "$PYTHON3"; do
	command -v "$tool" > /dev/null || skip "no $tool"
done

# fetch NAME DIRECTORY...: a fresh copy of the source in each directory
fetch() {
	name=$1; shift
	origin=$(sh "$real/fetch.sh" "$name" "$sources" 2> fetch.err) || {
		code=$?
		cat fetch.err >&2
		[ $code -eq 77 ] && skip "$(sed 's/^SKIP: //' fetch.err)"
		exit $code
	}
	for copy in "$@"; do
		cp -r "$origin" "$copy" || die "cannot copy the source"
		chmod -R u+w "$copy"
	done
}

# build DIRECTORY COMMAND...: in that directory; the end of what it says if it fails
build() {
	where=$1; shift
	log=$work/build-${where%%/*}.log
	(cd "$where" && "$@") >> "$log" 2>&1 < /dev/null || { tail -n 20 "$log" >&2; die "building in $where: $*"; }
}

# Each function and method is to be measured, however small: for the builds whose visits are compared one by one.
echo 'include *' > every-function
all_functions() {
	FATHOM_INSTRUMENT_CALLS=all FATHOM_INSTRUMENT_MIN_INSNS=0 FATHOM_DRIVER_OPTIONS="--filter=$work/every-function" "$@"
}

# counting COMPILER: the path of a compiler that has gcov count every call, at -O0 and so before any inlining
counting() {
	printf '#!/bin/sh\nexec %s "$@" -O0 -w --coverage\n' "$1" > "$work/counting-${1##*/}"
	chmod +x "$work/counting-${1##*/}"
	printf '%s\n' "$work/counting-${1##*/}"
}

# counting_too COMPILER: the same beside fathom in one program, for programs whose calls differ from run to
# run; optimised as the program wants it, but not inlined before gcov counts
counting_too() {
	printf '#!/bin/sh\nexec %s "$@" -w --coverage -fno-early-inlining\n' "$(with_fathom "$1")" > "$work/counting-too-${1##*/}"
	chmod +x "$work/counting-too-${1##*/}"
	printf '%s\n' "$work/counting-too-${1##*/}"
}

# with_fathom COMPILER: the one-word form
with_fathom() {
	[ -x "$builddir/fathom-${1##*/}" ] || skip "no one-word form of $1"
	printf '%s\n' "$builddir/fathom-${1##*/}"
}

# in_dir DIRECTORY COMMAND...
in_dir() (
	cd "$1" && shift && "$@"
)

# timed WHAT COMMAND...: runs it and says how long it took, which decides nothing
timed() {
	what=$1; shift
	begun=$(date +%s%N)
	"$@"
	code=$?
	awk -v ns=$(($(date +%s%N) - begun)) -v what="$what" 'BEGIN { printf "%-24s %6.2f s\n", what, ns / 1e9 }' >&3
	return $code
}
exec 3>&1

# calls_counted DIRECTORY FILE: what gcov counted there, in all runs since it was built
calls_counted() {
	(cd "$1" && find . -name '*.gcda' -exec gcov --json-format --stdout {} + 2> /dev/null) > "$2"
	[ -s "$2" ] || die "gcov has no counts of $1"
}

# profile_of DIRECTORY: the one profile there; it is moved away, as the next run leaves another
experiments=0
profile_of() {
	set -- "$1" "$1"/fathom-*-*/
	[ $# -eq 2 ] && [ -f "$2/profile.cubex" ] || die "$1: not one experiment with a profile: $*"
	experiments=$((experiments + 1))
	mv "$2" "$work/experiment-$experiments"
	profile=$work/experiment-$experiments/profile.cubex
	check_profile "$profile"
	report_reads_well "$profile"
}

# The report of it comes without complaint and fits into 80 columns.
report_reads_well() {
	"$FATHOM" report "$1" > report.txt 2> report.err || bad "fathom report $1: exit code $?"
	same "stderr of fathom report" "" "$(cat report.err)"
	same "lines wider than 80 columns" "" "$("$PYTHON3" -c 'import sys
for line in open("report.txt", encoding="utf-8"):
	if len(line.rstrip("\n")) > 80: sys.stdout.write(line)')"
	contains "the report" "$(cat report.txt)" "complete"
}

# visits_equal all|some PROFILE COUNTS [OPTION...]: visits of each function against gcov's counts.
# all: no function that ran may be missing.
visits_equal() {
	"$FATHOM" report --json "$2" > profile.json || bad "$2: fathom report --json failed"
	mode=$1 counts=$3; shift 3
	"$PYTHON3" "$real/visits.py" "$mode" profile.json "$counts" "$@" || bad "visits differ from what gcov counted"
}

# can_trace: is there what writes traces, and what reads them? If not, why. Needs bash, as test/run/trace-lib.sh does.
can_trace() {
	[ -e "$builddir/.libs/libfathom-trace.so" ] || { left_out "traces: built without OTF2"; return 1; }
	command -v otf2-print > /dev/null || { left_out "traces: no otf2-print (Debian: otf2-tools)"; return 1; }
	. "$srcdir/test/run/trace-lib.sh"
}

# traced DIRECTORY PROGRAM: of the one experiment there, with profile and trace of the same run. All readers take the
# trace without a word, and regions are entered as often as they were visited; the program itself is one only there.
traced() {
	what=$1
	profile_of "$1"
	sound "$what" "${profile%/*}" || return
	visited "$profile" > visits
	enters "${profile%/*}" | grep -v " $2$" > entered
	[ -s entered ] || bad "$what: no enters"
	cmp -s visits entered || bad "$what: visits and enters differ: $(diff visits entered | head -20)"
	echo "$what: $(awk '{ n += $1 } END { print n }' entered) enters of $(wc -l < entered) regions"
	(cd "$what" && nothing_hidden "$what")
}

# build_counter: a library to be preloaded that counts MPI calls and bytes, independent of fathom
build_counter() {
	printf '#include <mpi.h>\n' | "$MPICC" -E -P -x c - > mpi.i || die "no mpi.h"
	"$PYTHON3" "$real/counter.py" mpi.i > counter.c || die "no counter made"
	"$MPICC" -O2 -w -shared -fPIC counter.c -o counter.so || die "cannot build the counter"
}

# mpi COMMAND...: on two ranks; if count_mpi is set, with the counter, which writes ./calls.RANK
count_mpi=
mpi() {
	"$MPIRUN" -n 2 ${count_mpi:+env LD_PRELOAD="$work/counter.so" MPI_CALLS=calls} "$@"
}

# calls_equal PROFILE DIRECTORY: of each MPI call the number and the bytes, against the counter in the same run
calls_equal() {
	"$FATHOM" report --json "$1" > profile.json || bad "$1: fathom report --json failed"
	"$PYTHON3" "$real/calls.py" profile.json "$2"/calls.* || bad "MPI calls differ from what was counted"
}
