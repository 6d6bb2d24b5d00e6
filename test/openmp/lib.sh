# What the OpenMP tests share, on top of test/lib.sh: each program is built plain and measured, both are run
# with 1, 2 and 4 threads, and compared; what must be in the profile stands in the source (expect.py).
. "$srcdir/test/lib.sh" || exit 99
here=$srcdir/test/openmp
: "${THREADS:=1 2 4}"
unset OMP_NUM_THREADS OMP_SCHEDULE OMP_DYNAMIC OMP_NESTED OMP_PROC_BIND OMP_PLACES OMP_THREAD_LIMIT OMP_TOOL OMP_TOOL_LIBRARIES
# Threads that wait do not spin: tests run side by side. Constructs may be cancelled.
export OMP_WAIT_POLICY=passive KMP_BLOCKTIME=0 OMP_CANCELLATION=true
# Every function of the test, however small or inline; C++ has those in a namespace, Fortran a main that is nobody's.
echo 'include *' > rules
printf 'include *\nexclude main\n' > rules-fortran
printf 'exclude *\ninclude main\ninclude *t::*\n' > rules-c++
[ -x "$builddir/test/run/dump" ] || die "test/run/dump is not built"

# need_openmp COMPILER SUFFIX: it can do OpenMP, and its programs run here
need_openmp() {
	case $2 in
	f90) echo 'end' > try.f90 ;;
	*) echo 'int main(void) { return 0; }' > "try.$2" ;;
	esac
	command -v "$1" > /dev/null && "$1" -fopenmp "try.$2" -o try 2> /dev/null && ./try || skip "$1 -fopenmp does not work here"
}

need_opari() {
	command -v opari2 > /dev/null || skip "no opari2 (Debian: opari2)"
	[ -f "$builddir/instrument/gcc-plugin/.libs/fathom_gcc_plugin.so" ] || skip "no GCC plugin in this build"
}

# both NAME COMPILER SOURCE [FLAG...]: builds NAME.plain and NAME.measured; what the compilers say goes to
# NAME.plain.said and NAME.measured.said, and is nothing, but where said_differs is set
said_differs=
both() {
	name=$1 compiler=$2 source=$3; shift 3
	mkdir -p "$name.modules"
	case $source in *.[fF]*) set -- "$@" -J "$name.modules" ;; esac
	"$compiler" -g -O1 -fopenmp "$@" "$source" -o "$name.plain" > "$name.plain.said" 2>&1 ||
		{ cat "$name.plain.said" >&2; die "$name: cannot be built"; }
	rules=--filter=$work/rules
	case $compiler in
	g++) rules=$rules-c++ ;;
	gfortran) rules=$rules-fortran ;;
	clang*) rules=--mpi=auto ;;	# it has no choice of functions; this is the default
	esac
	"$FATHOM" "$rules" "$compiler" -g -O1 -fno-inline -fopenmp "$@" "$source" -o "$name.measured" > "$name.measured.said" 2>&1 ||
		{ cat "$name.measured.said" >&2; bad "$name: cannot be built with fathom"; return 1; }
	[ -n "$said_differs" ] || same "$name: what the compiler says" "$(cat "$name.plain.said")" "$(cat "$name.measured.said")"
}

# run_in DIRECTORY PROGRAM [WORD...]: its output, and its exit code in the last line
run_in() {
	directory=$1 program=$2; shift 2
	mkdir -p "$directory"
	(ulimit -c 0; cd "$directory" && exec "$work/$program" "$@") > "$directory/out" 2> "$directory/err"
	echo "exit code $?" >> "$directory/out"
}

# check_tasks FILE: as check_profile. A task that goes on elsewhere has its visit where it began, its time where it
# was executed and its shortest and longest instance where it ended; one that was cancelled never ended. And threads
# that go on while the file is written (exit-busy) have visits that their time does not know of.
check_tasks() {
	[ -x "$shared/oracle/check_cubex.py" ] || return 0
	"$PYTHON3" "$shared/oracle/check_cubex.py" --ignore S06 --max 1000 "$1" > found 2>&1 && return
	grep -E '^ *[0-9]+ +[A-Z]+[0-9]+ ' found > findings
	case $1 in
	*-busy-*) grep -v ' S05 ' findings ;;
	*) grep -Ev ' S0[56] .*[(]![$]omp (untied )?task @' findings ;;
	esac > faults
	[ -s findings ] && [ ! -s faults ] || { cat found >&2; bad "$1: the checker finds faults"; }
}

# compare NAME [WORD...]: plain and measured run, for each number of threads: the same, and a sound profile
compare() {
	name=$1; shift
	for threads in $THREADS; do
		export OMP_NUM_THREADS=$threads
		at=$name${1:+-$1}-$threads
		run_in "$at.plain" "$name.plain" "$@"
		FATHOM_DIR=. FATHOM_NAME=experiment run_in "$at.measured" "$name.measured" "$@"
		same "$at: output" "$(cat "$at.plain/out")" "$(cat "$at.measured/out")"
		same "$at: stderr" "$(cat "$at.plain/err")" "$(grep -Ev '^fathom: (profile in|ended by)' "$at.measured/err")"
		profile=$at.measured/experiment/profile.cubex
		[ -f "$profile" ] || { bad "$at: no profile"; continue; }
		check_tasks "$profile"
		same "$at: functions that nobody wrote" "" "$(values visits "$profile" | grep -E '[.]omp_outlined|[.]_omp_fn')"
		same "$at: lost" "" "$("$builddir/test/run/dump" -s "$profile" | grep -E '^attribute fathom::(dropped|unbalanced)')"
	done
}

# expected ADAPTER NAME SOURCE [WORD]: and in the profiles is what the source says
expected() {
	adapter=$1 name=$2 source=$3; shift 3
	for threads in $THREADS; do
		profile=$name${1:+-$1}-$threads.measured/experiment/profile.cubex
		[ -f "$profile" ] || continue
		"$PYTHON3" "$here/expect.py" "$source" "$adapter" "$threads" "$profile" "$@" || bad "$name${1:+ $1}, $threads threads: not as expected"
	done
}
