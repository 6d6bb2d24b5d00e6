/* Threads that do 1, 2, 3 and 4 times the work. */
#include <pthread.h>

#include "touch.h"

static void *work(void *times)
{
	touch(500 * *(int *)times);
	return 0;
}

int main(void)
{
	static int times[4] = { 1, 2, 3, 4 };
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], 0, work, &times[i]);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], 0);
	touch(50);
	return 0;
}
