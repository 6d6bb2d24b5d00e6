#include "tools/report/grid_messages.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* The places of the ranks of a run in a grid. */
struct rank_places {
	int64_t *places;	/* by rank; -1: none */
	uint32_t count;		/* of ranks */
};

static void find_places(struct rank_places *ranks, const struct fathom_cube *cube,
			const struct fathom_cube_topology *topology, const struct fathom_message_pairs *pairs)
{
	size_t i;
	uint32_t p;

	ranks->count = 0;
	for (i = 0; i < pairs->count; i++) {
		ranks->count = pairs->list[i].from >= ranks->count ? pairs->list[i].from + 1 : ranks->count;
		ranks->count = pairs->list[i].to >= ranks->count ? pairs->list[i].to + 1 : ranks->count;
	}
	ranks->places = fathom_tool_alloc((size_t)ranks->count + 1, sizeof(*ranks->places));
	for (p = 0; p < ranks->count; p++)
		ranks->places[p] = -1;
	for (p = 0; p < topology->place_count; p++) {
		int64_t rank = cube->groups[fathom_cube_location_group(cube, topology->locations[p])].rank;

		if (rank >= 0 && rank < ranks->count && ranks->places[rank] < 0)
			ranks->places[rank] = p;
	}
}

/* Returns how far the position b is above a in a dimension, by the shorter way if it is periodic. */
static int64_t distance(const struct fathom_cube_dimension *dimension, uint32_t a, uint32_t b)
{
	int64_t way = (int64_t)b - a, size = dimension->size;

	if (!dimension->is_periodic)
		return way;
	if (2 * way > size)
		way -= size;
	else if (2 * way < -size)
		way += size;
	return way;
}

/* Returns the sum to which messages between two places belong. */
static struct fathom_message_sum *sum_of(struct fathom_grid_messages *sums, const struct fathom_cube_topology *topology,
					 const uint32_t *from, const uint32_t *to)
{
	uint32_t differing = 0, dimension = 0, d;
	int64_t way, longest = 0, last = 0;

	for (d = 0; d < topology->dimension_count; d++) {
		way = distance(&topology->dimensions[d], from[d], to[d]);
		if (way == 0)
			continue;
		differing++;
		dimension = d;
		last = way;
		longest = llabs(way) > longest ? llabs(way) : longest;
	}
	if (differing == 0)
		return &sums->own;
	if (longest > 1)
		return &sums->farther;
	if (differing > 1)
		return &sums->diagonal;
	return &sums->neighbors[dimension][last > 0 ? FATHOM_GRID_UP : FATHOM_GRID_DOWN];
}

void fathom_grid_messages_sum(struct fathom_grid_messages *sums, const struct fathom_cube *cube,
			      const struct fathom_cube_topology *topology, const struct fathom_message_pairs *pairs)
{
	struct rank_places ranks;
	uint64_t near = 0;
	size_t i;

	memset(sums, 0, sizeof(*sums));
	if (topology->dimension_count > FATHOM_CUBE_MOST_DIMENSIONS)
		return;
	find_places(&ranks, cube, topology, pairs);
	for (i = 0; i < pairs->count; i++) {
		const struct fathom_message_pair *pair = &pairs->list[i];
		int64_t from = ranks.places[pair->from], to = ranks.places[pair->to];
		struct fathom_message_sum *sum = &sums->outside;

		if (from >= 0 && to >= 0)
			sum = sum_of(sums, topology, topology->at + (size_t)from * topology->dimension_count,
				     topology->at + (size_t)to * topology->dimension_count);
		sum->messages += pair->messages;
		sum->bytes += pair->bytes;
		sums->all.messages += pair->messages;
		sums->all.bytes += pair->bytes;
	}
	free(ranks.places);
	for (i = 0; i < topology->dimension_count; i++)
		near += sums->neighbors[i][FATHOM_GRID_DOWN].bytes + sums->neighbors[i][FATHOM_GRID_UP].bytes;
	if (sums->all.bytes)
		sums->neighbor_share = (double)near / (double)sums->all.bytes;
}

const char *fathom_grid_direction_name(enum fathom_grid_direction direction)
{
	return direction == FATHOM_GRID_UP ? "up" : "down";
}
