#include "platform/lock.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/log.h"

/* The function that fathom_lock_take calls instead of waiting for a lock. It is set only in a forked copy of the
 * process: the copy has one thread, so nothing could release the lock there. NULL in every other process. */
static void (*instead_of_waiting)(void);

void fathom_lock_never_wait(void (*give_up)(void))
{
	instead_of_waiting = give_up;
}

void fathom_signals_block(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	/* The signals of a crash stay unblocked: the kernel ends a process at once if such a signal is blocked, and the
	 * measurement would be lost. */
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	sigdelset(&all, SIGFPE);
	sigdelset(&all, SIGILL);
	sigdelset(&all, SIGABRT);
	sigdelset(&all, SIGTRAP);
	if (instead_of_waiting)		/* the copy sets an alarm, which must end the copy if it takes too long */
		sigdelset(&all, SIGALRM);
	pthread_sigmask(SIG_BLOCK, &all, before);
}

void fathom_signals_restore(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

void fathom_lock_take(struct fathom_lock *lock)
{
	sigset_t before;

	fathom_signals_block(&before);
	/* Pairs with the release in fathom_lock_give. */
	while (__atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE)) {
		if (instead_of_waiting)
			instead_of_waiting();
		sched_yield();
	}
	lock->blocked_before = before;
}

bool fathom_lock_try(struct fathom_lock *lock)
{
	sigset_t before;

	fathom_signals_block(&before);
	/* Pairs with the release in fathom_lock_give. */
	if (__atomic_exchange_n(&lock->taken, 1, __ATOMIC_ACQUIRE)) {
		fathom_signals_restore(&before);
		return false;
	}
	lock->blocked_before = before;
	return true;
}

void fathom_lock_give(struct fathom_lock *lock)
{
	sigset_t before = lock->blocked_before;

	/* Pairs with the acquire in fathom_lock_take. */
	__atomic_store_n(&lock->taken, 0, __ATOMIC_RELEASE);
	fathom_signals_restore(&before);
}

void fathom_lock_reset(struct fathom_lock *lock)
{
	__atomic_store_n(&lock->taken, 0, __ATOMIC_RELAXED);
}

bool fathom_lock_is_awaited_by(pid_t thread)
{
	char path[64], text[32] = "";
	int fd;

	fathom_format(path, sizeof(path), "/proc/%d/syscall", (int)thread);
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return false;
	if (syscall(SYS_read, fd, text, sizeof(text) - 1) <= 0)
		*text = '\0';
	syscall(SYS_close, fd);
	fathom_format(path, sizeof(path), "%d ", SYS_futex);
	return !strncmp(text, path, strlen(path));
}
