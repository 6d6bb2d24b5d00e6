#include "run/run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "event/location.h"
#include "sample/sampling.h"

struct fathom_run fathom_run;

void fathom_runtime_set_resolver(fathom_region_resolver *resolver, fathom_naming_runner *runner)
{
	fathom_run.resolver = resolver;
	fathom_run.naming_runner = runner;
}

bool fathom_runtime_measures(void)
{
	return fathom_peek(&fathom.phase) != FATHOM_PHASE_OFF;
}

const struct fathom_settings *fathom_runtime_settings(void)
{
	return &fathom.settings;
}

void fathom_runtime_thread_created(void)
{
	fathom_sampling_keep_handler();
}

bool fathom_run_has_events(void)
{
	return fathom_location_newest() != NULL;
}

bool fathom_run_is_asked_for(void)
{
	/* The process number of `fathom run`, which the program keeps after exec (instrument/driver/run_command.c). */
	const char *started = getenv("_FATHOM_RUN"), *preloaded = getenv("LD_PRELOAD");

	return (started && atoi(started) == (int)getpid()) || !preloaded || !strstr(preloaded, "libfathom");
}

void fathom_run_begin_at_least(void)
{
	if (!fathom_run_has_events())
		fathom_location_resolve_busy(fathom_self, (uintptr_t)__builtin_frame_address(0));
}

uintptr_t fathom_run_close_location(void)
{
	uintptr_t before = fathom_self->busy;

	/* A thread without a location of its own has a constant one, which is always busy and must not be written
	 * to. */
	if (before != FATHOM_BUSY_FOR_EVER)
		fathom_self->busy = FATHOM_BUSY_FOR_EVER;
	return before;
}

void fathom_run_reopen_location(uintptr_t before)
{
	if (before != FATHOM_BUSY_FOR_EVER)
		fathom_self->busy = before;
}
