/* otf2_roles: OTF2's names for the roles and paradigms of regions. Any context. */
#ifndef FATHOM_TRACE_OTF2_ROLES_H
#define FATHOM_TRACE_OTF2_ROLES_H

#include <otf2/otf2.h>

#include "define/region.h"

OTF2_RegionRole fathom_trace_role(const struct fathom_region *region);
OTF2_Paradigm fathom_trace_paradigm(enum fathom_paradigm paradigm);

#endif
