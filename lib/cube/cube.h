/*
 * cube: the definitions of a CUBE4 profile, without its values.
 *
 * A profile is a table of numbers with three dimensions: metric, call path (cnode) and
 * location. The arrays of struct fathom_cube contain the three dimensions and the definitions that they refer to; the
 * reader makes them and the writer writes them. References are indices into the arrays, -1 for "none".
 *
 * Invariants that the reader guarantees and the writer requires:
 *   cnodes stand in pre-order (document order): cnode[i].parent < i, and subtrees are contiguous;
 *   metrics stand in document order: metric[i].parent < i;
 *   locations stand in document order, which is column order; group ascending;
 *   groups and nodes stand in document order; nodes[i].parent < i.
 *
 * There are many equal processes, so the reader stores the locations of equal processes once: a profile that was read
 * has patterns, and groups that refer to them, in place of a list of locations. fathom_cube_location finds a location
 * in both forms.
 *
 * The writer also requires, because other readers do: at least one element of each kind except
 * attributes and parameters; nodes and metrics in pre-order, ghosts last; minima, maxima and tuples EXCLUSIVE;
 * in every group a location, ranks ascending within it; group types "process", "metrics",
 * "accelerator", location types "thread", "metric", "accelerator stream" (NULL: the first).
 */
#ifndef FATHOM_CUBE_CUBE_H
#define FATHOM_CUBE_CUBE_H

#include <stdbool.h>
#include <stdint.h>

#include "define/activity.h"

enum { FATHOM_CUBE_MOST_DIMENSIONS = 8 };	/* of a topology whose places a walk provides */

enum fathom_cube_type {		/* the relation of stored values to the call tree */
	FATHOM_CUBE_EXCLUSIVE,
	FATHOM_CUBE_INCLUSIVE,
	FATHOM_CUBE_DERIVED,	/* a formula, evaluated last, without values; the writer puts it into remapping.spec */
};

enum fathom_cube_dtype {
	FATHOM_CUBE_DOUBLE,
	FATHOM_CUBE_UINT64,
	FATHOM_CUBE_INT64,
	FATHOM_CUBE_UINT32,
	FATHOM_CUBE_INT32,
	FATHOM_CUBE_UINT16,
	FATHOM_CUBE_INT16,
	FATHOM_CUBE_UINT8,
	FATHOM_CUBE_INT8,
	FATHOM_CUBE_MINDOUBLE,	/* neutral: DBL_MAX, "never" */
	FATHOM_CUBE_MAXDOUBLE,	/* neutral: -DBL_MAX */
	FATHOM_CUBE_TUPLE,	/* TAU_ATOMIC: struct fathom_cube_tuple */
	FATHOM_CUBE_COMPLEX,	/* read only, as are all below */
	FATHOM_CUBE_RATE,
	FATHOM_CUBE_HISTOGRAM,
	FATHOM_CUBE_NDOUBLES,
	FATHOM_CUBE_OTHER,
};

/* Statistics over several values. No value: count 0, minimum DBL_MAX, maximum -DBL_MAX, sums 0. */
struct fathom_cube_tuple {
	uint32_t count;
	double minimum;
	double maximum;
	double sum;
	double squares;		/* sum of the values' squares */
} __attribute__((packed));

struct fathom_cube_attribute {
	const char *key;
	const char *value;
};

struct fathom_cube_metric {
	const char *uniq_name;
	const char *disp_name;
	const char *unit;	/* "sec", "bytes", "occ" */
	const char *description;
	const char *url;
	int32_t parent;		/* metric that contains this one's values, -1: none */
	uint32_t file_id;	/* names the members "<id>.data"; the writer uses the index */
	enum fathom_cube_type type;
	enum fathom_cube_dtype dtype;
	const char *expression;	/* of a formula, in CubePL; NULL if it was read from anchor.xml */
	uint32_t dtype_count;	/* bins of a histogram, numbers of NDOUBLES, else 0 */
	bool ghost;		/* in the file, but not to be shown */
	bool is_void;		/* not available */
};

struct fathom_cube_region {
	const char *name;
	const char *mangled;
	const char *file;	/* or a name that replaces it: "MPI" */
	const char *paradigm;
	const char *role;
	const char *description;
	int32_t begin_line;	/* -1: unknown */
	int32_t end_line;
	/* The class of the region's own time. Files have it as an attribute, except FATHOM_ACTIVITY_NONE. If a file
	 * lacks it, the reader uses the rules of activity_rules.h. */
	enum fathom_activity activity;
};

struct fathom_cube_parameter {
	const char *key;
	const char *value;
	bool is_numeric;
};

struct fathom_cube_cnode {
	uint32_t region;
	int32_t parent;		/* -1: a root */
	uint32_t file_id;	/* its id in the file, a label only; the writer uses the index */
	uint32_t first_parameter;
	uint32_t parameter_count;
};

struct fathom_cube_node {	/* of the system tree: machine, node, ... */
	const char *name;
	const char *class_name;	/* "machine", "node" */
	int32_t parent;
};

struct fathom_cube_group {	/* a process */
	const char *name;
	const char *type;	/* "process" */
	int32_t node;
	int64_t rank;
	/* The reader fills these in; the writer ignores them. */
	uint32_t first_location;	/* its locations end at the next group's first */
	uint32_t first_pattern;		/* the same for location patterns */
};

/* The attribute of a region that contains its activity class, as the name of the metric of that class. */
#define FATHOM_CUBE_ACTIVITY "fathom::activity"

/* The attribute of a location, and of the whole file, that describes how threads were put together. */
#define FATHOM_CUBE_THREADS "fathom::threads"

/* The attribute that names the operation by which a profile was made of others ("diff"), and the one that names these.
 * Values of differences may be negative, and formulas of them mean nothing. */
#define FATHOM_CUBE_ALGEBRA "fathom::algebra"
#define FATHOM_CUBE_ALGEBRA_INPUTS "fathom::algebra_inputs"

struct fathom_cube_location {	/* a thread: a column of values */
	const char *name;
	const char *type;	/* "thread" */
	int32_t group;
	int64_t rank;		/* within its group */
	const char *threads;	/* the threads of the process that the column contains, "0,2-7"; NULL: one thread */
};

/*
 * A walk over the elements of the system tree in document order, for the writer, which then needs no list of all
 * locations. Below a node first its groups, then nodes; below a group its locations.
 */
enum fathom_cube_element_kind { FATHOM_CUBE_NODE, FATHOM_CUBE_GROUP, FATHOM_CUBE_LOCATION };

struct fathom_cube_element {
	enum fathom_cube_element_kind kind;
	uint32_t depth;			/* of a node; 0: the root */
	const char *name;
	const char *class_name;		/* of a node; else its type */
	const char *threads;		/* of a location, as above; NULL or "": one thread */
	int64_t rank;			/* of a group or location */
};

struct fathom_cube_system {
	bool (*next)(void *context, struct fathom_cube_element *element);	/* false: there are no more */
	void *context;
};

struct fathom_cube_dimension {
	const char *name;	/* NULL or "": it has none */
	uint32_t size;		/* at least one */
	bool is_periodic;
};

/* A walk over the places of a grid, for the writer. After the last place it starts again. */
struct fathom_cube_places {
	bool (*next)(void *context, uint32_t *location, uint32_t *at);	/* false: there are no more */
	void *context;
};

struct fathom_cube_topology {	/* a Cartesian grid; a location may have several places in it */
	const char *name;	/* NULL or "": it has none */
	struct fathom_cube_dimension *dimensions;
	uint32_t dimension_count;
	uint32_t place_count;
	uint32_t *locations;	/* by place */
	uint32_t *at;		/* [place][dimension] */
	const struct fathom_cube_places *places;	/* replaces the three members above; NULL: they are used */
};

struct fathom_cube {
	const struct fathom_cube_system *system;	/* replaces nodes, groups and locations; NULL: they are used */
	struct fathom_cube_attribute *attributes;
	struct fathom_cube_metric *metrics;
	struct fathom_cube_region *regions;
	struct fathom_cube_cnode *cnodes;
	struct fathom_cube_parameter *parameters;
	struct fathom_cube_node *nodes;
	struct fathom_cube_group *groups;
	struct fathom_cube_location *locations;		/* NULL: patterns are used */
	struct fathom_cube_location *patterns;		/* of locations of equal groups; their member group is unused */
	uint32_t attribute_count;
	uint32_t metric_count;
	uint32_t region_count;
	uint32_t cnode_count;
	uint32_t parameter_count;
	uint32_t node_count;
	uint32_t group_count;
	uint32_t location_count;
	uint32_t pattern_count;		/* of locations in patterns */
	uint32_t topology_count;
	struct fathom_cube_topology *topologies;
};

/* Returns whether fathom wrote the file. Context: tool. */
bool fathom_cube_is_ours(const struct fathom_cube *cube);

/* Returns whether the values of a profile are differences or deviations of those of others. Context: tool. */
bool fathom_cube_is_difference(const struct fathom_cube *cube);

/* Return a location by its number, the group of a location, and the first location behind that group. Context: tool. */
struct fathom_cube_location fathom_cube_location(const struct fathom_cube *cube, uint32_t location);
int32_t fathom_cube_location_group(const struct fathom_cube *cube, uint32_t location);
uint32_t fathom_cube_group_end(const struct fathom_cube *cube, uint32_t location);

#endif
