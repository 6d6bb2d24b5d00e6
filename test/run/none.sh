#!/bin/bash
# A run that measures nothing (FATHOM_MODE=none) takes all sleds out of the code when it starts: seen in the code itself,
# and, where valgrind can count them, in the instructions that such a run takes more than the program without fathom.
. "${srcdir:?}/test/lib.sh" || exit 99
need_part late-hooks
unset FATHOM_INSTRUMENT_CALLS FATHOM_OVERHEAD	# as users have it
export FATHOM_MODE=none
case $("$CC" --version 2> /dev/null | head -1) in *clang* | "") skip "late hooks need GCC" ;; esac

cat > sleds.c <<'EOF'
#include <stdio.h>
#include <string.h>
int far_away(int n);
int in_library(char *text);
__attribute__((noinline)) int returns(int n) { int s = 0; for (int i = 0; i < n; i++) s += i ^ n; return s; }
__attribute__((noinline)) int jumps(int n) { volatile int x = n; for (int i = 0; i < n; i++) x++; return returns(x); }
/* The first bytes of the sleds of a function with one exit: call, test or return. */
static char name(unsigned char byte) { return byte == 0xe8 ? 'c' : byte == 0xa9 ? 't' : byte == 0xc3 ? 'r' : '?'; }
void look(const unsigned char *code, char *text)
{
	const unsigned char *enter = code + (memcmp(code, "\xf3\x0f\x1e\xfa", 4) ? 0 : 4);
	text[0] = name(*enter);
	text[1] = text[2] = 0;
	for (int i = 5; i < 300 && !text[1]; i++) {
		int d;
		memcpy(&d, enter + i + 3, sizeof(d));
		if (memcmp(enter + i, "\x0f\x1f\x80", 3) || enter + i + d != enter)
			continue;
		text[1] = name(enter[i - (enter[i - 1] == 0xc3 ? 6 : 5)]);
	}
}
int main(void)
{
	char one[3], other[3], library[3];
	int sum = returns(20) + jumps(30) + in_library(library);
	look((const unsigned char *)returns, one);
	look((const unsigned char *)jumps, other);
	printf("%s %s %s %d\n", one, other, library, sum);
	return 0;
}
EOF
cat > library.c <<'EOF'
void look(const unsigned char *code, char *text);
int in_library(char *text) { int s = 0; for (int i = 0; text && i < 100; i++) s += i; look((const unsigned char *)in_library, text); return s; }
EOF
"$FATHOM" "$CC" -O2 -fPIC -shared library.c -o liblibrary.so 2> err || die "cannot build library.c: $(cat err)"
for flags in "" "-no-pie -fno-pie" "-fcf-protection=full -fno-plt"; do
	# shellcheck disable=SC2086
	"$FATHOM" "$CC" -O2 -rdynamic $flags sleds.c -o sleds -L. -Wl,-rpath,"$work" -llibrary 2> err || die "cannot build sleds.c: $(cat err)"
	nm sleds | grep -q fathom_sled_enter || skip "no late hooks here (x86-64 with the GCC plugin only)"
	same "$flags" "tr tt tr 7358" "$(./sleds)"
	same "$flags, FATHOM_PATCH=off" "cc cc cc 7358" "$(FATHOM_PATCH=off ./sleds)"
	same "$flags, measured" "cc cc cc 7358" "$(FATHOM_MODE=profile FATHOM_OVERHEAD=off ./sleds 2> err)"
	ls -d fathom-*-* > /dev/null 2>&1 && rm -rf fathom-*-*
done
if "$FATHOM" "$CC" -O2 -static sleds.c library.c -o static 2> /dev/null; then
	same "static" "tr tt tr 7358" "$(./static)"
fi

# counted COMMAND: instructions in all
counted() { valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 > /dev/null | awk '/refs:/ { gsub(",", "", $NF); print $NF }'; }
# ratio NAME COMMAND...: of NAME.measured and NAME.plain, without what starting takes
ratio() {
	program=$1; shift
	few_plain=$(counted "./$program.plain" "$1") few=$(counted "./$program.measured" "$1")
	more_plain=$(counted "./$program.plain" "$2") more=$(counted "./$program.measured" "$2")
	awk -v p="$((more_plain - few_plain))" -v m="$((more - few))" -v name="$program" \
		'BEGIN { r = m / p; printf "%s: %.4f times the instructions of plain\n", name, r; exit !(p > 1e6 && r <= 1.02) }' ||
		bad "$program: more than 1.02 times the instructions"
}
if have valgrind; then
	cat > calls.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
struct node { struct node *left, *right; int key; };
struct node *insert(struct node *at, int key)
{
	if (!at) {
		at = calloc(1, sizeof(*at));
		at->key = key;
	} else if (key < at->key) {
		at->left = insert(at->left, key);
	} else {
		at->right = insert(at->right, key);
	}
	return at;
}
__attribute__((noinline)) double polynomial(const double *a, int n, double x) { double s = 0; for (int i = 0; i < n; i++) s = s * x + a[i]; return s; }
int main(int argc, char **argv)
{
	double a[40] = { 1, 2, 3 }, s = 0;
	struct node *tree = NULL;
	(void)argc;
	for (int i = 0; i < atoi(argv[1]); i++) {
		s += polynomial(a, 40, s / 1e9);
		if (i % 16 == 0)
			tree = insert(tree, rand());
	}
	printf("%g %d\n", s, tree->key);
}
EOF
	"$CC" -O2 calls.c -o calls.plain && "$FATHOM" "$CC" -O2 calls.c -o calls.measured || bad "calls.c does not build"
	ratio calls 1000 20000
	if "$CXX" -O2 "$srcdir/test/bench/hydro.cc" -o hydro.plain 2> /dev/null; then
		"$FATHOM" "$CXX" -O2 "$srcdir/test/bench/hydro.cc" -o hydro.measured || bad "hydro.cc does not build"
		ratio hydro 6 8
	fi
fi
verdict
