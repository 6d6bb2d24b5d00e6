/*
 * json_profile: the whole profile as one JSON document; doc/man/fathom-report.1 describes its members.
 *
 * Only one record at a time is a jansson object, so memory does not grow with the document; json_profile.c writes the
 * brackets between records.
 */
#ifndef FATHOM_TOOLS_REPORT_JSON_PROFILE_H
#define FATHOM_TOOLS_REPORT_JSON_PROFILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct fathom_report;
struct fathom_values;

/* Prints the profile. 0, or -errno after an error message. */
int fathom_report_json(struct fathom_report *report);

/* Makes an object of a call path's values that are not zero, by metric; values are those of count metrics. */
json_t *fathom_json_node_values(const struct fathom_values *values, uint32_t count, uint32_t cnode, bool inclusive);

#endif
