/*
 * activity_rules: the activity class of a region, for profiles that do not contain the classes: those of Score-P or of
 * an older fathom.
 *
 * The rules are those of Score-P's remapping; they recognise regions by paradigm, role and name.
 */
#ifndef FATHOM_CUBE_ACTIVITY_RULES_H
#define FATHOM_CUBE_ACTIVITY_RULES_H

#include "cube/cube.h"

/* Returns the class of a region according to its paradigm, role and name. region->activity is not used. Any context. */
enum fathom_activity fathom_activity_by_rules(const struct fathom_cube_region *region);

/* Returns the class that Score-P's remapping gives a region, for profiles of Score-P. The remapping has no class for
 * the management of OpenMP. Any context. */
enum fathom_activity fathom_activity_remapped(const struct fathom_cube_region *region);

#endif
