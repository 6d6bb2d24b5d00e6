/*
 * The force between two atoms, by Lennard and Jones, in units of its depth and diameter, and the sum over all pairs.
 */
#include "md.h"

/* What all pairs need. */
struct pairs {
	double reach2;		/* no force further than this, squared */
	double shift;		/* so that the energy ends at 0 there */
	double energy;
};

/* Between the atoms of two cells. share: 1, or 1/2 where one of the two has copies of somebody else's. */
static void add_cell_pairs(struct pairs *pairs, struct cells *cells, int cell, int other, double share)
{
	struct atom *a = cell_atoms(cells, cell), *b = cell_atoms(cells, other);

	for (int i = 0; i < cells->fill[cell]; i++) {
		for (int j = cell == other ? i + 1 : 0; j < cells->fill[other]; j++) {
			double x = a[i].r[0] - b[j].r[0], y = a[i].r[1] - b[j].r[1], z = a[i].r[2] - b[j].r[2];
			double square = x * x + y * y + z * z, six, push;

			if (square >= pairs->reach2)
				continue;
			six = 1 / (square * square * square);
			push = 24 / square * six * (2 * six - 1);
			pairs->energy += share * (4 * six * (six - 1) - pairs->shift);
			a[i].f[0] += push * x;
			a[i].f[1] += push * y;
			a[i].f[2] += push * z;
			b[j].f[0] -= push * x;
			b[j].f[1] -= push * y;
			b[j].f[2] -= push * z;
		}
	}
}

static void clear_forces(struct cells *cells)
{
	for (int cell = 0; cell < cells->count; cell++) {
		struct atom *atoms = cell_atoms(cells, cell);

		for (int i = 0; i < cells->fill[cell]; i++)
			atoms[i].f[0] = atoms[i].f[1] = atoms[i].f[2] = 0;
	}
}

static int is_own(const struct cells *cells, int x, int y, int z)
{
	return x >= 0 && x < cells->wide[0] && y >= 0 && y < cells->wide[1] && z >= 0 && z < cells->wide[2];
}

/* Two cells of our own meet once, one of ours and one of the layer where it is ours. */
static void add_pairs_around(struct pairs *pairs, struct cells *cells, const int at[3])
{
	int cell = cell_of_tuple(cells, at[0], at[1], at[2]), neighbours[27];

	neighbour_cells(cells, at, neighbours);
	for (int n = 0; n < 27; n++) {
		int own = is_own(cells, at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1);

		if (!own || neighbours[n] >= cell)
			add_cell_pairs(pairs, cells, cell, neighbours[n], own ? 1 : 0.5);
	}
}

double forces(struct cells *cells, double reach)
{
	double six = 1 / (reach * reach * reach * reach * reach * reach);
	struct pairs pairs = { reach * reach, 4 * six * (six - 1), 0 };

	clear_forces(cells);
	for (int z = 0; z < cells->wide[2]; z++)
		for (int y = 0; y < cells->wide[1]; y++)
			for (int x = 0; x < cells->wide[0]; x++)
				add_pairs_around(&pairs, cells, (int[3]){ x, y, z });
	return pairs.energy;
}
