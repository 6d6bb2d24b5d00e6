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
count '^MPI_RECV .*Tag: 9, Length: 40' 1
count '^MPI_IRECV .*Tag: 9, Length: 41' 1
# Persistent ones have the same number at each start, partitioned ones are messages of all parts.
count '^MPI_ISEND .*Tag: [78],' 6
same "numbers" 2 "$(sed -n 's/^MPI_ISEND .*Tag: [78],.*Request: //p' rank1 | sort -u | wc -l)"
count '^MPI_(ISEND|IRECV) .*Tag: 10, Length: 100' 4
# However the program lists them, what was posted first completes first.
same "in order" "10 20 30 40" "$(echo $(sed -n 's/^MPI_IRECV .*Tag: 5, Length: \([0-9]*\).*/\1/p' rank1))"
# A send stands before the receives of the same MPI_Startall.
same "sends first" "ENTER MPI_ISEND MPI_ISEND MPI_IRECV_REQUEST MPI_IRECV_REQUEST LEAVE" \
	"$(echo $(grep -m1 -A5 '^ENTER .*"MPI_Startall"' rank1 | awk '{ print $1 }'))"
count '^NON_BLOCKING_COLLECTIVE_COMPLETE' 6
count '^NON_BLOCKING_COLLECTIVE_COMPLETE .*ALLREDUCE' 3

# The message arrives, but nobody sees the request's end.
run free
same "complete with a freed request" false "$complete"
run open
same "complete with an open request" false "$complete"
verdict
