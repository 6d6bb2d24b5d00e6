/*
 * A thread holds a mutex for long; another one waits for it elsewhere.
 * run: 2 threads, profile
 * first: kind=lock contention, place=reorganize
 */
#include <pthread.h>
#include "catalogue.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void reorganize(void)
{
	pthread_mutex_lock(&mutex);
	spend(0.4);
	pthread_mutex_unlock(&mutex);
}

static void look_up(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

static void *work(void *argument)
{
	for (int i = 0; i < 10; i++) {
		spend(0.01);
		look_up();
	}
	return argument;
}

int main(void)
{
	pthread_t threads[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	spend(0.02);
	reorganize();
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
