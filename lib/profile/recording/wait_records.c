#include "profile/recording/wait_records.h"

#include <string.h>

#include "define/communicator.h"
#include "define/region.h"
#include "profile/recording/callpath.h"
#include "profile/recording/partners.h"
#include "profile/recording/time_maps.h"
#include "waits/recording.h"

/* Of functions that take a part by value: the compiler would pass it in registers, which costs as much as the work. */
#define ALWAYS_INLINE __attribute__((always_inline)) static inline

static FATHOM_COLD struct fathom_waits_log *make_log(struct fathom_location *self, struct fathom_callpaths *paths)
{
	paths->waits = fathom_waits_log_create(self->id);
	if (!paths->waits)
		fathom_location_drop(self, FATHOM_DROP_MEMORY);
	return paths->waits;
}

/* Returns the log of the location; NULL: nothing is recorded. */
static inline struct fathom_waits_log *log_of(struct fathom_location *self)
{
	struct fathom_callpaths *paths = self->substrate_data;

	if (unlikely(!fathom_peek(&fathom_waits_recording)))
		return NULL;
	return likely(paths->waits) ? paths->waits : make_log(self, paths);
}

/* Adds a part to the operation of the innermost region, in all cases. The operation of an MPI call that is not recorded
 * has no call path. */
static __attribute__((noinline)) void add_part_rarely(struct fathom_location *self, struct fathom_waits_log *log,
						      struct fathom_waits_part part)
{
	const struct fathom_frame *frame = self->top;
	bool is_match_only = frame->flags & FATHOM_FRAME_MATCH_ONLY;
	uint64_t begin = is_match_only ? self->match_only_begin : frame->enter_ticks;
	uint64_t call_path = is_match_only ? FATHOM_WAITS_NO_CALL_PATH : (uint64_t)(uintptr_t)frame->node;

	if (unlikely(fathom_waits_log_is_new(log, self->operation_end, begin) && begin >= log->map_due_ticks))
		fathom_time_map_make(self, log, begin);
	fathom_waits_log_add(log, &self->operation_end, call_path, begin, part);
}

/* Notes that the call of the innermost region tests, and is in the log. */
static __attribute__((noinline)) void note_test(struct fathom_location *self)
{
	if (!(self->top->flags & FATHOM_FRAME_MATCH_ONLY))
		fathom_time_map_tested(self);
}

void fathom_wait_record_part(struct fathom_location *self, struct fathom_waits_part part)
{
	struct fathom_waits_log *log = log_of(self);

	if (unlikely(!log))
		return;
	add_part_rarely(self, log, part);
	if (part.kind == FATHOM_WAITS_RMA && part.flags & FATHOM_WAITS_TEST)
		note_test(self);
}

/* Adds a part to the operation of the innermost region in the two frequent cases: it is the first part of the
 * operation, and no time map is due; or it is a further one. False: neither is the case, and nothing has changed. */
ALWAYS_INLINE bool add_part_at_once(struct fathom_location *self, struct fathom_waits_log *log,
				    struct fathom_waits_part part)
{
	const struct fathom_frame *frame = self->top;

	if (unlikely(frame->flags & FATHOM_FRAME_MATCH_ONLY))
		return false;
	if (self->operation_end)
		return fathom_waits_log_append(log, self->operation_end, frame->enter_ticks, part);
	if (unlikely(log->next >= log->end || frame->enter_ticks >= log->map_due_ticks))
		return false;
	fathom_waits_log_put(log, &self->operation_end, (uint64_t)(uintptr_t)frame->node, frame->enter_ticks, part);
	return true;
}

ALWAYS_INLINE void add_part(struct fathom_location *self, struct fathom_waits_log *log,
			    struct fathom_waits_part part)
{
	if (unlikely(!add_part_at_once(self, log, part)))
		add_part_rarely(self, log, part);
}

/* --- the ranks of partners ------------------------------------------------------------------------ */

/* Returns the communicator, if its members are known, else NULL. A communicator with processes outside of
 * MPI_COMM_WORLD was noted with one member. */
static inline const struct fathom_waits_recorded_comm *comm_of(const struct fathom_communicator *comm)
{
	const struct fathom_waits_recorded_comm *known = fathom_waits_comm_find(comm->number);

	return likely(known && known->group.count == (uint32_t)comm->size) ? known : NULL;
}

/* Returns the world rank of a process that is named by its rank in the communicator, or FATHOM_WAITS_NO_PEER. The next
 * call of recent_rank finds the communicator. */
static uint32_t world_rank(struct fathom_callpaths *paths, const struct fathom_communicator *comm, int32_t peer)
{
	const struct fathom_waits_recorded_comm *known = comm_of(comm);
	const struct fathom_waits_group *group;
	uint32_t rank;

	if (!known)
		return FATHOM_WAITS_NO_PEER;
	group = comm->is_inter ? &known->remote : &known->group;
	paths->recent_comms[comm->number % FATHOM_RECENT_COMMS] = (struct fathom_recent_comm){
		.number = comm->number,
		.count = group->count,
		.first = group->first,
		.stride = group->stride,
		.ranks = group->ranks,
	};
	rank = fathom_waits_member(group, (uint32_t)peer);
	return rank < FATHOM_WAITS_NO_PEER ? rank : FATHOM_WAITS_NO_PEER;
}

/* As world_rank, if messages on the communicator were recorded lately; else FATHOM_WAITS_NO_PEER. */
static inline uint32_t recent_rank(const struct fathom_callpaths *paths, const struct fathom_communicator *comm,
				   int32_t peer)
{
	const struct fathom_recent_comm *recent = &paths->recent_comms[comm->number % FATHOM_RECENT_COMMS];

	if (unlikely(recent->number != comm->number || (uint32_t)peer >= recent->count))
		return FATHOM_WAITS_NO_PEER;
	return likely(!recent->ranks) ? recent->first + (uint32_t)peer * recent->stride : recent->ranks[peer];
}

/* --- counting ------------------------------------------------------------------------------------- */

_Static_assert((uint32_t)FATHOM_PARTNER_UNKNOWN == (uint32_t)FATHOM_WAITS_NO_PEER, "one value for unknown ranks");

static inline enum fathom_counter counter_of(enum fathom_direction direction)
{
	return direction == FATHOM_SENT ? FATHOM_COUNTER_BYTES_SENT : FATHOM_COUNTER_BYTES_RECEIVED;
}

/* Counts a message at the call path of the innermost region and for its partner, the process with this rank in the
 * world. Messages of calls that are not recorded do not count. */
static void count_rarely(struct fathom_location *self, enum fathom_direction direction, uint32_t rank, uint64_t bytes)
{
	struct fathom_callpaths *paths = self->substrate_data;

	if (self->top->flags & FATHOM_FRAME_MATCH_ONLY)
		return;
	fathom_callpath_count_message(self, counter_of(direction), bytes);
	if (fathom_partners_most)
		fathom_partners_count(self, &paths->partners, rank, direction, bytes);
}

/* As count_rarely, in the frequent case: the call is recorded, and neither its call path nor the partner have their
 * first message. False: this is not the case, and nothing has changed. */
static inline bool count_at_once(struct fathom_location *self, const struct fathom_callpaths *paths,
				 enum fathom_direction direction, uint32_t rank, uint64_t bytes)
{
	const struct fathom_frame *frame = self->top;
	struct fathom_partners *partners = paths->partners;
	struct fathom_partner *partner = NULL;
	struct fathom_tally *tally;

	if (unlikely(frame->flags & FATHOM_FRAME_MATCH_ONLY || rank >= FATHOM_WAITS_NO_PEER))
		return false;
	tally = frame->node->tally;
	if (likely(partners))
		partner = &partners->table[rank & partners->mask];
	if (unlikely(!tally || (partner ? partner->rank != rank : fathom_partners_most != 0)))
		return false;
	fathom_add(&tally->counters[counter_of(direction)], bytes);
	fathom_add(&tally->counters[counter_of(direction) + FATHOM_COUNTER_MESSAGES], 1);
	if (likely(partner)) {
		fathom_add(&partner->traffic.messages[direction], 1);
		fathom_add(&partner->traffic.bytes[direction], bytes);
	}
	return true;
}

void fathom_wait_record_count_send(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer,
				   int32_t tag, uint64_t bytes, uint64_t request)
{
	struct fathom_callpaths *paths = self->substrate_data;

	(void)tag, (void)request;
	if (unlikely(!count_at_once(self, paths, FATHOM_SENT, recent_rank(paths, comm, peer), bytes)))
		count_rarely(self, FATHOM_SENT, world_rank(paths, comm, peer), bytes);
}

void fathom_wait_record_count_receive(struct fathom_location *self, const struct fathom_communicator *comm,
				      int32_t peer, int32_t tag, uint64_t bytes, uint64_t request)
{
	struct fathom_callpaths *paths = self->substrate_data;

	(void)tag, (void)request;
	if (unlikely(!count_at_once(self, paths, FATHOM_RECEIVED, recent_rank(paths, comm, peer), bytes)))
		count_rarely(self, FATHOM_RECEIVED, world_rank(paths, comm, peer), bytes);
}

/* --- requests ------------------------------------------------------------------------------------- */

/* Notes in the entry of a request that the operation in progress began it. is_recorded false, or no room for the
 * operation: the request is not followed. */
static inline void fill_in(struct fathom_waits_posted *posted, const struct fathom_location *self,
			   const struct fathom_waits_log *log, bool is_recorded)
{
	bool is_followed = is_recorded && likely(self->operation_end == &log->operation->end_and_kind);

	posted->log = log->id;
	posted->record = is_followed ? fathom_waits_log_operation(log) : FATHOM_WAITS_NO_RECORD;
	posted->begin = log->operation->operation.begin;
}

static void note_posted(const struct fathom_location *self, const struct fathom_waits_log *log, uint64_t request,
			bool is_recorded)
{
	struct fathom_waits_posted *posted = fathom_waits_posted_make(request);

	if (posted)
		fill_in(posted, self, log, is_recorded);
}

/* Adds a part that begins the request, or a part without a request. */
static __attribute__((noinline)) void add_beginning_rarely(struct fathom_location *self, struct fathom_waits_log *log,
							   struct fathom_waits_part part, uint64_t request)
{
	add_part_rarely(self, log, part);
	if (request != FATHOM_NO_REQUEST)
		note_posted(self, log, request, true);
}

/* As add_beginning_rarely, fast in the frequent case: the part is the first one of its operation. */
ALWAYS_INLINE void add_beginning(struct fathom_location *self, struct fathom_waits_log *log,
				 struct fathom_waits_part part, uint64_t request)
{
	struct fathom_waits_posted *posted = NULL;

	if (request != FATHOM_NO_REQUEST) {
		posted = fathom_waits_posted_find(request);
		if (unlikely(!posted)) {
			add_beginning_rarely(self, log, part, request);
			return;
		}
	}
	if (unlikely(self->operation_end || !add_part_at_once(self, log, part))) {
		add_beginning_rarely(self, log, part, request);
		return;
	}
	if (posted) {
		posted->log = log->id;
		posted->record = log->first + (uint32_t)(log->operation - log->chunk);
		posted->begin = log->operation->operation.begin;
	}
}

/* Adds the two parts for the completion of a request that another thread began at begin: the second one says when. */
static __attribute__((noinline)) void add_foreign_completion(struct fathom_location *self, struct fathom_waits_log *log,
							     struct fathom_waits_part part, uint64_t begin)
{
	part.posted = FATHOM_WAITS_NO_RECORD;
	add_part_rarely(self, log, part);
	if (part.kind != FATHOM_WAITS_SEND_DONE)
		add_part_rarely(self, log, fathom_waits_begun_part(begin));
}

/* Adds a part that completes the request. Nothing is added if the request is not followed. */
ALWAYS_INLINE void add_completion(struct fathom_location *self, struct fathom_waits_log *log,
				  struct fathom_waits_part part, uint64_t request)
{
	const struct fathom_waits_posted *posted = fathom_waits_posted_find(request);

	if (unlikely(!posted || posted->record == FATHOM_WAITS_NO_RECORD))
		return;
	part.posted = posted->record;
	if (likely(posted->log == log->id))
		add_part(self, log, part);
	else
		add_foreign_completion(self, log, part, posted->begin);
	if (unlikely(part.flags & FATHOM_WAITS_TEST))
		note_test(self);
}

/* MPI_Test and its relatives do not wait. The names of all MPI calls have at least seven characters and a NUL, and that
 * of the placeholder region has more. */
static inline uint32_t test_flag(const struct fathom_location *self)
{
	return memcmp(self->top->region->name, "MPI_Test", 8) ? 0 : FATHOM_WAITS_TEST;
}

/* --- messages ------------------------------------------------------------------------------------- */

/* Does the work of fathom_wait_record_send after the message was counted. */
static inline void record_send(struct fathom_location *self, const struct fathom_communicator *comm, uint32_t rank,
			       int32_t tag, uint64_t bytes, uint64_t request)
{
	struct fathom_waits_log *log = log_of(self);

	if (likely(log))
		add_beginning(self, log, (struct fathom_waits_part){
			.kind = FATHOM_WAITS_SEND,
			.flags = bytes ? 0 : FATHOM_WAITS_EMPTY,
			.peer = rank,
			.comm = comm->number,
			.tag = tag,
			.posted = FATHOM_WAITS_NO_RECORD,
		}, request);
}

static __attribute__((noinline)) void record_send_rarely(struct fathom_location *self,
							 const struct fathom_communicator *comm, int32_t peer,
							 int32_t tag, uint64_t bytes, uint64_t request)
{
	uint32_t rank = world_rank(self->substrate_data, comm, peer);
	struct fathom_waits_log *log;

	count_rarely(self, FATHOM_SENT, rank, bytes);
	if (rank < FATHOM_WAITS_NO_PEER) {
		record_send(self, comm, rank, tag, bytes, request);
		return;
	}
	log = log_of(self);
	if (!log)
		return;
	log->lost++;
	if (request != FATHOM_NO_REQUEST)
		note_posted(self, log, request, false);
}

void fathom_wait_record_send(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer,
			     int32_t tag, uint64_t bytes, uint64_t request)
{
	const struct fathom_callpaths *paths = self->substrate_data;
	uint32_t rank = recent_rank(paths, comm, peer);

	if (likely(count_at_once(self, paths, FATHOM_SENT, rank, bytes)))
		record_send(self, comm, rank, tag, bytes, request);
	else
		record_send_rarely(self, comm, peer, tag, bytes, request);
}

/* Adds a part of a kind that only names the operation which began the request. */
static inline void add_end(struct fathom_location *self, uint64_t request, enum fathom_waits_part_kind kind)
{
	struct fathom_waits_log *log = log_of(self);

	if (likely(log))
		add_completion(self, log, (struct fathom_waits_part){ .kind = kind, .flags = test_flag(self) },
			       request);
}

void fathom_wait_record_send_complete(struct fathom_location *self, uint64_t request)
{
	add_end(self, request, FATHOM_WAITS_SEND_DONE);
}

void fathom_wait_record_request_cancelled(struct fathom_location *self, uint64_t request)
{
	add_end(self, request, FATHOM_WAITS_CANCELLED);
}

/* Adds a part that begins a request without a known partner. */
static inline void add_begin(struct fathom_location *self, uint64_t request, enum fathom_waits_part_kind kind)
{
	struct fathom_waits_log *log = log_of(self);

	if (unlikely(!log))
		return;
	add_beginning(self, log, (struct fathom_waits_part){ .kind = kind, .posted = FATHOM_WAITS_ITSELF }, request);
}

void fathom_wait_record_receive_begin(struct fathom_location *self, uint64_t request)
{
	add_begin(self, request, FATHOM_WAITS_RECEIVE_POSTED);
}

void fathom_wait_record_collective_begin(struct fathom_location *self, uint64_t request)
{
	add_begin(self, request, FATHOM_WAITS_COLLECTIVE_POSTED);
}

/* Does the work of fathom_wait_record_receive after the message was counted. */
static inline void record_receive(struct fathom_location *self, const struct fathom_communicator *comm, uint32_t rank,
				  int32_t tag, uint64_t bytes, uint64_t request)
{
	struct fathom_waits_log *log = log_of(self);
	struct fathom_waits_part part = {
		.kind = FATHOM_WAITS_RECEIVE,
		.flags = bytes ? 0 : FATHOM_WAITS_EMPTY,
		.peer = rank,
		.comm = comm->number,
		.tag = tag,
		.posted = FATHOM_WAITS_ITSELF,
	};

	if (unlikely(!log))
		return;
	if (request == FATHOM_NO_REQUEST) {
		add_part(self, log, part);
		return;
	}
	part.flags |= test_flag(self);
	add_completion(self, log, part, request);
}

static __attribute__((noinline)) void record_receive_rarely(struct fathom_location *self,
							    const struct fathom_communicator *comm, int32_t peer,
							    int32_t tag, uint64_t bytes, uint64_t request)
{
	uint32_t rank = world_rank(self->substrate_data, comm, peer);
	struct fathom_waits_log *log;

	count_rarely(self, FATHOM_RECEIVED, rank, bytes);
	if (rank < FATHOM_WAITS_NO_PEER) {
		record_receive(self, comm, rank, tag, bytes, request);
		return;
	}
	log = log_of(self);
	if (log)
		log->lost++;
}

void fathom_wait_record_receive(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer,
				int32_t tag, uint64_t bytes, uint64_t request)
{
	const struct fathom_callpaths *paths = self->substrate_data;
	uint32_t rank = recent_rank(paths, comm, peer);

	if (likely(count_at_once(self, paths, FATHOM_RECEIVED, rank, bytes)))
		record_receive(self, comm, rank, tag, bytes, request);
	else
		record_receive_rarely(self, comm, peer, tag, bytes, request);
}

/* --- collective operations and windows ------------------------------------------------------------- */

/* Returns the kind of part for a collective operation. MPI_Init and MPI_Finalize are reported as operations that make
 * and free a communicator. */
static enum fathom_waits_part_kind kind_of(const struct fathom_location *self, enum fathom_collective operation)
{
	const char *call = self->top->region->name;

	if (operation == FATHOM_COLLECTIVE_COMM && !memcmp(call, "MPI_Init", 8) && (!call[8] || call[8] == '_'))
		return FATHOM_WAITS_INIT;
	if (operation == FATHOM_COLLECTIVE_COMM_FREE && !strcmp(call, "MPI_Finalize"))
		return FATHOM_WAITS_FINALIZE;
	/* Only where the neighbours are not known; then the operation only marks a time. */
	return operation == FATHOM_COLLECTIVE_NEIGHBOR ? FATHOM_WAITS_NOTHING : FATHOM_WAITS_COLLECTIVE;
}

/* Adds a part of a collective operation, which completes a request or is a blocking one. */
static void add_collective(struct fathom_location *self, struct fathom_waits_log *log, struct fathom_waits_part part,
			   uint64_t request)
{
	if (request == FATHOM_NO_REQUEST) {
		add_part(self, log, part);
		return;
	}
	part.flags |= test_flag(self);
	add_completion(self, log, part, request);
}

/* Adds a part for each neighbour. */
static void add_neighbors(struct fathom_location *self, struct fathom_waits_log *log, struct fathom_waits_part part,
			  uint64_t request, const struct fathom_waits_neighbors *neighbors)
{
	for (uint32_t i = 0; i < neighbors->source_count + neighbors->destination_count; i++) {
		part.kind = i < neighbors->source_count ? FATHOM_WAITS_NEIGHBOR_IN : FATHOM_WAITS_NEIGHBOR_OUT;
		part.peer = neighbors->ranks[i];
		add_collective(self, log, part, request);
	}
}

void fathom_wait_record_collective(struct fathom_location *self, const struct fathom_communicator *comm,
				   enum fathom_collective operation, int32_t root, uint64_t bytes, uint64_t request)
{
	struct fathom_waits_log *log = log_of(self);
	bool is_transfer = operation > FATHOM_COLLECTIVE_BARRIER && operation < FATHOM_COLLECTIVE_NEIGHBOR;
	const struct fathom_waits_neighbors *neighbors;
	struct fathom_waits_part part = {
		.flags = is_transfer && !bytes ? FATHOM_WAITS_EMPTY : 0,
		.peer = root >= 0 ? (uint32_t)root : FATHOM_WAITS_NO_PEER,
		.comm = comm->number,
		.tag = (int32_t)operation,
		.posted = FATHOM_WAITS_ITSELF,
	};

	/* A process alone waits for nobody. */
	if (!log || (comm->size == 1 && !comm->is_inter))
		return;
	if (unlikely(!comm_of(comm))) {
		log->lost++;
		return;
	}
	neighbors = operation == FATHOM_COLLECTIVE_NEIGHBOR ? fathom_waits_comm_neighbors(comm->number) : NULL;
	part.kind = kind_of(self, operation);
	if (neighbors && neighbors->source_count + neighbors->destination_count)
		add_neighbors(self, log, part, request, neighbors);
	else
		add_collective(self, log, part, request);
}

/* --- communicators ------------------------------------------------------------------------------- */

void fathom_wait_record_comm(uint32_t number, const struct fathom_comm_members *members)
{
	const struct fathom_waits_comm_spec spec = {
		.ranks = members->ranks,
		.count = members->count,
		.remote = members->remote,
		.remote_count = members->remote_count,
		.rank = members->rank,
		.key = members->key,
	};

	fathom_waits_comm_note(number, &spec);
}

void fathom_wait_record_comm_operation(uint32_t number, uint32_t parent, uint32_t operation)
{
	fathom_waits_comm_note_operation(number, parent, operation);
}

uint32_t fathom_wait_record_comm_neighbors(uint32_t number, const struct fathom_comm_neighbors *neighbors)
{
	fathom_waits_comm_note_neighbors(number, neighbors->sources, neighbors->source_count, neighbors->destinations,
					 neighbors->destination_count);
	return 0;	/* the log finds them by the communicator */
}
