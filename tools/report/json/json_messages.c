#include "tools/report/json/json_messages.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/common/messages/message_pairs.h"

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

static json_t *rest(uint64_t messages, uint64_t bytes)
{
	json_t *object = json_object();

	set_count(object, "messages", messages);
	set_count(object, "bytes", bytes);
	return object;
}

void fathom_report_json_messages(const struct fathom_message_records *file, int64_t rank)
{
	struct fathom_message_pairs pairs;

	fathom_message_pairs_init(&pairs, file, rank);
	printf("{\n\"fathom_report_messages\": %d", DOCUMENT);
	fathom_json_member("rank_count", json_integer(file->ranks));
	put_ranks(file, rank);
	put_pairs(&pairs);
	fathom_json_member("partial_pairs", json_integer((json_int_t)pairs.partial));
	fathom_json_member("sent_to_others", rest(pairs.others_messages, pairs.others_bytes));
	fathom_json_member("sent_outside", rest(pairs.unknown_messages, pairs.unknown_bytes));
	printf("\n}\n");
	fathom_message_pairs_fini(&pairs);
}
