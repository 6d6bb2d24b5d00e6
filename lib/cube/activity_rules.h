/*
 * activity_rules: the activity class of a region of a profile that does not contain it: from Score-P or from an older
 * fathom. The rules are those of Score-P's remapping; they know regions by paradigm, role and name.
 */
#ifndef FATHOM_CUBE_ACTIVITY_RULES_H
#define FATHOM_CUBE_ACTIVITY_RULES_H

#include "cube/cube.h"

/* The class of a region as its texts say it; region->activity is not looked at. Any context. */
enum fathom_activity fathom_activity_by_rules(const struct fathom_cube_region *region);

/* The class of a region where Score-P's remapping has it, for profiles that are Score-P's: it knows no management of
 * OpenMP. Any context. */
enum fathom_activity fathom_activity_remapped(const struct fathom_cube_region *region);

#endif
