/*
 * run_attributes: what the attributes of the file say about the run as a whole.
 */
#ifndef FATHOM_TOOLS_REPORT_RUN_ATTRIBUTES_H
#define FATHOM_TOOLS_REPORT_RUN_ATTRIBUTES_H

#include <stddef.h>

struct fathom_cube;
struct fathom_report;

/* An attribute as a number; fallback where the file does not have it. */
double fathom_report_number(const struct fathom_cube *cube, const char *key, double fallback);

/* Seconds from begin to end; for files that do not say, the longest time of a thread. -1: not known. */
double fathom_report_wall_time(const struct fathom_report *report);

/* The share of all locations' time that measuring took, 0 to 1. -1: not known. */
double fathom_report_overhead(const struct fathom_report *report);

/* Program and arguments as started. The result is text or lives as long as the file is open. */
const char *fathom_report_command(const struct fathom_report *report, char *text, size_t bytes);

#endif
