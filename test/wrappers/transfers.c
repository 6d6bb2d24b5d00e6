/*
 * Bytes of one-sided and file operations. Any number of processes; each works with the next one.
 */
#include "standin.h"

#include "mpi4.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int me, all, next;
static double out[1024], in[1024];

static void moved(enum standin_kind kind, uint64_t bytes, uint64_t bytes_in)
{
	CHECK_EQUAL(standin_count(kind), 1);
	CHECK_EQUAL(standin_last(kind)->bytes, bytes);
	CHECK_EQUAL(standin_last(kind)->bytes_in, bytes_in);
	standin_reset();
}

static void one_sided(void)
{
	double *memory;
	MPI_Win win;
	MPI_Request request;
	double compare = 0, one = 1, result;

	standin_reset();
	MPI_Win_allocate(8192, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
	CHECK_EQUAL(standin_count(STANDIN_COLLECTIVE), 1);
	standin_reset();
	MPI_Win_lock_all(0, win);
	MPI_Put(out, 10, MPI_DOUBLE, next, 0, 10, MPI_DOUBLE, win);
	moved(STANDIN_RMA, 80, 0);
	MPI_Put_c(out, 11, MPI_DOUBLE, next, 0, 11, MPI_DOUBLE, win);
	moved(STANDIN_RMA, 88, 0);
	MPI_Get(in, 12, MPI_DOUBLE, next, 0, 12, MPI_DOUBLE, win);
	moved(STANDIN_RMA, 0, 96);
	MPI_Accumulate(out, 13, MPI_DOUBLE, next, 0, 13, MPI_DOUBLE, MPI_SUM, win);
	moved(STANDIN_RMA, 104, 0);
	MPI_Get_accumulate(out, 14, MPI_DOUBLE, in, 14, MPI_DOUBLE, next, 0, 14, MPI_DOUBLE, MPI_SUM, win);
	moved(STANDIN_RMA, 112, 112);
	MPI_Get_accumulate(NULL, 0, MPI_DATATYPE_NULL, in, 14, MPI_DOUBLE, next, 0, 14, MPI_DOUBLE, MPI_NO_OP, win);
	moved(STANDIN_RMA, 0, 112);
	MPI_Fetch_and_op(&one, &result, MPI_DOUBLE, next, 0, MPI_SUM, win);
	moved(STANDIN_RMA, 8, 8);
	MPI_Fetch_and_op(NULL, &result, MPI_DOUBLE, next, 0, MPI_NO_OP, win);
	moved(STANDIN_RMA, 0, 8);
	MPI_Compare_and_swap(&one, &compare, &result, MPI_INT, next, 0, win);
	moved(STANDIN_RMA, 4, 4);

	MPI_Rput(out, 10, MPI_DOUBLE, next, 0, 10, MPI_DOUBLE, win, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	moved(STANDIN_RMA, 80, 0);
	MPI_Rget(in, 10, MPI_DOUBLE, next, 0, 10, MPI_DOUBLE, win, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	moved(STANDIN_RMA, 0, 80);
	MPI_Raccumulate(out, 10, MPI_DOUBLE, next, 0, 10, MPI_DOUBLE, MPI_SUM, win, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	moved(STANDIN_RMA, 80, 0);
	MPI_Rget_accumulate(out, 3, MPI_DOUBLE, in, 3, MPI_DOUBLE, next, 0, 3, MPI_DOUBLE, MPI_SUM, win, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	moved(STANDIN_RMA, 24, 24);

	MPI_Put(out, 10, MPI_DOUBLE, MPI_PROC_NULL, 0, 10, MPI_DOUBLE, win);
	CHECK_EQUAL(standin_count(STANDIN_RMA), 0);
	MPI_Win_unlock_all(win);
	MPI_Win_fence(0, win);
	CHECK_EQUAL(standin_visits("MPI_Win_fence"), 1);
	MPI_Win_free(&win);
	CHECK_EQUAL(standin_open_requests(), 0);
}

static void files(const char *path)
{
	MPI_File file;
	MPI_Request request;
	MPI_Status status;
	MPI_Offset base = 1000 * (MPI_Offset)me;
	int count;

	standin_reset();
	CHECK(MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) ==
	      MPI_SUCCESS);
	CHECK_EQUAL(standin_count(STANDIN_COLLECTIVE), 1);
	standin_reset();
	MPI_File_write_at(file, base, out, 10, MPI_DOUBLE, MPI_STATUS_IGNORE);
	moved(STANDIN_IO, 0, 80);
	MPI_File_write_at_all(file, base, out, 100, MPI_DOUBLE, &status);
	moved(STANDIN_IO, 0, 800);
	MPI_Get_count(&status, MPI_DOUBLE, &count);
	CHECK_EQUAL(count, 100);
	MPI_Barrier(MPI_COMM_WORLD);
	standin_reset();
	MPI_File_read_at(file, base, in, 7, MPI_DOUBLE, MPI_STATUS_IGNORE);
	moved(STANDIN_IO, 56, 0);
	/* Past the end: what was asked for is not what came. */
	MPI_File_read_at(file, 1000 * (MPI_Offset)(all - 1) + 720, in, 100, MPI_DOUBLE, MPI_STATUS_IGNORE);
	moved(STANDIN_IO, 80, 0);
	MPI_File_read_at_all_c(file, base, in, 9, MPI_DOUBLE, MPI_STATUS_IGNORE);
	moved(STANDIN_IO, 72, 0);

	MPI_File_iwrite_at(file, base, out, 20, MPI_DOUBLE, &request);
	CHECK_EQUAL(standin_count(STANDIN_IO), 0);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	moved(STANDIN_IO, 0, 160);
	MPI_File_iread_at(file, base, in, 21, MPI_DOUBLE, &request);
	MPI_Waitall(1, &request, &status);
	moved(STANDIN_IO, 168, 0);

	MPI_File_write_at_all_begin(file, base, out, 30, MPI_DOUBLE);
	CHECK_EQUAL(standin_count(STANDIN_IO), 0);
	MPI_File_write_at_all_end(file, out, MPI_STATUS_IGNORE);
	moved(STANDIN_IO, 0, 240);
	MPI_File_read_at_all_begin(file, base, in, 31, MPI_DOUBLE);
	MPI_File_read_at_all_end(file, in, &status);
	moved(STANDIN_IO, 248, 0);

	MPI_File_set_view(file, base, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
	/* ROMIO makes a datatype for the view by a public call: not the program's. */
	CHECK_EQUAL(standin_visits("MPI_Type_create_resized"), 0);
	standin_reset();
	MPI_File_write(file, out, 5, MPI_DOUBLE, MPI_STATUS_IGNORE);
	moved(STANDIN_IO, 0, 40);
	MPI_File_seek(file, 0, MPI_SEEK_SET);
	standin_reset();
	MPI_File_read_all(file, in, 5, MPI_DOUBLE, MPI_STATUS_IGNORE);
	moved(STANDIN_IO, 40, 0);
	MPI_File_close(&file);
	CHECK_EQUAL(standin_open_requests(), 0);
	if (me == 0)
		unlink(path);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &all);
	next = (me + 1) % all;
	one_sided();
	files(argc > 1 ? argv[1] : "transfers.data");
	MPI_Finalize();
	CHECK_EQUAL(standin_depth(), 0);
	return standin_verdict("transfers", me);
}
