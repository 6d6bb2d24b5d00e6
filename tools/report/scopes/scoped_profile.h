/*
 * scoped_profile: the file scopes.cubex next to a profile: the same profile with loops and inlined functions between
 * its call paths (scoped_tree.h).
 *
 * The file is made when it is first asked for, from the profile, its samples by address, and the program and libraries
 * that ran. The values of a call path are shared out among its nodes in proportion to their samples, for each thread by
 * its own samples, so that they add up to the same value exactly. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_SCOPES_SCOPED_PROFILE_H
#define FATHOM_TOOLS_REPORT_SCOPES_SCOPED_PROFILE_H

#include <stdbool.h>

/* The attribute of the file with scopes: the version of the way in which they are found. */
#define FATHOM_SCOPES_ATTRIBUTE "fathom::scopes"

struct fathom_scoped_profile {
	char *path;		/* of the file; NULL: there is none */
	bool is_temporary;	/* the directory of the profile cannot be written to */
	char *remark;		/* why some, or all, scopes are missing; NULL: they are not */
};

/* Finds the file for a profile, or makes it. Prints no errors: without the file, the remark says why, except for
 * profiles without samples. */
void fathom_scoped_profile_find(struct fathom_scoped_profile *scoped, const char *profile);

/* Removes a temporary file. */
void fathom_scoped_profile_fini(struct fathom_scoped_profile *scoped);

#endif
