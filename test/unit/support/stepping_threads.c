#include "stepping_threads.h"

#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

#include "moved_clock.h"

static struct thread {
	pthread_t thread;
	sem_t begin, end;		/* of a step */
	stepping_threads_step *step;	/* the next step; NULL: the thread ends */
	uint32_t number;
} threads[STEPPING_THREADS_MOST];

static uint32_t thread_count;
static uint64_t origin_ticks;		/* time 0 of the test */

static void *follow(void *argument)
{
	struct thread *self = argument;

	for (;;) {
		sem_wait(&self->begin);
		if (!self->step)
			return NULL;
		self->step(self->number);
		sem_post(&self->end);
	}
}

void stepping_threads_create(uint32_t count)
{
	thread_count = count;
	for (uint32_t t = 0; t < count; t++) {
		threads[t].number = t;
		sem_init(&threads[t].begin, 0, 0);
		sem_init(&threads[t].end, 0, 0);
		pthread_create(&threads[t].thread, NULL, follow, &threads[t]);
	}
}

void stepping_threads_join(void)
{
	for (uint32_t t = 0; t < thread_count; t++) {
		threads[t].step = NULL;
		sem_post(&threads[t].begin);
		pthread_join(threads[t].thread, NULL);
	}
}

void stepping_threads_begin_test(void)
{
	origin_ticks = __atomic_load_n(&now_ticks, __ATOMIC_RELAXED) + 1000;
}

uint64_t stepping_threads_time(void)
{
	return __atomic_load_n(&now_ticks, __ATOMIC_RELAXED) - origin_ticks;
}

void at(uint64_t time, uint32_t thread, stepping_threads_step *step)
{
	moved_clock_set(origin_ticks + time);
	threads[thread].step = step;
	sem_post(&threads[thread].begin);
	sem_wait(&threads[thread].end);
}
