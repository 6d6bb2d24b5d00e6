#!/bin/sh
# The loops in machine code whose loops are known: loops.s.
. "${srcdir:?}/test/lib.sh" || exit 99
grep -q '^#define HAVE_ZYDIS 1' "$builddir/config.h" || skip "no loops (Debian: libzydis-dev; x86-64 only)"
scopes=$builddir/test/symbols/scopes source=$srcdir/test/symbols/loops.s
cat > main.c <<'T'
#include <stdlib.h>
_Noreturn void end_program(void);
_Noreturn void end_program(void) { exit(1); }
int main(void) { return 0; }
T
"$CC" main.c -g "$source" -o loops 2> err || skip "$CC cannot assemble loops.s: $(head -n 1 err)"
"$CC" main.c "$source" -o without_debug && "$CC" -no-pie main.c -g "$source" -o fixed || die "cannot link loops.s"

# loops_of FILE FUNCTION: its loops, each with those around it, by the names in the comments.
loops_of() {
	"$scopes" "$1" "$2" | sed 's/: [0-9 ]*$//; s/:$//' | while read -r line; do
		for number in $(printf '%s\n' "$line" | grep -o 'loops\.s:[0-9]*' | cut -d: -f2); do
			name=$(sed -n "${number}s/.*# //p" "$source")
			line=$(printf '%s\n' "$line" | sed "s/loops\.s:$number/${name:-line $number}/")
		done
		printf '%s\n' "$line"
	done | grep loop | sort
}

for file in loops fixed; do
	while read -r function loops; do
		same "$file: $function" "$loops" "$(loops_of $file "$function" | sed "s/^$function > //" | paste -sd ';')"
	done <<'T'
self loop self
nested loop nested-outer;loop nested-outer > loop nested-inner
shared_header loop shared-header
irreducible loop irreducible;loop irreducible > loop irreducible-inner
relative_table loop relative-table;loop relative-table > loop relative-table-inner
absolute_table loop absolute-table;loop absolute-table > loop absolute-table-inner
unoptimized_table loop unoptimized-table
split loop split
after_abort loop after-abort
after_end loop after-end
unknown loop unknown
T
done

# Without debug information the two parts of a function belong together by their names, and loops have addresses.
same "a loop in two parts" 'split;split > loop +0x5' "$("$scopes" without_debug split | sed 's/:$//' | paste -sd ';')"
same "the loop in its cold part" 'split > loop +0x5 > loop +COLD' \
	"$("$scopes" without_debug split.cold | sed -n 's/> loop +0x[0-9a-f]*:$/> loop +COLD/p' | tail -n 1)"
verdict
