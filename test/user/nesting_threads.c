/* Regions of threads, teams and phases that are not nested, see examples.sh. */
#include <fathom/fathom.h>
#include <pthread.h>
static void *run(void *x)
{
	FATHOM_REGION_BEGIN("t outer");
	FATHOM_REGION_BEGIN("t inner");
	FATHOM_REGION_END("t outer");
	FATHOM_REGION_BEGIN("t open");
	return x;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, run, 0);
	pthread_join(t, 0);
#pragma omp parallel num_threads(2)
	{
		FATHOM_LOOP_BEGIN("loop");
		FATHOM_NAMED_BEGIN("named");
		FATHOM_LOOP_END("loop");
		FATHOM_NAMED_END("named");
		FATHOM_REGION_BEGIN("left in team");
	}
	for (int i = 0; i < 2; i++) {
		FATHOM_PHASE_BEGIN("phase", i);
		FATHOM_REGION_BEGIN("in phase");
		FATHOM_PHASE_END("phase");
	}
	FATHOM_REGION_BEGIN("around");
	FATHOM_PHASE_BEGIN("phase", 7);
	FATHOM_REGION_END("around");
	return 0;
}
