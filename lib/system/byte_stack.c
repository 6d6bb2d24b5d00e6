#include "system/byte_stack.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE_BYTES = 4096 };	/* page sizes are multiples of this, or the kernel rounds up */

static size_t in_pages(size_t bytes)
{
	return (bytes + PAGE_BYTES - 1) & ~(size_t)(PAGE_BYTES - 1);
}

static void *resize_pages(void *context, void *block, size_t old_bytes, size_t bytes)
{
	void *pages;

	(void)context;
	if (!bytes) {
		if (block)
			munmap(block, in_pages(old_bytes));
		return NULL;
	}
	if (block && in_pages(old_bytes) == in_pages(bytes))
		return block;
	if (block)
		pages = mremap(block, in_pages(old_bytes), in_pages(bytes), MREMAP_MAYMOVE);
	else
		pages = mmap(NULL, in_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return pages == MAP_FAILED ? NULL : pages;
}

void fathom_byte_stack_init(struct fathom_byte_stack *stack, fathom_resize *resize, void *context)
{
	*stack = (struct fathom_byte_stack){ .resize = resize ? resize : resize_pages, .context = context };
}

void fathom_byte_stack_fini(struct fathom_byte_stack *stack)
{
	if (stack->base)
		stack->resize(stack->context, stack->base, stack->room, 0);
	stack->base = NULL;
	stack->used = stack->room = 0;
}

int fathom_byte_stack_reserve(struct fathom_byte_stack *stack, size_t bytes)
{
	size_t least = stack->used + bytes, room = (least + 15) & ~(size_t)15;
	char *base;

	if (least <= stack->room)
		return 0;
	/* A small block grows by the bytes needed; a large one by half, so that it moves rarely. */
	if (room >= PAGE_BYTES && room < stack->room + stack->room / 2)
		room = (stack->room + stack->room / 2 + 15) & ~(size_t)15;
	base = stack->resize(stack->context, stack->base, stack->room, room);
	if (!base)
		return -ENOMEM;
	stack->base = base;
	stack->room = room;
	return 0;
}

size_t fathom_byte_stack_push(struct fathom_byte_stack *stack, size_t bytes)
{
	size_t at = stack->used;

	if (fathom_byte_stack_reserve(stack, bytes))
		return SIZE_MAX;
	stack->used += bytes;
	return at;
}

static void turn(char *first, char *last)
{
	for (; first < last; first++, last--) {
		char kept = *first;

		*first = *last;
		*last = kept;
	}
}

/* Reverses each part, then the whole, which needs no memory for a copy. */
void fathom_byte_stack_swap(struct fathom_byte_stack *stack, size_t begin, size_t middle)
{
	if (begin == middle || middle == stack->used)
		return;
	turn(stack->base + begin, stack->base + middle - 1);
	turn(stack->base + middle, stack->base + stack->used - 1);
	turn(stack->base + begin, stack->base + stack->used - 1);
}

void fathom_byte_stack_cut(struct fathom_byte_stack *stack, size_t begin, size_t end)
{
	if (begin == end)
		return;
	memmove(stack->base + begin, stack->base + end, stack->used - end);
	stack->used -= end - begin;
}

int fathom_byte_stack_put_number(struct fathom_byte_stack *stack, uint64_t number)
{
	do {
		size_t at = fathom_byte_stack_push(stack, 1);

		if (at == SIZE_MAX)
			return -ENOMEM;
		stack->base[at] = (char)((number & 127) | (number > 127 ? 128 : 0));
		number >>= 7;
	} while (number);
	return 0;
}

int fathom_byte_stack_align(struct fathom_byte_stack *stack)
{
	size_t bytes = -stack->used & 7, at = fathom_byte_stack_push(stack, bytes);

	if (at == SIZE_MAX)
		return -ENOMEM;
	memset(stack->base + at, 0, bytes);
	return 0;
}

uint64_t fathom_byte_stack_read_number(const struct fathom_byte_stack *stack, size_t *offset)
{
	uint64_t number = 0;
	unsigned char part;
	int shift = 0;

	do {
		part = (unsigned char)stack->base[(*offset)++];
		number |= (uint64_t)(part & 127) << shift;
		shift += 7;
	} while (part & 128);
	return number;
}
