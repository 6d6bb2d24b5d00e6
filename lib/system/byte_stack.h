/*
 * byte_stack: one block of memory that is used as a stack, so that the memory a process needs is a single number.
 *
 * The block moves when it grows; therefore callers refer to its contents by offsets. The block never shrinks: space
 * that was available once stays available. Context of all functions: finish, signal.
 */
#ifndef FATHOM_SYSTEM_BYTE_STACK_H
#define FATHOM_SYSTEM_BYTE_STACK_H

#include <stddef.h>
#include <stdint.h>

/* Changes the size of a block; with bytes 0, frees it. NULL: no memory, and the old block is unchanged. */
typedef void *fathom_resize(void *context, void *block, size_t old_bytes, size_t bytes);

struct fathom_byte_stack {
	char *base;
	size_t used;			/* bytes */
	size_t room;			/* size of the block, bytes */
	fathom_resize *resize;		/* NULL: whole pages from the kernel, never malloc */
	void *context;
};

/* Makes an empty stack without a block. */
void fathom_byte_stack_init(struct fathom_byte_stack *stack, fathom_resize *resize, void *context);
/* Frees the block. */
void fathom_byte_stack_fini(struct fathom_byte_stack *stack);

/* Makes sure that the next bytes can be pushed without a failure. 0 or -ENOMEM. */
int fathom_byte_stack_reserve(struct fathom_byte_stack *stack, size_t bytes);

/* Pushes bytes with undefined contents and returns their offset. SIZE_MAX: no memory. */
size_t fathom_byte_stack_push(struct fathom_byte_stack *stack, size_t bytes);

/* Returns the address of an offset, which is valid until the next push. */
static inline void *fathom_byte_stack_at(const struct fathom_byte_stack *stack, size_t offset)
{
	return stack->base + offset;
}

/* Exchanges two neighbouring parts: the part from middle to the top moves to begin, and the part from begin to middle
 * moves behind it. */
void fathom_byte_stack_swap(struct fathom_byte_stack *stack, size_t begin, size_t middle);

/* Removes the bytes from begin to end; what is above them moves down. */
void fathom_byte_stack_cut(struct fathom_byte_stack *stack, size_t begin, size_t end);

/* Pushes a number in as few bytes as it needs, at most 10. 0 or -ENOMEM. */
int fathom_byte_stack_put_number(struct fathom_byte_stack *stack, uint64_t number);

/* Pushes zeros up to a multiple of 8 bytes, which everything except numbers needs. 0 or -ENOMEM. */
int fathom_byte_stack_align(struct fathom_byte_stack *stack);

/* Returns the number at *offset, and moves *offset behind it. */
uint64_t fathom_byte_stack_read_number(const struct fathom_byte_stack *stack, size_t *offset);

#endif
