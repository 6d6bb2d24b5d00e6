/*
 * What a program can notice of samples that are taken of it: nothing. Each part prints what must be the same with and
 * without them. Usage: unseen PART [CALLS]
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef SIGEV_THREAD_ID
#define SIGEV_THREAD_ID 4
#endif

static int calls = 2000, rounds = 1;	/* rounds: of processes */
static const char *program;

static double processor_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Computes for that processor time; errno must survive. */
static void burn(double seconds)
{
	double end = processor_seconds() + seconds;
	volatile uint64_t sum = 0;

	errno = 4711;
	while (processor_seconds() < end)
		for (int i = 0; i < 2000; i++)
			sum += (uint64_t)i;
	if (errno != 4711)
		printf("errno changed to %d\n", errno);
}

/* Keeps a thread busy between two system calls, so that a sample may come at any place around them. */
static void work(int i)
{
	volatile int sum = 0;

	for (int j = 0; j < 3000 + i % 1000; j++)
		sum += j;
}

/* --- system calls ---------------------------------------------------------------------------------- */

static void report(const char *name, int interrupted, int failed)
{
	printf("%s: %d EINTR, %d other errors\n", name, interrupted, failed);
}

#define COUNT(name, call, expected) \
	do { \
		int interrupted = 0, failed = 0; \
		for (int i = 0; i < calls; i++) { \
			work(i); \
			errno = 0; \
			if ((call) != (expected)) { \
				if (errno == EINTR) \
					interrupted++; \
				else \
					failed++; \
			} \
		} \
		report(name, interrupted, failed); \
	} while (0)

static int pipes[2], listener;
static struct sockaddr_un address = { .sun_family = AF_UNIX };

static void *write_pipe(void *unused)
{
	for (int i = 0; i < calls; i++)
		if (write(pipes[1], "x", 1) != 1)
			printf("write failed\n");
	return unused;
}

static void *connect_often(void *unused)
{
	for (int i = 0; i < calls; i++) {
		int fd = socket(AF_UNIX, SOCK_STREAM, 0);

		if (connect(fd, (struct sockaddr *)&address, sizeof(address)))
			printf("connect failed\n");
		close(fd);
	}
	return unused;
}

static int accept_one(void)
{
	int fd = accept(listener, NULL, NULL), error = errno;

	if (fd < 0)
		return -1;
	close(fd);
	errno = error;
	return 0;
}

static int wait_a_little(sem_t *semaphore)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += 20000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	return sem_timedwait(semaphore, &until) && errno == ETIMEDOUT ? 0 : -1;
}

static void part_calls(void)
{
	const struct timespec moment = { .tv_nsec = 1000 };
	struct pollfd nothing = { .fd = -1 };
	int epoll = epoll_create1(0);
	struct epoll_event event;
	pthread_t thread;
	sem_t semaphore;
	char byte;

	sem_init(&semaphore, 0, 0);
	COUNT("nanosleep", nanosleep(&moment, NULL), 0);
	COUNT("poll", ppoll(&nothing, 1, &moment, NULL), 0);
	COUNT("poll at once", poll(&nothing, 1, 0), 0);
	COUNT("epoll_wait", epoll_wait(epoll, &event, 1, i % 64 ? 0 : 1), 0);
	COUNT("sem_timedwait", wait_a_little(&semaphore), 0);
	if (pipe(pipes) || pthread_create(&thread, NULL, write_pipe, NULL))
		exit(90);
	COUNT("read", read(pipes[0], &byte, 1), 1);
	pthread_join(thread, NULL);
	snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "fathom-unseen-%d", (int)getpid());
	listener = socket(AF_UNIX, SOCK_STREAM, 0);
	if (bind(listener, (struct sockaddr *)&address, sizeof(address)) || listen(listener, 16) ||
	    pthread_create(&thread, NULL, connect_often, NULL))
		exit(91);
	COUNT("accept", accept_one(), 0);
	pthread_join(thread, NULL);
}

/* --- signals --------------------------------------------------------------------------------------- */

static volatile int handled[65], codes[65];

static void handler(int number, siginfo_t *info, void *context)
{
	(void)context;
	handled[number]++;
	codes[number] = info->si_code;
}

static void install(int number, int flags)
{
	struct sigaction action = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags };

	if (sigaction(number, &action, NULL))
		printf("%d: %s\n", number, strerror(errno));
}

/* The program's own timers; how often they ring depends on the machine, but never on anything else. */
static void part_timers(void)
{
	struct itimerval prof = { { 0, 10000 }, { 0, 10000 } };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN };
	struct itimerspec each = { { 0, 10000000 }, { 0, 10000000 } };
	timer_t timer;

	install(SIGPROF, SA_RESTART);
	install(SIGRTMIN, SA_RESTART);
	setitimer(ITIMER_PROF, &prof, NULL);
	timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer);
	timer_settime(timer, 0, &each, NULL);
	burn(0.25);
	printf("SIGPROF %s, code %d\n", handled[SIGPROF] >= 10 ? "comes" : "does not come", codes[SIGPROF]);
	printf("SIGRTMIN %s, code %d\n", handled[SIGRTMIN] >= 10 ? "comes" : "does not come", codes[SIGRTMIN]);
	for (int i = 1; i < 65; i++)
		if (handled[i] && i != SIGPROF && i != SIGRTMIN)
			printf("signal %d came\n", i);
}

/* Handlers of the program for all signals that may have one. */
static void part_handlers(void)
{
	for (int i = 1; i < 65; i++) {
		struct sigaction action;

		if (sigaction(i, NULL, &action))
			printf("%d: %s\n", i, strerror(errno));
		else if (action.sa_handler != SIG_DFL)
			printf("%d: has a handler\n", i);
	}
	for (int i = 1; i < 65; i++)
		if (i != SIGKILL && i != SIGSTOP)
			install(i, i % 2 ? SA_RESTART : SA_RESETHAND);
	burn(0.15);
	for (int i = 1; i < 65; i++)
		if (handled[i])
			printf("%d came by itself\n", i);
	for (int i = 1; i < 65; i++)
		if (i != SIGKILL && i != SIGSTOP)
			raise(i);
	for (int i = 1; i < 65; i++) {
		struct sigaction action;

		memset(&action, 0, sizeof(action));
		sigaction(i, NULL, &action);
		printf("%d: %d time, then %s, flags %x\n", i, handled[i], action.sa_handler == SIG_DFL ? "default" : "set",
		       (unsigned)action.sa_flags & ~0x04000000u);
	}
}

static void print_set(const char *name, const sigset_t *set)
{
	printf("%s:", name);
	for (int i = 1; i < 65; i++)
		if (sigismember(set, i) == 1)
			printf(" %d", i);
	printf("\n");
}

static void *wait_for_signal(void *unused)
{
	sigset_t all;
	int number = 0;

	sigfillset(&all);
	sigwait(&all, &number);
	printf("sigwait got %d\n", number);
	return unused;
}

/* A program that blocks all signals, and looks which are pending in every way that there is. */
static void part_masks(void)
{
	const struct timespec moment = { .tv_nsec = 50000000 };
	struct signalfd_siginfo info;
	sigset_t all, before, pending;
	pthread_t thread;
	int fd, number;

	sigfillset(&all);
	print_set("all", &all);
	sigprocmask(SIG_BLOCK, &all, &before);
	print_set("before", &before);
	fd = signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC);
	burn(0.15);
	sigpending(&pending);
	print_set("pending", &pending);
	pthread_sigmask(SIG_BLOCK, NULL, &before);
	print_set("blocked", &before);
	number = (int)read(fd, &info, sizeof(info));
	printf("signalfd: %d\n", number);
	number = sigtimedwait(&all, NULL, &moment);
	printf("sigtimedwait: %d, errno %d\n", number, errno);
	kill(getpid(), SIGURG);
	burn(0.1);
	sigpending(&pending);
	print_set("pending", &pending);
	sigwait(&all, &number);
	printf("sigwait: %d\n", number);
	pthread_create(&thread, NULL, wait_for_signal, NULL);
	burn(0.1);
	kill(getpid(), SIGUSR1);
	pthread_join(thread, NULL);
	raise(SIGRTMAX);
	number = sigwaitinfo(&all, NULL);
	printf("sigwaitinfo: %d\n", number);
}

/* --- stacks ---------------------------------------------------------------------------------------- */

/* Computes deep on the stack, with that many bytes in use. */
static __attribute__((noinline)) void burn_deep(size_t bytes, double seconds)
{
	volatile char space[1024];

	memset((char *)space, 1, sizeof(space));
	if (bytes > sizeof(space))
		burn_deep(bytes - sizeof(space), seconds);
	else
		burn(seconds);
	if (space[0] != 1 || space[1023] != 1)
		printf("the stack was written to\n");
}

static void *burn_in_thread(void *unused)
{
	burn_deep(6000, 0.02);
	return unused;
}

static ucontext_t main_context, coroutine_context;

static void coroutine(void)
{
	for (;;) {
		burn_deep(5000, 0.02);
		swapcontext(&coroutine_context, &main_context);
	}
}

static void on_alternate_stack(int number)
{
	(void)number;
	burn_deep(1024, 0.1);
}

static void part_stacks(void)
{
	struct sigaction action = { .sa_handler = on_alternate_stack, .sa_flags = SA_ONSTACK };
	stack_t alternate = { .ss_sp = malloc(16 << 10), .ss_size = 16 << 10 }, now;
	pthread_attr_t attributes;
	pthread_t threads[8];

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, 16 << 10);
	for (int i = 0; i < 8; i++)
		if (pthread_create(&threads[i], &attributes, burn_in_thread, NULL))
			exit(90);
	for (int i = 0; i < 8; i++)
		pthread_join(threads[i], NULL);
	for (int round = 0; round < 4; round++) {
		static char stacks[4][16 << 10];

		getcontext(&coroutine_context);
		coroutine_context.uc_stack.ss_sp = stacks[round];
		coroutine_context.uc_stack.ss_size = sizeof(stacks[round]);
		coroutine_context.uc_link = &main_context;
		makecontext(&coroutine_context, coroutine, 0);
		for (int i = 0; i < 3; i++) {
			swapcontext(&main_context, &coroutine_context);
			burn(0.01);
		}
	}
	sigaltstack(&alternate, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	burn(0.1);
	sigaltstack(NULL, &now);
	printf("alternate stack %s\n", now.ss_sp == alternate.ss_sp && now.ss_size == alternate.ss_size ? "kept" : "changed");
}

/* --- processes ------------------------------------------------------------------------------------- */

/* What a process gets from its parent: pending, blocked and ignored signals, and open files. The C library ignores the
 * signals 32 and 33 in a process of posix_spawn. A new program that is sampled itself has a file with a high number. */
static void print_state(const char *name, int most_files)
{
	const unsigned long of_libc = 3ul << 31;
	char line[256], key[16];
	FILE *status = fopen("/proc/thread-self/status", "r");
	unsigned long signals;
	struct dirent *file;
	DIR *files;
	int count = 0;

	while (status && fgets(line, sizeof(line), status))
		if (sscanf(line, "%15[A-Za-z]: %lx", key, &signals) == 2 &&
		    (!strcmp(key, "SigPnd") || !strcmp(key, "ShdPnd") || !strcmp(key, "SigBlk") || !strcmp(key, "SigIgn")))
			printf("%s %s %lx\n", name, key, signals & ~of_libc);
	if (status)
		fclose(status);
	files = opendir("/proc/self/fd");
	while (files && (file = readdir(files)))
		count += atoi(file->d_name) < most_files;
	if (files)
		closedir(files);
	printf("%s %d files\n", name, count);
	fflush(stdout);
}

static void wait_for(pid_t child)
{
	int status = -1;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		printf("waitpid was interrupted\n");
	printf("status %x\n", (unsigned)status);
	fflush(stdout);
}

static void part_processes(void)
{
	char *arguments[] = { (char *)program, "state", NULL };
	extern char **environ;
	pid_t child;

	burn(0.05);
	for (int i = 0; i < rounds; i++) {
		child = fork();
		if (!child) {
			burn(0.02);
			print_state("child", 1 << 30);
			_exit(3);
		}
		wait_for(child);
		child = fork();
		if (!child) {
			burn(0.02);
			execv(program, arguments);
			_exit(9);
		}
		wait_for(child);
		child = vfork();
		if (!child) {
			execv(program, arguments);
			_exit(9);
		}
		wait_for(child);
		if (posix_spawn(&child, program, NULL, NULL, arguments, environ))
			exit(92);
		wait_for(child);
		burn(0.05);
	}
	execv("/does/not/exist", arguments);
	burn(0.1);
	execv(program, arguments);
}

/* --- threads --------------------------------------------------------------------------------------- */

static atomic_int finished;

static void *short_thread(void *unused)
{
	burn(0.00005);
	finished++;
	return unused;
}

static void part_threads(void)
{
	pthread_t threads[20];

	for (int round = 0; round < 50; round++) {
		for (int i = 0; i < 20; i++)
			if (pthread_create(&threads[i], NULL, short_thread, NULL))
				exit(90);
		for (int i = 0; i < 20; i++)
			pthread_join(threads[i], NULL);
	}
	printf("%d threads\n", finished);
}

/* Returns how often the calling thread has given up its processor. */
static long own_switches(void)
{
	char line[256];
	FILE *status = fopen("/proc/thread-self/status", "r");
	long count = -1;

	while (status && fgets(line, sizeof(line), status))
		sscanf(line, "voluntary_ctxt_switches: %ld", &count);
	if (status)
		fclose(status);
	return count;
}

static void *sleep_in_thread(void *seconds)
{
	const struct timespec while_asleep = { .tv_nsec = 300000000 };
	long before;

	burn(0.05);
	before = own_switches();
	nanosleep(&while_asleep, NULL);
	printf("sleeping: %s\n", own_switches() - before <= 3 ? "not woken" : "woken");
	return seconds;
}

static void part_sleep(void)
{
	pthread_t threads[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, sleep_in_thread, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		void (*run)(void);
	} parts[] = {
		{ "calls", part_calls }, { "timers", part_timers }, { "handlers", part_handlers }, { "masks", part_masks },
		{ "stacks", part_stacks }, { "processes", part_processes }, { "threads", part_threads },
		{ "sleep", part_sleep },
	};

	program = arguments[0];
	if (count > 2)
		calls = atoi(arguments[2]);
	if (calls >= 100000)
		rounds = 100;
	if (count > 1 && !strcmp(arguments[1], "state")) {
		print_state("new program", 256);
		return 5;
	}
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (count > 1 && !strcmp(arguments[1], parts[i].name))
			parts[i].run();
	/* Some parts compute for less than the time between two samples. */
	burn(0.05);
	return 0;
}
