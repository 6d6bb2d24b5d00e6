#include "replay/event_queue.h"

#include <stdlib.h>

static bool is_before(const struct fathom_queued_event *a, const struct fathom_queued_event *b)
{
	if (a->time != b->time)
		return a->time < b->time;
	return a->kind != b->kind ? a->kind < b->kind : a->number < b->number;
}

bool fathom_event_queue_add(struct fathom_event_queue *queue, struct fathom_queued_event event)
{
	size_t place = queue->count;

	if (queue->count == queue->room) {
		size_t room = queue->room ? 2 * queue->room : 64;
		void *larger = realloc(queue->events, room * sizeof(*queue->events));

		if (!larger)
			return false;
		queue->events = larger;
		queue->room = room;
	}
	queue->count++;
	while (place > 0 && is_before(&event, &queue->events[(place - 1) / 2])) {
		queue->events[place] = queue->events[(place - 1) / 2];
		place = (place - 1) / 2;
	}
	queue->events[place] = event;
	return true;
}

struct fathom_queued_event fathom_event_queue_take(struct fathom_event_queue *queue)
{
	struct fathom_queued_event first = queue->events[0], moved = queue->events[--queue->count];
	size_t place = 0, child;

	while ((child = 2 * place + 1) < queue->count) {
		if (child + 1 < queue->count && is_before(&queue->events[child + 1], &queue->events[child]))
			child++;
		if (!is_before(&queue->events[child], &moved))
			break;
		queue->events[place] = queue->events[child];
		place = child;
	}
	if (queue->count)
		queue->events[place] = moved;
	return first;
}

void fathom_event_queue_fini(struct fathom_event_queue *queue)
{
	free(queue->events);
	*queue = (struct fathom_event_queue){ 0 };
}
