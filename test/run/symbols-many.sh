#!/bin/sh
# Many functions: finding their names takes a time that grows with their number, not with its square. With a search over
# all symbols for each, 100000 functions took minutes of processor time; the limit is far from both.
. "${srcdir:?}/test/lib.sh" || exit 99
count=100000

# Functions that are only entered in name: they need no code. Each has a second name, which is weak and comes first.
awk -v n=$count 'BEGIN {
	print "\t.text\nfirst_function:\n\t.globl first_function"
	for (i = 0; i < n; i++)
		printf "\t.weak another_%d\n\t.type another_%d, STT_FUNC\nanother_%d:\n" \
			"\t.globl function_%d\n\t.type function_%d, STT_FUNC\nfunction_%d:\n\t.zero 16\n", i, i, i, i, i, i
	print "\t.section .note.GNU-stack,\"\",%progbits"
}' > functions.s
cat > main.c <<'C'
extern char first_function[];
void __cyg_profile_func_enter(void *, void *);
void __cyg_profile_func_exit(void *, void *);

int main(void)
{
	for (int i = 0; i < COUNT; i++) {
		__cyg_profile_func_enter(first_function + 16 * i, 0);
		__cyg_profile_func_exit(first_function + 16 * i, 0);
	}
	return 0;
}
C
"$CC" -c functions.s -o functions.o 2> err || skip "the assembler does not take these directives: $(head -n 1 err)"
"$CC" -O1 -DCOUNT=$count main.c functions.o -o many $fathom_libs || die "cannot build"
FATHOM_NAME=many.exp
FATHOM_NODES=$((2 * count))
export FATHOM_NAME FATHOM_NODES
(ulimit -t 40 && ./many 2> err) || die "many: exit $?: $(cat err)"
tar xOf many.exp/profile.cubex anchor.xml > anchor.xml
same "functions with a name of their own" $count "$(grep -c '^<name>function_[0-9]*</name>$' anchor.xml)"
same "functions that are named twice" "" "$(grep '^<name>function_' anchor.xml | sort | uniq -d | head -n 3)"
verdict
