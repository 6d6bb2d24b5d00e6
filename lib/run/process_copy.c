#include "run/process_copy.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "platform/lock.h"
#include "run/signals/signal_handlers.h"

/* The exit code of the copy is an error number. EHWPOISON is the largest one. */
enum { MOST_ERROR = 133 };

/*
 * Copies the process like _Fork, but without changing the thread id that the C library has noted for the thread. So the
 * copy can take a recursive lock again that the thread holds. The lock of the dynamic linker is recursive; a thread
 * holds it in constructors of a library that the program loads, and the copy must load a library to find names of
 * functions. The lowest byte of the flags, the signal for the end of the copy, is 0: so the program's wait does not
 * find the copy.
 */
static pid_t copy_process(void)
{
	return (pid_t)syscall(SYS_clone, 0L, 0L, 0L, 0L, 0L);
}

/* Ends the copy with an error number as its exit code; 0: no error. */
static void end_copy(int error)
{
	for (;;)
		syscall(SYS_exit_group, error);
}

/* Ends the copy because it would wait for a lock whose holder was not copied. */
static void give_up(void)
{
	end_copy(EDEADLK);
}

/* Limits the time of the copy, because it must not stay when its parent is killed. SIGALRM ends a copy that waits. If a
 * library has blocked SIGALRM, the limit of processor time ends a copy that computes, by SIGKILL. */
static void limit_time(unsigned int seconds)
{
	const struct rlimit limit = { .rlim_cur = seconds, .rlim_max = seconds };

	setrlimit(RLIMIT_CPU, &limit);
	alarm(seconds);
}

/* Removes the program's signal handlers. The copy ignores the signals by which processes are ended from outside: they
 * are often sent to the whole process group, and more than once (timeout does both), and would end the copy before it
 * has done its work. */
static void set_signals(void)
{
	static const int from_outside[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2 };
	struct sigaction action = { .sa_handler = SIG_DFL };

	/* For its own signals (32 and 33) the C library returns an error, which does not matter here. */
	for (int number = 1; number < NSIG; number++)
		fathom_signal_handlers_set(number, &action, NULL);
	action.sa_handler = SIG_IGN;
	for (size_t i = 0; i < sizeof(from_outside) / sizeof(*from_outside); i++)
		fathom_signal_handlers_set(from_outside[i], &action, NULL);
}

static void run_in_copy(int (*function)(void *), void *data, unsigned int seconds)
{
	sigset_t none;
	int err;

	set_signals();
	sigemptyset(&none);
	pthread_sigmask(SIG_SETMASK, &none, NULL);
	limit_time(seconds);
	fathom_lock_never_wait(give_up);
	err = function(data);
	end_copy(err < -MOST_ERROR || err > 0 ? EIO : -err);
}

/*
 * Waits until the copy ends, and sets its status. Returns 0 or -errno. If the only thread of the copy waits for a lock,
 * no thread will ever release that lock: for example the lock of malloc, if another thread was inside malloc when the
 * copy was made. The copy is therefore killed after ENOUGH checks in a row have found it waiting.
 */
static int wait_for_copy(pid_t copy, int *status)
{
	enum { FIRST_NS = 500000, MOST_NS = 50000000, ENOUGH = 5 };
	struct timespec pause = { .tv_nsec = FIRST_NS };
	pid_t waited;

	for (int checks = 0; checks < ENOUGH; nanosleep(&pause, NULL)) {
		waited = waitpid(copy, status, WNOHANG | __WALL);
		if (waited > 0 || (waited < 0 && errno != EINTR))
			return waited > 0 ? 0 : -errno;
		if (pause.tv_nsec < MOST_NS)
			pause.tv_nsec += pause.tv_nsec / 2;
		else
			checks = fathom_lock_is_awaited_by(copy) ? checks + 1 : 0;
	}
	kill(copy, SIGKILL);
	do
		waited = waitpid(copy, status, __WALL);
	while (waited < 0 && errno == EINTR);
	return waited > 0 ? 0 : -errno;
}

static int run_copy(int (*function)(void *), void *data, unsigned int seconds)
{
	sigset_t all, before;
	int status, err;
	pid_t copy;

	/* The copy begins with all signals blocked: until it has set them, the program's handlers would run in it. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	copy = copy_process();

	if (copy == 0)
		run_in_copy(function, data, seconds);
	err = copy < 0 ? -errno : 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err)
		return err;
	err = wait_for_copy(copy, &status);
	if (err)
		return err;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		return -EDEADLK;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EFAULT;
}

/*
 * After -EDEADLK a new copy is tried, later each time: the thread that held the lock continues in this process, and
 * releases the lock once it has a processor. On a busy machine this takes some time slices of other processes.
 */
int fathom_process_copy_run(int (*function)(void *), void *data, unsigned int seconds)
{
	static const long pauses_ms[] = { 5, 50, 250 };
	int err = run_copy(function, data, seconds);

	for (unsigned int i = 0; i < sizeof(pauses_ms) / sizeof(*pauses_ms) && err == -EDEADLK; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = pauses_ms[i] * 1000000 }, NULL);
		err = run_copy(function, data, seconds);
	}
	return err;
}
