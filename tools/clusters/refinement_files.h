/*
 * refinement_files: the files that show how a refinement found the clusters. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_CLUSTERS_REFINEMENT_FILES_H
#define FATHOM_TOOLS_CLUSTERS_REFINEMENT_FILES_H

#include "tools/clusters/kinds.h"

/* Writes the tree of a refinement as a graph (Graphviz). The file must not exist. 0, or -errno after an error
 * message. */
int fathom_refinement_tree_write(const struct fathom_clustering *clustering, const char *path);

/*
 * Makes the directory, which must not exist, and writes into it: for each step STEPi.csv (the bursts and their
 * clusters) and STEPi.scores.csv (the clusters), the tree (TREE.dot), and which leaf became which kind
 * (MERGE.TREE.dot). The refinement must have kept its partitions. 0, or -errno after an error message; then the
 * directory is removed.
 */
int fathom_refinement_steps_write(const struct fathom_clustering *clustering, const char *directory);

#endif
