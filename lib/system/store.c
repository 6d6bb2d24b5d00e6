#include "system/store.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE_BYTES = 4096 };	/* any page is a multiple of it, or the kernel rounds up */

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

void fathom_store_init(struct fathom_store *store, fathom_resize *resize, void *context)
{
	*store = (struct fathom_store){ .resize = resize ? resize : resize_pages, .context = context };
}

void fathom_store_fini(struct fathom_store *store)
{
	if (store->base)
		store->resize(store->context, store->base, store->room, 0);
	store->base = NULL;
	store->used = store->room = 0;
}

int fathom_store_reserve(struct fathom_store *store, size_t bytes)
{
	size_t least = store->used + bytes, room = (least + 15) & ~(size_t)15;
	char *base;

	if (least <= store->room)
		return 0;
	/* What is small grows by what it needs; what is large by half, so that it is not moved over and over. */
	if (room >= PAGE_BYTES && room < store->room + store->room / 2)
		room = (store->room + store->room / 2 + 15) & ~(size_t)15;
	base = store->resize(store->context, store->base, store->room, room);
	if (!base)
		return -ENOMEM;
	store->base = base;
	store->room = room;
	return 0;
}

size_t fathom_store_push(struct fathom_store *store, size_t bytes)
{
	size_t at = store->used;

	if (fathom_store_reserve(store, bytes))
		return SIZE_MAX;
	store->used += bytes;
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

/* By turning each part, then the whole: without memory for a copy. */
void fathom_store_swap(struct fathom_store *store, size_t begin, size_t middle)
{
	if (begin == middle || middle == store->used)
		return;
	turn(store->base + begin, store->base + middle - 1);
	turn(store->base + middle, store->base + store->used - 1);
	turn(store->base + begin, store->base + store->used - 1);
}

void fathom_store_cut(struct fathom_store *store, size_t begin, size_t end)
{
	if (begin == end)
		return;
	memmove(store->base + begin, store->base + end, store->used - end);
	store->used -= end - begin;
}

int fathom_store_put_number(struct fathom_store *store, uint64_t number)
{
	do {
		size_t at = fathom_store_push(store, 1);

		if (at == SIZE_MAX)
			return -ENOMEM;
		store->base[at] = (char)((number & 127) | (number > 127 ? 128 : 0));
		number >>= 7;
	} while (number);
	return 0;
}

int fathom_store_align(struct fathom_store *store)
{
	size_t bytes = -store->used & 7, at = fathom_store_push(store, bytes);

	if (at == SIZE_MAX)
		return -ENOMEM;
	memset(store->base + at, 0, bytes);
	return 0;
}

uint64_t fathom_store_read_number(const struct fathom_store *store, size_t *offset)
{
	uint64_t number = 0;
	unsigned char part;
	int shift = 0;

	do {
		part = (unsigned char)store->base[(*offset)++];
		number |= (uint64_t)(part & 127) << shift;
		shift += 7;
	} while (part & 128);
	return number;
}
