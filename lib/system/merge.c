#include "system/merge.h"

#include <errno.h>
#include <string.h>

/* Two lists side by side, from the first entry of each on. */
struct pair {
	const struct fathom_sequence_record *a, *b;	/* the next entries */
	uint32_t a_left, b_left;		/* entries that are still to come */
};

static struct pair begin(const struct fathom_store *store, const struct fathom_list *a, const struct fathom_list *b)
{
	return (struct pair){ fathom_store_at(store, a->at), fathom_store_at(store, b->at), a->entries, b->entries };
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

/* So many records, and entries, has the result. */
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

/* Fill in the result, where it is not ours already, and say where the entries of both go. */
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

int fathom_list_merge(struct fathom_store *store, struct fathom_list *ours, uint32_t count,
		      const struct fathom_list *theirs, bool is_before)
{
	size_t top = store->used, parts_at = ours->at + ours->records * sizeof(struct fathom_sequence_record);
	size_t theirs_at, ours_at, result_at = ours->at;
	struct fathom_list merged = { .at = ours->at };
	struct fathom_part *parts, *moved;
	bool in_place;

	measure(begin(store, ours, theirs), &merged);
	/* Nearly always: all of theirs is known. */
	in_place = merged.entries == ours->entries;
	theirs_at = fathom_store_push(store, theirs->entries * sizeof(*parts));
	ours_at = fathom_store_push(store, ours->entries * sizeof(*parts));
	if (!in_place)
		result_at = fathom_store_push(store, merged.records * sizeof(struct fathom_sequence_record));
	if (theirs_at == SIZE_MAX || ours_at == SIZE_MAX || result_at == SIZE_MAX) {
		store->used = top;
		return -ENOMEM;
	}
	moved = fathom_store_at(store, ours_at);
	merge(begin(store, ours, theirs), fathom_store_at(store, result_at), in_place, moved,
	      fathom_store_at(store, theirs_at), is_before);
	parts = fathom_store_at(store, parts_at);
	for (uint32_t i = 0; i < count; i++) {
		parts[i].offset += moved[parts[i].entry].offset;
		parts[i].entry = moved[parts[i].entry].entry;
	}
	/* Now: ours, parts, theirs, parts of theirs, moved, result. */
	fathom_store_cut(store, ours_at, ours_at + ours->entries * sizeof(*parts));
	fathom_store_cut(store, theirs->at, theirs_at);
	if (!in_place) {
		fathom_store_cut(store, ours->at, parts_at);
		fathom_store_swap(store, ours->at,
				  store->used - merged.records * sizeof(struct fathom_sequence_record));
	}
	*ours = merged;
	return 0;
}

int fathom_list_wrap(struct fathom_store *store, struct fathom_list *list, enum fathom_element kind, uint32_t class)
{
	size_t at = fathom_store_push(store, sizeof(struct fathom_sequence_record));
	struct fathom_sequence_record *record;

	if (at == SIZE_MAX)
		return -ENOMEM;
	record = fathom_store_at(store, at);
	*record = (struct fathom_sequence_record){
		.kind = (uint16_t)kind,
		.class = (uint16_t)class,
		.copies = 1,
		.children = list->entries,
	};
	fathom_store_swap(store, list->at, at);
	list->entries = 1;
	list->records++;
	return 0;
}
