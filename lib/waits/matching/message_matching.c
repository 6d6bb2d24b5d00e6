#include "waits/matching/message_matching.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "waits/wait_formulas.h"

/* What the receiver's host gets to know of a send. */
struct sent {
	uint64_t key;			/* of the channel */
	double enter;
	double access_end;		/* of MPI_Win_complete: of the last access to the receiver */
	struct fathom_waits_op_name name;
	uint32_t to;			/* rank */
	uint32_t kind;			/* enum fathom_waits_channel_kind */
};

/* What the sender's host gets to know of the receive. */
struct request {
	double enter;
	struct fathom_waits_op_name send, receive;
};

struct receive {
	uint32_t location, record, posted;
	uint32_t flags;			/* of the part */
	uint64_t begun;			/* in ticks */
	uint32_t kind;
};

/* A send or receive without a partner so far. */
struct pending {
	uint32_t next;			/* index + 1 */
	uint64_t place;
	union {
		struct sent sent;
		struct receive receive;
	};
};

struct fathom_waits_messages {
	struct fathom_waits_state *state;
	struct fathom_waits_channels *channels;
	struct fathom_waits_epochs *epochs;
	struct pending *pool;
	uint32_t pool_count, pool_room;
	uint32_t first_free;		/* index + 1 */
	uint64_t pending_sends, pending_receives;
};

struct fathom_waits_messages *fathom_waits_messages_create(struct fathom_waits_state *state,
							   struct fathom_waits_channels *channels,
							   struct fathom_waits_epochs *epochs)
{
	struct fathom_waits_messages *messages = calloc(1, sizeof(*messages));

	if (!messages)
		return NULL;
	messages->state = state;
	messages->channels = channels;
	messages->epochs = epochs;
	return messages;
}

void fathom_waits_messages_destroy(struct fathom_waits_messages *messages)
{
	messages->state->summary.unmatched_sends += messages->pending_sends;
	messages->state->summary.unmatched_receives += messages->pending_receives;
	free(messages->pool);
	free(messages);
}

/* --- messages without a partner ------------------------------------------------------------------------ */

/* Returns an index + 1, or 0: no memory. */
static uint32_t take_pending(struct fathom_waits_messages *messages)
{
	uint32_t index = messages->first_free;

	if (index) {
		messages->first_free = messages->pool[index - 1].next;
		return index;
	}
	if (messages->pool_count == messages->pool_room) {
		uint32_t room = messages->pool_room ? 2 * messages->pool_room : 256;
		struct pending *larger = realloc(messages->pool, room * sizeof(*larger));

		if (!larger)
			return 0;
		messages->pool = larger;
		messages->pool_room = room;
	}
	return ++messages->pool_count;
}

/* Appends to the list of a channel. */
static int keep(struct fathom_waits_messages *messages, uint32_t *first, uint32_t *last, const struct pending *kept)
{
	uint32_t index = take_pending(messages);

	if (!index)
		return -ENOMEM;
	messages->pool[index - 1] = *kept;
	messages->pool[index - 1].next = 0;
	if (*first)
		messages->pool[*last - 1].next = index;
	else
		*first = index;
	*last = index;
	return 0;
}

/* Takes the entry with this place out of a list. False: there is none. */
static bool take(struct fathom_waits_messages *messages, uint32_t *first, uint32_t *last, uint64_t place,
		 struct pending *taken)
{
	uint32_t before = 0, index = *first;

	while (index && messages->pool[index - 1].place != place) {
		before = index;
		index = messages->pool[index - 1].next;
	}
	if (!index)
		return false;
	*taken = messages->pool[index - 1];
	if (before)
		messages->pool[before - 1].next = taken->next;
	else
		*first = taken->next;
	if (*last == index)
		*last = before;
	messages->pool[index - 1].next = messages->first_free;
	messages->first_free = index;
	return true;
}

/* --- a message with both ends -------------------------------------------------------------------------- */

/* The operation waited for a send, unless another send made it wait longer. */
static void wait_for_send(struct fathom_waits_op_state *op, double wait, const struct sent *sent,
			  enum fathom_waits_pattern pattern)
{
	if (wait < op->wait || wait <= 0)
		return;
	if (wait == op->wait && (op->flags & FATHOM_WAITS_HAS_CAUSE) &&
	    fathom_waits_name_compare(&op->cause, &sent->name) <= 0)
		return;
	op->wait = wait;
	op->late_begin = sent->enter;
	op->cause = sent->name;
	op->pattern = (uint8_t)pattern;
	op->flags |= FATHOM_WAITS_HAS_CAUSE;
}

/* Counts a pair of processes that the end of an access or exposure epoch synchronised. */
static void count_pair(struct fathom_waits_state *state, const struct fathom_waits_location_state *location,
		       uint32_t record, double access_end)
{
	fathom_waits_add_at(state, location, record, isfinite(access_end) ? FATHOM_WAITS_PAIR_SYNC :
			    FATHOM_WAITS_PAIR_SYNC_UNNEEDED, 1);
}

static int match(struct fathom_waits_messages *messages, const struct sent *sent, const struct receive *receive)
{
	struct fathom_waits_state *state = messages->state;
	struct fathom_waits_location_state *location = &state->locations[receive->location];
	struct fathom_waits_op_state *op = &location->ops[receive->record], *access;
	double enter = fathom_waits_enter(state, location, receive->record);
	double leave = fathom_waits_leave(state, location, receive->record);
	struct request request;

	if (receive->kind == FATHOM_WAITS_CHANNEL_POST)
		return fathom_waits_epochs_exposed(messages->epochs, location, receive->record, &sent->name,
						   sent->enter);
	if (receive->kind == FATHOM_WAITS_CHANNEL_COMPLETE) {
		if (!(receive->flags & FATHOM_WAITS_TEST))
			wait_for_send(op, fathom_waits_early_wait(enter, leave, sent->enter), sent,
				      FATHOM_WAITS_RMA_EARLY_WAIT);
		access = fathom_waits_request_of(location, receive->record);
		if (!(access->flags & FATHOM_WAITS_HAS_REQUEST) || sent->access_end > access->request)
			access->request = sent->access_end;
		access->flags |= FATHOM_WAITS_HAS_REQUEST;
		count_pair(state, location, receive->record, sent->access_end);
		return 0;
	}
	state->summary.messages++;
	if (leave < sent->enter)
		state->summary.clock_violations++;
	if (receive->kind == FATHOM_WAITS_CHANNEL_NEIGHBORS) {
		if (!(receive->flags & FATHOM_WAITS_TEST))
			wait_for_send(op, fathom_waits_until(enter, leave, sent->enter), sent, FATHOM_WAITS_NXN_WAIT);
		return 0;
	}
	if (!(op->flags & FATHOM_WAITS_HAS_MESSAGE) || sent->enter < op->early_begin ||
	    (sent->enter == op->early_begin && sent->name.rank < op->early_rank)) {
		op->early_begin = sent->enter;
		op->early_rank = sent->name.rank;
		op->flags |= FATHOM_WAITS_HAS_MESSAGE;
	}
	if (!(receive->flags & FATHOM_WAITS_TEST))
		wait_for_send(op, fathom_waits_late_sender(enter, leave, sent->enter), sent, FATHOM_WAITS_LATE_SENDER);

	request.enter = fathom_waits_seconds(state, location, receive->begun);
	if (request.enter <= sent->enter)
		return 0;
	request.send = sent->name;
	request.receive = fathom_waits_name_of(state, location, receive->posted);
	return fathom_waits_send_to(state, sent->name.rank, FATHOM_WAITS_MAIL_REQUEST, &request, sizeof(request), NULL,
				    0);
}

int fathom_waits_messages_take_request(struct fathom_waits_messages *messages, const void *data, size_t bytes)
{
	struct request request;
	struct fathom_waits_location_state *location;
	struct fathom_waits_op_state *op;

	if (bytes != sizeof(request))
		return -EPROTO;
	memcpy(&request, data, sizeof(request));
	location = fathom_waits_location_at(messages->state, &request.send);
	if (!location)
		return -EPROTO;
	op = fathom_waits_request_of(location, request.send.record);
	if ((op->flags & FATHOM_WAITS_HAS_REQUEST) &&
	    (request.enter < op->request || (request.enter == op->request &&
					     fathom_waits_name_compare(&request.receive, &op->requester) >= 0)))
		return 0;
	op->request = request.enter;
	op->requester = request.receive;
	op->flags |= FATHOM_WAITS_HAS_REQUEST;
	return 0;
}

int fathom_waits_messages_take_send(struct fathom_waits_messages *messages, const void *data, size_t bytes)
{
	struct fathom_waits_channel *channel;
	struct pending pending, taken;
	uint64_t place;

	if (bytes != sizeof(pending.sent))
		return -EPROTO;
	memcpy(&pending.sent, data, sizeof(pending.sent));
	channel = fathom_waits_channel_at(messages->channels, pending.sent.key);
	if (!channel)
		return -ENOMEM;
	place = channel->sent++;
	if (take(messages, &channel->first_receive, &channel->last_receive, place, &taken)) {
		messages->pending_receives--;
		return match(messages, &pending.sent, &taken.receive);
	}
	pending.place = place;
	messages->pending_sends++;
	return keep(messages, &channel->first_send, &channel->last_send, &pending);
}

/* --- parts of operations ------------------------------------------------------------------------------- */

static int visit_send(struct fathom_waits_messages *messages, struct fathom_waits_location_state *location,
		      uint32_t record, const struct fathom_waits_part *part, enum fathom_waits_channel_kind kind)
{
	struct fathom_waits_state *state = messages->state;
	const struct fathom_waits_process *process = state->processes[location->process].process;
	const struct fathom_waits_communicator *comm = fathom_waits_communicator_of(process, part);
	int32_t tag = kind == FATHOM_WAITS_CHANNEL_MESSAGES ? part->tag : 0;
	uint64_t *cancelled;
	struct sent sent;

	if (!comm || part->peer == FATHOM_WAITS_NO_PEER)
		return 0;
	cancelled = kind != FATHOM_WAITS_CHANNEL_MESSAGES || !messages->channels->cancelled.count ? NULL :
		    fathom_waits_key_find(&messages->channels->cancelled,
					  fathom_waits_key((uint64_t)(location - state->locations) + 1, record));
	if (cancelled && *cancelled) {
		--*cancelled;
		return 0;
	}
	sent.key = fathom_waits_channel_key(kind, comm->identity, process->rank, part->peer, tag);
	sent.enter = kind != FATHOM_WAITS_CHANNEL_NEIGHBORS ? fathom_waits_enter(state, location, record) :
		     fathom_waits_seconds(state, location, fathom_waits_begun(location->location, part, record));
	sent.access_end = kind != FATHOM_WAITS_CHANNEL_COMPLETE ? 0 :
			  fathom_waits_epochs_last_access(messages->epochs, location, part);
	if (kind == FATHOM_WAITS_CHANNEL_COMPLETE)
		count_pair(state, location, record, sent.access_end);
	sent.name = fathom_waits_name_of(state, location, fathom_waits_posted(location->location, part, record));
	sent.to = part->peer;
	sent.kind = kind;
	return fathom_waits_send_to(state, part->peer, FATHOM_WAITS_MAIL_SEND, &sent, sizeof(sent), NULL, 0);
}

static int visit_receive(struct fathom_waits_messages *messages, struct fathom_waits_location_state *location,
			 uint32_t record, const struct fathom_waits_part *part, enum fathom_waits_channel_kind kind)
{
	struct fathom_waits_state *state = messages->state;
	uint64_t key = fathom_waits_receive_key(state->processes[location->process].process, part);
	uint32_t posted = fathom_waits_posted(location->location, part, record);
	struct pending pending = { 0 }, taken;
	struct fathom_waits_channel *channel;

	if (!key)
		return 0;
	channel = fathom_waits_channel_at(messages->channels, key);
	if (!channel)
		return -ENOMEM;
	pending.receive = (struct receive){
		.location = (uint32_t)(location - state->locations),
		.record = record,
		.posted = posted,
		.flags = part->flags,
		.begun = fathom_waits_begun(location->location, part, record),
		.kind = kind,
	};
	pending.place = fathom_waits_channel_place(channel, pending.receive.begun);
	if (take(messages, &channel->first_send, &channel->last_send, pending.place, &taken)) {
		messages->pending_sends--;
		return match(messages, &taken.sent, &pending.receive);
	}
	messages->pending_receives++;
	return keep(messages, &channel->first_receive, &channel->last_receive, &pending);
}

int fathom_waits_messages_visit(struct fathom_waits_messages *messages, struct fathom_waits_location_state *location,
				uint32_t record, const struct fathom_waits_part *part)
{
	switch (part->kind) {
	case FATHOM_WAITS_SEND:
		return visit_send(messages, location, record, part, FATHOM_WAITS_CHANNEL_MESSAGES);
	case FATHOM_WAITS_RECEIVE:
		return visit_receive(messages, location, record, part, FATHOM_WAITS_CHANNEL_MESSAGES);
	case FATHOM_WAITS_NEIGHBOR_OUT:
		return visit_send(messages, location, record, part, FATHOM_WAITS_CHANNEL_NEIGHBORS);
	case FATHOM_WAITS_NEIGHBOR_IN:
		return visit_receive(messages, location, record, part, FATHOM_WAITS_CHANNEL_NEIGHBORS);
	case FATHOM_WAITS_RMA:
		break;
	default:
		return 0;
	}
	switch (part->tag) {
	case FATHOM_WAITS_RMA_POST:
		return visit_send(messages, location, record, part, FATHOM_WAITS_CHANNEL_POST);
	case FATHOM_WAITS_RMA_START:
		return visit_receive(messages, location, record, part, FATHOM_WAITS_CHANNEL_POST);
	case FATHOM_WAITS_RMA_COMPLETE:
		return visit_send(messages, location, record, part, FATHOM_WAITS_CHANNEL_COMPLETE);
	case FATHOM_WAITS_RMA_WAIT:
		return visit_receive(messages, location, record, part, FATHOM_WAITS_CHANNEL_COMPLETE);
	default:
		return 0;
	}
}
