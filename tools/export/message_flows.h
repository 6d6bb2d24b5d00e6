/*
 * message_flows: numbers that connect the send and the receive event of a message.
 *
 * Messages between two processes with the same communicator and tag arrive in the order in which they were sent.
 * Such a channel is kept only while messages are under way, so memory does not grow with the trace. Context of all
 * functions: tool.
 */
#ifndef FATHOM_TOOLS_EXPORT_MESSAGE_FLOWS_H
#define FATHOM_TOOLS_EXPORT_MESSAGE_FLOWS_H

#include "otf2/entry_table.h"
#include "otf2/event_reader.h"

struct fathom_message_flows {
	struct fathom_table channels;
	uint64_t channel_count;		/* that were used so far */
};

/* The number of a message: of its channel, and within the channel. */
struct fathom_message_flow {
	uint64_t channel, message;
};

void fathom_message_flows_init(struct fathom_message_flows *flows);
void fathom_message_flows_fini(struct fathom_message_flows *flows);

/* Finds the number of the message of a send or receive event. False: its other end is not known. */
bool fathom_message_flows_find(struct fathom_message_flows *flows, struct fathom_otf2_defs *defs,
			       const struct fathom_otf2_event *event, bool is_send, struct fathom_message_flow *flow);

#endif
