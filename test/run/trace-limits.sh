#!/bin/bash
# What limits a trace: memory, size, clock ticks, disks, directories, open files. The program's own result stays as it is.
. "${srcdir:?}/test/lib.sh" || exit 99
. "$srcdir/test/run/trace-lib.sh"

cat > prog.c <<'C'
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
static volatile long sink;
static void step(void) { sink++; }
static void calls(int n) { for (int i = 0; i < n; i++) step(); }
static void *one(void *n) { calls(*(int *)n); return NULL; }
static int errors;
static void keeps_errno(int n) { for (int i = 0; i < n; i++) { errno = 4711; step(); errors += errno != 4711; } }
int main(int argc, char **argv)
{
	int n = atoi(argv[1]), threads = argc > 2 ? atoi(argv[2]) : 0;
	pthread_t *t = malloc(sizeof(*t) * (size_t)(threads + 1));
	if (argc > 3) {			/* the limit for files holds from here on, for us all */
		struct rlimit limit = { (rlim_t)atoi(argv[3]), (rlim_t)atoi(argv[3]) };
		setrlimit(RLIMIT_FSIZE, &limit);
	}
	for (int i = 0; i < threads; i++)
		if (pthread_create(&t[i], NULL, one, &n)) { threads = i; printf("threads %d\n", i); }
	keeps_errno(n);
	for (int i = 0; i < threads; i++) pthread_join(t[i], NULL);
	printf("sum %ld, errno changed %d times, next file %d\n", threads ? 0 : sink, errors, threads ? 0 : open("/dev/null", O_RDONLY) > 0);
	return 3;
}
C
instrument prog.c -o prog -pthread
export FATHOM_MODE=trace

# run ARGUMENTS: in $dir is where its trace went. Output and exit code are as ever.
run() {
	rm -rf fathom-*
	./prog "$@" > prog.out 2> prog.err
	same "exit code of $*" 3 $?
	contains "output of $*" "$(cat prog.out)" "errno changed 0 times"
	nothing_hidden "$*"
	dir=$(experiment) || dir=none
}
steps() { enters "$dir" | awk '$2 == "step" { print $1 }'; }
property() { otf2-print -I "$dir/traces.otf2" | sed -n "/ $1\$/{n;s/.* //;p}"; }
size() { cat "$dir"/traces/*.evt | wc -c; }

# A program that goes elsewhere, closes all files it did not open, and opens its own, during which buffers are written.
cat > daemon.c <<'C'
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
static volatile long sink;
static void step(void) { sink++; }
static void calls(int n) { for (int i = 0; i < n; i++) step(); }
int main(int argc, char **argv)
{
	int fd, ok;
	calls(30000);
	for (int i = 3; i < 256; i++) close(i);
	fd = open(argv[argc - 1], O_CREAT | O_RDWR | O_TRUNC, 0666);
	ok = write(fd, "mine", 4) == 4 && chdir("/") == 0;
	calls(30000);
	ok = ok && write(fd, " alone", 6) == 6;
	printf("file %d, %s\n", fd, ok ? "good" : "bad");
	return 0;
}
C
instrument daemon.c -o daemon
rm -rf fathom-*
same "daemon: output" "file 3, good" "$(FATHOM_TRACE_MEMORY=200k ./daemon own.txt 2> prog.err)"
same "daemon: its file" "mine alone" "$(cat own.txt)"
nothing_hidden daemon
dir=$(experiment) || dir=none
sound daemon "$dir"
same "daemon: calls" 60000 "$(steps)"

# Memory: one chunk, written again and again; nothing is lost.
FATHOM_TRACE_MEMORY=200k run 100000
sound memory "$dir"
same "memory: calls" 100000 "$(steps)"
flushes=$(grep -c '^BUFFER_FLUSH ' events.txt)
[ "$flushes" -ge 5 ] || bad "memory: only $flushes flushes"
contains "memory" "$(cat prog.err)" "^fathom: trace: full buffers were written to files $flushes times during the run; with a larger FATHOM_TRACE_MEMORY this is rarer$"
FATHOM_TRACE_MEMORY=600k run 20000 4
sound "memory, threads" "$dir"
same "memory, threads: calls" 100000 "$(steps)"
contains "memory, threads" "$(cat prog.err)" "full buffers were written"
# Without a limit a buffer of this size is written once or twice, which is not worth a word.
run 100000
sound "no limit" "$dir"
same "no limit: lines" 1 "$(wc -l < prog.err)"
plain_size=$(size)

# Size: functions are left out, and it is said; what remains is whole.
FATHOM_TRACE_LIMIT=400k run 100000
sound limit "$dir"
[ "$(size)" -le 800000 ] || bad "limit: $(size) bytes"
contains "limit" "$(cat prog.err)" "^fathom: trace: FATHOM_TRACE_LIMIT was reached on 1 threads; [0-9]+ events of functions are left out$"
same "limit: property" 1 "$(property FATHOM::LIMITED_LOCATIONS)"
left=$(sed -n 's/.* threads; \([0-9]*\) events .*/\1/p' prog.err)
same "limit: calls and those left out" 100000 "$(( $(steps) + left ))"

# Coarser time stamps: fewer bytes for a call. What is measured is the same.
FATHOM_TRACE_TICK=10us run 100000
sound tick "$dir"
same "tick: calls" 100000 "$(steps)"
[ "$(size)" -lt $((plain_size * 3 / 4)) ] || bad "tick: $(size) bytes, without $plain_size"

# A disk that is full, as the limit for files says it: in the middle of the run, and at its end.
for way in "100000 0 300000" "2000 0 10000"; do
	FATHOM_TRACE_MEMORY=200k run $way
	contains "full disk, $way" "$(cat prog.err)" "^fathom: .*/traces.otf2 cannot be written \(File too large\): the trace is lost$"
	[ -z "$(find "$dir" -name '*.otf2' -o -name '*.evt')" ] || bad "full disk, $way: files stayed: $(find "$dir" | tr '\n' ' ')"
done
if [ -w /dev/shm ] && [ "$(id -u)" = 0 ] && mkdir -p small && mount -t tmpfs -o size=200k none small 2> /dev/null; then
	(cd small && FATHOM_TRACE_MEMORY=200k ../prog 100000 > ../prog.out 2> ../prog.err; same "full file system: exit code" 3 $?)
	contains "full file system" "$(cat prog.err)" "\(No space left on device\)"
	umount small
fi

# Directories: not there, strange, taken.
rm -rf fathom-*
FATHOM_DIR=/nonexistent TMPDIR=$PWD ./prog 10 > prog.out 2> prog.err
same "FATHOM_DIR=/nonexistent: exit code" 3 $?
contains "FATHOM_DIR=/nonexistent" "$(cat prog.err)" "^fathom: FATHOM_DIR=/nonexistent: no directory can be made there"
sound "FATHOM_DIR=/nonexistent" "$(experiment)"
nothing_hidden "FATHOM_DIR=/nonexistent"
strange='a b%s"$x;*\ü'
mkdir "$strange"
FATHOM_DIR=$strange ./prog 10 > prog.out 2> prog.err
same "strange directory: exit code" 3 $?
sound "strange directory" "$(echo "$strange"/fathom-prog*)"
rm -rf taken
for i in 1 2; do FATHOM_NAME=taken ./prog 10 > prog.out 2> prog.err; done
sound "a name that is taken" taken
sound "a name that is taken, again" taken-2
nothing_hidden "taken"

# More threads that write than files may be open: they keep what they have until the end.
(ulimit -n 40; FATHOM_TRACE_MEMORY=0 run 40000 60; [ ! -s "$failures" ])
dir=$(experiment) || bad "many threads: no experiment"
sound "many threads" "$dir"
same "many threads: files" 61 "$(ls "$dir/traces" | grep -c evt)"
same "many threads: lines" 1 "$(grep -vc 'FATHOM_TRACE' prog.err)"

# Settings that are wrong.
FATHOM_TRACE_TICK=1 ./prog 10 > prog.out 2> prog.err && bad "FATHOM_TRACE_TICK=1 was taken"
contains "FATHOM_TRACE_TICK=1" "$(cat prog.err)" "^fathom: FATHOM_TRACE_TICK"
verdict
