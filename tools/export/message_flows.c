#include "tools/export/message_flows.h"

struct channel {
	struct fathom_table_entry entry;	/* communicator, source << 32 | target, tag */
	uint64_t number;
	uint64_t sent, received;		/* messages */
};

void fathom_message_flows_init(struct fathom_message_flows *flows)
{
	flows->channel_count = 0;
	fathom_table_init(&flows->channels, sizeof(struct channel));
}

void fathom_message_flows_fini(struct fathom_message_flows *flows)
{
	fathom_table_fini(&flows->channels);
}

bool fathom_message_flows_find(struct fathom_message_flows *flows, struct fathom_otf2_defs *defs,
			       const struct fathom_otf2_event *event, bool is_send, struct fathom_message_flow *flow)
{
	const struct fathom_otf2_comm *comm = fathom_otf2_find(defs, FATHOM_OTF2_COMM, event->ref);
	const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, event->location);
	uint64_t source, target;
	struct channel *channel;
	int64_t peer;

	if (!comm || location->process == UINT32_MAX)
		return false;
	peer = fathom_otf2_comm_peer(defs, comm, location->process, event->peer);
	if (peer < 0)
		return false;
	source = is_send ? location->process : (uint64_t)peer;
	target = is_send ? (uint64_t)peer : location->process;
	channel = fathom_table_find(&flows->channels, event->ref, source << 32 | target, event->tag);
	if (!channel) {
		channel = fathom_table_add(&flows->channels, event->ref, source << 32 | target, event->tag);
		channel->number = flows->channel_count++;
	}
	*flow = (struct fathom_message_flow){ channel->number, is_send ? channel->sent++ : channel->received++ };
	if (channel->sent == channel->received)
		fathom_table_remove(&flows->channels, channel);
	return true;
}
