#include "platform/number_table.h"

#include <errno.h>

enum { FIRST_SIZE = 256 };

int fathom_number_table_reserve(struct fathom_number_table *table, struct fathom_arena *arena, uint32_t count)
{
	uint64_t size = table->size ? table->size : FIRST_SIZE;
	uint32_t *slots;

	while (size < ((uint64_t)count + 1) * 2)
		size *= 2;
	if (size == table->size)
		return 0;
	if (size > UINT32_MAX)
		return -ENOMEM;
	slots = fathom_arena_alloc(arena, size * sizeof(*slots));	/* zeroed */
	if (!slots)
		return -ENOMEM;
	table->slots = slots;
	table->size = (uint32_t)size;
	return 1;
}
