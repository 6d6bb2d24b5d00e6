/*
 * instances: the stretches of time that are folded into one: the visits of a region, or the bursts of some kinds.
 *
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_FOLD_INSTANCES_H
#define FATHOM_TOOLS_FOLD_INSTANCES_H

#include "otf2/archive_reader.h"
#include "tools/clusters/kinds.h"

enum { FATHOM_NO_FOLD = 0xffffffff };

struct fathom_instance {
	uint64_t begin, end;	/* ticks */
	uint32_t location;
	uint32_t subject;	/* the region (0), or the number of the kind of bursts */
	uint32_t fold;		/* index; FATHOM_NO_FOLD: the instance is left out */
};

struct fathom_instances {	/* instances of a location do not overlap */
	struct fathom_instance *list;	/* by location, then by time */
	size_t count, room;
	char **names;		/* by subject; NULL: the subject is not folded */
	uint32_t subject_count;
};

/* Finds the outermost visits of the region with that name. 0, or -errno after an error message. */
int fathom_instances_of_region(struct fathom_instances *instances, const char *anchor, const char *region);

/* Finds the bursts of one kind, or, with kind 0, of the `top` kinds with most time, after clustering them. 0, or -errno
 * after an error message. */
int fathom_instances_of_kinds(struct fathom_instances *instances, const char *anchor,
			      const struct fathom_cluster_choice *choice, uint32_t kind, uint32_t top);

void fathom_instances_fini(struct fathom_instances *instances);

#endif
