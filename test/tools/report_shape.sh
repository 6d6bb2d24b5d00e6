#!/bin/sh
# Profiles of unusual shape: very deep, very long names, hostile names, many ranks.
. "$srcdir/test/lib.sh"
. "$srcdir/test/tools/lib.sh"

make_fixture recursion 100000 recursion.cubex
make_fixture chain 100000 chain.cubex
make_fixture chain 5000 short.cubex
make_fixture hostile hostile.cubex

# No stack to speak of: nothing may recurse along the tree. (A build with sanitizers needs STACK=8192.)
small_stack() { sh -c 'ulimit -s ${STACK:-256}; exec "$@"' sh "$@"; }

for profile in recursion chain; do
	for options in '' --all --flat '--callers leaf'; do
		works small_stack "$report" $profile.cubex $options
		[ "$options" = --all ] || fits "$profile $options" 80 out
	done
done
for options in --json '--callers leaf --all' '--metric max_time --all'; do
	works small_stack "$report" short.cubex $options
	[ "$options" = --json ] || fits "chain $options" 80 out
done
works "$report" recursion.cubex
contains "recursion is folded" "$(cat out)" '99999  +` ~ 99999 more levels of itself'
contains "behind the fold" "$(cat out)" '^ 99.0%.* ` leaf'
[ "$(wc -l < out)" -lt 60 ] || bad "a recursion fills $(wc -l < out) lines"
works "$report" chain.cubex
contains "chain is cut" "$(cat out)" 'deeper$|deeper than 40 levels'
[ "$(wc -l < out)" -lt 90 ] || bad "a chain fills $(wc -l < out) lines"
works "$report" chain.cubex --all
contains "the last of a chain" "$(cat out)" ' 100002 leaf'

make_fixture wide 12345 wide.cubex
works "$report" wide.cubex
fits "many ranks" 80 out
contains "many ranks" "$(cat out)" '^Balance over 12345 ranks'
contains "the slowest of many" "$(cat out)" '^ .*Computation .* 12344$'
works "$report" wide.cubex --rank 12344
contains "the last of many" "$(cat out)" 'only rank 12344'

for locale in C C.UTF-8; do
	for options in '' --all --flat "--callers *" '--width 140' '--metric visits'; do
		LC_ALL=$locale
		export LC_ALL
		set -f
		works "$report" hostile.cubex $options
		set +f
		case $options in *140) fits "hostile $options" 140 out ;; *) fits "hostile $options" 80 out ;; esac
		same "no control characters ($options)" 0 "$(tr -d '\n' < out | LC_ALL=C tr -dc '\000-\037\177' | wc -c)"
	done
done
LC_ALL=C
works "$report" --json hostile.cubex
"$PYTHON3" -c 'import json, sys; json.load(open("out", encoding="utf-8"))' || bad "hostile names break the JSON"
verdict
