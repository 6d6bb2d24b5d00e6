#!/bin/sh
# MOCASSIN, Fortran 90 and MPI (mpif.h): modules, and a Monte Carlo simulation that calls small procedures
# by the million.
. "${srcdir:?}/test/real/lib.sh"
need_mpi
[ -n "${MPIFC:-}" ] || skip "no Fortran compiler for MPI"
fetch mocassin plain all

# CO=valgrind is its name for -g without -O2; -O1 takes a third of the time of that. Its tables are below PREFIX/share/mocassin.
mkdir -p prefix/share && ln -s "$work/plain" prefix/share/mocassin
build plain make mocassin CO=valgrind FC="$MPIFC -O1 -g0" LD="$MPIFC" PREFIX="$work/prefix"
compiler=$(counting_too "$MPIFC")
all_functions build all make mocassin CO=valgrind FC="$compiler -O1" LD="$compiler" PREFIX="$work/prefix"
build_counter

# It seeds its random numbers by the clock: here both programs get the same ones.
cat > random.c <<'C'
static unsigned long long state = 88172645463325252ull;
void _gfortran_random_r4(float *x)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	*x = (float)(state >> 40) / 16777216.0f;
}
C
"$CC" -O2 -shared -fPIC random.c -o random.so || die "cannot build random.so"

# Its first benchmark with fewer photons and cells.
for kind in plain all; do
	mkdir $kind/run $kind/run/output
	cp -r $kind/benchmarks/gas/HII20 $kind/run/input
	sed -i '/autoPackets/d; s/^maxIterateMC.*/maxIterateMC 2 100./; s/^nPhotons.*/nPhotons 500/; s/^\(n[xyz]\) 13/\1 7/' \
		$kind/run/input/input.in
done

# What two ranks say has no order of its own.
masked() { sed -E 's/finished at .*//; /run time/s/[0-9:]+ \(HMS\)//; /time/s/[0-9]+ *(hours|minutes|seconds)//g' "$1" | sort; }
FATHOM_MPI=all; export FATHOM_MPI
for kind in plain all; do
	count_mpi=; [ $kind = all ] && count_mpi=yes
	timed "$kind" in_dir $kind/run mpi sh -c 'LD_PRELOAD="$0 ${LD_PRELOAD:-}" exec ../mocassin' "$work/random.so" > $kind.out 2> $kind.err ||
		bad "$kind: exit code $?"
	same "$kind: output" "$(masked plain.out)" "$(masked $kind.out)"
	same "$kind: said" "$(cat plain.err)" "$(grep -v -e '^fathom: profile in' -e 'after MPI_Finalize' $kind.err)"
	for file in plain/run/output/*; do
		same "$kind: $(basename "$file")" "$(masked "$file")" "$(masked "$kind/run/output/$(basename "$file")")"
	done
done
contains "the output" "$(cat plain.out)" "clean exit"
[ "$(wc -l < plain/run/output/grid1.out)" -gt 100 ] || bad "there are no results"
profile_of all/run
calls_equal "$profile" all/run
calls_counted all counts
visits_equal all "$profile" counts
verdict
