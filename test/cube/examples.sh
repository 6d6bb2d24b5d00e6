#!/bin/sh
# The reader against profiles that others wrote: example files with the values given beside
# them, and measurements of an established system, decoded by an independent checker.
. "$srcdir/test/lib.sh"
set -e
[ -d "$shared" ] || skip "no example profiles: $shared is not there"
"$PYTHON3" "$srcdir/test/cube/compare.py" examples "$builddir/test/cube/dump" "$shared/reference/cubex-example"
"$PYTHON3" "$srcdir/test/cube/compare.py" checker "$builddir/test/cube/dump" "$shared/oracle/check_cubex.py" \
	"$shared"/data/*/profile.cubex
