/*
 * copy: the memory of a process, read from its run snapshot (run/run_snapshot.h), by the addresses of that process.
 *
 * The file may be damaged in any way. A piece with a wrong checksum is left out, and only memory that is in complete
 * pieces can be read.
 */
#ifndef FATHOM_TOOLS_RESTORE_COPY_H
#define FATHOM_TOOLS_RESTORE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/run_snapshot.h"

struct range {			/* a stretch of memory without a gap */
	uint64_t begin, end;
	char *bytes;
};

struct copy {
	struct fathom_run_snapshot_roots roots;
	struct range *ranges;		/* by address; there is a gap between any two */
	size_t range_count;
	uint64_t damaged;		/* number of pieces that are not complete */
	bool is_cut;			/* the end of the copy is missing */
	bool is_alive;			/* the process is still running */
};

/* Reads the newest copy in the file. 0, or -errno after a message. The caller calls copy_free in both cases. */
int copy_read(struct copy *copy, const char *path);
void copy_free(struct copy *copy);

/* Returns the bytes that were at address, which must be a multiple of 8. NULL: the copy lacks some of them. */
const void *copy_at(const struct copy *copy, uint64_t address, uint64_t bytes);

/* Returns the text that was at address and ends with a NUL. NULL: the copy lacks a part of the text, or address is
 * 0. */
const char *copy_text(const struct copy *copy, uint64_t address);

#endif
