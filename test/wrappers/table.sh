#!/bin/sh
# calls.txt against the MPI at hand: every function of mpi.h is wrapped or skipped with a reason,
# and the libraries define exactly the wrapped ones, and the entry points of mpi_f08.
. "${srcdir:-.}/test/lib.sh"
need_mpi
made=$builddir/wrappers/mpi
[ -f "$made/mpi.i" ] || skip "the MPI wrappers are not built"
for tree in "$made" "$builddir/wrappers/openmpi"; do	# for another MPI, too, the table has all
	[ -f "$tree/mpi.i" ] || continue
	"$PYTHON3" "$srcdir/wrappers/mpi/generate.py" --strict --pmpi --header "$tree/mpi.i" --out out 2> err ||
		bad "the table does not fit $tree/mpi.i: $(cat err)"
	same "says nothing" "" "$(cat err)"
done
symbols=
[ -s "$made/f08.symbols" ] && symbols="--fortran-symbols $made/f08.symbols"
"$PYTHON3" "$srcdir/wrappers/mpi/generate.py" --strict --header "$made/mpi.i" $symbols --out out 2> err ||
	bad "the table does not fit mpi.h: $(cat err)"
same "says nothing" "" "$(cat err)"

# Counted by other means than the generator's.
tr -s ' \n\t' '   ' < "$made/mpi.i" | tr ';' '\n' | grep -v typedef |
	grep -oE '(^| |\*)MPIX?_[A-Za-z0-9_]+ ?\(' | tr -d ' (*' | sort -u > declared
[ "$(wc -l < declared)" -ge 400 ] || bad "only $(wc -l < declared) functions found in mpi.h"
awk '!/^#/ && NF && $2 == "skip" { n = $1; sub(/\[_c\]/, "", n); print n; if (n != $1) print n "_c" }' \
	"$srcdir/wrappers/mpi/calls.txt" | grep '^MPI' | sort > skipped
comm -23 declared skipped > want

# exports LIBRARY PREFIX
exports() {
	[ -f "$1" ] || return 0
	if [ "${1%.a}" != "$1" ]; then nm -g --defined-only "$1"; else nm -D --defined-only "$1"; fi 2> /dev/null |
		awk '$2 ~ /[TW]/ { print $3 }' | grep -E "^$2" | sort -u
}
found=0
for library in "$builddir"/.libs/libfathom-mpi.so "$builddir"/.libs/libfathom-mpi.a \
	"$builddir"/.libs/libfathom-mpif08.so "$builddir"/.libs/libfathom-mpi-preload.so; do
	[ -f "$library" ] || continue
	found=$((found + 1))
	exports "$library" 'MPIX?_' > got
	diff want got > difference || bad "$library: $(head -20 difference)"
done
[ $found -gt 0 ] || bad "no library found"

if [ -s "$made/f08.symbols" ] && [ -f "$builddir/.libs/libfathom-mpif08.so" ]; then
	exports "$builddir/.libs/libfathom-mpif08.so" 'mpix?_.*_f08' > got
	# Skipped in C, skipped here.
	tr 'A-Z' 'a-z' < skipped | sed 's/_c$/_f08_large_/; t; s/$/_f08_/' | sort > skipped.f08
	sort "$made/f08.symbols" | comm -23 - skipped.f08 > want.f08
	diff want.f08 got > difference || bad "mpi_f08: $(head -20 difference)"
fi

# The linked libraries must not bring an MPI along; the preloaded one must not even ask for it.
for library in "$builddir"/.libs/libfathom-mpi.so "$builddir"/.libs/libfathom-mpif08.so \
	"$builddir"/.libs/libfathom-mpi-preload.so; do
	[ -f "$library" ] || continue
	readelf -d "$library" | grep NEEDED | grep -E 'mpi(ch|fort|\.)' && bad "$library brings an MPI along"
done
library=$builddir/.libs/libfathom-mpi-preload.so
if [ -f "$library" ]; then
	nm -D --undefined-only "$library" | grep -E ' p?mpi' -i && bad "$library asks for MPI"
	contains "nodelete" "$(readelf -d "$library")" NODELETE
fi
verdict
