/*
 * trace_reading: makes the program of a replay from the events of a trace. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_WHATIF_TRACE_READING_H
#define FATHOM_TOOLS_WHATIF_TRACE_READING_H

#include "tools/whatif/trace_program.h"

/* Prepare for an open trace whose definitions are read, and free everything. The rules and kinds must live as long. */
void fathom_trace_program_init(struct fathom_trace_program *made, struct fathom_otf2_archive *trace,
			       struct fathom_speed_rules *rules, struct fathom_faster_kinds *kinds);
void fathom_trace_program_fini(struct fathom_trace_program *made);

/* Reads the events and completes the program. 0, or -errno after an error message. */
int fathom_trace_program_read(struct fathom_trace_program *made);

#endif
