/* sampled_times: which call paths of a profile are estimates by samples, and how sure their times are. */
#ifndef FATHOM_TOOLS_COMMON_SAMPLED_TIMES_H
#define FATHOM_TOOLS_COMMON_SAMPLED_TIMES_H

#include <stdbool.h>

#include "tools/common/profile.h"
#include "tools/common/text_layout.h"

struct fathom_sampled_times {
	struct fathom_values samples;	/* own is NULL: the file has no samples; then the following are NULL, too */
	bool *is_sampled;	/* by call path: it was sampled, not recorded; its time is an estimate */
	double *shared;		/* by call path that was sampled: the samples of the recorded call path around, whose
				 * time is shared out among these */
};

/* The mark of times that are estimates by samples. */
enum { FATHOM_SAMPLED_MARK = '~' };

/* Fills in sampled. visits: of the profile. 0 or -errno after a message. Context of all functions: tool. */
int fathom_sampled_times_init(struct fathom_sampled_times *sampled, struct fathom_profile *profile,
			      const struct fathom_values *visits);
void fathom_sampled_times_fini(struct fathom_sampled_times *sampled);

/* Returns half the width of the 95% confidence interval of a value that samples of all stand for, as a part of that
 * value; below 0: none, because there is no sample. */
double fathom_sampled_times_error(double samples, double all);

/* Prints what the mark means. */
void fathom_sampled_times_explain(const struct fathom_page *page);

#endif
