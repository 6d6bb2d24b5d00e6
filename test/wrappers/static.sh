#!/bin/sh
# The archives: with a shared MPI, and with MPI's own archive; weak MPI_ names in that must lose.
. "${srcdir:-.}/test/lib.sh"
need_mpi
libs=$builddir/.libs
[ -f "$libs/libfathom-mpi.a" ] && [ -f "$libs/libfathom.a" ] || skip "no archives: built without static libraries"
cat > ring.c <<'EOF'
#include <mpi.h>
int main(void)
{
	int me, all, out = 1, in = 0;
	MPI_Init(0, 0);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &all);
	MPI_Sendrecv(&out, 1, MPI_INT, (me + 1) % all, 0, &in, 1, MPI_INT, (me + all - 1) % all, 0, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
	MPI_Finalize();
	return in != 1;
}
EOF
flags=$("$MPICC" -show 2>/dev/null | tr ' ' '\n' | grep -E '^-[IL]' | tr '\n' ' ')
# links NAME LIBRARIES: what it links with, runs and leaves
links() {
	name=$1
	shift
	$CC ring.c $flags "$libs/libfathom-mpi.a" "$libs/libfathom.a" "$@" -lm -lpthread -o "$name" 2> err ||
		{ bad "$name does not link: $(tail -3 err)"; return; }
	readelf -d "$name" | grep NEEDED | grep fathom && bad "$name is not linked with the archives"
	FATHOM_NAME=result-$name $MPIRUN -n 2 "./$name" > out 2>&1
	same "$name: exit code" 0 $?
	[ -f "result-$name/profile.cubex" ] || bad "$name left no profile: $(cat out)"
	tar -xOf "result-$name/profile.cubex" anchor.xml 2> /dev/null > anchor.xml
	grep -q 'MPI_Sendrecv' anchor.xml || bad "$name: its calls are not in the profile"
}
links shared-mpi -lmpich
archive=$("$MPICC" -show 2>/dev/null | tr ' ' '\n' | sed -n 's/^-L//p' | while read -r d; do [ -f "$d/libmpich.a" ] && echo "$d/libmpich.a"; done | head -1)
if [ -n "$archive" ] && echo 'int main(void) { return 0; }' > empty.c && $CC empty.c -lhwloc -lucp -lucs -o empty 2> /dev/null; then
	links static-mpi "$archive" -lhwloc -lucp -lucs
fi
verdict
