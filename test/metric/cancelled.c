/* Threads that are cancelled while they start, and forbid it first of all: prints how many did their work. */
#include <pthread.h>
#include <stdio.h>

static int worked;

static void *routine(void *argument)
{
	int state;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
	__atomic_fetch_add(&worked, 1, __ATOMIC_RELAXED);
	return argument;
}

int main(void)
{
	for (int i = 0; i < 100; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, routine, NULL))
			return 1;
		pthread_cancel(thread);
		pthread_join(thread, NULL);
	}
	printf("%d\n", worked);
	return 0;
}
