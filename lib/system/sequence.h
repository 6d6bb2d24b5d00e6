/*
 * sequence: the system tree as sequence definitions, whose size does not grow with repetition.
 *
 * The tree has three kinds of elements: nodes (machine, rack, node, socket, ...: of any class), processes below
 * nodes, and locations (threads) below processes. A record stands for `copies` equal sub-trees; the records of its
 * children, which follow it, describe the contents of one copy. A whole tree is an array of records in the order of a
 * depth-first walk:
 *
 *	machine x1, node x16, process x8, location x4		16 nodes of 8 processes of 4 threads
 *
 * Elements are numbered in the depth-first order of the tree that is described: all copies of a child, then the next
 * child. Nodes, processes and locations are each numbered from 0; the number of an element among all elements is the
 * sum of the three counts before it. The described tree is never stored: the walk below visits it with memory for its
 * depth.
 *
 * Invariants: below a node first processes, then nodes; among children of one kind the order is that of
 * fathom_records_compare, and no two are equal (but locations of a process are in the order of their numbers).
 * copies > 0. The root is one node, and its copies are 1.
 *
 * Elements have no names other than "class 7". The names of nodes and ranks of processes are in system/tree_labels.h.
 * Context of all functions: finish, signal.
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
	FATHOM_SEQUENCE_DEPTH = FATHOM_PATH_LEVELS + 2,	/* largest number of elements on the path to a location */
	FATHOM_SEQUENCE_CLASSES = 32,				/* classes of nodes that are counted separately */
};

/* 16 bytes: also the binary form, in the byte order of the machine. */
struct fathom_sequence_record {
	uint16_t kind;		/* enum fathom_element */
	uint16_t class;		/* number in the table of classes */
	uint32_t first;		/* of locations: the number in the name of the first copy; else 0 */
	uint32_t copies;
	uint32_t children;	/* records, not copies of them */
};

struct fathom_sequence {
	struct fathom_sequence_record *records;
	uint32_t count;
	uint32_t class_count;
	/* Texts by number; those of nodes come first. For a node it is the class ("socket"). For a location it is
	 * the name pattern, with % for the number (%% for a per cent sign), and if the location stands for several
	 * threads, a line feed and the threads. */
	const char **classes;
};

/* Numbers of elements of each kind, in a sub-tree or before an element. */
struct fathom_span {
	uint64_t nodes, processes, locations;
};

/* Adds the elements of a part times times. */
static inline void fathom_span_add(struct fathom_span *span, struct fathom_span part, uint64_t times)
{
	span->nodes += part.nodes * times;
	span->processes += part.processes * times;
	span->locations += part.locations * times;
}

/* --- parts of a sequence ------------------------------------------------------------------------ */

/* Returns the number of the record behind the sub-tree at `at`. */
uint32_t fathom_records_end(const struct fathom_sequence_record *records, uint32_t at);

/* Returns the numbers of elements in one copy of the sub-tree at `at`, including the topmost element. */
struct fathom_span fathom_records_span(const struct fathom_sequence_record *records, uint32_t at);

/*
 * Compares two sub-trees by their contents: < 0, 0, > 0. 0: they are equal except for the number of copies of the
 * topmost record, so they can be joined into one sub-tree with the sum of the copies.
 */
int fathom_records_compare(const struct fathom_sequence_record *a, const struct fathom_sequence_record *b);

/* --- a walk over the tree described --------------------------------------------------------------- */

struct fathom_step {		/* a step on the path down to an element */
	uint32_t record;	/* its number in the sequence */
	uint32_t copy;		/* the number of the copy, from 0 */
};

struct fathom_walk {
	const struct fathom_sequence *sequence;
	/* The caller reads the members up to in_process. */
	int32_t depth;				/* of the element; 0: the root */
	const struct fathom_sequence_record *record;
	struct fathom_span before;		/* elements before it; for its own kind this is its number */
	uint64_t number;			/* of a node: its number among the nodes of its class */
	uint32_t in_process;			/* of a location: its number in its process */
	struct fathom_step steps[FATHOM_SEQUENCE_DEPTH];	/* [0..depth] */
	uint32_t left[FATHOM_SEQUENCE_DEPTH];	/* by depth: children of the parent that the walk has not reached */
	uint64_t numbers[FATHOM_SEQUENCE_CLASSES];
};

/* Starts a walk before the root. */
FATHOM_API void fathom_walk_begin(struct fathom_walk *walk, const struct fathom_sequence *sequence);

/* Moves to the next element in depth-first order. False: there are no more. O(1) amortised, does not allocate. */
FATHOM_API bool fathom_walk_next(struct fathom_walk *walk);

/*
 * Writes the name of the present element: "node 7", "process 3", "OMP thread 2"; returns text. fathom_walk_threads
 * returns the threads that a location stands for; "": a single one.
 */
FATHOM_API const char *fathom_walk_name(const struct fathom_walk *walk, char *text, size_t bytes);
FATHOM_API const char *fathom_walk_threads(const struct fathom_walk *walk);

/* --- index and path ------------------------------------------------------------------------------- */

/*
 * Finds the path down to the element with number index of a kind: steps[0..depth-1]. Returns depth; 0: there is no such
 * element. Takes O(depth x children).
 */
uint32_t fathom_sequence_locate(const struct fathom_sequence *sequence, enum fathom_element kind, uint64_t index,
				struct fathom_step steps[FATHOM_SEQUENCE_DEPTH]);

/* Returns the numbers of elements before the element at the end of a path. */
struct fathom_span fathom_sequence_index(const struct fathom_sequence *sequence, const struct fathom_step *steps,
					 uint32_t depth);

/* --- as bytes, and as text for people -------------------------------------------------------------- */

struct fathom_byte_stack;

/* Pushes a sequence onto a stack, in one piece. Returns its offset; SIZE_MAX: no memory. */
size_t fathom_sequence_pack(const struct fathom_sequence *sequence, struct fathom_byte_stack *stack);

/*
 * fathom_sequence_packed_classes returns the number of classes in packed bytes, which are aligned to 8; -1: they are
 * no sequence. fathom_sequence_unpack makes a sequence that points into the bytes; classes must have room for this
 * number. It returns 0, or -EPROTO if the sequence breaks an invariant.
 */
int64_t fathom_sequence_packed_classes(const void *packed, size_t bytes);
int fathom_sequence_unpack(struct fathom_sequence *sequence, const char **classes, const void *packed, size_t bytes);

/* Writes the name of all copies of a record: "OMP thread 1-3", "node"; returns text. */
const char *fathom_sequence_title(const struct fathom_sequence *sequence, uint32_t record, char *text, size_t bytes);

/*
 * Prints one line for each record, indented by two blanks for each level: "  node x16". Calls line for each.
 */
void fathom_sequence_print(const struct fathom_sequence *sequence, void (*line)(void *context, const char *text),
			   void *context);

#endif
