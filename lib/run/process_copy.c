#include "run/process_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "platform/lock.h"
#include "platform/log.h"
#include "run/signal_handlers.h"

/* An error number is the copy's exit code. The largest error number is EHWPOISON. */
enum { MOST_ERROR = 133 };

/*
 * Like _Fork, but to the C library the copy's thread is still the one that it was: so a recursive lock that the thread
 * holds can be taken again. The dynamic linker's lock is such a one; it is held in constructors of a library that the
 * program loads, and the names of functions come from a library that is loaded, too.
 * Without a signal for its end (the lowest byte of the flags) the copy is no child that the program's wait would find.
 */
static pid_t copy_process(void)
{
	return (pid_t)syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
}

/* Ends the copy as fathom_process_copy_run describes. */
static void end_copy(int error)
{
	for (;;)
		syscall(SYS_exit_group, error);
}

/* The thread that holds the lock was not copied. */
static void give_up(void)
{
	end_copy(EDEADLK);
}

/* A copy must not stay behind when its parent is killed. SIGALRM ends a copy that waits; where a library has blocked
 * it, the kernel kills a copy that computes, with a signal that cannot be blocked. */
static void limit_time(unsigned int seconds)
{
	const struct rlimit limit = { .rlim_cur = seconds, .rlim_max = seconds };

	setrlimit(RLIMIT_CPU, &limit);
	alarm(seconds);
}

static void run_in_copy(int (*function)(void *), void *data, unsigned int seconds)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;
	int err;

	/* The signals of the C library itself (32 and 33) are left out: it refuses them. */
	for (int number = 1; number < NSIG; number++)
		fathom_signal_handlers_set(number, &action, NULL);
	sigemptyset(&none);
	pthread_sigmask(SIG_SETMASK, &none, NULL);
	limit_time(seconds);
	fathom_lock_never_wait(give_up);
	err = function(data);
	end_copy(err < -MOST_ERROR || err > 0 ? EIO : -err);
}

bool fathom_process_copy_waits_for_lock(pid_t thread)
{
	char path[64], text[32] = "";
	int fd;

	fathom_format(path, sizeof(path), "/proc/%d/syscall", (int)thread);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	if (read(fd, text, sizeof(text) - 1) <= 0)
		*text = '\0';
	close(fd);
	fathom_format(path, sizeof(path), "%d ", SYS_futex);
	return !strncmp(text, path, strlen(path));
}

/* 0 or -errno. The copy has one thread: if that waits for a lock, no thread will ever release it. A copy that was made
 * while another thread was inside malloc may hang there: it is killed after ENOUGH looks in a row find it waiting. */
static int wait_for_copy(pid_t copy, int *status)
{
	enum { FIRST_NS = 500000, MOST_NS = 50000000, ENOUGH = 5 };
	struct timespec pause = { .tv_nsec = FIRST_NS };
	pid_t waited;

	for (int looks = 0; looks < ENOUGH; nanosleep(&pause, NULL)) {
		waited = waitpid(copy, status, WNOHANG | __WALL);
		if (waited > 0 || (waited < 0 && errno != EINTR))
			return waited > 0 ? 0 : -errno;
		if (pause.tv_nsec < MOST_NS)
			pause.tv_nsec += pause.tv_nsec / 2;
		else
			looks = fathom_process_copy_waits_for_lock(copy) ? looks + 1 : 0;
	}
	kill(copy, SIGKILL);
	do
		waited = waitpid(copy, status, __WALL);
	while (waited < 0 && errno == EINTR);
	return waited > 0 ? 0 : -errno;
}

static int run_copy(int (*function)(void *), void *data, unsigned int seconds)
{
	pid_t copy = copy_process();
	int status, err;

	if (copy == 0)
		run_in_copy(function, data, seconds);
	if (copy < 0)
		return -errno;
	err = wait_for_copy(copy, &status);
	if (err)
		return err;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		return -EDEADLK;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EFAULT;
}

/* The thread that held the lock goes on in this process: a later copy may find the lock free. */
int fathom_process_copy_run(int (*function)(void *), void *data, unsigned int seconds)
{
	enum { MOST_TRIES = 3 };
	int err = -EDEADLK;

	for (int i = 0; i < MOST_TRIES && err == -EDEADLK; i++)
		err = run_copy(function, data, seconds);
	return err;
}
