/* All the ways in which threads begin and end. What it prints is the same with and without fathom. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER, never = PTHREAD_COND_INITIALIZER;
static int there;

static pthread_t begin(void *(*routine)(void *), void *argument)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, routine, argument))
		abort();
	return thread;
}

static void end(pthread_t thread)
{
	void *result;

	pthread_join(thread, &result);
	printf("joined: %s\n", result == PTHREAD_CANCELED ? "cancelled" : result ? (char *)result : "nothing");
}

/* --- cancellation */

static void clean(void *text)
{
	printf("clean %s\n", (char *)text);
}

static void unlock(void *nothing)
{
	(void)nothing;
	printf("unlock: %d\n", pthread_mutex_unlock(&mutex));
}

static void arrive(void)
{
	there++;
	pthread_cond_broadcast(&arrived);
}

static void await(int count)
{
	pthread_mutex_lock(&mutex);
	while (there < count)
		pthread_cond_wait(&arrived, &mutex);
	pthread_mutex_unlock(&mutex);
}

static void *wait_for_ever(void *argument)
{
	pthread_cleanup_push(clean, "outer");
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, NULL);
	arrive();
	for (;;)
		pthread_cond_wait(&never, &mutex);
	pthread_cleanup_pop(1);
	pthread_cleanup_pop(1);
	return argument;
}

static void *join_other(void *other)
{
	pthread_mutex_lock(&mutex);
	arrive();
	pthread_mutex_unlock(&mutex);
	pthread_join(*(pthread_t *)other, NULL);
	return "not cancelled";
}

static void *spin(void *argument)
{
	volatile unsigned long turns = 0;

	pthread_mutex_lock(&mutex);
	arrive();
	pthread_mutex_unlock(&mutex);
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (;;)
		turns++;
	return argument;
}

static int cancel_wait(void)
{
	pthread_t thread = begin(wait_for_ever, NULL);

	await(1);
	pthread_cancel(thread);
	end(thread);
	printf("mutex: %d\n", pthread_mutex_lock(&mutex));
	return 0;
}

static int cancel_join(void)
{
	pthread_t waiting = begin(wait_for_ever, NULL);
	pthread_t joining = begin(join_other, &waiting);

	await(2);
	pthread_cancel(joining);
	end(joining);
	pthread_cancel(waiting);
	end(waiting);
	return 0;
}

static int cancel_async(void)
{
	pthread_t thread = begin(spin, NULL);

	await(1);
	pthread_cancel(thread);
	end(thread);
	return 0;
}

/* --- who lives longer */

static void *speak_later(void *text)
{
	usleep(20000);
	printf("%s\n", (char *)text);
	return NULL;
}

static int exit_main(void)
{
	begin(speak_later, "main has ended");
	pthread_exit(NULL);
}

static int detached(void)
{
	pthread_detach(begin(speak_later, "nobody waits"));
	pthread_exit(NULL);
}

static void *end_all(void *argument)
{
	await(2);
	exit(7);
	return argument;
}

static int exit_thread(void)
{
	begin(wait_for_ever, NULL);
	begin(wait_for_ever, NULL);
	pthread_join(begin(end_all, NULL), NULL);
	return 1;
}

static int running(void)
{
	begin(wait_for_ever, NULL);
	begin(wait_for_ever, NULL);
	await(2);
	return 3;
}

/* --- before and behind main */

static const char *mode;
static pthread_t early;

static void *say(void *text)
{
	pthread_mutex_lock(&mutex);
	printf("%s\n", (char *)text);
	pthread_mutex_unlock(&mutex);
	return text;
}

__attribute__((constructor)) static void before_main(int count, char **arguments)
{
	mode = count > 1 ? arguments[1] : "";
	if (!strcmp(mode, "outside"))
		early = begin(say, "in a constructor");
}

__attribute__((destructor)) static void behind_main(void)
{
	if (!strcmp(mode, "outside"))
		end(begin(say, "in a destructor"));
}

static void at_exit(void)
{
	end(begin(say, "at exit"));
}

static int outside(void)
{
	end(early);
	atexit(at_exit);
	return 0;
}

/* --- fork */

static int forked(void)
{
	pthread_t waiting = begin(wait_for_ever, NULL);
	int status;
	pid_t child;

	await(1);
	fflush(stdout);
	child = fork();
	if (child == 0) {
		there = 0;
		end(begin(say, "in the child"));
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
		exit(5);
	}
	waitpid(child, &status, 0);
	printf("child: %d\n", WEXITSTATUS(status));
	pthread_cancel(waiting);
	end(waiting);
	return 0;
}

/* --- mutexes with a past */

static pthread_mutex_t special;

static void *lock_and_end(void *argument)
{
	pthread_mutex_lock(&special);
	return argument;
}

static int robust(void)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&special, &attr);
	end(begin(lock_and_end, "the owner"));
	printf("owner dead: %d\n", pthread_mutex_lock(&special) == EOWNERDEAD);
	pthread_mutex_consistent(&special);
	printf("unlock: %d\n", pthread_mutex_unlock(&special));
	pthread_mutex_destroy(&special);
	pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&special, &attr);
	printf("inherits: %d %d\n", pthread_mutex_lock(&special), pthread_mutex_unlock(&special));
	pthread_mutex_destroy(&special);
	return 0;
}

/* --- what is still called when a thread has ended */

static pthread_key_t key;

static void forget(void *text)
{
	pthread_mutex_lock(&mutex);
	printf("forget %s\n", (char *)text);
	pthread_mutex_unlock(&mutex);
}

static void *remember(void *text)
{
	pthread_setspecific(key, text);
	pthread_exit("exit");
}

static int specific(void)
{
	pthread_key_create(&key, forget);
	end(begin(remember, "me"));
	return 0;
}

/* --- threads of threads, and one with the smallest stack */

static void *inner(void *argument)
{
	return argument;
}

static void *outer(void *argument)
{
	end(begin(inner, argument));
	return argument;
}

static int nested(void)
{
	pthread_attr_t attr;
	pthread_t thread;

	end(begin(outer, "two levels"));
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, (size_t)sysconf(_SC_THREAD_STACK_MIN));
	if (pthread_create(&thread, &attr, inner, "a small stack"))
		return 1;
	end(thread);
	return 0;
}

/* --- signals in between */

static volatile sig_atomic_t caught;

static void on_alarm(int number)
{
	(void)number;
	caught++;
}

static int signals(void)
{
	const struct itimerval often = { { 0, 200 }, { 0, 200 } };
	const struct itimerval off = { { 0, 0 }, { 0, 0 } };

	signal(SIGALRM, on_alarm);
	setitimer(ITIMER_REAL, &often, NULL);
	while (caught < 50) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	for (int i = 0; i < 50; i++)
		pthread_join(begin(inner, NULL), NULL);
	setitimer(ITIMER_REAL, &off, NULL);
	return 0;
}

/* --- which signals a thread is born with */

static void *tell_signals(void *text)
{
	sigset_t blocked;

	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	printf("%s: INT %d TERM %d HUP %d\n", (char *)text, sigismember(&blocked, SIGINT),
	       sigismember(&blocked, SIGTERM), sigismember(&blocked, SIGHUP));
	return text;
}

static int masks(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	sigset_t some;

	end(begin(tell_signals, "as from the start"));
	sigemptyset(&some);
	sigaddset(&some, SIGINT);
	pthread_sigmask(SIG_BLOCK, &some, NULL);
	end(begin(tell_signals, "the creator's"));
	sigemptyset(&some);
	sigaddset(&some, SIGTERM);
	pthread_attr_init(&attr);
	pthread_attr_setsigmask_np(&attr, &some);
	if (pthread_create(&thread, &attr, tell_signals, "its own"))
		return 1;
	end(thread);
	pthread_attr_destroy(&attr);
	tell_signals("the creator itself");
	return 0;
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} modes[] = {
		{ "cancel_wait", cancel_wait }, { "cancel_join", cancel_join }, { "cancel_async", cancel_async },
		{ "exit_main", exit_main }, { "detached", detached }, { "exit_thread", exit_thread },
		{ "running", running }, { "outside", outside }, { "forked", forked }, { "robust", robust },
		{ "specific", specific }, { "nested", nested }, { "signals", signals },
		{ "masks", masks },
	};

	(void)count;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++)
		if (!strcmp(arguments[1], modes[i].name))
			return modes[i].run();
	return 99;
}
