#include "system/subtree_merge.h"

#include <errno.h>
#include <string.h>

/* A position in two lists that are merged. */
struct pair {
	const struct fathom_sequence_record *a, *b;	/* the next entries */
	uint32_t a_left, b_left;		/* entries that follow */
};

static struct pair begin(const struct fathom_byte_stack *stack, const struct fathom_list *a,
			 const struct fathom_list *b)
{
	return (struct pair){ fathom_byte_stack_at(stack, a->at), fathom_byte_stack_at(stack, b->at), a->entries,
			     b->entries };
}

static int which_is_next(const struct pair *pair)
{
	if (!pair->a_left || !pair->b_left)
		return pair->a_left ? -1 : 1;
	return fathom_records_compare(pair->a, pair->b);
}

static void skip(const struct fathom_sequence_record **entry, uint32_t *left)
{
	*entry += fathom_records_end(*entry, 0);
	--*left;
}

/* Counts the records and entries of the merged list. */
static void measure(struct pair pair, struct fathom_list *merged)
{
	while (pair.a_left || pair.b_left) {
		int order = which_is_next(&pair);

		merged->entries++;
		merged->records += fathom_records_end(order <= 0 ? pair.a : pair.b, 0);
		if (order <= 0)
			skip(&pair.a, &pair.a_left);
		if (order >= 0)
			skip(&pair.b, &pair.b_left);
	}
}

/* Fills in the merged list, unless it is ours already, and the parts that the entries of both lists become. */
static void merge(struct pair pair, struct fathom_sequence_record *to, bool in_place, struct fathom_part *of_a,
		  struct fathom_part *of_b, bool b_before)
{
	for (uint32_t entry = 0; pair.a_left || pair.b_left; entry++) {
		int order = which_is_next(&pair);
		const struct fathom_sequence_record *from = order <= 0 ? pair.a : pair.b;
		uint32_t records = fathom_records_end(from, 0), of_both = from->copies;

		if (!order) {
			of_both = pair.a->copies + pair.b->copies;
			*of_a++ = (struct fathom_part){ entry, b_before ? pair.b->copies : 0 };
			*of_b++ = (struct fathom_part){ entry, b_before ? 0 : pair.a->copies };
		} else if (order < 0) {
			*of_a++ = (struct fathom_part){ entry, 0 };
		} else {
			*of_b++ = (struct fathom_part){ entry, 0 };
		}
		if (order <= 0)
			skip(&pair.a, &pair.a_left);
		if (order >= 0)
			skip(&pair.b, &pair.b_left);
		if (!in_place)
			memcpy(to, from, records * sizeof(*to));
		to->copies = of_both;
		to += records;
	}
}

int fathom_list_merge(struct fathom_byte_stack *stack, struct fathom_list *ours, uint32_t count,
		      const struct fathom_list *theirs, bool is_before)
{
	size_t top = stack->used, parts_at = ours->at + ours->records * sizeof(struct fathom_sequence_record);
	size_t theirs_at, ours_at, result_at = ours->at;
	struct fathom_list merged = { .at = ours->at };
	struct fathom_part *parts, *moved;
	bool in_place;

	measure(begin(stack, ours, theirs), &merged);
	/* The usual case: ours has all entries of theirs. */
	in_place = merged.entries == ours->entries;
	theirs_at = fathom_byte_stack_push(stack, theirs->entries * sizeof(*parts));
	ours_at = fathom_byte_stack_push(stack, ours->entries * sizeof(*parts));
	if (!in_place)
		result_at = fathom_byte_stack_push(stack, merged.records * sizeof(struct fathom_sequence_record));
	if (theirs_at == SIZE_MAX || ours_at == SIZE_MAX || result_at == SIZE_MAX) {
		stack->used = top;
		return -ENOMEM;
	}
	moved = fathom_byte_stack_at(stack, ours_at);
	merge(begin(stack, ours, theirs), fathom_byte_stack_at(stack, result_at), in_place, moved,
	      fathom_byte_stack_at(stack, theirs_at), is_before);
	parts = fathom_byte_stack_at(stack, parts_at);
	for (uint32_t i = 0; i < count; i++) {
		parts[i].offset += moved[parts[i].entry].offset;
		parts[i].entry = moved[parts[i].entry].entry;
	}
	/* The stack now has: ours, parts, theirs, parts of theirs, moved, result. */
	fathom_byte_stack_cut(stack, ours_at, ours_at + ours->entries * sizeof(*parts));
	fathom_byte_stack_cut(stack, theirs->at, theirs_at);
	if (!in_place) {
		fathom_byte_stack_cut(stack, ours->at, parts_at);
		fathom_byte_stack_swap(stack, ours->at,
				  stack->used - merged.records * sizeof(struct fathom_sequence_record));
	}
	*ours = merged;
	return 0;
}

int fathom_list_wrap(struct fathom_byte_stack *stack, struct fathom_list *list, enum fathom_element kind,
		     uint32_t class)
{
	size_t at = fathom_byte_stack_push(stack, sizeof(struct fathom_sequence_record));
	struct fathom_sequence_record *record;

	if (at == SIZE_MAX)
		return -ENOMEM;
	record = fathom_byte_stack_at(stack, at);
	*record = (struct fathom_sequence_record){
		.kind = (uint16_t)kind,
		.class = (uint16_t)class,
		.copies = 1,
		.children = list->entries,
	};
	fathom_byte_stack_swap(stack, list->at, at);
	list->entries = 1;
	list->records++;
	return 0;
}
