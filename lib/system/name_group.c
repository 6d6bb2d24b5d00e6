#include "system/name_group.h"

#include <string.h>

#include "system/system_path.h"

/* The message that members exchange along the tree. */
struct word {
	int32_t rank;		/* in the world */
	int32_t are_same;	/* all members below have one name; on the way back: all members */
};

/* Finds out along the tree whether all members have the same name, and the ranks of the linked members in the world. */
static int agree(struct fathom_comm *part, int32_t rank, bool is_same, struct fathom_tree_links *links, bool *are_same)
{
	struct fathom_tree_links near = fathom_tree_links_of(part->rank, part->size);
	struct word mine = { rank, is_same }, theirs = { 0, 1 };
	int err = 0;

	*links = fathom_no_tree_links;
	if (near.left >= 0) {
		err = part->receive(part, near.left, &theirs, sizeof(theirs));
		links->left = theirs.rank;
		mine.are_same &= theirs.are_same;
	}
	if (!err && near.right >= 0) {
		err = part->receive(part, near.right, &theirs, sizeof(theirs));
		links->right = theirs.rank;
		mine.are_same &= theirs.are_same;
	}
	if (!err && near.parent >= 0)
		err = part->send(part, near.parent, &mine, sizeof(mine));
	if (!err && near.parent >= 0) {
		err = part->receive(part, near.parent, &theirs, sizeof(theirs));
		links->parent = theirs.rank;
		mine.are_same = theirs.are_same;
	}
	if (!err && near.left >= 0)
		err = part->send(part, near.left, &mine, sizeof(mine));
	if (!err && near.right >= 0)
		err = part->send(part, near.right, &mine, sizeof(mine));
	*are_same = mine.are_same;
	return err;
}

/* Chooses the color of this member for a split. Members with the first member's name take one color, so that each split
 * finishes at least one name. */
static int choose_color(struct fathom_comm *part, const struct fathom_name *name, uint32_t seed, int *color)
{
	struct {
		uint32_t bytes;
		uint32_t has_text;
		char text[FATHOM_PATH_BYTES];
	} first = { .bytes = name->bytes, .has_text = name->text != NULL };
	int err;

	if (part->rank == 0 && name->text)
		memcpy(first.text, name->text, name->bytes);
	err = part->broadcast(part, 0, &first, sizeof(first));
	*color = 1 + (int)(fathom_name_hash(name, seed) % 0x7ffffffe);
	if (part->rank == 0 || (name->text && first.has_text && first.bytes == name->bytes &&
				!memcmp(first.text, name->text, name->bytes)))
		*color = 0;
	return err;
}

int fathom_name_group_link(struct fathom_comm *comm, const struct fathom_name *name, int32_t rank,
		      struct fathom_tree_links *links)
{
	int color = (int)(fathom_name_hash(name, 0) & 0x7fffffff);
	struct fathom_comm *part, *whole = comm;
	int err = comm->split(comm, color, comm->rank, &part);

	for (uint32_t seed = 1; !err; seed++) {
		struct fathom_chain chain = { part->rank - 1, part->rank + 1 < part->size ? part->rank + 1 : -1 };
		bool is_left, is_right, are_same;

		if (whole != comm)
			whole->close(whole);
		whole = comm;
		err = fathom_chain_match(part, &chain, name, &is_left, &is_right);
		if (!err)
			err = agree(part, rank, is_left || part->rank == 0, links, &are_same);
		if (err || are_same)
			break;
		err = choose_color(part, name, seed, &color);
		whole = part;
		if (!err)
			err = whole->split(whole, color, whole->rank, &part);
	}
	if (err && whole != comm)
		whole->close(whole);
	if (!err)
		part->close(part);
	return err;
}
