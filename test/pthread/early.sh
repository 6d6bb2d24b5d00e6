#!/bin/sh
# Threads and locks before fathom starts, in the constructor of a library that is initialized earlier; and a
# program whose malloc takes a lock, also while our functions are looked up.
. "${srcdir:?}/test/pthread/lib.sh" || exit 99

cat > early.c <<'T'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int turn;
int early_turn(void);
static void *worker(void *argument)
{
	pthread_mutex_lock(&mutex);
	turn++;
	pthread_cond_signal(&condition);
	pthread_mutex_unlock(&mutex);
	return argument;
}
static int worker_c11(void *argument) { return *(int *)argument; }
static pthread_t stays;
static void *later(void *argument)
{
	pthread_mutex_lock(&mutex);
	while (turn < 2)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	return argument;
}
__attribute__((constructor)) static void start(void)
{
	pthread_t thread;
	thrd_t c11;
	int code = 12, result;
	if (pthread_create(&thread, NULL, worker, NULL))
		abort();
	pthread_mutex_lock(&mutex);
	while (turn < 1)
		pthread_cond_wait(&condition, &mutex);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	if (thrd_create(&c11, worker_c11, &code) != thrd_success || thrd_join(c11, &result) != thrd_success)
		abort();
	if (pthread_create(&stays, NULL, later, NULL))
		abort();
	printf("early %d %d\n", turn, result);
}
int early_turn(void)
{
	pthread_mutex_lock(&mutex);
	turn++;
	pthread_cond_broadcast(&condition);
	pthread_mutex_unlock(&mutex);
	pthread_join(stays, NULL);
	return turn;
}
T
cat > prog.c <<'T'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
int early_turn(void);
/* An allocator that takes locks, from the very first call. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static char room[64 << 20] __attribute__((aligned(16)));
static size_t used;
__attribute__((no_instrument_function)) void *malloc(size_t bytes)
{
	char *place;
	pthread_rwlock_rdlock(&lock);
	pthread_mutex_lock(&mutex);
	place = room + used;
	used += (bytes + 31) & ~(size_t)15;
	*(size_t *)place = bytes;
	pthread_mutex_unlock(&mutex);
	pthread_rwlock_unlock(&lock);
	return used > sizeof(room) ? NULL : place + 16;
}
__attribute__((no_instrument_function)) void free(void *place) { (void)place; }
__attribute__((no_instrument_function)) void *calloc(size_t count, size_t bytes) { return malloc(count * bytes); }
__attribute__((no_instrument_function)) void *realloc(void *old, size_t bytes)
{
	char *place = malloc(bytes);
	if (place && old)
		memcpy(place, old, *(size_t *)((char *)old - 16) < bytes ? *(size_t *)((char *)old - 16) : bytes);
	return place;
}
int main(void)
{
	printf("turn %d\n", early_turn());
	return dlsym(RTLD_DEFAULT, "there is no such function") != NULL;	/* its message is allocated */
}
T
"$CC" -shared -fPIC -O1 early.c -o libearly.so -pthread || die "cannot build libearly.so"
# Behind all others on the line: the dynamic linker initializes it first.
"$CC" -g -O1 prog.c -o prog.plain -L. -Wl,-rpath,"$work" -learly -pthread || die "cannot build prog"
"$CC" -g -O1 -finstrument-functions prog.c -o prog -L. -Wl,-rpath,"$work" -pthread "-L$builddir/.libs" \
	"-Wl,-rpath,$builddir/.libs" -Wl,--no-as-needed -lfathom-pthread -lfathom-compiler -lfathom -learly ||
	die "cannot build prog for measurement"
env LD_DEBUG=files ./prog 2>&1 > /dev/null | sed -n 's/.*calling init: .*\/\(lib[a-z-]*\).so.*/\1/p' > order
FATHOM_MODE=none
export FATHOM_MODE
./prog > none.out || bad "FATHOM_MODE=none: exit code $?"
unset FATHOM_MODE
run_both prog
cmp -s plain.out none.out || bad "FATHOM_MODE=none: prints $(cat none.out)"
contains "the order in which libraries start" "$(tr '\n' ' ' < order)" 'libearly .*libfathom '
[ "$(value visits prog/main/pthread_mutex_lock "$result/profile.cubex")" -ge 1 ] ||
	bad "main's locks are not measured: $(values visits "$result/profile.cubex")"
same "the join of a thread created early" 1 "$(value visits prog/main/pthread_join "$result/profile.cubex")"
same "no thread" 0 "$(value visits 'prog/main/{thread}' "$result/profile.cubex")"
verdict
