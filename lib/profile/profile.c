#include "profile/profile.h"

#include "define/region.h"
#include "event/location.h"
#include "event/locks/locks.h"
#include "event/sample.h"
#include "event/substrate.h"
#include "platform/settings.h"
#include "profile/recording/anchor_nodes.h"
#include "profile/recording/burst_log.h"
#include "profile/recording/burst_stage.h"
#include "profile/budget/budget.h"
#include "profile/recording/callpath.h"
#include "profile/recording/folding.h"
#include "profile/recording/given_metrics.h"
#include "profile/recording/iteration_clusters.h"
#include "profile/recording/metered.h"
#include "profile/recording/parameter_call_paths.h"
#include "profile/recording/partners.h"
#include "profile/process_tree/idleness_values.h"
#include "profile/process_tree/process_tree.h"
#include "profile/result/burst_result.h"
#include "profile/result/message_file.h"
#include "profile/result/processor_usage.h"
#include "profile/result/result_file.h"
#include "profile/result/result_system.h"
#include "profile/result/sample_file.h"
#include "profile/recording/sample_store.h"
#include "profile/process_tree/sampled_call_paths.h"
#include "profile/budget/sampling_point.h"
#include "profile/recording/task_call_paths.h"
#include "profile/process_tree/thread_aggregation.h"
#include "profile/result/wait_states.h"
#include "profile/unification/unification.h"
#include "profile/result/value_collection.h"
#include "profile/recording/wait_records.h"
#include "profile/recording/window_records.h"
#include "system/system_path.h"
#include "waits/recording.h"

static void count_send(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer, int32_t tag,
		       uint64_t bytes, uint64_t request)
{
	(void)comm, (void)peer, (void)tag, (void)request;
	fathom_callpath_count_message(self, FATHOM_COUNTER_BYTES_SENT, bytes);
}

static void count_receive(struct fathom_location *self, const struct fathom_communicator *comm, int32_t peer,
			  int32_t tag, uint64_t bytes, uint64_t request)
{
	(void)comm, (void)peer, (void)tag, (void)request;
	fathom_callpath_count_message(self, FATHOM_COUNTER_BYTES_RECEIVED, bytes);
}

static void count_collective(struct fathom_location *self, const struct fathom_communicator *comm,
			     enum fathom_collective operation, int32_t root, uint64_t bytes_sent,
			     uint64_t bytes_received, uint64_t request)
{
	(void)comm, (void)operation, (void)root, (void)request;
	if (bytes_sent)
		fathom_callpath_count(self, FATHOM_COUNTER_BYTES_SENT, bytes_sent);
	if (bytes_received)
		fathom_callpath_count(self, FATHOM_COUNTER_BYTES_RECEIVED, bytes_received);
}

/* --- the same, with records for the search for wait states ------------------------------------------- */

static void record_collective(struct fathom_location *self, const struct fathom_communicator *comm,
			      enum fathom_collective operation, int32_t root, uint64_t bytes_sent,
			      uint64_t bytes_received, uint64_t request)
{
	/* The profile counts no bytes of a call that is recorded only for the matching. */
	if (likely(!(self->top->flags & FATHOM_FRAME_MATCH_ONLY)))
		count_collective(self, comm, operation, root, bytes_sent, bytes_received, request);
	if (fathom_peek(&fathom_waits_recording))
		fathom_wait_record_collective(self, comm, operation, root, bytes_sent + bytes_received, request);
}

static void synchronize(struct fathom_comm *comm)
{
	fathom_wait_states_begin(comm);
}

/* Counts messages by partner, for which the ranks of the members of communicators must be known. */
static void use_partner_counts(struct fathom_substrate *substrate)
{
	substrate->send = fathom_wait_record_count_send;
	substrate->receive = fathom_wait_record_count_receive;
	substrate->comm_note = fathom_wait_record_comm;
	substrate->comm_note_operation = fathom_wait_record_comm_operation;
}

static void use_wait_records(struct fathom_substrate *substrate)
{
	substrate->send = fathom_wait_record_send;
	substrate->send_complete = fathom_wait_record_send_complete;
	substrate->receive_begin = fathom_wait_record_receive_begin;
	substrate->receive_matched = fathom_wait_record_receive_begin;
	substrate->receive = fathom_wait_record_receive;
	substrate->request_cancelled = fathom_wait_record_request_cancelled;
	substrate->collective_begin = fathom_wait_record_collective_begin;
	/* Nothing is recorded before all processes of MPI_COMM_WORLD are known, and where there is only one. */
	substrate->follows_requests = &fathom_waits_recording;
	substrate->matches_unrecorded = &fathom_waits_recording;
	substrate->collective = record_collective;
	substrate->rma_step = fathom_window_record_step;
	substrate->synchronize = synchronize;
	substrate->comm_note = fathom_wait_record_comm;
	substrate->comm_note_operation = fathom_wait_record_comm_operation;
	substrate->comm_note_neighbors = fathom_wait_record_comm_neighbors;
	substrate->window_note = fathom_waits_window_note;
}

/* --- one-sided communication, files ------------------------------------------------------------------ */

static void count_rma(struct fathom_location *self, uint64_t bytes_put, uint64_t bytes_got)
{
	if (bytes_put)
		fathom_callpath_count(self, FATHOM_COUNTER_BYTES_PUT, bytes_put);
	if (bytes_got)
		fathom_callpath_count(self, FATHOM_COUNTER_BYTES_GET, bytes_got);
}

static void count_io(struct fathom_location *self, uint64_t bytes_read, uint64_t bytes_written)
{
	if (bytes_read)
		fathom_callpath_count(self, FATHOM_COUNTER_IO_READ, bytes_read);
	if (bytes_written)
		fathom_callpath_count(self, FATHOM_COUNTER_IO_WRITTEN, bytes_written);
}

static void add_lock_wait(struct fathom_location *self, uint64_t ticks, bool is_condition)
{
	fathom_callpath_count(self, is_condition ? FATHOM_COUNTER_CONDITION_WAIT : FATHOM_COUNTER_LOCK_WAIT, ticks);
}

/* Charges the function that called the lock function, not the lock function itself. */
static void add_lock_blame(struct fathom_location *self, const struct fathom_node *node, uint64_t ticks,
			   bool is_condition)
{
	while (node->region && node->parent &&
	       (node->region->role == FATHOM_ROLE_LOCK || node->region->activity == FATHOM_ACTIVITY_PTHREAD_CONDITION))
		node = node->parent;
	fathom_callpath_count_shared(self, (struct fathom_node *)node,
				     is_condition ? FATHOM_COUNTER_CONDITION_BLAME : FATHOM_COUNTER_LOCK_BLAME, ticks);
}

/* Charges the function that creates the task, not the construct. */
static void add_task_wait(struct fathom_location *self, void *origin, uint64_t ticks)
{
	struct fathom_node *node = origin;

	if (node->region && node->parent && node->region->role == FATHOM_ROLE_TASK_CREATE)
		node = node->parent;
	fathom_callpath_count_shared(self, node, FATHOM_COUNTER_TASK_WAIT, ticks);
}

static uint64_t scratch_ticks(const struct fathom_location *scratch)
{
	const struct fathom_callpaths *paths = scratch->substrate_data;
	const struct fathom_node *node = paths->root->first_child;

	return node ? node->inclusive_ticks : 0;
}

static int finish(struct fathom_comm *comm, const struct fathom_result *result)
{
	static char processors[FATHOM_PROCESSORS_TEXT];	/* static, because signal handlers have small stacks */
	struct fathom_result described = *result;
	struct fathom_process_tree process;
	struct fathom_wait_states waits;
	struct fathom_usage usage;
	struct fathom_union u = { .err = 0 };
	struct fathom_process_tree *built = &process;
	struct fathom_sample_numbers numbers;
	int err, broken;

	fathom_budget_end();
	fathom_event_locks_settle();
	if (result->may_allocate)
		fathom_sampled_events(result->sampling);
	broken = fathom_wait_states_find(&waits, comm, result);
	if (broken)
		return broken;
	err = fathom_process_tree_build(&process, &result->costs, result->end_ticks);
	if (!err && result->sampling)
		process.totals.samples[FATHOM_SAMPLES_DROPPED] += result->sampling->dropped;
	if (err && comm->size == 1)
		return err;
	if (err)
		built = NULL;
	/* The other processes wait for this one: without a process tree it takes part, and reports the error. */
	broken = fathom_usage_find(&usage, built, comm, result, processors);
	described.processors = *processors ? processors : NULL;
	err = broken ? broken : fathom_union_reduce(&u, comm, built, &usage);
	u.waits = &waits;
	if (!err)
		err = fathom_result_write(&u, &process, comm, &described);
	numbers = (struct fathom_sample_numbers){ u.numbers, u.own.location_of, u.first_column };
	if (!err)
		err = fathom_sample_file_write(comm, built, &numbers, result);
	if (!err)
		err = fathom_message_file_write(comm, &waits, result);
	if (!err)
		err = fathom_burst_result_write(comm, result);
	fathom_union_fini(&u);
	fathom_process_tree_fini(&process);
	return err;
}

/* Composes the chain of stages that the settings ask for, from its end. */
static void compose(struct fathom_substrate *substrate, const struct fathom_settings *settings)
{
	struct fathom_stage behind = settings->overhead ? fathom_sampling_point_end() : fathom_event_end_stage();

	if (settings->bursts && settings->mode & FATHOM_MODE_PROFILE)
		behind = fathom_burst_stage_before(behind);
	if (fathom_metric_strict_count())
		behind = fathom_metered_before(behind);
	substrate->chain = fathom_callpath_before(fathom_anchor_nodes_before(fathom_task_call_paths_before(behind)));
	if (settings->recursion == FATHOM_RECURSION_FOLD)
		substrate->chain = fathom_folding_before(substrate->chain, behind);
	/* The stage of folding calls the functions of parameters, which may use vector registers. */
	substrate->keeps_vectors = settings->recursion != FATHOM_RECURSION_FOLD;
}

const struct fathom_substrate *fathom_profile_substrate(const struct fathom_settings *settings)
{
	static struct fathom_substrate substrate = {
		.scratch_ticks = scratch_ticks,
		.uncount_visit = fathom_callpath_uncount_visit,
		.origin = fathom_callpath_origin,
		.send = count_send,
		.receive = count_receive,
		.collective = count_collective,
		.rma = count_rma,
		.io = count_io,
		.lock_wait = add_lock_wait,
		.lock_blame = add_lock_blame,
		.task_wait = add_task_wait,
		.parameter = fathom_callpath_parameter,
		.iteration = fathom_series_iteration,
		.metric = fathom_callpath_give,
		.sample = fathom_sample_store_take,
		.finish = finish,
	};

	fathom_system_path_remember();
	if (fathom_callpath_init(settings->nodes))
		return NULL;
	fathom_sample_store_limit(settings->nodes);
	fathom_sampled_fold(settings->recursion == FATHOM_RECURSION_FOLD);
	fathom_series_limit(settings->phase_clusters);
	fathom_result_system_choose(settings->system_tree, settings->system_split);
	fathom_collect_choose((uint32_t)settings->ranks_per_writer);
	fathom_aggregate_choose((enum fathom_threads)settings->threads);
	fathom_idleness_choose(settings->idleness);
	substrate.idle_blame = settings->idleness ? fathom_callpath_blame_for_idleness : NULL;
	if (settings->overhead) {
		substrate.sampling_point = fathom_budget_sampling_point;
		fathom_budget_init(settings->overhead);
	}
	fathom_waits_recording_init(settings->waits, settings->dir);
	if (settings->bursts && settings->mode & FATHOM_MODE_PROFILE) {
		fathom_burst_log_init(settings->bursts, settings->dir);
		substrate.on_off = fathom_burst_stage_on_off;
	}
	fathom_partners_most = (uint32_t)settings->messages;
	if (settings->waits)
		use_wait_records(&substrate);
	else if (settings->messages)
		use_partner_counts(&substrate);
	compose(&substrate, settings);
	return &substrate;
}
