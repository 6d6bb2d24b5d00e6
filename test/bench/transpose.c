/*
 * transpose: a solver by Fourier transforms, in the manner of NPB FT: the transform of a field of three dimensions is
 * computed once. In each time step it is multiplied by factors that fade, transformed back in the two dimensions that a
 * process has whole, transposed by MPI_Alltoall, transformed in the third one, and a checksum is computed by MPI_Reduce.
 *
 * transpose [STEPS] [N]: a grid of N x N x N points, N a power of 2 that the number of processes divides. Prints the
 * checksum.
 */
#include <complex.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include "work_amounts.h"

static int n, planes, levels, rank, size;	/* planes of this process; n is 2^levels */
static double complex *field, *faded, *packed, *turned;	/* [plane][row][column] */

/* Transforms a line of n values in place: decimation in time. */
static void transform_line(double complex *line, int stride, int direction)
{
	for (int i = 1, reversed = 0; i < n; i++) {
		int bit = n >> 1;

		for (; reversed & bit; bit >>= 1)
			reversed ^= bit;
		reversed ^= bit;
		if (i < reversed) {
			double complex swapped = line[i * stride];

			line[i * stride] = line[reversed * stride];
			line[reversed * stride] = swapped;
		}
	}
	for (int length = 2; length <= n; length *= 2) {
		double complex root = cexp(direction * 2 * M_PI * I / length);

		for (int begin = 0; begin < n; begin += length) {
			double complex factor = 1;

			for (int i = begin; i < begin + length / 2; i++, factor *= root) {
				double complex odd = factor * line[(i + length / 2) * stride];

				line[(i + length / 2) * stride] = line[i * stride] - odd;
				line[i * stride] += odd;
			}
		}
	}
}

static void transform_rows(double complex *values, int direction)
{
	for (int line = 0; line < planes * n; line++)
		transform_line(values + (size_t)line * (size_t)n, 1, direction);
	WORK(8 * levels * planes * n * n, planes * n * n / 2);
}

static void transform_columns(double complex *values, int direction)
{
	for (int plane = 0; plane < planes; plane++)
		for (int column = 0; column < n; column++)
			transform_line(values + (size_t)plane * (size_t)n * (size_t)n + column, n, direction);
	WORK(8 * levels * planes * n * n, 2 * planes * n * n);
}

static void evolve(int step)
{
	for (int plane = 0; plane < planes; plane++)
		for (int i = 0; i < n * n; i++) {
			size_t at = (size_t)plane * (size_t)n * (size_t)n + (size_t)i;

			faded[at] = field[at] * exp(-1e-4 * step * (plane + i % n));
		}
	WORK(4 * planes * n * n, planes * n * n / 2);
}

/* Exchanges the parts such that the lines of the third dimension are rows. */
static void transpose(double complex *values)
{
	int part = planes * planes * n;

	for (int to = 0; to < size; to++)
		for (int plane = 0; plane < planes; plane++)
			for (int row = 0; row < planes; row++)
				for (int column = 0; column < n; column++)
					packed[(size_t)to * (size_t)part + (size_t)((row * n + column) * planes + plane)] =
						values[((size_t)plane * (size_t)n + (size_t)(to * planes + row)) *
						       (size_t)n + (size_t)column];
	WORK(planes * n * n, planes * n * n);
	MPI_Alltoall(packed, part, MPI_C_DOUBLE_COMPLEX, turned, part, MPI_C_DOUBLE_COMPLEX, MPI_COMM_WORLD);
	for (int from = 0; from < size; from++)
		for (int line = 0; line < planes * n; line++)
			for (int plane = 0; plane < planes; plane++)
				values[(size_t)line * (size_t)n + (size_t)(from * planes + plane)] =
					turned[(size_t)from * (size_t)part + (size_t)(line * planes + plane)];
	WORK(planes * n * n, planes * n * n / 2);
}

static double checksum(const double complex *values)
{
	double sum = 0, all = 0;

	for (int i = 0; i < planes * n; i++)
		sum += cabs(values[(size_t)i * (size_t)n + (size_t)(i % n)]);
	WORK(3 * planes * n, planes * n);
	MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	return all;
}

static double time_step(int step)
{
	evolve(step);
	transform_rows(faded, -1);
	transform_columns(faded, -1);
	transpose(faded);
	transform_rows(faded, -1);
	return checksum(faded);
}

int main(int argc, char **argv)
{
	size_t points;
	double last = 0;
	int steps;

	MPI_Init(&argc, &argv);
	steps = argc > 1 ? atoi(argv[1]) : 20;
	n = argc > 2 ? atoi(argv[2]) : 64;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	while (1 << levels < n)
		levels++;
	planes = n / size;
	points = (size_t)planes * (size_t)n * (size_t)n;
	field = calloc(points, sizeof(*field));
	faded = calloc(points, sizeof(*faded));
	packed = calloc(points, sizeof(*packed));
	turned = calloc(points, sizeof(*turned));
	if (1 << levels != n || n % size || !field || !faded || !packed || !turned)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (size_t i = 0; i < points; i++)
		field[i] = sin(0.1 * (double)(i % 1000) + rank);
	transform_rows(field, 1);
	transform_columns(field, 1);
	transpose(field);
	transform_rows(field, 1);
	for (int step = 1; step <= steps; step++)
		last = time_step(step);
	if (rank == 0)
		printf("checksum %.6g\n", last);
	free(field);
	free(faded);
	free(packed);
	free(turned);
	MPI_Finalize();
	return 0;
}
