#include "define/role.h"

const char *fathom_paradigm_name(enum fathom_paradigm paradigm)
{
	static const char *const names[FATHOM_PARADIGM_COUNT] = {
		[FATHOM_PARADIGM_UNKNOWN] = "unknown",
		[FATHOM_PARADIGM_MEASUREMENT] = "measurement",
		[FATHOM_PARADIGM_USER] = "user",
		[FATHOM_PARADIGM_COMPILER] = "compiler",
		[FATHOM_PARADIGM_MPI] = "mpi",
		[FATHOM_PARADIGM_OPENMP] = "openmp",
		[FATHOM_PARADIGM_PTHREAD] = "pthread",
		[FATHOM_PARADIGM_IO] = "io",
	};

	return paradigm < FATHOM_PARADIGM_COUNT ? names[paradigm] : names[0];
}

const char *fathom_role_name(enum fathom_role role)
{
	static const char *const names[FATHOM_ROLE_COUNT] = {
		[FATHOM_ROLE_UNKNOWN] = "unknown",
		[FATHOM_ROLE_FUNCTION] = "function",
		[FATHOM_ROLE_WRAPPER] = "wrapper",
		[FATHOM_ROLE_LOOP] = "loop",
		[FATHOM_ROLE_CODE] = "code",
		[FATHOM_ROLE_PARALLEL] = "parallel",
		[FATHOM_ROLE_SECTIONS] = "sections",
		[FATHOM_ROLE_SECTION] = "section",
		[FATHOM_ROLE_WORKSHARE] = "workshare",
		[FATHOM_ROLE_SINGLE] = "single",
		[FATHOM_ROLE_SINGLE_SBLOCK] = "single sblock",
		[FATHOM_ROLE_MASTER] = "master",
		[FATHOM_ROLE_CRITICAL] = "critical",
		[FATHOM_ROLE_CRITICAL_SBLOCK] = "critical sblock",
		[FATHOM_ROLE_ATOMIC] = "atomic",
		[FATHOM_ROLE_BARRIER] = "barrier",
		[FATHOM_ROLE_IMPLICIT_BARRIER] = "implicit barrier",
		[FATHOM_ROLE_FLUSH] = "flush",
		[FATHOM_ROLE_ORDERED] = "ordered",
		[FATHOM_ROLE_ORDERED_SBLOCK] = "ordered sblock",
		[FATHOM_ROLE_TASK] = "task",
		[FATHOM_ROLE_TASK_CREATE] = "task create",
		[FATHOM_ROLE_TASK_WAIT] = "taskwait",
		[FATHOM_ROLE_COLL_ONE2ALL] = "one2all",
		[FATHOM_ROLE_COLL_ALL2ONE] = "all2one",
		[FATHOM_ROLE_COLL_ALL2ALL] = "all2all",
		[FATHOM_ROLE_COLL_OTHER] = "other collective",
		[FATHOM_ROLE_POINT2POINT] = "point2point",
		[FATHOM_ROLE_RMA] = "rma",
		[FATHOM_ROLE_FILE_IO] = "file io",
		[FATHOM_ROLE_FILE_IO_METADATA] = "file io metadata",
		[FATHOM_ROLE_THREAD_CREATE] = "thread create",
		[FATHOM_ROLE_THREAD_WAIT] = "thread wait",
		[FATHOM_ROLE_ALLOCATE] = "allocate",
		[FATHOM_ROLE_DEALLOCATE] = "deallocate",
		[FATHOM_ROLE_REALLOCATE] = "reallocate",
		[FATHOM_ROLE_LOCK] = "wrapper",	/* CUBE4 has no role for locks */
		[FATHOM_ROLE_ARTIFICIAL] = "artificial",
		[FATHOM_ROLE_DYNAMIC] = "dynamic",
	};

	return role < FATHOM_ROLE_COUNT ? names[role] : names[0];
}
