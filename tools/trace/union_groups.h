/* union_groups: the groups of several traces as those of one (definition_union.h). Context: tool. */
#ifndef FATHOM_TOOLS_TRACE_UNION_GROUPS_H
#define FATHOM_TOOLS_TRACE_UNION_GROUPS_H

#include "tools/trace/union_contents.h"

/* Makes the groups of the union: one list of locations for each paradigm, and groups of ranks in these lists. For
 * inputs that are parts, it also sets the new ranks in their groups. */
void fathom_union_take_groups(struct fathom_definition_union *all);

#endif
