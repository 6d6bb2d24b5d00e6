/*
 * result_transfer: brings the results of all processes of an analysis to the first one. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_ANALYZE_RESULT_TRANSFER_H
#define FATHOM_TOOLS_ANALYZE_RESULT_TRANSFER_H

#include "comm/comm.h"
#include "tools/analyze/extraction.h"
#include "tools/analyze/wait_search.h"

/*
 * All processes call this together. In the first one, extraction, waits and intervals then have the values of all
 * locations; in the others they stay as they are. The first process has the results of one other process at a time in
 * memory. 0 or -errno.
 */
int fathom_results_collect(struct fathom_comm *comm, struct fathom_extraction *extraction,
			   struct fathom_wait_values *waits, struct fathom_interval_list *intervals);

#endif
