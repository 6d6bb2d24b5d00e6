/*
 * write: writing to files and to stderr in the middle of a program that must not notice it.
 *
 * A write beyond the limit on the size of files (ulimit -f) sends SIGXFSZ to the thread that writes, and a write to a
 * pipe without a reader sends SIGPIPE; both end a program that does not expect them. Between hold and release the
 * calling thread gets neither: the write fails with EFBIG or EPIPE, and the signal is discarded.
 *
 * No call in here is a cancellation point or changes errno.
 */
#ifndef FATHOM_PLATFORM_WRITE_H
#define FATHOM_PLATFORM_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"

struct fathom_write_signals {
	uint64_t mask;		/* of the thread before, as the kernel has it: bit n - 1 for signal n */
	uint64_t pending;	/* signals that were blocked and pending before: these are the program's */
};

/* Holds back the signals of a failing write until release, in this thread. Pairs may be nested. Context: signal. */
FATHOM_API void fathom_write_signals_hold(struct fathom_write_signals *before);
FATHOM_API void fathom_write_signals_release(const struct fathom_write_signals *before);

/* Writes all bytes, and holds the signals meanwhile. 0 or -errno. Context: signal. */
FATHOM_API int fathom_write_all(int fd, const void *data, size_t bytes);

#endif
