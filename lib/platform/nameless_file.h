/*
 * nameless_file: a file without a name, for records of a running program that do not fit into memory. It vanishes with
 * the process, however the process ends.
 *
 * The program may close the descriptor, and its number may then belong to another file: each use checks this.
 */
#ifndef FATHOM_PLATFORM_NAMELESS_FILE_H
#define FATHOM_PLATFORM_NAMELESS_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "platform/lock.h"

/* The owner sets the first three members; the others are 0 at first. */
struct fathom_nameless_file {
	const char *directory;		/* where it is */
	const char *name;		/* its name for a moment, on file systems that have no files without a name */
	uint64_t most_bytes;		/* of the file */
	uint64_t bytes;			/* that were asked for; atomic */
	struct fathom_lock lock;	/* held while the file is opened; nests in nothing */
	int descriptor;			/* 0: not open yet; negative: it cannot be made */
	dev_t device;			/* the file by which the descriptor is recognised */
	ino_t inode;
};

/* Appends data to the file, which the first call opens. Any thread may call this at any time. Returns the place of the
 * data in the file; negative: it cannot be written, or the file is full. Context: birth. */
int64_t fathom_nameless_file_append(struct fathom_nameless_file *file, const void *data, size_t bytes);

/* Returns the descriptor of the file; negative: there is none, or not any more. Context: finish, signal. */
int fathom_nameless_file_descriptor(const struct fathom_nameless_file *file);

/* Reads bytes from a place. 0 or -errno. Context: finish, signal. */
int fathom_nameless_file_read(const struct fathom_nameless_file *file, void *data, size_t bytes, uint64_t place);

#endif
