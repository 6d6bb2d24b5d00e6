#include "tools/report/json/json_messages.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/common/messages/message_pairs.h"
#include "tools/report/grid_messages.h"

enum { DOCUMENT = 1 };		/* version of the document's structure */

static void set_count(json_t *object, const char *key, uint64_t count)
{
	json_object_set_new(object, key, json_integer((json_int_t)count));
}

static void put_ranks(const struct fathom_message_records *file, int64_t rank)
{
	struct fathom_message_record *sums = fathom_tool_alloc(file->ranks, sizeof(*sums));
	bool is_first = true;

	fathom_message_records_sum(file, sums);
	fathom_json_begin_list("ranks");
	for (uint32_t r = 0; r < file->ranks; r++) {
		json_t *object;

		if (rank >= 0 && r != rank)
			continue;
		object = json_object();
		set_count(object, "rank", r);
		set_count(object, "messages_sent", sums[r].messages[FATHOM_MESSAGES_SENT]);
		set_count(object, "bytes_sent", sums[r].bytes[FATHOM_MESSAGES_SENT]);
		set_count(object, "messages_received", sums[r].messages[FATHOM_MESSAGES_RECEIVED]);
		set_count(object, "bytes_received", sums[r].bytes[FATHOM_MESSAGES_RECEIVED]);
		fathom_json_set_known(object, "waited_as_sender", file->has_waiting,
				      sums[r].waited[FATHOM_MESSAGES_SENT]);
		fathom_json_set_known(object, "waited_as_receiver", file->has_waiting,
				      sums[r].waited[FATHOM_MESSAGES_RECEIVED]);
		fathom_json_item(is_first, object);
		is_first = false;
	}
	fathom_json_end_list();
	free(sums);
}

static void put_pairs(const struct fathom_message_pairs *pairs)
{
	fathom_json_begin_list("pairs");
	for (size_t i = 0; i < pairs->count && !fathom_tool_output_lost(); i++) {
		const struct fathom_message_pair *pair = &pairs->list[i];
		json_t *object = json_object();

		set_count(object, "from", pair->from);
		set_count(object, "to", pair->to);
		set_count(object, "messages", pair->messages);
		set_count(object, "bytes", pair->bytes);
		fathom_json_set_known(object, "sender_waited", pairs->has_waiting, pair->sender_waited);
		fathom_json_set_known(object, "receiver_waited", pairs->has_waiting, pair->receiver_waited);
		fathom_json_item(i == 0, object);
	}
	fathom_json_end_list();
}

static json_t *sum_object(uint64_t messages, uint64_t bytes)
{
	json_t *object = json_object();

	set_count(object, "messages", messages);
	set_count(object, "bytes", bytes);
	return object;
}

/* Returns the messages in a grid by direction. */
static json_t *grid_object(const struct fathom_cube *cube, const struct fathom_cube_topology *topology,
			   const struct fathom_message_pairs *pairs)
{
	json_t *object = json_object(), *list = json_array();
	struct fathom_grid_messages sums;

	fathom_grid_messages_sum(&sums, cube, topology, pairs);
	fathom_json_set_text(object, "name", topology->name);
	for (uint32_t d = 0; d < topology->dimension_count && d < FATHOM_CUBE_MOST_DIMENSIONS; d++)
		for (int side = FATHOM_GRID_DIRECTIONS - 1; side >= 0; side--) {
			const struct fathom_message_sum *sum = &sums.neighbors[d][side];
			json_t *direction = sum_object(sum->messages, sum->bytes);

			fathom_json_set_number(direction, "dimension", d);
			fathom_json_set_text(direction, "direction",
					     fathom_grid_direction_name((enum fathom_grid_direction)side));
			json_array_append_new(list, direction);
		}
	json_object_set_new(object, "neighbors", list);
	json_object_set_new(object, "diagonal", sum_object(sums.diagonal.messages, sums.diagonal.bytes));
	json_object_set_new(object, "farther", sum_object(sums.farther.messages, sums.farther.bytes));
	json_object_set_new(object, "self", sum_object(sums.own.messages, sums.own.bytes));
	json_object_set_new(object, "outside", sum_object(sums.outside.messages, sums.outside.bytes));
	fathom_json_set_number(object, "neighbor_share", sums.neighbor_share);
	return object;
}

void fathom_report_json_messages(const struct fathom_message_records *file, int64_t rank,
				 const struct fathom_cube *cube)
{
	struct fathom_message_pairs pairs;

	fathom_message_pairs_init(&pairs, file, rank);
	printf("{\n\"fathom_report_messages\": %d", DOCUMENT);
	fathom_json_member("rank_count", json_integer(file->ranks));
	put_ranks(file, rank);
	put_pairs(&pairs);
	fathom_json_begin_list("grids");
	for (uint32_t t = 0; t < cube->topology_count; t++)
		fathom_json_item(t == 0, grid_object(cube, &cube->topologies[t], &pairs));
	fathom_json_end_list();
	fathom_json_member("partial_pairs", json_integer((json_int_t)pairs.partial));
	fathom_json_member("sent_to_others", sum_object(pairs.others_messages, pairs.others_bytes));
	fathom_json_member("sent_outside", sum_object(pairs.unknown_messages, pairs.unknown_bytes));
	printf("\n}\n");
	fathom_message_pairs_fini(&pairs);
}
