#!/bin/bash
# Commands read traces when a process may have 64 open files only: they give the same answers, and the events that they
# read are those that OTF2's reader gives, which opens a file for each location.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/tools/lib.sh"
need_otf2
have otf2-print || skip "no otf2-print (Debian: otf2-tools)"
trace=$builddir/fathom-trace

# limited COMMAND...: with 64 open files at most
limited() { (ulimit -n 64 && "$@"); }

# copies WHAT TRACE: its copy has the same events and definitions
copies() {
	works "$trace" -o "$1-library" "$2"
	works limited "$trace" -o "$1-streams" "$2"
	otf2-print "$1-library/traces.otf2" | grep -v '^===' > library
	otf2-print "$1-streams/traces.otf2" | grep -v '^===' > streams
	[ -s library ] || bad "$1: no events"
	cmp library streams || bad "$1: other events"
}

make_trace good good	# records of all kinds
copies good good
for name in mix tasks; do
	[ -d "${shared:-}/data/$name-trace" ] && copies "$name" "$shared/data/$name-trace"
done

# A damaged file is said in one line.
cp -r good damaged
chmod -R u+w damaged
head -c 150 good/traces/1.evt > damaged/traces/1.evt
limited "$trace" -o none damaged > out 2> err
same "a damaged trace: exit code" 1 $?
same "a damaged trace: lines" 1 "$(wc -l < err)"

# --- more locations than files
[ -e "$builddir/.libs/libfathom-trace.so" ] || { left_out "recording: there are no shared libraries"; verdict; }
cat > many.c <<'C'
#include <pthread.h>
static volatile long sink;
static void leaf(void) { sink++; }
static void *work(void *n) { for (int i = 0; i < 20; i++) leaf(); return n; }
int main(void)
{
	enum { THREADS = 100 };
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
C
"$CC" -g -O1 -finstrument-functions many.c -o prog -pthread -L"$builddir/.libs" -Wl,-rpath,"$builddir/.libs" \
	-Wl,--push-state,--no-as-needed -lfathom-compiler -lfathom-pthread -lfathom -Wl,--pop-state || die "cannot build many.c"
FATHOM_OVERHEAD=off FATHOM_MODE=trace FATHOM_NAME=many ./prog > out 2> err || bad "the program fails: $(cat err)"
same "locations" 101 "$(ls many/traces/*.evt | wc -l)"
copies many many
for command in check "report --trace" "trace --sort-check" "trace --info" analyze; do
	set -- $command
	[ -x "$builddir/fathom-$1" ] || continue
	program=$builddir/fathom-$1
	shift
	rm -f many/analysis*
	works "$program" "$@" many
	mv out expected
	rm -f many/analysis*
	works limited "$program" "$@" many
	same "$command" "$(cat expected)" "$(cat out)"
done
verdict
