/*
 * trace_definitions: the definitions of a trace that is made of another tool's trace: strings, regions, processes,
 * communicators and metrics, in the form that the writer of archives takes. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_IMPORT_TRACE_DEFINITIONS_H
#define FATHOM_TOOLS_IMPORT_TRACE_DEFINITIONS_H

#include "otf2/definition_records.h"
#include "tools/common/hash_index.h"

struct fathom_trace_definitions {
	struct fathom_definition_list list;
	struct fathom_index string_index;
	const char **strings;		/* by id */
	size_t string_count, string_room;
	uint32_t region_count, metric_count, group_count, comm_count;
};

/* Begins with a clock that starts at 0. Its duration is set when it is known. */
void fathom_trace_definitions_init(struct fathom_trace_definitions *definitions, uint64_t ticks_per_second);
void fathom_trace_definitions_set_duration(struct fathom_trace_definitions *definitions, uint64_t duration);

/* Returns the id of a string, which is added if it is new. */
uint64_t fathom_trace_definitions_string(struct fathom_trace_definitions *definitions, const char *text);

/* Add a definition and return its id. role and paradigm are those of OTF2. is_growth: values are what was added since
 * the value before; otherwise each stands for itself. Each metric has a class of its own with the same id. */
uint32_t fathom_trace_definitions_region(struct fathom_trace_definitions *definitions, const char *name,
					 OTF2_RegionRole role, OTF2_Paradigm paradigm);
uint32_t fathom_trace_definitions_metric(struct fathom_trace_definitions *definitions, const char *name,
					 bool is_growth);

/* Add a node (parent: its id, or OTF2_UNDEFINED_SYSTEM_TREE_NODE), a process, and a location of it. */
void fathom_trace_definitions_node(struct fathom_trace_definitions *definitions, uint32_t id, const char *name,
				   const char *class_name, uint32_t parent);
void fathom_trace_definitions_process(struct fathom_trace_definitions *definitions, uint32_t id, const char *name,
				      uint32_t node);
void fathom_trace_definitions_location(struct fathom_trace_definitions *definitions, uint64_t id, const char *name,
				       uint32_t process);

/* Adds MPI as a paradigm, and the list of the locations of all ranks. Communicators come after them. */
void fathom_trace_definitions_ranks(struct fathom_trace_definitions *definitions, const uint64_t *locations,
				    uint32_t count);

/* Adds a communicator of these ranks (positions in the list above), and returns its id. */
uint32_t fathom_trace_definitions_comm(struct fathom_trace_definitions *definitions, const char *name,
				       const uint32_t *ranks, uint32_t count);

void fathom_trace_definitions_fini(struct fathom_trace_definitions *definitions);

#endif
