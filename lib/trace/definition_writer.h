/*
 * definition_writer: what rank 0 needs while it writes the definitions of a trace, for definitions.c and
 * comm_definitions.c.
 */
#ifndef FATHOM_TRACE_DEFINITION_WRITER_H
#define FATHOM_TRACE_DEFINITION_WRITER_H

#include <errno.h>
#include <otf2/otf2.h>
#include <stdint.h>

#include "event/substrate.h"
#include "system/definition_pool.h"
#include "trace/comms.h"

struct fathom_definitions;

/* A communicator as a thing of the pool; for those of threads, the members follow: numbers of locations of the
 * process. */
struct fathom_trace_comm_thing {
	uint32_t kind;			/* enum fathom_trace_comm_kind */
	uint32_t rank;			/* of threads: the process; of MPI: 0 */
	uint32_t number;		/* tells it from others of the process, or of MPI with the same members */
	uint32_t member_count;
	uint64_t hash;			/* of MPI: of the members */
	uint64_t key;			/* of MPI: see comms.h */
	uint64_t operation;		/* of MPI: see comms.h */
};

/* What the first member of a communicator of MPI tells of it, for rank 0. */
struct fathom_trace_told {
	const struct fathom_trace_members *members;	/* NULL: nobody told, the rest is not known */
	const char *name;		/* may be empty */
	const struct fathom_comm_dimension *dimensions;
	uint32_t dimension_count;
	uint32_t parent;		/* in the union, or OTF2_UNDEFINED_COMM */
};

/* Everything that is written, and what it needs. */
struct fathom_trace_writing {
	struct fathom_arena arena;
	struct fathom_definitions *own;
	uint32_t own_rank;
	const struct fathom_result *result;
	OTF2_GlobalDefWriter *writer;
	struct fathom_pool strings;	/* number: of the string in the trace */
	uint32_t process_count;
	uint32_t rank_count;		/* that have a place in the trace: also those that are absent from it */
	char **infos;			/* by rank */
	uint64_t *first_of;		/* by rank: locations of all ranks before */
	uint32_t *node_of;		/* by rank: the node of the system tree that it is under */
	uint32_t *master_of;		/* by rank: its location that runs main */
	uint64_t location_count;
	uint64_t *locations;		/* all, as they are called in the trace */
	struct fathom_trace_told *told;	/* by comm of the union, of MPI */
	uint32_t groups;		/* written so far */
	uint32_t topologies, dimensions;
	int err;			/* what went wrong first */
};

/* The rank of a process that is in the trace. One that is alone there keeps its own. */
static inline uint32_t fathom_trace_rank(const struct fathom_trace_writing *w, uint32_t process)
{
	return w->process_count > 1 ? process : w->own_rank;
}

/* Remember what went wrong, if anything did. */
static inline void fathom_trace_note(struct fathom_trace_writing *w, int err)
{
	if (err && !w->err)
		w->err = -EIO;
}

/* A definition, by the writing w that is at hand. */
#define DEFINE(function, ...) fathom_trace_note(w, function(w->writer, __VA_ARGS__))

/* The number of a text; written when it is new. */
uint32_t fathom_trace_text(struct fathom_trace_writing *w, const char *value);

#endif
