/*
 * section_topologies: the topologies of a profile, and which ranks or threads have which coordinates.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_TOPOLOGIES_H
#define FATHOM_TOOLS_REPORT_SECTION_TOPOLOGIES_H

struct fathom_report;

/* Prints nothing where the profile has no topology. */
void fathom_report_topologies(const struct fathom_report *report);

/* The member "topologies" of the JSON document, if there are any. */
void fathom_report_json_topologies(const struct fathom_report *report);

#endif
