/*
 * helper: a thread of the library's own that the C library does not know.
 *
 * A thread that pthread_create makes would change the program: in a process with several threads, malloc, stdio and
 * std::shared_ptr use locks and atomic instructions, which they leave out in a process with one thread. So clone()
 * makes the helper. The helper has a table of file descriptors of its own: the program neither sees nor closes the
 * files that the helper opens. All signals are blocked in the helper, so the kernel never chooses it to handle one.
 * Its thread-local storage is an empty area, in which only errno may be used. A child process after fork has no
 * helper, and exec ends it.
 *
 * Functions that run in the helper make system calls by syscall() alone. They do not allocate memory, they use no
 * thread-local variable, and no sanitizer instruments them (FATHOM_IN_HELPER).
 */
#ifndef FATHOM_PLATFORM_HELPER_H
#define FATHOM_PLATFORM_HELPER_H

#include <stdbool.h>
#include <stdint.h>

#include "platform/compiler.h"

/* The attribute of every function that runs in the helper. In a build for ThreadSanitizer, which shall see what the
 * helper reads, pthread_create makes the helper, and its functions are instrumented. */
#if defined(FATHOM_FOR_THREAD_SANITIZER)
#define FATHOM_IN_HELPER
#elif defined(__clang__)
#define FATHOM_IN_HELPER __attribute__((no_sanitize("thread", "address", "undefined")))
#else
#define FATHOM_IN_HELPER __attribute__((no_sanitize("thread"), no_sanitize("address"), no_sanitize("undefined")))
#endif

/* The attribute of the functions that copy memory while its owner changes it by plain stores, each of a whole word at
 * most. ThreadSanitizer would report every such store. Whoever reads the copy checks what is in it; pointers and counts
 * that the helper itself uses are read elsewhere, by atomic loads. */
#if defined(__clang__) && defined(FATHOM_FOR_THREAD_SANITIZER)
#define FATHOM_COPIES_CHANGING_MEMORY __attribute__((disable_sanitizer_instrumentation, noinline))
#else
#define FATHOM_COPIES_CHANGING_MEMORY __attribute__((no_sanitize("thread")))
#endif

struct fathom_helper {
	void (*run)(struct fathom_helper *helper);	/* the helper ends when this returns */
	void *data;
	uint32_t stop;		/* 1: the helper is asked to end. The helper waits on this word by futex */
	int exit_code;		/* with which the helper ends */
};

/*
 * Starts the helper, which calls helper->run without any open file. Where the helper cannot have a table of file
 * descriptors of its own (very old kernels in containers, valgrind), it ends at once. *helper must live as long as the
 * process. 0 or -errno; -ENOTSUP: this is not written for the processor. Context: birth.
 */
int fathom_helper_start(struct fathom_helper *helper);

/* Asks the helper to end, and does not wait for that. Context: signal. */
void fathom_helper_stop(struct fathom_helper *helper);

/* Sleeps for ns, or until the helper is asked to end. Returns true if the helper must end: it was asked to, or all
 * threads of the program have ended and only the helper keeps the process alive. Context: the helper. */
bool fathom_helper_sleep(struct fathom_helper *helper, uint64_t ns);

#endif
