/*
 * section_grid: waiting by position in the topologies of a profile: for --waits. Context of all functions:
 * tool.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_GRID_H
#define FATHOM_TOOLS_REPORT_SECTION_GRID_H

#include <stdint.h>

struct fathom_report;

/* Prints the waiting in each topology, grouped by dimension and by the distance from the border. waits: the metric.
 * 0, or -errno after an error message. */
int fathom_report_grid_waits(struct fathom_report *report, uint32_t waits);

#endif
