/*
 * dimemas_trace: programs of replays as trace files of Dimemas (.dim).
 *
 * The format has bursts, sends, receives and waits for them, and blocking collective operations. What it does not have
 * is lost: waits for non-blocking sends, and the part of a non-blocking collective operation before its wait. Context
 * of all functions: tool.
 */
#ifndef FATHOM_REPLAY_DIMEMAS_TRACE_H
#define FATHOM_REPLAY_DIMEMAS_TRACE_H

#include <stdio.h>

#include "replay/replay_program.h"

/* Writes a finished program. name: of the trace, without quotes. The caller checks out for errors. */
void fathom_dimemas_write(const struct fathom_replay_program *program, const char *name, FILE *out);

/* Reads a file and makes a finished program of it, whose call paths are the kinds of its records. 0; -EINVAL with a
 * line about the first wrong line of the file in error; -ENOMEM. */
int fathom_dimemas_read(struct fathom_replay_program *program, FILE *in, char *error, size_t error_bytes);

#endif
