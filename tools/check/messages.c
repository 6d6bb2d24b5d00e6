#include "tools/check/messages.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/check/check.h"
#include "tools/check/collectives.h"
#include "tools/check/fault_reports.h"
#include "tools/check/requests.h"
#include "tools/common/command.h"

enum { QUEUE_MOST = 1 << 16 };	/* messages of a process behind an open request */

struct message {
	struct message *next;	/* the next one in its queue, then in its channel, then in the list of unused ones */
	uint64_t time, bytes;
	uint64_t comm;		/* id */
	uint32_t source, target;	/* processes */
	uint32_t tag, location;
	bool pending, cancelled, passed;	/* passed: no longer in its queue */
	struct fathom_check_request *request;	/* the open request of a nonblocking send or receive */
};

struct queue {
	struct message *head, *tail;
	uint32_t count;
};

struct channel {
	struct fathom_table_entry entry;	/* communicator, source << 32 | target, tag */
	struct queue sent, received;		/* messages without a partner; one queue is empty */
};

struct fathom_check_messages {
	struct queue *sends, *receives;		/* by process */
	size_t process_count;
	struct fathom_table channels;
	struct message *free;
};

void fathom_check_messages_init(struct fathom_check *check)
{
	struct fathom_check_messages *part = fathom_tool_alloc(1, sizeof(*part));

	part->process_count = fathom_otf2_count(&check->trace.defs, FATHOM_OTF2_PROCESS);
	part->sends = fathom_tool_alloc(part->process_count, sizeof(*part->sends));
	part->receives = fathom_tool_alloc(part->process_count, sizeof(*part->receives));
	fathom_table_init(&part->channels, sizeof(struct channel));
	fathom_table_init(&check->requests, sizeof(struct fathom_check_request));
	check->messages_part = part;
}

/* --- channels ------------------------------------------------------------------------------------------ */

static struct message *take_message(struct fathom_check_messages *part)
{
	struct message *message = part->free;

	if (!message)
		return fathom_tool_alloc(1, sizeof(*message));
	part->free = message->next;
	*message = (struct message){ 0 };
	return message;
}

static void give_message(struct fathom_check_messages *part, struct message *message)
{
	message->next = part->free;
	part->free = message;
}

static void append(struct queue *queue, struct message *message)
{
	message->next = NULL;
	*(queue->head ? &queue->tail->next : &queue->head) = message;
	queue->tail = message;
	queue->count++;
}

static struct message *pop(struct queue *queue)
{
	struct message *message = queue->head;

	queue->head = message->next;
	queue->count--;
	return message;
}

static void compare_times(struct fathom_check *check, const struct message *sent, const struct message *received)
{
	const struct fathom_otf2_process *source, *target;
	struct fathom_check_violations *violations;
	double ticks;

	if (received->time >= sent->time)
		return;
	source = fathom_otf2_at(&check->trace.defs, FATHOM_OTF2_PROCESS, sent->source);
	target = fathom_otf2_at(&check->trace.defs, FATHOM_OTF2_PROCESS, sent->target);
	violations = source->host == target->host ? &check->within_host : &check->between_hosts;
	ticks = (double)(sent->time - received->time);
	violations->count++;
	if (ticks > violations->worst_ticks)
		violations->worst_ticks = ticks;
	if (check->options.clock_ns < 0 ||
	    fathom_otf2_seconds(&check->trace.defs, ticks) * 1e9 <= check->options.clock_ns)
		return;
	fathom_check_fault_at(check, FATHOM_FAULT_EARLY, received->location, received->time,
			      "%.0f ns before it was sent (tag %u, %" PRIu64 " bytes)",
			      fathom_otf2_seconds(&check->trace.defs, ticks) * 1e9, received->tag, received->bytes);
}

static void compare(struct fathom_check *check, const struct message *sent, const struct message *received)
{
	char name[300];

	check->messages++;
	if (sent->passed || received->passed)
		return;
	if (received->bytes > sent->bytes)
		fathom_check_fault_at(check, FATHOM_FAULT_LENGTH, received->location, received->time,
				      "%" PRIu64 " bytes with tag %u on %s, but the message sent had %" PRIu64,
				      received->bytes,
				      received->tag, fathom_otf2_name(&check->trace.defs, FATHOM_OTF2_COMM,
								      received->comm,
								      name, sizeof(name)), sent->bytes);
	compare_times(check, sent, received);
}

/* Compares a send or receive with its partner in the channel; appends it to the channel if the partner is missing. */
static void deliver(struct fathom_check *check, struct message *message, bool is_sent)
{
	struct fathom_check_messages *part = check->messages_part;
	uint64_t ends = (uint64_t)message->source << 32 | message->target;
	struct channel *channel = fathom_table_find(&part->channels, message->comm, ends, message->tag);
	struct message *other;

	if (!channel)
		channel = fathom_table_add(&part->channels, message->comm, ends, message->tag);
	if (!(is_sent ? channel->received.head : channel->sent.head)) {
		append(is_sent ? &channel->sent : &channel->received, message);
		return;
	}
	other = pop(is_sent ? &channel->received : &channel->sent);
	compare(check, is_sent ? message : other, is_sent ? other : message);
	give_message(part, message);
	give_message(part, other);
	if (!channel->sent.head && !channel->received.head)
		fathom_table_remove(&part->channels, channel);
}

/* --- queues of a process ------------------------------------------------------------------------------- */

/*
 * Handles an incomplete message that was removed from the head of its queue. A send is delivered now: only a later
 * cancellation is unknown. A receive is delivered when it completes.
 */
static void pass_over(struct fathom_check *check, struct message *message, bool is_send)
{
	message->passed = true;
	if (!is_send)
		return;
	if (message->request)
		message->request->post = NULL;
	message->request = NULL;
	message->pending = false;
	deliver(check, message, true);
}

static void advance(struct fathom_check *check, struct queue *queue, bool is_send)
{
	while (queue->head && (!queue->head->pending || queue->count > QUEUE_MOST)) {
		struct message *message = pop(queue);

		if (message->pending)
			pass_over(check, message, is_send);
		else if (message->cancelled)
			give_message(check->messages_part, message);
		else
			deliver(check, message, is_send);
	}
}

/* Finds source and target from the recording process and the rank in the event. False after a fault was reported. */
static bool address(struct fathom_check *check, const struct fathom_otf2_event *event, struct message *message,
		    bool is_send)
{
	const struct fathom_otf2_comm *comm = fathom_check_definition(check, event);
	uint32_t process = fathom_check_process(check, event->location);
	struct fathom_otf2_defs *defs = &check->trace.defs;
	char name[300];
	int64_t peer;

	fathom_otf2_name(defs, FATHOM_OTF2_COMM, event->ref, name, sizeof(name));
	if (comm->paradigm != OTF2_PARADIGM_MPI) {
		fathom_check_fault(check, FATHOM_FAULT_UNDEFINED, event, "%s is no communicator of MPI", name);
		return false;
	}
	if (fathom_otf2_comm_process(defs, comm, process) < 0) {
		fathom_check_fault(check, FATHOM_FAULT_RANK, event, "the process is no member of %s", name);
		return false;
	}
	peer = fathom_otf2_comm_peer(defs, comm, process, event->peer);
	if (peer < 0) {
		fathom_check_fault(check, FATHOM_FAULT_RANK, event, "there is no rank %u in %s", event->peer, name);
		return false;
	}
	message->comm = event->ref;
	message->source = is_send ? process : (uint32_t)peer;
	message->target = is_send ? (uint32_t)peer : process;
	message->tag = event->tag;
	message->bytes = event->bytes;
	message->time = event->time;
	message->location = event->location;
	return true;
}

static void take_send(struct fathom_check *check, const struct fathom_otf2_event *event, uint32_t process)
{
	struct fathom_check_messages *part = check->messages_part;
	struct message *message = take_message(part);

	if (!address(check, event, message, true)) {
		give_message(part, message);
		message = NULL;
	} else {
		fathom_check_comm_used(check, event, fathom_check_definition(check, event));
		append(&part->sends[process], message);
	}
	if (event->kind == FATHOM_RECORD_MPI_ISEND) {
		struct fathom_check_request *request = fathom_check_request_begin(check, event, FATHOM_CHECK_SEND,
										  message);

		if (message && request) {
			message->request = request;
			message->pending = true;
		}
	}
	advance(check, &part->sends[process], true);
}

static void take_send_complete(struct fathom_check *check, const struct fathom_otf2_event *event, uint32_t process)
{
	struct message *message;
	void *post;

	if (!fathom_check_request_end(check, event, FATHOM_CHECK_SEND, &post) || !post)
		return;
	message = post;
	message->pending = false;
	message->request = NULL;
	advance(check, &check->messages_part->sends[process], true);
}

static void take_receive_request(struct fathom_check *check, const struct fathom_otf2_event *event, uint32_t process)
{
	struct fathom_check_messages *part = check->messages_part;
	struct message *message = take_message(part);

	message->location = event->location;
	message->time = event->time;
	message->request = fathom_check_request_begin(check, event, FATHOM_CHECK_RECEIVE, message);
	if (!message->request) {
		give_message(part, message);
		return;
	}
	message->pending = true;
	append(&part->receives[process], message);
	advance(check, &part->receives[process], false);
}

static void take_receive(struct fathom_check *check, const struct fathom_otf2_event *event, uint32_t process)
{
	struct fathom_check_messages *part = check->messages_part;
	struct message *message;
	void *post = NULL;

	if (event->kind == FATHOM_RECORD_MPI_IRECV && !fathom_check_request_end(check, event, FATHOM_CHECK_RECEIVE,
										&post))
		return;
	message = post ? post : take_message(part);
	message->pending = false;
	message->request = NULL;
	message->cancelled = !address(check, event, message, false);
	if (!post) {
		if (!message->cancelled)
			fathom_check_comm_used(check, event, fathom_check_definition(check, event));
		append(&part->receives[process], message);
	} else if (message->passed) {
		if (message->cancelled)
			give_message(part, message);
		else
			deliver(check, message, false);
	}
	advance(check, &part->receives[process], false);
}

static void take_cancelled(struct fathom_check *check, const struct fathom_otf2_event *event, uint32_t process)
{
	struct fathom_check_messages *part = check->messages_part;
	struct fathom_check_request *request = fathom_table_find(&check->requests, process, event->id, 0);
	struct message *message;

	if (!request) {
		fathom_check_fault(check, FATHOM_FAULT_REQUEST, event, "request %" PRIu64 " is cancelled, but not open",
				   event->id);
		return;
	}
	message = request->post;
	if (message && request->kind == FATHOM_CHECK_COLLECTIVE) {
		fathom_check_collective_cancelled(request->post);
	} else if (message) {
		message->pending = false;
		message->cancelled = true;
		message->request = NULL;
		if (message->passed)
			give_message(part, message);
		advance(check, &part->sends[process], true);
		advance(check, &part->receives[process], false);
	}
	fathom_table_remove(&check->requests, request);
}

void fathom_check_messages_event(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	uint32_t process = fathom_check_process(check, event->location);

	if (process == UINT32_MAX)
		return;
	switch (event->kind) {
	case FATHOM_RECORD_MPI_SEND:
	case FATHOM_RECORD_MPI_ISEND: take_send(check, event, process); break;
	case FATHOM_RECORD_MPI_ISEND_COMPLETE: take_send_complete(check, event, process); break;
	case FATHOM_RECORD_MPI_IRECV_REQUEST: take_receive_request(check, event, process); break;
	case FATHOM_RECORD_MPI_RECV:
	case FATHOM_RECORD_MPI_IRECV: take_receive(check, event, process); break;
	case FATHOM_RECORD_MPI_REQUEST_CANCELLED: take_cancelled(check, event, process); break;
	case FATHOM_RECORD_MPI_REQUEST_TEST:
		if (!fathom_table_find(&check->requests, process, event->id, 0))
			fathom_check_fault(check, FATHOM_FAULT_REQUEST, event,
					   "request %" PRIu64 " is tested, but not open",
					   event->id);
		break;
	default: break;
	}
}

/* --- the end --------------------------------------------------------------------------------------------- */

static void drain(struct fathom_check *check, struct queue *queue, bool is_send)
{
	while (queue->head) {
		struct message *message = pop(queue);

		if (message->cancelled || (message->pending && !is_send))
			give_message(check->messages_part, message);
		else
			deliver(check, message, is_send);
	}
}

static void say_left(struct fathom_check *check, struct queue *queue, enum fathom_fault kind)
{
	const struct fathom_otf2_defs *defs = &check->trace.defs;
	const struct message *first = queue->head;
	const struct fathom_otf2_process *other;
	bool is_sent = kind == FATHOM_FAULT_UNRECEIVED;
	char name[300], partner[300], more[64] = "";

	if (!first)
		return;
	other = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, is_sent ? first->target : first->source);
	if (queue->count > 1)
		snprintf(more, sizeof(more), "; %u more like it", queue->count - 1);
	fathom_check_fault_at(check, kind, first->location, first->time, "%s %s, tag %u on %s, %" PRIu64 " bytes%s",
			      is_sent ? "to" : "from",
			      fathom_otf2_name(defs, FATHOM_OTF2_PROCESS, other->id, partner, sizeof(partner)),
			      first->tag,
			      fathom_otf2_name(defs, FATHOM_OTF2_COMM, first->comm, name, sizeof(name)), first->bytes,
			      more);
	while (queue->head)
		give_message(check->messages_part, pop(queue));
}

static void free_all(struct fathom_check_messages *part)
{
	while (part->free) {
		struct message *message = part->free;

		part->free = message->next;
		free(message);
	}
	fathom_table_fini(&part->channels);
	free(part->sends);
	free(part->receives);
	free(part);
}

void fathom_check_messages_finish(struct fathom_check *check)
{
	static const char *const names[] = { "send", "receive", "collective" };
	struct fathom_check_messages *part = check->messages_part;
	struct fathom_check_request *request = NULL;
	struct channel *channel = NULL;
	size_t process;

	while ((request = fathom_table_next(&check->requests, request)) != NULL) {
		struct message *message = request->kind == FATHOM_CHECK_RECEIVE ? request->post : NULL;

		fathom_check_fault_at(check, FATHOM_FAULT_REQUEST, request->location, request->time,
				      "%s with request %" PRIu64 " never completes", names[request->kind],
				      request->entry.key[1]);
		if (message && message->passed)
			give_message(part, message);
	}
	for (process = 0; process < part->process_count; process++) {
		drain(check, &part->sends[process], true);
		drain(check, &part->receives[process], false);
	}
	while ((channel = fathom_table_next(&part->channels, channel)) != NULL) {
		say_left(check, &channel->sent, FATHOM_FAULT_UNRECEIVED);
		say_left(check, &channel->received, FATHOM_FAULT_UNSENT);
	}
	free_all(part);
	fathom_table_fini(&check->requests);
	check->messages_part = NULL;
}
