/*
 * fortran: what rewritten Fortran calls; see pomp2.c.
 */
#include "construct.h"
#include "events.h"
#include "pomp2.h"

void pomp2_assign_handle_(void **handle, const char *text, size_t length)
{
	(void)fathom_construct_meet_fortran(handle, text, length);
}

int32_t pomp2_lib_get_max_threads_(void)
{
	return POMP2_Lib_get_max_threads();
}

void pomp2_parallel_fork_(void **handle, const int32_t *parallel, const int32_t *threads, int64_t *old,
			   const char *text, size_t length)
{
	fork_team(fathom_construct_meet_fortran(handle, text, length), *parallel, *threads, old);
}

void pomp2_parallel_begin_(void **handle)
{
	(void)handle;
	fathom_pomp2_team_begin();
}

void pomp2_parallel_end_(void **handle)
{
	(void)handle;
	end_team();
}

void pomp2_parallel_join_(void **handle, const int64_t *old)
{
	(void)handle;
	(void)old;
	fathom_pomp2_join();
}

void pomp2_do_enter_(void **handle, const char *text, size_t length)
{
	enter(fathom_construct_meet_fortran(handle, text, length)->own);
}

void pomp2_do_exit_(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}

void pomp2_sections_enter_(void **handle, const char *text, size_t length)
{
	enter(fathom_construct_meet_fortran(handle, text, length)->own);
}

void pomp2_sections_exit_(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}

void pomp2_section_begin_(void **handle, const char *text, size_t length)
{
	enter(fathom_construct_meet_fortran(handle, text, length)->block);
}

void pomp2_section_end_(void **handle)
{
	leave(fathom_construct_met(handle)->block);
}

void pomp2_workshare_enter_(void **handle, const char *text, size_t length)
{
	enter(fathom_construct_meet_fortran(handle, text, length)->own);
}

void pomp2_workshare_exit_(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}

void pomp2_single_enter_(void **handle, const char *text, size_t length)
{
	enter(fathom_construct_meet_fortran(handle, text, length)->own);
}

void pomp2_single_exit_(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}

void pomp2_single_begin_(void **handle)
{
	enter(fathom_construct_met(handle)->block);
}

void pomp2_single_end_(void **handle)
{
	leave(fathom_construct_met(handle)->block);
}

void pomp2_master_begin_(void **handle, const char *text, size_t length)
{
	enter(fathom_construct_meet_fortran(handle, text, length)->block);
}

void pomp2_master_end_(void **handle)
{
	leave(fathom_construct_met(handle)->block);
}

void pomp2_critical_enter_(void **handle, const char *text, size_t length)
{
	enter(fathom_construct_meet_fortran(handle, text, length)->own);
}

void pomp2_critical_begin_(void **handle)
{
	begin_critical(fathom_construct_met(handle));
}

void pomp2_critical_end_(void **handle)
{
	end_critical(fathom_construct_met(handle));
}

void pomp2_critical_exit_(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}

void pomp2_ordered_enter_(void **handle, const char *text, size_t length)
{
	enter(fathom_construct_meet_fortran(handle, text, length)->own);
}

void pomp2_ordered_begin_(void **handle)
{
	enter(fathom_construct_met(handle)->block);
}

void pomp2_ordered_end_(void **handle)
{
	leave(fathom_construct_met(handle)->block);
}

void pomp2_ordered_exit_(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}

void pomp2_atomic_enter_(void **handle, const char *text, size_t length)
{
	enter(fathom_construct_meet_fortran(handle, text, length)->own);
}

void pomp2_atomic_exit_(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}

void pomp2_flush_enter_(void **handle, const char *text, size_t length)
{
	enter(fathom_construct_meet_fortran(handle, text, length)->own);
}

void pomp2_flush_exit_(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}

void pomp2_barrier_enter_(void **handle, int64_t *old, const char *text, size_t length)
{
	enter_from(fathom_construct_meet_fortran(handle, text, length)->own, old);
}

void pomp2_barrier_exit_(void **handle, const int64_t *old)
{
	leave_to(fathom_construct_met(handle)->own, *old);
}

/* It belongs to the construct whose handle this is; that one's text was there before. */
void pomp2_implicit_barrier_enter_(void **handle, int64_t *old)
{
	enter_from(fathom_construct_met(handle)->barrier, old);
}

void pomp2_implicit_barrier_exit_(void **handle, const int64_t *old)
{
	leave_to(fathom_construct_met(handle)->barrier, *old);
}

void pomp2_taskwait_begin_(void **handle, int64_t *old, const char *text, size_t length)
{
	enter_from(fathom_construct_meet_fortran(handle, text, length)->own, old);
}

void pomp2_taskwait_end_(void **handle, const int64_t *old)
{
	leave_to(fathom_construct_met(handle)->own, *old);
}

void pomp2_task_create_begin_(void **handle, int64_t *new, int64_t *old, const int32_t *deferred,
			      const char *text, size_t length)
{
	(void)deferred;	/* not called otherwise */
	task_create_begin(fathom_construct_meet_fortran(handle, text, length), new, old);
}

void pomp2_task_create_end_(void **handle, const int64_t *old)
{
	leave_to(fathom_construct_met(handle)->own, *old);
}

void pomp2_task_begin_(void **handle, const int64_t *new)
{
	(void)handle;
	task_begin(*new, true);
}

void pomp2_task_end_(void **handle)
{
	(void)handle;
	task_end();
}

void pomp2_untied_task_create_begin_(void **handle, int64_t *new, int64_t *old, const int32_t *deferred,
				     const char *text, size_t length)
{
	(void)deferred;	/* not called otherwise */
	task_create_begin(fathom_construct_meet_fortran(handle, text, length), new, old);
}

void pomp2_untied_task_create_end_(void **handle, const int64_t *old)
{
	leave_to(fathom_construct_met(handle)->own, *old);
}

void pomp2_untied_task_begin_(void **handle, const int64_t *new)
{
	(void)handle;
	task_begin(*new, false);
}

void pomp2_untied_task_end_(void **handle)
{
	(void)handle;
	task_end();
}

void pomp2_user_assign_handle_(void **handle, const char *text, size_t length)
{
	(void)fathom_construct_meet_fortran(handle, text, length);
}

void pomp2_init_(void)
{
}

void pomp2_finalize_(void)
{
}

void pomp2_on_(void)
{
}

void pomp2_off_(void)
{
}

void pomp2_begin_(void **handle, const char *text, size_t length)
{
	enter(fathom_construct_meet_fortran(handle, text, length)->own);
}

void pomp2_end_(void **handle)
{
	leave(fathom_construct_met(handle)->own);
}
