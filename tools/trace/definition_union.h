/*
 * definition_union: the definitions of several traces as those of one trace.
 *
 * The traces are parts of one run: a location of the same id is the same location in all of them. Definitions with
 * equal contents become one definition; if a trace has several equal ones, such as duplicates of a communicator, the
 * first one of each trace is the same, the second one, and so on. Names of communicators and windows are not compared,
 * because a process may have ended before it gave them. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_TRACE_DEFINITION_UNION_H
#define FATHOM_TOOLS_TRACE_DEFINITION_UNION_H

#include "tools/trace/union_contents.h"

/* Makes the union of the inputs, which stay the caller's; the union is all zero at first. The clock's record, the first
 * one, has the values of the first input. 0, or -errno after an error message: a location has events in two inputs. */
int fathom_definition_union_make(struct fathom_definition_union *all, struct fathom_union_input *inputs, size_t count);
void fathom_definition_union_free(struct fathom_definition_union *all);

#endif
