/*
 * handles: which number the files and streams have in the trace that the program has opened, and the records about
 * them.
 *
 * Files that were open before, such as standard output, and those that the program gets by other calls (dup, pipe,
 * socket, fdopen) have no number, and no records but the regions.
 */
#ifndef FATHOM_WRAPPERS_IO_HANDLES_H
#define FATHOM_WRAPPERS_IO_HANDLES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "event/event.h"
#include "platform/compiler.h"

#define FATHOM_IO_NO_HANDLE UINT32_MAX

/* True if a trace is recorded. The functions below are called only then, while the region of the call is active. */
extern FATHOM_HIDDEN bool fathom_io_is_traced;

/* The call has opened path: file, or stream. Negative or NULL: it has failed. flags: those of open; mode: that of
 * fopen. Context: birth. */
void fathom_io_opened(int file, const char *path, int flags);
void fathom_io_stream_opened(FILE *stream, const char *path, const char *mode);

/* Return the number of a file or stream. FATHOM_IO_NO_HANDLE: it has none. fathom_io_take and fathom_io_stream_take:
 * the call is about to close it. Context: hook. */
uint32_t fathom_io_number(int file);
uint32_t fathom_io_stream_number(FILE *stream);
uint32_t fathom_io_take(int file);
uint32_t fathom_io_stream_take(FILE *stream);

/* The file or stream with this number is closed. Context: hook. */
void fathom_io_closed(uint32_t number);

/* The call has read or written some of the bytes that it was asked for, or has flushed (0 bytes). offset: from the
 * begin of the file, or FATHOM_IO_NO_OFFSET. Context: hook. */
void fathom_io_moved(uint32_t number, enum fathom_io_operation operation, uint64_t wanted, uint64_t bytes,
		     uint64_t offset);

/* The call has moved the position by distance from whence (SEEK_SET, ...) to the position where; negative: it has
 * failed. Context: hook. */
void fathom_io_sought(uint32_t number, int64_t distance, int whence, int64_t where);

#endif
