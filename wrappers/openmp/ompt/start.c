/*
 * start: the start of the tool: how the OpenMP runtime finds it, and which callbacks it registers.
 *
 * The first action of the runtime is a search for the symbol ompt_start_tool. The tool never stops itself
 * (ompt_finalize_tool): then parallel regions in exit handlers would abort the program.
 */
#include <dlfcn.h>
#include <stddef.h>

#include "mutex.h"
#include "run/runtime.h"
#include "regions.h"
#include "sync.h"
#include "task.h"
#include "team.h"
#include "work.h"

typedef int set_callback_function(int event, fathom_ompt_function *callback);

static const struct {
	enum fathom_ompt_event event;
	fathom_ompt_function *function;
} callbacks[] = {
#define CALLBACK(event, function) { event, (fathom_ompt_function *)function }
	CALLBACK(FATHOM_OMPT_THREAD_BEGIN, fathom_ompt_thread_begin),
	CALLBACK(FATHOM_OMPT_THREAD_END, fathom_ompt_thread_end),
	CALLBACK(FATHOM_OMPT_PARALLEL_BEGIN, fathom_ompt_parallel_begin),
	CALLBACK(FATHOM_OMPT_PARALLEL_END, fathom_ompt_parallel_end),
	CALLBACK(FATHOM_OMPT_IMPLICIT_TASK, fathom_ompt_implicit_task),
	CALLBACK(FATHOM_OMPT_TASK_CREATE, fathom_ompt_task_create),
	CALLBACK(FATHOM_OMPT_TASK_SCHEDULE, fathom_ompt_task_schedule),
	CALLBACK(FATHOM_OMPT_WORK, fathom_ompt_work),
	CALLBACK(FATHOM_OMPT_MASKED, fathom_ompt_masked),
	CALLBACK(FATHOM_OMPT_SYNC_REGION, fathom_ompt_sync_region),
	CALLBACK(FATHOM_OMPT_SYNC_REGION_WAIT, fathom_ompt_sync_region_wait),
	CALLBACK(FATHOM_OMPT_REDUCTION, fathom_ompt_reduction),
	CALLBACK(FATHOM_OMPT_FLUSH, fathom_ompt_flush),
	CALLBACK(FATHOM_OMPT_LOCK_INIT, fathom_ompt_lock_init),
	CALLBACK(FATHOM_OMPT_LOCK_DESTROY, fathom_ompt_lock_destroy),
	CALLBACK(FATHOM_OMPT_MUTEX_ACQUIRE, fathom_ompt_mutex_acquire),
	CALLBACK(FATHOM_OMPT_MUTEX_ACQUIRED, fathom_ompt_mutex_acquired),
	CALLBACK(FATHOM_OMPT_MUTEX_RELEASED, fathom_ompt_mutex_released),
	CALLBACK(FATHOM_OMPT_NEST_LOCK, fathom_ompt_nest_lock),
};

/* Registers the callbacks. A runtime refuses those that it does not have, and fathom measures without them. Returns 1
 * if the tool is to stay active, else 0. */
static int initialize(fathom_ompt_lookup *lookup, int initial_device, union fathom_ompt_data *tool)
{
	set_callback_function *set_callback = (set_callback_function *)lookup("ompt_set_callback");

	(void)initial_device, (void)tool;
	if (!set_callback)
		return 0;
	fathom_ompt_regions_init((const void *)set_callback);
	for (size_t i = 0; i < sizeof(callbacks) / sizeof(*callbacks); i++)
		set_callback(callbacks[i].event, callbacks[i].function);
	return 1;
}

static void finalize(union fathom_ompt_data *tool)
{
	(void)tool;
}

FATHOM_API struct fathom_ompt_tool *ompt_start_tool(unsigned version, const char *runtime);
struct fathom_ompt_tool *ompt_start_tool(unsigned version, const char *runtime)
{
	static struct fathom_ompt_tool tool = { initialize, finalize, { 0 } };

	(void)version, (void)runtime;
	/* A program that OPARI2 has rewritten reports its constructs itself: the runtime's callbacks would report
	 * them twice. */
	if (!fathom_runtime_measures() || dlsym(RTLD_DEFAULT, "POMP2_Parallel_fork"))
		return NULL;
	return &tool;
}
