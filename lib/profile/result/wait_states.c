#include "profile/result/wait_states.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "define/cart.h"
#include "comm/clock_sync.h"
#include "define/metric.h"
#include "define/region.h"
#include "platform/arena.h"
#include "platform/clock.h"
#include "platform/log.h"
#include "platform/number_table.h"
#include "profile/recording/anchor_nodes.h"
#include "profile/recording/callpath.h"
#include "profile/recording/partners.h"
#include "profile/unification/call_path_digest.h"
#include "waits/recording.h"

/* The digest of a call path, kept because a call path is in many time maps. */
struct known_digest {
	const struct fathom_node *node;
	uint64_t digest;
};

struct search {
	struct fathom_arena arena;		/* of everything here, and of the results in the nodes */
	struct fathom_waits_input input;
	struct fathom_waits_process process;
	struct fathom_waits_location *locations;	/* by the order of their numbers */
	struct fathom_waits_whole_log *logs;	/* by location */
	struct fathom_waits_communicator *communicators, *windows;
	struct fathom_waits_grid grid;
	struct fathom_number_table digest_table;
	struct known_digest *digests;
	uint32_t digest_count, digest_room;
	const struct fathom_metric *metrics[FATHOM_WAITS_PATTERNS];	/* NULL: not defined yet */
	struct fathom_partners *partners;	/* how long the process waited for each of them */
	/* Times in seconds since the begin of the run, on the clock of rank 0: first_seconds + (ticks - first_ticks) *
	 * seconds_per_tick. */
	uint64_t first_ticks;
	double first_seconds, seconds_per_tick;
};

/* What the search knows of operations may take this many times the memory of the logs. */
enum { SEARCH_SHARE = 3 };

/* True from fathom_wait_states_begin on. */
static bool has_begun;

/* --- clocks --------------------------------------------------------------------------------------- */

static uint64_t read_clock(void *context)
{
	(void)context;
	return fathom_clock_ticks();
}

static double ticks_per_second(void *context)
{
	(void)context;
	return FATHOM_UNITS_PER_SECOND * 4294967296.0 / (double)fathom_clock_scale().units_per_tick_q32;
}

static struct fathom_clock_sync clocks = { .clock = { .now = read_clock, .ticks_per_second = ticks_per_second } };

void fathom_wait_states_begin(struct fathom_comm *comm)
{
	if (comm->size == 1 || has_begun)
		return;
	clocks.clock.name = fathom_clock_sync_name(fathom_clock_is_counter());
	if (fathom_clock_sync_begin(&clocks, comm))
		return;
	fathom_waits_recording_begin();
	has_begun = fathom_peek(&fathom_waits_recording);
}

/* --- what the search reads ---------------------------------------------------------------------- */

static double seconds(void *context, const struct fathom_waits_process *process, uint64_t ticks)
{
	const struct search *search = context;

	(void)process;
	return search->first_seconds + (double)(int64_t)(ticks - search->first_ticks) * search->seconds_per_tick;
}

static const struct fathom_node *caller_of(const struct fathom_node *node)
{
	return node->is_anchor ? ((const struct fathom_anchor_node *)node)->origin : node->parent;
}

static uint64_t hash_of(const struct fathom_node *node)
{
	return (uint64_t)(uintptr_t)node * 0x9e3779b97f4a7c15u;
}

static uint64_t digest_of(struct search *search, const struct fathom_node *node);

/* Computes the digest from that of the caller. An anchor node stands for its origin; the root of all call paths has the
 * name of the program, which may differ. */
static uint64_t make_digest(struct search *search, const struct fathom_node *node)
{
	const struct fathom_node *caller = caller_of(node);

	if (!caller)
		return 1;
	if (node->is_anchor || !node->region)
		return digest_of(search, caller);
	return fathom_digest_step(digest_of(search, caller), node->region);
}

static uint64_t digest_of(struct search *search, const struct fathom_node *node)
{
	int reserved = fathom_number_table_reserve(&search->digest_table, &search->arena, search->digest_count);
	uint64_t digest;
	uint32_t *slot;

	if (reserved < 0)
		return make_digest(search, node);
	for (uint32_t i = 0; reserved && i < search->digest_count; i++)
		fathom_number_table_put(&search->digest_table, hash_of(search->digests[i].node), i);
	for (slot = fathom_number_table_first(&search->digest_table, hash_of(node)); *slot;
	     slot = fathom_number_table_next(&search->digest_table, slot))
		if (search->digests[*slot - 1].node == node)
			return search->digests[*slot - 1].digest;
	digest = make_digest(search, node);
	if (!fathom_arena_grow(&search->arena, &search->digests, &search->digest_room, search->digest_count + 1,
			       sizeof(*search->digests)))
		return digest;
	/* The digests of callers may have been added meanwhile, and the table may have grown. */
	reserved = fathom_number_table_reserve(&search->digest_table, &search->arena, search->digest_count);
	if (reserved < 0)
		return digest;
	for (uint32_t i = 0; reserved && i < search->digest_count; i++)
		fathom_number_table_put(&search->digest_table, hash_of(search->digests[i].node), i);
	search->digests[search->digest_count] = (struct known_digest){ node, digest };
	fathom_number_table_put(&search->digest_table, hash_of(node), search->digest_count++);
	return digest;
}

static uint64_t digest(void *context, const struct fathom_waits_process *process,
		       const struct fathom_waits_location *location, uint64_t call_path)
{
	(void)process, (void)location;
	return digest_of(context, (const struct fathom_node *)(uintptr_t)call_path);
}

/* Opens the logs of all locations, in the order of their numbers. 0 or -errno. */
static int open_logs(struct search *search, uint64_t end_ticks)
{
	uint32_t count = 0, at;
	int err = 0;

	for (struct fathom_waits_log *log = fathom_waits_log_newest(); log; log = log->older)
		count++;
	search->locations = fathom_arena_alloc(&search->arena, (count + 1) * sizeof(*search->locations));
	search->logs = fathom_arena_alloc(&search->arena, (count + 1) * sizeof(*search->logs));
	if (!search->locations || !search->logs)
		return -ENOMEM;
	for (struct fathom_waits_log *log = fathom_waits_log_newest(); log && !err; log = log->older) {
		struct fathom_waits_whole_log whole;

		err = fathom_waits_log_open(log, end_ticks, &whole);
		if (err)
			break;
		for (at = search->process.location_count++; at && search->locations[at - 1].number > log->id; at--) {
			search->locations[at] = search->locations[at - 1];
			search->logs[at] = search->logs[at - 1];
		}
		search->logs[at] = whole;
		search->locations[at] = (struct fathom_waits_location){
			.number = log->id,
			.count = whole.count,
			.records = whole.records,
			.file_records = whole.file_records,
			.lost = whole.lost,
		};
	}
	search->process.locations = search->locations;
	return err;
}

static void close_logs(struct search *search)
{
	for (uint32_t i = 0; i < search->process.location_count; i++)
		fathom_waits_log_close(&search->logs[i]);
}

/* Describes count communicators or windows of the logs, which find returns by their numbers. NULL: no memory. */
static struct fathom_waits_communicator *
describe(struct search *search, uint32_t count, const struct fathom_waits_recorded_comm *(*find)(uint32_t number))
{
	struct fathom_waits_communicator *list = fathom_arena_alloc(&search->arena, (count + 1) * sizeof(*list));

	for (uint32_t i = 0; i < count && list; i++) {
		const struct fathom_waits_recorded_comm *comm = find(i);

		if (!comm)
			continue;
		list[i] = (struct fathom_waits_communicator){
			.identity = comm->identity,
			.count = comm->group.count,
			.position = comm->rank,
			.ranks = comm->group.ranks,
			.first = comm->group.first,
			.stride = comm->group.stride,
			.is_inter = comm->remote.count != 0,
		};
	}
	return list;
}

/* Describes the communicators and windows of the logs. 0 or -ENOMEM. */
static int list_communicators(struct search *search)
{
	search->process.communicator_count = fathom_waits_comm_count();
	search->communicators = describe(search, fathom_waits_comm_count(), fathom_waits_comm_find);
	search->process.communicators = search->communicators;
	search->process.window_count = fathom_waits_window_count();
	search->windows = describe(search, fathom_waits_window_count(), fathom_waits_window_find);
	search->process.windows = search->windows;
	return search->communicators && search->windows ? 0 : -ENOMEM;
}

/* Describes the largest Cartesian communicator of this process; of equally large ones, the one created first. */
static void find_grid(struct search *search)
{
#ifndef FATHOM_WITHOUT_TOPOLOGIES
	const struct fathom_cart *largest = NULL;
	bool is_cut;

	for (uint32_t i = 0; i < fathom_cart_count(&is_cut); i++) {
		const struct fathom_cart *cart = fathom_cart_by_id(i);

		if (cart->key && cart->comm < search->process.communicator_count &&
		    search->communicators[cart->comm].count == cart->size &&
		    (!largest || cart->size > largest->size ||
		     (cart->size == largest->size && cart->comm < largest->comm)))
			largest = cart;
	}
	if (!largest)
		return;
	search->grid = (struct fathom_waits_grid){
		.comm = largest->comm,
		.dimension_count = largest->count,
		.sizes = largest->sizes,
		.are_periodic = largest->are_periodic,
	};
	search->process.grid = &search->grid;
#else
	(void)search;
#endif
}

/* --- results -------------------------------------------------------------------------------------- */

/* Returns the metric of a pattern, which is defined at its first value. NULL: there is none. */
static const struct fathom_metric *metric_of(struct search *search, enum fathom_waits_pattern pattern)
{
	const struct fathom_waits_pattern_info *info = fathom_waits_pattern_info(pattern);

	if (!search->metrics[pattern])
		search->metrics[pattern] = fathom_metric_define(&(struct fathom_metric){
			.name = info->name,
			.unit = info->is_count ? "occ" : "sec",
			.description = info->description,
			.type = info->is_count ? FATHOM_METRIC_UINT64 : FATHOM_METRIC_DOUBLE,
			.mode = FATHOM_METRIC_FOUND,
		});
	return search->metrics[pattern];
}

/* Returns the node's entry for the metric, and makes it if necessary. NULL: no memory. Another thread may add its first
 * value of a metric to the node at the same moment; then one of the two entries is lost. */
static struct fathom_given *entry_of(struct search *search, struct fathom_node *node,
				     const struct fathom_metric *metric)
{
	struct fathom_tally *tally = __atomic_load_n(&node->tally, __ATOMIC_ACQUIRE);
	struct fathom_given *given = tally ? __atomic_load_n(&tally->given, __ATOMIC_ACQUIRE) : NULL;

	while (given && given->metric != metric)
		given = given->next;
	if (given)
		return given;
	if (!tally) {
		tally = fathom_arena_alloc(&search->arena,
					   sizeof(*tally) + fathom_metric_strict_count() * sizeof(*tally->metered));
		if (!tally)
			return NULL;
		__atomic_store_n(&node->tally, tally, __ATOMIC_RELEASE);
	}
	given = fathom_arena_alloc(&search->arena, sizeof(*given));
	if (!given)
		return NULL;
	given->metric = metric;
	given->next = tally->given;
	__atomic_store_n(&tally->given, given, __ATOMIC_RELEASE);
	return given;
}

/* Takes a result of the search. The file has the sum over a metric and its children in the metric itself, as it has for
 * time; so the value is added to the parents, too. */
static void add(void *context, const struct fathom_waits_process *process, const struct fathom_waits_location *location,
		uint64_t call_path, enum fathom_waits_pattern pattern, double value)
{
	struct search *search = context;
	int at = (int)pattern;

	(void)process, (void)location;
	for (; at != FATHOM_WAITS_NO_PARENT; at = fathom_waits_pattern_info((enum fathom_waits_pattern)at)->parent) {
		const struct fathom_metric *metric = metric_of(search, (enum fathom_waits_pattern)at);
		struct fathom_given *given =
			metric ? entry_of(search, (struct fathom_node *)(uintptr_t)call_path, metric) : NULL;
		uint64_t bits = (uint64_t)(value + 0.5);

		/* The profile has idle threads as a metric of its own. */
		if (!given || at == FATHOM_WAITS_IDLE_THREADS)
			continue;
		if (metric->type == FATHOM_METRIC_DOUBLE)
			memcpy(&bits, &value, sizeof(bits));
		given->sum = fathom_metric_sum(metric->type, given->sum, bits);
		given->count++;
	}
}

/* Takes the waiting for one message. Without memory it is left out. */
static void add_partner(void *context, const struct fathom_waits_process *process, uint32_t rank, bool is_receiver,
			double seconds)
{
	struct search *search = context;
	struct fathom_partner *partner = fathom_partners_make(&search->partners, &search->arena, rank, UINT32_MAX);

	(void)process;
	if (partner)
		partner->waited[is_receiver ? FATHOM_RECEIVED : FATHOM_SENT] += seconds;
}

/* --- the search ----------------------------------------------------------------------------------- */

/* Tells all ranks whether every rank is ready. 1: all are; 0: one is not; -errno: comm is broken. */
static int all_are(struct fathom_comm *comm, bool is_ready)
{
	int children[32], parent, count = fathom_comm_tree(comm->rank, comm->size, &parent, children), err = 0;
	int32_t ready = is_ready, below;

	for (int i = 0; i < count && !err; i++) {
		err = comm->receive(comm, children[i], &below, sizeof(below));
		ready = ready && !err && below;
	}
	if (parent >= 0 && !err)
		err = comm->send(comm, parent, &ready, sizeof(ready));
	if (!err)
		err = comm->broadcast(comm, 0, &ready, sizeof(ready));
	return err ? err : ready;
}

/* The clock of rank 0, to whose seconds all times are converted. */
struct reference {
	uint64_t begin_ticks;
	double seconds_per_tick;
};

/* Compares the clocks for the second time, and determines how times are converted. 0 or -errno. */
static int agree_on_clock(struct search *search, struct fathom_comm *comm, const struct fathom_result *result)
{
	const struct fathom_clock_sync_point *first = &clocks.points[0], *last = &clocks.points[1];
	struct reference reference = {
		.begin_ticks = result->end_ticks - result->wall_ticks,
		.seconds_per_tick = 1 / ticks_per_second(NULL),
	};
	int err = fathom_clock_sync_end(&clocks, comm);

	if (!err)
		err = comm->broadcast(comm, 0, &reference, sizeof(reference));
	search->first_ticks = first->ticks;
	search->first_seconds = (double)(int64_t)(first->ticks + (uint64_t)first->offset - reference.begin_ticks) *
				reference.seconds_per_tick;
	search->seconds_per_tick = reference.seconds_per_tick *
				   (1 + (double)(last->offset - first->offset) / (double)(last->ticks - first->ticks));
	return err;
}

static int run_search(struct search *search, struct fathom_wait_states *states, struct fathom_comm *comm,
		      const struct fathom_result *result)
{
	int ready, err;

	search->process.rank = (uint32_t)comm->rank;
	search->input = (struct fathom_waits_input){
		.world_size = (uint32_t)comm->size,
		.process_count = 1,
		.processes = &search->process,
		.context = search,
		.seconds = seconds,
		.digest = digest,
		.add = add,
		.add_partner = add_partner,
		.scratch = fathom_waits_recording_directory(),
		.scratch_from = SEARCH_SHARE * fathom_waits_recording_bytes(),
	};
	err = open_logs(search, result->end_ticks);
	if (!err)
		err = list_communicators(search);
	if (!err)
		find_grid(search);
	ready = all_are(comm, !err);
	if (ready < 0)
		return ready;
	states->outcome = FATHOM_WAIT_STATES_FAILED;
	if (!ready)
		return 0;
	err = agree_on_clock(search, comm, result);
	if (!err)
		err = fathom_waits_search(comm, &search->input, &states->summary);
	if (!err)
		states->outcome = FATHOM_WAIT_STATES_FOUND;
	states->partners = search->partners;
	return err;
}

/* Returns whether the program communicates in sessions of MPI only: this process has recorded communicators with other
 * processes, but there was no MPI_Init, in which fathom gets a communicator of its own. */
static bool is_apart(void)
{
	bool is_any = false;

	for (uint32_t i = 0; i < fathom_waits_comm_count() && !is_any; i++) {
		const struct fathom_waits_recorded_comm *comm = fathom_waits_comm_find(i);

		is_any = comm && comm->group.count + comm->remote.count > 1;
	}
	return is_any && !has_begun;
}

int fathom_wait_states_find(struct fathom_wait_states *states, struct fathom_comm *comm,
			    const struct fathom_result *result)
{
	static struct search search;	/* static, because the results in the nodes are in its arena */
	struct fathom_tick_scale scale = fathom_clock_scale();
	uint64_t begin = fathom_clock_ticks();
	int ready, err;

	memset(states, 0, sizeof(*states));
	if (comm->size == 1) {
		if (has_begun && result->incomplete)
			states->outcome = FATHOM_WAIT_STATES_MISSED;
		else if (is_apart())
			states->outcome = FATHOM_WAIT_STATES_APART;
		return 0;
	}
	fathom_waits_recording_end();
	ready = all_are(comm, has_begun);
	if (ready <= 0)
		return ready;
	err = run_search(&search, states, comm, result);
	close_logs(&search);
	states->seconds = (double)fathom_ticks_to_units(scale, fathom_clock_ticks() - begin) / FATHOM_UNITS_PER_SECOND;
	fathom_log(FATHOM_LOG_INFO, "wait states: %lu operations, %lu messages, %lu collectives; searched in %lu ms",
		   (unsigned long)states->summary.operations, (unsigned long)states->summary.messages,
		   (unsigned long)states->summary.collectives, (unsigned long)(states->seconds * 1000));
	return err;
}
