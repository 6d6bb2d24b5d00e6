/*
 * heat: how warmth spreads over a square plate, computed by as many processes as there are.
 *
 *	mpicc -O2 heat.c -o heat -lm
 *	mpirun -n 4 ./heat [SIZE [STEPS]]
 *
 * The plate is a grid of SIZE x SIZE points (512) whose upper edge is kept hot. Each process has a band of
 * rows; before every step (of 500) it gets the rows next to its band from its neighbours. Now and then all
 * agree on how much is still changing.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct band {
	int rank, ranks;
	int size;		/* points in a row */
	int rows;		/* of this process, without the two borrowed ones */
	double *now, *next;	/* rows + 2 rows: the first and the last are the neighbours' */
};

static double *row(const struct band *band, double *grid, int r)
{
	return grid + (size_t)r * band->size;
}

/* The upper edge is hot, all else is cold. */
static void set_up(struct band *band, int size)
{
	size_t points;

	MPI_Comm_rank(MPI_COMM_WORLD, &band->rank);
	MPI_Comm_size(MPI_COMM_WORLD, &band->ranks);
	band->size = size;
	band->rows = size / band->ranks + (band->rank < size % band->ranks);
	points = (size_t)(band->rows + 2) * size;
	band->now = calloc(points, sizeof(double));
	band->next = calloc(points, sizeof(double));
	if (!band->now || !band->next) {
		fprintf(stderr, "heat: no memory for %zu points\n", points);
		MPI_Abort(MPI_COMM_WORLD, 1);
	}
	if (band->rank == 0)
		for (int c = 0; c < size; c++)
			band->now[c] = band->next[c] = 100.0;
}

/* Borrow the rows above and below; lend the first and the last of one's own. */
static void exchange(struct band *band)
{
	int above = band->rank > 0 ? band->rank - 1 : MPI_PROC_NULL;
	int below = band->rank + 1 < band->ranks ? band->rank + 1 : MPI_PROC_NULL;
	int n = band->size;
	MPI_Request requests[4];
	MPI_Status statuses[4];

	MPI_Irecv(row(band, band->now, 0), n, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(row(band, band->now, band->rows + 1), n, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &requests[1]);
	MPI_Isend(row(band, band->now, 1), n, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(row(band, band->now, band->rows), n, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &requests[3]);
	MPI_Waitall(4, requests, statuses);
}

/* Every point becomes the mean of its four neighbours. Returns the largest change. */
static double step(struct band *band)
{
	double largest = 0;

	for (int r = 1; r <= band->rows; r++) {
		const double *up = row(band, band->now, r - 1), *here = row(band, band->now, r);
		const double *down = row(band, band->now, r + 1);
		double *out = row(band, band->next, r);

		for (int c = 1; c < band->size - 1; c++) {
			double change;

			out[c] = 0.25 * (up[c] + down[c] + here[c - 1] + here[c + 1]);
			change = fabs(out[c] - here[c]);
			if (change > largest)
				largest = change;
		}
	}
	return largest;
}

static double agree_on(double largest)
{
	double of_all;

	MPI_Allreduce(&largest, &of_all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return of_all;
}

static void swap(struct band *band)
{
	double *grid = band->now;

	band->now = band->next;
	band->next = grid;
}

static double solve(struct band *band, int steps)
{
	double largest = 0;

	for (int i = 1; i <= steps; i++) {
		exchange(band);
		largest = step(band);
		swap(band);
		if (i % 50 == 0)
			largest = agree_on(largest);
	}
	return agree_on(largest);
}

int main(int argc, char **argv)
{
	int size = argc > 1 ? atoi(argv[1]) : 512;
	int steps = argc > 2 ? atoi(argv[2]) : 500;
	struct band band;
	double change;

	MPI_Init(&argc, &argv);
	set_up(&band, size);
	change = solve(&band, steps);
	if (band.rank == 0)
		printf("heat: after %d steps a point still changes by at most %.6f\n", steps, change);
	free(band.now);
	free(band.next);
	MPI_Finalize();
	return 0;
}
