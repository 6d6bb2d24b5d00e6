/* Detached threads whose pthread_t lies in a page that the thread itself unmaps. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <threads.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER;
static int there;

static void *unmap(void *page)
{
	munmap(page, (size_t)sysconf(_SC_PAGESIZE));
	pthread_mutex_lock(&mutex);
	there++;
	pthread_cond_signal(&arrived);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static int unmap_c11(void *page)
{
	thrd_detach(thrd_current());
	unmap(page);
	return 0;
}

int main(void)
{
	pthread_attr_t attr;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < 20; i++) {
		void *page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
				  -1, 0);

		if (page == MAP_FAILED || (i % 2 ? pthread_create(page, &attr, unmap, page)
						 : thrd_create(page, unmap_c11, page) != thrd_success))
			return 1;
		pthread_mutex_lock(&mutex);
		while (there <= i)
			pthread_cond_wait(&arrived, &mutex);
		pthread_mutex_unlock(&mutex);
	}
	puts("done");
	return 0;
}
