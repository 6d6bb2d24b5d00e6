/*
 * piece: a range of call paths with what all locations have there, on its way through rank 0 into the file.
 *
 * Processes send what they have of it packed: for each call path a head, and the rows of its values
 * as fathom_aggregate_cells gave them.
 */
#ifndef FATHOM_PROFILE_PIECE_H
#define FATHOM_PROFILE_PIECE_H

#include <stddef.h>
#include <stdint.h>

#include "profile/model.h"
#include "profile/unify.h"

struct fathom_cube_writer;

/* Before the rows of a call path. */
struct fathom_packed {
	uint32_t cnode;
	uint32_t pad;
	uint64_t present;	/* which rows follow: bits by enum fathom_value, metrics as the process calls them */
};

struct fathom_piece {
	const struct fathom_model *model;
	uint32_t first, end;	/* cnodes */
	uint32_t locations;
	uint64_t *cells;	/* [value][cnode - first][location][width]; NULL: there is no memory */
	char *row;		/* of the file, of the largest type */
};

/* How many call paths make a piece of about bytes; at least one. */
uint32_t fathom_piece_cnodes(const struct fathom_model *model, uint64_t bytes);

/* An empty piece with room for so many call paths. 0 or -ENOMEM. Context: finish, signal; as all below. */
int fathom_piece_init(struct fathom_piece *piece, struct fathom_arena *arena, const struct fathom_model *model,
		      uint32_t cnodes);

/* Go on with these call paths, at which nobody has anything yet. */
void fathom_piece_begin(struct fathom_piece *piece, uint32_t first, uint32_t end);

/* Put what a process sent at its columns, the first of which is column. -EPROTO: it is not what was agreed. */
int fathom_piece_unpack(struct fathom_piece *piece, const char *data, size_t bytes,
			const struct fathom_process *process, uint32_t column);

/* Hand all rows to the writer. 0 or its error. */
int fathom_piece_put(struct fathom_piece *piece, struct fathom_cube_writer *writer);

#endif
