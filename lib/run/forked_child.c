#include "run/forked_child.h"

#include <pthread.h>

#include "event/location.h"
#include "event/state.h"
#include "metric/counters.h"
#include "run/daemon.h"
#include "sample/sampling.h"

/* Stops the measurement in the child, unless the child continues as the program (daemon.h). The child has only the
 * thread that called fork. */
static void in_forked_child(void)
{
	fathom_sampling_forget();
	if (fathom_daemon_takes_over())
		return;
	fathom_poke(&fathom.phase, FATHOM_PHASE_OFF);
	fathom_location_forget_all();
	fathom_counters_forget();
}

void fathom_forked_child_init(void)
{
	pthread_atfork(NULL, NULL, in_forked_child);
}
