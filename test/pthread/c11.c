/* Every call of C11 threads that is measured. */
#include <stdio.h>
#include <threads.h>
#include <time.h>

static int wrong;

#define IS(expected, call) \
	do { \
		if ((call) != (expected)) { \
			printf("%s\n", #call); \
			wrong++; \
		} \
	} while (0)

static mtx_t mutex;
static cnd_t condition;
static once_flag flag = ONCE_FLAG_INIT;
static int turn;

static void only_once(void)
{
	printf("once\n");
}

static int worker(void *argument)
{
	call_once(&flag, only_once);
	mtx_lock(&mutex);
	turn = 1;
	cnd_signal(&condition);
	mtx_unlock(&mutex);
	return *(int *)argument;
}

static int leave(void *argument)
{
	thrd_exit(*(int *)argument);
}

static int go_alone(void *argument)
{
	(void)argument;
	mtx_lock(&mutex);
	turn = 2;
	cnd_broadcast(&condition);
	mtx_unlock(&mutex);
	return 0;
}

int main(void)
{
	struct timespec past = { 0 }, late;
	int code = -17, result, waits = 0;
	thrd_t thread;

	timespec_get(&late, TIME_UTC);
	late.tv_sec += 1000;
	IS(thrd_success, mtx_init(&mutex, mtx_timed | mtx_recursive));
	IS(thrd_success, cnd_init(&condition));
	IS(thrd_success, mtx_lock(&mutex));
	IS(thrd_success, mtx_trylock(&mutex));
	IS(thrd_success, mtx_timedlock(&mutex, &late));
	mtx_unlock(&mutex);
	mtx_unlock(&mutex);
	IS(thrd_success, thrd_create(&thread, worker, &code));
	for (; turn != 1; waits++)
		cnd_wait(&condition, &mutex);
	IS(thrd_timedout, cnd_timedwait(&condition, &mutex, &past));
	IS(thrd_success, thrd_join(thread, &result));
	wrong += result != -17;
	code = 99;
	IS(thrd_success, thrd_create(&thread, leave, &code));
	IS(thrd_success, thrd_join(thread, &result));
	wrong += result != 99;
	IS(thrd_success, thrd_create(&thread, go_alone, NULL));
	IS(thrd_success, thrd_detach(thread));
	for (; turn != 2; waits++)
		cnd_wait(&condition, &mutex);
	mtx_unlock(&mutex);
	mtx_lock(&mutex);	/* go_alone has given it back */
	mtx_unlock(&mutex);
	call_once(&flag, only_once);
	cnd_destroy(&condition);
	mtx_destroy(&mutex);
	printf("%d wrong\n", wrong);
	fprintf(stderr, "waits %d\n", waits);
	return wrong;
}
