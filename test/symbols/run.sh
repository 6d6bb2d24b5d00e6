#!/bin/sh
# From a run to its loops and lines: samples of an optimized program.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
source=$srcdir/test/symbols/nest.c
line() { grep -n "/\* $1 \*/" "$source" | cut -d: -f1; }
innermost="main > loop nest.c:$(line ROUNDS) > inlined smooth > loop nest.c:$(line ROWS) > loop nest.c:$(line COLUMNS)"

# look WHAT: the run in the present directory spent most of its time in the innermost loop, and in its line.
look() {
	[ -s "$(experiment)/samples.txt" ] || die "$1: no samples"
	works "$FATHOM" report --lines smooth
	share=$(awk -v line="$(line WORK)" '$4 == line || $5 == line { print int($1) }' out)
	[ "${share:-0}" -ge 40 ] || bad "$1: line $(line WORK) has ${share:-no} %: $(cat out)"
	grep -q '^#define HAVE_ZYDIS 1' "$builddir/config.h" || return 0
	COLUMNS=200 works "$FATHOM" report --loops
	same "$1: the hottest loop" "$innermost" "$(sed -n 's/^ *[0-9.]*% .*% *main/main/p' out | head -n 1)"
	share=$(awk '/^ *[0-9.]+% .*main/ { print int($1); exit }' out)
	[ "${share:-0}" -ge 80 ] || bad "$1: the innermost loop has ${share:-no} %: $(cat out)"
}

"$FATHOM" "$CC" -O2 -g "$source" -o nest 2> err || die "nest.c cannot be built with fathom: $(cat err)"
FATHOM_SAMPLING=1000 ./nest 30000 > /dev/null 2> err || die "it fails: $(cat err)"
grep -q '^leaf' fathom-*/samples.txt 2> /dev/null || skip "no samples are taken here"
look "a measured program"
verdict
