#!/bin/bash
# Files in a trace: handles, operations with offsets and bytes, in all ways MPI has of using them.
. "${srcdir:?}/test/lib.sh" || exit 99
need_mpi
. "$srcdir/test/run/trace-lib.sh"

libs="-L$builddir/.libs -Wl,-rpath,$builddir/.libs -Wl,--push-state,--no-as-needed -lfathom-mpi -lfathom -Wl,--pop-state"
"$MPICC" -g -O1 -w "$srcdir/test/run/trace_io.c" -o prog $libs || die "cannot build"
FATHOM_MODE=profile,trace "$MPIRUN" -n 3 ./prog data > out 2> err || die "it fails: $(cat err)"
dir=$(experiment) || die "no experiment"
sound io "$dir"
command -v otf2-print > /dev/null || skip "no otf2-print (Debian: otf2-tools)"

# What rank 1 did: operation, flags, bytes wanted, offset ("-": not known).
otf2-print -L 1 "$dir/traces.otf2" | awk '
	function flush() { if (line != "") print line, offset; line = "" }
	/^IO_OPERATION_BEGIN/ {
		flush()
		match($0, /Mode: [A-Z]*/); mode = substr($0, RSTART + 6, RLENGTH - 6)
		match($0, /Operation Flags: ({[^}]*}|NONE)/); flags = substr($0, RSTART + 17, RLENGTH - 17)
		match($0, /Bytes Request: [0-9]*/); bytes = substr($0, RSTART + 15, RLENGTH - 15)
		gsub(/[{} ]/, "", flags)
		line = mode " " flags " " bytes; offset = "-"
	}
	/"Offset"/ { match($0, /UINT64; [0-9]*/); offset = substr($0, RSTART + 8, RLENGTH - 8) }
	END { flush() }' > operations
cat > expected <<E
WRITE NONE 80 1000
WRITE COLLECTIVE 800 1000
FLUSH COLLECTIVE 0 -
READ NONE 800 1700
WRITE NON_BLOCKING 160 1000
READ NON_BLOCKING 168 1500
WRITE NON_BLOCKING,COLLECTIVE 16 1000
WRITE NON_BLOCKING,COLLECTIVE 240 1000
WRITE NONE 40 1000
WRITE NONE 48 1040
READ COLLECTIVE 56 1024
READ NON_BLOCKING 64 1080
WRITE NONE 72 -
E
diff expected operations > difference || bad "operations: $(cat difference)"
count() { same "$1" "$2" "$(otf2-print -L ${3:-1} "$dir/traces.otf2" | grep -Ec "$1")"; }
count '^IO_CREATE_HANDLE' 2
count '^IO_CREATE_HANDLE .*data.1".*WRITE_ONLY.*\{CREATE\}.*\{DELETE_ON_CLOSE\}' 1
count '^IO_DESTROY_HANDLE' 2
count '^IO_OPERATION_COMPLETE' 13
count '^IO_OPERATION_ISSUED' 5
count '^IO_SEEK .*Offset Request: 2, Whence: FROM_START, Offset Result: 1016' 1
count '^IO_SEEK .*Offset Request: 1, Whence: FROM_CURRENT, Offset Result: 1024' 1
count '^IO_DELETE_FILE' 0
count '^IO_DELETE_FILE .*data' 1 0
# One file of all and one of each.
same "files" 4 "$(otf2-print -G "$dir/traces.otf2" | grep -c '^IO_REGULAR_FILE')"
# The profile of the same run searches for wait states. Their metrics are not in the trace.
same "metrics" 0 "$(otf2-print -G "$dir/traces.otf2" | grep -c '^METRIC_MEMBER')"
same "handles" 4 "$(otf2-print -G "$dir/traces.otf2" | grep -c '^IO_HANDLE')"

# The profile counts the bytes as it does alone.
values io_bytes_written "$dir/profile.cubex" | sort > both
mv "$dir" kept
# Operations end also where the call that waits for them is not recorded.
rm -rf fathom-* data
FATHOM_MODE=trace FATHOM_MPI=io,comm,env "$MPIRUN" -n 3 ./prog data > out 2> err || bad "it fails: $(cat err)"
dir=$(experiment) && sound "without requests" "$dir"
rm -rf fathom-* data

FATHOM_MODE=profile "$MPIRUN" -n 3 ./prog data > out 2> err || bad "it fails without a trace: $(cat err)"
alone=$(experiment) && values io_bytes_written "$alone/profile.cubex" | sort > alone
[ -s both ] || bad "no bytes"
diff both alone > difference || bad "the profile differs: $(cat difference)"
verdict
