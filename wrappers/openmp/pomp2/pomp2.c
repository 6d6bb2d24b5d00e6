/*
 * pomp2: what rewritten C and C++ calls. Each function names the region of its construct; fortran.c has the same.
 */
#include "pomp2.h"

#include "construct.h"
#include "events.h"

void POMP2_Assign_handle(void **handle, const char *text)
{
	(void)fathom_construct_meet(handle, text);
}

/* Ids of tasks come from the create functions; nothing calls this. */
int64_t POMP2_Get_new_task_handle(void)
{
	return 0;
}

void POMP2_Parallel_fork(void **handle, int parallel, int threads, int64_t *old, const char *text)
{
	fork_team(fathom_construct_meet(handle, text), parallel, threads, old);
}

void POMP2_Parallel_begin(void **handle)
{
	(void)handle;
	fathom_pomp2_team_begin();
}

void POMP2_Parallel_end(void **handle)
{
	(void)handle;
	end_team();
}

void POMP2_Parallel_join(void **handle, int64_t old)
{
	(void)handle;
	(void)old;
	fathom_pomp2_join();
}

void POMP2_For_enter(void **handle, const char *text)
{
	enter(fathom_construct_meet(handle, text)->own);
}

void POMP2_For_exit(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}

void POMP2_Sections_enter(void **handle, const char *text)
{
	enter(fathom_construct_meet(handle, text)->own);
}

void POMP2_Sections_exit(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}

void POMP2_Section_begin(void **handle, const char *text)
{
	enter(fathom_construct_meet(handle, text)->block);
}

void POMP2_Section_end(void **handle)
{
	leave(fathom_construct_met(handle)->block);
}

void POMP2_Workshare_enter(void **handle, const char *text)
{
	enter(fathom_construct_meet(handle, text)->own);
}

void POMP2_Workshare_exit(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}

void POMP2_Single_enter(void **handle, const char *text)
{
	enter(fathom_construct_meet(handle, text)->own);
}

void POMP2_Single_exit(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}

void POMP2_Single_begin(void **handle)
{
	enter(fathom_construct_met(handle)->block);
}

void POMP2_Single_end(void **handle)
{
	leave(fathom_construct_met(handle)->block);
}

void POMP2_Master_begin(void **handle, const char *text)
{
	enter(fathom_construct_meet(handle, text)->block);
}

void POMP2_Master_end(void **handle)
{
	leave(fathom_construct_met(handle)->block);
}

void POMP2_Critical_enter(void **handle, const char *text)
{
	enter(fathom_construct_meet(handle, text)->own);
}

void POMP2_Critical_begin(void **handle)
{
	begin_critical(fathom_construct_met(handle));
}

void POMP2_Critical_end(void **handle)
{
	end_critical(fathom_construct_met(handle));
}

void POMP2_Critical_exit(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}

void POMP2_Ordered_enter(void **handle, const char *text)
{
	enter(fathom_construct_meet(handle, text)->own);
}

void POMP2_Ordered_begin(void **handle)
{
	enter(fathom_construct_met(handle)->block);
}

void POMP2_Ordered_end(void **handle)
{
	leave(fathom_construct_met(handle)->block);
}

void POMP2_Ordered_exit(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}

void POMP2_Atomic_enter(void **handle, const char *text)
{
	enter(fathom_construct_meet(handle, text)->own);
}

void POMP2_Atomic_exit(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}

void POMP2_Flush_enter(void **handle, const char *text)
{
	enter(fathom_construct_meet(handle, text)->own);
}

void POMP2_Flush_exit(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}

void POMP2_Barrier_enter(void **handle, int64_t *old, const char *text)
{
	enter_from(fathom_construct_meet(handle, text)->own, old);
}

void POMP2_Barrier_exit(void **handle, int64_t old)
{
	leave_to(fathom_construct_met(handle)->own, old);
}

/* It belongs to the construct whose handle this is; that one's text was there before. */
void POMP2_Implicit_barrier_enter(void **handle, int64_t *old)
{
	enter_from(fathom_construct_met(handle)->barrier, old);
}

void POMP2_Implicit_barrier_exit(void **handle, int64_t old)
{
	leave_to(fathom_construct_met(handle)->barrier, old);
}

void POMP2_Taskwait_begin(void **handle, int64_t *old, const char *text)
{
	enter_from(fathom_construct_meet(handle, text)->own, old);
}

void POMP2_Taskwait_end(void **handle, int64_t old)
{
	leave_to(fathom_construct_met(handle)->own, old);
}

void POMP2_Task_create_begin(void **handle, int64_t *new, int64_t *old, int deferred, const char *text)
{
	(void)deferred;	/* not called otherwise */
	task_create_begin(fathom_construct_meet(handle, text), new, old);
}

void POMP2_Task_create_end(void **handle, int64_t old)
{
	leave_to(fathom_construct_met(handle)->own, old);
}

void POMP2_Task_begin(void **handle, int64_t new)
{
	(void)handle;
	task_begin(new, true);
}

void POMP2_Task_end(void **handle)
{
	(void)handle;
	task_end();
}

void POMP2_Untied_task_create_begin(void **handle, int64_t *new, int64_t *old, int deferred, const char *text)
{
	(void)deferred;	/* not called otherwise */
	task_create_begin(fathom_construct_meet(handle, text), new, old);
}

void POMP2_Untied_task_create_end(void **handle, int64_t old)
{
	leave_to(fathom_construct_met(handle)->own, old);
}

void POMP2_Untied_task_begin(void **handle, int64_t new)
{
	(void)handle;
	task_begin(new, false);
}

void POMP2_Untied_task_end(void **handle)
{
	(void)handle;
	task_end();
}

void POMP2_USER_Assign_handle(void **handle, const char *text)
{
	(void)fathom_construct_meet(handle, text);
}

void POMP2_Init(void)
{
}

void POMP2_Finalize(void)
{
}

void POMP2_On(void)
{
}

void POMP2_Off(void)
{
}

void POMP2_Begin(void **handle, const char *text)
{
	enter(fathom_construct_meet(handle, text)->own);
}

void POMP2_End(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}
