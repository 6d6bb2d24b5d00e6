/*
 * godunov: a solver for the flow of a gas in two dimensions, in the manner of HydroC: each time step chooses its length
 * by MPI_Allreduce, and sweeps first along the rows and then along the columns. A sweep has five phases, after each of
 * which the processes exchange the rims of their parts: primitive variables, slopes, the Riemann problem at each face,
 * fluxes, and the update of the conservative variables.
 *
 * The Riemann problem is solved by iteration. The work of this phase differs from process to process and from step to
 * step, as where shocks move; that of all others does not. The update along the columns touches more cache lines than the
 * one along the rows, so that one function has two kinds of bursts.
 *
 * godunov [STEPS] [N]: a grid of N x N points, divided by rows. Prints the mass.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "work_amounts.h"

static int n, rows, rank, size;
static double *mass, *speed, *slope, *state, *flux;	/* [row][column], with a rim row at each end */

/* Exchanges the rims of a field with the processes that have the rows before and after. */
static void exchange(double *values)
{
	int before = rank > 0 ? rank - 1 : size - 1, after = rank < size - 1 ? rank + 1 : 0;

	MPI_Sendrecv(values + n, n, MPI_DOUBLE, before, 1, values + (rows + 1) * n, n, MPI_DOUBLE, after, 1,
		     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv(values + rows * n, n, MPI_DOUBLE, after, 2, values, n, MPI_DOUBLE, before, 2, MPI_COMM_WORLD,
		     MPI_STATUS_IGNORE);
}

static int next_of(int i, int stride)
{
	return stride == 1 ? (i % n == n - 1 ? i - n + 1 : i + 1) : i + n;
}

static double courant(void)
{
	double fastest = 0, of_all;

	for (int i = n; i < (rows + 1) * n; i++)
		fastest = fmax(fastest, fabs(speed[i]) + 1);
	WORK(3 * rows * n, rows * n / 8);
	MPI_Allreduce(&fastest, &of_all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return 0.1 / of_all;
}

static void constoprim(void)
{
	for (int i = n; i < (rows + 1) * n; i++)
		speed[i] = 0.5 * sin(3 * mass[i]) + 0.1 * sqrt(fabs(mass[i]));
	WORK(30 * rows * n, rows * n / 4);
	exchange(speed);
}

static void find_slopes(int stride)
{
	for (int i = n; i < (rows + 1) * n; i++) {
		double ahead = speed[next_of(i, stride)] - speed[i];

		slope[i] = ahead * exp(-ahead * ahead);
	}
	WORK(90 * rows * n, rows * n / 3);
	exchange(slope);
}

/* How many iterations the Riemann problem needs in this process and step. Neighbouring amounts differ by a fifth. The
 * processes have them in no order that repeats (a multiplicative hash: 2^32 divided by the golden ratio). */
static int iterations_of(int step)
{
	static const int amounts[] = { 10, 12, 14, 17, 21, 25, 30, 36 };

	return amounts[(unsigned)(step * size + rank) * 2654435769u >> 29];
}

static void riemann(int step)
{
	int iterations = iterations_of(step);

	for (int i = n; i < (rows + 1) * n; i++) {
		double wanted = 2 + speed[i] + 0.1 * slope[i], root = wanted;

		for (int k = 0; k < iterations; k++)
			root = 0.5 * (root + wanted / root);
		state[i] = root;
	}
	WORK(20 * iterations * rows * n, rows * n * 2);
	exchange(state);
}

static void compute_flux(int stride, double time)
{
	for (int i = n; i < (rows + 1) * n; i++)
		flux[i] = time * (state[next_of(i, stride)] - state[i]);
	WORK(9 * rows * n, rows * n / 2);
	exchange(flux);
}

static void updateConservativeVars(int stride)
{
	if (stride == 1)
		for (int row = 1; row <= rows; row++)
			for (int column = 0; column < n; column++)
				mass[row * n + column] += flux[row * n + column] -
							  flux[row * n + (column + n - 1) % n];
	else
		for (int column = 0; column < n; column++)
			for (int row = 1; row <= rows; row++)
				mass[row * n + column] += flux[row * n + column] - flux[(row - 1) * n + column];
	WORK(6 * rows * n, stride == 1 ? rows * n / 2 : 9 * rows * n / 16);
	exchange(mass);
}

static void sweep(int stride, double time, int step)
{
	constoprim();
	find_slopes(stride);
	riemann(step);
	compute_flux(stride, time);
	updateConservativeVars(stride);
}

int main(int argc, char **argv)
{
	double sum = 0, all = 0;
	int steps;

	MPI_Init(&argc, &argv);
	steps = argc > 1 ? atoi(argv[1]) : 60;
	n = argc > 2 ? atoi(argv[2]) : 384;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	rows = n / size;
	mass = calloc((size_t)(rows + 2) * (size_t)n, sizeof(double));
	speed = calloc((size_t)(rows + 2) * (size_t)n, sizeof(double));
	slope = calloc((size_t)(rows + 2) * (size_t)n, sizeof(double));
	state = calloc((size_t)(rows + 2) * (size_t)n, sizeof(double));
	flux = calloc((size_t)(rows + 2) * (size_t)n, sizeof(double));
	if (rows == 0 || !mass || !speed || !slope || !state || !flux)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int i = 0; i < (rows + 2) * n; i++)
		mass[i] = 1 + 0.5 * sin(0.01 * (i % n) + rank);
	for (int step = 0; step < steps; step++) {
		double time = courant();

		sweep(1, time, 2 * step);
		sweep(n, time, 2 * step + 1);
	}
	for (int i = n; i < (rows + 1) * n; i++)
		sum += mass[i];
	MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	if (rank == 0)
		printf("mass %.6g\n", all);
	free(mass);
	free(speed);
	free(slope);
	free(state);
	free(flux);
	MPI_Finalize();
	return 0;
}
