#include "tools/analyze/neighborhoods.h"

#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"
#include "tools/common/command.h"

static const char attribute_name[] = "FATHOM::NEIGHBORS";

void fathom_neighborhoods_init(struct fathom_neighborhoods *neighborhoods, struct fathom_otf2_defs *defs)
{
	*neighborhoods = (struct fathom_neighborhoods){ .defs = defs };
	neighborhoods->rank_at = fathom_tool_alloc(fathom_otf2_count(defs, FATHOM_OTF2_TOPOLOGY) + 1,
						   sizeof(*neighborhoods->rank_at));
	for (size_t i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_ATTRIBUTE); i++) {
		const struct fathom_otf2_typed *attribute = fathom_otf2_at(defs, FATHOM_OTF2_ATTRIBUTE, i);

		if (attribute->type != OTF2_TYPE_STRING ||
		    strcmp(fathom_otf2_text(defs, attribute->name), attribute_name))
			continue;
		neighborhoods->has_attribute = true;
		neighborhoods->attribute = (uint32_t)attribute->id;
	}
}

void fathom_neighborhoods_fini(struct fathom_neighborhoods *neighborhoods)
{
	for (size_t i = 0; i < fathom_otf2_count(neighborhoods->defs, FATHOM_OTF2_TOPOLOGY); i++)
		free(neighborhoods->rank_at[i]);
	free(neighborhoods->rank_at);
	free(neighborhoods->list.ranks);
}

static void add_rank(struct fathom_neighbor_list *list, uint32_t rank)
{
	uint32_t count = list->source_count + list->destination_count;

	list->ranks = fathom_otf2_memory_grow(list->ranks, count, &list->room, sizeof(*list->ranks));
	list->ranks[count] = rank;
}

/* --- from the attribute ------------------------------------------------------------------------------ */

/* Reads ranks with spaces between them, as far as there are any. Returns the end of what it read. */
static const char *read_ranks(struct fathom_neighbor_list *list, const char *text, uint32_t *count)
{
	char *end;

	while (*text >= '0' && *text <= '9') {
		unsigned long rank = strtoul(text, &end, 10);

		add_rank(list, rank < UINT32_MAX ? (uint32_t)rank : UINT32_MAX);
		++*count;
		text = *end == ' ' ? end + 1 : end;
	}
	return text;
}

bool fathom_lists_neighbors(const struct fathom_neighborhoods *neighborhoods, const struct fathom_otf2_event *event)
{
	return neighborhoods->has_attribute && event->attributes &&
	       OTF2_AttributeList_TestAttributeByID(event->attributes, neighborhoods->attribute);
}

static bool read_attribute(struct fathom_neighborhoods *neighborhoods, const struct fathom_otf2_event *event)
{
	struct fathom_neighbor_list *list = &neighborhoods->list;
	uint32_t string;
	const char *text;

	if (!fathom_lists_neighbors(neighborhoods, event) ||
	    OTF2_AttributeList_GetStringRef(event->attributes, neighborhoods->attribute, &string) != OTF2_SUCCESS)
		return false;
	text = read_ranks(list, fathom_otf2_text(neighborhoods->defs, string), &list->source_count);
	if (*text != ';')
		return false;
	return !*read_ranks(list, text + 1, &list->destination_count);
}

/* --- from a Cartesian topology ----------------------------------------------------------------------- */

/* Returns the number of the position in the grid. */
static uint64_t position_of(const struct fathom_otf2_topology *topology, const uint32_t *at)
{
	uint64_t position = 0;

	for (uint8_t d = 0; d < topology->count; d++)
		position = position * topology->sizes[d] + at[d];
	return position;
}

/* Does the topology have exactly one position for each member of its communicator? */
static bool is_whole(const struct fathom_otf2_topology *topology)
{
	uint64_t positions = 1;

	if (!topology->at || topology->placed < topology->members)
		return false;
	for (uint8_t d = 0; d < topology->count && positions && positions <= topology->members; d++)
		positions *= topology->sizes[d];
	return positions == topology->members;
}

/* Returns the index of a topology of the communicator that tells the neighbours, -1: there is none. */
static int64_t topology_of(const struct fathom_otf2_defs *defs, uint32_t comm_index)
{
	for (size_t i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_TOPOLOGY); i++) {
		const struct fathom_otf2_topology *topology = fathom_otf2_at(defs, FATHOM_OTF2_TOPOLOGY, i);

		if (topology->comm == (int64_t)comm_index && is_whole(topology))
			return (int64_t)i;
	}
	return -1;
}

static void fill_rank_at(struct fathom_neighborhoods *neighborhoods, size_t index,
			 const struct fathom_otf2_topology *topology)
{
	uint32_t *rank_at = fathom_tool_alloc((size_t)topology->members + 1, sizeof(*rank_at));

	for (uint32_t rank = 0; rank < topology->members; rank++)
		rank_at[position_of(topology, topology->at + (size_t)rank * topology->count)] = rank;
	neighborhoods->rank_at[index] = rank_at;
}

/* Adds the neighbour of rank in one direction of a dimension, if there is one. */
static void add_neighbor(struct fathom_neighborhoods *neighborhoods, const struct fathom_otf2_topology *topology,
		       const uint32_t *rank_at, uint32_t rank, uint8_t d, bool is_up)
{
	const struct fathom_otf2_dimension *dimension = topology->dimensions[d] < 0 ? NULL :
		fathom_otf2_at(neighborhoods->defs, FATHOM_OTF2_DIMENSION, (uint64_t)topology->dimensions[d]);
	uint32_t at[UINT8_MAX], size = topology->sizes[d];

	memcpy(at, topology->at + (size_t)rank * topology->count, topology->count * sizeof(*at));
	if (at[d] == (is_up ? size - 1 : 0) && !(dimension && dimension->is_periodic))
		return;
	at[d] = is_up ? (at[d] + 1) % size : (at[d] + size - 1) % size;
	add_rank(&neighborhoods->list, rank_at[position_of(topology, at)]);
	neighborhoods->list.source_count++;
}

static bool read_topology(struct fathom_neighborhoods *neighborhoods, uint32_t comm_index, uint32_t process)
{
	struct fathom_otf2_defs *defs = neighborhoods->defs;
	struct fathom_neighbor_list *list = &neighborhoods->list;
	int64_t index = topology_of(defs, comm_index);
	int64_t rank = fathom_otf2_comm_process(defs, fathom_otf2_at(defs, FATHOM_OTF2_COMM, comm_index), process);
	const struct fathom_otf2_topology *topology;

	if (index < 0 || rank < 0)
		return false;
	topology = fathom_otf2_at(defs, FATHOM_OTF2_TOPOLOGY, (uint64_t)index);
	if ((uint64_t)rank >= topology->members)
		return false;
	if (!neighborhoods->rank_at[index])
		fill_rank_at(neighborhoods, (size_t)index, topology);
	for (uint8_t d = 0; d < topology->count; d++)
		for (int side = 0; side < 2; side++)
			add_neighbor(neighborhoods, topology, neighborhoods->rank_at[index], (uint32_t)rank, d, side);
	/* Each neighbour is a source and a destination. */
	for (uint32_t i = 0; i < list->source_count; i++) {
		add_rank(list, list->ranks[i]);
		list->destination_count++;
	}
	return true;
}

const struct fathom_neighbor_list *fathom_neighbors_of(struct fathom_neighborhoods *neighborhoods,
						       const struct fathom_otf2_event *event, uint32_t comm,
						       uint32_t process)
{
	struct fathom_neighbor_list *list = &neighborhoods->list;

	list->source_count = list->destination_count = 0;
	if (read_attribute(neighborhoods, event))
		return list;
	list->source_count = list->destination_count = 0;
	return read_topology(neighborhoods, comm, process) ? list : NULL;
}
