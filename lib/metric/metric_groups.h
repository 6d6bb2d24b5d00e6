/*
 * metric_groups: names for sets of events that answer a question, "@memory".
 */
#ifndef FATHOM_METRIC_METRIC_GROUPS_H
#define FATHOM_METRIC_METRIC_GROUPS_H

#include <stddef.h>

struct fathom_metric_group {
	const char *name;		/* with its @ */
	const char *question;
	const char *const *events;	/* ends with NULL */
};

/* They end with one without a name. */
extern const struct fathom_metric_group fathom_metric_groups[];

/* NULL: there is none of that name. */
const struct fathom_metric_group *fathom_metric_group_find(const char *name);

/* "@cpu, @memory and @os"; returns text. */
const char *fathom_metric_group_names(char *text, size_t bytes);

#endif
