/*
 * byte_stack: one block of memory used as a stack, so that what a process needs is one small number.
 *
 * The block moves when it grows: what stands in it is named by its offset. It never shrinks; what has been had once
 * can be had again.
 */
#ifndef FATHOM_SYSTEM_BYTE_STACK_H
#define FATHOM_SYSTEM_BYTE_STACK_H

#include <stddef.h>
#include <stdint.h>

/* Change the size of a block; bytes 0: give it back. NULL: no memory, and the old block is as it was. */
typedef void *fathom_resize(void *context, void *block, size_t old_bytes, size_t bytes);

struct fathom_byte_stack {
	char *base;
	size_t used;
	size_t room;
	fathom_resize *resize;		/* NULL: whole pages from the kernel, never malloc */
	void *context;
};

void fathom_byte_stack_init(struct fathom_byte_stack *stack, fathom_resize *resize, void *context);
void fathom_byte_stack_fini(struct fathom_byte_stack *stack);

/* So many more bytes can be put without a failure. 0 or -ENOMEM. Context: finish, signal; as of all below. */
int fathom_byte_stack_reserve(struct fathom_byte_stack *stack, size_t bytes);

/* Room for bytes on top, not cleared. Its offset; SIZE_MAX: no memory. */
size_t fathom_byte_stack_push(struct fathom_byte_stack *stack, size_t bytes);

static inline void *fathom_byte_stack_at(const struct fathom_byte_stack *stack, size_t offset)
{
	return stack->base + offset;
}

/* Exchange two neighbours: what stands from middle up to the top comes to begin, what stood there behind it. */
void fathom_byte_stack_swap(struct fathom_byte_stack *stack, size_t begin, size_t middle);

/* Take out what stands from begin to end; what is above comes down. */
void fathom_byte_stack_cut(struct fathom_byte_stack *stack, size_t begin, size_t end);

/* A number on top, in as few bytes as it needs, at most 10. 0 or -ENOMEM. */
int fathom_byte_stack_put_number(struct fathom_byte_stack *stack, uint64_t number);

/* Fill up to a multiple of 8 bytes, as everything but numbers needs it. 0 or -ENOMEM. */
int fathom_byte_stack_align(struct fathom_byte_stack *stack);

/* The number at *offset, which goes on behind it. */
uint64_t fathom_byte_stack_read_number(const struct fathom_byte_stack *stack, size_t *offset);

#endif
