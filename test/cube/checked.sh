#!/bin/sh
# What our writer makes is clean in the eyes of an independent checker, which also reads the
# same values from it.
. "$srcdir/test/lib.sh"
set -e
[ -d "$shared" ] || skip "no independent checker: $shared is not there"
checker=$shared/oracle/check_cubex.py
for seed in 1 2 3 4 5; do
	"$builddir/test/cube/make_profile" sane $seed sane$seed.cubex
	"$PYTHON3" "$checker" sane$seed.cubex
	# Made-up names and numbers break rules of taste: units of children, empty names and keys,
	# equal siblings, several roots, no time and visits. Rules of form must hold.
	"$builddir/test/cube/make_profile" random $seed random$seed.cubex
	"$PYTHON3" "$checker" --format-only --ignore D10,D13,D19,D20,D21,D27,D33 random$seed.cubex
done
"$PYTHON3" "$srcdir/test/cube/compare.py" checker "$builddir/test/cube/dump" "$checker" sane2.cubex random3.cubex
