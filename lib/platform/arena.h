/*
 * arena: memory from which pieces are allocated but not freed one by one; it comes from the kernel by mmap.
 *
 * fathom does not use malloc here, because the program may wrap malloc, the wrapper may be instrumented, and a crash
 * may have happened inside malloc. Allocated pieces do not move and are freed together by fathom_arena_fini.
 */
#ifndef FATHOM_PLATFORM_ARENA_H
#define FATHOM_PLATFORM_ARENA_H

#include <stddef.h>

#include "platform/compiler.h"

/* The head of a block of an arena's memory; the allocated pieces follow it. */
struct fathom_arena_block {
	struct fathom_arena_block *older;
	size_t bytes;		/* of the block, including this head */
	char pad[FATHOM_CACHE_LINE - sizeof(void *) - sizeof(size_t)];
};

struct fathom_arena {
	struct fathom_arena_block *newest;	/* released when complete: another thread may read the blocks */
	char *next;		/* first free byte of the newest block */
	char *end;
	size_t block_bytes;	/* size of the next block; grows with the arena */
	size_t mapped_bytes;	/* size of all blocks */
};

/* An arena that is all zero is empty and ready for use: it starts with small blocks. */

/*
 * Allocates zeroed memory, aligned to 16 bytes, or to a cache line if bytes is a multiple of the cache line.
 * NULL: no memory. Only one thread at a time may use an arena. Context: birth, signal.
 */
FATHOM_API void *fathom_arena_alloc(struct fathom_arena *arena, size_t bytes);

/* Returns zeroed pages that belong to no arena; the caller unmaps them. NULL: no memory. Context: birth, signal. */
void *fathom_arena_map(size_t bytes);

/* Allocates a copy of length bytes of text, with a NUL behind them. NULL: no memory. Context: birth, signal. */
FATHOM_API char *fathom_arena_copy(struct fathom_arena *arena, const char *text, size_t length);

/* Frees all memory of the arena. Context: finish. */
FATHOM_API void fathom_arena_fini(struct fathom_arena *arena);

#endif
