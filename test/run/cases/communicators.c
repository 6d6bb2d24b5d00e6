/*
 * Communicators of all kinds, on any number of ranks; what must be in the trace stands in trace-mpi.sh.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;

static void use(MPI_Comm comm)
{
	int sum = 0, me, members, in = -1;
	MPI_Request request;

	MPI_Comm_rank(comm, &me);
	MPI_Comm_size(comm, &members);
	MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, comm);
	MPI_Irecv(&in, 1, MPI_INT, (me + members - 1) % members, 5, comm, &request);
	MPI_Send(&me, 1, MPI_INT, (me + 1) % members, 5, comm);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	if (in != (me + members - 1) % members || sum != members * (members - 1) / 2)
		abort();
}

/* Two that read alike, waited for in another order at every second rank. */
static void duplicates(void)
{
	MPI_Comm copies[3];
	MPI_Request requests[2];

	MPI_Comm_dup(MPI_COMM_WORLD, &copies[0]);
	MPI_Comm_set_name(copies[0], "copy");
	MPI_Comm_idup(MPI_COMM_WORLD, &copies[1], &requests[0]);
	MPI_Comm_idup(copies[0], &copies[2], &requests[1]);
	MPI_Wait(&requests[rank % 2], MPI_STATUS_IGNORE);
	MPI_Wait(&requests[1 - rank % 2], MPI_STATUS_IGNORE);
	MPI_Comm_set_name(copies[1], "of the world");
	MPI_Comm_set_name(copies[2], "of the copy");
	use(copies[2]);
	use(copies[1]);
	MPI_Comm_free(&copies[0]);
	MPI_Comm_disconnect(&copies[2]);
	MPI_Comm_free(&copies[1]);
}

static void parts(void)
{
	MPI_Comm part, half, none, group_comm, again;
	MPI_Group world, some;
	int range[1][3] = { { size - 1, 0, -1 } };	/* backwards */

	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &part);
	MPI_Comm_set_name(part, rank % 2 ? "odd" : "even");
	MPI_Comm_split(part, rank / 4, 0, &half);
	use(half);
	use(part);
	MPI_Comm_split(MPI_COMM_WORLD, rank ? MPI_UNDEFINED : 0, 0, &none);
	if (none != MPI_COMM_NULL)
		MPI_Comm_free(&none);
	MPI_Comm_group(MPI_COMM_WORLD, &world);
	MPI_Group_range_incl(world, 1, range, &some);
	MPI_Comm_create(MPI_COMM_WORLD, some, &group_comm);
	MPI_Comm_set_name(group_comm, "backwards");
	use(group_comm);
	MPI_Comm_free(&group_comm);
	MPI_Group_free(&some);
	/* Only some of the world take part; the same again with another tag. */
	range[0][0] = 0, range[0][1] = size / 2, range[0][2] = 1;
	MPI_Group_range_incl(world, 1, range, &some);
	if (rank <= size / 2) {
		MPI_Comm_create_group(MPI_COMM_WORLD, some, 11, &group_comm);
		MPI_Comm_set_name(group_comm, "first half");
		MPI_Comm_create_group(MPI_COMM_WORLD, some, 12, &again);
		MPI_Comm_set_name(again, "first half again");
		use(again);
		use(group_comm);
		MPI_Comm_free(&again);
		MPI_Comm_free(&group_comm);
	}
	MPI_Group_free(&some);
	MPI_Group_free(&world);
	MPI_Comm_free(&half);
	MPI_Comm_free(&part);
}

static void two_groups(void)
{
	MPI_Comm part, between, copy, whole;
	int upper = rank >= size / 2, peer_count, in = -1, out = rank;

	if (size < 2)
		return;
	MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &part);
	MPI_Intercomm_create(part, 0, MPI_COMM_WORLD, upper ? 0 : size / 2, 33, &between);
	MPI_Comm_set_name(between, "between");
	MPI_Comm_remote_size(between, &peer_count);
	/* The first of each group talk. */
	if (rank == 0 || rank == size / 2)
		MPI_Sendrecv(&out, 1, MPI_INT, 0, 7, &in, 1, MPI_INT, 0, 7, between, MPI_STATUS_IGNORE);
	MPI_Barrier(between);
	MPI_Intercomm_merge(between, upper, &whole);
	MPI_Comm_set_name(whole, "merged");
	use(whole);
	MPI_Comm_dup(between, &copy);
	MPI_Comm_free(&copy);
	MPI_Comm_free(&whole);
	MPI_Comm_free(&between);
	MPI_Comm_free(&part);
}

static void grids(void)
{
	int dims[2] = { 0, 0 }, periods[2] = { 1, 0 }, keep[2] = { 0, 1 }, line[1] = { 1 };
	MPI_Comm grid, row, small;

	MPI_Dims_create(size, 2, dims);
	MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
	MPI_Comm_set_name(grid, "grid");
	use(grid);
	MPI_Cart_sub(grid, keep, &row);
	use(row);
	MPI_Cart_create(MPI_COMM_WORLD, 1, line, periods, 0, &small);
	if (small != MPI_COMM_NULL)
		MPI_Comm_free(&small);
	MPI_Comm_free(&row);
	MPI_Comm_free(&grid);
}

/* Functions and communicators are met in another order. */
static void first(void) { grids(); }
static void second(void) { parts(); }

int main(int argc, char **argv)
{
	MPI_Comm mine;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	if (rank % 2) {
		MPI_Comm_dup(MPI_COMM_SELF, &mine);
		use(mine);
		MPI_Comm_free(&mine);
	}
	duplicates();
	first();
	second();
	two_groups();
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
