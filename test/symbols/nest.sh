#!/bin/sh
# One loop nest with an inlined function, by both compilers and at all levels of optimization: the same scopes.
. "${srcdir:?}/test/lib.sh" || exit 99
grep -q '^#define HAVE_ZYDIS 1' "$builddir/config.h" || skip "no loops (Debian: libzydis-dev; x86-64 only)"
source=$srcdir/test/symbols/nest.c
line() { grep -n "/\* $1 \*/" "$source" | cut -d: -f1; }
expected="main > loop nest.c:$(line ROUNDS)
main > loop nest.c:$(line ROUNDS) > inlined smooth > loop nest.c:$(line ROWS)
main > loop nest.c:$(line ROUNDS) > inlined smooth > loop nest.c:$(line ROWS) > loop nest.c:$(line COLUMNS)"
for cc in gcc clang; do
	have $cc || continue
	for options in -O0 -O1 -O2 -O3 '-O3 -march=native' '-Og -no-pie' '-O2 -gdwarf-4' '-O2 -gsplit-dwarf' '-O2 -gz' \
		'-O2 -fno-pie -no-pie -mcmodel=large'; do
		# shellcheck disable=SC2086
		$cc -g $options "$source" -o nest || die "$cc $options cannot compile nest.c"
		"$builddir/test/symbols/scopes" nest main > scopes.txt
		same "$cc $options" "$expected" "$(sed -n 's/: [0-9 ]*$//p' scopes.txt | grep 'loop [^ ]*$' | sort)"
		contains "$cc $options: the line of the innermost loop" \
			"$(grep "> loop nest.c:$(line COLUMNS):" scopes.txt)" " $(line WORK)( |\$)"
	done
done
# A function that GCC divided, and whose parts it inlined into each other, is one call.
if have gcc && gcc -g -O3 --param max-inline-insns-auto=2000 "$srcdir/test/symbols/part.c" -o part 2> err; then
	"$builddir/test/symbols/scopes" part main > scopes.txt
	same "parts of a function" 0 "$(grep -c 'inlined refine > inlined refine' scopes.txt)"
	contains "loops of a part" "$(cat scopes.txt)" 'main > loop part\.c:[0-9]+ > inlined refine > loop part\.c:[0-9]+:'
fi
verdict
