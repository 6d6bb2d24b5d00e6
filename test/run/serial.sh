#!/bin/sh
# A serial program: visits are exact, times add up, output and exit code are its own.
. "${srcdir:?}/test/lib.sh" || exit 99

cat > prog.c <<'C'
#include <stdio.h>
#include <stdlib.h>
static volatile long sink;
static void leaf(void) { sink++; }
static void inner(int n) { for (int i = 0; i < n; i++) leaf(); }
static void outer(void) { inner(10); inner(20); leaf(); }
int main(int argc, char **argv)
{
	for (int i = 0; i < 100; i++)
		outer();
	printf("%ld %s\n", sink, argc > 1 ? argv[1] : "-");
	return argc > 1 ? atoi(argv[1]) : 0;
}
C
instrument prog.c -o prog
"$CC" -O1 prog.c -o plain

./plain 3 > plain.out; plain_code=$?
./prog 3 > prog.out 2> prog.err; code=$?
same "exit code" "$plain_code" "$code"
cmp -s plain.out prog.out || bad "the output differs"
same "lines said" 1 "$(wc -l < prog.err)"

dir=$(experiment) || exit 1
file=$dir/profile.cubex
contains "the line said" "$(cat prog.err)" "^fathom: profile in $dir \(look at it: fathom report $dir\)$"
check_profile "$file"
same "visits of main" 1 "$(value visits prog/main "$file")"
same "visits of outer" 100 "$(value visits prog/main/outer "$file")"
same "visits of inner" 200 "$(value visits prog/main/outer/inner "$file")"
same "visits of leaf below inner" 3000 "$(value visits prog/main/outer/inner/leaf "$file")"
same "visits of leaf below outer" 100 "$(value visits prog/main/outer/leaf "$file")"
values time "$file" | awk '$1 < 0 { exit 1 }' || bad "a negative time"
# Exclusive times add up to the time of the root, which is the wall time, whatever is done about the profile then.
total=$(values time "$file" | awk '{ s += $1 } END { printf "%.6f", s }')
wall=$("$builddir/test/run/dump" -s "$file" | sed -n 's/^attribute fathom::wall_time=//p')
awk -v a="$total" -v b="$wall" 'BEGIN { d = a - b; exit !(d < 1e-5 && d > -1e-5) }' ||
	bad "times add up to $total s, wall time is $wall s"
contains "settings" "$(cat "$dir/settings.txt")" "^FATHOM_MODE=profile$"
[ -s "$dir/MANIFEST.md" ] || bad "no manifest"
contains "regions" "$("$builddir/test/run/dump" -s "$file")" "^region outer\|outer\|.*prog.c\|6\|6\|compiler\|function$"
contains "locations" "$("$builddir/test/run/dump" -s "$file")" "^location Process\|Master thread$"

# A second run keeps the first one's result.
./prog > /dev/null 2>&1
same "experiments" 2 "$(ls -d fathom-prog-*/ | wc -l)"

# A program without functions of its own that are measured leaves nothing.
"$CC" prog.c -o unmeasured $fathom_libs
rm -rf fathom-*
./unmeasured > /dev/null 2> err
same "directories of a program without events" 0 "$(ls -d fathom-*/ 2>/dev/null | wc -l)"
same "words of a program without events" 0 "$(wc -c < err)"

# With FATHOM_MODE=none neither.
FATHOM_MODE=none ./prog > none.out 2> err
same "directories with FATHOM_MODE=none" 0 "$(ls -d fathom-*/ 2>/dev/null | wc -l)"
same "words with FATHOM_MODE=none" 0 "$(wc -c < err)"
verdict
