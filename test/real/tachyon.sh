#!/bin/bash
# Tachyon, C and MPI: a ray tracer whose ranks exchange lines of the picture by persistent requests.
. "${srcdir:?}/test/real/lib.sh"
need_mpi
fetch tachyon plain default all

# tachyon DIRECTORY COMPILER: what its "make linux-mpi" does, but with that compiler and not stripped
tachyon() {
	build "$1/unix" make all ARCH=linux-mpi CC="$2" CFLAGS="-O2 -g -DLinux -DMPI -DUSE_MPI_IN_PLACE" \
		AR=ar ARFLAGS=r STRIP=true RANLIB=ranlib LIBS="-L. -ltachyon -lm"
}
tachyon plain "$MPICC"
tachyon default "$(with_fathom "$MPICC")"
all_functions tachyon all "$(counting_too "$MPICC")"
build_counter

# render DIRECTORY [COMMAND]
size=256
render() {
	where=$1; shift
	in_dir $where mpi "$@" compile/linux-mpi/tachyon scenes/balls.dat -res $size $size -o out.tga > $where.out 2> $where.err
}
FATHOM_MPI=all; export FATHOM_MPI
for kind in plain default all; do
	count_mpi=; [ $kind = default ] && count_mpi=yes
	timed "$kind" render $kind || bad "$kind: exit code $?"
	cmp plain/out.tga $kind/out.tga || bad "$kind: another picture"
	same "$kind: said" "$(cat plain.err)" "$(grep -v -e '^fathom: profile in' -e 'after MPI_Finalize' $kind.err)"
done
count_mpi=
calls_counted all counts
profile_of default
calls_equal "$profile" default
visits_equal some "$profile" counts
profile_of all
visits_equal all "$profile" counts --after-end freeoptions

# The plain program, measured without having been built for it: the same MPI calls.
mv plain/out.tga picture
timed "fathom run" render plain "$FATHOM" run || bad "fathom run: exit code $?"
cmp picture plain/out.tga || bad "fathom run: another picture"
profile_of plain
calls_equal "$profile" default

# A small picture in a trace.
if can_trace; then
	size=32
	render plain || bad "small: exit code $?"
	FATHOM_MODE=profile,trace timed "default, traced" render default || bad "traced: exit code $?"
	cmp plain/out.tga default/out.tga || bad "traced: another picture"
	same "traced: said" "$(cat plain.err)" "$(grep -v -e '^fathom: profile and trace in' -e 'after MPI_Finalize' default.err)"
	traced default tachyon
fi
verdict
