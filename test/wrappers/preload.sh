#!/bin/sh
# The preloaded library: harmless where there is no MPI, and there when MPI comes late.
. "${srcdir:-.}/test/lib.sh"
need_mpi
library=$builddir/.libs/libfathom-mpi-preload.so
[ -f "$library" ] || skip "no preload library: built without shared libraries"
export FATHOM_DIR="$work" FATHOM_MODE=none

for program in /bin/true "/bin/sh -c :" "$PYTHON3 -c pass"; do
	LD_PRELOAD=$library $program > out 2>&1 || bad "$program fails with the library preloaded: $(cat out)"
	same "$program, output" "" "$(cat out)"
	LD_BIND_NOW=1 LD_PRELOAD=$library $program > out 2>&1 || bad "$program, bound at once, fails: $(cat out)"
	same "$program, bound at once, output" "" "$(cat out)"
done
unset FATHOM_MODE

# MPI in a plugin that only its opener sees.
cat > plugin.c <<'EOF'
#include <mpi.h>
int run(void);
int run(void)
{
	int rank = -1, sum = 0, one = 1;
	MPI_Init(0, 0);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	MPI_Finalize();
	return sum == 2 ? 0 : 1;
}
EOF
cat > host.c <<'EOF'
#include <dlfcn.h>
int main(void)
{
	void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
	int (*run)(void) = plugin ? (int (*)(void))dlsym(plugin, "run") : 0;
	return run ? run() : 9;
}
EOF
"$MPICC" -shared -fPIC plugin.c -o plugin.so || die "cannot build the plugin"
$CC host.c -ldl -o host || die "cannot build its host"
cc_mpi=$("$MPICC" -show 2>/dev/null | tr ' ' '\n' | grep '^-I' | tr '\n' ' ')
$CC -shared -fPIC -std=gnu11 -I"$srcdir/lib" -I"$builddir" $cc_mpi "$srcdir/test/wrappers/standin.c" "$srcdir/lib/comm/binomial_tree.c" \
	-lpthread -o standin.so || die "cannot build the stand-in"
for now in "" "LD_BIND_NOW=1"; do
	$MPIRUN -n 2 env $now FATHOM_MODE=none STANDIN_DUMP=1 LD_PRELOAD="$work/standin.so $library" ./host > out 2>&1
	same "plugin $now" 0 $?
	contains "plugin $now" "$(cat out)" '^0 MPI_Allreduce 1$'
	contains "plugin $now" "$(cat out)" '^1 MPI_Init 1$'
done
verdict
