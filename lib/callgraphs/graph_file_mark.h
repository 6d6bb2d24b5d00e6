/*
 * graph_file_mark: the first bytes of a file of call graphs, by which commands tell it from other files.
 */
#ifndef FATHOM_CALLGRAPHS_GRAPH_FILE_MARK_H
#define FATHOM_CALLGRAPHS_GRAPH_FILE_MARK_H

#define FATHOM_GRAPH_FILE_MARK "FATHOMCG"	/* 8 bytes; in the file without the null character */

#endif
