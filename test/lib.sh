# What all test scripts share. A script sources it first:  . "$srcdir/test/lib.sh"
# It then works in an empty directory of its own, removed at the end.
set -u
: "${srcdir:?run me by make check}" "${builddir:?}" "${FATHOM:=$builddir/fathom}"
: "${CC:=gcc}" "${CXX:=g++}" "${FC:=gfortran}" "${PYTHON3:=python3}"
shared=$srcdir/../shared
# Tests preload what they build: what stands in LD_PRELOAD ends at a blank, and at a colon.
case ${TMPDIR:-} in *[[:blank:]:]*) TMPDIR=/tmp ;; esac
work=$(mktemp -d "${TMPDIR:-/tmp}/fathom-test.XXXXXX")
trap 'cd / && rm -rf "$work"' EXIT
cd "$work" || exit 99
unset FATHOM_MODE FATHOM_DIR FATHOM_NAME 2>/dev/null
# Tests know how often each function is called, so calls are measured even if GCC would inline them.
export FATHOM_INSTRUMENT_CALLS=all
# For the same reason no function is disabled while a program runs.
export FATHOM_OVERHEAD=off
export LC_ALL=C
# Which functions are hit by samples differs from run to run, and so do the call paths. Tests of samples set this again.
export FATHOM_SAMPLING="${FATHOM_SAMPLING:-off}"
# Nobody's terminal, and not closed: where that is, MPICH's mpirun loses what ranks print.
exec < /dev/null
# Failures are counted in a file: a loop at the end of a pipe is a process of its own.
failures=$work/.failures
: > "$failures"

skip() { echo "SKIP: $*"; exit 77; }

# A part of this test is left out, and why; test/run-suite repeats it at the end.
left_out() { echo "LEFT OUT: $*" >&2; }

# have PROGRAM...: whether they are all installed. have_mpi, have_openmpi: whether there is such an MPI. What is
# missing is reported as left out.
have() {
	for have_program; do
		command -v "$have_program" > /dev/null || { left_out "what needs $have_program: it is not installed"; return 1; }
	done
}
have_mpi() {
	[ -n "${MPICC:-}" ] && [ -n "${MPIRUN:-}" ] || { left_out "what needs MPI (Debian: mpich libmpich-dev)"; return 1; }
}
have_openmpi() {
	[ -n "${OPENMPI_CC:-}" ] && [ -n "${OPENMPI_RUN:-}" ] ||
		{ left_out "what needs Open MPI (Debian: libopenmpi-dev openmpi-bin)"; return 1; }
}

# have_traces: whether this build can write and read traces.
have_traces() {
	[ -e "$builddir/.libs/libfathom-trace.so" ] ||
		{ left_out "traces: fathom was built without OTF2 (Debian: libopen-trace-format2-dev)"; return 1; }
}

# has_part PART: whether this build has the part (configure --without-...), which is named by a setting that belongs to
# it, or as for configure: topologies. need_part skips the whole test if not.
has_part() {
	case $1 in
	FATHOM_*) ;;
	*)
		! grep -q "^#define FATHOM_WITHOUT_$(echo "$1" | tr 'a-z-' 'A-Z_') 1" "$builddir/config.h" ||
			{ left_out "what needs $1: fathom was built without them (configure --without-$1)"; return 1; }
		return 0 ;;
	esac
	"$FATHOM" config "$1" > /dev/null 2> part.err || ! grep -q 'was built without' part.err ||
		{ left_out "what needs $1: $(sed 's/.*: fathom was/fathom was/' part.err)"; return 1; }
}
need_part() {
	has_part "$1" 2> part.said || skip "$(sed 's/^LEFT OUT: //' part.said)"
}

# late_hooks: the kind of hooks for what prefers late ones: early, where this build has no others.
late_hooks() { if has_part late-hooks; then echo late; else echo early; fi; }

# budget SHARE: the setting for a run with a budget; where this build has none, without.
budget() { if has_part FATHOM_OVERHEAD; then echo "FATHOM_OVERHEAD=$1"; else echo FATHOM_OVERHEAD=off; fi; }

# Something is wrong, but go on.
bad() { echo "FAIL: $*" >&2; echo "$*" >> "$failures"; }

# Something is so wrong that going on makes no sense.
die() { echo "FAIL: $*" >&2; exit 1; }

# At the end of a script.
verdict() { [ ! -s "$failures" ] || { echo "it failed" >&2; exit 1; }; exit 0; }

# same WHAT EXPECTED GOT
same() { [ "$2" = "$3" ] || bad "$1: expected '$2', got '$3'"; }

# contains WHAT TEXT PATTERN (grep -E)
contains() { printf '%s\n' "$2" | grep -Eq -- "$3" || bad "$1: no '$3' in '$2'"; }

# alone_in_tree COMMAND [WORD...]: what changes the build directory, while no other test runs (see test/turn).
alone_in_tree() {
	if command -v flock > /dev/null; then
		flock -o -x "$builddir/test/tree.lock" "$@"
	else
		"$@"
	fi
}

# Tests that are given MPICC and so on of Open MPI instead; mpi_kind says so to those that care.
use_openmpi() {
	[ -n "${OPENMPI_CC:-}" ] && [ -n "${OPENMPI_RUN:-}" ] || skip "no Open MPI (Debian: libopenmpi-dev openmpi-bin)"
	MPICC=$OPENMPI_CC MPICXX=${OPENMPI_CXX:-} MPIFC=${OPENMPI_FC:-} MPIRUN=$OPENMPI_RUN mpi_kind=openmpi
	export MPICC MPICXX MPIFC MPIRUN mpi_kind
	openmpi_environment
}

# Few processors, root, a container that forbids processes to look into each other: all that Open MPI minds.
openmpi_environment() {
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
	export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_pml=ob1 OMPI_MCA_btl=self,vader
	export OMPI_MCA_btl_vader_single_copy_mechanism=none OMPI_MCA_osc=pt2pt,sm
}

need_mpi() { [ -n "${MPICC:-}" ] && [ -n "${MPIRUN:-}" ] || skip "no MPI (Debian: mpich libmpich-dev)"; }

# lines_said FILE: how many.
lines_said() { grep -c '' "$1"; }

# The one experiment directory here; fails if there are none or several.
experiment() {
	set -- fathom-*-*/
	[ $# -eq 1 ] && [ -d "$1" ] || { echo "not one experiment directory: $*" >&2; return 1; }
	printf '%s\n' "${1%/}"
}

# values METRIC FILE: a line "value path" for each call path with one, summed over locations.
values() { "$builddir/test/run/dump" "$1" "$2"; }

# value METRIC PATH FILE: of one call path; 0 if it is not there.
value() { values "$1" "$3" | awk -v p="$2" '{ v = $1; sub(/^[^ ]+ /, ""); if ($0 == p) { print v; f = 1 } } END { if (!f) print 0 }'; }

# check_profile FILE: programs of others can take it (test/cube/foreign.py), and the independent checker has nothing to
# say (where it can be had). Its rule S06 wants a neutral max_time where there were no visits, cube_sanity wants 0. Its
# rule S09 wants visits wherever a function has time, which sampled call paths do not have.
check_profile() {
	ignored=S06
	! tar xOf "$1" anchor.xml | grep -q 'fathom::sampled_call_paths' || ignored=S06,S09
	"$PYTHON3" "$srcdir/test/cube/foreign.py" "$1" > "$work/foreign.out" 2>&1 || bad "$(cat "$work/foreign.out")"
	[ -x "$shared/oracle/check_cubex.py" ] || return 0
	"$PYTHON3" "$shared/oracle/check_cubex.py" --ignore $ignored "$1" > "$work/check.out" 2>&1 || { cat "$work/check.out" >&2; bad "$1: the checker finds faults"; }
}

# The libraries alone, without the driver and its choice of functions: every function is measured.
fathom_libs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom -Wl,--pop-state"
instrument() { "$CC" -g -O1 -finstrument-functions "$@" $fathom_libs || die "cannot build $*"; }
