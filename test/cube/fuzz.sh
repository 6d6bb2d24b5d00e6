#!/bin/sh
# The reader survives a fixed number of damaged profiles; by hand, give fuzz_reader more.
. "$srcdir/test/lib.sh"
set -e
set --
for file in "$shared"/reference/cubex-example/*.cubex; do
	[ ! -f "$file" ] || set -- "$@" "$file"
done
"$builddir/test/cube/fuzz_reader" 1 2000 "$@"
"$builddir/test/cube/fuzz_reader" 2 2000
