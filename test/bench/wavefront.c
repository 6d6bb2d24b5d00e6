/*
 * wavefront: a solver by symmetric successive over-relaxation, in the manner of NPB LU: in each time step, a front moves
 * through the planes of a grid from one corner of the processes to the opposite one, and back. Processes get the rims of
 * each plane from two neighbours and send theirs to the other two. A norm is computed after each step.
 *
 * wavefront [STEPS] [N]: a grid of N x N x N points. Prints the norm.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "work_amounts.h"

enum { MOST = 256 };

static int n, rows, columns;			/* of the grid, and of this process's part of a plane */
static int north, south, west, east;
static double *u, *f;				/* [k][row][column] with a rim of one point */
static double sent[MOST], received[MOST];

/* Not a function of its own in traces: compilers inline it. */
__attribute__((no_instrument_function)) static double *at(double *field, int k, int row, int column)
{
	return &field[((size_t)k * (size_t)(rows + 2) + (size_t)row) * (size_t)(columns + 2) + (size_t)column];
}

static void receive_rims(int k, int from_row, int from_column, int row, int column)
{
	if (from_row != MPI_PROC_NULL) {
		MPI_Recv(received, columns, MPI_DOUBLE, from_row, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		memcpy(at(u, k, row, 1), received, (size_t)columns * sizeof(double));
	}
	if (from_column != MPI_PROC_NULL) {
		MPI_Recv(received, rows, MPI_DOUBLE, from_column, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		for (int i = 0; i < rows; i++)
			*at(u, k, i + 1, column) = received[i];
	}
}

static void send_rims(int k, int to_row, int to_column, int row, int column)
{
	if (to_row != MPI_PROC_NULL) {
		memcpy(sent, at(u, k, row, 1), (size_t)columns * sizeof(double));
		MPI_Send(sent, columns, MPI_DOUBLE, to_row, 1, MPI_COMM_WORLD);
	}
	if (to_column != MPI_PROC_NULL) {
		for (int i = 0; i < rows; i++)
			sent[i] = *at(u, k, i + 1, column);
		MPI_Send(sent, rows, MPI_DOUBLE, to_column, 2, MPI_COMM_WORLD);
	}
}

static void jacobian(int k, int row)
{
	for (int j = 1; j <= columns; j++)
		*at(f, k, row, j) = 0.5 * *at(f, k, row, j) + 0.5 * sin(0.01 * (k + row + j));
}

static void relax_row(int k, int row, int step)
{
	for (int j = 1; j <= columns; j++) {
		int column = step > 0 ? j : columns + 1 - j;
		double around = *at(u, k, row - step, column) + *at(u, k, row, column - step) +
				*at(u, k - step, row, column);

		*at(u, k, row, column) += 0.2 * (around + *at(f, k, row, column) - 3.1 * *at(u, k, row, column));
	}
}

static void lower_plane(int k)
{
	receive_rims(k, north, west, 0, 0);
	for (int row = 1; row <= rows; row++) {
		jacobian(k, row);
		relax_row(k, row, 1);
	}
	WORK(13 * rows * columns, rows * columns / 2);
	send_rims(k, south, east, rows, columns);
}

static void upper_plane(int k)
{
	receive_rims(k, south, east, rows + 1, columns + 1);
	for (int row = rows; row >= 1; row--) {
		jacobian(k, row);
		relax_row(k, row, -1);
	}
	WORK(13 * rows * columns, rows * columns / 2);
	send_rims(k, north, west, 1, 1);
}

static double norm(void)
{
	double sum = 0, all;

	for (int k = 1; k <= n; k++)
		for (int row = 1; row <= rows; row++)
			for (int column = 1; column <= columns; column++)
				sum += *at(u, k, row, column) * *at(u, k, row, column);
	WORK(2 * n * rows * columns, n * rows * columns / 8);
	MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
	return sqrt(all);
}

static double time_step(void)
{
	for (int k = 1; k <= n; k++)
		lower_plane(k);
	for (int k = n; k >= 1; k--)
		upper_plane(k);
	return norm();
}

static int part_of(int count, int parts)
{
	return (count + parts - 1) / parts;
}

int main(int argc, char **argv)
{
	int sizes[2] = { 0, 0 }, periods[2] = { 0, 0 }, processes, steps;
	double last = 0;
	MPI_Comm grid;

	MPI_Init(&argc, &argv);
	steps = argc > 1 ? atoi(argv[1]) : 250;
	n = argc > 2 ? atoi(argv[2]) : 32;
	MPI_Comm_size(MPI_COMM_WORLD, &processes);
	MPI_Dims_create(processes, 2, sizes);
	MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
	MPI_Cart_shift(grid, 0, 1, &north, &south);
	MPI_Cart_shift(grid, 1, 1, &west, &east);
	rows = part_of(n, sizes[0]);
	columns = part_of(n, sizes[1]);
	u = calloc((size_t)(n + 2) * (size_t)(rows + 2) * (size_t)(columns + 2), sizeof(double));
	f = calloc((size_t)(n + 2) * (size_t)(rows + 2) * (size_t)(columns + 2), sizeof(double));
	if (!u || !f || rows > MOST || columns > MOST)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int i = 0; i < steps; i++)
		last = time_step();
	MPI_Comm_rank(MPI_COMM_WORLD, &processes);
	if (processes == 0)
		printf("norm %.6g\n", last);
	free(u);
	free(f);
	MPI_Comm_free(&grid);
	MPI_Finalize();
	return 0;
}
