#include "platform/lock.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>

void fathom_lock_take(struct fathom_lock *lock)
{
	int saved = errno;
	sigset_t all, before;

	sigfillset(&all);
	/* Those that mean a crash stay open: blocked, they would end the process at once
	 * and the measurement with it. */
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGFPE);
	sigdelset(&all, SIGILL);
	sigdelset(&all, SIGABRT);
	sigdelset(&all, SIGTRAP);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	/* Pairs with the release in fathom_lock_give. */
	while (__atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE))
		sched_yield();
	lock->blocked_before = before;
	errno = saved;
}

void fathom_lock_give(struct fathom_lock *lock)
{
	int saved = errno;
	sigset_t before = lock->blocked_before;

	/* Pairs with the acquire in fathom_lock_take. */
	__atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = saved;
}

void fathom_lock_reset(struct fathom_lock *lock)
{
	__atomic_store_n(&lock->taken, 0, __ATOMIC_RELAXED);
}
