#!/bin/bash
# The search for wait states on 10,000 simulated ranks (test/bench/waits_scale.c): each of them is a host of the search,
# and then 16 hosts have them all. Both find the same waiting, and the delay costs explain all of it.
. "${srcdir:?}/test/lib.sh" || exit 99
scale=$builddir/test/bench/waits_scale
[ -x "$scale" ] || skip "built without the search for wait states"

# sums HOSTS: the number of operations, the waiting, the delay costs and the unexplained part.
sums() {
	"$scale" 10000 20 "$1" > out 2> err || bad "$1 hosts: $(cat err)"
	sed -n 's/.*operations \([0-9]*\), hosts.*/\1/p; s/.*waiting \([0-9.]*\) s, delays \([0-9.]*\) s, unexplained \([-0-9.]*\) s/\1 \2 \3/p' \
		out | paste -s -d' '
}
one_each=$(sums 10000)
awk '{ exit !($1 > 200000 && $2 > 1 && ($2 - $3)^2 < 1e-9 && $4^2 < 1e-9) }' <<< "$one_each" || bad "10,000 hosts: $one_each"
same "16 hosts" "$one_each" "$(sums 16)"
verdict
