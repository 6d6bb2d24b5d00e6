#!/bin/bash
# Runs with a filter: what stays is exact, what is left out is not there, the program does what it did; and the
# commands that say so beforehand. Each filter in doc/guides/filters.md is one.
. "${srcdir:?}/test/lib.sh" || exit 99

cat > prog.cc <<'C'
#include <csetjmp>
#include <cstdio>
#include <stdexcept>
#define KEEP __attribute__((noinline))
volatile long g;
static jmp_buf home;
namespace grid {
struct Cell { long v; KEEP long get(int i) const; };
long Cell::get(int i) const { return v + i; }
template <class T> KEEP T twice(T x) { g++; return x + x; }
KEEP void thrower(int i) { g++; if (i % 2) throw std::runtime_error("odd"); }
}
extern "C" KEEP long helper(long n) { g++; return n ? helper(n - 1) + 1 : 0; }
KEEP void jumper(int n) { g++; if (n) jumper(n - 1); else longjmp(home, 1); g++; }
KEEP void middle(int i) { grid::thrower(i); g = g + helper(3); }
KEEP void after() { g++; }
KEEP void solve(int n)
{
	grid::Cell c = { 3 };
	for (int i = 0; i < n; i++) {
		g = g + c.get(i) + grid::twice<long>(i);
		try { middle(i); } catch (std::exception &) { after(); }
		if (!setjmp(home)) jumper(2);
		after();
	}
}
int main() { solve(10); std::printf("%ld\n", (long)g); }
C
# totals FILE: visits of each region, whatever the call path
totals() { values visits "$1" | sed 's/^\([^ ]*\) .*\//\1 /' | awk '{ v = $1; $1 = ""; s[$0] += v } END { for (n in s) print s[n] n }' | sort; }
# filtered RULES REGEX: the regions that match are gone, the visits of the others are the same, and no exit was lost; with
# hooks taken out of the code, through which exceptions and longjmp go, and without.
filtered() {
	printf "$1" > rules
	grep -Ev "^[0-9]+ ($2)" whole.totals > expected.totals
	for patch in off on; do
		rm -rf fathom-prog-*
		same "$1: output, $hooks, FATHOM_PATCH=$patch" "$plain" "$(FATHOM_PATCH=$patch FATHOM_FILTER=rules ./prog 2> err)"
		dir=$(experiment) || exit 1
		totals "$dir/profile.cubex" > filtered.totals
		cmp -s expected.totals filtered.totals || bad "$1, $hooks, FATHOM_PATCH=$patch: $(diff expected.totals filtered.totals)"
		"$builddir/test/run/dump" -s "$dir/profile.cubex" > dump.out
		grep -q unbalanced dump.out && bad "$1, $hooks, FATHOM_PATCH=$patch: unbalanced exits"
	done
	check_profile "$dir/profile.cubex"
	contains "$1: attribute" "$(cat dump.out)" 'fathom::filter=rules'
}
filters() {
	filtered 'exclude nothing_like_it\n' '$^'
	filtered 'exclude helper\n' 'helper$'
	filtered 'exclude *get*\nexclude grid::thrower\nexclude grid::twice<long>\n' 'grid::Cell::get|grid::thrower|.*grid::twice'
	filtered 'exclude middle(int)\nexclude jumper*\n' 'middle|jumper'
	filtered 'exclude solve\nexclude mangled _ZN*4grid*\n' 'solve|.*grid::'
	filtered 'exclude *\ninclude after\ninclude main\n' 'solve|middle|.*grid::|helper|jumper'
	filtered 'exclude file prog.cc\ninclude middle\n' 'main|solve|after|.*grid::|helper|jumper'
	filtered 'exclude object prog\ninclude helper\n' 'main|solve|after|.*grid::|middle|jumper'
	filtered 'SCOREP_REGION_NAMES_BEGIN EXCLUDE *\n INCLUDE MANGLED helper main\nSCOREP_REGION_NAMES_END\n' \
		'solve|after|.*grid::|middle|jumper'
}
# Without a filter.
whole() {
	rm -rf whole fathom-prog-*
	plain=$(./prog 2> err) || die "prog fails"
	dir=$(experiment) || exit 1
	mv "$dir" whole
	totals whole/profile.cubex > whole.totals
}
hooks=late
FATHOM_INSTRUMENT_HOOKS=$(late_hooks) FATHOM_INSTRUMENT_MIN_INSNS=0 "$FATHOM" "$CXX" -g -O1 prog.cc -o prog 2> err || die "cannot build prog.cc: $(cat err)"
if nm prog | grep -q fathom_sled_enter; then
	whole
	cp whole.totals late.totals
	filters
	if [ -e "$builddir/.libs/libfathom-patch.so" ]; then
		# Nobody may change code: that is said, once, and hooks stay.
		"$CC" -O1 -fPIC -shared "$srcdir/test/wrappers/patch_refuse.c" -o librefuse.so || die "cannot build librefuse"
		rm -rf fathom-prog-*
		same "refused: output" "$plain" "$(REFUSE=all LD_PRELOAD=$PWD/librefuse.so FATHOM_FILTER=rules ./prog 2> err)"
		same "refused: said once" 1 "$(grep -c 'does not allow a program.s code to be changed' err)"
		totals "$(experiment)/profile.cubex" > filtered.totals
		cmp -s expected.totals filtered.totals || bad "refused: $(diff expected.totals filtered.totals)"
	fi
fi
hooks=early
"$CXX" -g -O1 -finstrument-functions prog.cc -o prog $fathom_libs || die "cannot build prog.cc"
whole
[ ! -e late.totals ] || cmp -s late.totals whole.totals || bad "late and early hooks: $(diff late.totals whole.totals)"
filters
same "regions left out" 7 "$(sed -n 's/^attribute fathom::filtered_regions=//p' dump.out)"
contains "the report" "$("$FATHOM" report --width 300 "$dir")" 'filter rules, which left out 7 regions that were met'
# Threads meet functions at the same time, each in its own order.
{
	echo '#include <pthread.h>'
	for i in $(seq 100 399); do echo "volatile int v$i; __attribute__((noinline)) void f$i(void) { v$i = 1; }"; done
	echo 'static void (*const all[])(void) = {' "$(for i in $(seq 100 399); do printf 'f%d,' "$i"; done)" '};'
	cat <<-C
	static void *call(void *from)
	{
		static const int steps[] = { 1, 7, 11, 299 };
		for (int turn = 0; turn < 3; turn++)
			for (int i = 0; i < 300; i++)
				all[((long)from * 77 + i * steps[(long)from]) % 300]();
		return 0;
	}
	int main(void)
	{
		pthread_t threads[4];
		for (long i = 0; i < 4; i++) pthread_create(&threads[i], 0, call, (void *)i);
		for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
		return 0;
	}
	C
} > many.c
instrument many.c -o many -pthread
printf 'exclude f*[02468]\nexclude f?9?\ninclude f[0-9]99\n' > rules
rm -rf fathom-*
FATHOM_FILTER=rules ./many 2> err || bad "many functions: exit code $?: $(cat err)"
dir=$(experiment) || exit 1
check_profile "$dir/profile.cubex"
same "functions that stay, by visits" "138 12" "$(totals "$dir/profile.cubex" | awk '$2 ~ /^f[0-9]+$/ { n[$1]++ } END { for (v in n) print n[v], v }')"
same "functions that are left out" 162 "$("$builddir/test/run/dump" -s "$dir/profile.cubex" | sed -n 's/^attribute fathom::filtered_regions=//p')"
rm -rf "$dir"

# The first function that is left out loses both hooks, though the linker looks the exit's up only when that is first called.
cat > first.c <<'C'
#include <stdio.h>
#include <string.h>
enum { BYTES = 64 };
static volatile long g;
static __attribute__((noinline, aligned(64))) void ends(void) { g++; }
static __attribute__((noinline, aligned(64))) long returns(void) { return g + 1; }
static void (*volatile ends_code)(void) = ends;
static long (*volatile returns_code)(void) = returns;
static __attribute__((no_instrument_function)) int changed(const unsigned char *now, const unsigned char *before)
{
	int count = 0;
	for (int i = 0; i < BYTES; i++) count += now[i] != before[i];
	return count;
}
__attribute__((no_instrument_function)) int main(int argc, char **argv)
{
	unsigned char before[2][BYTES];
	memcpy(before[0], (void *)ends_code, BYTES);
	memcpy(before[1], (void *)returns_code, BYTES);
	for (int i = 0; i < 3; i++) argc > 1 ? (void)returns_code() : ends_code();
	printf("%d %d\n", changed((void *)ends_code, before[0]), changed((void *)returns_code, before[1]));
	return 0;
}
C
if [ -e "$builddir/.libs/libfathom-patch.so" ]; then
	"$CC" -O2 -fPIE -pie -finstrument-functions -Wl,-z,lazy first.c -o first $fathom_libs || die "cannot build first.c"
	echo 'exclude *' > rules
	FATHOM_FILTER=rules ./first > out 2> err
	if ! grep -q "does not allow a program.s code to be changed" err; then
		same "bytes changed: exit jumped to" "2 0" "$(cat out)"
		same "bytes changed: exit called" "0 2" "$(FATHOM_FILTER=rules ./first called 2> err)"
		same "bytes changed: none asked for" "0 0" "$(FATHOM_PATCH=off FATHOM_FILTER=rules ./first 2> err)"
	fi
	rm -rf fathom-first-*
fi

# A mistake ends the program before main.
printf 'exclude *\nexclude a[b\n' > wrong
FATHOM_FILTER=wrong ./prog > out 2> err
same "exit code with a wrong filter" 2 $?
same "what is said" 'fathom: FATHOM_FILTER cannot be used: wrong:2:10: [ without ] (write \[ for the character itself)' "$(cat err)"
[ ! -s out ] || bad "it ran with a wrong filter"

# fathom filter, fathom score
printf 'exclude grid::*\ninclude no_such\nexclude helper\nexclude file prog.cc\ninclude helper\ninclude main\n' > rules
"$FATHOM" filter --check rules --on whole > out || bad "fathom filter fails"
contains "a rule that hits nothing" "$(cat out)" 'include no_such  \(hits nothing\)'
contains "a rule that is overruled" "$(cat out)" 'exclude helper  \(1, all decided by other rules\)'
contains "a rule that decides" "$(cat out)" '^ *5 +1 +[0-9]+ .* include helper$'
echo 'exclude prog*' > program.rules
contains "the program is no region of its own" "$("$FATHOM" filter --check program.rules --on whole)" 'exclude prog\*  \(hits nothing\)'
same "check of a good filter" "rules: 6 rules, no mistake" "$("$FATHOM" filter --check rules)"
"$FATHOM" filter --check wrong > out 2> err && bad "fathom filter takes a wrong filter"
contains "fathom filter on a wrong filter" "$(cat err)" '^fathom filter: wrong:2:10: '
printf 'exclude mpi *\nexclude rank 1 helper\nexclude grid::*\ninclude *get\nexclude file prog.cc\ninclude mangled _ZNK4*\ninclude main\n' > program.rules
"$FATHOM" filter --check program.rules --on prog > out || bad "fathom filter fails on a program"
for said in '1 +0  exclude mpi \*  \(not about functions\)' '2 +0  exclude rank 1 helper  \(not known from a program\)' \
	'3 +0  exclude grid::\*  \(all decided' '5 +[0-9]+  exclude file prog.cc$' '6 +1  include mangled _ZNK4\*$' '7 +1  include main$'; do
	contains "a program" "$(cat out)" "^ *$said"
done
contains "a program" "$(cat out)" '^7 of [0-9]+ functions in prog are left out'
"$FATHOM" filter 2> err; same "exit code without --check" 2 $?
contains "help" "$("$FATHOM" help filter)" '^usage: fathom filter --check'
if [ -e "$builddir/.libs/libfathom-trace.so" ]; then
	# A dry run is right: a trace with the filter is as large as score says.
	said=$("$FATHOM" score --json --filter rules whole | "$PYTHON3" -c 'import json, sys; print(int(json.load(sys.stdin)["largest_process_bytes_with_filter"]))')
	rm -rf fathom-prog-*
	FATHOM_MODE=trace FATHOM_FILTER=rules ./prog > out 2> err
	size=$(cat fathom-prog-*/traces/*.evt | wc -c)
	[ "$size" -lt $((said + said / 5 + 100)) ] && [ "$said" -lt $((size + size / 5 + 100)) ] || bad "score says $said bytes, it is $size"
	"$FATHOM" check fathom-prog-* > out 2>&1 || bad "the trace: $(cat out)"
fi

# Examples of the documentation.
awk '/^```filter/ { on = 1; n++; next } /^```/ { on = 0 } on { print > ("example" n) }' "$srcdir/doc/guides/filters.md"
[ -e example3 ] || bad "no examples in doc/guides/filters.md"
for file in example*; do
	"$FATHOM" filter --check "$file" > out 2>&1 || bad "$file of doc/guides/filters.md: $(cat out)"
done
verdict
