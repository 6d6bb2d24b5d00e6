#include "symbols/naming_thread.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "symbols/symbols.h"

enum { STACK_BYTES = 8 << 20, PATIENCE_SECONDS = 1 };

/* The symbol exists only in statically linked programs, see symbols_library.c. */
extern __typeof__(fathom_symbols_table) fathom_symbols_table __attribute__((weak, visibility("hidden")));

/* Which thread does the work. The first one that replaces OPEN does it. */
enum { OPEN, BY_NEW_THREAD, BY_CALLER };

static struct {
	void (*run)(void *data);
	void *data;
	uint32_t taken;			/* one of the enumerators above; the caller waits on it by futex */
	bool has_old_thread;		/* a new thread did not begin in time, and may still wait for the lock */
} work;

/* The C library's functions. libfathom-pthread has functions of the same names, which would measure the thread. */
struct thread_functions {
	__typeof__(&pthread_create) create;
	__typeof__(&pthread_join) join;
	__typeof__(&pthread_attr_setstacksize) set_stack_size;
};

/* Finds the functions. Returns false if there are none, if another malloc than the C library's is in use, or if the
 * process is ending because its last thread has ended. The C library keeps the number of threads, also for debuggers.
 * In that case it is 0, and the end of a new thread, which would again be the last one, would end the process. */
static bool find_functions(struct thread_functions *functions)
{
	void *library = &fathom_symbols_table ? NULL : dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
	const unsigned *thread_count;
	bool is_found;

	if (!library)
		return false;
	thread_count = dlsym(library, "__nptl_nthreads");
	*(void **)&functions->create = dlsym(library, "pthread_create");	/* in it since glibc 2.34 */
	*(void **)&functions->join = dlsym(library, "pthread_join");
	*(void **)&functions->set_stack_size = dlsym(library, "pthread_attr_setstacksize");
	is_found = functions->create && functions->join && functions->set_stack_size &&
		   dlsym(library, "malloc") == dlsym(RTLD_DEFAULT, "malloc") &&
		   thread_count && __atomic_load_n(thread_count, __ATOMIC_RELAXED);
	dlclose(library);
	return is_found;
}

/* Makes who the thread that does the work. Returns false if the other thread does it already. */
static bool take(uint32_t who)
{
	uint32_t open = OPEN;

	return __atomic_compare_exchange_n(&work.taken, &open, who, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static void *begin(void *unused)
{
	/* The work needs the lock of the dynamic linker. A program that calls exit in the constructor of a library
	 * holds this lock in the calling thread. */
	void *program = dlopen(NULL, RTLD_LAZY | RTLD_NOLOAD);

	(void)unused;
	if (program)
		dlclose(program);
	if (take(BY_NEW_THREAD)) {
		syscall(SYS_futex, &work.taken, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
		work.run(work.data);
	}
	return NULL;
}

/* Waits until the new thread has begun the work. Returns false if it does not begin: the calling thread must. */
static bool wait_for_begin(void)
{
	const struct timespec patience = { .tv_sec = PATIENCE_SECONDS };
	long err = 0;

	while (!__atomic_load_n(&work.taken, __ATOMIC_ACQUIRE) && !(err && errno == ETIMEDOUT))
		err = syscall(SYS_futex, &work.taken, FUTEX_WAIT_PRIVATE, OPEN, &patience, NULL, 0);
	work.has_old_thread = take(BY_CALLER);
	return !work.has_old_thread;
}

/* Returns 0 or an error number. */
static int make_thread(const struct thread_functions *functions, pthread_t *thread)
{
	static const int crashes[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS };
	pthread_attr_t attributes;
	sigset_t others, before;
	int err = pthread_attr_init(&attributes);

	if (err)
		return err;
	sigfillset(&others);
	for (size_t i = 0; i < sizeof(crashes) / sizeof(*crashes); i++)
		sigdelset(&others, crashes[i]);
	pthread_sigmask(SIG_SETMASK, &others, &before);
	err = functions->set_stack_size(&attributes, STACK_BYTES);
	if (!err)
		err = functions->create(thread, &attributes, begin, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	pthread_attr_destroy(&attributes);
	return err;
}

void fathom_naming_thread_run(void (*run)(void *data), void *data)
{
	struct thread_functions functions;
	pthread_t thread;

	if (work.has_old_thread || !find_functions(&functions)) {
		run(data);
		return;
	}
	work.run = run;
	work.data = data;
	__atomic_store_n(&work.taken, OPEN, __ATOMIC_RELEASE);
	if (make_thread(&functions, &thread) || !wait_for_begin())
		run(data);
	else
		functions.join(thread, NULL);
}
