/* otf2_roles: OTF2's names for the roles and paradigms of regions. */
#ifndef FATHOM_TRACE_OTF2_ROLES_H
#define FATHOM_TRACE_OTF2_ROLES_H

#include <otf2/otf2.h>

#include "define/region.h"

/* Returns OTF2's name for the role of a region. Any context. */
OTF2_RegionRole fathom_trace_role(const struct fathom_region *region);

/* Returns OTF2's name for a paradigm. Any context. */
OTF2_Paradigm fathom_trace_paradigm(enum fathom_paradigm paradigm);

#endif
