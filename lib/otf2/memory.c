#include "otf2/memory.h"

#include <stdlib.h>

#include "platform/arena.h"

/* Called if there is no memory; set once, before the first trace is opened. */
static void (*end_program)(size_t bytes);

void fathom_otf2_memory_set_end(void (*end)(size_t bytes))
{
	end_program = end;
}

static void *check(void *memory, size_t bytes)
{
	if (memory)
		return memory;
	if (end_program)
		end_program(bytes);
	abort();
}

void *fathom_otf2_memory_alloc(size_t count, size_t bytes)
{
	return check(calloc(count ? count : 1, bytes), count * bytes);
}

void *fathom_otf2_memory_grow(void *array, size_t count, size_t *room, size_t bytes)
{
	if (count < *room)
		return array;
	*room = *room ? 2 * *room : 64;
	return check(reallocarray(array, *room, bytes), *room * bytes);
}

void *fathom_otf2_memory_from(struct fathom_arena *arena, size_t bytes)
{
	return check(fathom_arena_alloc(arena, bytes ? bytes : 1), bytes);
}
