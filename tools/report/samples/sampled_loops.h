/* sampled_loops: the samples of the loops of a program. */
#ifndef FATHOM_TOOLS_REPORT_SAMPLES_SAMPLED_LOOPS_H
#define FATHOM_TOOLS_REPORT_SAMPLES_SAMPLED_LOOPS_H

#include "tools/common/samples/sample_places.h"

struct fathom_sampled_loop {
	char *path;			/* "main > loop a.c:12 > inlined f > loop f.h:3" */
	char *path_with_calls;		/* the same with the lines of the inlined calls */
	const struct fathom_sample_module *module;
	const struct fathom_sample_place *place;	/* one that is in the loop */
	const struct fathom_code_scope *scope;		/* the loop */
	double own;			/* without loops inside it */
	double all;			/* with them, and with what is called from there */
	uint64_t samples;		/* of own */
};

struct fathom_sampled_loops {
	const struct fathom_sample_places *places;
	struct fathom_sampled_loop *list;	/* the one with the largest own value first */
	struct fathom_loop_scope *scopes;	/* the loops of all scopes met; copies of a function share loops */
	size_t count, room, scope_count, scope_room;
};

/* Finds the loops of all places, which must stay. 0, or -errno after an error message: there are none. */
int fathom_sampled_loops_init(struct fathom_sampled_loops *loops, const struct fathom_sample_places *places);
void fathom_sampled_loops_fini(struct fathom_sampled_loops *loops);

/* Returns the path of a loop, with the lines of inlined calls only if another loop would have the same text. */
const char *fathom_sampled_loop_path(const struct fathom_sampled_loops *loops, const struct fathom_sampled_loop *loop);

#endif
