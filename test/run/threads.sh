#!/bin/sh
# Threads that nobody announced: each gets a location, its counts are its own.
. "${srcdir:?}/test/lib.sh" || exit 99
export FATHOM_SAMPLING=1000	# all of this is the same while samples are taken

cat > prog.c <<'C'
#include <pthread.h>
#include <stdio.h>
static void leaf(volatile long *sink) { ++*sink; }
static void *work(void *count)
{
	volatile long sink = 0;
	for (long i = 0; i < (long)count; i++)
		leaf(&sink);
	return NULL;
}
static void *leave_early(void *unused) { work((void *)5); pthread_exit(unused); }
int main(void)
{
	pthread_t threads[4], early;
	for (long i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work, (void *)((i + 1) * 1000));
	pthread_create(&early, NULL, leave_early, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	pthread_join(early, NULL);
	for (int i = 0; i < 200; i++) {	/* short-lived ones */
		pthread_create(&early, NULL, work, (void *)1);
		pthread_join(early, NULL);
	}
	puts("done");
	return 0;
}
C
instrument prog.c -o prog -pthread
same "output" done "$(./prog 2> err)"
dir=$(experiment) || exit 1
file=$dir/profile.cubex
check_profile "$file"
same "locations" 206 "$("$builddir/test/run/dump" -s "$file" | grep -c ^location)"
same "visits of leaf" 10200 "$(value visits prog/work/leaf "$file")"
same "visits of the early thread" 5 "$(value visits prog/leave_early/work/leaf "$file")"
for n in 1000 2000 3000 4000; do
	same "a thread with $n visits" 1 "$("$builddir/test/run/dump" -l visits "$file" | grep -c "^$n prog/work/leaf @")"
done
same "main is on the master thread" "1 prog/main @0" "$("$builddir/test/run/dump" -l visits "$file" | grep 'prog/main ')"
# An early thread's regions ended with it, not with the program.
values time "$file" | awk '$1 < 0 { exit 1 }' || bad "a negative time"
verdict
