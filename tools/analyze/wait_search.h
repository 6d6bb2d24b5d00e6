/*
 * wait_search: the search for wait states (lib/waits) in the operation logs of an extraction, and its results.
 */
#ifndef FATHOM_TOOLS_ANALYZE_WAIT_SEARCH_H
#define FATHOM_TOOLS_ANALYZE_WAIT_SEARCH_H

#include "comm/comm.h"
#include "tools/analyze/extraction.h"
#include "tools/analyze/interval_list.h"
#include "waits/search.h"

/* Among the values of an analysis, a counter has this number, plus the index of the member of a metric class. */
#define FATHOM_COUNTER_PATTERN FATHOM_WAITS_PATTERNS

struct fathom_wait_value {
	uint32_t location, path;
	uint32_t pattern;	/* enum fathom_waits_pattern; from FATHOM_COUNTER_PATTERN on, a counter */
	double value;
};

struct fathom_wait_values {
	struct fathom_wait_value *values;	/* in ascending order of pattern, call path and location once sorted */
	size_t count, room;
	struct fathom_waits_summary summary;
};

/* Searches the logs of the hosted locations; all ranks of comm call this together. The single wait states go into
 * intervals. 0 or -errno. Context: tool. */
int fathom_wait_search(struct fathom_extraction *extraction, struct fathom_comm *comm,
		       struct fathom_wait_values *waits, struct fathom_interval_list *intervals);

/* Adds a value, sorts all values, frees them. Context: tool. */
void fathom_wait_values_add(struct fathom_wait_values *waits, const struct fathom_wait_value *value);
void fathom_wait_values_sort(struct fathom_wait_values *waits);
void fathom_wait_values_fini(struct fathom_wait_values *waits);

/* counter_parts.c: adds the counters of all locations and call paths. Context: tool. */
void fathom_counters_give(const struct fathom_counters *counters, struct fathom_wait_values *values);

#endif
