/*
 * collective: the bytes of collective operations; each operation has a function.
 */
#include "mpi/collective.h"

/* The processes that take part in a collective call, as this process sees them. */
struct view {
	struct fathom_mpi_communicator *comm;	/* NULL: no memory; then no bytes are counted */
	uint64_t peers;		/* number of processes that get a contribution: all members, or the other group */
	uint64_t rank;
	bool is_inter;
};

static struct view view_of(MPI_Comm handle)
{
	struct view view = { .comm = fathom_mpi_communicator(handle) };

	if (view.comm) {
		view.peers = (uint64_t)view.comm->base.remote_size;
		view.rank = (uint64_t)view.comm->base.rank;
		view.is_inter = view.comm->base.is_inter;
	}
	return view;
}

static bool in_place(const struct view *view, const void *buffer)
{
	return buffer == MPI_IN_PLACE && !view->is_inter;
}

/* The part of this process in an operation with a root. */
enum part {
	PART_ROOT,		/* the root, which contributes like the other members */
	PART_MEMBER,
	PART_OUTER_ROOT,	/* the root of an operation between groups, which contributes nothing itself */
	PART_NONE,		/* a process in the root's group that is not the root */
};

static enum part part_of(const struct view *view, int root)
{
	if (view->is_inter)
		return root == MPI_ROOT ? PART_OUTER_ROOT : root == MPI_PROC_NULL ? PART_NONE : PART_MEMBER;
	return (uint64_t)root == view->rank ? PART_ROOT : PART_MEMBER;
}

static struct fathom_mpi_transfer transfer_of(enum fathom_collective operation, uint64_t sent, uint64_t received)
{
	return (struct fathom_mpi_transfer){ operation, FATHOM_NO_ROOT, sent, received };
}

static struct fathom_mpi_transfer rooted(enum fathom_collective operation, int root, uint64_t sent, uint64_t received)
{
	int32_t who = root;

	if (root == MPI_ROOT)
		who = FATHOM_ROOT_SELF;
	else if (root == MPI_PROC_NULL)
		who = FATHOM_ROOT_OWN_GROUP;
	return (struct fathom_mpi_transfer){ operation, who, sent, received };
}

static uint64_t count_at(struct fathom_mpi_counts counts, uint64_t i)
{
	if (counts.size == sizeof(int))
		return (uint64_t)((const int *)counts.values)[i];
	return (uint64_t)((const MPI_Count *)counts.values)[i];
}

/* Returns the sum of n counts, without those of absent neighbours. The time grows with the communicator, so the sum is
 * computed only where events are recorded now. */
static uint64_t sum(struct fathom_mpi_counts counts, uint64_t n, uint64_t absent)
{
	uint64_t all = 0;

	if (!fathom_event_recording())
		return 0;
	for (uint64_t i = 0; i < n; i++) {
		if (i >= 64 || !(absent >> i & 1))
			all += count_at(counts, i);
	}
	return all;
}

static uint64_t sum_typed(struct fathom_mpi_counts counts, const MPI_Datatype types[], uint64_t n, uint64_t absent)
{
	uint64_t all = 0;

	if (!fathom_event_recording())
		return 0;
	for (uint64_t i = 0; i < n; i++) {
		uint64_t count = i < 64 && absent >> i & 1 ? 0 : count_at(counts, i);

		if (count)
			all += fathom_mpi_bytes(count, types[i]);
	}
	return all;
}

struct fathom_mpi_transfer fathom_mpi_transfer_barrier(MPI_Comm comm)
{
	(void)comm;
	return transfer_of(FATHOM_COLLECTIVE_BARRIER, 0, 0);
}

struct fathom_mpi_transfer fathom_mpi_transfer_bcast(MPI_Comm comm, uint64_t count, MPI_Datatype datatype, int root)
{
	struct view view = view_of(comm);
	enum part part = part_of(&view, root);
	uint64_t bytes = part == PART_NONE ? 0 : fathom_mpi_bytes(count, datatype);
	bool sends = part == PART_ROOT || part == PART_OUTER_ROOT;

	return rooted(FATHOM_COLLECTIVE_BCAST, root, sends ? view.peers * bytes : 0,
		      part == PART_OUTER_ROOT ? 0 : bytes);
}

struct fathom_mpi_transfer fathom_mpi_transfer_gather(MPI_Comm comm, const void *sendbuf, uint64_t sendcount,
						      MPI_Datatype sendtype, uint64_t recvcount, MPI_Datatype recvtype,
						      int root)
{
	struct view view = view_of(comm);
	enum part part = part_of(&view, root);
	uint64_t sent = 0;
	uint64_t received = 0;

	if (part == PART_ROOT || part == PART_OUTER_ROOT)
		received = (view.peers - in_place(&view, sendbuf)) * fathom_mpi_bytes(recvcount, recvtype);
	if (part == PART_MEMBER || (part == PART_ROOT && !in_place(&view, sendbuf)))
		sent = fathom_mpi_bytes(sendcount, sendtype);
	return rooted(FATHOM_COLLECTIVE_GATHER, root, sent, received);
}

struct fathom_mpi_transfer fathom_mpi_transfer_gatherv(MPI_Comm comm, const void *sendbuf, uint64_t sendcount,
						       MPI_Datatype sendtype, struct fathom_mpi_counts recvcounts,
						       MPI_Datatype recvtype, int root)
{
	struct view view = view_of(comm);
	enum part part = part_of(&view, root);
	uint64_t sent = 0;
	uint64_t received = 0;

	if (part == PART_ROOT || part == PART_OUTER_ROOT) {
		uint64_t count = sum(recvcounts, view.peers, 0);

		if (in_place(&view, sendbuf) && count)
			count -= count_at(recvcounts, view.rank);
		received = fathom_mpi_bytes(count, recvtype);
	}
	if (part == PART_MEMBER || (part == PART_ROOT && !in_place(&view, sendbuf)))
		sent = fathom_mpi_bytes(sendcount, sendtype);
	return rooted(FATHOM_COLLECTIVE_GATHERV, root, sent, received);
}

struct fathom_mpi_transfer fathom_mpi_transfer_scatter(MPI_Comm comm, uint64_t sendcount, MPI_Datatype sendtype,
						       const void *recvbuf, uint64_t recvcount, MPI_Datatype recvtype,
						       int root)
{
	struct view view = view_of(comm);
	enum part part = part_of(&view, root);
	uint64_t sent = 0;
	uint64_t received = 0;

	if (part == PART_ROOT || part == PART_OUTER_ROOT)
		sent = (view.peers - in_place(&view, recvbuf)) * fathom_mpi_bytes(sendcount, sendtype);
	if (part == PART_MEMBER || (part == PART_ROOT && !in_place(&view, recvbuf)))
		received = fathom_mpi_bytes(recvcount, recvtype);
	return rooted(FATHOM_COLLECTIVE_SCATTER, root, sent, received);
}

struct fathom_mpi_transfer fathom_mpi_transfer_scatterv(MPI_Comm comm, struct fathom_mpi_counts sendcounts,
							MPI_Datatype sendtype, const void *recvbuf, uint64_t recvcount,
							MPI_Datatype recvtype, int root)
{
	struct view view = view_of(comm);
	enum part part = part_of(&view, root);
	uint64_t sent = 0;
	uint64_t received = 0;

	if (part == PART_ROOT || part == PART_OUTER_ROOT) {
		uint64_t count = sum(sendcounts, view.peers, 0);

		if (in_place(&view, recvbuf) && count)
			count -= count_at(sendcounts, view.rank);
		sent = fathom_mpi_bytes(count, sendtype);
	}
	if (part == PART_MEMBER || (part == PART_ROOT && !in_place(&view, recvbuf)))
		received = fathom_mpi_bytes(recvcount, recvtype);
	return rooted(FATHOM_COLLECTIVE_SCATTERV, root, sent, received);
}

struct fathom_mpi_transfer fathom_mpi_transfer_allgather(MPI_Comm comm, const void *sendbuf, uint64_t sendcount,
							 MPI_Datatype sendtype, uint64_t recvcount,
							 MPI_Datatype recvtype)
{
	struct view view = view_of(comm);
	uint64_t block = fathom_mpi_bytes(recvcount, recvtype);

	if (in_place(&view, sendbuf))
		return transfer_of(FATHOM_COLLECTIVE_ALLGATHER, (view.peers - 1) * block, (view.peers - 1) * block);
	return transfer_of(FATHOM_COLLECTIVE_ALLGATHER, view.peers * fathom_mpi_bytes(sendcount, sendtype),
			   view.peers * block);
}

struct fathom_mpi_transfer fathom_mpi_transfer_allgatherv(MPI_Comm comm, const void *sendbuf, uint64_t sendcount,
							  MPI_Datatype sendtype, struct fathom_mpi_counts recvcounts,
							  MPI_Datatype recvtype)
{
	struct view view = view_of(comm);
	uint64_t all = fathom_mpi_bytes(sum(recvcounts, view.peers, 0), recvtype);

	if (in_place(&view, sendbuf)) {
		uint64_t own = all ? fathom_mpi_bytes(count_at(recvcounts, view.rank), recvtype) : 0;

		return transfer_of(FATHOM_COLLECTIVE_ALLGATHERV, (view.peers - 1) * own, all - own);
	}
	return transfer_of(FATHOM_COLLECTIVE_ALLGATHERV, view.peers * fathom_mpi_bytes(sendcount, sendtype), all);
}

struct fathom_mpi_transfer fathom_mpi_transfer_alltoall(MPI_Comm comm, const void *sendbuf, uint64_t sendcount,
							MPI_Datatype sendtype, uint64_t recvcount,
							MPI_Datatype recvtype)
{
	struct fathom_mpi_transfer transfer =
		fathom_mpi_transfer_allgather(comm, sendbuf, sendcount, sendtype, recvcount, recvtype);

	transfer.operation = FATHOM_COLLECTIVE_ALLTOALL;
	return transfer;
}

struct fathom_mpi_transfer fathom_mpi_transfer_alltoallv(MPI_Comm comm, const void *sendbuf,
							 struct fathom_mpi_counts sendcounts, MPI_Datatype sendtype,
							 struct fathom_mpi_counts recvcounts, MPI_Datatype recvtype)
{
	struct view view = view_of(comm);
	uint64_t received = fathom_mpi_bytes(sum(recvcounts, view.peers, 0), recvtype);

	if (in_place(&view, sendbuf)) {
		if (received)
			received -= fathom_mpi_bytes(count_at(recvcounts, view.rank), recvtype);
		return transfer_of(FATHOM_COLLECTIVE_ALLTOALLV, received, received);
	}
	return transfer_of(FATHOM_COLLECTIVE_ALLTOALLV, fathom_mpi_bytes(sum(sendcounts, view.peers, 0), sendtype),
			   received);
}

struct fathom_mpi_transfer fathom_mpi_transfer_alltoallw(MPI_Comm comm, const void *sendbuf,
							 struct fathom_mpi_counts sendcounts,
							 const MPI_Datatype sendtypes[],
							 struct fathom_mpi_counts recvcounts,
							 const MPI_Datatype recvtypes[])
{
	struct view view = view_of(comm);
	uint64_t received = sum_typed(recvcounts, recvtypes, view.peers, 0);

	if (in_place(&view, sendbuf)) {
		uint64_t own = received ? count_at(recvcounts, view.rank) : 0;

		if (own)
			received -= fathom_mpi_bytes(own, recvtypes[view.rank]);
		return transfer_of(FATHOM_COLLECTIVE_ALLTOALLW, received, received);
	}
	return transfer_of(FATHOM_COLLECTIVE_ALLTOALLW, sum_typed(sendcounts, sendtypes, view.peers, 0), received);
}

struct fathom_mpi_transfer fathom_mpi_transfer_reduce(MPI_Comm comm, const void *sendbuf, uint64_t count,
						      MPI_Datatype datatype, int root)
{
	struct view view = view_of(comm);
	enum part part = part_of(&view, root);
	uint64_t bytes = part == PART_NONE ? 0 : fathom_mpi_bytes(count, datatype);
	uint64_t sent = 0;
	uint64_t received = 0;

	if (part == PART_ROOT || part == PART_OUTER_ROOT)
		received = (view.peers - in_place(&view, sendbuf)) * bytes;
	if (part == PART_MEMBER || (part == PART_ROOT && !in_place(&view, sendbuf)))
		sent = bytes;
	return rooted(FATHOM_COLLECTIVE_REDUCE, root, sent, received);
}

struct fathom_mpi_transfer fathom_mpi_transfer_allreduce(MPI_Comm comm, const void *sendbuf, uint64_t count,
							 MPI_Datatype datatype)
{
	struct view view = view_of(comm);
	uint64_t bytes = (view.peers - in_place(&view, sendbuf)) * fathom_mpi_bytes(count, datatype);

	return transfer_of(FATHOM_COLLECTIVE_ALLREDUCE, bytes, bytes);
}

/* Between groups, each group scatters the other group's result over its own members, so the totals of both agree. */
struct fathom_mpi_transfer fathom_mpi_transfer_reduce_scatter(MPI_Comm comm, const void *sendbuf,
							      struct fathom_mpi_counts recvcounts,
							      MPI_Datatype datatype)
{
	struct view view = view_of(comm);
	uint64_t members = view.comm ? (uint64_t)view.comm->base.size : 0;
	uint64_t all = fathom_mpi_bytes(sum(recvcounts, members, 0), datatype);
	uint64_t own = all ? fathom_mpi_bytes(count_at(recvcounts, view.rank), datatype) : 0;

	if (in_place(&view, sendbuf))
		return transfer_of(FATHOM_COLLECTIVE_REDUCE_SCATTER, all - own, (view.peers - 1) * own);
	return transfer_of(FATHOM_COLLECTIVE_REDUCE_SCATTER, all, view.peers * own);
}

struct fathom_mpi_transfer fathom_mpi_transfer_reduce_scatter_block(MPI_Comm comm, const void *sendbuf,
								    uint64_t recvcount, MPI_Datatype datatype)
{
	struct view view = view_of(comm);
	uint64_t members = view.comm ? (uint64_t)view.comm->base.size : 0;
	uint64_t own = fathom_mpi_bytes(recvcount, datatype);
	unsigned int less = in_place(&view, sendbuf);

	return transfer_of(FATHOM_COLLECTIVE_REDUCE_SCATTER_BLOCK, (members - less) * own, (view.peers - less) * own);
}

/* Each process sends to itself and to all higher ranks, and receives from itself and from all lower ranks. */
struct fathom_mpi_transfer fathom_mpi_transfer_scan(MPI_Comm comm, const void *sendbuf, uint64_t count,
						    MPI_Datatype datatype)
{
	struct view view = view_of(comm);
	uint64_t bytes = fathom_mpi_bytes(count, datatype);
	unsigned int less = in_place(&view, sendbuf);

	return transfer_of(FATHOM_COLLECTIVE_SCAN, (view.peers - view.rank - less) * bytes,
			   (view.rank + 1 - less) * bytes);
}

/* As a scan in which no process sends to itself, with MPI_IN_PLACE or without. */
struct fathom_mpi_transfer fathom_mpi_transfer_exscan(MPI_Comm comm, const void *sendbuf, uint64_t count,
						      MPI_Datatype datatype)
{
	struct fathom_mpi_transfer transfer = fathom_mpi_transfer_scan(comm, MPI_IN_PLACE, count, datatype);

	(void)sendbuf;
	transfer.operation = FATHOM_COLLECTIVE_EXSCAN;
	return transfer;
}

static struct view view_with_neighbors(MPI_Comm handle)
{
	struct view view = view_of(handle);

	if (view.comm)
		fathom_mpi_communicator_neighbors(view.comm, handle);
	return view;
}

/* Returns the number of counts that the program passes for its neighbours: absent neighbours have a count, too. */
static uint64_t slots(const struct view *view, int32_t degree)
{
	return (uint64_t)degree + (uint64_t)__builtin_popcountll(view->comm->absent);
}

struct fathom_mpi_transfer fathom_mpi_transfer_neighbor(MPI_Comm comm, uint64_t sendcount, MPI_Datatype sendtype,
							uint64_t recvcount, MPI_Datatype recvtype)
{
	struct view view = view_with_neighbors(comm);

	if (!view.comm)
		return transfer_of(FATHOM_COLLECTIVE_NEIGHBOR, 0, 0);
	return transfer_of(FATHOM_COLLECTIVE_NEIGHBOR,
			   (uint64_t)view.comm->outdegree * fathom_mpi_bytes(sendcount, sendtype),
			   (uint64_t)view.comm->indegree * fathom_mpi_bytes(recvcount, recvtype));
}

struct fathom_mpi_transfer fathom_mpi_transfer_neighbor_allgatherv(MPI_Comm comm, uint64_t sendcount,
								   MPI_Datatype sendtype,
								   struct fathom_mpi_counts recvcounts,
								   MPI_Datatype recvtype)
{
	struct view view = view_with_neighbors(comm);

	if (!view.comm)
		return transfer_of(FATHOM_COLLECTIVE_NEIGHBOR, 0, 0);
	return transfer_of(
		FATHOM_COLLECTIVE_NEIGHBOR, (uint64_t)view.comm->outdegree * fathom_mpi_bytes(sendcount, sendtype),
		fathom_mpi_bytes(sum(recvcounts, slots(&view, view.comm->indegree), view.comm->absent), recvtype));
}

struct fathom_mpi_transfer fathom_mpi_transfer_neighbor_alltoallv(MPI_Comm comm, struct fathom_mpi_counts sendcounts,
								  MPI_Datatype sendtype,
								  struct fathom_mpi_counts recvcounts,
								  MPI_Datatype recvtype)
{
	struct view view = view_with_neighbors(comm);

	if (!view.comm)
		return transfer_of(FATHOM_COLLECTIVE_NEIGHBOR, 0, 0);
	return transfer_of(
		FATHOM_COLLECTIVE_NEIGHBOR,
		fathom_mpi_bytes(sum(sendcounts, slots(&view, view.comm->outdegree), view.comm->absent), sendtype),
		fathom_mpi_bytes(sum(recvcounts, slots(&view, view.comm->indegree), view.comm->absent), recvtype));
}

struct fathom_mpi_transfer fathom_mpi_transfer_neighbor_alltoallw(MPI_Comm comm, struct fathom_mpi_counts sendcounts,
								  const MPI_Datatype sendtypes[],
								  struct fathom_mpi_counts recvcounts,
								  const MPI_Datatype recvtypes[])
{
	struct view view = view_with_neighbors(comm);

	if (!view.comm)
		return transfer_of(FATHOM_COLLECTIVE_NEIGHBOR, 0, 0);
	return transfer_of(
		FATHOM_COLLECTIVE_NEIGHBOR,
		sum_typed(sendcounts, sendtypes, slots(&view, view.comm->outdegree), view.comm->absent),
		sum_typed(recvcounts, recvtypes, slots(&view, view.comm->indegree), view.comm->absent));
}

void fathom_mpi_collective(MPI_Comm handle, struct fathom_mpi_transfer transfer)
{
	struct fathom_mpi_communicator *comm = fathom_mpi_communicator(handle);

	if (likely(comm))
		fathom_event_collective(&comm->base, transfer.operation, transfer.root, transfer.sent,
					transfer.received);
}
