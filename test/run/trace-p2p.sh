#!/bin/bash
# Messages and collectives in a trace: every kind of request, and what is said where something is missing.
. "${srcdir:?}/test/lib.sh" || exit 99
need_mpi
. "$srcdir/test/run/trace-lib.sh"

libs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-mpi -lfathom -Wl,--pop-state"
"$MPICC" -g -O1 -w "$srcdir/test/run/trace_p2p.c" -o prog $libs || die "cannot build"

# run WHAT: of the program, into the directory $dir; is it complete, as the trace says?
run() {
	rm -rf fathom-*-*
	FATHOM_MODE=trace "$MPIRUN" -n 3 ./prog $1 > out 2> err || die "$1: it fails: $(cat err)"
	dir=$(experiment) || die "$1: no experiment"
	sound "messages $1" "$dir"
	command -v otf2-print > /dev/null || skip "no otf2-print (Debian: otf2-tools)"
	complete=$(otf2-print -I "$dir/traces.otf2" | grep -A1 'MPI_COMMUNICATION_COMPLETE' | sed -n 's/^.*value *//p')
}

run ""
same "complete" true "$complete"
otf2-print -L 1 "$dir/traces.otf2" | sed -n 's/^\([A-Z_]*\) *1 *[0-9]* */\1 /p' > rank1
count() { same "$1" "$2" "$(grep -Ec "$1" rank1)"; }
count '^MPI_REQUEST_CANCELLED' 1
# Of MPI_PROC_NULL nothing, of all others each its record.
count '^MPI_SEND .*Tag: 1,' 1
count '^MPI_(SEND|RECV) .*Tag: 2,' 2
count '^MPI_(SEND|RECV) .*Tag: 3,' 2
count '^MPI_(ISEND|IRECV) .*Tag: 4,' 2
count '^MPI_IRECV .*Tag: 9, Length: 40' 1
count '^MPI_IRECV .*Tag: 9, Length: 41' 1
# Persistent ones have the same number at each start, partitioned ones are messages of all parts.
count '^MPI_ISEND .*Tag: [78],' 6
same "numbers" 2 "$(sed -n 's/^MPI_ISEND .*Tag: [78],.*Request: //p' rank1 | sort -u | wc -l)"
count '^MPI_(ISEND|IRECV) .*Tag: 10, Length: 100' 4
# However the program lists them, what was posted first completes first.
same "in order" "10 20 30 40" "$(echo $(sed -n 's/^MPI_IRECV .*Tag: 5, Length: \([0-9]*\).*/\1/p' rank1))"
# What is matched begins with its probe, and keeps its number however it is received.
numbers=$(sed -n '/^ENTER .*"MPI_M\?I\?m\?probe"/,/^LEAVE/s/^MPI_IRECV_REQUEST .*Request: //p' rank1 | tail -4 | tr '\n' ' ')
lengths=
for number in $numbers; do
	lengths="$lengths $(sed -n "s/^MPI_IRECV .*Tag: 11, Length: \([0-9]*\), Request: $number\$/\1/p" rank1)"
done
same "matched" " 60 61 62 63" "$lengths"
same "received" "61 63 62 60" "$(echo $(sed -n 's/^MPI_IRECV .*Tag: 11, Length: \([0-9]*\).*/\1/p' rank1))"
# A send stands before the receives of the same MPI_Startall.
same "sends first" "ENTER MPI_ISEND MPI_ISEND MPI_IRECV_REQUEST MPI_IRECV_REQUEST LEAVE" \
	"$(echo $(grep -m1 -A5 '^ENTER .*"MPI_Startall"' rank1 | awk '{ print $1 }'))"
count '^NON_BLOCKING_COLLECTIVE_COMPLETE' $((6 + 18))
count '^NON_BLOCKING_COLLECTIVE_COMPLETE .*ALLREDUCE' $((3 + 3))
# Each persistent operation has a communicator of its own; what is started in between has that of the program.
count '^NON_BLOCKING_COLLECTIVE_COMPLETE .*ALLREDUCE, Communicator: "MPI_COMM_WORLD"' 1
count '^NON_BLOCKING_COLLECTIVE_COMPLETE .*ALLREDUCE, Communicator: "MPI_Allreduce_init 1"' 2
count '^NON_BLOCKING_COLLECTIVE_COMPLETE .*ALLREDUCE, Communicator: "MPI_Allreduce_init 3"' 3
count '^NON_BLOCKING_COLLECTIVE_COMPLETE .*BARRIER, Communicator: "MPI_Barrier_init [12]"' 9
same "communicators of operations" 7 "$(otf2-print -G "$dir/traces.otf2" | grep -Ec '^(INTER_)?COMM .*"MPI_[A-Za-z]*_init [0-9]*"')"

# The message arrives, but nobody sees the request's end.
run free
same "complete with a freed request" false "$complete"
run open
same "complete with an open request" false "$complete"

# Tests that find nothing are records where they are asked for; a communicator that is made without waiting is a
# collective that ends later.
cat > tests.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
	int rank, in = 0, go = 1, flag, index, some, indices[2];
	MPI_Request r[2];
	MPI_Comm copy;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (rank == 0) {
		MPI_Irecv(&in, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &r[0]);
		r[1] = MPI_REQUEST_NULL;
		MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);
		MPI_Testany(2, r, &index, &flag, MPI_STATUS_IGNORE);
		MPI_Testsome(2, r, &some, indices, MPI_STATUSES_IGNORE);
		MPI_Testall(2, r, &flag, MPI_STATUSES_IGNORE);
		MPI_Send(&go, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
		MPI_Wait(&r[0], MPI_STATUS_IGNORE);
		MPI_Test(&r[0], &flag, MPI_STATUS_IGNORE);	/* there is none any more */
	} else if (rank == 1) {
		MPI_Recv(&go, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		MPI_Send(&go, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
	}
	MPI_Comm_idup(MPI_COMM_WORLD, &copy, &r[0]);
	MPI_Wait(&r[0], MPI_STATUS_IGNORE);
	MPI_Comm_free(&copy);
	MPI_Finalize();
	return 0;
}
C
"$MPICC" -g -O1 -w tests.c -o tests $libs || die "cannot build tests.c"
for tests in on off; do
	rm -rf fathom-*-*
	FATHOM_TRACE_TESTS=$tests FATHOM_MODE=trace "$MPIRUN" -n 2 ./tests > out 2> err || bad "tests.c fails: $(cat err)"
	dir=$(experiment) && sound "tests $tests" "$dir"
	otf2-print -L 0 "$dir/traces.otf2" > rank0
	n=$(grep -c '^MPI_REQUEST_TEST ' rank0)
	[ $tests = on ] || same "records of tests that nobody asked for" 0 "$n"
	[ $tests = off ] || [ "$n" -ge 4 ] || bad "records of tests: $n"
done
same "idup" "REQUEST, COMM_CREATE, COMPLETE CREATE_HANDLE" "$(sed -n '/MPI_Comm_idup/,/LEAVE.*MPI_Wait/{s/^NON_BLOCKING_COLLECTIVE_REQUEST.*/REQUEST,/p; s/^COMM_CREATE.*/COMM_CREATE,/p; s/^NON_BLOCKING_COLLECTIVE_COMPLETE.*Operation: \([A-Z_]*\),.*/COMPLETE \1/p}' rank0 | tr '\n' ' ' | sed 's/ $//')"

# Open MPI, which calls persistent collective operations MPIX_ before MPI 4: bytes in the profile, and in the trace.
have_openmpi && [ -e "$builddir/.libs/libfathom-mpi-openmpi.so" ] || verdict
use_openmpi
cat > persistent.c <<'C'
#include "mpi4.h"
#include <stdio.h>
int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
#if HAVE_PERSISTENT_COLLECTIVES
	double out[8] = { 0 }, in[8];
	int rank;
	MPI_Request request;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PERSISTENT_CALL(Alltoall, )(out, 3, MPI_DOUBLE, in, 3, MPI_DOUBLE, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	for (int i = 0; i < 4; i++) {
		MPI_Start(&request);
		MPI_Wait(&request, MPI_STATUS_IGNORE);
	}
	MPI_Request_free(&request);
	if (rank == 0)
		puts(PERSISTENT_PREFIX "Alltoall_init");
#endif
	MPI_Finalize();
	return 0;
}
C
"$MPICC" -g -O1 -w -I"$srcdir/test/wrappers" persistent.c -o persistent \
	"-L$builddir/.libs" "-Wl,-rpath,$builddir/.libs" -Wl,--no-as-needed -lfathom-mpi-openmpi -lfathom || die "cannot build persistent.c"
rm -rf fathom-*-*
FATHOM_MODE=profile,trace "$MPIRUN" -n 2 ./persistent > out 2> err || die "Open MPI: it fails: $(cat err)"
call=$(grep _init out) || { left_out "persistent collective operations: this Open MPI has none"; verdict; }
dir=$(experiment) || die "Open MPI: no experiment"
sound "Open MPI" "$dir"
same "Open MPI: visits" 2 "$(value visits "persistent/$call" "$dir/profile.cubex")"
for metric in bytes_sent bytes_received; do	# 2 ranks, 2 blocks of 3 doubles, 4 times
	same "Open MPI: $metric" $((2 * 2 * 24 * 4)) "$(value $metric persistent/MPI_Wait "$dir/profile.cubex")"
done
otf2-print -L 1 "$dir/traces.otf2" > rank1
same "Open MPI: operations" 4 \
	"$(grep -c "^NON_BLOCKING_COLLECTIVE_COMPLETE .*ALLTOALL, Communicator: \"$call 1\".*Sent: 48, Received: 48" rank1)"
verdict
