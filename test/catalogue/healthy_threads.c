/*
 * Threads that lock a mutex for very short times.
 * run: 2 threads, profile
 * first: none
 */
#include <pthread.h>
#include "catalogue.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void update(void)
{
	spend(0.02);
	pthread_mutex_lock(&mutex);
	sum++;
	pthread_mutex_unlock(&mutex);
}

static void *work(void *argument)
{
	for (int i = 0; i < 10; i++)
		update();
	return argument;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
