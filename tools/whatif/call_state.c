#include "tools/whatif/call_state.h"

#include "otf2/memory.h"

/* A non-blocking operation that is not complete. */
struct request {
	struct fathom_table_entry entry;	/* process, request */
	enum fathom_replay_kind wait;		/* kind of the record that ends it */
	uint32_t number;
};

const size_t fathom_call_request_bytes = sizeof(struct request);

uint32_t fathom_call_path(const struct fathom_trace_location *location)
{
	uint32_t path = location->frame_count ? location->frames[location->frame_count - 1].path : 0;

	return path == FATHOM_NO_BURST_PATH ? 0 : path;
}

void fathom_call_begin(struct fathom_trace_location *location, uint64_t time, uint32_t path, enum fathom_call_use use)
{
	location->call.depth = location->frame_count;
	location->call.path = path == FATHOM_NO_BURST_PATH ? 0 : path;
	location->call.begin = time;
	location->call.use = use;
	location->call.is_replayed = use == FATHOM_CALL_PROBE;
	location->call.collective = FATHOM_REPLAY_NONE;
	location->call.send_count = 0;
}

void fathom_call_end(struct fathom_trace_program *made, struct fathom_trace_location *location, uint64_t time)
{
	struct fathom_open_call *call = &location->call;

	for (size_t i = 0; i < call->send_count; i++)
		fathom_replay_add_wait(&made->program, location->process, FATHOM_REPLAY_WAIT_SEND, call->path, time,
				       call->sends[i]);
	if (!call->is_replayed && time > call->begin)
		fathom_replay_add_time(&made->program, location->process, (struct fathom_replay_record){
			.kind = FATHOM_REPLAY_LOCAL, .time = call->begin, .value = time - call->begin,
			.call_path = call->path, .is_start = call->use == FATHOM_CALL_INIT });
	call->depth = UINT32_MAX;
}

/* --- requests --- */

static void begin_request(struct fathom_trace_program *made, uint32_t process, uint64_t id,
			  enum fathom_replay_kind wait, uint32_t number)
{
	struct request *request = fathom_table_find(&made->requests, process, id, 0);

	if (!request)	/* a request that was freed while it was active leaves its entry */
		request = fathom_table_add(&made->requests, process, id, 0);
	request->wait = wait;
	request->number = number;
}

/* Ends a request of that kind. False: it is unknown. */
static bool end_request(struct fathom_trace_program *made, uint32_t process, uint64_t id,
			enum fathom_replay_kind wait, uint32_t *number)
{
	struct request *request = fathom_table_find(&made->requests, process, id, 0);
	bool is_wanted;

	if (!request)
		return false;
	is_wanted = request->wait == wait;
	*number = request->number;
	fathom_table_remove(&made->requests, request);
	return is_wanted;
}

/* --- messages --- */

/* Finds the channel of a message. False: the trace does not define the communicator or the partner. */
static bool channel_of(struct fathom_trace_program *made, const struct fathom_trace_location *location,
		       const struct fathom_otf2_event *event, bool is_send, struct fathom_replay_channel *channel)
{
	struct fathom_otf2_defs *defs = &made->trace->defs;
	int64_t index = fathom_otf2_index(defs, FATHOM_OTF2_COMM, event->ref), peer;

	if (index < 0)
		return false;
	peer = fathom_otf2_comm_peer(defs, fathom_otf2_at(defs, FATHOM_OTF2_COMM, (uint64_t)index), location->process,
				     event->peer);
	if (peer < 0 || peer >= made->program.task_count)
		return false;
	*channel = (struct fathom_replay_channel){
		.source = is_send ? location->process : (uint32_t)peer,
		.destination = is_send ? (uint32_t)peer : location->process,
		.tag = event->tag, .comm = (uint32_t)index };
	return true;
}

static void take_send(struct fathom_trace_program *made, struct fathom_trace_location *location,
		      const struct fathom_otf2_event *event)
{
	struct fathom_open_call *call = &location->call;
	enum fathom_replay_mode mode = FATHOM_REPLAY_STANDARD;
	struct fathom_replay_channel channel;
	uint32_t number;

	if (!channel_of(made, location, event, true, &channel))
		return;
	if (call->use == FATHOM_CALL_SYNCHRONOUS)
		mode = FATHOM_REPLAY_SYNCHRONOUS;
	else if (call->use == FATHOM_CALL_BUFFERED)
		mode = FATHOM_REPLAY_BUFFERED;
	number = fathom_replay_add_send(&made->program, call->path, event->time, channel, event->bytes, mode);
	call->is_replayed = true;
	if (event->kind == FATHOM_RECORD_MPI_ISEND) {
		begin_request(made, location->process, event->id, FATHOM_REPLAY_WAIT_SEND, number);
		return;
	}
	call->sends = fathom_otf2_memory_grow(call->sends, call->send_count, &call->send_room, sizeof(*call->sends));
	call->sends[call->send_count++] = number;
}

static void take_receive(struct fathom_trace_program *made, struct fathom_trace_location *location,
			 const struct fathom_otf2_event *event)
{
	struct fathom_replay_program *program = &made->program;
	struct fathom_replay_channel channel;
	uint32_t number = 0;

	if (event->kind == FATHOM_RECORD_MPI_IRECV) {
		if (!end_request(made, location->process, event->id, FATHOM_REPLAY_WAIT_RECEIVE, &number))
			return;
	} else {
		number = fathom_replay_add_receive(program, location->process, location->call.path,
						   location->call.begin);
	}
	if (channel_of(made, location, event, false, &channel))
		fathom_replay_complete_receive(program, number, channel);
	fathom_replay_add_wait(program, location->process, FATHOM_REPLAY_WAIT_RECEIVE, location->call.path,
			       event->time, number);
	location->call.is_replayed = true;
}

static void end_send(struct fathom_trace_program *made, struct fathom_trace_location *location,
		     const struct fathom_otf2_event *event)
{
	uint32_t number;

	if (!end_request(made, location->process, event->id, FATHOM_REPLAY_WAIT_SEND, &number))
		return;
	fathom_replay_add_wait(&made->program, location->process, FATHOM_REPLAY_WAIT_SEND, location->call.path,
			       event->time, number);
	location->call.is_replayed = true;
}

/* --- collective operations --- */

/* Returns the operation of the model; -1: it does not synchronise. FATHOM_COLLECTIVE_COMM_FREE, which synchronises
 * nothing in MPI, stands for MPI_Finalize: an operation that waits for all and takes its measured time. */
static int operation_of(const struct fathom_open_call *call, uint32_t op)
{
	if (call->use == FATHOM_CALL_FINALIZE)
		return FATHOM_COLLECTIVE_COMM_FREE;
	if (op <= OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK)
		return (int)op;
	switch (op) {
	case OTF2_COLLECTIVE_OP_CREATE_HANDLE: return FATHOM_COLLECTIVE_COMM;
	case OTF2_COLLECTIVE_OP_ALLOCATE:
	case OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE: return FATHOM_COLLECTIVE_WINDOW;
	default: return -1;
	}
}

/* Ends an operation of the communicator with that number; is: what it is in the trace. */
static void end_collective(struct fathom_trace_program *made, struct fathom_trace_location *location,
			   const struct fathom_otf2_event *event, const struct fathom_otf2_comm *is, uint32_t comm,
			   int operation, uint32_t number)
{
	struct fathom_otf2_defs *defs = &made->trace->defs;
	uint32_t root = FATHOM_REPLAY_NONE;

	if (event->peer < fathom_otf2_comm_size(defs, is))
		root = fathom_otf2_comm_member(defs, is, event->peer);
	fathom_replay_complete_collective(&made->program, number, (struct fathom_replay_participation){
		.sent = event->bytes, .received = event->bytes_received, .comm = comm, .root = root,
		.operation = (uint8_t)operation });
	fathom_replay_add_wait(&made->program, location->process, FATHOM_REPLAY_WAIT_COLLECTIVE, location->call.path,
			       event->time, number);
	location->call.is_replayed = true;
}

/* Returns whether a communicator has more than one member; otherwise its operations wait for nobody. */
static bool has_others(const struct fathom_trace_program *made, uint64_t comm)
{
	return comm < made->program.comm_count && made->program.comms[comm].size > 1;
}

static void take_collective_end(struct fathom_trace_program *made, struct fathom_trace_location *location,
				const struct fathom_otf2_event *event)
{
	struct fathom_open_call *call = &location->call;
	int64_t comm = fathom_otf2_index(&made->trace->defs, FATHOM_OTF2_COMM, event->ref);
	int operation = operation_of(call, event->op);
	uint32_t number = call->collective;

	if (event->kind == FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE &&
	    !end_request(made, location->process, event->id, FATHOM_REPLAY_WAIT_COLLECTIVE, &number))
		return;
	if (event->kind == FATHOM_RECORD_MPI_COLLECTIVE_END)
		call->collective = FATHOM_REPLAY_NONE;
	if (number == FATHOM_REPLAY_NONE || comm < 0 || operation < 0 || call->use == FATHOM_CALL_INIT ||
	    !has_others(made, (uint64_t)comm))
		return;
	if (call->use == FATHOM_CALL_NEIGHBOR) {
		made->neighborhoods++;
		return;
	}
	end_collective(made, location, event, fathom_otf2_at(&made->trace->defs, FATHOM_OTF2_COMM, (uint64_t)comm),
		       (uint32_t)comm, operation, number);
}

/* Takes the end of an operation of a window's communicator. */
static void take_window_end(struct fathom_trace_program *made, struct fathom_trace_location *location,
			    const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_defs *defs = &made->trace->defs;
	int64_t index = fathom_otf2_index(defs, FATHOM_OTF2_WINDOW, event->ref);
	const struct fathom_otf2_window *window;
	uint32_t number = location->call.collective;
	struct fathom_otf2_event without_root = *event;

	location->call.collective = FATHOM_REPLAY_NONE;
	without_root.peer = UINT32_MAX;
	if (index < 0 || number == FATHOM_REPLAY_NONE)
		return;
	window = fathom_otf2_at(defs, FATHOM_OTF2_WINDOW, (uint64_t)index);
	if (window->comm >= 0)
		end_collective(made, location, &without_root,
			       fathom_otf2_at(defs, FATHOM_OTF2_COMM, (uint64_t)window->comm),
			       (uint32_t)(fathom_otf2_count(defs, FATHOM_OTF2_COMM) + (uint64_t)index),
			       FATHOM_COLLECTIVE_WINDOW, number);
}

void fathom_call_take(struct fathom_trace_program *made, struct fathom_trace_location *location,
		      const struct fathom_otf2_event *event)
{
	struct fathom_open_call *call = &location->call;
	uint32_t number;

	if (call->depth == UINT32_MAX)	/* the trace does not have the call */
		return;
	switch (event->kind) {
	case FATHOM_RECORD_MPI_SEND:
	case FATHOM_RECORD_MPI_ISEND:
		take_send(made, location, event);
		break;
	case FATHOM_RECORD_MPI_ISEND_COMPLETE:
		end_send(made, location, event);
		break;
	case FATHOM_RECORD_MPI_IRECV_REQUEST:
		number = fathom_replay_add_receive(&made->program, location->process, call->path, event->time);
		begin_request(made, location->process, event->id, FATHOM_REPLAY_WAIT_RECEIVE, number);
		break;
	case FATHOM_RECORD_MPI_RECV:
	case FATHOM_RECORD_MPI_IRECV:
		take_receive(made, location, event);
		break;
	case FATHOM_RECORD_MPI_REQUEST_CANCELLED:
		end_request(made, location->process, event->id, FATHOM_REPLAY_WAIT_RECEIVE, &number);
		break;
	case FATHOM_RECORD_MPI_COLLECTIVE_BEGIN:
	case FATHOM_RECORD_RMA_COLLECTIVE_BEGIN:
		call->collective = fathom_replay_add_collective(&made->program, location->process, call->path,
								event->time);
		break;
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_REQUEST:
		number = fathom_replay_add_collective(&made->program, location->process, call->path, event->time);
		begin_request(made, location->process, event->id, FATHOM_REPLAY_WAIT_COLLECTIVE, number);
		break;
	case FATHOM_RECORD_MPI_COLLECTIVE_END:
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE:
		take_collective_end(made, location, event);
		break;
	case FATHOM_RECORD_RMA_COLLECTIVE_END:
		take_window_end(made, location, event);
		break;
	case FATHOM_RECORD_RMA_PUT:
	case FATHOM_RECORD_RMA_GET:
	case FATHOM_RECORD_RMA_ATOMIC:
	case FATHOM_RECORD_RMA_GROUP_SYNC:
	case FATHOM_RECORD_RMA_ACQUIRE_LOCK:
		made->one_sided++;
		break;
	default:
		break;
	}
}
