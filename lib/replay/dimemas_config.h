/*
 * dimemas_config: machines as configuration files of Dimemas (.cfg).
 *
 * The file has a line for the network between nodes, one for each node, and one that says on which node each task runs;
 * other lines are left out. It has one growth for all collective operations (constant, linear or logarithmic), and no
 * eager limit. If a node has links in one direction only, these are half-duplex links. A bandwidth is in units of 2^20
 * bytes per second. Context of all functions: tool.
 */
#ifndef FATHOM_REPLAY_DIMEMAS_CONFIG_H
#define FATHOM_REPLAY_DIMEMAS_CONFIG_H

#include <stddef.h>
#include <stdio.h>

#include "replay/machine.h"
#include "replay/replay_program.h"

/* Writes a machine with the nodes of a program. The caller checks out for errors. */
void fathom_dimemas_config_write(const struct fathom_machine *machine, const struct fathom_replay_program *program,
				 FILE *out);

/* Reads a machine, and the nodes of the program's tasks if the file says them for all of them. All nodes must be alike.
 * 0, or -EINVAL with a line about the file in error. */
int fathom_dimemas_config_read(struct fathom_machine *machine, struct fathom_replay_program *program, FILE *in,
			       char *error, size_t error_bytes);

#endif
