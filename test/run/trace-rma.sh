#!/bin/bash
# One-sided communication in a trace: every operation, what completes it, and what synchronises windows.
. "${srcdir:?}/test/lib.sh" || exit 99
need_mpi
. "$srcdir/test/run/trace-lib.sh"

libs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-mpi -lfathom -Wl,--pop-state"
"$MPICC" -g -O1 -w "$srcdir/test/run/trace_rma.c" -o prog $libs || die "cannot build"
FATHOM_MODE=profile,trace "$MPIRUN" -n 3 ./prog > out 2> err || die "it fails: $(cat err)"
dir=$(experiment) || die "no experiment"
sound rma "$dir"
command -v otf2-print > /dev/null || skip "no otf2-print (Debian: otf2-tools)"

# The records of rank 1, without times and what says the same of all.
otf2-print -L 1 "$dir/traces.otf2" | sed -n 's/^\(RMA_[A-Z_]*\) *1 *[0-9]* */\1 /p' > rank1
count() { same "$1" "$2" "$(grep -Ec "$1" rank1)"; }
count '^RMA_WIN_CREATE' 5
count '^RMA_WIN_DESTROY' 5
count '^RMA_COLLECTIVE_END Operation: CREATE_HANDLE,.*\{PROCESS\}' 2
count '^RMA_COLLECTIVE_END Operation: CREATE_HANDLE_AND_ALLOCATE' 3
count '^RMA_COLLECTIVE_END Operation: DESTROY_HANDLE_AND_DEALLOCATE' 3
count '^RMA_COLLECTIVE_END Operation: BARRIER, Window: "fenced".*\{PROCESS, MEMORY\}' 3
count '^RMA_PUT' 12
count '^RMA_PUT Window: "fenced" <[0-9]*>, Remote: 2 .*Bytes: 80,' 1
count '^RMA_GET' 3
count '^RMA_ATOMIC .*Type: ACCUMULATE,' 2
count '^RMA_ATOMIC .*Type: FETCH_AND_ACCUMULATE,' 4
count '^RMA_ATOMIC .*Type: COMPARE_AND_SWAP,.*Sent: 4, Received: 4' 1
count '^RMA_REQUEST_LOCK .*Type: EXCLUSIVE' 1
count '^RMA_REQUEST_LOCK .*Remote: UNDEFINED,.*Type: SHARED' 2
count '^RMA_RELEASE_LOCK' 4
count '^RMA_SYNC .*Remote: 2 .*Type: MEMORY' 3
count '^RMA_SYNC .*Remote: UNDEFINED,.*Type: MEMORY' 2
count '^RMA_GROUP_SYNC .*\{PROCESS\}' 4
count '^RMA_GROUP_SYNC .*\{PROCESS, MEMORY\}' 4

# Operations on one target share a number until they complete; with a request they have one of their own.
fenced=$(awk '/^RMA_(PUT|GET) Window: "fenced"/ { print $NF }' rank1 | sort -u | wc -l)
same "numbers between two fences" 1 "$fenced"
# Windows of MPI_COMM_SELF are one for each rank, and have the names that these gave them.
names=$(otf2-print -G "$dir/traces.otf2" | sed -n 's/^RMA_WIN .*Name: "\([a-z]*\)".*/\1/p' | sort | tr '\n' ' ')
same "names" "epochs fenced first locked other other" "$(echo $names)"
# The profile counts the bytes as it does alone.
values bytes_put "$dir/profile.cubex" | sort > both
mv "$dir" kept
FATHOM_MODE=profile "$MPIRUN" -n 3 ./prog > out 2> err || bad "it fails without a trace: $(cat err)"
alone=$(experiment) && values bytes_put "$alone/profile.cubex" | sort > alone
[ -s both ] || bad "no bytes"
diff both alone > difference || bad "the profile differs: $(cat difference)"
verdict
