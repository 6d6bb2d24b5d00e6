#include "system/tree_labels.h"

#include <errno.h>
#include <string.h>

#include "platform/log.h"
#include "system/inorder_tree.h"
#include "system/transfer.h"

/* The labels of a rank and the ranks below it in the tree. From `at` on, the stack has the runs, then for each
 * node, in the order of indices, its index and its name with a NUL. */
struct known {
	size_t at;
	uint64_t run_count;
	uint64_t name_bytes;	/* bytes behind the runs */
	int32_t too_many;	/* the names are too long and were dropped */
	int32_t err;
};

/* --- runs --------------------------------------------------------------------------------------------- */

/* Appends a run to another one if together they form one run. */
static bool joins(struct fathom_rank_run *run, const struct fathom_rank_run *next)
{
	int64_t last = (int64_t)run->rank + (int64_t)(run->count - 1) * run->stride, stride = next->rank - last;

	if (run->process + run->count != next->process || stride <= 0 || stride > INT32_MAX ||
	    (run->count > 1 && stride != run->stride) || (next->count > 1 && stride != next->stride))
		return false;
	run->count += next->count;
	run->stride = (int32_t)stride;
	return true;
}

/* --- merging -------------------------------------------------------------------------------------------- */

/* Returns the size of a name with its index in bytes. */
static size_t name_bytes(const char *name)
{
	return sizeof(uint64_t) + strlen(name + sizeof(uint64_t)) + 1;
}

static uint64_t index_of(const char *name)
{
	uint64_t index;

	memcpy(&index, name, sizeof(index));
	return index;
}

static size_t runs_bytes(const struct known *known)
{
	return known->run_count * sizeof(struct fathom_rank_run);
}

/* Merges the runs of both in order into `to`; returns their number. */
static uint64_t merge_runs(const struct fathom_rank_run *a, uint64_t a_count, const struct fathom_rank_run *b,
			   uint64_t b_count, struct fathom_rank_run *to)
{
	uint64_t count = 0;

	while (a_count || b_count) {
		bool is_a = a_count && (!b_count || a->process < b->process);
		const struct fathom_rank_run *next = is_a ? a++ : b++;

		--*(is_a ? &a_count : &b_count);
		if (!count || !joins(&to[count - 1], next))
			to[count++] = *next;
	}
	return count;
}

static void merge_names(const char *a, const char *a_end, const char *b, const char *b_end, char *to)
{
	while (a < a_end || b < b_end) {
		bool is_a = a < a_end && (b == b_end || index_of(a) < index_of(b));
		const char **next = is_a ? &a : &b;
		size_t bytes = name_bytes(*next);

		memcpy(to, *next, bytes);
		to += bytes;
		*next += bytes;
	}
}

/* Merges theirs, which is on top of ours, into ours. 0 or -ENOMEM. */
static int merge(struct fathom_byte_stack *stack, struct known *ours, const struct known *theirs)
{
	size_t our_names = ours->at + runs_bytes(ours), their_names = theirs->at + runs_bytes(theirs);
	size_t runs_at, names_at;
	uint64_t count;

	if (ours->too_many || theirs->too_many || ours->name_bytes + theirs->name_bytes > FATHOM_LABEL_BYTES)
		ours->too_many = 1;
	runs_at = fathom_byte_stack_push(stack, runs_bytes(ours) + runs_bytes(theirs));
	if (runs_at == SIZE_MAX)
		return -ENOMEM;
	count = merge_runs(fathom_byte_stack_at(stack, ours->at), ours->run_count, fathom_byte_stack_at(stack,
													theirs->at),
			   theirs->run_count, fathom_byte_stack_at(stack, runs_at));
	stack->used = runs_at + count * sizeof(struct fathom_rank_run);
	names_at = ours->too_many ? 0 : fathom_byte_stack_push(stack, ours->name_bytes + theirs->name_bytes);
	if (names_at == SIZE_MAX)
		return -ENOMEM;
	if (!ours->too_many) {
		const char *a = fathom_byte_stack_at(stack, our_names), *b = fathom_byte_stack_at(stack, their_names);

		merge_names(a, a + ours->name_bytes, b, b + theirs->name_bytes, fathom_byte_stack_at(stack, names_at));
	}
	ours->name_bytes = ours->too_many ? 0 : ours->name_bytes + theirs->name_bytes;
	ours->run_count = count;
	fathom_byte_stack_cut(stack, ours->at, runs_at);
	return fathom_byte_stack_align(stack);
}

/* --- up and down ------------------------------------------------------------------------------------------ */

static int put_own(struct fathom_byte_stack *stack, struct known *known, const struct fathom_system *system,
		   const struct fathom_system_path *place, uint32_t rank)
{
	struct fathom_rank_run run = { .process = system->before.processes, .count = 1, .rank = rank };

	known->at = fathom_byte_stack_push(stack, sizeof(run));
	if (known->at == SIZE_MAX)
		return -ENOMEM;
	memcpy(fathom_byte_stack_at(stack, known->at), &run, sizeof(run));
	known->run_count = 1;
	/* The outer levels come first. */
	for (uint32_t level = 0; level < place->levels; level++) {
		const char *name = fathom_system_path_name(place, level);
		size_t bytes = strlen(name) + 1, at;

		if (system->speaks_for[level] == UINT64_MAX)
			continue;
		at = fathom_byte_stack_push(stack, sizeof(uint64_t) + bytes);
		if (at == SIZE_MAX)
			return -ENOMEM;
		memcpy(fathom_byte_stack_at(stack, at), &system->speaks_for[level], sizeof(uint64_t));
		memcpy(fathom_byte_stack_at(stack, at + sizeof(uint64_t)), name, bytes);
		known->name_bytes += sizeof(uint64_t) + bytes;
	}
	return fathom_byte_stack_align(stack);
}

static int receive_known(struct fathom_comm *comm, int from, struct fathom_byte_stack *stack, struct known *ours)
{
	struct known theirs;
	uint64_t bytes;
	int err;

	if (from < 0)
		return 0;
	err = comm->receive(comm, from, &theirs, sizeof(theirs));
	if (err)
		return err;
	if (theirs.err) {
		ours->err = theirs.err;
		return 0;
	}
	bytes = runs_bytes(&theirs) + theirs.name_bytes;
	if (ours->err)
		return fathom_transfer_drop(comm, from, bytes);
	err = fathom_transfer_receive(comm, from, stack, bytes, &theirs.at);
	if (err)
		return err;
	if (theirs.at == SIZE_MAX || fathom_byte_stack_align(stack))
		ours->err = -ENOMEM;
	else
		ours->err = merge(stack, ours, &theirs);
	return 0;
}

static int send_known(struct fathom_comm *comm, int to, const struct fathom_byte_stack *stack,
		      const struct known *known)
{
	int err = comm->send(comm, to, known, sizeof(*known));

	if (err || known->err)
		return err;
	return fathom_transfer_send(comm, to, fathom_byte_stack_at(stack, known->at),
				    runs_bytes(known) + known->name_bytes);
}

/* Fills in the result at rank 0. */
static int finish(struct fathom_labels *labels, struct fathom_byte_stack *stack, struct known *known, uint64_t nodes)
{
	size_t names_at = 0, at = known->at + runs_bytes(known);

	if (!known->too_many)
		names_at = fathom_byte_stack_push(stack, nodes * sizeof(char *));
	if (names_at == SIZE_MAX)
		return -ENOMEM;
	labels->runs = fathom_byte_stack_at(stack, known->at);
	labels->run_count = known->run_count;
	if (known->too_many)
		return 0;
	labels->names = fathom_byte_stack_at(stack, names_at);
	for (uint64_t node = 0; node < nodes; node++) {
		labels->names[node] = (char *)fathom_byte_stack_at(stack, at) + sizeof(uint64_t);
		at += name_bytes(fathom_byte_stack_at(stack, at));
	}
	return 0;
}

int fathom_labels_collect(struct fathom_labels *labels, const struct fathom_system *system,
			  const struct fathom_system_path *place, uint32_t rank, struct fathom_comm *comm,
			  const struct fathom_system_options *options)
{
	struct fathom_tree_links links = fathom_tree_links_of(comm->rank, comm->size);
	struct known known = { .at = 0 };
	int broken;

	memset(labels, 0, sizeof(*labels));
	fathom_byte_stack_init(&labels->stack, options->resize, options->resize_context);
	known.err = put_own(&labels->stack, &known, system, place, rank);
	broken = receive_known(comm, links.left, &labels->stack, &known);
	if (!broken)
		broken = receive_known(comm, links.right, &labels->stack, &known);
	if (!broken && links.parent >= 0)
		broken = send_known(comm, links.parent, &labels->stack, &known);
	if (!broken && links.parent < 0 && !known.err)
		known.err = finish(labels, &labels->stack, &known, system->total.nodes);
	if (!broken && links.parent >= 0)
		broken = comm->receive(comm, links.parent, &known.err, sizeof(known.err));
	if (!broken && links.left >= 0)
		broken = comm->send(comm, links.left, &known.err, sizeof(known.err));
	if (!broken && links.right >= 0)
		broken = comm->send(comm, links.right, &known.err, sizeof(known.err));
	if (broken || known.err || comm->rank)
		fathom_labels_fini(labels);
	return broken ? broken : known.err;
}

/* --- queries --------------------------------------------------------------------------------------------- */

uint32_t fathom_labels_rank(const struct fathom_labels *labels, uint64_t process)
{
	uint64_t low = 0, high = labels->run_count;
	const struct fathom_rank_run *run;

	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		*(labels->runs[middle].process <= process ? &low : &high) = middle;
	}
	run = &labels->runs[low];
	return (uint32_t)(run->rank + (int64_t)(process - run->process) * run->stride);
}

const char *fathom_labels_node(const struct fathom_labels *labels, const struct fathom_walk *walk, char *text,
			       size_t bytes)
{
	if (!labels->names)
		return fathom_walk_name(walk, text, bytes);
	fathom_format(text, bytes, "%s %s", walk->sequence->classes[walk->record->class],
		      labels->names[walk->before.nodes]);
	return text;
}

void fathom_labels_fini(struct fathom_labels *labels)
{
	fathom_byte_stack_fini(&labels->stack);
	labels->runs = NULL;
	labels->run_count = 0;
	labels->names = NULL;
}
