#include "tools/common/messages/message_pairs.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* What one of the two ranks of a pair has counted. */
struct half {
	struct fathom_message_pair pair;
	bool is_of_sender;
};

static int by_ranks(const void *a, const void *b)
{
	const struct half *x = a, *y = b;

	if (x->pair.from != y->pair.from)
		return x->pair.from < y->pair.from ? -1 : 1;
	if (x->pair.to != y->pair.to)
		return x->pair.to < y->pair.to ? -1 : 1;
	return x->is_of_sender ? -1 : y->is_of_sender;		/* the sender's comes first */
}

static int by_bytes(const void *a, const void *b)
{
	const struct fathom_message_pair *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? 1 : -1;
	if (x->messages != y->messages)
		return x->messages < y->messages ? 1 : -1;
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	return x->to < y->to ? -1 : x->to > y->to;
}

/* Returns one side of a record, as a pair. */
static struct half half_of(const struct fathom_message_record *record, enum fathom_message_side side)
{
	struct half half = { .is_of_sender = side == FATHOM_MESSAGES_SENT };

	half.pair.from = half.is_of_sender ? record->rank : (uint32_t)record->partner;
	half.pair.to = half.is_of_sender ? (uint32_t)record->partner : record->rank;
	half.pair.messages = record->messages[side];
	half.pair.bytes = record->bytes[side];
	if (half.is_of_sender)
		half.pair.sender_waited = record->waited[side];
	else
		half.pair.receiver_waited = record->waited[side];
	return half;
}

static void count_rest(struct fathom_message_pairs *pairs, const struct fathom_message_record *record)
{
	bool is_unknown = record->partner == FATHOM_MESSAGES_UNKNOWN;

	*(is_unknown ? &pairs->unknown_messages : &pairs->others_messages) += record->messages[FATHOM_MESSAGES_SENT];
	*(is_unknown ? &pairs->unknown_bytes : &pairs->others_bytes) += record->bytes[FATHOM_MESSAGES_SENT];
}

/* Joins the halves, sorted by_ranks, to pairs. */
static void join(struct fathom_message_pairs *pairs, const struct half *halves, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct fathom_message_pair *last = pairs->count ? &pairs->list[pairs->count - 1] : NULL;

		if (last && last->from == halves[i].pair.from && last->to == halves[i].pair.to) {
			last->sender_waited += halves[i].pair.sender_waited;
			last->receiver_waited += halves[i].pair.receiver_waited;
			if (!last->messages) {
				last->messages = halves[i].pair.messages;
				last->bytes = halves[i].pair.bytes;
			}
		} else {
			pairs->list[pairs->count++] = halves[i].pair;
		}
	}
}

void fathom_message_pairs_init(struct fathom_message_pairs *pairs, const struct fathom_message_records *file,
			       int64_t rank)
{
	struct half *halves = fathom_tool_alloc(2 * file->count + 1, sizeof(*halves));
	size_t count = 0, kept = 0;

	*pairs = (struct fathom_message_pairs){ .has_waiting = file->has_waiting };
	pairs->list = fathom_tool_alloc(2 * file->count + 1, sizeof(*pairs->list));
	for (size_t i = 0; i < file->count; i++) {
		const struct fathom_message_record *record = &file->records[i];

		if (rank >= 0 && record->rank != rank && record->partner != rank)
			continue;
		if (record->partner < 0) {
			count_rest(pairs, record);
			continue;
		}
		pairs->partial += record->missed > 0;
		for (int side = 0; side < FATHOM_MESSAGE_SIDES; side++)
			halves[count++] = half_of(record, (enum fathom_message_side)side);
	}
	qsort(halves, count, sizeof(*halves), by_ranks);
	join(pairs, halves, count);
	free(halves);
	for (size_t i = 0; i < pairs->count; i++)
		if (pairs->list[i].messages)
			pairs->list[kept++] = pairs->list[i];
	pairs->count = kept;
	qsort(pairs->list, pairs->count, sizeof(*pairs->list), by_bytes);
}

void fathom_message_pairs_fini(struct fathom_message_pairs *pairs)
{
	free(pairs->list);
	*pairs = (struct fathom_message_pairs){ 0 };
}
