#include "tools/common/trace/message_lines.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* The search for the begin of a receive looks at so many receives that are not complete. */
enum { POSTED_MOST = 4096 };

struct fathom_message_end {
	uint32_t from, to;		/* processes */
	uint32_t comm, tag;
	uint64_t begun;			/* sends and receives of a channel match in this order */
	uint64_t time, bytes;
	int64_t row;
};

struct fathom_posted_receive {
	uint32_t location;
	uint64_t request, time;
};

/* --- events ---------------------------------------------------------------------------------------------- */

/* Returns when the receive with a request was begun, and forgets it; now, if that is not known. */
static uint64_t take_posted(struct fathom_message_lines *lines, const struct fathom_otf2_event *event)
{
	for (size_t i = lines->posted_count; i-- > 0 && lines->posted_count - i < POSTED_MOST; ) {
		struct fathom_posted_receive *posted = &lines->posted[i];
		uint64_t time = posted->time;

		if (posted->location != event->location || posted->request != event->id)
			continue;
		*posted = lines->posted[--lines->posted_count];
		return time;
	}
	return event->time;
}

static void add_end(struct fathom_message_lines *lines, const struct fathom_message_end *end, bool is_send)
{
	if (is_send) {
		lines->sends = fathom_tool_grow(lines->sends, lines->send_count, &lines->send_room,
						sizeof(*lines->sends));
		lines->sends[lines->send_count++] = *end;
	} else {
		lines->receives = fathom_tool_grow(lines->receives, lines->receive_count, &lines->receive_room,
						   sizeof(*lines->receives));
		lines->receives[lines->receive_count++] = *end;
	}
}

static void take_end(struct fathom_message_lines *lines, struct fathom_otf2_defs *defs,
		     const struct fathom_otf2_event *event, int64_t row, bool is_send)
{
	const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, event->location);
	const struct fathom_otf2_comm *comm = fathom_otf2_find(defs, FATHOM_OTF2_COMM, event->ref);
	struct fathom_message_end end = { .tag = event->tag, .begun = event->time, .time = event->time,
					  .bytes = event->bytes, .row = row };
	int64_t peer = comm ? fathom_otf2_comm_peer(defs, comm, location->process, event->peer) : -1;

	if (event->kind == FATHOM_RECORD_MPI_IRECV)
		end.begun = take_posted(lines, event);
	if (peer < 0 || location->process == UINT32_MAX)
		return;
	end.comm = (uint32_t)event->ref;
	end.from = is_send ? location->process : (uint32_t)peer;
	end.to = is_send ? (uint32_t)peer : location->process;
	add_end(lines, &end, is_send);
}

void fathom_message_lines_take(struct fathom_message_lines *lines, struct fathom_otf2_defs *defs,
			       const struct fathom_otf2_event *event, int64_t row)
{
	switch (event->kind) {
	case FATHOM_RECORD_MPI_SEND:
	case FATHOM_RECORD_MPI_ISEND:
		take_end(lines, defs, event, row, true);
		break;
	case FATHOM_RECORD_MPI_RECV:
	case FATHOM_RECORD_MPI_IRECV:
		take_end(lines, defs, event, row, false);
		break;
	case FATHOM_RECORD_MPI_IRECV_REQUEST:
		lines->posted = fathom_tool_grow(lines->posted, lines->posted_count, &lines->posted_room,
						 sizeof(*lines->posted));
		lines->posted[lines->posted_count++] = (struct fathom_posted_receive){
			event->location, event->id, event->time };
		break;
	default:
		break;
	}
}

/* --- matching -------------------------------------------------------------------------------------------- */

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_channel(const struct fathom_message_end *a, const struct fathom_message_end *b)
{
	int order = compare(a->from, b->from);

	if (!order)
		order = compare(a->to, b->to);
	if (!order)
		order = compare(a->comm, b->comm);
	return order ? order : compare(a->tag, b->tag);
}

static int by_order(const void *a, const void *b)
{
	const struct fathom_message_end *left = a, *right = b;
	int order = by_channel(left, right);

	if (!order)
		order = compare(left->begun, right->begun);
	return order ? order : compare(left->time, right->time);
}

static int by_send(const void *a, const void *b)
{
	const struct fathom_message_line *left = a, *right = b;

	return compare(left->send, right->send);
}

void fathom_message_lines_match(struct fathom_message_lines *lines)
{
	size_t s = 0, r = 0;

	if (lines->send_count)
		qsort(lines->sends, lines->send_count, sizeof(*lines->sends), by_order);
	if (lines->receive_count)
		qsort(lines->receives, lines->receive_count, sizeof(*lines->receives), by_order);
	lines->lines = fathom_tool_alloc(lines->send_count + 1, sizeof(*lines->lines));
	while (s < lines->send_count && r < lines->receive_count) {
		const struct fathom_message_end *send = &lines->sends[s], *receive = &lines->receives[r];
		int order = by_channel(send, receive);

		s += order <= 0;
		r += order >= 0;
		if (!order && send->row >= 0 && receive->row >= 0)
			lines->lines[lines->count++] = (struct fathom_message_line){
				(uint32_t)send->row, (uint32_t)receive->row, send->time, receive->time, send->bytes };
	}
	qsort(lines->lines, lines->count, sizeof(*lines->lines), by_send);
	free(lines->sends);
	free(lines->receives);
	free(lines->posted);
	lines->sends = lines->receives = NULL;
	lines->posted = NULL;
}

void fathom_message_lines_fini(struct fathom_message_lines *lines)
{
	free(lines->lines);
	free(lines->sends);
	free(lines->receives);
	free(lines->posted);
	memset(lines, 0, sizeof(*lines));
}
