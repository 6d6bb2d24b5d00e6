#include "profile/unification/unification.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "profile/budget/budget.h"
#include "profile/budget/budget_estimates.h"
#include "profile/unification/iteration_maps.h"
#include "profile/unification/call_path_digest.h"
#include "profile/unification/subtree_pruning.h"
#include "profile/unification/union_message.h"
#include "profile/process_tree/call_path_values.h"

/* --- the part of this process ---------------------------------------------------------------- */

static int add_snapshot(struct fathom_union *u, const struct fathom_process_tree *process)
{
	uint32_t known = fathom_region_count();
	uint32_t *index = fathom_arena_alloc(&u->arena, (known + 1) * sizeof(*index));	/* 1 + index in the union; 0:
											 * not added yet */
	uint64_t *values = fathom_arena_alloc(&u->arena, (size_t)process->value_count *
					      (process->location_count + 1) * sizeof(*values));

	if (!index || !values || fathom_aggregate_init(&u->own, &u->arena, process, fathom_aggregate_chosen()))
		return -ENOMEM;
	for (uint32_t i = 0; i < process->tree.count; i++) {
		const struct fathom_tree_node *node = &process->tree.nodes[i];
		fathom_presence present = fathom_process_tree_values(process, i, values);

		present |= fathom_budget_estimates_add(process, i, values);
		fathom_aggregate_add_path(&u->own, i, fathom_region_by_id(node->key), values);

		if (!index[node->key]) {
			int64_t added = fathom_union_add_region(u, fathom_region_by_id(node->key), false);

			if (added < 0)
				return -ENOMEM;
			fathom_union_note_disabled(u, added, fathom_budget_disabled_ns(node->key, process->scale));
			index[node->key] = (uint32_t)added + 1;
		}
		if (i == 0) {
			if (fathom_union_add_root(u, index[node->key] - 1, present))
				return -ENOMEM;
		} else if (fathom_union_add_node(u, node->parent, index[node->key] - 1, present) != i) {
			return -ENOMEM;
		}
	}
	return fathom_aggregate_finish(&u->own, &u->arena);
}

/* --- from the children to the parent --------------------------------------------------------- */

static int add_own(struct fathom_union *u, const struct fathom_process_tree *process, uint32_t rank)
{
	if (add_snapshot(u, process))
		return -ENOMEM;
	for (uint32_t m = 0; m + FATHOM_VALUE_METRICS < process->value_count; m++)
		fathom_union_add_metric(u, fathom_metric_by_id(m), false);
	u->own_count = u->tree.count;
	u->process_count = 1;
	u->most_locations = u->own.location_count;
	u->threads = u->own.threads;
	return fathom_iterations_add_own(u, process, rank);
}

/* Adds the counts of other processes, or takes the maximum. */
static void add_counts(struct fathom_union *u, const struct fathom_counts *part)
{
	u->totals.events += part->totals.events;
	u->totals.cost.inside_units += part->totals.cost.inside_units;
	u->totals.cost.outside_units += part->totals.cost.outside_units;
	for (int i = 0; i < FATHOM_SAMPLES_COUNT; i++)
		u->totals.samples[i] += part->totals.samples[i];
	for (int why = 0; why < FATHOM_DROP_COUNT; why++)
		u->totals.dropped[why] += part->totals.dropped[why];
	u->metrics_lost += part->metrics_lost;
	u->process_count += part->process_count;
	u->is_mixed |= part->is_mixed || part->threads != u->threads;
	if (part->usage.wall_units > u->usage.wall_units)
		u->usage.wall_units = part->usage.wall_units;
	u->usage.processor_ns += part->usage.processor_ns;
	fathom_capacity_add(&u->usage.capacity, &part->usage.capacity);
	if (part->most_locations > u->most_locations)
		u->most_locations = part->most_locations;
}

static struct fathom_counts counts_of(const struct fathom_union *u)
{
	return (struct fathom_counts){
		.totals = u->totals,
		.usage = u->usage,
		.process_count = u->process_count,
		.most_locations = u->most_locations,
		.threads = u->threads,
		.is_mixed = u->is_mixed,
		.metrics_lost = u->metrics_lost,
	};
}

/* How a rank sends the union of its subtree of ranks: not at all, because of an error; not at all, because the parent
 * has the same; completely; or without equal sub-trees. */
enum { COMES_NOT, COMES_SAME, COMES_WHOLE, COMES_PRUNED };

struct hello {
	uint32_t how;
	uint32_t is_uniform;	/* all ranks below have the same call paths as their parents */
	uint64_t iteration_bytes, iterations_lost;
	struct fathom_counts counts;
};

/* A union of at most this many bytes is sent completely, because finding equal sub-trees would take longer. */
enum { SMALL_BYTES = 4096 };

static int send_up(struct fathom_union *u, struct fathom_comm *comm)
{
	struct fathom_arena scratch = { 0 };
	struct fathom_digests digests;
	struct fathom_digest theirs;
	struct hello hello = { .how = COMES_NOT, .is_uniform = u->is_uniform, .counts = counts_of(u) };
	int err = comm->receive(comm, u->parent, &theirs, sizeof(theirs));

	if (!u->err)
		u->err = fathom_digests_make(&digests, &scratch, u, u->tree.count, true);
	if (!u->err) {
		fathom_iterations_pack(u);
		hello.iteration_bytes = u->iterations.bytes;
		hello.iterations_lost = u->iterations.lost;
	}
	if (!u->err)
		hello.how = fathom_digest_same(theirs, digests.trees[0]) ? COMES_SAME :
			    fathom_union_message_bytes(u) <= SMALL_BYTES ? COMES_WHOLE : COMES_PRUNED;
	if (!err)
		err = comm->send(comm, u->parent, &hello, sizeof(hello));
	if (!err && hello.how == COMES_WHOLE)
		err = fathom_union_message_send(u, comm, u->parent, &u->err);
	if (!err && hello.how == COMES_PRUNED)
		err = fathom_pruned_send(u, &digests, comm, u->parent, &u->err);
	if (!err && hello.iteration_bytes)
		err = fathom_iterations_send(u, comm, u->parent);
	fathom_arena_fini(&scratch);
	return err;
}

static int receive_child(struct fathom_union *u, struct fathom_comm *comm, int child)
{
	struct hello hello;
	int err = comm->receive(comm, child, &hello, sizeof(hello));

	if (err)
		return err;
	if (hello.how == COMES_NOT)
		u->err = -ENOMEM;
	add_counts(u, &hello.counts);
	u->is_uniform &= hello.is_uniform && hello.how == COMES_SAME;
	if (hello.how == COMES_WHOLE)
		err = fathom_union_message_receive(u, comm, child);
	if (hello.how == COMES_PRUNED)
		err = fathom_pruned_receive(u, comm, child);
	u->iterations.lost += hello.iterations_lost;
	if (!err && hello.iteration_bytes)
		err = fathom_iterations_receive(u, comm, child, hello.iteration_bytes);
	return err;
}

/* Sends the digest of this rank's tree to the children: a child with an equal tree need not send its own. */
static int send_digest_to_children(const struct fathom_union *u, struct fathom_comm *comm, const int *children)
{
	struct fathom_arena scratch = { 0 };
	struct fathom_digests digests;
	struct fathom_digest own = { 0, 0 };
	int err = 0;

	if (u->child_count && !u->err && !fathom_digests_make(&digests, &scratch, u, u->tree.count, true))
		own = digests.trees[0];
	for (int i = 0; i < u->child_count && !err; i++)
		err = comm->send(comm, children[i], &own, sizeof(own));
	fathom_arena_fini(&scratch);
	return err;
}

int fathom_union_reduce(struct fathom_union *u, struct fathom_comm *comm, const struct fathom_process_tree *process,
			const struct fathom_usage *usage)
{
	int children[32], err;

	memset(u, 0, sizeof(*u));
	if (process)
		u->totals = process->totals;
	u->usage = *usage;
	u->is_uniform = true;
	u->child_count = fathom_comm_tree(comm->rank, comm->size, &u->parent, children);
	u->err = process ? add_own(u, process, (uint32_t)comm->rank) : -ENOMEM;
	err = send_digest_to_children(u, comm, children);
	for (int i = 0; i < u->child_count && !err; i++)
		err = receive_child(u, comm, children[i]);
	if (err)
		return err;
	return u->parent < 0 ? 0 : send_up(u, comm);
}
