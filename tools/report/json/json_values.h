/*
 * json_values: the values of a call path, as members of the JSON document.
 */
#ifndef FATHOM_TOOLS_REPORT_JSON_VALUES_H
#define FATHOM_TOOLS_REPORT_JSON_VALUES_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct fathom_values;

/* Makes an object of a call path's values that are not zero, by metric; values are those of count metrics. */
json_t *fathom_json_node_values(const struct fathom_values *values, uint32_t count, uint32_t cnode, bool inclusive);

#endif
