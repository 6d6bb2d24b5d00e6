/*
 * memory: allocates memory for the reader of traces.
 *
 * A program that reads a trace cannot continue without memory, so none of these functions returns NULL. When memory is
 * exhausted, they call the function that the program has set, which must end the program; if there is none, they abort.
 * Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_MEMORY_H
#define FATHOM_OTF2_MEMORY_H

#include <stddef.h>

/* Sets the function that ends the program; its argument is the number of bytes that are not available. Context:
 * start. */
void fathom_otf2_memory_set_end(void (*end)(size_t bytes));

/* Allocates zeroed memory for count objects of the given size; the caller frees it. */
void *fathom_otf2_memory_alloc(size_t count, size_t bytes);

/*
 * Makes room for one more object in array, which holds count objects of the given size and has room for *room of them.
 * Returns the array, which may have moved, and updates *room. New objects are not zeroed.
 */
void *fathom_otf2_memory_grow(void *array, size_t count, size_t *room, size_t bytes);

struct fathom_arena;

/* Allocates memory from an arena, which also frees it. */
void *fathom_otf2_memory_from(struct fathom_arena *arena, size_t bytes);

#endif
