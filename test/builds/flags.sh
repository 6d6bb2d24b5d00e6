#!/bin/sh
# fathom flags: words for builds without the command, and what pkg-config says of this build tree's installation is
# looked at by check/install.sh.
. "$srcdir/test/builds/lib.sh"
flags() { "$FATHOM" flags "$@" 2> err || bad "fathom flags $*: $(cat err)"; }
# by_flags COMPILER SOURCES OUTPUT FLAGS-OPTION...: compile and link as a plain Makefile would
by_flags() {
	compiler=$1 sources=$2 output=$3
	shift 3
	cflags=$(flags "$@" --cflags) libs=$(flags "$@" --libs)
	# shellcheck disable=SC2086
	for source in $sources; do $compiler $cflags -g -O1 -w $extra -c "$source" -o "${source%.*}.$output.o" || die "$compiler $source"; done
	# shellcheck disable=SC2046,SC2086
	$compiler $extra $(for source in $sources; do echo "${source%.*}.$output.o"; done) -o "$output" $libs || die "$compiler: link $output"
}
extra=
by_flags gcc "serial.c part.c" serial
measured "C" ../serial serial/main/solve/part_of_library
by_flags g++ objects.cc objects --compiler=g++
measured "C++" ../objects 'objects/main/.*sweep.*'
by_flags gcc "serial.c part.c" bare --no-compiler
not_measured "--no-compiler" ../bare
echo 'exclude part_*' > rules
by_flags gcc "serial.c part.c" filtered --filter=rules
if flags --cflags | grep -q plugin; then
	measured "--filter" ../filtered filtered/main/solve
	grep -q part_of visits && bad "--filter: $(cat visits)"
fi
if have gfortran; then
	by_flags gfortran fields.f90 fields --compiler=gfortran
	measured "Fortran" ../fields 'fields/fields/.*relax.*'
fi
one=$(flags --cflags --libs)
same "both at once" "$(flags --cflags) $(flags --libs)" "$one"
same "a launcher and words" "$one" "$(flags --cflags --libs --compiler='ccache gcc -m64')"

for kind in mpich openmpi; do
	case $kind in
	mpich) mpicc=${MPICC:-} run=${MPIRUN:-} fortran=${MPIFC:-} ;;
	openmpi) mpicc=${OPENMPI_CC:-} run=${OPENMPI_RUN:-} fortran=${OPENMPI_FC:-}; openmpi_environment ;;
	esac
	[ -n "$mpicc" ] && [ -n "$run" ] || continue
	by_flags "$mpicc" ranks.c ranks-$kind --compiler="$mpicc"
	measured "$kind" "$run -n 2 ../ranks-$kind" main/MPI_Init main/share/MPI_Allreduce
	same "$kind: the same by its name" "$(flags --libs --compiler="$mpicc")" "$(flags --libs --mpi=$kind)"
	[ -n "$fortran" ] || continue
	by_flags "$fortran" ranks.f90 ranksf-$kind --compiler="$fortran"
	measured "$kind, Fortran" "$run -n 2 ../ranksf-$kind" ranks/MPI_Allreduce
done

if have clang && [ -f "$builddir/.libs/libfathom-ompt.so" ] &&
	echo 'int main(void) { return 0; }' > t.c && clang -fopenmp t.c -o t 2> /dev/null; then
	extra=-fopenmp
	by_flags clang team.c team --compiler=clang --openmp
	measured "OpenMP" ../team 'team/main/fork_some/!.omp parallel @team.c:[0-9]+'
	# Where nobody tells of constructs, what clang made functions of is all that is known of the other threads.
	by_flags clang team.c bare --compiler=clang
	measured "OpenMP, without --openmp" ../bare '[.]omp_outlined[^/]*'
fi

# wrong CODE PATTERN WORDS...
wrong() {
	code=$1 pattern=$2
	shift 2
	"$FATHOM" flags "$@" > out 2> err
	same "flags $*: exit code" "$code" $?
	same "flags $*: output" "" "$(cat out)"
	same "flags $*: lines" 1 "$(wc -l < err)"
	contains "flags $*" "$(cat err)" "$pattern"
}
wrong 2 '^fathom: flags: --cflags or --libs is missing'
wrong 2 '^fathom: flags: --ldflags: only --cflags, --libs, ' --ldflags
wrong 2 '^fathom: --mpi=lam: auto, on, off, mpich or openmpi is allowed$' --libs --mpi=lam
wrong 2 '^fathom: flags: --compiler=ls: not a compiler that fathom knows$' --cflags --compiler=ls
wrong 127 '^fathom: gcc-99: not found$' --cflags --compiler=gcc-99
wrong 1 '^fathom: flags: --openmp: with gcc, OpenMP is measured by rewriting sources' --openmp --libs
same "help" "$("$FATHOM" help flags)" "$("$FATHOM" flags --help)"
verdict
