#!/bin/bash
# make check-endings: the table of endings in its long form, about an hour: each way 20 times in each setting, under
# load. TIMES and ENDINGS (a pattern of grep -E) choose less.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"
. "$srcdir/test/run/endings/lib.sh"
build_ways
build_others

# A busy process for each processor, and one that starts other processes.
loaders=
for ((i = 0; i < $(nproc); i++)); do
	while :; do :; done &
	loaders="$loaders $!"
done
while :; do /bin/true; done &
loaders="$loaders $!"
trap 'kill $loaders 2> /dev/null; cd / && rm -rf "$work"' EXIT

each_way=${TIMES:-20}
try_table "${ENDINGS:-}"
for ((i = 0; i < each_way && i < 5; i++)); do
	[ "${ENDINGS:-}" ] || try_surroundings
done
echo "$runs runs"
verdict
