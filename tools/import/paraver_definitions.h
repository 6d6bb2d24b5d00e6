/*
 * paraver_definitions: what the first lines of a Paraver trace define, as definitions of a trace: nodes, processes,
 * threads, whose locations are numbered like the threads, and communicators.
 *
 * Locations and groups are added to defs as well, for the writer of archives. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_IMPORT_PARAVER_DEFINITIONS_H
#define FATHOM_TOOLS_IMPORT_PARAVER_DEFINITIONS_H

#include "otf2/definition_index.h"
#include "tools/import/paraver_records.h"
#include "tools/import/trace_definitions.h"

/* task_of: is set to the task of each thread. */
void fathom_paraver_define_system(struct fathom_trace_definitions *definitions, struct fathom_otf2_defs *defs,
				  const struct fathom_paraver_file *file, uint32_t *task_of);

/* Defines the communicators, with their positions in file as ids, and one of all tasks if there is none. Returns the id
 * of this one. */
uint32_t fathom_paraver_define_comms(struct fathom_trace_definitions *definitions, struct fathom_otf2_defs *defs,
				     const struct fathom_paraver_file *file);

#endif
