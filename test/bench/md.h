/*
 * md: what molecular dynamics codes in C with MPI are like, small. See md.c.
 *
 * Space is cut into one slab along x for each rank, the slab into cells that are as wide as the force reaches, at least;
 * a layer of cells around it has copies of the neighbours' atoms. Atoms lie in their cells, ordered by number, so that
 * sums do not depend on who came when.
 */
#ifndef MD_H
#define MD_H

#define CELL_ATOMS 64		/* room for so many in each cell; there are 14 on average */

struct atom {
	double r[3];		/* place */
	double v[3];
	double f[3];		/* force */
	int number;		/* dense from 0, over all ranks */
};

struct cells {
	double low[3], high[3];	/* of this rank's part */
	double edge;		/* of all space, which is a cube and goes on from its end to its begin */
	double per_cell[3];	/* 1 / a cell's width */
	int wide[3];		/* cells in each direction, without the layer around */
	int count;		/* of cells, with the layer */
	int *fill;		/* atoms in each cell */
	struct atom *atoms;	/* CELL_ATOMS for each cell */
};

/* md_cells.c */
void cells_init(struct cells *cells, double edge, double reach, int rank, int ranks);
void cells_fini(struct cells *cells);
int cell_of_tuple(const struct cells *cells, int x, int y, int z);
int cell_of_place(const struct cells *cells, const double r[3]);
struct atom *cell_atoms(const struct cells *cells, int cell);
void put_atom(struct cells *cells, const struct atom *atom);
void cells_update(struct cells *cells);
void cells_sort(struct cells *cells);
void neighbour_cells(const struct cells *cells, const int at[3], int neighbours[27]);

/* md_halo.c: atoms that left go to whom they belong to now, and the layer around is filled anew. */
void halo_exchange(struct cells *cells, int rank, int ranks);

/* md_force.c: returns the potential energy of the rank's own atoms; that of a pair is half of each one's. */
double forces(struct cells *cells, double reach);

#endif
