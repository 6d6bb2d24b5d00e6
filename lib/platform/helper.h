/*
 * helper: a thread of the library's own that the C library does not know.
 *
 * A thread made by pthread_create would change the program: from then on malloc, stdio and std::shared_ptr take locks
 * and atomic instructions that they leave out while there is one thread. The helper is made by clone() instead. It has
 * its own table of file descriptors, so that the program neither sees nor closes what the helper opens; all signals are
 * blocked in it, so that the kernel never chooses it to handle one; and its thread-local storage is an empty area, in
 * which errno is the only variable that may be used. A child process after fork does not have it, and an exec ends it.
 *
 * What runs in the helper must therefore make system calls by syscall() alone, and may neither allocate nor use any
 * thread-local variable nor be instrumented by a sanitizer (FATHOM_IN_HELPER).
 */
#ifndef FATHOM_PLATFORM_HELPER_H
#define FATHOM_PLATFORM_HELPER_H

#include <stdbool.h>
#include <stdint.h>

/* Stands on every function that runs in the helper. */
#if defined(__clang__)
#define FATHOM_IN_HELPER __attribute__((no_sanitize("thread", "address", "undefined")))
#else
#define FATHOM_IN_HELPER __attribute__((no_sanitize("thread"), no_sanitize("address"), no_sanitize("undefined")))
#endif

struct fathom_helper {
	void (*run)(struct fathom_helper *helper);	/* the helper ends when this returns */
	void *data;
	uint32_t stop;		/* 1: the helper is asked to end. A futex */
	int exit_code;		/* the helper's own */
};

/*
 * Start the helper, which calls helper->run, with no file open, unless it cannot have a table of its own (very old
 * kernels in containers, valgrind): then it ends. *helper must live as long as the process. 0, or -errno: -ENOTSUP on
 * processors that this was not written for. Context: birth.
 */
int fathom_helper_start(struct fathom_helper *helper);

/* Ask the helper to end, without waiting for that. Context: signal. */
void fathom_helper_stop(struct fathom_helper *helper);

/* For the helper itself: sleep for ns, or until it is asked to end. Returns whether it was asked, or all threads of the
 * program have ended without ending the process, which the helper would keep alive. Context: the helper. */
bool fathom_helper_sleep(struct fathom_helper *helper, uint64_t ns);

#endif
