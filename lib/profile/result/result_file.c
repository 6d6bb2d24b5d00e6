#include "profile/result/result_file.h"

#include <errno.h>
#include <string.h>

#include "cube/writer/writer.h"
#include "platform/arena.h"
#include "platform/log.h"
#include "profile/unification/call_path_digest.h"
#include "profile/result/call_path_merging.h"
#include "profile/result/call_path_numbers.h"
#include "profile/result/column_writers.h"
#include "profile/unification/iteration_maps.h"
#include "profile/result/cube_model.h"
#include "profile/result/result_system.h"
#include "profile/result/result_topologies.h"
#include "profile/result/value_collection.h"

/* What rank 0 sends to all ranks after the reduction. */
struct plan {
	int32_t err;		/* not 0: the file cannot be written, and all ranks return this error */
	int32_t pad;
	struct fathom_collect_plan collect;
	uint64_t metrics[FATHOM_METRIC_MOST];	/* hashes of the union's metrics, see fathom_union_metric_hash */
	uint32_t metric_count;
	uint32_t pad2;
};

/* Data that only rank 0 has. */
struct root {
	const struct fathom_result *result;
	struct fathom_result_system *system;
	const struct fathom_topologies *topologies;
	struct fathom_digests digests;	/* digests of the nodes of the union's tree before call paths were merged */
	uint32_t known;			/* number of these nodes */
	struct fathom_model model;
	struct fathom_file_layout layout;
	struct fathom_cube_writer *writer;
	uint32_t *order;		/* by cnode: the node of the union's tree */
	uint32_t *numbers;		/* by such a node: its cnode */
};

/* Reports events that are missing in the profile, and the setting that helps. */
static void say_dropped(const struct fathom_union *u)
{
	const uint64_t *dropped = u->totals.dropped;

	if (dropped[FATHOM_DROP_NODES])
		fathom_log(FATHOM_LOG_SAY,
			   "%lu calls have no call path of their own and are charged to {truncated}: a larger "
			   "FATHOM_NODES keeps more",
			   (unsigned long)dropped[FATHOM_DROP_NODES]);
	if (dropped[FATHOM_DROP_DEPTH] || dropped[FATHOM_DROP_MEMORY])
		fathom_log(FATHOM_LOG_SAY, "%lu calls were not recorded, because the system gave no more memory",
			   (unsigned long)(dropped[FATHOM_DROP_DEPTH] + dropped[FATHOM_DROP_MEMORY]));
	if (u->metrics_lost)
		fathom_log(FATHOM_LOG_SAY, "the processes have more than %u metrics; others are not in the profile",
			   (unsigned)FATHOM_METRIC_MOST);
	if (dropped[FATHOM_DROP_UNBALANCED])
		fathom_log(FATHOM_LOG_INFO, "%lu exits of functions came without an enter and were ignored",
			   (unsigned long)dropped[FATHOM_DROP_UNBALANCED]);
	fathom_log(FATHOM_LOG_INFO, "%lu events, %u call paths, %u regions, %u processes",
		   (unsigned long)u->totals.events, u->tree.count, u->region_count, u->process_count);
}

/* Names the regions, merges call paths that the file cannot distinguish, and numbers the call paths. Sets order[i] to
 * the node of the union's tree that is cnode i, and numbers[i] to the cnode of the node that was number i before the
 * merging. 0 or -ENOMEM. */
static int number_cnodes(struct fathom_union *u, const struct fathom_result *result, uint32_t *order, uint32_t *numbers)
{
	uint32_t known = u->tree.count;
	uint32_t *place;
	int err = fathom_model_name_regions(u, result);

	if (!err)
		err = fathom_union_merge_call_paths(u, numbers);
	if (err)
		return err;
	place = fathom_arena_alloc(&u->arena, ((size_t)u->tree.count + 1) * sizeof(*place));
	if (!place)
		return -ENOMEM;
	fathom_tree_order(&u->tree, order);
	for (uint32_t i = 0; i < u->tree.count; i++)
		place[order[i]] = i;
	for (uint32_t i = 0; i < known; i++)
		numbers[i] = place[numbers[i]];
	return 0;
}

/* --- before the values ------------------------------------------------------------------------ */

static int make_layout(struct root *root)
{
	struct fathom_model *model = &root->model;

	root->layout.threads = model->threads;
	root->layout.value_count = model->value_count;
	for (uint32_t v = FATHOM_VALUE_METRICS; v < model->value_count; v++)
		root->layout.types[v - FATHOM_VALUE_METRICS] = (uint8_t)fathom_model_type(model, v);
	root->layout.columns = *fathom_cube_writer_columns(root->writer);
	root->layout.values = fathom_arena_alloc(&model->arena,
						 model->cube.metric_count * sizeof(*root->layout.values));
	if (!root->layout.values)
		return -ENOMEM;
	for (uint32_t m = 0; m < model->cube.metric_count; m++)
		root->layout.values[m] = model->metrics[m].value;
	return 0;
}

static int open_file(struct root *root, struct fathom_union *u)
{
	const struct fathom_result *result = root->result;
	struct fathom_model *model = &root->model;
	int err = fathom_model_init(model, u, root->order, fathom_result_system_elements(root->system),
				    root->system->system.total.locations, result);

	if (err)
		return err;
	err = fathom_topologies_put(root->topologies, &model->cube, &model->arena);
	if (err)
		goto free_model;
	err = fathom_cube_writer_open(&root->writer, result->path, &model->cube, fathom_model_present, model,
				      result->begin_seconds);
	if (err)
		goto free_model;
	err = make_layout(root);
	if (err)
		goto remove_file;
	return 0;

remove_file:
	fathom_cube_writer_abandon(root->writer);
free_model:
	fathom_model_fini(model);
	return err;
}

static int note_iterations(struct root *root, struct fathom_union *u, const struct fathom_comm *comm)
{
	int64_t count = fathom_iterations_attributes(u, &root->digests, root->known, root->numbers,
						     comm->size > 1 ? -1 : root->result->rank, &u->notes);

	u->note_count = count > 0 ? (uint32_t)count : 0;
	return count < 0 ? (int)count : 0;
}

/* Does everything that can fail before the values are collected. Afterwards the file is open, or plan->err is not 0. */
static void prepare(struct root *root, struct plan *plan, struct fathom_union *u, struct fathom_comm *comm)
{
	struct fathom_collect_plan *collect = &plan->collect;
	uint32_t group_size = fathom_collect_group_size(), ranks = (uint32_t)comm->size;

	plan->err = fathom_union_note_paths(u, comm, &root->digests);
	if (!plan->err && u->iterations.first && !root->digests.paths)
		plan->err = fathom_digests_make(&root->digests, &u->arena, u, u->tree.count, false);
	if (plan->err)
		return;
	root->known = u->tree.count;
	root->order = fathom_arena_alloc(&u->arena, ((size_t)u->tree.count + 1) * sizeof(*root->order));
	root->numbers = fathom_arena_alloc(&u->arena, ((size_t)u->tree.count + 1) * sizeof(*root->numbers));
	plan->err = root->order && root->numbers ? number_cnodes(u, root->result, root->order, root->numbers) : -ENOMEM;
	if (!plan->err)
		plan->err = note_iterations(root, u, comm);
	if (!plan->err)
		plan->err = open_file(root, u);
	if (plan->err)
		return;
	collect->group_size = group_size < ranks ? group_size : ranks;
	collect->cnode_count = u->tree.count;
	collect->block_cnodes = fathom_value_block_cnodes(&root->layout,
							  (uint64_t)collect->group_size * u->most_locations,
							  FATHOM_COLLECT_BYTES);
	plan->metric_count = u->metric_count;
	for (uint32_t m = 0; m < u->metric_count; m++)
		plan->metrics[m] = fathom_union_metric_hash(&u->metrics[m]);
}

/* --- the values ----------------------------------------------------------------------------- */

/* Ends an attempt at rank 0: the file is complete, or removed, or a second attempt follows. */
static void conclude(struct root *root, bool is_second, struct fathom_verdict *verdict)
{
	verdict->is_again = verdict->is_curable && !is_second;
	if (verdict->is_again) {
		fathom_log(FATHOM_LOG_SAY, "rank %d cannot write to %s by MPI-IO (%s): rank 0 writes for all",
			   verdict->rank, root->result->path, strerrordesc_np(-verdict->err));
		return;
	}
	if (verdict->err)
		fathom_cube_writer_abandon(root->writer);
	else
		verdict->err = fathom_cube_writer_close(root->writer);
	root->writer = NULL;
}

/* Writes the values to the file, in a second attempt if necessary. root: NULL except at rank 0. *verdict is valid at
 * all ranks. */
static int collect(struct fathom_collect *collect, struct root *root, struct fathom_verdict *verdict)
{
	bool is_second = false;
	int err;

	do {
		memset(verdict, 0, sizeof(*verdict));
		err = fathom_collect(collect, is_second, verdict);
		if (!err && root)
			conclude(root, is_second, verdict);
		if (!err)
			err = collect->comm->broadcast(collect->comm, 0, verdict, sizeof(*verdict));
		is_second = true;
	} while (!err && verdict->is_again);
	return err;
}

/* Finds the numbers of this process's metrics in the union. */
static void map_metrics(const struct plan *plan, uint32_t own_count, struct fathom_metric_map *map)
{
	memset(map, FATHOM_METRIC_NOT_KEPT, sizeof(*map));
	for (uint32_t m = 0; m < own_count; m++) {
		uint64_t hash = fathom_union_metric_hash(fathom_metric_by_id(m));

		for (uint32_t i = 0; i < plan->metric_count; i++)
			if (plan->metrics[i] == hash)
				map->ours[m] = (uint8_t)i;
	}
}

/* Writes the values, after all ranks have got the numbers of their call paths. */
static int write_values(struct fathom_union *u, const struct fathom_process_tree *process, struct fathom_comm *comm,
			const struct plan *plan, const uint32_t *numbers, const struct fathom_result_system *system,
			struct root *root, struct fathom_verdict *verdict)
{
	struct fathom_arena arena = { 0 };
	struct fathom_file_layout layout = { 0 };
	struct fathom_column_writers writers;
	struct fathom_value_sender sender;
	struct fathom_collect what = {
		.comm = comm, .plan = &plan->collect,
		.own = {
			.rank = comm->rank,
			.column = (uint32_t)system->system.before.locations,
			.count = u->own.location_count,
			.threads = u->own.threads,
		},
	};
	struct fathom_metric_map map;
	int err = 0, no_layout = 0, lacking = -ENOMEM;

	u->numbers = numbers;
	u->first_column = (uint32_t)system->system.before.locations;
	if (numbers) {
		map_metrics(plan, u->own.value_count - FATHOM_VALUE_METRICS, &map);
		lacking = fathom_value_sender_init(&sender, &u->own, process, numbers, &map, plan->collect.cnode_count,
						   plan->collect.block_cnodes);
	}
	if (!lacking)
		what.sender = &sender;
	if (comm->rank % (int)plan->collect.group_size == 0) {
		struct fathom_file_layout *its = root ? &root->layout : &layout;

		fathom_column_writers_init(&writers, comm, plan->collect.group_size);
		what.writers = &writers;
		if (root) {
			what.output = fathom_cube_writer_output(root->writer);
			what.path = fathom_cube_writer_part(root->writer);
		}
		if (!err)
			err = fathom_column_writers_share_layout(&writers, &arena, its, &what.path, &no_layout);
		what.layout = no_layout ? NULL : its;
	}
	if (!err)
		err = collect(&what, root, verdict);
	if (!lacking)
		fathom_value_sender_fini(&sender);
	fathom_arena_fini(&arena);
	return err;
}

static int write_at_root(struct fathom_union *u, const struct fathom_process_tree *process, struct fathom_comm *comm,
			 const struct fathom_result *result, struct fathom_result_system *system,
			 const struct fathom_topologies *topologies, struct fathom_verdict *verdict)
{
	struct plan plan = { .err = 0 };
	struct root root = { .result = result, .system = system, .topologies = topologies };
	bool has_numbers;
	int err;

	prepare(&root, &plan, u, comm);
	err = fathom_union_hand_back(u, comm, &plan, sizeof(plan), &root.digests, root.known,
				     plan.err ? NULL : root.numbers, &has_numbers);
	if (plan.err)
		return plan.err;
	if (!err)
		err = write_values(u, process, comm, &plan, root.numbers, system, &root, verdict);
	if (root.writer)	/* comm is broken */
		fathom_cube_writer_abandon(root.writer);
	say_dropped(u);
	fathom_model_fini(&root.model);
	return err ? err : verdict->err;
}

/* What all ranks except rank 0 do. */
static int take_part(struct fathom_union *u, const struct fathom_process_tree *process, struct fathom_comm *comm,
		     const struct fathom_result_system *system, struct fathom_verdict *verdict)
{
	uint32_t *numbers = fathom_arena_alloc(&u->arena, ((size_t)u->own_count + 1) * sizeof(*numbers));
	bool has_numbers;
	struct plan plan;
	int err = fathom_union_hand_back(u, comm, &plan, sizeof(plan), NULL, 0, numbers, &has_numbers);

	if (err || plan.err)
		return err ? err : plan.err;
	return write_values(u, process, comm, &plan, has_numbers ? numbers : NULL, system, NULL, verdict);
}

int fathom_result_write(struct fathom_union *u, const struct fathom_process_tree *process, struct fathom_comm *comm,
			const struct fathom_result *result)
{
	struct fathom_verdict verdict = { 0 };
	struct fathom_topologies topologies;
	struct fathom_result_system system;
	int err = fathom_result_system_find(&system, u, process, comm, result);

	if (err)
		return err;
	err = fathom_topologies_collect(&topologies, u, process, &system, comm);
	if (!err && comm->rank == 0)
		err = write_at_root(u, process, comm, result, &system, &topologies, &verdict);
	else if (!err)
		err = take_part(u, process, comm, &system, &verdict);
	if (!err)
		err = verdict.err;
	if (err && result->failed_rank)
		*result->failed_rank = verdict.rank;
	fathom_topologies_fini(&topologies);
	fathom_result_system_fini(&system);
	return err;
}
