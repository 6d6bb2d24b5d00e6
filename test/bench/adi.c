/*
 * adi: an alternating direction implicit solver, in the manner of NPB BT: in each time step, the processes exchange the
 * rims of their parts with MPI_Irecv, MPI_Isend and MPI_Waitall, compute the right-hand side, and solve along the
 * lines of the three dimensions; along the divided dimension in stages, from process to process and back. A time step is
 * chosen together at its begin.
 *
 * adi [STEPS] [N] [PAUSE]: a grid of N x N x N points, divided in one dimension. In each step, rank 0 sleeps for PAUSE
 * milliseconds before the first sweep (default 0), so that the others wait for it. Prints the largest value.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "work_amounts.h"

static int n, planes, rank, size;
static struct timespec pause_time;
static double *u, *rhs;			/* [plane][row][column], with one more plane at each end */

/* Not a function of its own in traces: compilers inline it. */
__attribute__((no_instrument_function)) static double *at(double *field, int plane, int row, int column)
{
	return &field[((size_t)plane * (size_t)n + (size_t)row) * (size_t)n + (size_t)column];
}

static void copy_faces(void)
{
	int before = rank > 0 ? rank - 1 : MPI_PROC_NULL, after = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
	MPI_Request requests[4];

	MPI_Irecv(at(u, 0, 0, 0), n * n, MPI_DOUBLE, before, 1, MPI_COMM_WORLD, &requests[0]);
	MPI_Irecv(at(u, planes + 1, 0, 0), n * n, MPI_DOUBLE, after, 2, MPI_COMM_WORLD, &requests[1]);
	MPI_Isend(at(u, 1, 0, 0), n * n, MPI_DOUBLE, before, 2, MPI_COMM_WORLD, &requests[2]);
	MPI_Isend(at(u, planes, 0, 0), n * n, MPI_DOUBLE, after, 1, MPI_COMM_WORLD, &requests[3]);
	MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}

static void rhs_row(int plane, int row)
{
	for (int column = 0; column < n; column++)
		*at(rhs, plane, row, column) = *at(u, plane - 1, row, column) + *at(u, plane + 1, row, column) -
					       2 * *at(u, plane, row, column) + 0.01;
}

static void compute_rhs(void)
{
	for (int plane = 1; plane <= planes; plane++)
		for (int row = 0; row < n; row++)
			rhs_row(plane, row);
	WORK(5 * planes * n * n, planes * n * n / 2);
}

static void solve_line(double *line, int stride)
{
	for (int i = 1; i < n; i++)
		line[i * stride] -= 0.2 * line[(i - 1) * stride];
	for (int i = n - 2; i >= 0; i--)
		line[i * stride] = 0.8 * (line[i * stride] - 0.2 * line[(i + 1) * stride]);
}

static void x_solve(void)
{
	for (int plane = 1; plane <= planes; plane++)
		for (int row = 0; row < n; row++)
			solve_line(at(rhs, plane, row, 0), 1);
	WORK(5 * planes * n * n, planes * n * n / 4);
}

static void y_solve(void)
{
	for (int plane = 1; plane <= planes; plane++)
		for (int column = 0; column < n; column++)
			solve_line(at(rhs, plane, 0, column), n);
	WORK(5 * planes * n * n, 2 * planes * n * n);
}

static void eliminate(int plane, int step)
{
	for (int row = 0; row < n; row++)
		for (int column = 0; column < n; column++)
			*at(rhs, plane, row, column) -= 0.2 * *at(rhs, plane - step, row, column);
}

/* One sweep over the processes: gets a plane from one neighbour, and passes one to the other. */
static void z_sweep(int step)
{
	int from = rank - step, to = rank + step, first = step > 0 ? 1 : planes, last = step > 0 ? planes : 1;

	if (from >= 0 && from < size)
		MPI_Recv(at(rhs, first - step, 0, 0), n * n, MPI_DOUBLE, from, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	for (int plane = first; plane != last + step; plane += step)
		eliminate(plane, step);
	WORK(2 * planes * n * n, planes * n * n / 4);
	if (to >= 0 && to < size)
		MPI_Send(at(rhs, last, 0, 0), n * n, MPI_DOUBLE, to, 3, MPI_COMM_WORLD);
}

static void add_row(int plane, int row, double time)
{
	for (int column = 0; column < n; column++)
		*at(u, plane, row, column) += time * *at(rhs, plane, row, column);
}

static void add(double time)
{
	for (int plane = 1; plane <= planes; plane++)
		for (int row = 0; row < n; row++)
			add_row(plane, row, time);
	WORK(2 * planes * n * n, planes * n * n / 4);
}

static double largest(void)
{
	double most = 0, of_all;

	for (int plane = 1; plane <= planes; plane++)
		for (int i = 0; i < n * n; i++)
			most = fmax(most, fabs(*at(u, plane, 0, i)));
	WORK(planes * n * n, planes * n * n / 8);
	MPI_Allreduce(&most, &of_all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
	return of_all;
}

static void sleep_late(void)
{
	if (rank == 0 && (pause_time.tv_sec || pause_time.tv_nsec))
		nanosleep(&pause_time, NULL);
}

static void adi(void)
{
	double time = 0.1 / (1 + largest());

	copy_faces();
	compute_rhs();
	x_solve();
	y_solve();
	sleep_late();
	z_sweep(1);
	z_sweep(-1);
	add(time);
}

int main(int argc, char **argv)
{
	int steps, pause;

	MPI_Init(&argc, &argv);
	steps = argc > 1 ? atoi(argv[1]) : 200;
	n = argc > 2 ? atoi(argv[2]) : 32;
	pause = argc > 3 ? atoi(argv[3]) : 0;
	pause_time = (struct timespec){ .tv_sec = pause / 1000, .tv_nsec = pause % 1000 * 1000000L };
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	planes = (n + size - 1) / size;
	u = calloc((size_t)(planes + 2) * (size_t)n * (size_t)n, sizeof(double));
	rhs = calloc((size_t)(planes + 2) * (size_t)n * (size_t)n, sizeof(double));
	if (!u || !rhs)
		MPI_Abort(MPI_COMM_WORLD, 1);
	for (int i = 0; i < steps; i++)
		adi();
	if (rank == 0)
		printf("largest %.6g\n", *at(u, 1, 0, 0));
	free(u);
	free(rhs);
	MPI_Finalize();
	return 0;
}
