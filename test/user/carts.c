/*
 * Cartesian communicators: one of all ranks, its rows and columns, one without the last two ranks, which has a name, a
 * copy of it, one that is made again and again, one of one rank. With "many": 66 more, each of all ranks in another
 * order. With "abort": it ends without MPI_Finalize.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* The n-th order of the ranks: where this one comes. */
static int key(int n, int rank, int size)
{
	int order[64], left = size, code = n, at = -1;

	for (int i = 0; i < size; i++)
		order[i] = i;
	for (int place = 0; place < size; place++, left--) {
		int take = code % left;

		code /= left;
		if (order[take] == rank)
			at = place;
		memmove(order + take, order + take + 1, (size_t)(left - take - 1) * sizeof(*order));
	}
	return at;
}

static void many(int rank, int size, const int *sizes, const int *periods)
{
	for (int n = 1; n <= 66; n++) {
		MPI_Comm other, grid;

		MPI_Comm_split(MPI_COMM_WORLD, 0, key(n, rank, size), &other);
		MPI_Cart_create(other, 2, sizes, periods, 0, &grid);
		MPI_Comm_free(&grid);
		MPI_Comm_free(&other);
	}
}

int main(int argc, char **argv)
{
	int rank, size, periods[] = { 1, 0 }, row[] = { 0, 1 }, column[] = { 1, 0 };
	MPI_Comm grid, rows, columns, part, copy;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);

	int sizes[] = { size / 2, 2 }, part_sizes[] = { 2, (size - 2) / 2 }, one[] = { 1 };

	MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
	MPI_Cart_sub(grid, row, &rows);
	MPI_Cart_sub(grid, column, &columns);
	MPI_Comm_set_name(columns, "columns");
	MPI_Cart_create(MPI_COMM_WORLD, 2, part_sizes, periods + 1, 0, &part);
	if (part != MPI_COMM_NULL) {
		if (rank == 1 || argc > 1)	/* one is enough, where they end together */
			MPI_Comm_set_name(part, "part <&>");
		MPI_Comm_dup(part, &copy);
		MPI_Comm_free(&copy);
	}
	for (int i = 0; i < 5; i++) {
		MPI_Cart_create(MPI_COMM_WORLD, 1, &size, periods, 0, &copy);
		MPI_Comm_free(&copy);
	}
	MPI_Cart_create(MPI_COMM_SELF, 1, one, periods, 0, &copy);
	MPI_Comm_free(&copy);
	if (argc > 1 && !strcmp(argv[1], "many"))
		many(rank, size, sizes, periods);
	MPI_Barrier(MPI_COMM_WORLD);
	if (argc > 1 && !strcmp(argv[1], "abort")) {
		MPI_Barrier(grid);
		exit(0);
	}
	if (part != MPI_COMM_NULL)
		MPI_Comm_free(&part);
	MPI_Comm_free(&rows);
	MPI_Comm_free(&columns);
	MPI_Comm_free(&grid);
	MPI_Finalize();
	return 0;
}
