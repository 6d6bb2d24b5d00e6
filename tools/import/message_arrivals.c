#include "tools/import/message_arrivals.h"

#include <stdlib.h>

#include "tools/common/command.h"

static bool is_before(const struct fathom_message_arrival *a, const struct fathom_message_arrival *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

void fathom_message_arrivals_add(struct fathom_message_arrivals *arrivals,
				 const struct fathom_message_arrival *arrival)
{
	struct fathom_message_arrival added = *arrival;
	size_t at = arrivals->count;

	added.order = arrivals->orders++;
	arrivals->heap = fathom_tool_grow(arrivals->heap, arrivals->count++, &arrivals->room, sizeof(*arrivals->heap));
	while (at && is_before(&added, &arrivals->heap[(at - 1) / 2])) {
		arrivals->heap[at] = arrivals->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	arrivals->heap[at] = added;
}

bool fathom_message_arrivals_take(struct fathom_message_arrivals *arrivals, uint64_t time,
				  struct fathom_message_arrival *earliest)
{
	struct fathom_message_arrival last;
	size_t at = 0, child;

	if (arrivals->count == 0 || arrivals->heap[0].time > time)
		return false;
	*earliest = arrivals->heap[0];
	last = arrivals->heap[--arrivals->count];
	while ((child = 2 * at + 1) < arrivals->count) {
		if (child + 1 < arrivals->count && is_before(&arrivals->heap[child + 1], &arrivals->heap[child]))
			child++;
		if (!is_before(&arrivals->heap[child], &last))
			break;
		arrivals->heap[at] = arrivals->heap[child];
		at = child;
	}
	if (arrivals->count)
		arrivals->heap[at] = last;
	return true;
}

void fathom_message_arrivals_fini(struct fathom_message_arrivals *arrivals)
{
	free(arrivals->heap);
}
