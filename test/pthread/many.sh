#!/bin/sh
# Ten thousand threads, one after the other: all are in the profile, and memory stays bounded.
. "${srcdir:?}/test/pthread/lib.sh" || exit 99
threads=10000
peak() { sed -n 's/^peak //p' "$1"; }

thread_build many "$here/many.c"
run_both many $threads
visits_are "all of them" <<T
1 main
$threads main/pthread_create
$threads main/pthread_join
$threads main/{thread}
$threads main/{thread}/worker
$threads main/{thread}/worker/work
$threads main/{thread}/worker/work/pthread_mutex_lock
$threads main/{thread}/worker/work/pthread_mutex_unlock
T
cp got all
# The records of ended threads are kept: some pages for each.
[ "$(peak said)" -lt "$(($(peak plain.said) + threads * 24))" ] ||
	bad "$threads threads: $(peak said) KiB, without fathom $(peak plain.said)"

# Where a thread continues the record of one that has ended, there is no more than that of a few.
rm -rf "$result"
FATHOM_THREAD_REUSE=same
export FATHOM_THREAD_REUSE
run_both many $threads
values visits "$result/profile.cubex" | sed '1d; s, [^/]*/, ,' | sort -k2 > got
cmp -s all got || bad "with reuse: $(diff all got)"
[ "$(peak said)" -lt "$(($(peak plain.said) + 8192))" ] ||
	bad "$threads threads with reuse: $(peak said) KiB, without fathom $(peak plain.said)"
verdict
