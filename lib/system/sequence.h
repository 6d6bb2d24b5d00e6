/*
 * sequence: the system tree in a form whose size does not depend on how often things repeat.
 *
 * The tree has three kinds of elements: nodes (machine, rack, node, socket, ...: of any class), processes below
 * nodes, and locations (threads) below processes. A record stands for `copies` sub-trees that are the same; what is
 * in one copy are the records of its children, which follow. So a whole tree is an array of records in the order in
 * which a depth-first walk meets them:
 *
 *	machine x1, node x16, process x8, location x4		16 nodes of 8 processes of 4 threads
 *
 * Elements are numbered in the depth-first order of the tree that is described: all copies of a child, then the next
 * child. Nodes, processes and locations are each numbered from 0; an element's number among all is the sum of the
 * three counts before it. That tree is never held: the walk below visits it with memory for its depth alone.
 *
 * Invariants: below a node first processes, then nodes; among children of one kind the order is that of
 * fathom_records_compare, and no two are equal (but locations of a process are in the order of their numbers).
 * copies > 0. The root is one node, and its copies are 1.
 *
 * No element has a name: it is "class 7". What is known beside that stands in system/tree_labels.h.
 */
#ifndef FATHOM_SYSTEM_SEQUENCE_H
#define FATHOM_SYSTEM_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/compiler.h"
#include "system/system_path.h"

enum fathom_element { FATHOM_ELEMENT_LOCATION, FATHOM_ELEMENT_PROCESS, FATHOM_ELEMENT_NODE };

enum {
	FATHOM_SEQUENCE_DEPTH = FATHOM_PATH_LEVELS + 2,	/* of elements on the way to a location, at most */
	FATHOM_SEQUENCE_CLASSES = 32,				/* classes of nodes that are counted each for itself */
};

/* 16 bytes: also the binary form, in the byte order of the machine. */
struct fathom_sequence_record {
	uint16_t kind;		/* enum fathom_element */
	uint16_t class;		/* number in the table of classes */
	uint32_t first;		/* of locations: what number the first copy has in its name; else 0 */
	uint32_t copies;
	uint32_t children;	/* records, not copies of them */
};

struct fathom_sequence {
	struct fathom_sequence_record *records;
	uint32_t count;
	uint32_t class_count;
	/* By number. Those of nodes come first. A node's is its class as people read it. A location's is its name, with
	 * % for its number (%% for a per cent sign), and where it stands for several threads, a line feed and which. */
	const char **classes;
};

/* So many elements of each kind: in a sub-tree, or before an element. */
struct fathom_span {
	uint64_t nodes, processes, locations;
};

/* Add times as many elements as are in a part. */
static inline void fathom_span_add(struct fathom_span *span, struct fathom_span part, uint64_t times)
{
	span->nodes += part.nodes * times;
	span->processes += part.processes * times;
	span->locations += part.locations * times;
}

/* --- parts of a sequence ------------------------------------------------------------------------ */

/* The record behind the sub-tree at `at`. Context: signal; as of all below. */
uint32_t fathom_records_end(const struct fathom_sequence_record *records, uint32_t at);

/* What is in one copy of the sub-tree at `at`, itself included. */
struct fathom_span fathom_records_span(const struct fathom_sequence_record *records, uint32_t at);

/*
 * The order of sub-trees, by what they hold: < 0, 0, > 0. 0: they are equal, that is to say the same but for how many
 * copies there are of the topmost record; they can be one with the sum of the copies.
 */
int fathom_records_compare(const struct fathom_sequence_record *a, const struct fathom_sequence_record *b);

/* --- a walk over the tree described --------------------------------------------------------------- */

struct fathom_step {		/* on the way down to an element */
	uint32_t record;	/* its number in the sequence */
	uint32_t copy;		/* which of its copies, from 0 */
};

struct fathom_walk {
	const struct fathom_sequence *sequence;
	int32_t depth;				/* of the element; 0: the root. The caller reads these */
	const struct fathom_sequence_record *record;
	struct fathom_span before;		/* its number of its kind; nodes, processes, locations before it */
	uint64_t number;			/* of nodes: among those of its class */
	uint32_t in_process;			/* of locations: its place in its process */
	struct fathom_step steps[FATHOM_SEQUENCE_DEPTH];	/* [0..depth] */
	uint32_t left[FATHOM_SEQUENCE_DEPTH];	/* children of the parent's record that are still to come */
	uint64_t numbers[FATHOM_SEQUENCE_CLASSES];
};

/* Before the root. */
FATHOM_API void fathom_walk_begin(struct fathom_walk *walk, const struct fathom_sequence *sequence);

/* Go to the next element in depth-first order. False: there is no more. O(1) amortised, nothing is allocated. */
FATHOM_API bool fathom_walk_next(struct fathom_walk *walk);

/*
 * What an element is called: "node 7", "process 3", "OMP thread 2"; returns text. For locations that stand for
 * several threads fathom_walk_threads says which; "": it is one.
 */
FATHOM_API const char *fathom_walk_name(const struct fathom_walk *walk, char *text, size_t bytes);
FATHOM_API const char *fathom_walk_threads(const struct fathom_walk *walk);

/* --- index and path ------------------------------------------------------------------------------- */

/*
 * The way down to number index of a kind: steps[0..depth-1]; returns depth, 0: there is none such.
 * O(depth x children).
 */
uint32_t fathom_sequence_locate(const struct fathom_sequence *sequence, enum fathom_element kind, uint64_t index,
				struct fathom_step steps[FATHOM_SEQUENCE_DEPTH]);

/* And back: what is before the element at the end of the way. */
struct fathom_span fathom_sequence_index(const struct fathom_sequence *sequence, const struct fathom_step *steps,
					 uint32_t depth);

/* --- as bytes, and as text for people -------------------------------------------------------------- */

struct fathom_byte_stack;

/* Put a sequence on top of a stack, in one piece. Where it stands; SIZE_MAX: no memory. */
size_t fathom_sequence_pack(const struct fathom_sequence *sequence, struct fathom_byte_stack *stack);

/*
 * What stands in packed bytes, aligned to 8. It points into them; classes must have room for as many as
 * fathom_sequence_packed_classes says (-1: it is no sequence). 0 or -EPROTO: it breaks a rule from above.
 */
int64_t fathom_sequence_packed_classes(const void *packed, size_t bytes);
int fathom_sequence_unpack(struct fathom_sequence *sequence, const char **classes, const void *packed, size_t bytes);

/* What a class is called where it stands for copies from first on: "OMP thread 1-3", "node"; returns text. */
const char *fathom_sequence_title(const struct fathom_sequence *sequence, uint32_t record, char *text, size_t bytes);

/*
 * One line a record, two blanks deeper for each level: "  node x16". Calls line for each. Context: finish.
 */
void fathom_sequence_print(const struct fathom_sequence *sequence, void (*line)(void *context, const char *text),
			   void *context);

#endif
