#include "callgraphs/graph_cursor.h"

#include <errno.h>
#include <stdlib.h>

#include "otf2/memory.h"

/* Steps into a call or list. Returns the record of its enter; 0: it has none. */
static uint32_t enter(struct fathom_graph_cursor *cursor, uint32_t number)
{
	const struct fathom_graph_node *node = &cursor->graph->nodes[number];

	cursor->places = fathom_otf2_memory_grow(cursor->places, cursor->count, &cursor->room, sizeof(*cursor->places));
	cursor->places[cursor->count++] = (struct fathom_graph_place){ node, 0, 0, cursor->time };
	return node->enter;
}

/* Goes on by one item of the innermost call, or to its end. Returns the record that is there; 0: there is none. */
static uint32_t step(struct fathom_graph_cursor *cursor)
{
	struct fathom_graph_place *place = &cursor->places[cursor->count - 1];
	const struct fathom_graph_item *item;

	if (place->next == place->node->count) {
		cursor->time = place->begin + place->node->duration;
		cursor->count--;
		return place->node->leave;
	}
	item = &cursor->graph->items[place->node->first + place->next];
	if (++place->done == item->count) {
		place->next++;
		place->done = 0;
	}
	cursor->time += item->gap;
	return item->is_call ? enter(cursor, item->number) : item->number;
}

void fathom_graph_cursor_open(struct fathom_graph_cursor *cursor, const struct fathom_call_graph *graph,
			      uint32_t location)
{
	*cursor = (struct fathom_graph_cursor){ .graph = graph, .location = location,
						.time = graph->locations[location].begin };
	fathom_content_state_init(&cursor->state);
	enter(cursor, graph->locations[location].root);
}

void fathom_graph_cursor_close(struct fathom_graph_cursor *cursor)
{
	fathom_content_state_fini(&cursor->state);
	fathom_content_event_free(&cursor->event);
	free(cursor->places);
	cursor->places = NULL;
}

int fathom_graph_cursor_next(struct fathom_graph_cursor *cursor)
{
	const struct fathom_graph_record *content;
	uint32_t record = 0;

	while (!record && cursor->count)
		record = step(cursor);
	if (!record)
		return 0;
	content = &cursor->graph->records[record];
	if (cursor->events++ == cursor->graph->locations[cursor->location].events ||
	    !fathom_content_restore(&cursor->state, &cursor->event, cursor->graph->numbers + content->first,
				    content->count, cursor->time))
		return -EINVAL;
	cursor->event.event.location = cursor->location;
	return 1;
}
