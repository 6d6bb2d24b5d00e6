/*
 * Atoms in cells: which cell a place is in, putting atoms there, and keeping them in order.
 */
#include "md.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cells_init(struct cells *cells, double edge, double reach, int rank, int ranks)
{
	cells->edge = edge;
	cells->count = 1;
	for (int d = 0; d < 3; d++) {
		int parts = d == 0 ? ranks : 1, part = d == 0 ? rank : 0;

		/* Neighbours compute the same number for the border between them. */
		cells->low[d] = edge * part / parts;
		cells->high[d] = edge * (part + 1) / parts;
		cells->wide[d] = (int)(edge / parts / reach);
		cells->per_cell[d] = cells->wide[d] * parts / edge;
		cells->count *= cells->wide[d] + 2;
	}
	cells->fill = calloc((size_t)cells->count, sizeof(*cells->fill));
	cells->atoms = malloc((size_t)cells->count * CELL_ATOMS * sizeof(*cells->atoms));
	if (cells->wide[0] < 2 || cells->wide[1] < 2 || !cells->fill || !cells->atoms) {
		fprintf(stderr, "md: too little space for %d ranks, or too little memory\n", ranks);
		exit(1);
	}
}

void cells_fini(struct cells *cells)
{
	free(cells->fill);
	free(cells->atoms);
}

/* From -1 to the width, which is the layer around. */
int cell_of_tuple(const struct cells *cells, int x, int y, int z)
{
	return ((z + 1) * (cells->wide[1] + 2) + y + 1) * (cells->wide[0] + 2) + x + 1;
}

/* Where along one direction; rounding does not decide who an atom belongs to, but the borders as they are. */
static int slice_of(const struct cells *cells, double r, int d)
{
	int slice;

	if (r < cells->low[d])
		return -1;
	if (r >= cells->high[d])
		return cells->wide[d];
	slice = (int)((r - cells->low[d]) * cells->per_cell[d]);
	return slice < cells->wide[d] ? slice : cells->wide[d] - 1;
}

int cell_of_place(const struct cells *cells, const double r[3])
{
	return cell_of_tuple(cells, slice_of(cells, r[0], 0), slice_of(cells, r[1], 1), slice_of(cells, r[2], 2));
}

struct atom *cell_atoms(const struct cells *cells, int cell)
{
	return &cells->atoms[(size_t)cell * CELL_ATOMS];
}

void put_atom(struct cells *cells, const struct atom *atom)
{
	int cell = cell_of_place(cells, atom->r);

	if (cells->fill[cell] == CELL_ATOMS) {
		fprintf(stderr, "md: too many atoms in one place\n");
		abort();
	}
	cell_atoms(cells, cell)[cells->fill[cell]++] = *atom;
}

/* The last atom of the cell takes its place. */
static void take_atom(struct cells *cells, int cell, int i)
{
	struct atom *atoms = cell_atoms(cells, cell);

	atoms[i] = atoms[--cells->fill[cell]];
}

static int is_inside(const struct cells *cells, const int at[3])
{
	return at[0] >= 0 && at[0] < cells->wide[0] && at[1] >= 0 && at[1] < cells->wide[1] && at[2] >= 0 &&
	       at[2] < cells->wide[2];
}

static void empty_layer(struct cells *cells)
{
	for (int z = -1; z <= cells->wide[2]; z++)
		for (int y = -1; y <= cells->wide[1]; y++)
			for (int x = -1; x <= cells->wide[0]; x++)
				if (!is_inside(cells, (int[3]){ x, y, z }))
					cells->fill[cell_of_tuple(cells, x, y, z)] = 0;
}

/* Atoms have moved: each into the cell where it is now, which may be one of the layer around. */
void cells_update(struct cells *cells)
{
	empty_layer(cells);
	for (int cell = 0; cell < cells->count; cell++) {
		struct atom *atoms = cell_atoms(cells, cell);

		for (int i = 0; i < cells->fill[cell];) {
			if (cell_of_place(cells, atoms[i].r) == cell) {
				i++;
				continue;
			}
			put_atom(cells, &atoms[i]);
			take_atom(cells, cell, i);
		}
	}
}

static int compare_atoms(const void *a, const void *b)
{
	int left = ((const struct atom *)a)->number, right = ((const struct atom *)b)->number;

	return (left > right) - (left < right);
}

void cells_sort(struct cells *cells)
{
	for (int cell = 0; cell < cells->count; cell++)
		qsort(cell_atoms(cells, cell), (size_t)cells->fill[cell], sizeof(struct atom), compare_atoms);
}

void neighbour_cells(const struct cells *cells, const int at[3], int neighbours[27])
{
	int *next = neighbours;

	for (int z = -1; z <= 1; z++)
		for (int y = -1; y <= 1; y++)
			for (int x = -1; x <= 1; x++)
				*next++ = cell_of_tuple(cells, at[0] + x, at[1] + y, at[2] + z);
}
