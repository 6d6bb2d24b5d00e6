#!/bin/sh
# Signals, jumps, cancellation and child processes in input and output calls: the program does what it does alone.
. "${srcdir:?}/test/lib.sh" || exit 99
here=$srcdir/test/io
[ -e "$builddir/.libs/libfathom-io.so" ] || skip "no shared libraries (configured with --disable-shared)"

"$CC" -g -O1 "$here/endings.c" -o plain -pthread && "$FATHOM" --io "$CC" -g -O1 "$here/endings.c" -o measured -pthread ||
	die "cannot build endings.c"
./plain > plain.out
same "alone: exit code" 7 $?
for mode in profile trace none; do
	[ $mode != trace ] || [ -e "$builddir/.libs/libfathom-trace.so" ] || continue
	FATHOM_NAME=$mode FATHOM_MODE=$mode ./measured > out 2> err
	same "$mode: exit code" 7 $?
	cmp -s plain.out out || bad "$mode prints $(diff plain.out out)"
done
file=profile/profile.cubex
check_profile "$file"
same "the handler's call" 1 "$(values visits "$file" | grep -c 'main/read/write_there/write$')"
same "reads in main" 3 "$(value visits measured/main/read "$file")"
[ ! -e trace ] || "$builddir/fathom-check" trace > said 2>&1 || bad "trace: $(tail -3 said)"
FATHOM_NAME=run "$FATHOM" run --io ./plain > out 2> err
same "run: exit code" 7 $?
cmp -s plain.out out || bad "run prints $(diff plain.out out)"
verdict
