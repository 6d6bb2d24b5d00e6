#include "system/element_classes.h"

#include <errno.h>
#include <string.h>

#include "system/inorder_tree.h"
#include "system/transfer.h"

static const char letters[] = {
	[FATHOM_ELEMENT_NODE] = 'a', [FATHOM_ELEMENT_PROCESS] = 'b', [FATHOM_ELEMENT_LOCATION] = 'c'
};

static const char process_class[] = "process";

/* --- lines --------------------------------------------------------------------------------------- */

static int put_line(struct fathom_byte_stack *stack, enum fathom_element kind, const char *text)
{
	size_t bytes = strlen(text) + 1, at = fathom_byte_stack_push(stack, 1 + bytes);

	if (at == SIZE_MAX)
		return -ENOMEM;
	*(char *)fathom_byte_stack_at(stack, at) = letters[kind];
	memcpy(fathom_byte_stack_at(stack, at + 1), text, bytes);
	return 0;
}

/* Sorts the line on top of the table into it, or removes the line if the table has it already. */
static void sort_in(struct fathom_classes *classes, struct fathom_byte_stack *stack)
{
	size_t line = classes->at + classes->bytes, at = classes->at;

	while (at < line) {
		const char *there = fathom_byte_stack_at(stack, at);
		int order = strcmp(there, fathom_byte_stack_at(stack, line));

		if (!order) {
			stack->used = line;
			return;
		}
		if (order > 0)
			break;
		at += strlen(there) + 1;
	}
	classes->bytes += stack->used - line;
	fathom_byte_stack_swap(stack, at, line);
}

int fathom_classes_init(struct fathom_classes *classes, struct fathom_byte_stack *stack,
			const struct fathom_system_path *place,
			const struct fathom_location_label *locations, uint32_t count)
{
	int err = 0;

	*classes = (struct fathom_classes){ .at = stack->used };
	for (uint32_t level = 0; !err && level < place->levels; level++) {
		err = put_line(stack, FATHOM_ELEMENT_NODE, fathom_system_path_class(place, level));
		if (!err)
			sort_in(classes, stack);
	}
	if (!err)
		err = put_line(stack, FATHOM_ELEMENT_PROCESS, process_class);
	if (!err)
		sort_in(classes, stack);
	for (uint32_t i = 0; !err && i < count; i++) {
		struct fathom_name_pattern title;
		size_t at = fathom_byte_stack_push(stack, 1);

		err = at == SIZE_MAX ? -ENOMEM : fathom_name_pattern_put(&title, stack, &locations[i]);
		if (err)
			break;
		*(char *)fathom_byte_stack_at(stack, at) = letters[FATHOM_ELEMENT_LOCATION];
		sort_in(classes, stack);
	}
	return err;
}

/* --- the merged table ------------------------------------------------------------------------------ */

/* Merges the table on top of the stack into ours, which is below it. 0 or -ENOMEM. */
static int merge(struct fathom_classes *ours, struct fathom_byte_stack *stack)
{
	size_t at = ours->at, theirs = ours->at + ours->bytes, b = theirs, end = stack->used;

	if (end - theirs == ours->bytes && !memcmp(fathom_byte_stack_at(stack, at), fathom_byte_stack_at(stack, b),
						   end - b)) {
		stack->used = theirs;
		return 0;
	}
	while (at < theirs || b < end) {
		const char *x = fathom_byte_stack_at(stack, at), *y = fathom_byte_stack_at(stack, b);
		int order = at == theirs ? 1 : b == end ? -1 : strcmp(x, y);
		size_t from = order <= 0 ? at : b, bytes = strlen(order <= 0 ? x : y) + 1;
		size_t to = fathom_byte_stack_push(stack, bytes);

		if (to == SIZE_MAX)
			return -ENOMEM;
		memcpy(fathom_byte_stack_at(stack, to), fathom_byte_stack_at(stack, from), bytes);
		if (order <= 0)
			at += bytes;
		if (order >= 0)
			b += order ? bytes : strlen(fathom_byte_stack_at(stack, b)) + 1;
	}
	fathom_byte_stack_cut(stack, ours->at, end);
	ours->bytes = stack->used - ours->at;
	return 0;
}

struct head {
	int32_t err;
	uint32_t most;
	uint64_t bytes;
};

static int send_up(const struct fathom_classes *classes, const struct fathom_byte_stack *stack,
		   struct fathom_comm *comm,
		      int to, int table_err, uint32_t most)
{
	struct head head = { table_err, most, table_err ? 0 : classes->bytes };
	int err = comm->send(comm, to, &head, sizeof(head));

	return err || !head.bytes ? err : fathom_transfer_send(comm, to, fathom_byte_stack_at(stack, classes->at),
							       head.bytes);
}

static int receive_up(struct fathom_classes *classes, struct fathom_byte_stack *stack, struct fathom_comm *comm,
		      int from,
		      int *table_err, uint32_t *most)
{
	struct head head;
	size_t at;
	int err = comm->receive(comm, from, &head, sizeof(head));

	if (err)
		return err;
	if (head.most > *most)
		*most = head.most;
	if (head.err) {
		*table_err = head.err;
		return 0;
	}
	if (*table_err)
		return fathom_transfer_drop(comm, from, head.bytes);
	err = fathom_transfer_receive(comm, from, stack, head.bytes, &at);
	if (!err)
		*table_err = at == SIZE_MAX ? -ENOMEM : merge(classes, stack);
	return err;
}

/* Sends the merged table to the children. */
static int pass_down(struct fathom_classes *classes, struct fathom_byte_stack *stack, struct fathom_comm *comm,
		     const struct fathom_tree_links *links, struct head *head)
{
	int err = 0;

	if (links->parent >= 0)
		err = comm->receive(comm, links->parent, head, sizeof(*head));
	if (!err && links->left >= 0)
		err = comm->send(comm, links->left, head, sizeof(*head));
	if (!err && links->right >= 0)
		err = comm->send(comm, links->right, head, sizeof(*head));
	if (err || head->err)
		return err;
	if (links->parent >= 0) {
		stack->used = classes->at;
		classes->bytes = head->bytes;
		if (fathom_byte_stack_reserve(stack, head->bytes)) {
			classes->at = SIZE_MAX;
			return fathom_transfer_relay(comm, links->parent, links->left, links->right, head->bytes);
		}
		err = fathom_transfer_receive(comm, links->parent, stack, head->bytes, &classes->at);
	}
	if (!err && links->left >= 0)
		err = fathom_transfer_send(comm, links->left, fathom_byte_stack_at(stack, classes->at), head->bytes);
	if (!err && links->right >= 0)
		err = fathom_transfer_send(comm, links->right, fathom_byte_stack_at(stack, classes->at), head->bytes);
	return err;
}

int fathom_classes_unite(struct fathom_classes *classes, struct fathom_byte_stack *stack, struct fathom_comm *comm,
			 int *err, uint32_t *most)
{
	struct fathom_tree_links links = fathom_tree_links_of(comm->rank, comm->size);
	struct head head;
	int broken = 0;

	if (links.left >= 0)
		broken = receive_up(classes, stack, comm, links.left, err, most);
	if (!broken && links.right >= 0)
		broken = receive_up(classes, stack, comm, links.right, err, most);
	if (!broken && links.parent >= 0)
		broken = send_up(classes, stack, comm, links.parent, *err, *most);
	head = (struct head){ *err, *most, *err ? 0 : classes->bytes };
	if (!broken)
		broken = pass_down(classes, stack, comm, &links, &head);
	*err = head.err;
	*most = head.most;
	return broken;
}

uint32_t fathom_classes_number(const struct fathom_classes *classes, const struct fathom_byte_stack *stack,
			       enum fathom_element kind, const char *text)
{
	const char *line = fathom_byte_stack_at(stack, classes->at);
	uint32_t number = 0;

	for (; line[0] != letters[kind] || strcmp(line + 1, text); line += strlen(line) + 1)
		number++;
	return number;
}

uint32_t fathom_classes_list(const struct fathom_classes *classes, const struct fathom_byte_stack *stack,
			     const char **list)
{
	const char *line = fathom_byte_stack_at(stack, classes->at), *end = line + classes->bytes;
	uint32_t count = 0;

	for (; line < end; line += strlen(line) + 1, count++)
		if (list)
			list[count] = line + 1;
	return count;
}
