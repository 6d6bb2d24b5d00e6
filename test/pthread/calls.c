/* Every call of POSIX threads that is measured, a known number of times; calls.sh has the numbers. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static int wrong;

/* The call returns what it returns without fathom, and errno is not touched. */
#define IS(expected, call) \
	do { \
		errno = 4711; \
		int got_ = (call); \
		if (got_ != (expected) || errno != 4711) { \
			printf("%s: %d, errno %d\n", #call, got_, errno); \
			wrong++; \
		} \
	} while (0)

static struct timespec past;	/* long ago on any clock */
static struct timespec late;	/* of CLOCK_REALTIME */

static void mutexes(void)
{
	pthread_mutexattr_t attr;
	pthread_mutex_t mutex;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
	IS(0, pthread_mutex_init(&mutex, &attr));
	IS(0, pthread_mutex_lock(&mutex));
	IS(EDEADLK, pthread_mutex_lock(&mutex));
	IS(EBUSY, pthread_mutex_trylock(&mutex));
	IS(0, pthread_mutex_unlock(&mutex));
	IS(EPERM, pthread_mutex_unlock(&mutex));
	IS(0, pthread_mutex_timedlock(&mutex, &late));
	IS(0, pthread_mutex_unlock(&mutex));
	IS(0, pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &late));
	IS(0, pthread_mutex_unlock(&mutex));
	IS(0, pthread_mutex_destroy(&mutex));
	pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
	IS(0, pthread_mutex_init(&mutex, &attr));
	for (int i = 0; i < 3; i++)
		IS(0, pthread_mutex_lock(&mutex));
	for (int i = 0; i < 3; i++)
		IS(0, pthread_mutex_unlock(&mutex));
	IS(EPERM, pthread_mutex_unlock(&mutex));
	IS(0, pthread_mutex_destroy(&mutex));
	pthread_mutexattr_destroy(&attr);
}

static void rwlocks(void)
{
	pthread_rwlock_t lock;

	IS(0, pthread_rwlock_init(&lock, NULL));
	IS(0, pthread_rwlock_rdlock(&lock));
	IS(0, pthread_rwlock_tryrdlock(&lock));
	IS(EBUSY, pthread_rwlock_trywrlock(&lock));
	IS(ETIMEDOUT, pthread_rwlock_timedwrlock(&lock, &past));
	IS(ETIMEDOUT, pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past));
	IS(0, pthread_rwlock_timedrdlock(&lock, &late));
	IS(0, pthread_rwlock_clockrdlock(&lock, CLOCK_MONOTONIC, &late));
	for (int i = 0; i < 4; i++)
		IS(0, pthread_rwlock_unlock(&lock));
	IS(0, pthread_rwlock_wrlock(&lock));
	IS(0, pthread_rwlock_unlock(&lock));
	IS(0, pthread_rwlock_destroy(&lock));
}

static void spin_locks(void)
{
	pthread_spinlock_t lock;

	IS(0, pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE));
	IS(0, pthread_spin_lock(&lock));
	IS(EBUSY, pthread_spin_trylock(&lock));
	IS(0, pthread_spin_unlock(&lock));
	IS(0, pthread_spin_destroy(&lock));
}

/* A condition of the present kind that is used as one of the old kind would hang or crash here. */
struct meeting {
	pthread_mutex_t mutex;
	pthread_cond_t condition;
	int turn;
};

static void *answer(void *argument)
{
	struct meeting *meeting = argument;

	pthread_mutex_lock(&meeting->mutex);
	meeting->turn = 1;
	IS(0, pthread_cond_signal(&meeting->condition));
	pthread_mutex_unlock(&meeting->mutex);
	return meeting;
}

static void conditions(void)
{
	struct meeting meeting = { .turn = 0 };
	pthread_condattr_t attr;
	pthread_t thread;
	void *result;
	int waits = 0;

	pthread_mutex_init(&meeting.mutex, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	IS(0, pthread_cond_init(&meeting.condition, &attr));
	pthread_mutex_lock(&meeting.mutex);
	IS(0, pthread_create(&thread, NULL, answer, &meeting));
	while (!meeting.turn) {		/* the mutex is ours until we wait: once, unless woken by chance */
		pthread_cond_wait(&meeting.condition, &meeting.mutex);
		waits++;
	}
	IS(ETIMEDOUT, pthread_cond_timedwait(&meeting.condition, &meeting.mutex, &past));
	IS(ETIMEDOUT, pthread_cond_clockwait(&meeting.condition, &meeting.mutex, CLOCK_REALTIME, &past));
	pthread_mutex_unlock(&meeting.mutex);
	IS(0, pthread_cond_broadcast(&meeting.condition));
	IS(0, pthread_join(thread, &result));
	if (result != &meeting)
		wrong++;
	IS(0, pthread_cond_destroy(&meeting.condition));
	pthread_mutex_destroy(&meeting.mutex);
	fprintf(stderr, "waits %d\n", waits);
}

static pthread_barrier_t barrier;

static void *meet(void *argument)
{
	for (int i = 0; i < 5; i++)
		pthread_barrier_wait(&barrier);
	return argument;
}

static void barriers(void)
{
	pthread_t thread;

	IS(0, pthread_barrier_init(&barrier, NULL, 2));
	IS(0, pthread_create(&thread, NULL, meet, NULL));
	meet(NULL);
	IS(0, pthread_join(thread, NULL));
	IS(0, pthread_barrier_destroy(&barrier));
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void only_once(void)
{
	printf("once\n");
}

static void *until_cancelled(void *argument)
{
	for (;;)
		pause();
	return argument;
}

static void *leave(void *argument)
{
	pthread_exit(argument);
}

static sem_t begun;

static void *go_alone(void *argument)
{
	sem_post(&begun);
	return argument;
}

static void threads(void)
{
	pthread_attr_t huge;
	pthread_t thread;
	void *result;

	IS(0, pthread_create(&thread, NULL, until_cancelled, NULL));
	IS(EBUSY, pthread_tryjoin_np(thread, &result));
	IS(ETIMEDOUT, pthread_timedjoin_np(thread, &result, &past));
	IS(0, pthread_cancel(thread));
	IS(0, pthread_clockjoin_np(thread, &result, CLOCK_REALTIME, &late));
	if (result != PTHREAD_CANCELED)
		wrong++;
	IS(0, pthread_create(&thread, NULL, leave, &wrong));
	IS(0, pthread_join(thread, &result));
	if (result != &wrong)
		wrong++;
	sem_init(&begun, 0, 0);
	IS(0, pthread_create(&thread, NULL, go_alone, NULL));
	IS(0, pthread_detach(thread));
	while (sem_wait(&begun))
		;
	/* Cannot be created. */
	pthread_attr_init(&huge);
	pthread_attr_setstacksize(&huge, (size_t)1 << 46);
	errno = 0;
	if (pthread_create(&thread, &huge, leave, NULL) != EAGAIN)
		wrong++;
	pthread_attr_destroy(&huge);
}

int main(void)
{
	clock_gettime(CLOCK_REALTIME, &late);
	late.tv_sec += 1000;
	mutexes();
	rwlocks();
	spin_locks();
	conditions();
	barriers();
	for (int i = 0; i < 3; i++)
		IS(0, pthread_once(&once, only_once));
	threads();
	printf("%d wrong\n", wrong);
	return wrong != 0;
}
