/*
 * combined_profile: profiles that the page shows in place of those of the user, in a temporary directory: two runs with
 * the same metrics and call paths, so that the page can compare them; and a profile with the wait states of a trace.
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_VIEW_COMBINED_PROFILE_H
#define FATHOM_TOOLS_VIEW_COMBINED_PROFILE_H

#include <limits.h>
#include <stdint.h>

/* Which of two compared runs has a call path. */
enum fathom_presence { FATHOM_IN_BOTH, FATHOM_IN_FIRST, FATHOM_IN_SECOND };

struct fathom_combined_profile {	/* all zero: none */
	char path[PATH_MAX];		/* the profile to be shown; of a comparison, the second run */
	char before[PATH_MAX];		/* of a comparison, the first run; "": it is none */
	int32_t *parts;			/* by call path: which one it is of the second run, or of the merged profile;
					 * -1: that does not have it */
	uint8_t *presence;		/* of a comparison: enum fathom_presence by call path */
	char directory[PATH_MAX];	/* temporary */
};

/* Makes the temporary directory, if there is none yet. 0, or -errno after an error message. */
int fathom_combined_profile_begin(struct fathom_combined_profile *combined);

/* Makes both profiles of a comparison of the files first and second. 0, or -errno after an error message; also then,
 * fathom_combined_profile_fini must be called. */
int fathom_combined_profile_compare(struct fathom_combined_profile *combined, char *first, char *second);

/* Makes one profile with the metrics of both files. The same errors. */
int fathom_combined_profile_merge(struct fathom_combined_profile *combined, char *profile, char *analysis);

/* Removes the temporary files. */
void fathom_combined_profile_fini(struct fathom_combined_profile *combined);

#endif
