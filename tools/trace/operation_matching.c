#include "tools/trace/operation_matching.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

struct request;

struct message {		/* a send or receive without partner yet */
	struct message *next;
	struct fathom_operation_part part;
	struct request *request;	/* that is still open; NULL: none */
	bool is_cancelled;
};

struct queue {
	struct message *head, *tail;
};

struct channel {
	struct fathom_table_entry entry;	/* communicator, sender << 32 | receiver, tag */
	struct queue sent, received;
};

struct arrival {		/* a receive of a process, in the order in which they are posted */
	struct arrival *next;
	struct fathom_operation_part part;
	uint64_t channel[3];
	bool is_pending, is_dropped;
	bool is_passed;		/* no longer in the queue: it is delivered when it completes */
};

struct arrivals {
	struct arrival *head, *tail;
	uint32_t count;
};

struct post {			/* the part of a process in a collective operation, in the order of begins */
	struct post *next;
	struct fathom_operation_part part;
	uint64_t group;		/* key of the communicator or window */
	bool is_pending, is_dropped;
};

struct posts {
	struct post *head, *tail;
};

struct request {
	struct fathom_table_entry entry;	/* process, id */
	struct fathom_operation_part part;
	struct message *send;	/* in its channel still */
	/* The receive that a send was paired with. The pair is reported when the request is complete: after a
	 * cancellation the receive belongs to another send. */
	struct fathom_operation_part receive;
	uint64_t channel[3];	/* key of the channel of both */
	bool is_paired;
	struct post *post;
	struct arrival *arrival;	/* of a receive */
};

struct turn {			/* how many operations a process has begun on a communicator or window */
	struct fathom_table_entry entry;	/* key, process */
	uint64_t next;
};

struct meeting {
	struct fathom_table_entry entry;	/* key, number */
	struct fathom_operation_part *parts;
	uint32_t count, size;
};

struct fathom_operation_matching {
	struct fathom_otf2_selection *selection;
	struct fathom_operation_user user;
	struct fathom_table channels, requests, turns, meetings;
	struct posts *posts;		/* by process */
	struct arrivals *arrivals;	/* by process */
	struct post **open, **open_on_window;	/* by location: the collective operation that it is in */
	struct message *free;
	size_t process_count;
};

struct fathom_operation_matching *fathom_operation_matching_create(struct fathom_otf2_selection *selection,
								   const struct fathom_operation_user *user)
{
	struct fathom_operation_matching *matching = fathom_tool_alloc(1, sizeof(*matching));
	size_t locations = fathom_otf2_count(selection->defs, FATHOM_OTF2_LOCATION);

	matching->selection = selection;
	matching->user = *user;
	matching->process_count = fathom_otf2_count(selection->defs, FATHOM_OTF2_PROCESS);
	matching->posts = fathom_tool_alloc(matching->process_count, sizeof(struct posts));
	matching->arrivals = fathom_tool_alloc(matching->process_count, sizeof(struct arrivals));
	matching->open = fathom_tool_alloc(locations, sizeof(struct post *));
	matching->open_on_window = fathom_tool_alloc(locations, sizeof(struct post *));
	fathom_table_init(&matching->channels, sizeof(struct channel));
	fathom_table_init(&matching->requests, sizeof(struct request));
	fathom_table_init(&matching->turns, sizeof(struct turn));
	fathom_table_init(&matching->meetings, sizeof(struct meeting));
	return matching;
}

static void say_lone(struct fathom_operation_matching *matching, const struct fathom_operation_part *part,
		     bool is_left_out)
{
	if (matching->user.lone)
		matching->user.lone(matching->user.data, part, is_left_out);
}

/* Returns the part that begins and ends with the event. */
static struct fathom_operation_part part_of(const struct fathom_operation_matching *matching,
					    const struct fathom_otf2_event *event, uint64_t number)
{
	const struct fathom_otf2_location *location = fathom_otf2_at(matching->selection->defs, FATHOM_OTF2_LOCATION,
								     event->location);

	return (struct fathom_operation_part){
		.location = event->location, .process = location->process, .last_location = event->location,
		.first_number = number, .first_time = event->time, .last_number = number, .last_time = event->time,
		.member = -1, .root = -1,
	};
}

static void end_part(struct fathom_operation_part *part, const struct fathom_otf2_event *event, uint64_t number)
{
	part->last_location = event->location;
	part->last_number = number;
	part->last_time = event->time;
	part->is_ended = true;
}

/* --- messages ------------------------------------------------------------------------------------------ */

static struct message *pop(struct queue *queue)
{
	struct message *message = queue->head;

	if (message)
		queue->head = message->next;
	return message;
}

static void give_back(struct fathom_operation_matching *matching, struct message *message)
{
	if (message->request)
		message->request->send = NULL;
	message->next = matching->free;
	matching->free = message;
}

/* Returns the first message of a queue that was not cancelled. */
static struct message *pop_valid(struct fathom_operation_matching *matching, struct queue *queue)
{
	struct message *message;

	while ((message = pop(queue)) != NULL && message->is_cancelled)
		give_back(matching, message);
	return message;
}

static void report_message(struct fathom_operation_matching *matching, const struct fathom_operation_part *send,
			   const struct fathom_operation_part *receive)
{
	if (matching->user.message)
		matching->user.message(matching->user.data, send, receive);
}

/* Reports a pair, or keeps it with the open request of its send. */
static void pair(struct fathom_operation_matching *matching, const uint64_t key[3], struct request *request,
		 const struct fathom_operation_part *send, const struct fathom_operation_part *receive)
{
	if (!request) {
		report_message(matching, send, receive);
		return;
	}
	request->send = NULL;
	request->is_paired = true;
	request->receive = *receive;
	memcpy(request->channel, key, sizeof(request->channel));
}

/* Pairs a send or receive with its partner, or keeps it in its channel. request is the open request of a send, NULL:
 * none. */
static void deliver(struct fathom_operation_matching *matching, const uint64_t key[3],
		    const struct fathom_operation_part *part, bool is_send, struct request *request)
{
	struct channel *channel = fathom_table_find(&matching->channels, key[0], key[1], key[2]);
	struct queue *queue;
	struct message *message;

	if (!channel)
		channel = fathom_table_add(&matching->channels, key[0], key[1], key[2]);
	message = pop_valid(matching, is_send ? &channel->received : &channel->sent);
	if (message) {
		if (is_send)
			pair(matching, key, request, part, &message->part);
		else
			pair(matching, key, message->request, &message->part, part);
		give_back(matching, message);
		if (!channel->sent.head && !channel->received.head)
			fathom_table_remove(&matching->channels, channel);
		return;
	}
	message = matching->free;
	if (message)
		matching->free = message->next;
	else
		message = fathom_tool_alloc(1, sizeof(*message));
	*message = (struct message){ .part = *part, .request = request };
	if (request)
		request->send = message;
	queue = is_send ? &channel->sent : &channel->received;
	*(queue->head ? &queue->tail->next : &queue->head) = message;
	queue->tail = message;
}

/* Finds the channel of a send or receive. False: the event names no process. */
static bool find_channel(struct fathom_operation_matching *matching, const struct fathom_otf2_event *event,
			 uint32_t process, bool is_send, uint64_t key[3])
{
	struct fathom_otf2_defs *defs = matching->selection->defs;
	const struct fathom_otf2_comm *comm = fathom_otf2_find(defs, FATHOM_OTF2_COMM, event->ref);
	int64_t peer = comm ? fathom_otf2_comm_peer(defs, comm, process, event->peer) : -1;

	if (peer < 0)
		return false;
	key[0] = event->ref;
	key[1] = is_send ? (uint64_t)process << 32 | (uint32_t)peer : (uint64_t)peer << 32 | process;
	key[2] = event->tag;
	return true;
}

static struct request *begin_request(struct fathom_operation_matching *matching,
				     const struct fathom_otf2_event *event, uint64_t number)
{
	struct fathom_operation_part part = part_of(matching, event, number);
	struct request *request = fathom_table_find(&matching->requests, part.process, event->id, 0);

	if (!request)
		request = fathom_table_add(&matching->requests, part.process, event->id, 0);
	request->part = part;
	request->send = NULL;
	request->post = NULL;
	request->is_paired = false;
	request->arrival = NULL;
	return request;
}

static void take_send(struct fathom_operation_matching *matching, const struct fathom_otf2_event *event,
		      uint64_t number, bool is_left_out)
{
	struct fathom_operation_part part = part_of(matching, event, number);
	struct request *request = event->kind == FATHOM_RECORD_MPI_ISEND ? begin_request(matching, event, number) :
		NULL;
	uint64_t key[3];

	part.is_ended = true;
	if (is_left_out)
		say_lone(matching, &part, true);
	else if (find_channel(matching, event, part.process, true, key))
		deliver(matching, key, &part, true, request);
}

enum { ARRIVALS_MOST = 1 << 16 };	/* receives that wait behind one that is not complete */

static struct arrival *begin_arrival(struct fathom_operation_matching *matching, const struct fathom_otf2_event *event,
				     uint64_t number)
{
	struct arrival *arrival = fathom_tool_alloc(1, sizeof(*arrival));
	struct arrivals *arrivals;

	arrival->part = part_of(matching, event, number);
	arrival->is_pending = true;
	arrivals = &matching->arrivals[arrival->part.process];
	*(arrivals->head ? &arrivals->tail->next : &arrivals->head) = arrival;
	arrivals->tail = arrival;
	arrivals->count++;
	return arrival;
}

/* Delivers the receives at the head of a process's queue, up to one that is not complete. */
static void advance_arrivals(struct fathom_operation_matching *matching, uint32_t process)
{
	struct arrivals *arrivals = &matching->arrivals[process];

	while (arrivals->head && (!arrivals->head->is_pending || arrivals->count > ARRIVALS_MOST)) {
		struct arrival *arrival = arrivals->head;

		arrivals->head = arrival->next;
		arrivals->count--;
		if (arrival->is_pending) {
			arrival->is_passed = true;
			continue;
		}
		if (!arrival->is_dropped)
			deliver(matching, arrival->channel, &arrival->part, false, NULL);
		free(arrival);
	}
}

/* Ends a receive; its channel is known if it is not dropped. */
static void end_arrival(struct fathom_operation_matching *matching, struct arrival *arrival, bool is_dropped)
{
	uint32_t process = arrival->part.process;

	arrival->is_pending = false;
	arrival->is_dropped = is_dropped;
	if (!arrival->is_passed) {
		advance_arrivals(matching, process);
		return;
	}
	if (!is_dropped)
		deliver(matching, arrival->channel, &arrival->part, false, NULL);
	free(arrival);
}

static void take_receive(struct fathom_operation_matching *matching, const struct fathom_otf2_event *event,
			 uint64_t number, bool is_left_out)
{
	uint32_t process = part_of(matching, event, number).process;
	struct request *request = event->kind == FATHOM_RECORD_MPI_IRECV ?
		fathom_table_find(&matching->requests, process, event->id, 0) : NULL;
	struct arrival *arrival = request ? request->arrival : NULL;

	if (request)
		fathom_table_remove(&matching->requests, request);
	if (!arrival)
		arrival = begin_arrival(matching, event, number);
	end_part(&arrival->part, event, number);
	if (is_left_out)
		say_lone(matching, &arrival->part, true);
	end_arrival(matching, arrival, is_left_out || !find_channel(matching, event, process, false, arrival->channel));
}

static void finish_arrivals(struct fathom_operation_matching *matching, struct arrivals *arrivals)
{
	while (arrivals->head) {
		struct arrival *arrival = arrivals->head;

		arrivals->head = arrival->next;
		if (!arrival->is_pending && !arrival->is_dropped)
			deliver(matching, arrival->channel, &arrival->part, false, NULL);
		if (!arrival->is_pending)
			free(arrival);
	}
}

/* --- collective operations -------------------------------------------------------------------------- */

static struct post *begin_post(struct fathom_operation_matching *matching, const struct fathom_otf2_event *event,
			       uint64_t number)
{
	struct post *post = fathom_tool_alloc(1, sizeof(*post));
	struct posts *posts;

	post->part = part_of(matching, event, number);
	post->is_pending = true;
	posts = &matching->posts[post->part.process];
	*(posts->head ? &posts->tail->next : &posts->head) = post;
	posts->tail = post;
	return post;
}

static uint32_t members_of(struct fathom_operation_matching *matching, uint64_t group)
{
	struct fathom_otf2_defs *defs = matching->selection->defs;
	uint64_t comms = fathom_otf2_count(defs, FATHOM_OTF2_COMM);
	const struct fathom_otf2_window *window;

	if (group >= comms) {
		window = fathom_otf2_at(defs, FATHOM_OTF2_WINDOW, group - comms);
		if (window->comm < 0)
			return 0;
		group = (uint64_t)window->comm;
	}
	return fathom_otf2_selection_size(matching->selection, fathom_otf2_at(defs, FATHOM_OTF2_COMM, group));
}

static void meet(struct fathom_operation_matching *matching, const struct post *post)
{
	uint32_t size = members_of(matching, post->group), process = post->part.process;
	struct turn *turn;
	struct meeting *meeting;

	if (size <= 1) {
		if (matching->user.collective)
			matching->user.collective(matching->user.data, &post->part, 1, true);
		return;
	}
	turn = fathom_table_find(&matching->turns, post->group, process, 0);
	if (!turn)
		turn = fathom_table_add(&matching->turns, post->group, process, 0);
	meeting = fathom_table_find(&matching->meetings, post->group, turn->next, 0);
	if (!meeting) {
		meeting = fathom_table_add(&matching->meetings, post->group, turn->next, 0);
		meeting->size = size;
		meeting->parts = fathom_tool_alloc(size, sizeof(*meeting->parts));
	}
	turn->next++;
	if (meeting->count < meeting->size)
		meeting->parts[meeting->count++] = post->part;
	if (meeting->count < meeting->size)
		return;
	if (matching->user.collective)
		matching->user.collective(matching->user.data, meeting->parts, meeting->count, true);
	free(meeting->parts);
	fathom_table_remove(&matching->meetings, meeting);
}

/* Lets the operations at the head of a process's queue take part, up to one that has not ended. */
static void advance(struct fathom_operation_matching *matching, uint32_t process)
{
	struct posts *posts = &matching->posts[process];

	while (posts->head && !posts->head->is_pending) {
		struct post *post = posts->head;

		posts->head = post->next;
		if (!post->is_dropped)
			meet(matching, post);
		free(post);
	}
}

/* Ends a post with the event that names its communicator or window. */
static void end_post(struct fathom_operation_matching *matching, struct post *post,
		     const struct fathom_otf2_event *event, uint64_t number, bool is_left_out)
{
	struct fathom_otf2_defs *defs = matching->selection->defs;
	bool is_window = event->kind == FATHOM_RECORD_RMA_COLLECTIVE_END;
	int64_t index = fathom_otf2_index(defs, is_window ? FATHOM_OTF2_WINDOW : FATHOM_OTF2_COMM, event->ref);
	const struct fathom_otf2_comm *comm = index < 0 || is_window ? NULL :
		fathom_otf2_at(defs, FATHOM_OTF2_COMM, (uint64_t)index);

	post->is_pending = false;
	end_part(&post->part, event, number);
	post->part.op = event->op;
	post->part.has_sides = is_window || (comm && comm->is_inter);
	post->part.has_sent = event->bytes > 0;
	post->part.has_received = event->bytes_received > 0;
	if (comm)
		post->part.member = fathom_otf2_comm_process(defs, comm, post->part.process);
	if (comm && event->peer < OTF2_COLLECTIVE_ROOT_THIS_GROUP)
		post->part.root = fathom_otf2_comm_peer(defs, comm, post->part.process, event->peer);
	post->is_dropped = is_left_out || index < 0;
	if (is_left_out)
		say_lone(matching, &post->part, true);
	if (index >= 0)
		post->group = (uint64_t)index + (is_window ? fathom_otf2_count(defs, FATHOM_OTF2_COMM) : 0);
	advance(matching, post->part.process);
}

static void take_end(struct fathom_operation_matching *matching, const struct fathom_otf2_event *event, uint64_t number,
		     bool is_left_out)
{
	struct post **open = event->kind == FATHOM_RECORD_RMA_COLLECTIVE_END ? matching->open_on_window :
		matching->open;
	struct post *post = open[event->location];

	open[event->location] = NULL;
	if (post)
		end_post(matching, post, event, number, is_left_out);
}

/* --- requests -------------------------------------------------------------------------------------------- */

/* Takes the event that ends a request of a send or collective operation, or cancels any request. */
static void take_request_end(struct fathom_operation_matching *matching, const struct fathom_otf2_event *event,
			     uint64_t number, bool is_left_out)
{
	struct fathom_operation_part part = part_of(matching, event, number);
	struct request *request = fathom_table_find(&matching->requests, part.process, event->id, 0);
	bool is_cancelled = event->kind == FATHOM_RECORD_MPI_REQUEST_CANCELLED;

	if (!request)
		return;
	if (request->send) {
		request->send->is_cancelled = is_cancelled;
		request->send->request = NULL;
	}
	if (request->is_paired && is_cancelled)
		deliver(matching, request->channel, &request->receive, false, NULL);
	else if (request->is_paired)
		report_message(matching, &request->part, &request->receive);
	if (request->arrival && is_cancelled)
		end_arrival(matching, request->arrival, true);
	if (request->post && is_cancelled) {
		request->post->is_pending = false;
		request->post->is_dropped = true;
		advance(matching, part.process);
	} else if (request->post) {
		end_post(matching, request->post, event, number, is_left_out);
	}
	fathom_table_remove(&matching->requests, request);
}

void fathom_operation_matching_take(struct fathom_operation_matching *matching, const struct fathom_otf2_event *event,
				    uint64_t number, bool is_left_out)
{
	const struct fathom_otf2_location *location = fathom_otf2_at(matching->selection->defs, FATHOM_OTF2_LOCATION,
								     event->location);

	if (location->process == UINT32_MAX)
		return;
	switch (event->kind) {
	case FATHOM_RECORD_MPI_SEND:
	case FATHOM_RECORD_MPI_ISEND: take_send(matching, event, number, is_left_out); break;
	case FATHOM_RECORD_MPI_IRECV_REQUEST:
		begin_request(matching, event, number)->arrival = begin_arrival(matching, event, number);
		break;
	case FATHOM_RECORD_MPI_RECV:
	case FATHOM_RECORD_MPI_IRECV: take_receive(matching, event, number, is_left_out); break;
	case FATHOM_RECORD_MPI_COLLECTIVE_BEGIN:
		matching->open[event->location] = begin_post(matching, event, number);
		break;
	case FATHOM_RECORD_RMA_COLLECTIVE_BEGIN:
		matching->open_on_window[event->location] = begin_post(matching, event, number);
		break;
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_REQUEST:
		begin_request(matching, event, number)->post = begin_post(matching, event, number);
		break;
	case FATHOM_RECORD_MPI_COLLECTIVE_END:
	case FATHOM_RECORD_RMA_COLLECTIVE_END: take_end(matching, event, number, is_left_out); break;
	case FATHOM_RECORD_MPI_ISEND_COMPLETE:
	case FATHOM_RECORD_MPI_REQUEST_CANCELLED:
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE:
		take_request_end(matching, event, number, is_left_out);
		break;
	default: break;
	}
}

/* --- the end ------------------------------------------------------------------------------------------- */

static void finish_queue(struct fathom_operation_matching *matching, struct queue *queue)
{
	struct message *message;

	while ((message = pop_valid(matching, queue)) != NULL) {
		say_lone(matching, &message->part, false);
		give_back(matching, message);
	}
}

/* The communicator of an operation is known when it ends. Operations behind one that has not ended may be on the same
 * communicator, so their number there is unknown, and they have no partners either. */
static void finish_posts(struct fathom_operation_matching *matching, struct posts *posts)
{
	while (posts->head) {
		struct post *post = posts->head;

		posts->head = post->next;
		if (post->is_pending || !post->is_dropped)
			say_lone(matching, &post->part, false);
		free(post);
	}
}

void fathom_operation_matching_destroy(struct fathom_operation_matching *matching)
{
	struct channel *channel = NULL;
	struct request *request = NULL;
	struct meeting *meeting = NULL;
	size_t i;

	for (i = 0; i < matching->process_count; i++)
		finish_arrivals(matching, &matching->arrivals[i]);
	while ((channel = fathom_table_next(&matching->channels, channel)) != NULL) {
		finish_queue(matching, &channel->sent);
		finish_queue(matching, &channel->received);
	}
	while ((request = fathom_table_next(&matching->requests, request)) != NULL) {
		if (request->is_paired)
			report_message(matching, &request->part, &request->receive);
		if (!request->arrival)
			continue;
		say_lone(matching, &request->part, false);
		free(request->arrival);
	}
	for (i = 0; i < matching->process_count; i++)
		finish_posts(matching, &matching->posts[i]);
	while ((meeting = fathom_table_next(&matching->meetings, meeting)) != NULL) {
		if (matching->user.collective)
			matching->user.collective(matching->user.data, meeting->parts, meeting->count, false);
		free(meeting->parts);
	}
	while (matching->free) {
		struct message *message = matching->free;

		matching->free = message->next;
		free(message);
	}
	fathom_table_fini(&matching->channels);
	fathom_table_fini(&matching->requests);
	fathom_table_fini(&matching->turns);
	fathom_table_fini(&matching->meetings);
	free(matching->posts);
	free(matching->arrivals);
	free(matching->open);
	free(matching->open_on_window);
	free(matching);
}
