/*
 * section_threads: `fathom report --threads REGION`: what each thread did in the call paths of a region.
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_THREADS_H
#define FATHOM_TOOLS_REPORT_SECTION_THREADS_H

#include <stdint.h>

struct fathom_report;

/* What a column of the file, which stands for one thread or several, did in a call path. */
struct fathom_column {
	uint32_t location;
	double threads;			/* how many threads of the column came to the call path, at least 1 */
	double visits, own;		/* sums over these threads; own: time without what was called */
	double time;			/* as own, with what was called */
	double value, own_value;	/* of the metric asked for, as time and own; a ratio is the column's */
};

/* 0, or -EINVAL after an error message: the region is not in the profile. */
int fathom_report_threads(struct fathom_report *report);

/*
 * The columns of the file with a thread that came to the call path, in the order of the file. The caller frees the
 * result. NULL after an error message.
 */
struct fathom_column *fathom_report_columns(struct fathom_report *report, uint32_t cnode, uint32_t *count);

#endif
