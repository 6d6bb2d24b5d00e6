/*
 * Two threads wait for a mutex that the other one holds for long.
 * run: 2 threads, profile
 * first: kind=lock contention, place=locked_update
 */
#include <pthread.h>
#include "catalogue.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void locked_update(void)
{
	pthread_mutex_lock(&mutex);
	spend(0.02);
	pthread_mutex_unlock(&mutex);
}

static void *work(void *argument)
{
	for (int i = 0; i < 10; i++)
		locked_update();
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
