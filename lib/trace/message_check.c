/* The functions that message_times.c calls for this process: they give the meaning of its communicators and ranks for
 * all processes, and convert its times to the clock of rank 0. */
#include "trace/message_check.h"

#include "trace/archive.h"
#include "trace/definitions/comm_descriptions.h"
#include "trace/comms.h"
#include "trace/clocks/message_times.h"
#include "trace/rank_list.h"

struct view {
	const struct fathom_clock_sync *sync;
	uint32_t rank;
};

/* Returns the rank in the world of a peer in comm, as seen from a rank in the world. Negative: there is none. */
static int64_t world_rank(const struct fathom_trace_comm *comm, uint32_t rank, uint32_t peer)
{
	const struct fathom_trace_members *members = fathom_trace_comm_members(comm);

	if (comm->kind == FATHOM_TRACE_COMM_SELF)
		return rank;
	if (!members->remote_count)
		return peer < members->count ? (int64_t)fathom_rank_list_at(members->words, peer) : -1;
	/* A member of the second group names ranks of the first one. */
	if (!fathom_rank_list_contains(members->words, members->count, rank))
		return peer < members->count ? (int64_t)fathom_rank_list_at(members->words, peer) : -1;
	return peer < members->remote_count ?
	       (int64_t)fathom_rank_list_at(fathom_trace_members_remote(members), peer) : -1;
}

static uint64_t mix(uint64_t sum, uint64_t more)
{
	sum = (sum ^ more) * UINT64_C(0xbf58476d1ce4e5b9);
	return sum ^ sum >> 31;
}

static bool meaning(void *context, const struct fathom_message_kind *key, uint64_t *name, uint32_t *peer)
{
	const struct view *view = context;
	const struct fathom_trace_comm *comm;
	struct fathom_trace_comm_identity thing;
	int64_t other;

	if (key->comm >= fathom_trace_comm_count())
		return false;
	comm = fathom_trace_comm_by_number(key->comm);
	if (comm->kind > FATHOM_TRACE_COMM_INTER)
		return false;
	other = world_rank(comm, view->rank, (uint32_t)key->peer);
	if (other < 0)
		return false;
	*peer = (uint32_t)other;
	thing = fathom_trace_comm_identify(comm);
	*name = mix(mix(thing.hash, thing.key), (uint64_t)thing.kind << 32 | thing.number);
	*name = mix(*name, key->is_send ? (uint64_t)view->rank << 32 | *peer : (uint64_t)*peer << 32 | view->rank);
	*name = mix(*name, (uint32_t)key->tag);
	return true;
}

static uint64_t correct(void *context, uint64_t ticks)
{
	const struct view *view = context;

	return fathom_clock_sync_correct(view->sync, ticks);
}

int fathom_trace_check_messages(struct fathom_comm *comm, const struct fathom_clock_sync *sync,
				struct fathom_message_times_result *result)
{
	struct view view = { .sync = sync, .rank = (uint32_t)comm->rank };
	struct fathom_message_times_source source = { .meaning = meaning, .correct = correct, .context = &view };
	struct fathom_arena arena = { 0 };
	const struct fathom_trace *newest = fathom_trace_archive_newest();
	int err;

	source.all = newest ? fathom_arena_alloc(&arena, (newest->id + 1) * sizeof(*source.all)) : NULL;
	for (const struct fathom_trace *trace = newest; source.all && trace; trace = trace->next)
		source.all[source.count++] = trace->message_times;
	err = fathom_message_times_check(comm, &source, result);
	fathom_arena_fini(&arena);
	return err;
}
