/*
 * Bytes of every collective, against what the model says when it is played through: flow(i, j) is
 * what i contributes to j; a process has sent the sum over j and received the sum over i. Each
 * operation is done blocking, non-blocking and persistent, with int and with large counts, and
 * with MPI_IN_PLACE where that exists; in one group and between two.
 */
#include "standin.h"

#include "mpi4.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event/event.h"

#define MOST 64
#define ROOM 4096

static char out[ROOM * 8], in[ROOM * 8];
static int me, size;		/* in the communicator under test */
static int other;		/* size of the other group, or the same group's */
static MPI_Comm comm;
static bool inter;
static bool upper;		/* which of the two groups */
static int root;		/* within the group that has it */
static bool root_is_mine;	/* root is in my group */

/* What member i of the sending side gives member j of the receiving side, in elements. */
static int block(int i, int j)
{
	return 1 + (3 * i + 5 * j) % 4;
}

enum flow { TO_ALL, FROM_ROOT, TO_ROOT, UPWARDS, ABOVE, TO_ALL_BY_TARGET, EACH, FROM_ROOT_BY_TARGET, TO_ROOT_BY_SOURCE,
	    TO_ALL_BY_SOURCE, NO_FLOW };

/* Elements from member i to member j of one group. fixed: the count where all are alike. */
static int flow(enum flow kind, int fixed, int i, int j)
{
	switch (kind) {
	case TO_ALL: return fixed;
	case FROM_ROOT: return i == root ? fixed : 0;
	case TO_ROOT: return j == root ? fixed : 0;
	case UPWARDS: return i <= j ? fixed : 0;
	case ABOVE: return i < j ? fixed : 0;
	case TO_ALL_BY_TARGET: return block(0, j);
	case EACH: return block(i, j);
	case FROM_ROOT_BY_TARGET: return i == root ? block(0, j) : 0;
	case TO_ROOT_BY_SOURCE: return j == root ? block(i, 0) : 0;
	case TO_ALL_BY_SOURCE: return block(i, 0);
	case NO_FLOW: return 0;
	}
	return 0;
}

static bool rooted(enum flow kind)
{
	return kind == FROM_ROOT || kind == TO_ROOT || kind == FROM_ROOT_BY_TARGET || kind == TO_ROOT_BY_SOURCE;
}

static void expect_bytes(const char *call, const struct standin_event *event, enum fathom_collective operation,
			 enum flow kind, int fixed, bool in_place, int element)
{
	uint64_t sent = 0, received = 0;

	for (int i = 0; i < other; i++) {
		if (inter && rooted(kind)) {
			/* One side has the root, the other the rest. */
			bool down = kind == FROM_ROOT || kind == FROM_ROOT_BY_TARGET;

			if (root_is_mine && me == root)
				*(down ? &sent : &received) += down ? flow(kind, fixed, root, i)
								    : flow(kind, fixed, i, root);
			if (!root_is_mine && i == root)
				*(down ? &received : &sent) += down ? flow(kind, fixed, root, me)
								    : flow(kind, fixed, me, root);
			continue;
		}
		if (in_place && i == me)
			continue;
		sent += flow(kind, fixed, me, i);
		received += flow(kind, fixed, i, me);
	}
	if (event->bytes != sent * element || event->bytes_in != received * element || event->tag != (int)operation)
		fprintf(stderr, "%s%s%s of %d, rank %d: sent %llu for %llu, received %llu for %llu, operation %d\n",
			call, in_place ? " in place" : "", inter ? " between groups" : "", size, me,
			(unsigned long long)event->bytes, (unsigned long long)sent * element,
			(unsigned long long)event->bytes_in, (unsigned long long)received * element, event->tag);
	CHECK_EQUAL(event->bytes, sent * element);
	CHECK_EQUAL(event->bytes_in, received * element);
	CHECK_EQUAL(event->tag, operation);
	CHECK_EQUAL(event->size, other);
	if (rooted(kind) && !inter)
		CHECK_EQUAL(event->peer, root);
	else if (!rooted(kind))
		CHECK_EQUAL(event->peer, FATHOM_NO_ROOT);
}

#if HAVE_PERSISTENT_COLLECTIVES
#define PERSISTENT(name, suffix, operation, kind, fixed, in_place, element, ...)                                       \
	do {                                                                                                           \
		standin_reset();                                                                                       \
		PERSISTENT_CALL(name, suffix)(__VA_ARGS__, comm, MPI_INFO_NULL, &request_);                            \
		CHECK_EQUAL(standin_visits(PERSISTENT_PREFIX #name "_init" #suffix), 1);                               \
		CHECK_EQUAL(standin_count(STANDIN_COLLECTIVE_BEGIN), 0);                                               \
		/* MPICH 4.0 fails when a persistent scatter of three and more is started again. */                    \
		int starts_ = (operation) == FATHOM_COLLECTIVE_SCATTER && size > 2 ? 1 : 2;                            \
		for (int time_ = 1; time_ <= starts_; time_++) {                                                       \
			MPI_Start(&request_);                                                                          \
			CHECK_EQUAL(standin_count(STANDIN_COLLECTIVE_BEGIN), time_);                                   \
			MPI_Wait(&request_, MPI_STATUS_IGNORE);                                                        \
			CHECK_EQUAL(standin_count(STANDIN_COLLECTIVE_COMPLETE), time_);                                \
			expect_bytes(PERSISTENT_PREFIX #name "_init" #suffix,                                          \
				     standin_last(STANDIN_COLLECTIVE_COMPLETE), operation, kind, fixed, in_place,      \
				     element);                                                                         \
		}                                                                                                      \
		MPI_Wait(&request_, MPI_STATUS_IGNORE); /* inactive: nothing */                                        \
		CHECK_EQUAL(standin_count(STANDIN_COLLECTIVE_COMPLETE), starts_);                                      \
		MPI_Request_free(&request_);                                                                           \
	} while (0)
#else
#define PERSISTENT(name, suffix, ...) (void)0
#endif

/* One form of a call: blocking, then non-blocking, then persistent twice. */
#define ALL_FORMS(name, iname, suffix, operation, kind, fixed, in_place, element, ...)                                 \
	do {                                                                                                           \
		MPI_Request request_;                                                                                  \
		standin_reset();                                                                                       \
		MPI_##name##suffix(__VA_ARGS__, comm);                                                                 \
		CHECK_EQUAL(standin_count(STANDIN_COLLECTIVE), 1);                                                     \
		CHECK_EQUAL(standin_visits("MPI_" #name #suffix), 1);                                                  \
		expect_bytes("MPI_" #name #suffix, standin_last(STANDIN_COLLECTIVE), operation, kind, fixed, in_place, \
			     element);                                                                                 \
		standin_reset();                                                                                       \
		MPI_##iname##suffix(__VA_ARGS__, comm, &request_);                                                     \
		CHECK_EQUAL(standin_count(STANDIN_COLLECTIVE_BEGIN), 1);                                               \
		CHECK_EQUAL(standin_count(STANDIN_COLLECTIVE_COMPLETE), 0);                                            \
		MPI_Wait(&request_, MPI_STATUS_IGNORE);                                                                \
		CHECK_EQUAL(standin_count(STANDIN_COLLECTIVE_COMPLETE), 1);                                            \
		expect_bytes("MPI_" #iname #suffix, standin_last(STANDIN_COLLECTIVE_COMPLETE), operation, kind, fixed, \
			     in_place, element);                                                                       \
		/* persistent ones between groups do not work in MPICH 4.0 */                                          \
		if (HAVE_PERSISTENT_COLLECTIVES && !inter)                                                             \
			PERSISTENT(name, suffix, operation, kind, fixed, in_place, element, __VA_ARGS__);               \
	} while (0)

/* What a process in the root's group, but not root, says instead of a root; and so on. */
static int root_argument(void)
{
	if (!inter)
		return root;
	if (!root_is_mine)
		return root;
	return me == root ? MPI_ROOT : MPI_PROC_NULL;
}

#define DEFINE_TESTS(suffix, COUNT, DISPLACEMENT)                                                                      \
	static COUNT to_counts##suffix[MOST], from_counts##suffix[MOST], by_target##suffix[MOST],                      \
		by_source##suffix[MOST];                                                                               \
	static DISPLACEMENT places##suffix[MOST], byte_places##suffix[MOST];                                           \
	static MPI_Datatype types##suffix[MOST];                                                                       \
                                                                                                                       \
	static void prepare##suffix(void)                                                                              \
	{                                                                                                              \
		for (int i = 0; i < other || i < size; i++) {                                                          \
			to_counts##suffix[i] = block(me, i);                                                           \
			from_counts##suffix[i] = block(i, me);                                                         \
			by_target##suffix[i] = block(0, i);                                                            \
			by_source##suffix[i] = block(i, 0);                                                            \
			places##suffix[i] = 4 * i;                                                                     \
			byte_places##suffix[i] = 4 * i * (DISPLACEMENT)sizeof(double);                                 \
			types##suffix[i] = MPI_DOUBLE;                                                                 \
		}                                                                                                      \
	}                                                                                                              \
                                                                                                                       \
	static void with_root##suffix(void)                                                                            \
	{                                                                                                              \
		int r = root_argument();                                                                               \
		bool is_root = r == MPI_ROOT || (!inter && me == root);                                                \
		/* Elsewhere these arguments mean nothing: looking at them would crash. */                             \
		COUNT *sizes_here = is_root ? by_source##suffix : NULL;                                                \
		COUNT *targets_here = is_root ? by_target##suffix : NULL;                                              \
		MPI_Datatype type_here = is_root ? MPI_DOUBLE : MPI_DATATYPE_NULL;                                     \
                                                                                                                       \
		ALL_FORMS(Bcast, Ibcast, suffix, FATHOM_COLLECTIVE_BCAST, FROM_ROOT, 7, false, 4, out, 7, MPI_INT, r); \
		ALL_FORMS(Gather, Igather, suffix, FATHOM_COLLECTIVE_GATHER, TO_ROOT, 3, false, 8, out, 3, MPI_DOUBLE, \
			  in, is_root ? 3 : -1, type_here, r);                                                         \
		ALL_FORMS(Gatherv, Igatherv, suffix, FATHOM_COLLECTIVE_GATHERV, TO_ROOT_BY_SOURCE, 0, false, 8, out,   \
			  block(me, 0), MPI_DOUBLE, in, sizes_here, places##suffix, type_here, r);                     \
		ALL_FORMS(Scatter, Iscatter, suffix, FATHOM_COLLECTIVE_SCATTER, FROM_ROOT, 3, false, 8, out,           \
			  is_root ? 3 : -1, type_here, in, 3, MPI_DOUBLE, r);                                          \
		ALL_FORMS(Scatterv, Iscatterv, suffix, FATHOM_COLLECTIVE_SCATTERV, FROM_ROOT_BY_TARGET, 0, false, 8,   \
			  out, targets_here, places##suffix, type_here, in, block(0, me), MPI_DOUBLE, r);              \
		ALL_FORMS(Reduce, Ireduce, suffix, FATHOM_COLLECTIVE_REDUCE, TO_ROOT, 5, false, 8, out, in, 5,         \
			  MPI_DOUBLE, MPI_SUM, r);                                                                     \
		if (inter)                                                                                             \
			return;                                                                                        \
		ALL_FORMS(Gather, Igather, suffix, FATHOM_COLLECTIVE_GATHER, TO_ROOT, 3, me == root, 8,                \
			  me == root ? MPI_IN_PLACE : (void *)out, me == root ? -1 : 3,                                \
			  me == root ? MPI_DATATYPE_NULL : MPI_DOUBLE, in, 3, MPI_DOUBLE, r);                          \
		ALL_FORMS(Gatherv, Igatherv, suffix, FATHOM_COLLECTIVE_GATHERV, TO_ROOT_BY_SOURCE, 0, me == root, 8,   \
			  me == root ? MPI_IN_PLACE : (void *)out, block(me, 0), MPI_DOUBLE, in, sizes_here,           \
			  places##suffix, MPI_DOUBLE, r);                                                              \
		ALL_FORMS(Scatter, Iscatter, suffix, FATHOM_COLLECTIVE_SCATTER, FROM_ROOT, 3, me == root, 8, out, 3,   \
			  MPI_DOUBLE, me == root ? MPI_IN_PLACE : (void *)in, me == root ? -1 : 3,                     \
			  me == root ? MPI_DATATYPE_NULL : MPI_DOUBLE, r);                                             \
		ALL_FORMS(Scatterv, Iscatterv, suffix, FATHOM_COLLECTIVE_SCATTERV, FROM_ROOT_BY_TARGET, 0, me == root, \
			  8, out, targets_here, places##suffix, MPI_DOUBLE, me == root ? MPI_IN_PLACE : (void *)in,    \
			  block(0, me), MPI_DOUBLE, r);                                                                \
		ALL_FORMS(Reduce, Ireduce, suffix, FATHOM_COLLECTIVE_REDUCE, TO_ROOT, 5, me == root, 8,                \
			  me == root ? MPI_IN_PLACE : (void *)out, in, 5, MPI_DOUBLE, MPI_SUM, r);                     \
	}                                                                                                              \
                                                                                                                       \
	static void without_root##suffix(bool in_place)                                                                \
	{                                                                                                              \
		void *from = in_place ? MPI_IN_PLACE : (void *)out;                                                    \
                                                                                                                       \
		ALL_FORMS(Allgather, Iallgather, suffix, FATHOM_COLLECTIVE_ALLGATHER, TO_ALL, 3, in_place, 8, from,    \
			  in_place ? -1 : 3, in_place ? MPI_DATATYPE_NULL : MPI_DOUBLE, in, 3, MPI_DOUBLE);            \
		ALL_FORMS(Allgatherv, Iallgatherv, suffix, FATHOM_COLLECTIVE_ALLGATHERV, TO_ALL_BY_SOURCE, 0,          \
			  in_place, 8, from, block(me, 0), MPI_DOUBLE, in, by_source##suffix, places##suffix,          \
			  MPI_DOUBLE);                                                                                 \
		ALL_FORMS(Alltoall, Ialltoall, suffix, FATHOM_COLLECTIVE_ALLTOALL, TO_ALL, 2, in_place, 8, from,       \
			  in_place ? -1 : 2, in_place ? MPI_DATATYPE_NULL : MPI_DOUBLE, in, 2, MPI_DOUBLE);            \
		ALL_FORMS(Allreduce, Iallreduce, suffix, FATHOM_COLLECTIVE_ALLREDUCE, TO_ALL, 5, in_place, 8, from,    \
			  in, 5, MPI_DOUBLE, MPI_SUM);                                                                 \
		ALL_FORMS(Reduce_scatter, Ireduce_scatter, suffix, FATHOM_COLLECTIVE_REDUCE_SCATTER, TO_ALL_BY_TARGET, \
			  0, in_place, 8, from, in, by_target##suffix, MPI_DOUBLE, MPI_SUM);                           \
		ALL_FORMS(Reduce_scatter_block, Ireduce_scatter_block, suffix, FATHOM_COLLECTIVE_REDUCE_SCATTER_BLOCK, \
			  TO_ALL, 3, in_place, 8, from, in, 3, MPI_DOUBLE, MPI_SUM);                                   \
		if (!in_place) {                                                                                       \
			ALL_FORMS(Alltoallv, Ialltoallv, suffix, FATHOM_COLLECTIVE_ALLTOALLV, EACH, 0, false, 8, from, \
				  to_counts##suffix, places##suffix, MPI_DOUBLE, in, from_counts##suffix,              \
				  places##suffix, MPI_DOUBLE);                                                         \
			ALL_FORMS(Alltoallw, Ialltoallw, suffix, FATHOM_COLLECTIVE_ALLTOALLW, EACH, 0, false, 8, from, \
				  to_counts##suffix, byte_places##suffix, types##suffix, in, from_counts##suffix,      \
				  byte_places##suffix, types##suffix);                                                 \
		}                                                                                                      \
		if (inter)                                                                                             \
			return;                                                                                        \
		ALL_FORMS(Scan, Iscan, suffix, FATHOM_COLLECTIVE_SCAN, UPWARDS, 5, in_place, 8, from, in, 5,           \
			  MPI_DOUBLE, MPI_SUM);                                                                        \
		ALL_FORMS(Exscan, Iexscan, suffix, FATHOM_COLLECTIVE_EXSCAN, ABOVE, 5, in_place, 8, from, in, 5,       \
			  MPI_DOUBLE, MPI_SUM);                                                                        \
	}

DEFINE_TESTS(, int, int)
#if HAVE_MPI4
DEFINE_TESTS(_c, MPI_Count, MPI_Aint)
#else
#define prepare_c() (void)0
#define with_root_c() (void)0
#define without_root_c(in_place) (void)(in_place)
#endif

/* In place, the counts both ways must agree between each pair: block(i, j) + block(j, i). */
static void symmetric(void)
{
	int counts[MOST], places[MOST], byte_places[MOST];
	MPI_Datatype types[MOST];
	uint64_t expected = 0;

	for (int i = 0; i < size; i++) {
		counts[i] = (block(me, i) + block(i, me)) / 2 + 1;
		places[i] = 8 * i;
		byte_places[i] = 8 * 8 * i;
		types[i] = MPI_DOUBLE;
		if (i != me)
			expected += 8 * counts[i];
	}
	standin_reset();
	MPI_Alltoallv(MPI_IN_PLACE, NULL, NULL, MPI_DATATYPE_NULL, in, counts, places, MPI_DOUBLE, comm);
	CHECK_EQUAL(standin_collective_sent(), expected);
	CHECK_EQUAL(standin_collective_received(), expected);
	MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, in, counts, byte_places, types, comm);
	CHECK_EQUAL(standin_collective_sent(), 2 * expected);
	CHECK_EQUAL(standin_collective_received(), 2 * expected);
}

static void barriers(void)
{
	MPI_Request request;

	standin_reset();
	MPI_Barrier(comm);
	expect_bytes("MPI_Barrier", standin_last(STANDIN_COLLECTIVE), FATHOM_COLLECTIVE_BARRIER, NO_FLOW, 0, false, 1);
	MPI_Ibarrier(comm, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	expect_bytes("MPI_Ibarrier", standin_last(STANDIN_COLLECTIVE_COMPLETE), FATHOM_COLLECTIVE_BARRIER, NO_FLOW, 0,
		     false, 1);
	if (inter)
		return;
#if HAVE_PERSISTENT_COLLECTIVES
	PERSISTENT_CALL(Barrier, )(comm, MPI_INFO_NULL, &request);
	MPI_Startall(1, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK_EQUAL(standin_count(STANDIN_COLLECTIVE_COMPLETE), 2);
	MPI_Request_free(&request);
#endif
}

static void one_group(MPI_Comm of)
{
	comm = of;
	inter = false;
	MPI_Comm_rank(comm, &me);
	MPI_Comm_size(comm, &size);
	other = size;
	root_is_mine = true;
	prepare();
	prepare_c();
	barriers();
	for (root = 0; root < size; root += size > 1 ? size - 1 : 1) {
		with_root();
		with_root_c();
	}
	for (int in_place = 0; in_place < 2; in_place++) {
		without_root(in_place);
		without_root_c(in_place);
	}
	symmetric();
}

/* The lowest rank alone against all others. */
static void two_groups(int rank, int all)
{
	MPI_Comm half, between;

	upper = rank > 0;
	MPI_Comm_split(MPI_COMM_WORLD, upper, rank, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, upper ? 0 : 1, 5, &between);
	comm = between;
	inter = true;
	MPI_Comm_rank(comm, &me);
	MPI_Comm_size(comm, &size);
	MPI_Comm_remote_size(comm, &other);
	CHECK_EQUAL(size + other, all);
	prepare();
	prepare_c();
	barriers();
	for (int side = 0; side < 2; side++) {
		root_is_mine = side == upper;
		root = side ? all - 2 : 0;
		with_root();
	}
	/* Reduce_scatter wants equal totals on both sides: only where they are of one size. */
	if (size == other)
		without_root(false);
	MPI_Comm_free(&between);
	MPI_Comm_free(&half);
	inter = false;
}

/* ring: with the operations that have a count for each neighbour. */
static void neighbors_do(MPI_Comm graph, int slots_in, int slots_out, const int *has_in, const int *has_out, bool ring)
{
	int to[MOST], from[MOST], places[MOST];
	MPI_Aint byte_places[MOST];
	MPI_Datatype types[MOST];
	uint64_t degree_in = 0, degree_out = 0;
	MPI_Request request;

	for (int i = 0; i < MOST; i++) {
		to[i] = from[i] = 2;
		places[i] = 4 * i;
		byte_places[i] = 32 * i;
		types[i] = MPI_DOUBLE;
	}
	for (int i = 0; i < slots_in; i++)
		degree_in += has_in[i];
	for (int i = 0; i < slots_out; i++)
		degree_out += has_out[i];

	standin_reset();
	MPI_Neighbor_alltoall(out, 3, MPI_DOUBLE, in, 3, MPI_DOUBLE, graph);
	CHECK_EQUAL(standin_last(STANDIN_COLLECTIVE)->bytes, 24 * degree_out);
	CHECK_EQUAL(standin_last(STANDIN_COLLECTIVE)->bytes_in, 24 * degree_in);
	CHECK_EQUAL(standin_last(STANDIN_COLLECTIVE)->tag, FATHOM_COLLECTIVE_NEIGHBOR);
	MPI_Neighbor_allgather(out, 2, MPI_DOUBLE, in, 2, MPI_DOUBLE, graph);
	CHECK_EQUAL(standin_last(STANDIN_COLLECTIVE)->bytes, 16 * degree_out);
	CHECK_EQUAL(standin_last(STANDIN_COLLECTIVE)->bytes_in, 16 * degree_in);
	MPI_Ineighbor_alltoall(out, 3, MPI_DOUBLE, in, 3, MPI_DOUBLE, graph, &request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK_EQUAL(standin_last(STANDIN_COLLECTIVE_COMPLETE)->bytes, 24 * degree_out);
#if HAVE_PERSISTENT_COLLECTIVES
	PERSISTENT_CALL(Neighbor_alltoall, )(out, 3, MPI_DOUBLE, in, 3, MPI_DOUBLE, graph, MPI_INFO_NULL, &request);
	MPI_Start(&request);
	MPI_Wait(&request, MPI_STATUS_IGNORE);
	CHECK_EQUAL(standin_count(STANDIN_COLLECTIVE_COMPLETE), 2);
	MPI_Request_free(&request);
#endif

	if (!ring)
		return;
	MPI_Neighbor_allgatherv(out, 2, MPI_DOUBLE, in, from, places, MPI_DOUBLE, graph);
	CHECK_EQUAL(standin_last(STANDIN_COLLECTIVE)->bytes, 16 * degree_out);
	CHECK_EQUAL(standin_last(STANDIN_COLLECTIVE)->bytes_in, 16 * degree_in);
	MPI_Neighbor_alltoallv(out, to, places, MPI_DOUBLE, in, from, places, MPI_DOUBLE, graph);
	CHECK_EQUAL(standin_last(STANDIN_COLLECTIVE)->bytes, 16 * degree_out);
	MPI_Neighbor_alltoallw(out, to, byte_places, types, in, from, byte_places, types, graph);
	CHECK_EQUAL(standin_last(STANDIN_COLLECTIVE)->bytes, 16 * degree_out);
	CHECK_EQUAL(standin_last(STANDIN_COLLECTIVE)->bytes_in, 16 * degree_in);
}

static void neighbors(int rank, int all)
{
	int dims[1] = { all }, periodic[1] = { 1 }, open_ended[1] = { 0 };
	int yes[MOST] = { 1, 1, 1, 1, 1 };
	MPI_Comm graph;

	MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periodic, 0, &graph);
	neighbors_do(graph, 2, 2, yes, yes, true);
	MPI_Comm_free(&graph);

	/* A chain: the ends have one neighbour, and counts for two. */
	int ends[2] = { rank > 0, rank < all - 1 };

	MPI_Cart_create(MPI_COMM_WORLD, 1, dims, open_ended, 0, &graph);
	neighbors_do(graph, 2, 2, ends, ends, false);
	standin_reset();
	int counts[2] = { 3, 3 }, places[2] = { 0, 8 };

	MPI_Neighbor_alltoallv(out, counts, places, MPI_DOUBLE, in, counts, places, MPI_DOUBLE, graph);
	CHECK_EQUAL(standin_last(STANDIN_COLLECTIVE)->bytes, 24 * (ends[0] + ends[1]));
	CHECK_EQUAL(standin_last(STANDIN_COLLECTIVE)->bytes_in, 24 * (ends[0] + ends[1]));
	MPI_Comm_free(&graph);

	/* All hear from rank 0, which hears from nobody. */
	int source = 0, targets[MOST];

	for (int i = 0; i < all; i++)
		targets[i] = i + 1;
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, rank ? 1 : 0, &source, MPI_UNWEIGHTED, rank ? 0 : all - 1,
				       targets, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
	neighbors_do(graph, rank ? 1 : 0, rank ? 0 : all - 1, yes, yes, false);
	MPI_Comm_free(&graph);
}

int main(void)
{
	int rank, all;
	MPI_Comm self_like;

	MPI_Init(NULL, NULL);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &all);
	CHECK_EQUAL(standin_count(STANDIN_JOIN), 1);
	CHECK_EQUAL(standin_last(STANDIN_JOIN)->size, all);

	one_group(MPI_COMM_WORLD);
	MPI_Comm_split(MPI_COMM_WORLD, rank, 0, &self_like);
	one_group(self_like);
	MPI_Comm_free(&self_like);
	if (all > 1)
		two_groups(rank, all);
	neighbors(rank, all);

	CHECK_EQUAL(standin_open_requests(), 0);
	MPI_Finalize();
	CHECK_EQUAL(standin_depth(), 0);
	return standin_verdict("collectives", rank);
}
