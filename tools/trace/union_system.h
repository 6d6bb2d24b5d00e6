/* union_system: the processes and locations of several traces as those of one (definition_union.h). Context: tool. */
#ifndef FATHOM_TOOLS_TRACE_UNION_SYSTEM_H
#define FATHOM_TOOLS_TRACE_UNION_SYSTEM_H

#include "tools/trace/union_contents.h"

/* Makes the processes and locations of the union, whose records refer to the strings and the system tree. 0, or -errno
 * after an error message: a location has events in two inputs. */
int fathom_union_take_system(struct fathom_definition_union *all);

#endif
