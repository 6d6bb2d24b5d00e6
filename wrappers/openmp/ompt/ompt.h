/*
 * ompt: the part of OpenMP's interface for tools (OpenMP 5.1, chapter 4) that fathom uses.
 *
 * The runtime's own header comes with clang and does not compile everywhere. The values here are fixed by the standard.
 * Enumerations name only the values that fathom uses; a runtime may pass others.
 */
#ifndef FATHOM_WRAPPERS_OMPT_OMPT_H
#define FATHOM_WRAPPERS_OMPT_OMPT_H

#include <stdint.h>

/* 64 bits that the runtime keeps for the tool with each thread, parallel region and task. */
union fathom_ompt_data {
	uint64_t value;
	void *pointer;
};

/* The frames at which a task called the runtime (enter), and at which the runtime called the task (exit). */
struct fathom_ompt_frame {
	union fathom_ompt_data exit, enter;
	int exit_flags, enter_flags;
};

enum fathom_ompt_frame_flag {
	FATHOM_OMPT_FRAME_POINTER = 0x20,	/* the address that the compiler uses as the frame's address */
	FATHOM_OMPT_FRAME_KINDS = 0x30,
};

enum fathom_ompt_endpoint {
	FATHOM_OMPT_BEGIN = 1,
	FATHOM_OMPT_END = 2,
};

enum fathom_ompt_event {
	FATHOM_OMPT_THREAD_BEGIN = 1,
	FATHOM_OMPT_THREAD_END = 2,
	FATHOM_OMPT_PARALLEL_BEGIN = 3,
	FATHOM_OMPT_PARALLEL_END = 4,
	FATHOM_OMPT_TASK_CREATE = 5,
	FATHOM_OMPT_TASK_SCHEDULE = 6,
	FATHOM_OMPT_IMPLICIT_TASK = 7,
	FATHOM_OMPT_SYNC_REGION_WAIT = 16,
	FATHOM_OMPT_MUTEX_RELEASED = 17,
	FATHOM_OMPT_WORK = 20,
	FATHOM_OMPT_MASKED = 21,
	FATHOM_OMPT_SYNC_REGION = 23,
	FATHOM_OMPT_LOCK_INIT = 24,
	FATHOM_OMPT_LOCK_DESTROY = 25,
	FATHOM_OMPT_MUTEX_ACQUIRE = 26,
	FATHOM_OMPT_MUTEX_ACQUIRED = 27,
	FATHOM_OMPT_NEST_LOCK = 28,
	FATHOM_OMPT_FLUSH = 29,
	FATHOM_OMPT_REDUCTION = 31,
};

enum fathom_ompt_thread_type {
	FATHOM_OMPT_THREAD_INITIAL = 1,
	FATHOM_OMPT_THREAD_WORKER = 2,
};

enum fathom_ompt_parallel_flag {
	FATHOM_OMPT_PARALLEL_LEAGUE = 0x40000000,
};

enum fathom_ompt_task_flag {
	FATHOM_OMPT_TASK_INITIAL = 0x01,
	FATHOM_OMPT_TASK_EXPLICIT = 0x04,
	FATHOM_OMPT_TASK_TASKWAIT = 0x10,
	FATHOM_OMPT_TASK_UNTIED = 0x10000000,
};

enum fathom_ompt_task_status {
	FATHOM_OMPT_TASK_COMPLETE = 1,
	FATHOM_OMPT_TASK_CANCEL = 3,
	FATHOM_OMPT_TASK_DETACH = 4,
	FATHOM_OMPT_TASKWAIT_COMPLETE = 8,
};

enum fathom_ompt_work_type {
	FATHOM_OMPT_WORK_LOOP = 1,
	FATHOM_OMPT_WORK_SECTIONS = 2,
	FATHOM_OMPT_WORK_SINGLE_EXECUTOR = 3,
	FATHOM_OMPT_WORK_SINGLE_OTHER = 4,
	FATHOM_OMPT_WORK_WORKSHARE = 5,
	FATHOM_OMPT_WORK_DISTRIBUTE = 6,
	FATHOM_OMPT_WORK_TASKLOOP = 7,
	FATHOM_OMPT_WORK_SCOPE = 8,
	FATHOM_OMPT_WORK_LOOP_STATIC = 10,	/* from here on: OpenMP 6 */
	FATHOM_OMPT_WORK_LOOP_OTHER = 13,
};

enum fathom_ompt_sync_type {
	FATHOM_OMPT_SYNC_BARRIER = 1,
	FATHOM_OMPT_SYNC_BARRIER_IMPLICIT = 2,
	FATHOM_OMPT_SYNC_BARRIER_EXPLICIT = 3,
	FATHOM_OMPT_SYNC_BARRIER_IMPLEMENTATION = 4,
	FATHOM_OMPT_SYNC_TASKWAIT = 5,
	FATHOM_OMPT_SYNC_TASKGROUP = 6,
	FATHOM_OMPT_SYNC_REDUCTION = 7,
	FATHOM_OMPT_SYNC_BARRIER_IMPLICIT_WORKSHARE = 8,
	FATHOM_OMPT_SYNC_BARRIER_IMPLICIT_PARALLEL = 9,
	FATHOM_OMPT_SYNC_BARRIER_TEAMS = 10,
};

enum fathom_ompt_mutex_type {
	FATHOM_OMPT_MUTEX_LOCK = 1,
	FATHOM_OMPT_MUTEX_TEST_LOCK = 2,
	FATHOM_OMPT_MUTEX_NEST_LOCK = 3,
	FATHOM_OMPT_MUTEX_TEST_NEST_LOCK = 4,
	FATHOM_OMPT_MUTEX_CRITICAL = 5,
	FATHOM_OMPT_MUTEX_ATOMIC = 6,
	FATHOM_OMPT_MUTEX_ORDERED = 7,
};

typedef void fathom_ompt_function(void);
typedef fathom_ompt_function *fathom_ompt_lookup(const char *name);

/* The result of ompt_start_tool. */
struct fathom_ompt_tool {
	int (*initialize)(fathom_ompt_lookup *lookup, int initial_device, union fathom_ompt_data *tool);
	void (*finalize)(union fathom_ompt_data *tool);
	union fathom_ompt_data tool;
};

#endif
