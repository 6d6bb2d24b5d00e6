/*
 * select: which functions of a file are worth measuring.
 */
#ifndef FATHOM_PLUGIN_SELECT_H
#define FATHOM_PLUGIN_SELECT_H

#include "filter/filter.h"

struct fathom_selection {
	unsigned min_insns;		/* smaller functions are left out */
	struct fathom_filter filter;
	int verbose;			/* say on stderr what was decided of each function */
};

/*
 * Mark every function of the file that shall not be instrumented. To be called once, when the
 * front end has read the file and no body has been lowered yet.
 */
void fathom_select_all(const struct fathom_selection *selection);

#endif
