#include "callgraphs/graph_seeking.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"

enum { FIRST_DISTANCE = 1 << 12 };

void fathom_graph_seeking_open(struct fathom_graph_seeking *seeking, const struct fathom_call_graph *graph,
			       uint32_t location)
{
	fathom_graph_cursor_open(&seeking->cursor, graph, location);
	seeking->count = 0;
	seeking->distance = FIRST_DISTANCE;
}

static void free_stop(struct fathom_graph_stop *stop)
{
	free(stop->places);
	fathom_content_copy_free(&stop->state);
}

void fathom_graph_seeking_close(struct fathom_graph_seeking *seeking)
{
	for (uint32_t i = 0; i < seeking->count; i++)
		free_stop(&seeking->stops[i]);
	seeking->count = 0;
	fathom_graph_cursor_close(&seeking->cursor);
}

/* Makes room by removing every second place. */
static void thin_out(struct fathom_graph_seeking *seeking)
{
	for (uint32_t i = 1; i < seeking->count; i += 2)
		free_stop(&seeking->stops[i]);
	for (uint32_t i = 1; i < seeking->count / 2; i++)
		seeking->stops[i] = seeking->stops[2 * i];
	seeking->count /= 2;
	seeking->distance *= 2;
}

static void keep_place(struct fathom_graph_seeking *seeking)
{
	const struct fathom_graph_cursor *cursor = &seeking->cursor;
	struct fathom_graph_stop *stop;

	if (seeking->count == FATHOM_GRAPH_STOPS)
		thin_out(seeking);
	if (cursor->events != seeking->count * seeking->distance)
		return;
	stop = &seeking->stops[seeking->count++];
	stop->places = fathom_otf2_memory_alloc(cursor->count + 1, sizeof(*stop->places));
	if (cursor->count)
		memcpy(stop->places, cursor->places, cursor->count * sizeof(*stop->places));
	stop->count = cursor->count;
	stop->time = cursor->time;
	fathom_content_state_save(&cursor->state, &stop->state);
}

static void return_to(struct fathom_graph_seeking *seeking, uint32_t number)
{
	struct fathom_graph_cursor *cursor = &seeking->cursor;
	const struct fathom_graph_stop *stop = &seeking->stops[number];

	cursor->count = 0;
	for (size_t i = 0; i < stop->count; i++) {
		cursor->places = fathom_otf2_memory_grow(cursor->places, i, &cursor->room, sizeof(*cursor->places));
		cursor->places[cursor->count++] = stop->places[i];
	}
	cursor->time = stop->time;
	cursor->events = number * seeking->distance;
	fathom_content_state_set(&cursor->state, &stop->state);
}

int fathom_graph_seeking_next(struct fathom_graph_seeking *seeking)
{
	if (seeking->cursor.events == seeking->count * seeking->distance)
		keep_place(seeking);
	return fathom_graph_cursor_next(&seeking->cursor);
}

int fathom_graph_seeking_to(struct fathom_graph_seeking *seeking, uint64_t number)
{
	uint64_t nearest = number / seeking->distance;
	int result = 1;

	if (nearest >= seeking->count)
		nearest = seeking->count ? seeking->count - 1 : 0;
	if (seeking->count && (number < seeking->cursor.events || seeking->cursor.events < nearest * seeking->distance))
		return_to(seeking, (uint32_t)nearest);
	while (result > 0 && seeking->cursor.events < number)
		result = fathom_graph_seeking_next(seeking);
	return result < 0 ? result : 0;
}
