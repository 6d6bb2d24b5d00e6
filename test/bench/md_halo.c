/*
 * Between ranks: the two outermost planes of cells go to the neighbour on each side, one direction after the other, so that
 * edges and corners come along. Of the outer plane the neighbour is the owner from now on, of the inner one it gets copies.
 */
#include <mpi.h>

#include "md.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ATOM_DOUBLES 7		/* place, velocity, number */

struct parcel {
	double *data;
	int atoms, room;
};

static double *pack_atom(struct parcel *parcel)
{
	if (parcel->atoms == parcel->room) {
		parcel->room = parcel->room ? 2 * parcel->room : 1024;
		parcel->data = realloc(parcel->data, (size_t)parcel->room * ATOM_DOUBLES * sizeof(double));
		if (!parcel->data) {
			fprintf(stderr, "md: out of memory\n");
			abort();
		}
	}
	return &parcel->data[(size_t)parcel->atoms++ * ATOM_DOUBLES];
}

/* Space goes on at its other end. Whose atom it will be, for an owner, rounding must not change. */
static double shifted(double r, double shift, const struct cells *cells, int is_owner)
{
	double moved = r + shift;

	if (is_owner && shift > 0 && moved >= cells->edge)
		return nextafter(cells->edge, 0);
	return is_owner && shift < 0 && moved < 0 ? 0 : moved;
}

static void pack_cell(const struct cells *cells, int cell, int d, double shift, int is_owner, struct parcel *parcel)
{
	const struct atom *atoms = cell_atoms(cells, cell);

	for (int i = 0; i < cells->fill[cell]; i++) {
		double *to = pack_atom(parcel);

		for (int e = 0; e < 3; e++) {
			to[e] = e == d ? shifted(atoms[i].r[e], shift, cells, is_owner) : atoms[i].r[e];
			to[3 + e] = atoms[i].v[e];
		}
		to[6] = atoms[i].number;
	}
}

static void pack_plane(const struct cells *cells, int d, int slice, double shift, struct parcel *parcel)
{
	int is_owner = slice == -1 || slice == cells->wide[d], u = (d + 1) % 3, w = (d + 2) % 3, at[3];

	at[d] = slice;
	for (at[u] = -1; at[u] <= cells->wide[u]; at[u]++)
		for (at[w] = -1; at[w] <= cells->wide[w]; at[w]++)
			pack_cell(cells, cell_of_tuple(cells, at[0], at[1], at[2]), d, shift, is_owner, parcel);
}

static void unpack(struct cells *cells, const struct parcel *parcel)
{
	for (int i = 0; i < parcel->atoms; i++) {
		const double *from = &parcel->data[(size_t)i * ATOM_DOUBLES];
		struct atom atom = { { from[0], from[1], from[2] }, { from[3], from[4], from[5] }, { 0, 0, 0 }, (int)from[6] };

		put_atom(cells, &atom);
	}
}

static void swap(const struct parcel *out, int to, struct parcel *in, int from)
{
	MPI_Sendrecv(&out->atoms, 1, MPI_INT, to, 0, &in->atoms, 1, MPI_INT, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	in->data = malloc(((size_t)in->atoms * ATOM_DOUBLES + 1) * sizeof(double));
	if (!in->data) {
		fprintf(stderr, "md: out of memory\n");
		abort();
	}
	MPI_Sendrecv(out->data, out->atoms * ATOM_DOUBLES, MPI_DOUBLE, to, 1, in->data, in->atoms * ATOM_DOUBLES, MPI_DOUBLE,
		     from, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void exchange(struct cells *cells, int d, int left, int right)
{
	struct parcel out[2] = { { 0 } }, in[2] = { { 0 } };
	int last = cells->wide[d] - 1;

	pack_plane(cells, d, -1, cells->low[d] == 0 ? cells->edge : 0, &out[0]);
	pack_plane(cells, d, 0, cells->low[d] == 0 ? cells->edge : 0, &out[0]);
	pack_plane(cells, d, last, cells->high[d] == cells->edge ? -cells->edge : 0, &out[1]);
	pack_plane(cells, d, last + 1, cells->high[d] == cells->edge ? -cells->edge : 0, &out[1]);
	swap(&out[0], left, &in[0], right);
	swap(&out[1], right, &in[1], left);
	for (int side = 0; side < 2; side++) {
		unpack(cells, &in[side]);
		free(in[side].data);
		free(out[side].data);
	}
}

void halo_exchange(struct cells *cells, int rank, int ranks)
{
	exchange(cells, 0, (rank + ranks - 1) % ranks, (rank + 1) % ranks);
	exchange(cells, 1, rank, rank);
	exchange(cells, 2, rank, rank);
}
