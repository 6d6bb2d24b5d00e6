/*
 * trace_program: the program of a replay (lib/replay) that was made from a trace (trace_reading.h).
 *
 * The tasks of the program are the processes of the trace. A task does what the thread of its process does that calls
 * MPI. The time of this thread outside of MPI is its bursts; an MPI call that communicates is replayed, and the time of
 * other MPI calls is kept. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_WHATIF_TRACE_PROGRAM_H
#define FATHOM_TOOLS_WHATIF_TRACE_PROGRAM_H

#include "bursts/burst_paths.h"
#include "otf2/archive_reader.h"
#include "replay/replay_program.h"
#include "tools/whatif/faster_kinds.h"
#include "tools/whatif/speed_rules.h"

struct fathom_trace_location;

struct fathom_trace_program {
	const char *source;		/* name of the file, for messages */
	struct fathom_otf2_archive *trace;	/* NULL: the program is not from an OTF2 trace */
	struct fathom_speed_rules *rules;
	struct fathom_faster_kinds *kinds;	/* with the bursts of the rules about kinds */
	struct fathom_replay_program program;
	struct fathom_burst_paths paths;	/* the call paths of the records; regions by index */
	struct fathom_trace_location *locations;
	uint32_t location_count;
	uint32_t *main_locations;	/* by process: index of the location that calls MPI; UINT32_MAX: none */
	uint8_t *uses;			/* by index of region: what the replay does with its calls */
	uint16_t *groups;		/* by index of region: number of its rule */
	struct fathom_table requests;	/* of non-blocking operations that are not complete, by process and request */
	uint64_t events;
	uint64_t neighborhoods;		/* collective operations between neighbours: kept as measured */
	uint64_t one_sided;		/* one-sided operations: kept as measured */
	uint32_t second_caller;		/* a second location of a process that communicates; UINT32_MAX: none does */
};

/* Writes the name of the last region of a call path into text, cut if it is too long. */
const char *fathom_trace_program_region(const struct fathom_trace_program *made, uint32_t path, char *text,
					size_t bytes);

/* Writes the call path of a record, "main > solve > MPI_Wait", into text; omits its beginning if it is too long. */
const char *fathom_trace_program_path(const struct fathom_trace_program *made, uint32_t path, char *text, size_t bytes);

#endif
