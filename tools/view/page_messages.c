#include "tools/view/page_messages.h"

#include <errno.h>
#include <stdlib.h>

#include "tools/common/command.h"
#include "tools/common/messages/message_pairs.h"

enum { ROWS_MOST = 64, PAIRS_MOST = 100 };

static json_t *describe(const struct fathom_message_pair *pair)
{
	return json_pack("[I, I, I, I, f, f]", (json_int_t)pair->from, (json_int_t)pair->to,
			 (json_int_t)pair->messages, (json_int_t)pair->bytes, pair->sender_waited,
			 pair->receiver_waited);
}

/* Adds up the pairs of groups of ranks. */
static json_t *cells(const struct fathom_message_pairs *pairs, uint32_t group)
{
	struct fathom_message_pair *sums = fathom_tool_alloc(ROWS_MOST * ROWS_MOST, sizeof(*sums));
	json_t *list = json_array();

	for (size_t i = 0; i < pairs->count; i++) {
		const struct fathom_message_pair *pair = &pairs->list[i];
		struct fathom_message_pair *sum = &sums[pair->from / group * ROWS_MOST + pair->to / group];

		sum->from = pair->from / group;
		sum->to = pair->to / group;
		sum->messages += pair->messages;
		sum->bytes += pair->bytes;
		sum->sender_waited += pair->sender_waited;
		sum->receiver_waited += pair->receiver_waited;
	}
	for (size_t i = 0; i < ROWS_MOST * ROWS_MOST; i++)
		if (sums[i].messages)
			json_array_append_new(list, describe(&sums[i]));
	free(sums);
	return list;
}

json_t *fathom_page_messages(const char *path)
{
	struct fathom_message_records file;
	struct fathom_message_pairs pairs;
	json_t *object, *list;
	uint32_t group;
	int err = fathom_message_records_try(&file, path);

	if (err && err != -ENOENT)
		fathom_tool_error("%s: %s", file.text.path, file.text.problem);
	if (err) {
		fathom_message_records_fini(&file);
		return err == -ENOENT ? json_null() : NULL;
	}
	list = json_array();
	fathom_message_pairs_init(&pairs, &file, -1);
	group = (file.ranks + ROWS_MOST - 1) / ROWS_MOST;
	for (size_t i = 0; i < pairs.count && i < PAIRS_MOST; i++)
		json_array_append_new(list, describe(&pairs.list[i]));
	object = json_pack("{s:I, s:I, s:b, s:o, s:o, s:I, s:[I, I], s:[I, I], s:I}", "ranks", (json_int_t)file.ranks,
			   "group", (json_int_t)group, "waiting", (int)file.has_waiting, "cells", cells(&pairs, group),
			   "pairs", list, "pair_count", (json_int_t)pairs.count, "others",
			   (json_int_t)pairs.others_messages, (json_int_t)pairs.others_bytes, "unknown",
			   (json_int_t)pairs.unknown_messages, (json_int_t)pairs.unknown_bytes, "partial",
			   (json_int_t)pairs.partial);
	fathom_message_pairs_fini(&pairs);
	fathom_message_records_fini(&file);
	return object;
}
