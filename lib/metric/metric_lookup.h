/*
 * metric_lookup: from names to events, and what is said about those that are not to be had.
 */
#ifndef FATHOM_METRIC_METRIC_LOOKUP_H
#define FATHOM_METRIC_METRIC_LOOKUP_H

#include "metric/counter_source.h"

/* What was asked for and is not counted, with the reasons. */
struct fathom_metric_refused {
	struct {
		char name[128];
		char why[256];
	} one[2 * FATHOM_METRIC_MOST_STRICT];
	uint32_t count;
	uint32_t lost;		/* that there was no room for here */
};

void fathom_metric_refuse(struct fathom_metric_refused *refused, const char *name, const char *why);

/* A line for each reason. kept: how many metrics remain. Context: start. */
void fathom_metric_say_refused(const struct fathom_metric_refused *refused, uint32_t kept);

/*
 * The event of that name. 0; -ENOENT: no source knows the name; else -errno and why: it is known, but not to be had,
 * or whether it is known cannot be found out. Context: start.
 */
int fathom_metric_find(const char *name, struct fathom_metric_event *event, struct fathom_metric_why *why);

/* The source that has a name of this form ("perf::"), by numbers from 0; NULL: there are no more. PAPI is none. */
const struct fathom_metric_source *fathom_metric_source_by_number(uint32_t number);

/*
 * All that a list with commas names, groups as well; each once; events has room for FATHOM_METRIC_MOST_STRICT. 0, or
 * -EINVAL with a line in error that names what exists nowhere. Context: start.
 */
int fathom_metric_find_all(const char *list, struct fathom_metric_event *events, uint32_t *count,
			   struct fathom_metric_refused *refused, char *error, size_t error_bytes);

#endif
