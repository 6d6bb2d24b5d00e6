/*
 * paraver_trace: makes an OTF2 trace of a trace of Paraver.
 *
 * Values of a type whose names include one of 0 become regions ("MPI_Recv", "solve"): a value enters one, 0 leaves it.
 * User functions are nested; of other types one region is open at a time. Where a trace has no such types, its states
 * become regions. All other types become metrics. Messages are sent when the sending call began, and received when they
 * had arrived. Places in the source (callers, lines) and the program's begin and end are left out.
 */
#ifndef FATHOM_TOOLS_IMPORT_PARAVER_TRACE_H
#define FATHOM_TOOLS_IMPORT_PARAVER_TRACE_H

/* Reads path, which ends in .prv, and the file with the ending .pcf in its place, and writes the trace to directory,
 * which must not exist. Prints what was left out. 0, or -errno after an error message. Context: tool. */
int fathom_paraver_trace_import(const char *path, const char *directory);

#endif
