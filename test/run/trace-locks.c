/*
 * Locks of every kind, fought for by three threads. With a word as argument, main ends while it holds one.
 * What the trace must have of each, in the order of first use, stands in trace-locks.sh.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <threads.h>

enum { THREADS = 3, ROUNDS = 50, TURNS = 20 };

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, recursive, tried = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t queue = PTHREAD_MUTEX_INITIALIZER, held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static mtx_t c11;
static int turn;
static long got, count;

static void fight(void)
{
	pthread_mutex_lock(&plain);
	__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&plain);
	pthread_mutex_lock(&recursive);		/* twice: one acquisition */
	pthread_mutex_lock(&recursive);
	__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&recursive);
	pthread_mutex_unlock(&recursive);
	if (!pthread_mutex_trylock(&held))	/* never */
		pthread_mutex_unlock(&held);
	if (!pthread_mutex_trylock(&tried)) {
		__atomic_add_fetch(&got, 1, __ATOMIC_RELAXED);
		pthread_mutex_unlock(&tried);
	}
	pthread_rwlock_rdlock(&shared);		/* readers hold nothing alone */
	pthread_rwlock_unlock(&shared);
	pthread_rwlock_wrlock(&shared);
	__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
	pthread_rwlock_unlock(&shared);
	pthread_spin_lock(&spin);
	__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
	pthread_spin_unlock(&spin);
	mtx_lock(&c11);
	__atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
	mtx_unlock(&c11);
}

static void *work(void *argument)
{
	long me = (long)argument;

	for (int i = 0; i < ROUNDS; i++)
		fight();
	for (int i = 0; i < TURNS; i++) {
		pthread_mutex_lock(&queue);
		while (turn % THREADS != me)
			pthread_cond_wait(&condition, &queue);
		turn++;
		pthread_cond_broadcast(&condition);
		pthread_mutex_unlock(&queue);
	}
	return NULL;
}

/* At one address, a new lock each time. */
static void renew(void)
{
	static pthread_mutex_t again;

	for (int i = 0; i < 3; i++) {
		pthread_mutex_init(&again, NULL);
		pthread_mutex_lock(&again);
		pthread_mutex_unlock(&again);
		pthread_mutex_destroy(&again);
	}
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	pthread_mutexattr_t attr;

	(void)argv;
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&recursive, &attr);
	pthread_spin_init(&spin, 0);
	mtx_init(&c11, mtx_plain);
	renew();
	pthread_mutex_lock(&held);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, work, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("count %ld, turns %d, got %ld\n", count, turn, got);
	if (argc < 2)
		pthread_mutex_unlock(&held);
	return 0;
}
