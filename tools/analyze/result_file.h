/*
 * result_file: writes the result of an analysis as a profile: visits, time by activity class, wait states.
 */
#ifndef FATHOM_TOOLS_ANALYZE_RESULT_FILE_H
#define FATHOM_TOOLS_ANALYZE_RESULT_FILE_H

#include "tools/analyze/extraction.h"
#include "tools/analyze/wait_search.h"

/* Writes path, which must not exist. The values of waits must be sorted. 0, or -errno after an error message.
 * Context: tool. */
int fathom_analysis_write(struct fathom_extraction *extraction, const struct fathom_wait_values *waits,
			  const char *path);

/* Removes the incomplete file; may be called at exit. Context: tool. */
void fathom_analysis_abandon(void);

#endif
