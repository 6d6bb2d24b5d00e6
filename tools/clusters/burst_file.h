/*
 * burst_file: writes the bursts and their clusters as lines of values (CSV).
 */
#ifndef FATHOM_TOOLS_CLUSTERS_BURST_FILE_H
#define FATHOM_TOOLS_CLUSTERS_BURST_FILE_H

#include "tools/clusters/kinds.h"

/*
 * Writes a file, which must not exist. Its first line names the columns. The column of clusters has 0 for noise, -1 for
 * bursts that are too short, -2 for bursts without a value of a metric. 0, or -errno after an error message, and the
 * file does not exist. Context: tool.
 */
int fathom_burst_file_write(const struct fathom_clustering *clustering, const char *path);

#endif
