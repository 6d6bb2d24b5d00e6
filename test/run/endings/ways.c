/*
 * A program that ends in the way that its first argument names.
 *
 *   ways WAY THREADS HANDLERS
 *
 * THREADS - 1 threads are busy meanwhile. HANDLERS is 1: the program handles signals itself: a timer each millisecond,
 * and those that would end it, after which it lets them end it.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static volatile long sink;
static void work(void) { for (int i = 0; i < 1000; i++) sink++; }
static int deep(int n) { volatile char room[2048]; room[0] = (char)n; return n < 1 << 30 ? deep(n + 1) + room[0] : 0; }
static int shallow(int n) { volatile char room[64]; room[0] = (char)n; return n ? shallow(n - 1) + room[0] : 0; }
static int begun;	/* busy threads */
static void *busy(void *unused) { work(); __atomic_add_fetch(&begun, 1, __ATOMIC_RELEASE); for (;;) work(); return unused; }
static void crash(void) { *(volatile int *)8 = 1; }

static void pass(long ms)
{
	struct timespec time = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&time, &time))
		;
}

/* --- handlers --- */

static volatile long ticks;
static sigjmp_buf start;
static void on_tick(int number) { (void)number; ticks++; }
static void on_tick_jump(int number) { (void)number; siglongjmp(start, 1); }
static void on_stop(int number) { (void)number; for (;;) pause(); }
static void clean_up(int number) { work(); signal(number, SIG_DFL); raise(number); }

static void overwrite_stack(void)
{
	volatile char bytes[64 << 10];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = 1;
	for (;;)
		bytes[0] = 1;
}

static void tick(void (*handler)(int))
{
	const struct itimerval each_ms = { { 0, 1000 }, { 0, 1000 } };
	struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &each_ms, NULL);
}

/* The program that exec starts would get the signal, and has no handler. */
static void stop_ticks(void)
{
	const struct itimerval never = { 0 };

	setitimer(ITIMER_REAL, &never, NULL);
}

/* Programs make small ones. */
static void alternate_stack(size_t bytes)
{
	const stack_t stack = { .ss_sp = malloc(bytes), .ss_size = bytes };

	if (sigaltstack(&stack, NULL))
		perror("sigaltstack");
}

static void handle_signals(void)
{
	static const int numbers[] = { SIGHUP, SIGINT, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGTERM };
	struct sigaction action = { .sa_handler = clean_up, .sa_flags = SA_ONSTACK };

	alternate_stack(16 << 10);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigaction(numbers[i], &action, NULL);
	tick(on_tick);
}

/* --- threads --- */

static pthread_barrier_t all;

static pthread_t thread_of(void *(*routine)(void *), void *argument, size_t stack_bytes)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int err;

	pthread_attr_init(&attributes);
	if (stack_bytes)
		pthread_attr_setstacksize(&attributes, stack_bytes);
	err = pthread_create(&thread, &attributes, routine, argument);
	if (err) {
		errno = err;
		perror("pthread_create");
		exit(90);
	}
	return thread;
}

static void *crash_together(void *unused) { work(); pthread_barrier_wait(&all); crash(); return unused; }
static void *abort_together(void *unused) { work(); pthread_barrier_wait(&all); abort(); return unused; }

/* Set right before the crash of another thread. */
static volatile int crashes;
static void wait_for_crash(void) { work(); while (!crashes); pass(2); }
static void *exit_later(void *unused) { wait_for_crash(); exit(5); return unused; }
static void *_exit_later(void *unused) { wait_for_crash(); _exit(7); return unused; }
static void *exec_later(void *unused)
{
	stop_ticks();
	wait_for_crash();
	execl("/bin/sh", "sh", "-c", "exit 9", (char *)NULL);
	return unused;
}
static void *abort_alone(void *unused) { work(); abort(); return unused; }
static void *crash_alone(void *unused) { work(); crash(); return unused; }
static void *exit_alone(void *unused) { work(); exit(5); return unused; }
static void *_exit_alone(void *unused) { work(); _exit(7); return unused; }
static void *exec_alone(void *unused)
{
	work();
	stop_ticks();
	execlp("sh", "sh", "-c", "exit 9", (char *)NULL);
	return unused;
}
static void *overflow(void *unused) { work(); deep(0); return unused; }
static void *wait_alone(void *unused) { work(); for (;;) pause(); return unused; }
static void *outlive(void *unused) { for (int i = 0; i < 100; i++) work(); exit(24); return unused; }

static void *term_self(void *unused)
{
	work();
	pthread_kill(pthread_self(), SIGTERM);
	pause();
	return unused;
}

static void tiny(void) { sink++; }
static void *busy_with_calls(void *unused) { __atomic_add_fetch(&begun, 1, __ATOMIC_RELEASE); for (;;) tiny(); return unused; }

/* Stops threads by a signal whose handler does not return. Many of them are in the middle of an enter or an exit then. */
static void stop_busy_threads(void)
{
	enum { THREADS = 24 };
	pthread_t threads[THREADS];
	int before = __atomic_load_n(&begun, __ATOMIC_ACQUIRE);

	signal(SIGUSR1, on_stop);
	for (int i = 0; i < THREADS; i++)
		threads[i] = thread_of(busy_with_calls, NULL, 0);
	while (__atomic_load_n(&begun, __ATOMIC_ACQUIRE) < before + THREADS)
		pass(1);
	for (int i = 0; i < THREADS; i++)
		pthread_kill(threads[i], SIGUSR1);
	pass(50);
}

/* Of count threads, each in the routine, that meet; the main thread waits. */
static void together(void *(*routine)(void *), unsigned int count)
{
	pthread_barrier_init(&all, NULL, count);
	for (unsigned int i = 0; i < count; i++)
		thread_of(routine, NULL, 0);
	pass(20000);
}

/* The main thread crashes, and the other thread does what it does 2 ms later. */
static void crash_before(void *(*other)(void *))
{
	thread_of(other, NULL, 0);
	pass(2);
	crashes = 1;
	crash();
}

/* --- signals --- */

/* Both are there for this thread at the same time: the lower number comes first. */
static void both_at_once(int one, int other)
{
	sigset_t both;

	sigemptyset(&both);
	sigaddset(&both, one);
	sigaddset(&both, other);
	pthread_sigmask(SIG_BLOCK, &both, NULL);
	raise(one);
	raise(other);
	pthread_sigmask(SIG_UNBLOCK, &both, NULL);
	pass(20000);
}

static void from_outside(int one, long ms, int other)
{
	pid_t self = getpid();

	if (fork() == 0) {
		pass(5);
		kill(self, one);
		if (ms)
			pass(ms);
		kill(self, other);
		_exit(0);
	}
	for (;;)
		work();
}

/* --- nothing left --- */

static void take_all_descriptors(void)
{
	const struct rlimit few = { 16, 16 };

	setrlimit(RLIMIT_NOFILE, &few);
	while (open("/dev/null", O_RDONLY) >= 0)
		;
}

/* Under ulimit -v. */
static void take_all_memory(void)
{
	size_t bytes = 256 << 20;

	for (; bytes >= 4096; bytes /= 2)
		while (mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
			;
	while (malloc(16))
		;
}

static void close_all_descriptors(void)
{
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
}

/* A handler that jumps interrupts a crash or _exit. */
static void end_with_jumps(const char *way)
{
	if (!strcmp(way, "crash-and-jumps")) {
		static volatile int jumps;
		if (sigsetjmp(start, 1) == 0)
			tick(on_tick_jump);
		else if (++jumps > 20000)
			exit(0);	/* the crash did not end the program */
		crash();
	}
	if (!strcmp(way, "_exit-and-jumps")) {
		static volatile int jumps;
		if (sigsetjmp(start, 1) == 0)
			tick(on_tick_jump);
		else if (++jumps > 20000)
			exit(0);
		for (int i = 0; i < 10; i++)
			work();
		_exit(7);
	}
	/* While the main thread is in _exit, another thread gets the signal, jumps onto the stack of the main thread and
	 * overwrites it. */
	if (!strcmp(way, "_exit-and-wrong-jumps")) {
		if (sigsetjmp(start, 1) == 0)
			tick(on_tick_jump);
		else if (gettid() != getpid())
			overwrite_stack();
		_exit(7);
	}
}

/* Several threads or signals end the process at the same time. */
static void end_together(const char *way)
{
	if (!strcmp(way, "crash-crash")) together(crash_together, 2);
	if (!strcmp(way, "four-crashes")) together(crash_together, 4);
	if (!strcmp(way, "eight-aborts")) together(abort_together, 8);
	if (!strcmp(way, "crash-exit")) crash_before(exit_later);
	if (!strcmp(way, "crash-_exit")) crash_before(_exit_later);
	if (!strcmp(way, "crash-exec")) crash_before(exec_later);
	if (!strcmp(way, "term-int")) both_at_once(SIGTERM, SIGINT);
	if (!strcmp(way, "term-int-outside")) from_outside(SIGTERM, 0, SIGINT);
	if (!strcmp(way, "hup-5ms-term")) from_outside(SIGHUP, 5, SIGTERM);
	if (!strcmp(way, "int-5ms-int")) from_outside(SIGINT, 5, SIGINT);
}

/* The end comes on a stack that is used up or small. */
static void end_on_stack(const char *way)
{
	if (!strcmp(way, "overflow")) deep(0);
	if (!strcmp(way, "overflow-small-alternate")) { alternate_stack(16 << 10); deep(0); }
	if (!strcmp(way, "overflow-thread")) pthread_join(thread_of(overflow, NULL, 0), NULL);
	if (!strcmp(way, "small-overflow")) pthread_join(thread_of(overflow, NULL, 16 << 10), NULL);
	if (!strcmp(way, "small-abort")) pthread_join(thread_of(abort_alone, NULL, 16 << 10), NULL);
	if (!strcmp(way, "small-crash")) pthread_join(thread_of(crash_alone, NULL, 16 << 10), NULL);
	if (!strcmp(way, "small-term")) pthread_join(thread_of(term_self, NULL, 16 << 10), NULL);
	if (!strcmp(way, "small-exit")) pthread_join(thread_of(exit_alone, NULL, 16 << 10), NULL);
	if (!strcmp(way, "small-_exit")) pthread_join(thread_of(_exit_alone, NULL, 16 << 10), NULL);
	if (!strcmp(way, "small-exec")) pthread_join(thread_of(exec_alone, NULL, 16 << 10), NULL);
}

/* No descriptors or no memory are left. */
static void end_without_room(const char *way)
{
	if (!strcmp(way, "descriptors-return")) { take_all_descriptors(); return; }
	if (!strcmp(way, "descriptors-crash")) { take_all_descriptors(); crash(); }
	if (!strcmp(way, "descriptors-_exit")) { take_all_descriptors(); _exit(7); }
	if (!strcmp(way, "memory-return")) { take_all_memory(); return; }
	if (!strcmp(way, "memory-crash")) { take_all_memory(); crash(); }
	if (!strcmp(way, "memory-abort")) { take_all_memory(); abort(); }
}

/* What a program does in addition before or while it ends. */
static void end_otherwise(const char *way)
{
	if (!strcmp(way, "chdir")) { if (chdir("/")) exit(91); exit(5); }
	if (!strcmp(way, "chdir-crash")) { if (chdir("/")) exit(91); crash(); }
	if (!strcmp(way, "clearenv")) { clearenv(); exit(5); }
	if (!strcmp(way, "closes-all")) { close_all_descriptors(); exit(5); }
	if (!strcmp(way, "closes-all-crash")) { close_all_descriptors(); crash(); }
	if (!strcmp(way, "vfork")) {
		int status = 0;
		pid_t child = vfork();
		if (child == 0) { execl("/bin/true", "true", (char *)NULL); _exit(99); }
		waitpid(child, &status, 0);
		exit(14 + WEXITSTATUS(status));
	}
	if (!strcmp(way, "vfork-_exit")) {
		int status = 0;
		pid_t child = vfork();
		if (child == 0) _exit(3);
		waitpid(child, &status, 0);
		exit(14 + WEXITSTATUS(status));
	}
	if (!strcmp(way, "posix_spawn")) {
		char *arguments[] = { "sh", "-c", "exit 4", NULL };
		int status = 0;
		pid_t child;
		if (posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ)) exit(92);
		waitpid(child, &status, 0);
		exit(14 + WEXITSTATUS(status));
	}
	if (!strcmp(way, "recursion")) { shallow(20000); exit(5); }
	if (!strcmp(way, "outlives-main")) { thread_of(outlive, NULL, 0); pthread_exit(NULL); }
	if (!strcmp(way, "cancel")) {
		pthread_t thread = thread_of(wait_alone, NULL, 0);
		void *result;
		pass(2);
		pthread_cancel(thread);
		pthread_join(thread, &result);
		exit(result == PTHREAD_CANCELED ? 5 : 93);
	}
	if (!strcmp(way, "poll")) {
		struct pollfd none = { .fd = -1 };
		struct timeval moment = { 0, 3000 };
		poll(&none, 1, 3);
		select(0, NULL, NULL, NULL, &moment);
		exit(5);
	}
	if (!strcmp(way, "term-poll")) {
		const pid_t self = getpid();
		if (fork() == 0) { pass(5); kill(self, SIGTERM); _exit(0); }
		for (;;)
			poll(NULL, 0, 20000);
	}
	if (!strcmp(way, "stopped-threads")) { stop_busy_threads(); exit(5); }
	if (!strcmp(way, "daemon")) { if (fork()) _exit(20); setsid(); work(); exit(5); }
}

/* Ends the process in the way of that name. Returns only where main is to return. */
static void end(const char *way)
{
	work();
	if (!strcmp(way, "return")) return;
	if (!strcmp(way, "exit")) exit(5);
	if (!strcmp(way, "_exit")) _exit(7);
	if (!strcmp(way, "quick_exit")) quick_exit(8);
	if (!strcmp(way, "abort")) abort();
	if (!strcmp(way, "crash")) crash();
	if (!strcmp(way, "term")) { kill(getpid(), SIGTERM); pass(20000); }
	if (!strcmp(way, "exec")) { stop_ticks(); execl("/bin/sh", "sh", "-c", "exit 9", (char *)NULL); }
	end_with_jumps(way);
	end_together(way);
	end_on_stack(way);
	end_without_room(way);
	end_otherwise(way);
}

int main(int argc, char **argv)
{
	int threads = argc > 2 ? atoi(argv[2]) : 1;
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	printf("begin\n");
	fflush(stdout);
	if (argc > 3 && atoi(argv[3]))
		handle_signals();
	/* While the handler runs, the kernel would choose another thread for the next signal, also without fathom; it must
	 * not jump to the stack of the main thread. */
	if (strstr(argv[1], "-and-jumps"))
		pthread_sigmask(SIG_BLOCK, &alarm, NULL);
	for (int i = 1; i < threads; i++)
		thread_of(busy, NULL, 0);
	pthread_sigmask(SIG_UNBLOCK, &alarm, NULL);
	while (__atomic_load_n(&begun, __ATOMIC_ACQUIRE) < threads - 1)
		pass(1);
	end(argv[1]);
	printf("end\n");
	return 4;
}
