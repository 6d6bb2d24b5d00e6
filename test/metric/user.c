/*
 * user [TURNS]: page faults in what the program says of itself: regions, iterations, and while recording is off. With TURNS,
 * a small function is called so often: what it costs to measure depends on what is read.
 */
#include <stdlib.h>

#include <fathom/fathom.h>

#include "touch.h"

static volatile double sink;

__attribute__((noinline)) static void small(void)
{
	FATHOM_REGION("small");
	for (int i = 0; i < 2500; i++)
		sink += i;
}

int main(int count, char **words)
{
	if (count > 1) {
		FATHOM_REGION("turns");
		touch(700);
		for (int i = 0; i < atoi(words[1]); i++)
			small();
		return 0;
	}
	FATHOM_REGION_BEGIN("first");
	touch(300);
	FATHOM_REGION_END("first");
	for (int i = 0; i < 12; i++) {
		FATHOM_PHASE("step", i);
		FATHOM_PARAMETER_INT("kind", i % 3);
		touch(100 * (i % 3 + 1));
	}
	FATHOM_REGION_BEGIN("partly");
	touch(50);
	FATHOM_RECORDING_OFF();
	touch(400);
	FATHOM_REGION_BEGIN("unseen");
	touch(60);
	FATHOM_REGION_END("unseen");
	FATHOM_RECORDING_ON();
	touch(70);
	FATHOM_REGION_END("partly");
	return 0;
}
