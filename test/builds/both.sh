#!/bin/sh
# Open MPI beside MPICH, from one installation: the same program by both, in profiles and traces; and what is built for
# neither gets the wrappers of the MPI it turns out to have.
. "$srcdir/test/lib.sh"
. "$srcdir/test/instrument/lib.sh"
need_mpi
mpich=$MPICC mpich_run=$MPIRUN
use_openmpi
open=$MPICC open_run=$MPIRUN
[ -f "$libraries/libfathom-mpi.so" ] && [ -f "$libraries/libfathom-mpi-openmpi.so" ] || skip "not built for both MPIs"
unset FATHOM_MODE

cat > ring.c <<'EOF'
#include <mpi.h>
#include <stdio.h>
static __attribute__((noinline)) void round_trip(int rank, int size, MPI_Comm comm)
{
	double out[10] = { 0 }, in[10];
	MPI_Request requests[2];
	MPI_Irecv(in, 10, MPI_DOUBLE, (rank + size - 1) % size, 3, comm, &requests[0]);
	MPI_Isend(out, 10, MPI_DOUBLE, (rank + 1) % size, 3, comm, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}
int main(int argc, char **argv)
{
	int rank, size, sum;
	MPI_Comm copy;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_dup(MPI_COMM_WORLD, &copy);
	for (int i = 0; i < 5; i++)
		round_trip(rank, size, copy);
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, copy);
	MPI_Comm_free(&copy);
	if (rank == 0)
		printf("%d\n", sum);
	MPI_Finalize();
	return 0;
}
EOF
export FATHOM_INSTRUMENT_MIN_INSNS=0
for kind in mpich open; do
	eval "compiler=\$$kind"
	"$FATHOM" "$compiler" -w -g -O1 ring.c -o $kind.measured || bad "$kind: cannot build"
	"$compiler" -w -g -O1 ring.c -o $kind.plain
done

# Wrappers of the one for programs of the other would crash them.
"$FATHOM" --mpi=openmpi "$mpich" -w ring.c -o mixed 2> err; same "--mpi=openmpi for MPICH: exit code" 2 $?
contains "--mpi=openmpi for MPICH" "$(cat err)" "^fathom: --mpi=openmpi: $mpich links MPICH; without --mpi= its own wrappers are taken$"
"$FATHOM" --mpi=mpich "$open" -w ring.c -o mixed 2> err; same "--mpi=mpich for Open MPI: exit code" 2 $?
contains "--mpi=mpich for Open MPI" "$(cat err)" "^fathom: --mpi=mpich: $open links Open MPI; without --mpi= its own wrappers are taken$"
[ ! -e mixed ] || bad "a program with the wrappers of the other MPI was built"

# look WHAT PREFIX: the experiment here has what the program did, by 3 ranks
look() {
	dir=$(experiment) || { bad "$1: $(cat err)"; return; }
	[ -f "$dir/profile.cubex" ] || { bad "$1: no profile"; return; }
	check_profile "$dir/profile.cubex"
	same "$1: Isend" 15 "$(value visits "$2/MPI_Isend" "$dir/profile.cubex")"
	same "$1: bytes sent" 1200 "$(value bytes_sent "$2/MPI_Isend" "$dir/profile.cubex")"
	same "$1: bytes received" 1200 "$(value bytes_received "$2/MPI_Waitall" "$dir/profile.cubex")"
}
for kind in mpich open; do
	eval "run=\$${kind}_run"
	rm -rf fathom-*
	same "$kind: output" 3 "$("$run" -n 3 ./$kind.measured 2> err)"
	look "$kind" "$kind.measured/main/round_trip"
	rm -rf fathom-*
	same "$kind, fathom run: output" 3 "$("$run" -n 3 "$FATHOM" run ./$kind.plain 2> err)"
	look "$kind, fathom run" "$kind.plain"
	[ -f "$builddir/.libs/libfathom-trace.so" ] || continue
	rm -rf fathom-*
	same "$kind, trace: output" 3 "$(FATHOM_MODE=trace "$run" -n 3 ./$kind.measured 2> err)"
	dir=$(experiment) || continue
	"$FATHOM" check "$dir" > check.out 2>&1 || bad "$kind, trace: $(cat check.out)"
done

# The launcher of the one with a program of the other: each process is alone, and one line says why.
for kind in mpich open; do
	[ $kind = mpich ] && run=$open_run || run=$mpich_run
	rm -rf fathom-*
	"$run" -n 2 ./$kind.measured > out 2> err
	[ "$(grep -c '^fathom: profile in' err)" = 2 ] || continue	# it did not come so far
	same "$kind by the other launcher" 1 "$(grep -c '^fathom: the launcher of .* has started 2 processes of a program that uses .*: each process runs alone' err)"
done

# A script that runs programs of both: each process finds out for itself.
printf '#!/bin/sh\n"$@"\n' > script; chmod +x script
for first in mpich open; do
	for kind in mpich open; do
		rm -rf fathom-*
		same "--mpi=$first, a script, $kind" 0 "$("$FATHOM" run --mpi="$(echo $first | sed 's/open/openmpi/')" ./script ./$kind.plain "a b" 2> err)"
		found=
		for dir in fathom-$kind.plain-*/; do
			[ -f "$dir/profile.cubex" ] && found=$(value visits "$kind.plain/MPI_Isend" "$dir/profile.cubex")
		done
		same "--mpi=$first, a script, $kind: Isend" 5 "$found"
	done
done

# MPI that comes by dlopen: nothing can be known, and nothing goes wrong unsaid.
sed 's/int main(int argc, char \*\*argv)/int run(void);\nint run(void)/; s/&argc, &argv/0, 0/' ring.c > plugin.c
cat > host.c <<'EOF'
#include <dlfcn.h>
int main(void)
{
	void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
	int (*run)(void) = plugin ? (int (*)(void))dlsym(plugin, "run") : 0;
	return run ? run() : 9;
}
EOF
$CC host.c -ldl -o host && "$open" -w -shared -fPIC plugin.c -o plugin.so || die "cannot build a plugin"
rm -rf fathom-*
same "plugin, by launcher" 3 "$("$open_run" -n 3 "$FATHOM" run ./host 2> err)"
look "plugin, by launcher" host
rm -rf fathom-*
same "plugin, --mpi=openmpi" 0 "$("$FATHOM" run --mpi=openmpi ./host 2> err)"
"$FATHOM" run --mpi=mpich ./host > out 2> err && bad "plugin, the wrong wrappers: goes on"
contains "plugin, the wrong wrappers" "$(cat err)" '^fathom: .*the program has loaded openmpi while it runs, but wrappers for mpich were preloaded.*fathom run --mpi=openmpi$'
same "plugin, --mpi=off" 0 "$("$FATHOM" run --mpi=off ./host 2> err)"
"$FATHOM" run --mpi=lam ./host 2> err; same "--mpi=lam" 2 $?
contains "--mpi=lam" "$(cat err)" '^fathom: run: --mpi=lam: only --mpi=mpich, --mpi=openmpi and --mpi=off are possible$'
verdict
