/*
 * page_profiles: the profiles that a page shows: one run, with the wait states of its trace where fathom analyze has
 * found them; two runs that are compared; or the largest of several runs, with its scaling losses. If the runs have
 * loops and inlined functions (scopes.cubex, which fathom report makes), these are in the call tree of the page.
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_VIEW_PAGE_PROFILES_H
#define FATHOM_TOOLS_VIEW_PAGE_PROFILES_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>

#include "tools/common/profile.h"
#include "tools/view/combined_profile.h"

struct fathom_page_profiles {		/* all zero: nothing is open */
	char path[PATH_MAX];		/* the profile of the user; of a comparison, that of the second run */
	char first_path[PATH_MAX];	/* of a comparison, the profile of the first run; else "" */
	json_t *report, *first_report;	/* fathom_page_report of these */
	json_t *scaling;		/* fathom_page_scaling; NULL: the page is not about several sizes */
	struct fathom_combined_profile combined;
	struct fathom_profile shown;	/* what the page shows; of a comparison, the second run */
	struct fathom_profile first;	/* of a comparison, the first run */
	bool compares;
};

/* Finds and opens the profiles that the targets name. The report gets the member origins, see page_definitions.h. 0, or
 * -errno after an error message; also then, fathom_page_profiles_fini must be called. The first function is for one run
 * (target NULL: the newest), the second for two runs, and the third for runs of several sizes. */
int fathom_page_profiles_open(struct fathom_page_profiles *profiles, char *target);
int fathom_page_profiles_compare(struct fathom_page_profiles *profiles, char *first, char *second);
int fathom_page_profiles_scale(struct fathom_page_profiles *profiles, char *const *targets, int count);

/* Closes the profiles and removes temporary files. */
void fathom_page_profiles_fini(struct fathom_page_profiles *profiles);

#endif
