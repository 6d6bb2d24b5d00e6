#!/bin/bash
# Messages, collective operations and curves of random windows that are read from the checkpoints of the index: the same
# as those that a pass over the whole trace finds.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
long=$builddir/test/frames/make_long
compare=$builddir/test/frames/compare_details

# agrees DIR WINDOWS CHECKPOINTS
agrees() {
	"$compare" "$1/traces.otf2" 5 "$2" > compare.out 2>&1 || bad "windows of $1: $(head -3 compare.out)"
	checkpoints=$(sed -n 's/.* windows, \([0-9]*\) checkpoints.*/\1/p' compare.out)
	[ "${checkpoints:-0}" -ge "$3" ] || bad "$1 has ${checkpoints:-no} checkpoints, not $3"
}

"$long" 3 150000 details requests || die "make_long details"
"$long" 4 120000 few few || die "make_long few"
make_trace good good
agrees requests 60 12
contains "what was compared" "$(cat compare.out)" ' [1-9][0-9]{3,} messages, [1-9][0-9]{3,} members, [1-9][0-9]{3,} values, 0 diff'
agrees few 60 12
agrees good 20 0
for name in lulesh mix tasks; do
	if [ -d "$shared/data/$name-trace" ]; then
		cp -r "$shared/data/$name-trace" "$name"
		agrees "$name" 20 0
	else
		left_out "the trace $name of Score-P: not at hand"
	fi
done
verdict
