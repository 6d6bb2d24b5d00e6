/* Computes in a created thread, between its calls, and in a child of fork. Arguments: rounds; "crash" ends by a signal. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile double sum;

static void work(int amount)
{
	for (int i = 0; i < amount * 100; i++)
		sum += i;
}

static void *run(void *rounds)
{
	for (int i = 0; i < *(int *)rounds; i++) {
		work(1);
		pthread_mutex_lock(&mutex);
		work(1);
		pthread_mutex_unlock(&mutex);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	int rounds = argc > 1 ? atoi(argv[1]) : 5;
	pthread_t thread;
	pid_t child;

	if (pthread_create(&thread, NULL, run, &rounds))
		return 1;
	pthread_join(thread, NULL);
	child = fork();
	if (child == 0) {
		run(&rounds);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	run(&rounds);
	if (argc > 2 && !strcmp(argv[2], "crash"))
		raise(SIGSEGV);
	return 0;
}
