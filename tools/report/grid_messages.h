/*
 * grid_messages: the messages between processes that have positions in a grid, by the direction that they take.
 *
 * A neighbour differs by one in the coordinate of one dimension; in a periodic dimension, the last position is next to
 * the first. A diagonal neighbour differs by one in several dimensions. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_GRID_MESSAGES_H
#define FATHOM_TOOLS_REPORT_GRID_MESSAGES_H

#include <stdint.h>

#include "cube/cube.h"
#include "tools/common/messages/message_pairs.h"

struct fathom_message_sum {
	uint64_t messages, bytes;
};

enum fathom_grid_direction { FATHOM_GRID_DOWN, FATHOM_GRID_UP, FATHOM_GRID_DIRECTIONS };

struct fathom_grid_messages {
	/* To neighbours, by dimension and by direction: up is towards the larger coordinate. */
	struct fathom_message_sum neighbors[FATHOM_CUBE_MOST_DIMENSIONS][FATHOM_GRID_DIRECTIONS];
	struct fathom_message_sum diagonal;
	struct fathom_message_sum farther;	/* to other positions of the grid */
	struct fathom_message_sum own;		/* to the position of the sender */
	struct fathom_message_sum outside;	/* the sender or the receiver has no position in the grid */
	struct fathom_message_sum all;		/* the sum of all members above */
	double neighbor_share;			/* of the bytes: to neighbours that are not diagonal; 0 without bytes */
};

/* Adds up the messages. pairs: of ranks in MPI_COMM_WORLD. Of a process with several positions, the first counts. A
 * grid with more than FATHOM_CUBE_MOST_DIMENSIONS dimensions has no messages. */
void fathom_grid_messages_sum(struct fathom_grid_messages *sums, const struct fathom_cube *cube,
			      const struct fathom_cube_topology *topology, const struct fathom_message_pairs *pairs);

/* Returns "up" or "down". */
const char *fathom_grid_direction_name(enum fathom_grid_direction direction);

#endif
