/* definition_writer: the state of rank 0 while it writes the definitions of a trace, shared by definitions.c and the
 * files *_definitions.c. */
#ifndef FATHOM_TRACE_DEFINITION_WRITER_H
#define FATHOM_TRACE_DEFINITION_WRITER_H

#include <errno.h>
#include <otf2/otf2.h>
#include <stdint.h>

#include "event/location.h"
#include "event/result.h"
#include "system/definition_pool.h"

struct fathom_comm_dimension;
struct fathom_definitions;
struct fathom_trace_members;

/* The identity of a communicator, as an entry of the pool by which all processes agree on the communicators. For
 * communicators of threads, the members follow: numbers of locations of the process. */
struct fathom_trace_comm_identity {
	uint32_t kind;			/* enum fathom_trace_comm_kind */
	uint32_t rank;			/* of threads: rank of the process; of MPI: 0 */
	uint32_t number;		/* among those of the process, or of MPI among those with the same members */
	uint32_t member_count;
	uint64_t hash;			/* of MPI: hash of the members */
	uint64_t key;			/* of MPI: see comms.h */
	uint64_t operation;		/* of MPI: see comms.h */
};

/* The description of an MPI communicator at rank 0, see comm_descriptions.h. */
struct fathom_trace_comm_description {
	const struct fathom_trace_members *members;	/* NULL: no process has described it, and the other members
							 * mean nothing */
	const char *name;		/* may be empty */
	const struct fathom_comm_dimension *dimensions;
	uint32_t dimension_count;
	uint32_t parent;		/* number in the union, or OTF2_UNDEFINED_COMM */
};

/* The data for writing definitions. Memory is in its arena until all definitions are written. */
struct fathom_trace_writing {
	struct fathom_arena arena;
	struct fathom_definitions *defs;
	uint32_t own_rank;
	const struct fathom_result *result;
	OTF2_GlobalDefWriter *writer;
	struct fathom_pool strings;	/* all strings of the trace; their numbers are those in the trace */
	uint32_t process_count;
	uint32_t rank_count;		/* ranks with a place in the trace, including absent ones */
	char **infos;			/* by process: its struct info, see definitions.c */
	uint64_t *first_of;		/* by process: number of locations of all processes before it */
	uint32_t *node_of;		/* by process: its parent node in the system tree */
	uint32_t *master_of;		/* by process: its location that runs main */
	uint64_t location_count;
	uint64_t *locations;		/* ids in the trace of all locations */
	struct fathom_trace_comm_description *descriptions;	/* by communicator of the union; only of MPI */
	uint32_t groups;		/* number of groups written so far */
	uint32_t topologies, dimensions;
	int err;			/* the first error; 0: none */
};

/* Returns the rank of a process of the trace. A process that is alone in the trace keeps the rank that it has in the
 * run. Context: finish. */
static inline uint32_t fathom_trace_rank(const struct fathom_trace_writing *w, uint32_t process)
{
	return w->process_count > 1 ? process : w->own_rank;
}

/* Stores an error in w, if err is not 0 and there was no error before. Context: finish. */
static inline void fathom_trace_note(struct fathom_trace_writing *w, int err)
{
	if (err && !w->err)
		w->err = -EIO;
}

/* Writes a definition with the struct fathom_trace_writing *w of the calling function, and stores an error there. */
#define DEFINE(function, ...) fathom_trace_note(w, function(w->writer, __VA_ARGS__))

/* Returns the number of a string in the trace, which is written if it is new. Context: finish. */
uint32_t fathom_trace_text(struct fathom_trace_writing *w, const char *value);

#endif
