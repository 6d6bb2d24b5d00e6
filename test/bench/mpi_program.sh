#!/bin/sh
# mpi_program.sh NAME DIRECTORY: builds a real MPI program in DIRECTORY/NAME without fathom, for bench.py; what was built
# there stays. It is fetched and built as the tests of test/real do; exit 77, with the reason, where it cannot be had.
name=$1 directory=$2
. "${srcdir:?}/test/real/lib.sh" || exit 99
[ ! -e "$directory/$name.built" ] || exit 0
rm -rf "${directory:?}/$name"
fetch "$name" "$directory/$name"
case $name in
hpcc)
	. "$srcdir/test/real/hpcc-build.sh" || exit 99
	hpcc "$directory/hpcc" "$MPICC"
	;;
tachyon)
	build "$directory/tachyon/unix" make all ARCH=linux-mpi CC="$MPICC" CFLAGS="-O2 -g -DLinux -DMPI -DUSE_MPI_IN_PLACE" \
		AR=ar ARFLAGS=r RANLIB=ranlib STRIP=true LIBS="-L. -ltachyon -lm" ;;
*) die "$name: hpcc or tachyon" ;;
esac
: > "$directory/$name.built"
