#!/bin/bash
# Each mode says what it writes, and what it writes says the mode; both at once tell of the same visits.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"

cat > prog.c <<'C'
#include <pthread.h>
static volatile long sink;
static void leaf(void) { sink++; }
static int fibonacci(int n) { leaf(); return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
static void *other(void *unused) { for (int i = 0; i < 10; i++) leaf(); return unused; }
int main(void)
{
	pthread_t t[2];
	for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, other, NULL);
	for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
	return fibonacci(12) != 144;
}
C
instrument prog.c -o prog -pthread

run() # MODE WORDS
{
	rm -rf fathom-*
	FATHOM_MODE=$1 ./prog 2> prog.err || bad "$1: exit code $?"
	dir=$(experiment) || { bad "$1: no experiment"; dir=none; }
	same "$1: what is said" "fathom: $2 in $dir (look at it: fathom report $dir)" "$(cat prog.err)"
	contains "$1: settings.txt" "$(cat "$dir/settings.txt")" "^FATHOM_MODE=$1$"
	"$FATHOM" report "$dir" > report.out 2>&1 || bad "$1: fathom report: $(cat report.out)"
	nothing_hidden "$1"
}
mentions() { grep -q "$1" "$dir/MANIFEST.md" && echo yes || echo no; }
mode() { "$builddir/test/run/dump" -s "$dir/profile.cubex" | sed -n 's/^attribute fathom::mode=//p'; }

run profile profile
same "profile: attribute" profile "$(mode)"
same "profile: MANIFEST.md" "yes no" "$(mentions profile.cubex) $(mentions traces.otf2)"
[ ! -e "$dir/traces.otf2" ] || bad "profile: there is a trace"
run trace trace
same "trace: MANIFEST.md" "no yes" "$(mentions profile.cubex) $(mentions traces.otf2)"
[ ! -e "$dir/profile.cubex" ] || bad "trace: there is a profile"
sound trace "$dir"
run profile,trace "profile and trace"
same "profile,trace: attribute" profile,trace "$(mode)"
same "profile,trace: MANIFEST.md" "yes yes" "$(mentions profile.cubex) $(mentions traces.otf2)"
sound profile,trace "$dir"
check_profile "$dir/profile.cubex"

# Visits by region: the last part of each call path. The root is not entered, but is there once for each thread.
values visits "$dir/profile.cubex" | awk '{ v = $1; sub(/^[^ ]+ /, ""); sub(/^.*\//, ""); n[$0] += v } END { for (r in n) print n[r], r }' |
	sort -k2 | grep -v " prog$" > visits
enters "$dir" | grep -v " prog$" > entered
grep -q "leaf" entered || bad "no enters"
cmp -s visits entered || bad "visits and enters differ: $(diff visits entered)"
same "leaf" 485 "$(awk '$2 == "leaf" { print $1 }' entered)"
verdict
