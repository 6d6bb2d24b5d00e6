#!/bin/sh
# Errors, sessions, MPI_Abort, groups of calls that are off; see endings.c.
. "${srcdir:-.}/test/lib.sh"
need_mpi
program=$builddir/test/wrappers/endings

$MPIRUN -n 2 "$program" errors > out 2>&1
same "errors: exit code" 0 $?
contains "errors" "$(cat out)" '^ok errors$'

$MPIRUN -n 2 "$program" sessions > out 2>&1
same "sessions: exit code" 0 $?
contains "sessions" "$(cat out)" '^ok sessions$'

STANDIN_SAVED=$PWD/saved $MPIRUN -n 2 "$program" abort > out 2>&1
same "abort: exit code" 7 $?
contains "abort" "$(cat saved)" '^saved: MPI_Abort was called$'

# Only requests (2) and collectives (4).
STANDIN_GROUPS=6 $MPIRUN -n 2 "$program" off > out 2>&1
same "off: exit code" 0 $?
contains "off" "$(cat out)" '^ok off$'

# Nothing is measured: nothing is recorded, nobody is asked.
rm saved
STANDIN_SAVED=$PWD/saved STANDIN_MODE=0 $MPIRUN -n 2 "$program" abort > out 2>&1
same "mode none: exit code" 7 $?
[ -e saved ] && bad "mode none: $(cat saved)"
verdict
