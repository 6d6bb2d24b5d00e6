/* One-sided communication of all kinds: windows, fences, locks, requests, epochs. */
#include <mpi.h>
#include <stddef.h>

static int me, all, next;
static double out[100], in[100];

static MPI_Win fresh(const char *name, double **memory)
{
	MPI_Win win;
	MPI_Win_allocate(8192, 8, MPI_INFO_NULL, MPI_COMM_WORLD, memory, &win);
	MPI_Win_set_name(win, name);
	return win;
}

static void fences(void)
{
	static double memory[1024];
	MPI_Win win;
	MPI_Win_create(memory, sizeof(memory), 8, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
	MPI_Win_set_name(win, "fenced");
	MPI_Win_fence(0, win);
	MPI_Put(out, 10, MPI_DOUBLE, next, 0, 10, MPI_DOUBLE, win);
	MPI_Put(out, 5, MPI_DOUBLE, next, 20, 5, MPI_DOUBLE, win);
	MPI_Get(in, 3, MPI_DOUBLE, next, 40, 3, MPI_DOUBLE, win);
	MPI_Put(out, 5, MPI_DOUBLE, MPI_PROC_NULL, 20, 5, MPI_DOUBLE, win);
	MPI_Win_fence(0, win);
	MPI_Accumulate(out, 7, MPI_DOUBLE, 0, 100, 7, MPI_DOUBLE, MPI_SUM, win);
	MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
	MPI_Win_free(&win);
}

static void locks(void)
{
	double *memory, one = 1, old;
	MPI_Win win = fresh("locked", &memory);
	MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win);
	MPI_Put(out, 10, MPI_DOUBLE, next, 0, 10, MPI_DOUBLE, win);
	MPI_Win_unlock(next, win);
	MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
	MPI_Get(in, 10, MPI_DOUBLE, 0, 0, 10, MPI_DOUBLE, win);
	MPI_Win_unlock(0, win);
	MPI_Win_lock_all(0, win);
	for (int i = 0; i < all; i++)
		MPI_Put(out, 2, MPI_DOUBLE, i, 50 + 2 * me, 2, MPI_DOUBLE, win);
	MPI_Win_flush(next, win);
	MPI_Put(out, 2, MPI_DOUBLE, next, 50 + 2 * me, 2, MPI_DOUBLE, win);
	MPI_Win_flush_local(next, win);
	MPI_Put(out, 2, MPI_DOUBLE, next, 50 + 2 * me, 2, MPI_DOUBLE, win);
	MPI_Win_flush_local_all(win);
	MPI_Win_flush_all(win);
	MPI_Fetch_and_op(&one, &old, MPI_DOUBLE, 0, 200, MPI_SUM, win);
	MPI_Fetch_and_op(NULL, &old, MPI_DOUBLE, 0, 200, MPI_NO_OP, win);
	MPI_Get_accumulate(out, 4, MPI_DOUBLE, in, 4, MPI_DOUBLE, 0, 210, 4, MPI_DOUBLE, MPI_SUM, win);
	MPI_Compare_and_swap(&me, &all, &old, MPI_INT, 0, 220, win);
	MPI_Win_unlock_all(win);
	MPI_Win_free(&win);
}

static void requests(void)
{
	double *memory;
	MPI_Request request[4];
	MPI_Win win = fresh("", &memory);
	MPI_Win_lock_all(0, win);
	MPI_Rput(out, 10, MPI_DOUBLE, next, 0, 10, MPI_DOUBLE, win, &request[0]);
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);
	MPI_Win_flush(next, win);
	MPI_Rget(in, 10, MPI_DOUBLE, next, 0, 10, MPI_DOUBLE, win, &request[0]);
	MPI_Raccumulate(out, 3, MPI_DOUBLE, next, 30, 3, MPI_DOUBLE, MPI_SUM, win, &request[1]);
	MPI_Rget_accumulate(out, 3, MPI_DOUBLE, in + 20, 3, MPI_DOUBLE, next, 40, 3, MPI_DOUBLE, MPI_SUM, win,
			    &request[2]);
	MPI_Rput(out, 3, MPI_DOUBLE, MPI_PROC_NULL, 40, 3, MPI_DOUBLE, win, &request[3]);
	MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
	MPI_Rput(out, 1, MPI_DOUBLE, next, 0, 1, MPI_DOUBLE, win, &request[0]);
	MPI_Win_unlock_all(win);		/* before its request is waited for */
	MPI_Wait(&request[0], MPI_STATUS_IGNORE);
	MPI_Win_free(&win);
}

static void epochs(void)
{
	double *memory;
	MPI_Group everybody, to, from;
	int flag = 0, before = (me + all - 1) % all;
	MPI_Win win = fresh("epochs", &memory);
	MPI_Comm_group(MPI_COMM_WORLD, &everybody);
	MPI_Group_incl(everybody, 1, &next, &to);
	MPI_Group_incl(everybody, 1, &before, &from);
	for (int round = 0; round < 2; round++) {
		MPI_Win_post(from, 0, win);
		MPI_Win_start(to, 0, win);
		MPI_Put(out, 10, MPI_DOUBLE, next, 0, 10, MPI_DOUBLE, win);
		MPI_Win_complete(win);
		if (round)
			MPI_Win_wait(win);
		else
			while (MPI_Win_test(win, &flag), !flag)
				continue;
	}
	MPI_Group_free(&to);
	MPI_Group_free(&from);
	MPI_Group_free(&everybody);
	MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &me);
	MPI_Comm_size(MPI_COMM_WORLD, &all);
	next = (me + 1) % all;
	fences();
	locks();
	requests();
	epochs();
	MPI_Win win;
	MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_SELF, &win);
	MPI_Win_set_name(win, me ? "other" : "first");
	MPI_Win_free(&win);
	MPI_Finalize();
	return 0;
}
