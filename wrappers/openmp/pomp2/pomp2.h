/*
 * pomp2: the functions that code rewritten by OPARI2 calls.
 *
 * handle: the construct's handle in the instrumented code. text: what describes the construct (describe.h).
 * old, new: task ids, kept in variables of the instrumented code (events.h). The rest is as opari2/pomp2_lib.h has
 * it, of which nothing is needed here. All: context hook; the first call for a construct or place: birth.
 */
#ifndef FATHOM_POMP2_POMP2_H
#define FATHOM_POMP2_POMP2_H

#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

/* The team that the thread is in, or has forked: see nesting.h. */
extern FATHOM_API FATHOM_TLS int64_t pomp_tpd_;

FATHOM_API void POMP2_Assign_handle(void **handle, const char *text);
FATHOM_API int64_t POMP2_Get_new_task_handle(void);
FATHOM_API int POMP2_Lib_get_max_threads(void);

FATHOM_API void POMP2_Parallel_fork(void **handle, int parallel, int threads, int64_t *old, const char *text);
FATHOM_API void POMP2_Parallel_begin(void **handle);
FATHOM_API void POMP2_Parallel_end(void **handle);
FATHOM_API void POMP2_Parallel_join(void **handle, int64_t old);

FATHOM_API void POMP2_For_enter(void **handle, const char *text);
FATHOM_API void POMP2_For_exit(void **handle);
FATHOM_API void POMP2_Sections_enter(void **handle, const char *text);
FATHOM_API void POMP2_Sections_exit(void **handle);
FATHOM_API void POMP2_Section_begin(void **handle, const char *text);
FATHOM_API void POMP2_Section_end(void **handle);
FATHOM_API void POMP2_Workshare_enter(void **handle, const char *text);
FATHOM_API void POMP2_Workshare_exit(void **handle);
FATHOM_API void POMP2_Single_enter(void **handle, const char *text);
FATHOM_API void POMP2_Single_exit(void **handle);
FATHOM_API void POMP2_Single_begin(void **handle);
FATHOM_API void POMP2_Single_end(void **handle);
FATHOM_API void POMP2_Master_begin(void **handle, const char *text);
FATHOM_API void POMP2_Master_end(void **handle);

FATHOM_API void POMP2_Critical_enter(void **handle, const char *text);
FATHOM_API void POMP2_Critical_begin(void **handle);
FATHOM_API void POMP2_Critical_end(void **handle);
FATHOM_API void POMP2_Critical_exit(void **handle);
FATHOM_API void POMP2_Ordered_enter(void **handle, const char *text);
FATHOM_API void POMP2_Ordered_begin(void **handle);
FATHOM_API void POMP2_Ordered_end(void **handle);
FATHOM_API void POMP2_Ordered_exit(void **handle);
FATHOM_API void POMP2_Atomic_enter(void **handle, const char *text);
FATHOM_API void POMP2_Atomic_exit(void **handle);
FATHOM_API void POMP2_Flush_enter(void **handle, const char *text);
FATHOM_API void POMP2_Flush_exit(void **handle);

FATHOM_API void POMP2_Barrier_enter(void **handle, int64_t *old, const char *text);
FATHOM_API void POMP2_Barrier_exit(void **handle, int64_t old);
FATHOM_API void POMP2_Implicit_barrier_enter(void **handle, int64_t *old);
FATHOM_API void POMP2_Implicit_barrier_exit(void **handle, int64_t old);
FATHOM_API void POMP2_Taskwait_begin(void **handle, int64_t *old, const char *text);
FATHOM_API void POMP2_Taskwait_end(void **handle, int64_t old);

FATHOM_API void POMP2_Task_create_begin(void **handle, int64_t *new, int64_t *old, int deferred, const char *text);
FATHOM_API void POMP2_Task_create_end(void **handle, int64_t old);
FATHOM_API void POMP2_Task_begin(void **handle, int64_t new);
FATHOM_API void POMP2_Task_end(void **handle);
FATHOM_API void POMP2_Untied_task_create_begin(void **handle, int64_t *new, int64_t *old, int deferred,
					       const char *text);
FATHOM_API void POMP2_Untied_task_create_end(void **handle, int64_t old);
FATHOM_API void POMP2_Untied_task_begin(void **handle, int64_t new);
FATHOM_API void POMP2_Untied_task_end(void **handle);

/* In place of the functions of omp.h (omp_set_lock, ...): lock is omp_lock_t * or omp_nest_lock_t *. */
FATHOM_API void POMP2_Init_lock(void *lock);
FATHOM_API void POMP2_Init_lock_with_hint(void *lock, int hint);
FATHOM_API void POMP2_Destroy_lock(void *lock);
FATHOM_API void POMP2_Set_lock(void *lock);
FATHOM_API void POMP2_Unset_lock(void *lock);
FATHOM_API int POMP2_Test_lock(void *lock);
FATHOM_API void POMP2_Init_nest_lock(void *lock);
FATHOM_API void POMP2_Init_nest_lock_with_hint(void *lock, int hint);
FATHOM_API void POMP2_Destroy_nest_lock(void *lock);
FATHOM_API void POMP2_Set_nest_lock(void *lock);
FATHOM_API void POMP2_Unset_nest_lock(void *lock);
FATHOM_API int POMP2_Test_nest_lock(void *lock);

/* For #pragma pomp inst. There is nothing to initialise, and what is measured is not switched from here. */
FATHOM_API void POMP2_USER_Assign_handle(void **handle, const char *text);
FATHOM_API void POMP2_Init(void);
FATHOM_API void POMP2_Finalize(void);
FATHOM_API void POMP2_On(void);
FATHOM_API void POMP2_Off(void);
FATHOM_API void POMP2_Begin(void **handle, const char *text);
FATHOM_API void POMP2_End(void **handle);

/*
 * The same as Fortran calls them: all by reference; a text has its length behind the other arguments, and
 * no NUL. Handles are INTEGER(8) of a common block. A LOGICAL that is returned fills the register, since the
 * program may take 8 bytes for one (-fdefault-integer-8).
 */
FATHOM_API void pomp2_assign_handle_(void **handle, const char *text, size_t length);
FATHOM_API int32_t pomp2_lib_get_max_threads_(void);

FATHOM_API void pomp2_parallel_fork_(void **handle, const int32_t *parallel, const int32_t *threads, int64_t *old,
				     const char *text, size_t length);
FATHOM_API void pomp2_parallel_begin_(void **handle);
FATHOM_API void pomp2_parallel_end_(void **handle);
FATHOM_API void pomp2_parallel_join_(void **handle, const int64_t *old);

FATHOM_API void pomp2_do_enter_(void **handle, const char *text, size_t length);
FATHOM_API void pomp2_do_exit_(void **handle);
FATHOM_API void pomp2_sections_enter_(void **handle, const char *text, size_t length);
FATHOM_API void pomp2_sections_exit_(void **handle);
FATHOM_API void pomp2_section_begin_(void **handle, const char *text, size_t length);
FATHOM_API void pomp2_section_end_(void **handle);
FATHOM_API void pomp2_workshare_enter_(void **handle, const char *text, size_t length);
FATHOM_API void pomp2_workshare_exit_(void **handle);
FATHOM_API void pomp2_single_enter_(void **handle, const char *text, size_t length);
FATHOM_API void pomp2_single_exit_(void **handle);
FATHOM_API void pomp2_single_begin_(void **handle);
FATHOM_API void pomp2_single_end_(void **handle);
FATHOM_API void pomp2_master_begin_(void **handle, const char *text, size_t length);
FATHOM_API void pomp2_master_end_(void **handle);

FATHOM_API void pomp2_critical_enter_(void **handle, const char *text, size_t length);
FATHOM_API void pomp2_critical_begin_(void **handle);
FATHOM_API void pomp2_critical_end_(void **handle);
FATHOM_API void pomp2_critical_exit_(void **handle);
FATHOM_API void pomp2_ordered_enter_(void **handle, const char *text, size_t length);
FATHOM_API void pomp2_ordered_begin_(void **handle);
FATHOM_API void pomp2_ordered_end_(void **handle);
FATHOM_API void pomp2_ordered_exit_(void **handle);
FATHOM_API void pomp2_atomic_enter_(void **handle, const char *text, size_t length);
FATHOM_API void pomp2_atomic_exit_(void **handle);
FATHOM_API void pomp2_flush_enter_(void **handle, const char *text, size_t length);
FATHOM_API void pomp2_flush_exit_(void **handle);

FATHOM_API void pomp2_barrier_enter_(void **handle, int64_t *old, const char *text, size_t length);
FATHOM_API void pomp2_barrier_exit_(void **handle, const int64_t *old);
FATHOM_API void pomp2_implicit_barrier_enter_(void **handle, int64_t *old);
FATHOM_API void pomp2_implicit_barrier_exit_(void **handle, const int64_t *old);
FATHOM_API void pomp2_taskwait_begin_(void **handle, int64_t *old, const char *text, size_t length);
FATHOM_API void pomp2_taskwait_end_(void **handle, const int64_t *old);

FATHOM_API void pomp2_task_create_begin_(void **handle, int64_t *new, int64_t *old, const int32_t *deferred,
					 const char *text, size_t length);
FATHOM_API void pomp2_task_create_end_(void **handle, const int64_t *old);
FATHOM_API void pomp2_task_begin_(void **handle, const int64_t *new);
FATHOM_API void pomp2_task_end_(void **handle);
FATHOM_API void pomp2_untied_task_create_begin_(void **handle, int64_t *new, int64_t *old, const int32_t *deferred,
						const char *text, size_t length);
FATHOM_API void pomp2_untied_task_create_end_(void **handle, const int64_t *old);
FATHOM_API void pomp2_untied_task_begin_(void **handle, const int64_t *new);
FATHOM_API void pomp2_untied_task_end_(void **handle);

FATHOM_API void pomp2_init_lock_(void *lock);
FATHOM_API void pomp2_init_lock_with_hint_(void *lock, void *hint);
FATHOM_API void pomp2_destroy_lock_(void *lock);
FATHOM_API void pomp2_set_lock_(void *lock);
FATHOM_API void pomp2_unset_lock_(void *lock);
FATHOM_API int64_t pomp2_test_lock_(void *lock);
FATHOM_API void pomp2_init_nest_lock_(void *lock);
FATHOM_API void pomp2_init_nest_lock_with_hint_(void *lock, void *hint);
FATHOM_API void pomp2_destroy_nest_lock_(void *lock);
FATHOM_API void pomp2_set_nest_lock_(void *lock);
FATHOM_API void pomp2_unset_nest_lock_(void *lock);
FATHOM_API int64_t pomp2_test_nest_lock_(void *lock);

FATHOM_API void pomp2_user_assign_handle_(void **handle, const char *text, size_t length);
FATHOM_API void pomp2_init_(void);
FATHOM_API void pomp2_finalize_(void);
FATHOM_API void pomp2_on_(void);
FATHOM_API void pomp2_off_(void);
FATHOM_API void pomp2_begin_(void **handle, const char *text, size_t length);
FATHOM_API void pomp2_end_(void **handle);

#endif
