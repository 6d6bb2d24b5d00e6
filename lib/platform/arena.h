/*
 * arena: memory from which pieces are allocated but not freed one by one; it comes from the kernel by mmap.
 *
 * fathom does not use malloc here, because the program may wrap malloc, the wrapper may be instrumented, and a crash
 * may have happened inside malloc. Allocated pieces do not move and are freed together by fathom_arena_fini.
 */
#ifndef FATHOM_PLATFORM_ARENA_H
#define FATHOM_PLATFORM_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/*
 * Makes room for count elements of that many bytes in an array: array points to the pointer to the first element, *room
 * is the number of elements that there is room for, 0 and NULL at first. A larger array has the elements of the smaller
 * one and zeros behind them. The smaller one stays as it is, because another thread may be reading it; *room is stored
 * last, with release. False: no memory, and nothing has changed. Context: birth, signal.
 */
FATHOM_API bool fathom_arena_grow(struct fathom_arena *arena, void *array, uint32_t *room, uint32_t count,
				  size_t bytes);

/* Frees all memory of the arena. Context: finish. */
FATHOM_API void fathom_arena_fini(struct fathom_arena *arena);

#endif
