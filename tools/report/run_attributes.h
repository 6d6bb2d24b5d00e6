/* run_attributes: the facts about a run as a whole, from the attributes of the file. */
#ifndef FATHOM_TOOLS_REPORT_RUN_ATTRIBUTES_H
#define FATHOM_TOOLS_REPORT_RUN_ATTRIBUTES_H

#include <stddef.h>

struct fathom_cube;
struct fathom_report;

/* Returns an attribute as a number; fallback if the file does not have it. */
double fathom_report_number(const struct fathom_cube *cube, const char *key, double fallback);

/* Returns the seconds from begin to end; if the file does not contain them, the longest time of a thread. -1:
 * unknown. */
double fathom_report_wall_time(const struct fathom_report *report);

/* Returns the part of all locations' time that is own cost, from 0 to 1. -1: unknown. */
double fathom_report_overhead(const struct fathom_report *report);

/* Returns the program and its arguments. The result is text or lives as long as the file is open. */
const char *fathom_report_command(const struct fathom_report *report, char *text, size_t bytes);

#endif
