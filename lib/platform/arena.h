/*
 * arena: memory that is only ever added to, taken from the kernel by mmap.
 *
 * Never malloc: the program may wrap it, the wrapper may be instrumented, and a crash
 * may have happened inside it. Nothing is given back before fathom_arena_fini; what was
 * handed out does not move.
 */
#ifndef FATHOM_PLATFORM_ARENA_H
#define FATHOM_PLATFORM_ARENA_H

#include <stddef.h>

#include "platform/compiler.h"

/* A piece of an arena's memory; what was handed out of it stands behind this. */
struct fathom_arena_block {
	struct fathom_arena_block *older;
	size_t bytes;		/* all of it, this included */
	char pad[FATHOM_CACHE_LINE - sizeof(void *) - sizeof(size_t)];
};

struct fathom_arena {
	struct fathom_arena_block *newest;	/* released when complete: another thread may read the blocks */
	char *next;		/* first free byte of the newest block */
	char *end;
	size_t block_bytes;	/* size of the next block; grows with the arena */
	size_t mapped_bytes;	/* all blocks together */
};

/* An arena that is all zero is empty and ready: it starts with small blocks. */

/*
 * Zeroed memory, aligned to 16 bytes (to a cache line where bytes is a multiple of it).
 * NULL: the kernel gives no more. One thread at a time. Context: birth, signal.
 */
FATHOM_API void *fathom_arena_alloc(struct fathom_arena *arena, size_t bytes);

/* Zeroed pages that belong to no arena, for the caller to unmap. NULL: the kernel gives no more.
 * Context: birth, signal. */
void *fathom_arena_map(size_t bytes);

/* A copy of length bytes of text, with a NUL behind. NULL: out of memory. */
FATHOM_API char *fathom_arena_copy(struct fathom_arena *arena, const char *text, size_t length);

/* Give everything back to the kernel. Context: finish. */
FATHOM_API void fathom_arena_fini(struct fathom_arena *arena);

#endif
