#include "system/sequence.h"

#include <errno.h>
#include <string.h>

#include "platform/log.h"
#include "system/byte_stack.h"

/* --- parts --------------------------------------------------------------------------------------- */

uint32_t fathom_records_end(const struct fathom_sequence_record *records, uint32_t at)
{
	for (uint64_t open = 1; open; at++)
		open += (uint64_t)records[at].children - 1;
	return at;
}

/* Computes the size of a sub-tree and moves *at behind it. The recursion is as deep as the tree. */
static struct fathom_span span_of(const struct fathom_sequence_record *records, uint32_t *at)
{
	const struct fathom_sequence_record *record = &records[(*at)++];
	struct fathom_span span = {
		.nodes = record->kind == FATHOM_ELEMENT_NODE,
		.processes = record->kind == FATHOM_ELEMENT_PROCESS,
		.locations = record->kind == FATHOM_ELEMENT_LOCATION,
	};

	for (uint32_t i = 0; i < record->children; i++) {
		uint64_t copies = records[*at].copies;

		fathom_span_add(&span, span_of(records, at), copies);
	}
	return span;
}

struct fathom_span fathom_records_span(const struct fathom_sequence_record *records, uint32_t at)
{
	return span_of(records, &at);
}

static int64_t compare_one(const struct fathom_sequence_record *a, const struct fathom_sequence_record *b)
{
	if (a->kind != b->kind)
		return (int64_t)a->kind - b->kind;
	if (a->class != b->class)
		return (int64_t)a->class - b->class;
	if (a->first != b->first)
		return (int64_t)a->first - b->first;
	return (int64_t)a->children - b->children;
}

int fathom_records_compare(const struct fathom_sequence_record *a, const struct fathom_sequence_record *b)
{
	uint64_t open = 1;
	int64_t order = 0;

	/* While the records are equal, both sub-trees have the same shape. */
	for (uint32_t i = 0; open && !order; i++) {
		order = compare_one(&a[i], &b[i]);
		if (!order && i)
			order = (int64_t)b[i].copies - a[i].copies;
		open += (uint64_t)a[i].children - 1;
	}
	return order < 0 ? -1 : order > 0;
}

/* --- a walk --------------------------------------------------------------------------------------- */

void fathom_walk_begin(struct fathom_walk *walk, const struct fathom_sequence *sequence)
{
	memset(walk, 0, sizeof(*walk));
	walk->sequence = sequence;
	walk->depth = -1;
}

static void count_element(struct fathom_walk *walk)
{
	const struct fathom_sequence_record *record = walk->record;

	switch ((enum fathom_element)record->kind) {
	case FATHOM_ELEMENT_NODE:
		walk->before.nodes++;
		if (record->class < FATHOM_SEQUENCE_CLASSES)
			walk->numbers[record->class]++;
		break;
	case FATHOM_ELEMENT_PROCESS:
		walk->before.processes++;
		walk->in_process = 0;
		break;
	case FATHOM_ELEMENT_LOCATION:
		walk->before.locations++;
		walk->in_process++;
		break;
	}
}

static bool go_to(struct fathom_walk *walk, uint32_t record, uint32_t copy)
{
	walk->steps[walk->depth] = (struct fathom_step){ record, copy };
	walk->record = &walk->sequence->records[record];
	walk->number = walk->before.nodes;
	if (walk->record->kind == FATHOM_ELEMENT_NODE && walk->record->class < FATHOM_SEQUENCE_CLASSES)
		walk->number = walk->numbers[walk->record->class];
	return true;
}

bool fathom_walk_next(struct fathom_walk *walk)
{
	uint32_t end;

	if (walk->depth < 0) {
		if (walk->record || !walk->sequence->count)
			return false;
		walk->depth = 0;
		return go_to(walk, 0, 0);
	}
	count_element(walk);
	if (walk->record->children) {
		uint32_t child = walk->steps[walk->depth].record + 1;

		walk->left[++walk->depth] = walk->record->children - 1;
		return go_to(walk, child, 0);
	}
	/* The end of the last child is also the end of its parent. */
	end = walk->steps[walk->depth].record + 1;
	for (; walk->depth >= 0; walk->depth--) {
		struct fathom_step *step = &walk->steps[walk->depth];

		if (step->copy + 1 < walk->sequence->records[step->record].copies)
			return go_to(walk, step->record, step->copy + 1);
		if (walk->left[walk->depth]) {
			walk->left[walk->depth]--;
			return go_to(walk, end, 0);
		}
	}
	return false;
}

/* Writes a class with the text number in place of its %. Returns text. */
static const char *write_name(const char *class, const char *number, char *text, size_t bytes)
{
	size_t length = 0;

	for (; *class && *class != '\n' && length + 1 < bytes; class++) {
		const char *part = class;
		size_t part_length = 1;

		if (*class == '%' && class[1] == '%') {
			class++;
		} else if (*class == '%') {
			part = number;
			part_length = strlen(number);
		}
		for (; part_length && length + 1 < bytes; part_length--)
			text[length++] = *part++;
	}
	if (bytes)
		text[length] = 0;
	return text;
}

const char *fathom_walk_name(const struct fathom_walk *walk, char *text, size_t bytes)
{
	const char *class = walk->sequence->classes[walk->record->class];
	uint64_t number = walk->record->first + walk->steps[walk->depth].copy;
	char digits[24];

	if (walk->record->kind != FATHOM_ELEMENT_LOCATION) {
		number = walk->record->kind == FATHOM_ELEMENT_NODE ? walk->number : walk->before.processes;
		fathom_format(text, bytes, "%s %llu", class, (unsigned long long)number);
		return text;
	}
	fathom_format(digits, sizeof(digits), "%llu", (unsigned long long)number);
	return write_name(class, digits, text, bytes);
}

const char *fathom_walk_threads(const struct fathom_walk *walk)
{
	const char *class = walk->sequence->classes[walk->record->class];
	const char *line = walk->record->kind == FATHOM_ELEMENT_LOCATION ? strchr(class, '\n') : NULL;

	return line ? line + 1 : "";
}

/* --- index and path ------------------------------------------------------------------------------- */

static uint64_t of_kind(const struct fathom_span *span, enum fathom_element kind)
{
	return kind == FATHOM_ELEMENT_NODE ? span->nodes :
	       kind == FATHOM_ELEMENT_PROCESS ? span->processes : span->locations;
}

uint32_t fathom_sequence_locate(const struct fathom_sequence *sequence, enum fathom_element kind, uint64_t index,
				struct fathom_step steps[FATHOM_SEQUENCE_DEPTH])
{
	const struct fathom_sequence_record *records = sequence->records;
	uint32_t at = 0, siblings = 1, depth = 0;

	while (siblings && depth < FATHOM_SEQUENCE_DEPTH) {
		struct fathom_span span = fathom_records_span(records, at);
		uint64_t in_one = of_kind(&span, kind), in_all = in_one * records[at].copies;

		if (index >= in_all) {		/* the element is behind this record */
			index -= in_all;
			at = fathom_records_end(records, at);
			siblings--;
			continue;
		}
		steps[depth++] = (struct fathom_step){ at, (uint32_t)(index / in_one) };
		index %= in_one;
		if (records[at].kind == kind && index-- == 0)
			return depth;
		siblings = records[at].children;
		at++;
	}
	return 0;
}

struct fathom_span fathom_sequence_index(const struct fathom_sequence *sequence, const struct fathom_step *steps,
					 uint32_t depth)
{
	const struct fathom_sequence_record *records = sequence->records;
	struct fathom_span before = { 0, 0, 0 };
	uint32_t at = 0;

	for (uint32_t d = 0; d < depth; d++) {
		for (; at < steps[d].record; at = fathom_records_end(records, at))
			fathom_span_add(&before, fathom_records_span(records, at), records[at].copies);
		fathom_span_add(&before, fathom_records_span(records, at), steps[d].copy);
		if (d + 1 < depth) {
			before.nodes += records[at].kind == FATHOM_ELEMENT_NODE;
			before.processes += records[at].kind == FATHOM_ELEMENT_PROCESS;
			at++;
		}
	}
	return before;
}

/* --- as bytes, and as text ------------------------------------------------------------------------- */

/* Precedes the records; the classes follow them, each with a NUL. */
struct head {
	uint32_t records;
	uint32_t classes;
	uint64_t text_bytes;
};

size_t fathom_sequence_pack(const struct fathom_sequence *sequence, struct fathom_byte_stack *stack)
{
	struct head head = { .records = sequence->count, .classes = sequence->class_count };
	size_t at, record_bytes = sequence->count * sizeof(*sequence->records);
	char *place;

	for (uint32_t i = 0; i < head.classes; i++)
		head.text_bytes += strlen(sequence->classes[i]) + 1;
	at = fathom_byte_stack_push(stack, sizeof(head) + record_bytes + head.text_bytes);
	if (at == SIZE_MAX)
		return at;
	place = fathom_byte_stack_at(stack, at);
	memcpy(place, &head, sizeof(head));
	place += sizeof(head);
	memcpy(place, sequence->records, record_bytes);
	place += record_bytes;
	for (uint32_t i = 0; i < head.classes; i++)
		place = stpcpy(place, sequence->classes[i]) + 1;
	return at;
}

int64_t fathom_sequence_packed_classes(const void *packed, size_t bytes)
{
	struct head head;
	const char *texts, *end = (const char *)packed + bytes;
	uint64_t classes = 0;

	if (bytes < sizeof(head))
		return -1;
	memcpy(&head, packed, sizeof(head));
	if ((bytes - sizeof(head)) / sizeof(struct fathom_sequence_record) < head.records)
		return -1;
	texts = (const char *)packed + sizeof(head) + head.records * sizeof(struct fathom_sequence_record);
	if ((uint64_t)(end - texts) != head.text_bytes || (head.text_bytes && end[-1]))
		return -1;
	for (; texts < end; texts++)
		classes += !*texts;
	return classes == head.classes ? (int64_t)classes : -1;
}

/* Returns whether the records from *at on are a valid sub-tree, and moves *at behind it. */
static bool is_valid(const struct fathom_sequence *sequence, uint32_t *at, int depth)
{
	const struct fathom_sequence_record *records = sequence->records, *record = &records[*at], *last = NULL;

	if (*at >= sequence->count || depth >= FATHOM_SEQUENCE_DEPTH || record->kind > FATHOM_ELEMENT_NODE ||
	    record->class >= sequence->class_count || !record->copies)
		return false;
	if ((record->kind == FATHOM_ELEMENT_LOCATION) != !record->children)
		return false;
	++*at;
	for (uint32_t i = 0; i < record->children; i++) {
		const struct fathom_sequence_record *child = &records[*at];

		if (!is_valid(sequence, at, depth + 1))
			return false;
		if ((child->kind == FATHOM_ELEMENT_LOCATION) != (record->kind == FATHOM_ELEMENT_PROCESS))
			return false;
		if (child->kind != FATHOM_ELEMENT_LOCATION && last && fathom_records_compare(last, child) >= 0)
			return false;
		last = child;
	}
	return true;
}

int fathom_sequence_unpack(struct fathom_sequence *sequence, const char **classes, const void *packed, size_t bytes)
{
	int64_t count = fathom_sequence_packed_classes(packed, bytes);
	const char *text;
	uint32_t end = 0;
	struct head head;

	if (count < 0)
		return -EPROTO;
	memcpy(&head, packed, sizeof(head));
	sequence->records = (struct fathom_sequence_record *)(void *)((char *)(uintptr_t)packed + sizeof(head));
	sequence->count = head.records;
	sequence->classes = classes;
	sequence->class_count = head.classes;
	text = (const char *)&sequence->records[head.records];
	for (uint32_t i = 0; i < head.classes; i++, text += strlen(text) + 1)
		classes[i] = text;
	if (!head.records)
		return 0;
	if (!is_valid(sequence, &end, 0) || end != head.records || sequence->records[0].kind != FATHOM_ELEMENT_NODE ||
	    sequence->records[0].copies != 1)
		return -EPROTO;
	return 0;
}

const char *fathom_sequence_title(const struct fathom_sequence *sequence, uint32_t record, char *text, size_t bytes)
{
	const struct fathom_sequence_record *what = &sequence->records[record];
	char numbers[32];

	if (what->copies > 1)
		fathom_format(numbers, sizeof(numbers), "%u-%u", what->first, what->first + what->copies - 1);
	else
		fathom_format(numbers, sizeof(numbers), "%u", what->first);
	return write_name(sequence->classes[what->class], numbers, text, bytes);
}

void fathom_sequence_print(const struct fathom_sequence *sequence, void (*line)(void *context, const char *text),
			   void *context)
{
	uint32_t open[FATHOM_SEQUENCE_DEPTH + 1] = { 1 };	/* by level: records that follow */
	int depth = 0;

	for (uint32_t i = 0; i < sequence->count; i++) {
		char title[160], text[256];

		while (!open[depth])
			depth--;
		open[depth]--;
		fathom_sequence_title(sequence, i, title, sizeof(title));
		fathom_format(text, sizeof(text), "%.*s%s x%u", 2 * depth, "                              ", title,
			      sequence->records[i].copies);
		line(context, text);
		open[++depth] = sequence->records[i].children;
	}
}
