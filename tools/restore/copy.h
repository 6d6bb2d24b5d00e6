/*
 * copy: the memory of a process as its snapshot file has it (lib/run/run_snapshot.h), by the addresses that it had
 * there.
 *
 * Nothing in the file is trusted: a piece whose sum is wrong is left out, and whatever is asked for must lie in pieces
 * that are whole.
 */
#ifndef FATHOM_TOOLS_RESTORE_COPY_H
#define FATHOM_TOOLS_RESTORE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/run_snapshot.h"

struct range {			/* memory without a gap */
	uint64_t begin, end;
	char *bytes;
};

struct copy {
	struct fathom_run_snapshot_roots roots;
	struct range *ranges;		/* in the order of addresses, none touches another */
	size_t range_count;
	uint64_t damaged;		/* pieces that are not whole */
	bool is_cut;			/* the end of the slot is missing */
	bool is_alive;			/* the process still is at work */
};

/* Read the newest copy that there is in the file. 0, or -errno after a line was said. */
int copy_read(struct copy *copy, const char *path);
void copy_free(struct copy *copy);

/* So many bytes that were at address, for objects aligned to 8 bytes. NULL: they are not there. */
const void *copy_at(const struct copy *copy, uint64_t address, uint64_t bytes);

/* A text that ends with a NUL. NULL: it is not there, or address is 0. */
const char *copy_text(const struct copy *copy, uint64_t address);

#endif
