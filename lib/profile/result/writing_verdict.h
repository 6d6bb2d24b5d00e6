/*
 * writing_verdict: the outcome of an attempt to write the values of all processes (value_collection.h).
 */
#ifndef FATHOM_PROFILE_WRITING_VERDICT_H
#define FATHOM_PROFILE_WRITING_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

struct fathom_verdict {
	int32_t err;
	int32_t rank;		/* the rank with the error */
	bool is_curable;	/* the error would not occur if rank 0 wrote */
	bool is_again;		/* set by rank 0: there is a second attempt */
};

/* Merges another verdict into verdict: an error that a second attempt cannot avoid is worse than one that it can; of
 * equally bad errors, the first one counts. Any context. */
void fathom_verdict_add(struct fathom_verdict *verdict, const struct fathom_verdict *other);

#endif
