/* What may happen inside a call: signals, jumps, cancellation, fork, vfork, threads. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int pipes[2];
static sigjmp_buf back;
static volatile sig_atomic_t handled;

static void write_there(int signal)
{
	(void)signal;
	handled++;
	if (write(pipes[1], "h", 1) != 1)
		abort();
}

static void jump(int signal)
{
	(void)signal;
	siglongjmp(back, 1);
}

static void nothing(int signal)
{
	(void)signal;
}

static void in_a_moment(void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };
	struct itimerval time = { { 0, 0 }, { 0, 50000 } };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &time, NULL);
}

static void *read_forever(void *unused)
{
	char byte;

	if (read(pipes[0], &byte, 1) >= 0)
		puts("read something");
	return unused;
}

static void in_child(int how)
{
	char *arguments[] = { (char *)"true", NULL };
	int status = 1;
	pid_t child;

	if (how == 2) {
		if (posix_spawnp(&child, "true", NULL, NULL, arguments, NULL))
			child = -1;
	} else {
		child = how ? vfork() : fork();
		if (child == 0) {
			close(pipes[0]);	/* in the child of vfork, a call of the parent's memory */
			if (how == 0)
				printf("child\n"), fflush(stdout);
			execvp("true", arguments);
			_exit(3);
		}
	}
	waitpid(child, &status, 0);
	printf("child %d ends with %d\n", how, status);
	fflush(stdout);
}

int main(void)
{
	pthread_t thread;
	char byte = 0;
	long count;

	if (pipe(pipes))
		return 1;
	/* A handler that writes, while the program reads. */
	in_a_moment(write_there, SA_RESTART);
	count = read(pipes[0], &byte, 1);
	printf("read %ld %c, handled %d\n", count, byte, (int)handled);
	/* An interrupted call. */
	in_a_moment(nothing, 0);
	count = read(pipes[0], &byte, 1);
	printf("interrupted %ld %s\n", count, strerror(errno));
	/* A handler that leaves the call by a jump. */
	in_a_moment(jump, 0);
	if (sigsetjmp(back, 1) == 0)
		count = read(pipes[0], &byte, 1);
	puts("jumped");
	fflush(stdout);
	for (int how = 0; how < 3; how++)
		in_child(how);
	/* A thread that is cancelled inside a call. */
	pthread_create(&thread, NULL, read_forever, NULL);
	usleep(50000);
	pthread_cancel(thread);
	pthread_join(thread, NULL);
	puts("cancelled");
	return 7;
}
