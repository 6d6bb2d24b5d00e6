/* thread_columns: the values of each thread, or group of threads, at a call path. Context of all functions: tool. */
#ifndef FATHOM_TOOLS_REPORT_THREAD_COLUMNS_H
#define FATHOM_TOOLS_REPORT_THREAD_COLUMNS_H

#include <stdint.h>

struct fathom_report;

/* The values of a column of the file in a call path. A column contains one thread or several. */
struct fathom_column {
	uint32_t location;
	double threads;			/* number of threads of the column that visited the call path, at least 1 */
	double visits, own;		/* sums over these threads; own: time without called regions */
	double time;			/* the sum over these threads, with called regions */
	/* Of the chosen metric, as time and own; if the metric is a ratio, that of the column's sums. */
	double value, own_value;
};

/* Returns the columns of the file with a thread that visited the call path, in the order of the file. The caller frees
 * the result. NULL after an error message. */
struct fathom_column *fathom_report_columns(struct fathom_report *report, uint32_t cnode, uint32_t *count);

#endif
