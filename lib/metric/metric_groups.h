/*
 * metric_groups: names of sets of events that together answer a question, such as "@memory".
 */
#ifndef FATHOM_METRIC_METRIC_GROUPS_H
#define FATHOM_METRIC_METRIC_GROUPS_H

#include <stddef.h>

struct fathom_metric_group {
	const char *name;		/* with its @ */
	const char *question;
	const char *const *events;	/* ends with NULL */
};

/* All groups; the last entry has no name. */
extern const struct fathom_metric_group fathom_metric_groups[];

/* Returns the group of that name; NULL: there is none. Context: start. */
const struct fathom_metric_group *fathom_metric_group_find(const char *name);

/* Writes the names of all groups, "@cpu, @memory and @os"; returns text. Context: start. */
const char *fathom_metric_group_names(char *text, size_t bytes);

#endif
