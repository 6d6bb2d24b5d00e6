/* Very many threads, a few at a time; says how much memory the process had at most, in KiB. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void work(void)
{
	pthread_mutex_lock(&mutex);
	done++;
	pthread_mutex_unlock(&mutex);
}

static void *worker(void *argument)
{
	work();
	return argument;
}

int main(int count, char **arguments)
{
	int left = count > 1 ? atoi(arguments[1]) : 1;
	struct rusage usage;

	while (left > 0) {
		pthread_t threads[4];
		int now = left < 4 ? left : 4;

		for (int i = 0; i < now; i++)
			if (pthread_create(&threads[i], NULL, worker, NULL))
				abort();
		for (int i = 0; i < now; i++)
			pthread_join(threads[i], NULL);
		left -= now;
	}
	printf("%d\n", done);
	getrusage(RUSAGE_SELF, &usage);
	fprintf(stderr, "peak %ld\n", usage.ru_maxrss);
	return 0;
}
