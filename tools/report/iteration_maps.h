/*
 * iteration_maps: the iterations of each cluster of a phase, read from the attributes of a profile.
 *
 * "0*3:0=1520,1499,1510 3:1=9000" means: iterations 0, 1 and 2 are in cluster 0 and took 1520, 1499 and 1510 ns;
 * iteration 3 is in cluster 1 and took 9000 ns.
 */
#ifndef FATHOM_TOOLS_REPORT_ITERATION_MAPS_H
#define FATHOM_TOOLS_REPORT_ITERATION_MAPS_H

#include <stdbool.h>

struct fathom_phases;

/* Returns whether an attribute with that key is a map of iterations. */
bool fathom_phases_is_map(const char *key);

/* Reads the maps of the file into phases. 0, or -EILSEQ after an error message. */
int fathom_phase_maps_read(struct fathom_phases *phases);
void fathom_phase_maps_free(struct fathom_phases *phases);

#endif
