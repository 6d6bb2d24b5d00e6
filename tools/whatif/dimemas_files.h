/*
 * dimemas_files: traces and machines of Dimemas as files of `fathom whatif`. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_WHATIF_DIMEMAS_FILES_H
#define FATHOM_TOOLS_WHATIF_DIMEMAS_FILES_H

#include "tools/whatif/study.h"

/* Reads a trace of Dimemas; path stays in use as the name of the source. 0, or -errno after an error message. */
int fathom_dimemas_file_read(struct fathom_trace_program *made, const char *path);

/* Reads a machine, and the nodes of the tasks of a program. 0, or -errno after an error message. */
int fathom_dimemas_machine_read(struct fathom_machine *machine, struct fathom_replay_program *program,
				const char *path);

/* Refuses to write path, which ends in .dim, and its neighbour .cfg, if one of them exists. 0, or -errno after an error
 * message. */
int fathom_dimemas_files_check(const char *path);

/* Writes the program and the machine of the prediction to path and its neighbour with the ending .cfg. 0, or -errno
 * after an error message. */
int fathom_dimemas_files_write(const struct fathom_study *study, const char *path);

#endif
