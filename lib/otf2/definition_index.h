/*
 * definition_index: the global definitions of an OTF2 trace, which are found by their ids.
 *
 * The definitions of a kind are in the order of the file; the position of a definition is its index. Ids are dense in a
 * correct trace, but a lookup works for any ids. Texts are ids of strings. Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_DEFINITION_INDEX_H
#define FATHOM_OTF2_DEFINITION_INDEX_H

#include <otf2/otf2.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otf2/entry_table.h"
#include "otf2/records.h"
#include "platform/arena.h"

/* Every record begins with its id; all but strings have a name. */
struct fathom_otf2_any {
	uint64_t id;
	uint32_t name;
};

struct fathom_otf2_string {
	uint64_t id;
	const char *text;
};

struct fathom_otf2_node {
	uint64_t id;
	uint32_t name, class_name;
	int32_t parent;		/* index, -1: none */
	uint32_t domains;	/* bits, by OTF2_SystemTreeDomain */
};

struct fathom_otf2_process {
	uint64_t id;
	uint32_t name;
	uint8_t type;
	int32_t node;		/* index, -1: none */
	int32_t creator;	/* index of the process that uses an accelerator, -1: none */
	uint32_t host;		/* equal for processes that share memory, according to the system tree */
	uint32_t threads, streams;
};

struct fathom_otf2_location {
	uint64_t id;
	uint32_t name;
	uint8_t type;
	uint32_t process;	/* index; UINT32_MAX: not defined */
	uint64_t events;
	bool has_events, has_definitions;	/* files */
	uint64_t event_bytes;	/* of the file of events */
	uint32_t offset_count;	/* of clock offsets */
	int64_t first_offset, last_offset;	/* in ticks, if there are any */
};

struct fathom_otf2_region {
	uint64_t id;
	uint32_t name, canonical, file;
	uint32_t begin_line, end_line;
	uint8_t role, paradigm;
};

/* The members of a group of locations or ranks: the location and process of each rank, and the reverse. */
struct fathom_otf2_roster {
	uint32_t count;
	uint32_t *location;	/* by rank: index; UINT32_MAX: not defined */
	uint32_t *process;	/* by rank: index of its process */
	uint64_t *by_location, *by_process;	/* index << 32 | rank, ascending */
};

struct fathom_otf2_group {
	uint64_t id;
	uint32_t name;
	uint8_t type, paradigm;
	uint32_t flags, count;
	uint64_t *members;
	struct fathom_otf2_roster *roster;	/* made at the first use */
};

struct fathom_otf2_comm {
	uint64_t id;
	uint32_t name;
	int32_t group, group_b;	/* indices, -1: none; group_b of inter-communicators only */
	uint32_t flags;
	uint8_t paradigm;
	bool is_self;		/* each process has one alone: MPI_COMM_SELF and similar communicators */
	bool is_inter;
};

struct fathom_otf2_window {
	uint64_t id;
	uint32_t name;
	int32_t comm;		/* index, -1: not defined */
	uint32_t flags;
};

struct fathom_otf2_metric {
	uint64_t id;
	uint32_t name;		/* none: metrics have names by their members */
	int32_t of_class;	/* index of the class of an instance; -1: the metric is a class itself */
	uint64_t recorder_location;	/* id of the location that records an instance */
	uint8_t count, occurrence, recorder;
	uint32_t *members;	/* ids */
};

struct fathom_otf2_typed {	/* attributes, parameters, members, paradigms */
	uint64_t id;
	uint32_t name;
	uint8_t type;		/* of its values, or class of a paradigm */
	uint8_t mode;		/* of members: OTF2_MetricMode */
	uint32_t unit, description;	/* of members: ids of strings */
	double factor;		/* of members: a value times it is in the unit */
};

struct fathom_otf2_dimension {
	uint64_t id;
	uint32_t name;
	uint32_t size;
	bool is_periodic;
};

struct fathom_otf2_topology {
	uint64_t id;
	uint32_t name;
	int32_t comm;
	uint8_t count;			/* of its dimensions */
	uint32_t *sizes;		/* by dimension */
	int64_t *dimensions;		/* by dimension: index; -1: not defined */
	uint32_t members;		/* of the communicator, when the first coordinates were read */
	uint32_t placed;		/* of these, the number that have coordinates */
	uint32_t *at;			/* [rank][dimension]; FATHOM_OTF2_NOWHERE: the rank has none. NULL: no rank
					 * has */
};

#define FATHOM_OTF2_NOWHERE UINT32_MAX

struct fathom_otf2_plain {	/* all other kinds */
	uint64_t id;
	uint32_t name;
	uint32_t number;	/* handles: flags; contexts: region; generators: mode; source locations: line */
	uint32_t other;		/* contexts: source location; source locations: file, id of a string */
};

struct fathom_otf2_shelf {	/* the definitions of a space */
	char *records;
	size_t bytes, count, room;
	struct fathom_table others;	/* by id: the definitions whose id is not their index */
};

struct fathom_otf2_defs {
	struct fathom_otf2_shelf shelves[FATHOM_OTF2_SPACES];
	uint64_t resolution, offset, length, realtime;	/* of the clock; resolution 0: not defined */
	unsigned clocks;	/* ClockProperties seen */
	uint64_t count;		/* records of all kinds */
	struct fathom_arena arena;
	struct fathom_table recorders;	/* (metric id, location id) of MetricClassRecorder */
	int32_t comm_locations[256];	/* by paradigm: index of the group, -1: none */
};

struct fathom_faults;

/* Makes an empty index. */
void fathom_otf2_defs_init(struct fathom_otf2_defs *defs);

/* fathom_otf2_defs_finish completes the index when all definitions are read: threads and host of each process. */
void fathom_otf2_defs_finish(struct fathom_otf2_defs *defs, struct fathom_faults *faults);
void fathom_otf2_defs_fini(struct fathom_otf2_defs *defs);

/* Adds a definition, zeroed except for its id. */
void *fathom_otf2_defs_add(struct fathom_otf2_defs *defs, enum fathom_otf2_space space, uint64_t id);

/* Returns the definition with that id, NULL: it is not defined. */
void *fathom_otf2_find(const struct fathom_otf2_defs *defs, enum fathom_otf2_space space, uint64_t id);

/* Returns the index of the definition with that id, -1: it is not defined. */
int64_t fathom_otf2_index(const struct fathom_otf2_defs *defs, enum fathom_otf2_space space, uint64_t id);

/* Return a definition by its index, and the number of definitions of a kind. */
void *fathom_otf2_at(const struct fathom_otf2_defs *defs, enum fathom_otf2_space space, uint64_t index);
size_t fathom_otf2_count(const struct fathom_otf2_defs *defs, enum fathom_otf2_space space);

/* Returns the text of a string; "" if it is not defined. */
const char *fathom_otf2_text(const struct fathom_otf2_defs *defs, uint64_t id);

/* Returns the name of a definition for people: its name, or its kind and id. Not for strings. */
const char *fathom_otf2_name(const struct fathom_otf2_defs *defs, enum fathom_otf2_space space, uint64_t id,
			     char *text, size_t bytes);

/* Returns the name of a kind: "communicator", "region", ... */
const char *fathom_otf2_space_name(enum fathom_otf2_space space);

/* Converts ticks of the trace to seconds. */
double fathom_otf2_seconds(const struct fathom_otf2_defs *defs, double ticks);

/* Keeps the coordinates of a rank in a topology, if they are inside of it; as many as it has dimensions. */
void fathom_otf2_topology_place(struct fathom_otf2_defs *defs, struct fathom_otf2_topology *topology, uint32_t rank,
				const uint32_t *coordinates);

/* --- communicators; comm is one of shelves[FATHOM_OTF2_COMM] ----------------------------------- */

/* Returns the members of the group with that index. */
const struct fathom_otf2_roster *fathom_otf2_roster(struct fathom_otf2_defs *defs, int32_t group);

/* Returns the number of members: of both sides of an intercommunicator, 1 for one like MPI_COMM_SELF. */
uint32_t fathom_otf2_comm_size(struct fathom_otf2_defs *defs, const struct fathom_otf2_comm *comm);

/* Returns the position of a process, or of the process of a location, among all members, side A first; -1: it is no
 * member. */
int64_t fathom_otf2_comm_process(struct fathom_otf2_defs *defs, const struct fathom_otf2_comm *comm,
				 uint32_t process);
int64_t fathom_otf2_comm_location(struct fathom_otf2_defs *defs, const struct fathom_otf2_comm *comm,
				  uint32_t location);

/* Returns the process at a position; UINT32_MAX: there is none. */
uint32_t fathom_otf2_comm_member(struct fathom_otf2_defs *defs, const struct fathom_otf2_comm *comm,
				 uint32_t position);

/* Returns the process that a rank in an event of a process means; -1: there is none. */
int64_t fathom_otf2_comm_peer(struct fathom_otf2_defs *defs, const struct fathom_otf2_comm *comm,
			      uint32_t process, uint32_t rank);

#endif
