#include "platform/arena.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "platform/compiler.h"

#define FIRST_BLOCK_BYTES ((size_t)64 << 10)
#define LARGEST_BLOCK_BYTES ((size_t)4 << 20)

/*
 * Maps zeroed pages by the system call where its arguments are known. Other libraries (UCX below MPI) or the program
 * may replace the C library's mmap by a function that calls measured functions, and our caller may hold a lock. Pages
 * are unmapped by the usual munmap, because a library that observes unmapping (UCX) must learn of each unmapped page.
 */
static void *map(size_t bytes)
{
#if (defined(__x86_64__) || defined(__aarch64__) || defined(__riscv) || defined(__powerpc64__)) && \
	!defined(FATHOM_FOR_THREAD_SANITIZER)
	return (void *)syscall(SYS_mmap, NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0L);
#else
	return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#endif
}

void *fathom_arena_map(size_t bytes)
{
	void *pages = map(bytes);

	return pages == MAP_FAILED ? NULL : pages;
}

static int add_block(struct fathom_arena *arena, size_t at_least)
{
	struct fathom_arena_block *block;
	size_t bytes = arena->block_bytes ? arena->block_bytes : FIRST_BLOCK_BYTES;

	if (at_least > SIZE_MAX / 4)	/* the loop below doubles bytes, and must not overflow */
		return -1;
	while (bytes < at_least + sizeof(*block))
		bytes *= 2;
	block = fathom_arena_map(bytes);
	if (!block)
		return -1;
	block->older = arena->newest;
	block->bytes = bytes;
	/* The order of these stores matters if a signal handler leaves this function by longjmp. The arena then either
	 * has no room left or has a complete new block. */
	fathom_poke(&arena->next, NULL);
	atomic_signal_fence(memory_order_seq_cst);
	/* Pairs with the acquire in put_arena() of run/run_snapshot.c. */
	__atomic_store_n(&arena->newest, block, __ATOMIC_RELEASE);
	arena->end = (char *)block + bytes;
	arena->mapped_bytes += bytes;
	arena->block_bytes = bytes < LARGEST_BLOCK_BYTES ? bytes * 2 : LARGEST_BLOCK_BYTES;
	atomic_signal_fence(memory_order_seq_cst);
	fathom_poke(&arena->next, (char *)(block + 1));
	return 0;
}

void *fathom_arena_alloc(struct fathom_arena *arena, size_t bytes)
{
	uintptr_t align = bytes % FATHOM_CACHE_LINE ? 16 : FATHOM_CACHE_LINE;
	uintptr_t place = ((uintptr_t)arena->next + align - 1) & ~(align - 1);

	if (!arena->next || place > (uintptr_t)arena->end || (uintptr_t)arena->end - place < bytes) {
		if (add_block(arena, bytes))
			return NULL;
		place = (uintptr_t)arena->next;
	}
	fathom_poke(&arena->next, (char *)(place + bytes));
	return (void *)place;
}

char *fathom_arena_copy(struct fathom_arena *arena, const char *text, size_t length)
{
	char *copy = fathom_arena_alloc(arena, length + 1);

	if (copy)
		memcpy(copy, text, length);
	return copy;
}

/* A pointer to the elements of an array, of whichever type. */
typedef void *any_pointer __attribute__((may_alias));

bool fathom_arena_grow(struct fathom_arena *arena, void *array, uint32_t *room, uint32_t count, size_t bytes)
{
	enum { FIRST_ROOM = 64 };
	uint32_t larger = *room ? *room : FIRST_ROOM;
	void *old, *made;

	if (count <= *room)
		return true;
	while (larger < count)
		larger *= 2;
	made = fathom_arena_alloc(arena, larger * bytes);
	if (!made)
		return false;
	memcpy(&old, array, sizeof(old));
	if (*room)
		memcpy(made, old, *room * bytes);
	__atomic_store_n((any_pointer *)array, made, __ATOMIC_RELEASE);
	__atomic_store_n(room, larger, __ATOMIC_RELEASE);
	return true;
}

void fathom_arena_fini(struct fathom_arena *arena)
{
	struct fathom_arena_block *block = arena->newest;

	while (block) {
		struct fathom_arena_block *older = block->older;

		munmap(block, block->bytes);
		block = older;
	}
	memset(arena, 0, sizeof(*arena));
}
