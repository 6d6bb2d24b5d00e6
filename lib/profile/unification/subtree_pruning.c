#include "profile/unification/subtree_pruning.h"

#include <errno.h>
#include <string.h>

#include "comm/chunked_transfer.h"
#include "profile/unification/union_message.h"

/* The largest number of levels that are compared: each level takes a message and an answer. */
enum { MOST_LEVELS = 12 };

/* The receiver's answers for a call path: it has the same sub-tree, another sub-tree, or no such call path. */
enum { IS_SAME, IS_OTHER, IS_NEW };

struct entry {
	struct fathom_digest path, tree;
};

/* --- the sender ------------------------------------------------------------------------------- */

struct pruning {
	const struct fathom_union *u;
	const struct fathom_digests *digests;
	struct fathom_arena arena;
	uint8_t *state;		/* by node: the receiver's answer; for a node that was not asked for, the answer for
				 * its parent */
	uint32_t *asked;	/* nodes of this level, in the order in which they are asked for */
	uint32_t *next;		/* nodes of the level above whose children are asked for */
	struct entry *entries;
	uint8_t *answers;
};

static int pruning_init(struct pruning *pruning, const struct fathom_union *u, const struct fathom_digests *digests)
{
	size_t count = u->tree.count;

	memset(pruning, 0, sizeof(*pruning));
	pruning->u = u;
	pruning->digests = digests;
	pruning->state = fathom_arena_alloc(&pruning->arena, count);
	pruning->asked = fathom_arena_alloc(&pruning->arena, count * sizeof(*pruning->asked));
	pruning->next = fathom_arena_alloc(&pruning->arena, count * sizeof(*pruning->next));
	pruning->entries = fathom_arena_alloc(&pruning->arena, count * sizeof(*pruning->entries));
	pruning->answers = fathom_arena_alloc(&pruning->arena, count);
	return pruning->state && pruning->asked && pruning->next && pruning->entries && pruning->answers ? 0 : -ENOMEM;
}

/* Lists the children of the nodes in next; returns their number. */
static uint32_t list_children(struct pruning *pruning, uint32_t parents)
{
	const struct fathom_tree_node *nodes = pruning->u->tree.nodes;
	uint32_t count = 0;

	for (uint32_t i = 0; i < parents; i++)
		for (uint32_t child = nodes[pruning->next[i]].first_child; child; child = nodes[child].sibling) {
			pruning->entries[count] = (struct entry){
				pruning->digests->paths[child], pruning->digests->trees[child],
			};
			pruning->asked[count++] = child;
		}
	return count;
}

/* Sends the digests of the nodes level by level and receives the answers; a count of 0 ends the questions. */
static int ask(struct pruning *pruning, struct fathom_comm *comm, int to)
{
	uint32_t parents = 1, count = 1;
	int err = 0;

	memset(pruning->state, IS_NEW, pruning->u->tree.count);
	pruning->state[0] = IS_OTHER;
	pruning->next[0] = 0;
	for (int level = 0; !err && count; level++) {
		count = level < MOST_LEVELS ? list_children(pruning, parents) : 0;
		err = comm->send(comm, to, &count, sizeof(count));
		if (err || !count)
			break;
		err = fathom_chunked_send(comm, to, pruning->entries, count * sizeof(*pruning->entries));
		if (!err)
			err = fathom_chunked_receive(comm, to, pruning->answers, count);
		parents = 0;
		for (uint32_t i = 0; i < count; i++) {
			pruning->state[pruning->asked[i]] = pruning->answers[i];
			if (pruning->answers[i] == IS_OTHER)
				pruning->next[parents++] = pruning->asked[i];
		}
	}
	return err;
}

/* Makes a union of the part that must be sent. It shares texts with u. 0 or -ENOMEM. */
static int keep_rest(struct pruning *pruning, struct fathom_union *part)
{
	const struct fathom_union *u = pruning->u;
	uint32_t *theirs = fathom_arena_alloc(&pruning->arena, u->tree.count * sizeof(*theirs));
	uint32_t *index = fathom_arena_alloc(&pruning->arena, ((size_t)u->region_count + 1) * sizeof(*index));

	if (!theirs || !index)
		return -ENOMEM;
	memcpy(part->metrics, u->metrics, sizeof(part->metrics));
	part->metric_count = u->metric_count;
	for (uint32_t i = 0; i < u->tree.count; i++) {
		const struct fathom_tree_node *node = &u->tree.nodes[i];

		/* If a sub-tree is equal, all nodes in it are equal. */
		if (i && pruning->state[node->parent] == IS_SAME)
			pruning->state[i] = IS_SAME;
		if (pruning->state[i] == IS_SAME)
			continue;
		if (!index[node->key]) {
			int64_t added = fathom_union_add_region(part, &u->regions[node->key], false);

			if (added < 0)
				return -ENOMEM;
			index[node->key] = (uint32_t)added + 1;
		}
		if (i == 0 ? fathom_union_add_root(part, index[node->key] - 1, u->present[0]) :
			     !(theirs[i] = fathom_union_add_node(part, theirs[node->parent], index[node->key] - 1,
								 u->present[i])))
			return -ENOMEM;
	}
	return 0;
}

int fathom_pruned_send(const struct fathom_union *u, const struct fathom_digests *digests, struct fathom_comm *comm,
		       int to, int *err)
{
	struct fathom_union part = { .err = 0 };
	struct pruning pruning;
	uint32_t none = 0;
	int broken;

	if (pruning_init(&pruning, u, digests)) {
		/* Without questions, the whole union is sent. */
		fathom_arena_fini(&pruning.arena);
		broken = comm->send(comm, to, &none, sizeof(none));
		return broken ? broken : fathom_union_message_send(u, comm, to, err);
	}
	broken = ask(&pruning, comm, to);
	if (!broken && keep_rest(&pruning, &part))
		broken = fathom_union_message_send(u, comm, to, err);
	else if (!broken)
		broken = fathom_union_message_send(&part, comm, to, err);
	fathom_union_fini(&part);
	fathom_arena_fini(&pruning.arena);
	return broken;
}

/* --- the receiver ----------------------------------------------------------------------------- */

struct known {			/* the call paths of the receiver, by digest */
	struct fathom_digests digests;
	struct fathom_arena arena;
	uint32_t *table;	/* 1 + node; 0: empty */
	uint32_t size;		/* a power of two */
};

/* Without memory the table stays NULL: the receiver then answers that it has no call path. */
static void known_init(struct known *known, const struct fathom_union *u)
{
	memset(known, 0, sizeof(*known));
	if (u->err || fathom_digests_make(&known->digests, &known->arena, u, u->tree.count, true))
		return;
	for (known->size = 64; known->size < u->tree.count * 2;)
		known->size *= 2;
	known->table = fathom_arena_alloc(&known->arena, known->size * sizeof(*known->table));
	for (uint32_t i = 0; known->table && i < u->tree.count; i++) {
		uint32_t at = (uint32_t)known->digests.paths[i].a & (known->size - 1);

		while (known->table[at])
			at = (at + 1) & (known->size - 1);
		known->table[at] = i + 1;
	}
}

static uint8_t answer(const struct known *known, const struct entry *entry)
{
	uint32_t at = (uint32_t)entry->path.a & (known->size - 1);

	for (; known->table[at]; at = (at + 1) & (known->size - 1)) {
		uint32_t node = known->table[at] - 1;

		if (!fathom_digest_same(known->digests.paths[node], entry->path))
			continue;
		return fathom_digest_same(known->digests.trees[node], entry->tree) ? IS_SAME : IS_OTHER;
	}
	return IS_NEW;
}

/* Answers the questions of one level. *is_more: there may be another level. */
static int answer_level(const struct known *known, struct fathom_comm *comm, int from, bool *is_more)
{
	struct fathom_arena scratch = { 0 };
	struct entry *entries = NULL;
	uint8_t *answers = NULL;
	uint32_t count;
	int err = comm->receive(comm, from, &count, sizeof(count));

	*is_more = !err && count;
	if (!*is_more)
		return err;
	if (known->table)
		entries = fathom_arena_alloc(&scratch, count * sizeof(*entries));
	if (entries)
		answers = fathom_arena_alloc(&scratch, count);
	err = fathom_chunked_receive(comm, from, answers ? entries : NULL, count * sizeof(*entries));
	for (uint32_t i = 0; answers && i < count; i++)
		answers[i] = answer(known, &entries[i]);
	if (!err)
		err = answers ? fathom_chunked_send(comm, from, answers, count) :
				fathom_chunked_send_filled(comm, from, IS_NEW, count);
	fathom_arena_fini(&scratch);
	return err;
}

int fathom_pruned_receive(struct fathom_union *u, struct fathom_comm *comm, int from)
{
	struct known known;
	bool is_more = true;
	int err = 0;

	known_init(&known, u);
	while (is_more && !err)
		err = answer_level(&known, comm, from, &is_more);
	fathom_arena_fini(&known.arena);
	return err ? err : fathom_union_message_receive(u, comm, from);
}
