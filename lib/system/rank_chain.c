#include "system/rank_chain.h"

#include <string.h>

enum {
	BINS = 16,		/* parts of one pass of a split: more need longer messages, fewer more passes */
	BIN_BITS = 4,
	HASH_PASSES = 24,	/* later passes choose bins by the names themselves, which differ somewhere */
	PIECE_BYTES = 64,	/* bytes of a name in one message */
};

uint64_t fathom_name_hash(const struct fathom_name *name, uint32_t seed)
{
	uint64_t hash = 0xcbf29ce484222325u ^ (seed * 0x9e3779b97f4a7c15u);

	for (uint32_t i = 0; i < name->bytes; i++)
		hash = (hash ^ (unsigned char)name->text[i]) * 0x100000001b3u;
	if (!name->text)
		hash ^= name->salt * 0xd6e8feb86659fd93u;
	hash ^= hash >> 32;
	hash *= 0xd6e8feb86659fd93u;
	hash ^= hash >> 32;
	return name->hash_bits ? hash & (((uint64_t)1 << name->hash_bits) - 1) : hash;
}

/* Exchanges data of the same kind with both neighbours. */
static int exchange(struct fathom_comm *comm, int32_t left, int32_t right, void *to_left, void *to_right,
		    void *from_left, void *from_right, size_t bytes)
{
	const struct fathom_comm_message out[2] = { { left, to_left, bytes }, { right, to_right, bytes } };
	const struct fathom_comm_message in[2] = { { left, from_left, bytes }, { right, from_right, bytes } };

	if (left < 0 && right < 0)
		return 0;
	return comm->exchange(comm, out, in, 2);
}

/* --- same names ------------------------------------------------------------------------------------ */

struct head {		/* a summary of a name */
	uint64_t hash;
	uint32_t bytes;
	uint32_t has_text;
};

static bool may_be_same(const struct head *a, const struct head *b)
{
	return a->has_text && b->has_text && a->hash == b->hash && a->bytes == b->bytes;
}

/* Sends the names from left to right; *is_left becomes false if they differ. */
static int compare_texts(struct fathom_comm *comm, const struct fathom_chain *chain, const struct fathom_name *name,
			 bool *is_left, bool is_right)
{
	bool may_be_left = *is_left;
	int err = 0;

	for (uint32_t at = 0; !err && at < name->bytes; at += PIECE_BYTES) {
		size_t bytes = name->bytes - at < PIECE_BYTES ? name->bytes - at : PIECE_BYTES;
		char piece[PIECE_BYTES];
		const struct fathom_comm_message out = { is_right ? chain->right : -1,
							(char *)(uintptr_t)name->text + at,
						     bytes };
		const struct fathom_comm_message in = { may_be_left ? chain->left : -1, piece, bytes };

		err = comm->exchange(comm, &out, &in, 1);
		if (!err && may_be_left && memcmp(piece, name->text + at, bytes))
			*is_left = false;
	}
	return err;
}

int fathom_chain_match(struct fathom_comm *comm, const struct fathom_chain *chain, const struct fathom_name *name,
		       bool *is_left, bool *is_right)
{
	struct head mine = { fathom_name_hash(name, 0), name->bytes, name->text != NULL }, left = { 0 }, right = { 0 };
	bool may_be_left;
	int err = exchange(comm, chain->left, chain->right, &mine, &mine, &left, &right, sizeof(mine));

	*is_left = may_be_left = chain->left >= 0 && may_be_same(&left, &mine);
	*is_right = chain->right >= 0 && may_be_same(&right, &mine);
	if (err || (!*is_left && !*is_right))
		return err;
	err = compare_texts(comm, chain, name, is_left, *is_right);
	if (!err) {	/* the right neighbour knows the result */
		const struct fathom_comm_message out = { may_be_left ? chain->left : -1, is_left, sizeof(*is_left) };
		const struct fathom_comm_message in = { *is_right ? chain->right : -1, is_right, sizeof(*is_right) };

		err = comm->exchange(comm, &out, &in, 1);
	}
	return err;
}

/* --- stretches, and the tree ------------------------------------------------------------------------- */

/* The known part of one side of a stretch. */
struct reach {
	int32_t farthest;	/* the rank at distance 2^i; -1: none */
	int32_t end;		/* the last rank; -1: not yet known */
	uint32_t count;		/* number of known positions */
};

static struct reach reach_of(const struct fathom_comm *comm, int32_t neighbour)
{
	return (struct reach){ neighbour, neighbour < 0 ? comm->rank : -1, neighbour >= 0 };
}

static void reach_farther(struct reach *reach, const struct reach *next)
{
	if (reach->farthest < 0)
		return;
	reach->farthest = next->farthest;
	reach->end = next->end;
	reach->count += next->count;
}

/* The last member of a stretch sends its head to the first member of the next stretch, and the next head to its own
 * head. */
static int meet_heads(struct fathom_comm *comm, const struct fathom_chain *chain, bool is_left, bool is_right,
		      int32_t head, int32_t last, struct fathom_chain *heads)
{
	const struct fathom_comm_message out = { is_right ? -1 : chain->right, &head, sizeof(head) };
	const struct fathom_comm_message in = { is_left ? -1 : chain->left, &heads->left, sizeof(heads->left) };
	int32_t next = chain->right;
	int err;

	*heads = (struct fathom_chain){ -1, chain->right };
	err = comm->exchange(comm, &out, &in, 1);
	if (!err && !is_right && is_left)
		err = comm->send(comm, head, &next, sizeof(next));
	if (!err && !is_left && is_right)
		err = comm->receive(comm, last, &heads->right, sizeof(heads->right));
	return err;
}

int fathom_chain_cut(struct fathom_comm *comm, struct fathom_chain *chain, bool is_left, bool is_right,
		     struct fathom_chain *heads, uint64_t *position)
{
	struct reach left = reach_of(comm, is_left ? chain->left : -1);
	struct reach right = reach_of(comm, is_right ? chain->right : -1);
	int err = 0;

	while (!err && (left.farthest >= 0 || right.farthest >= 0)) {
		struct reach from_left, from_right;

		err = exchange(comm, left.farthest, right.farthest, &right, &left, &from_left, &from_right,
			       sizeof(left));
		if (!err) {
			reach_farther(&left, &from_left);
			reach_farther(&right, &from_right);
		}
	}
	if (!err)
		err = meet_heads(comm, chain, is_left, is_right, left.end, right.end, heads);
	*chain = (struct fathom_chain){ is_left ? chain->left : -1, is_right ? chain->right : -1 };
	*position = left.count;
	return err;
}

int fathom_chain_link(struct fathom_comm *comm, const struct fathom_chain *chain, uint64_t position,
		      struct fathom_tree_links *links)
{
	int32_t left = chain->left, right = chain->right;
	int err = 0;

	*links = fathom_no_tree_links;
	for (int i = 0; !err && (left >= 0 || right >= 0); i++) {
		int32_t next_left = -1, next_right = -1;

		fathom_tree_links_meet(links, position, i, left, right);
		err = exchange(comm, left, right, &right, &left, &next_left, &next_right, sizeof(left));
		left = next_left;
		right = next_right;
	}
	return err;
}

/* --- split ------------------------------------------------------------------------------------------ */

/* The known facts about the 2^i positions on one side of a process, in a pass. Also the message. */
struct side {
	int32_t farthest;	/* the rank at distance 2^i; -1: none */
	int32_t is_uniform;	/* all processes there, and this process, have the same name */
	uint32_t count;		/* number of processes there */
	int32_t nearest[BINS];	/* the nearest rank of each bin; -1: none */
};

static void meet_first(struct side *side, int32_t rank, bool is_same, uint32_t bin)
{
	memset(side, -1, sizeof(*side));
	side->farthest = rank;
	side->is_uniform = rank < 0 || is_same;
	side->count = rank >= 0;
	if (rank >= 0)
		side->nearest[bin] = rank;
}

/* Appends the side that the most distant process knows. */
static void join(struct side *side, const struct side *next)
{
	if (side->farthest < 0)
		return;
	side->farthest = next->farthest;
	side->is_uniform &= next->is_uniform;
	side->count += next->count;
	for (int bin = 0; bin < BINS; bin++)
		if (side->nearest[bin] < 0)
			side->nearest[bin] = next->nearest[bin];
}

/* Extends the known sides from the neighbours to the whole chain. */
static int spread(struct fathom_comm *comm, struct side *left, struct side *right)
{
	int err = 0;

	while (!err && (left->farthest >= 0 || right->farthest >= 0)) {
		struct side from_left, from_right;

		err = exchange(comm, left->farthest, right->farthest, right, left, &from_left, &from_right,
			       sizeof(*left));
		if (!err) {
			join(left, &from_left);
			join(right, &from_right);
		}
	}
	return err;
}

static uint32_t bin_of(const struct fathom_name *name, uint32_t pass)
{
	uint32_t nibble = pass - HASH_PASSES;

	if (pass < HASH_PASSES)
		return (uint32_t)fathom_name_hash(name, pass + 1) & (BINS - 1);
	if (name->text)
		return nibble / 2 < name->bytes ?
			       (unsigned char)name->text[nibble / 2] >> nibble % 2 * BIN_BITS & (BINS - 1) : 0;
	return nibble < 8 ? name->salt >> nibble * BIN_BITS & (BINS - 1) : 0;
}

int fathom_chain_split(struct fathom_comm *comm, struct fathom_chain *chain, const struct fathom_name *name,
		       uint64_t *position)
{
	*position = 0;
	for (uint32_t pass = 0; chain->left >= 0 || chain->right >= 0; pass++) {
		uint32_t bin = bin_of(name, pass), left_bin = 0, right_bin = 0;
		struct side left, right;
		bool is_left, is_right;
		int err = fathom_chain_match(comm, chain, name, &is_left, &is_right);

		if (!err)
			err = exchange(comm, chain->left, chain->right, &bin, &bin, &left_bin, &right_bin, sizeof(bin));
		if (err)
			return err;
		meet_first(&left, chain->left, is_left, left_bin);
		meet_first(&right, chain->right, is_right, right_bin);
		err = spread(comm, &left, &right);
		if (err)
			return err;
		if (left.is_uniform && right.is_uniform) {
			*position = left.count;
			return 0;
		}
		chain->left = left.nearest[bin];
		chain->right = right.nearest[bin];
	}
	return 0;
}

/* --- filter ----------------------------------------------------------------------------------------- */

/* As struct side, for members that stay in the chain. */
struct row {
	int32_t farthest;
	int32_t nearest;	/* the nearest rank that stays; -1: none */
};

static void join_row(struct row *row, const struct row *next)
{
	if (row->farthest < 0)
		return;
	row->farthest = next->farthest;
	if (row->nearest < 0)
		row->nearest = next->nearest;
}

int fathom_chain_filter(struct fathom_comm *comm, struct fathom_chain *chain, bool stays)
{
	bool left_stays = false, right_stays = false;
	struct row left = { chain->left, -1 }, right = { chain->right, -1 };
	int err = exchange(comm, chain->left, chain->right, &stays, &stays, &left_stays, &right_stays, sizeof(stays));

	if (left_stays)
		left.nearest = chain->left;
	if (right_stays)
		right.nearest = chain->right;
	while (!err && (left.farthest >= 0 || right.farthest >= 0)) {
		struct row from_left, from_right;

		err = exchange(comm, left.farthest, right.farthest, &right, &left, &from_left, &from_right,
			       sizeof(left));
		if (!err) {
			join_row(&left, &from_left);
			join_row(&right, &from_right);
		}
	}
	*chain = (struct fathom_chain){ left.nearest, right.nearest };
	return err;
}
