#!/bin/sh
# Late hooks by default: GCC makes the code that it makes without fathom, and the plugin chooses among the functions that
# are left. So the rest of the code is compared, instruction by instruction, and the choice is seen in the object code.
. "$srcdir/test/lib.sh"
. "$srcdir/test/instrument/lib.sh"
need_part late-hooks
need_plugin
need objdump
case $(gcc -dumpmachine) in x86_64-*) ;; *) skip "sleds are for x86-64" ;; esac
sleds=$srcdir/test/instrument/sleds
plug=-fplugin-arg-fathom_gcc_plugin
flags="-w -finstrument-functions -fplugin=$plugin"
own="-Wl,-rpath,$work -L$work"

# --- the code --------------------------------------------------------------------------------------
# instructions FILE: without sleds and the functions that they call, which come last, and without what is for other
# processors, which has numbers of its own
instructions() {
	awk '/^\t\.(text|section|data|bss)/ { skipped = /gnu\.offload/ } !skipped' "$1" | sed -e '/pushsection.*fathom_sled/,$d' -e '/sled_\|Lfathom\|0x0f, 0x1f, 0x80/d' |
		grep -Ev '^#|^[[:space:]]*$|^[[:space:]]\.(cfi|ident|section[[:space:]]\.note)'
}
compared=0
# unchanged COMPILER FILE OPTION...: the code is what it is without fathom, but for sleds
unchanged() {
	compiler=$1 file=$2; shift 2
	"$compiler" -w -frandom-seed=1 "$@" -S "$file" -o plain.s || { bad "$file $*: does not compile"; return; }
	# shellcheck disable=SC2086
	"$compiler" $flags $plug-min-insns=0 -frandom-seed=1 "$@" -S "$file" -o text.s || { bad "$file $*: does not compile with fathom"; return; }
	instructions plain.s > plain.text; instructions text.s > late.text
	cmp -s plain.text late.text || bad "$file $*: the code differs: $(diff plain.text late.text | head -20)"
	grep -q 'call.__fathom_sled_enter' text.s || bad "$file $*: no sleds"
	compared=$((compared + $(wc -l < plain.text)))
}
for level in -O0 -O1 -O2 -O3 -Os "-O2 -fPIC" "-O3 -ffast-math -funroll-loops" "-O2 -fno-inline"; do
	# shellcheck disable=SC2086
	unchanged gcc "$sleds/features.c" $level
done
for file in "$sleds/rings.c" "$sleds/copied.c" "$srcdir/test/bench/md_force.c" "$srcdir/test/bench/md_cells.c"; do
	unchanged gcc "$file" -O2
done
unchanged gcc "$sleds/features-omp.c" -O2 -fopenmp
if have g++; then
	for level in -O0 -O2 -O3; do
		unchanged g++ "$sleds/features.cc" $level
	done
	unchanged g++ "$srcdir/test/bench/hydro.cc" -O3
fi
if have gfortran; then
	unchanged gfortran "$srcdir/test/run/sleds/calls.f90" -O2
fi
[ "$compared" -gt 20000 ] || bad "only $compared lines compared"
# The comparison can fail.
# shellcheck disable=SC2086
gcc -w -O2 -S "$sleds/features.c" -o plain.s && gcc $flags $plug-min-insns=0 $plug-calls=all -O2 -S "$sleds/features.c" -o text.s
instructions plain.s > plain.text; instructions text.s > late.text
cmp -s plain.text late.text && bad "measuring all calls changes nothing, so the comparison sees nothing"

# --- sleds in it -----------------------------------------------------------------------------------
gcc -O1 -g -mgeneral-regs-only -fPIC -c "$sleds/hooks.c" -o hooks.o && gcc -shared hooks.o -o libhooks.so || die "cannot build the hooks"
# answered COMPILER FILE OPTION...: the program runs as without fathom, with hooks that count, too
answered() {
	compiler=$1 file=$2; shift 2
	"$compiler" -w "$@" "$file" -o plain -lm -z execstack && ./plain > expected || die "cannot build $file $*"
	# shellcheck disable=SC2086
	"$compiler" $flags $plug-min-insns=0 "$@" -dp -S "$file" -o text.s && gcc -c text.s -o object.o || bad "$file $*: does not build"
	awk -f "$sleds/text.awk" text.s | grep '^WRONG' >&2 && bad "$file $*: sleds"
	for hooks in "" "-Wl,--no-as-needed -lhooks"; do
		# shellcheck disable=SC2086
		"$compiler" "$@" object.o -o late.out $own $hooks -lm -z execstack || bad "$file $*: does not link"
		SLEDS_DEEP=1 SLEDS_LOG=log ./late.out > got; same "$file $*: exit code" 0 $?
		cmp -s expected got || bad "$file $* ${hooks:+with hooks}: other output: $(diff expected got | head -5)"
	done
	read -r _ enters _ exits _ tails _ left _ open _ wrong _ unwound < log || { bad "$file $*: no log"; return; }
	rm log
	[ "$enters" -gt 3 ] && [ "$enters" = $((exits + tails + left + open)) ] && [ "$wrong" = 0 ] ||
		bad "$file $*: enters $enters exits $exits tails $tails left $left open $open wrong $wrong"
	[ "$unwound" = $((enters + exits + tails)) ] || bad "$file $*: unwound $unwound times"
}
for level in -O0 -O2 -O3; do answered gcc "$sleds/features.c" $level; done
if have g++; then
	answered g++ "$sleds/features.cc" -O3 -pthread
fi

# --- the choice ------------------------------------------------------------------------------------
# chosen WHAT FILE EXPECTED OPTION...
chosen() {
	what=$1 file=$2 expected=$3; shift 3
	# shellcheck disable=SC2086
	"${compiler:-gcc}" $flags "$@" -c "$file" -o object.o 2> err || bad "$what: $(cat err)"
	same "$what" "$(printf '%s\n' $expected | sort)" "$(hooks object.o)"
}
compiler=gcc
work() { # NAME: a large body
	for i in 1 2 3 4 5 6; do
		echo "	for (int i = 1; i < n; i++) { a[i] = a[i] * a[i - 1] + far_away(i) / (a[i] + $i); if (a[i] > $i) a[i] -= a[i - 1]; }"
	done
}
{ cat <<'EOF'
#include <math.h>
#include <stdlib.h>
#include <string.h>
extern int far_away(int);
int tiny(int x) { return x + 1; }
int three_steps(const double *a) { int s = 0; for (int i = 0; i < 3; i++) s += a[i]; return s; }
int calls_tiny(int x) { return tiny(x) + tiny(x + 1); }
int has_loop(const double *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int while_loop(int n) { while (n > 100) n = tiny(n) / 2; return n; }
int jumps(int n) { again: if (--n > 50) { if (far_away(n)) goto again; } return n; }
int calls_away(int x) { return far_away(x) + 1; }
int through_pointer(int (*f)(int)) { return f(1) + 1; }
int gives_up(int x) { if (x) exit(3); return 0; }
void copies_much(double *to, const double *from, size_t n) { memcpy(to, from, n * sizeof(*to)); }
void copies_little(double *to, const double *from) { memcpy(to, from, 8 * sizeof(*to)); }
static inline int small_inline(int x) { return x * 3; }
__attribute__((no_instrument_function)) int as_asked(int x) { for (int i = 0; i < x; i++) x ^= far_away(i); return x; }
static int (*resolve(void))(int) { for (int i = 0; i < 9999; i++) if (far_away(i)) return tiny; return calls_tiny; }
int indirect(int) __attribute__((ifunc("resolve")));
__attribute__((naked)) void bare(void) { __asm__("ret"); __asm__("nop"); }
static __attribute__((noinline)) int constant_argument(double *a, int n, int k) { for (int i = 0; i < n; i++) a[i] += far_away(k); return n; }
int uses_it(double *a, int n) { return constant_argument(a, n, 3) + constant_argument(a, n + 1, 3); }
int uses_that(int k) { return far_away(k) + small_inline(k); }
EOF
echo 'static inline int large_inline(double *a, int n) {'; work; work; work; echo '	return (int)a[0]; }'
for i in 1 2 3 4; do echo "int calls_large_$i(double *a, int n) { return large_inline(a + $i, n * $i) + $i; }"; done
echo 'int splits(double *a, int n) { if (n < 3) return 0;'; work; work; echo '	return (int)a[1]; }'
for i in 1 2 3 4; do echo "int calls_splits_$i(double *a, int n) { return splits(a + $i, n * $i) + $i; }"; done
echo 'int main(void) { return 0; }'
} > c.c
usual="has_loop while_loop jumps calls_away through_pointer copies_much calls_large_1 calls_large_2 calls_large_3 calls_large_4 large_inline main
	calls_splits_1 calls_splits_2 calls_splits_3 calls_splits_4"
chosen "C -O0" c.c "$usual constant_argument uses_it uses_that splits" -O0
chosen "C -O2" c.c "$usual constant_argument.constprop.0 uses_it uses_that splits" -O2 -fno-partial-inlining
# A function of which GCC has made pieces: they have no hooks.
chosen "C -O2, pieces" c.c "$usual constant_argument.constprop.0 uses_it uses_that splits" -O2
contains "pieces" "$(nm object.o)" 'splits\.part\.0'
chosen "C, any size" c.c "$usual constant_argument.constprop.0 uses_it uses_that splits tiny three_steps calls_tiny gives_up copies_little" \
	-O2 $plug-min-insns=0
gcc $flags -O2 $plug-verbose -c c.c -o object.o 2> err
for line in 'left out tiny: too small' 'instrumented has_loop' 'instrumented large_inline' 'left out small_inline: GCC made no function of its own of it' 'instrumented constant_argument'; do
	contains "verbose" "$(cat err)" "^fathom: $line\$"
done

# A filter decides what the size would decide. A rule that names a function also keeps it from being inlined.
echo 'include file c.c' > rules; chosen "include file" c.c "$usual constant_argument.constprop.0 uses_it uses_that splits tiny three_steps calls_tiny gives_up copies_little" \
	-O2 $plug-filter=rules
echo 'include function *' > rules; chosen "include a kind" c.c "$usual constant_argument.constprop.0 uses_it uses_that splits tiny three_steps calls_tiny gives_up copies_little" \
	-O2 $plug-filter=rules
printf 'exclude *\ninclude small_inline\ninclude constant_*\n' > rules; chosen "include names" c.c "main small_inline constant_argument" -O2 $plug-filter=rules
printf 'exclude large*\nexclude file no.c\n' > rules
chosen "exclude" c.c "$(echo "$usual" | sed 's/large_inline//') constant_argument.constprop.0 uses_it uses_that splits" -O2 $plug-filter=rules

# A call at the end of a function stays a jump, except in main, below which everything is.
cat > tails.c <<'EOF'
int other(int);
int goes_on(int x) { other(1); return other(x); }
int main(void) { other(2); return other(3); }
EOF
# shellcheck disable=SC2086
gcc $flags -O2 -S tails.c -o tails.s
same "jumps" "goes_on:" "$(awk '/^[a-z_]*:/ { f = $1 } /call\t__fathom_sled_tail/ { print f }' tails.s)"

if have g++; then
	compiler=g++
	cat > cxx.cc <<'EOF'
#include <map>
#include <stdexcept>
#include <vector>
extern int far_away(int);
struct Thing { std::vector<double> v; double at(int i) const { return v.at(i); } double plain(int i) const { return v[i]; }
	__attribute__((noinline)) int in_class(int n) { int s = 0; for (int i = 0; i < n; i++) s += far_away(i); return s; } };
double reads(const Thing &t, int i) { return t.at(i) + t.plain(i + 1); }
int works(Thing &t, int n) { return t.in_class(n) + t.in_class(n + 1); }
int inserts(std::map<int, int> &m, int k) { return m[k] = k; }
inline int also_large(int n) { int s = 0; for (int i = 0; i < n; i++) s += far_away(i); return s; }
int (*taken)(int) = also_large;
EOF
	chosen "C++" cxx.cc "_ZN5Thing8in_classEi.isra.0 _Z5worksR5Thingi _Z7insertsRSt3mapIiiSt4lessIiESaISt4pairIKiiEEEi _Z10also_largei" -O2
	echo 'include file */stl_tree.h' > rules
	chosen "C++, a system header" cxx.cc "$(hooks object.o | tr '\n' ' ') $(nm object.o | awk '$2 ~ /[Ww]/ && /_Rb_tree/ { print $3 }' | tr '\n' ' ')" -O2 $plug-filter=rules
	contains "C++, a system header" "$(hooks object.o)" '_Rb_tree'
fi
verdict
