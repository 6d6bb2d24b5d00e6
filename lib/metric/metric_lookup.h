/*
 * metric_lookup: finds the events that names stand for, and collects the reasons why some are unavailable.
 */
#ifndef FATHOM_METRIC_METRIC_LOOKUP_H
#define FATHOM_METRIC_METRIC_LOOKUP_H

#include "metric/counter_source.h"

/* Names that were asked for and cannot be counted, with the reasons. */
struct fathom_metric_refused {
	struct {
		char name[128];
		char why[256];
	} one[2 * FATHOM_METRIC_MOST_STRICT];
	uint32_t count;
	uint32_t lost;		/* number of names without space in this structure */
};

/* Adds a name and the reason why it is not counted. Context: start. */
void fathom_metric_refuse(struct fathom_metric_refused *refused, const char *name, const char *why);

/* Prints a line for each reason. kept: the number of metrics that remain. Context: start. */
void fathom_metric_say_refused(const struct fathom_metric_refused *refused, uint32_t kept);

/*
 * Finds the event of that name. Returns 0; -ENOENT if no source knows the name; or another -errno with the reason in
 * why if the event is unavailable, or a source cannot say whether it knows the name. Context: start.
 */
int fathom_metric_find(const char *name, struct fathom_metric_event *event, struct fathom_metric_why *why);

/* Returns source number `number`, from 0, without PAPI. NULL: there are no more. Context: start. */
const struct fathom_metric_source *fathom_metric_source_by_number(uint32_t number);

/*
 * Finds all events that a list with commas names, also by groups, each once. events has space for
 * FATHOM_METRIC_MOST_STRICT. Returns 0, or -EINVAL with a line in error if no machine has one of the names.
 * Context: start.
 */
int fathom_metric_find_all(const char *list, struct fathom_metric_event *events, uint32_t *count,
			   struct fathom_metric_refused *refused, char *error, size_t error_bytes);

#endif
