/*
 * md: what molecular dynamics codes in C with MPI are like, small.
 *
 *	mpirun -n RANKS ./md [STEPS [LATTICE]]		4 x LATTICE^3 atoms; 100 steps of 32000 take some seconds
 *
 * A Lennard-Jones liquid that a crystal melts into: cells, so that only neighbours are asked, and an exchange of the
 * outermost ones between ranks. The files call one another's functions, of which many are small. The total energy has to
 * stay, the momentum, and the number of atoms; exit code 1: they did not.
 */
#include <mpi.h>

#include "md.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define REACH 2.5		/* of the force */
#define STEP 0.002		/* of time */
#define DENSITY 0.8442		/* atoms in a unit of space: with this temperature, near the triple point, a liquid */
#define TEMPERATURE 1.44	/* of the crystal; half of it goes into its melting */
#define REPORTS 5

static int rank, ranks;

/* What is summed over all ranks. */
struct sums {
	double potential, kinetic, atoms, momentum[3];
};

/* A number from -1 to 1 that depends on its arguments alone, not on who has the atom. */
static double noise(int number, int d)
{
	unsigned long long x = (unsigned long long)number * 3 + (unsigned long long)d + 1;

	for (int i = 0; i < 3; i++) {
		x ^= x >> 31;
		x *= 0x9e3779b97f4a7c15ULL;
	}
	return (double)(x >> 11) / (double)(1ULL << 52) - 1;
}

/* A crystal with atoms at the corners and the middles of the faces. */
static void build_crystal(struct cells *cells, int lattice)
{
	static const double basis[4][3] = { { 0.25, 0.25, 0.25 }, { 0.25, 0.75, 0.75 },
					    { 0.75, 0.25, 0.75 }, { 0.75, 0.75, 0.25 } };
	double width = cells->edge / lattice, speed = sqrt(3 * TEMPERATURE);

	for (int number = 0; number < 4 * lattice * lattice * lattice; number++) {
		int at[3] = { number / 4 % lattice, number / 4 / lattice % lattice, number / 4 / lattice / lattice };
		struct atom atom = { .number = number };

		for (int d = 0; d < 3; d++) {
			atom.r[d] = (at[d] + basis[number % 4][d]) * width;
			atom.v[d] = speed * noise(number, d);
		}
		if (atom.r[0] >= cells->low[0] && atom.r[0] < cells->high[0])
			put_atom(cells, &atom);
	}
}

/* For the atoms of this rank, and for copies, which have gone when it matters. */
static void change_velocities(struct cells *cells, double time)
{
	for (int cell = 0; cell < cells->count; cell++) {
		struct atom *atoms = cell_atoms(cells, cell);

		for (int i = 0; i < cells->fill[cell]; i++)
			for (int d = 0; d < 3; d++)
				atoms[i].v[d] += time * atoms[i].f[d];
	}
}

static void change_places(struct cells *cells, double time)
{
	for (int cell = 0; cell < cells->count; cell++) {
		struct atom *atoms = cell_atoms(cells, cell);

		for (int i = 0; i < cells->fill[cell]; i++)
			for (int d = 0; d < 3; d++)
				atoms[i].r[d] += time * atoms[i].v[d];
	}
}

static double update(struct cells *cells)
{
	cells_update(cells);
	halo_exchange(cells, rank, ranks);
	cells_sort(cells);
	return forces(cells, REACH);
}

static void add_atom(struct sums *sums, const struct atom *atom)
{
	sums->atoms += 1;
	for (int d = 0; d < 3; d++) {
		sums->momentum[d] += atom->v[d];
		sums->kinetic += 0.5 * atom->v[d] * atom->v[d];
	}
}

static struct sums sum_all(const struct cells *cells, double potential)
{
	struct sums own = { .potential = potential }, all;

	for (int z = 0; z < cells->wide[2]; z++)
		for (int y = 0; y < cells->wide[1]; y++)
			for (int x = 0; x < cells->wide[0]; x++) {
				int cell = cell_of_tuple(cells, x, y, z);

				for (int i = 0; i < cells->fill[cell]; i++)
					add_atom(&own, &cell_atoms(cells, cell)[i]);
			}
	MPI_Allreduce(&own, &all, sizeof(all) / sizeof(double), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	return all;
}

static void report(int step, const struct sums *sums)
{
	if (rank == 0)
		printf("step %d: potential %.6f, kinetic %.6f, total %.6f an atom\n", step, sums->potential / sums->atoms,
		       sums->kinetic / sums->atoms, (sums->potential + sums->kinetic) / sums->atoms);
}

static int is_kept(const struct sums *first, const struct sums *last, double atoms)
{
	double drift = fabs(last->potential + last->kinetic - first->potential - first->kinetic) / atoms, moved = 0;

	for (int d = 0; d < 3; d++)
		moved = fmax(moved, fabs(last->momentum[d] - first->momentum[d]));
	/* The force ends with a jump of 0.04, which the energy feels. */
	if (first->atoms == atoms && last->atoms == atoms && drift < 2e-3 && moved < 1e-6)
		return 1;
	if (rank == 0)
		fprintf(stderr, "md: %.0f atoms, then %.0f; energy is off by %g an atom, momentum by %g\n", first->atoms,
			last->atoms, drift, moved);
	return 0;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 100, lattice = argc > 2 ? atoi(argv[2]) : 20, kept;
	double atoms = 4.0 * lattice * lattice * lattice, potential;
	struct sums first, last;
	struct cells cells;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	cells_init(&cells, cbrt(atoms / DENSITY), REACH, rank, ranks);
	build_crystal(&cells, lattice);
	potential = update(&cells);
	first = last = sum_all(&cells, potential);
	report(0, &first);
	for (int step = 1; step <= steps; step++) {
		change_velocities(&cells, STEP / 2);
		change_places(&cells, STEP);
		potential = update(&cells);
		change_velocities(&cells, STEP / 2);
		if (step * REPORTS / steps != (step - 1) * REPORTS / steps) {
			last = sum_all(&cells, potential);
			report(step, &last);
		}
	}
	kept = is_kept(&first, &last, atoms);
	cells_fini(&cells);
	MPI_Finalize();
	return kept ? 0 : 1;
}
