#include "callgraphs/graph_events.h"

#include <errno.h>
#include <stdlib.h>

#include "otf2/memory.h"

struct place {			/* in a call */
	const struct fathom_graph_node *node;
	uint32_t next;		/* item */
	uint64_t begin;		/* time of its enter */
};

struct walk {
	const struct fathom_call_graph *graph;
	uint32_t location;
	struct fathom_content_state state;
	struct fathom_content_event event;
	struct place *places;
	size_t count, room;
	fathom_otf2_take *take;
	void *taker;
};

static int give(struct walk *walk, uint32_t record, uint64_t time)
{
	const struct fathom_graph_record *its = &walk->graph->records[record];

	if (!record)
		return 0;
	if (!fathom_content_restore(&walk->state, &walk->event, walk->graph->numbers + its->first, its->count, time))
		return -EINVAL;
	walk->event.event.location = walk->location;
	return walk->take(walk->taker, &walk->event.event) ? 0 : -ECANCELED;
}

static int enter(struct walk *walk, uint32_t node, uint64_t time)
{
	walk->places = fathom_otf2_memory_grow(walk->places, walk->count, &walk->room, sizeof(*walk->places));
	walk->places[walk->count++] = (struct place){ &walk->graph->nodes[node], 0, time };
	return give(walk, walk->graph->nodes[node].enter, time);
}

int fathom_graph_events(const struct fathom_call_graph *graph, uint32_t location, fathom_otf2_take *take, void *taker)
{
	struct walk walk = { .graph = graph, .location = location, .take = take, .taker = taker };
	uint64_t time = graph->locations[location].begin;
	int err;

	fathom_content_state_init(&walk.state);
	err = enter(&walk, graph->locations[location].root, time);
	while (!err && walk.count) {
		struct place *place = &walk.places[walk.count - 1];
		const struct fathom_graph_item *item = &graph->items[place->node->first + place->next];

		if (place->next++ == place->node->count) {
			time = place->begin + place->node->duration;
			walk.count--;
			err = give(&walk, place->node->leave, time);
			continue;
		}
		time += item->gap;
		err = item->is_call ? enter(&walk, item->number, time) : give(&walk, item->number, time);
	}
	fathom_content_state_fini(&walk.state);
	fathom_content_event_free(&walk.event);
	free(walk.places);
	return err;
}
