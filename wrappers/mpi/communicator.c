/*
 * communicator: a chained hash table with one lock. Lookups are rare, because each thread keeps the communicator that
 * it used last.
 */
#include "mpi/communicator.h"

#include "mpi/cart.h"
#include "mpi/world_ranks.h"

#include <string.h>
#include <sys/mman.h>

#define BLOCK_RECORDS 64
#define FIRST_BUCKETS 64	/* a power of 2 */

uint64_t fathom_mpi_communicator_epoch = 1;

/* Protects the whole table; held for a walk of one bucket or while the table grows; nests in nothing. */
static int lock;
static struct {
	struct fathom_mpi_communicator **buckets;	/* points to first until the table grows */
	struct fathom_mpi_communicator *first[FIRST_BUCKETS];
	unsigned int bits;	/* 2^bits buckets */
	uint32_t count;
	struct fathom_mpi_communicator *unused;
	uint32_t made;		/* records ever made: the next id */
} table = { .buckets = table.first, .bits = 6 };

_Static_assert(FIRST_BUCKETS == 1 << 6, "table.bits says how many buckets");

static struct fathom_mpi_communicator **bucket_of(uint64_t key)
{
	return &table.buckets[fathom_mpi_hash(key) >> (64 - table.bits)];
}

static struct fathom_mpi_communicator *lookup(uint64_t key)
{
	struct fathom_mpi_communicator *comm = *bucket_of(key);

	while (comm && comm->key != key)
		comm = comm->next;
	return comm;
}

/* Doubles the number of buckets. Without memory, the lists of the buckets just get longer. */
static void grow(void)
{
	struct fathom_mpi_communicator **old = table.buckets;
	size_t count = (size_t)1 << table.bits;
	struct fathom_mpi_communicator **more = fathom_mpi_pages(2 * count * sizeof(*more));

	if (!more)
		return;
	table.buckets = more;
	table.bits++;
	for (size_t i = 0; i < count; i++) {
		for (struct fathom_mpi_communicator *comm = old[i], *next; comm; comm = next) {
			struct fathom_mpi_communicator **bucket = bucket_of(comm->key);

			next = comm->next;
			comm->next = *bucket;
			*bucket = comm;
		}
	}
	if (old != table.first)
		munmap(old, count * sizeof(*old));
}

static void insert(struct fathom_mpi_communicator *comm)
{
	struct fathom_mpi_communicator **bucket;

	if (table.count >> table.bits)
		grow();
	bucket = bucket_of(comm->key);
	comm->next = *bucket;
	*bucket = comm;
	table.count++;
}

static struct fathom_mpi_communicator *remove_key(uint64_t key)
{
	struct fathom_mpi_communicator **link = bucket_of(key);
	struct fathom_mpi_communicator *comm;

	while (*link && (*link)->key != key)
		link = &(*link)->next;
	comm = *link;
	if (comm) {
		*link = comm->next;
		table.count--;
		/* Pairs with the relaxed load in fathom_mpi_communicator. A thread that uses the same handle for a
		 * new communicator got the handle from a later MPI call, which orders the two. */
		__atomic_fetch_add(&fathom_mpi_communicator_epoch, 1, __ATOMIC_RELAXED);
	}
	return comm;
}

static struct fathom_mpi_communicator *make(void)
{
	struct fathom_mpi_communicator *comm;

	if (!table.unused) {
		comm = fathom_mpi_pages(BLOCK_RECORDS * sizeof(*comm));
		if (!comm)
			return NULL;
		for (int i = BLOCK_RECORDS - 1; i >= 0; i--) {
			comm[i].base.id = table.made + i;
			comm[i].next = table.unused;
			table.unused = &comm[i];
		}
		table.made += BLOCK_RECORDS;
	}
	comm = table.unused;
	table.unused = comm->next;
	return comm;
}

/* Asks MPI for the size and kind of a valid communicator. These calls cannot fail. */
static struct fathom_communicator describe(MPI_Comm handle)
{
	struct fathom_communicator base = { .size = 1, .remote_size = 1 };
	int is_inter = 0;

	PMPI_Comm_rank(handle, &base.rank);
	PMPI_Comm_size(handle, &base.size);
	PMPI_Comm_test_inter(handle, &is_inter);
	base.remote_size = base.size;
	if (is_inter)
		PMPI_Comm_remote_size(handle, &base.remote_size);
	base.is_inter = is_inter;
	return base;
}

/* Finds the ranks of a group's processes among all processes. False: some process has none. */
static bool world_ranks(MPI_Group group, int count, int *own, uint32_t *ranks)
{
	for (int i = 0; i < count; i++)
		own[i] = i;
	if (!fathom_mpi_translate(group, count, own, (int *)ranks))
		return false;
	for (int i = 0; i < count; i++)
		if ((int)ranks[i] == MPI_UNDEFINED)
			return false;
	return true;
}

/* What a communicator was made from. */
struct ancestry {
	uint64_t origin;	/* 0: not known */
	const struct fathom_mpi_communicator *parent;	/* NULL: not known */
};

/* Returns a hash of the ranks; ranks NULL: those from 0 to count - 1. */
static uint64_t mix_ranks(const uint32_t *ranks, uint32_t count)
{
	uint64_t sum = count;

	for (uint32_t i = 0; i < count; i++)
		sum = fathom_mpi_mix(sum, ranks ? ranks[i] : i);
	return sum;
}

/* Finds the ranks of the processes of both groups and sets the members that point to them. ranks has room for twice as
 * many numbers. False: some processes are not in MPI_COMM_WORLD. */
static bool find_members(MPI_Comm handle, const struct fathom_communicator *base, uint32_t *ranks,
			 struct fathom_comm_members *members)
{
	int total = base->size + (base->is_inter ? base->remote_size : 0);
	MPI_Group group;
	bool known;

	members->ranks = ranks;
	members->count = (uint32_t)base->size;
	PMPI_Comm_group(handle, &group);
	known = world_ranks(group, base->size, (int *)ranks + total, ranks);
	PMPI_Group_free(&group);
	if (!known || !base->is_inter)
		return known;
	members->remote = ranks + base->size;
	members->remote_count = (uint32_t)base->remote_size;
	PMPI_Comm_remote_group(handle, &group);
	known = world_ranks(group, base->remote_size, (int *)ranks + total, ranks + base->size);
	PMPI_Group_free(&group);
	return known;
}

/* Grids with more dimensions are not recorded: with 2 processes in each, they would have more than MPI can number. */
enum { MOST_DIMENSIONS = 32 };

static void find_grid(MPI_Comm handle, struct fathom_comm_members *members, struct fathom_comm_dimension *dimensions)
{
	int topology = MPI_UNDEFINED, count = 0, sizes[MOST_DIMENSIONS], periods[MOST_DIMENSIONS];
	int coordinates[MOST_DIMENSIONS];

	PMPI_Topo_test(handle, &topology);
	if (topology == MPI_CART)
		PMPI_Cartdim_get(handle, &count);
	if (count < 1 || count > MOST_DIMENSIONS)
		return;
	PMPI_Cart_get(handle, count, sizes, periods, coordinates);
	for (int i = 0; i < count; i++)
		dimensions[i] = (struct fathom_comm_dimension){ (uint32_t)sizes[i], periods[i] != 0 };
	members->dimensions = dimensions;
	members->dimension_count = (uint32_t)count;
}

/* Returns whether the communicator has all processes of the program in the order of their ranks. */
static bool is_like_world(MPI_Comm handle, const struct fathom_communicator *base)
{
	int size = 0, result = MPI_UNEQUAL;

	if (base->is_inter || !fathom_mpi_has_world())
		return false;
	PMPI_Comm_size(MPI_COMM_WORLD, &size);
	if (size == base->size)
		PMPI_Comm_compare(handle, MPI_COMM_WORLD, &result);
	return result == MPI_IDENT || result == MPI_CONGRUENT;
}

/* Finds the members and their origin. Processes that are not in MPI_COMM_WORLD have no ranks in the result: a
 * communicator with one of them is recorded with a single process. */
static bool describe_members(MPI_Comm handle, const struct fathom_communicator *base, uint32_t *ranks,
			     struct ancestry *ancestry, struct fathom_comm_members *members)
{
	/* Where MPI_COMM_WORLD does not exist, a communicator of all processes must not be taken for it. */
	if (!ancestry->origin && !fathom_mpi_has_world())
		ancestry->origin = 1;
	if (!find_members(handle, base, ranks, members)) {
		ranks[0] = 0;
		*members = (struct fathom_comm_members){ .ranks = ranks, .count = 1, .parent = FATHOM_NO_COMM };
		return false;
	}
	members->key = ancestry->origin;
	members->parent = ancestry->parent ? ancestry->parent->base.number : FATHOM_NO_COMM;
	if (!ancestry->origin)
		ancestry->origin = mix_ranks(members->ranks, members->count) +
				mix_ranks(members->remote, members->remote_count);
	return true;
}

/* Returns the number of a communicator in events; FATHOM_NO_COMM: there is no memory. */
static uint32_t define_members(MPI_Comm handle, const struct fathom_communicator *base, struct ancestry *ancestry)
{
	size_t bytes = 2 * ((size_t)base->size + (size_t)base->remote_size) * sizeof(int);
	struct fathom_comm_members members = { .parent = FATHOM_NO_COMM, .rank = (uint32_t)base->rank };
	struct fathom_comm_dimension dimensions[MOST_DIMENSIONS];
	char name[MPI_MAX_OBJECT_NAME] = "";
	uint32_t number, *ranks;
	bool is_known;
	int length;

	/* Only a trace needs a list of the ranks if all processes are members. */
	if (!fathom_mpi_tracing && is_like_world(handle, base)) {
		members.count = (uint32_t)base->size;
		members.key = ancestry->origin;
		if (!ancestry->origin)
			ancestry->origin = mix_ranks(NULL, members.count) + mix_ranks(NULL, 0);
		return fathom_event_comm_define(&members);
	}
	ranks = fathom_mpi_pages(bytes);
	if (!ranks)
		return FATHOM_NO_COMM;
	is_known = describe_members(handle, base, ranks, ancestry, &members);
	if (fathom_mpi_tracing) {
		if (is_known && !base->is_inter)
			find_grid(handle, &members, dimensions);
		PMPI_Comm_get_name(handle, name, &length);
		members.name = *name ? name : NULL;
	}
	number = fathom_event_comm_define(&members);
	munmap(ranks, bytes);
	return number;
}

static struct fathom_mpi_communicator *define(MPI_Comm handle, struct ancestry ancestry)
{
	struct fathom_communicator base = describe(handle);
	struct fathom_mpi_communicator *comm;
	bool is_new = false;
	uint64_t cart;

	if (fathom_mpi_knowing_comms)
		base.number = define_members(handle, &base, &ancestry);
	cart = base.is_inter ? 0 : fathom_mpi_cart_note(handle, &base);

	fathom_mpi_lock(&lock);
	comm = lookup(FATHOM_MPI_KEY(handle));	/* another thread may have been faster */
	if (!comm) {
		comm = make();
		if (comm) {
			base.id = comm->base.id;
			*comm = (struct fathom_mpi_communicator){
				.base = base,
				.key = FATHOM_MPI_KEY(handle),
				.origin = ancestry.origin,
				.cart = cart,
				.references = 1,
			};
			insert(comm);
			is_new = true;
		}
	}
	fathom_mpi_unlock(&lock);
	if (is_new)
		fathom_event_comm_create(&comm->base);
	return comm;
}

struct fathom_mpi_communicator *fathom_mpi_communicator_find(MPI_Comm handle)
{
	struct fathom_mpi_thread *self = &fathom_mpi_self;
	uint64_t epoch = __atomic_load_n(&fathom_mpi_communicator_epoch, __ATOMIC_ACQUIRE);
	struct fathom_mpi_communicator *comm;

	fathom_mpi_lock(&lock);
	comm = lookup(FATHOM_MPI_KEY(handle));
	fathom_mpi_unlock(&lock);
	if (!comm)
		comm = define(handle, (struct ancestry){ 0, NULL });
	if (!comm)
		return NULL;
	self->comm_key = FATHOM_MPI_KEY(handle);
	self->comm = comm;
	self->comm_epoch = epoch;
	return comm;
}

static void add_new(MPI_Comm handle, struct ancestry ancestry)
{
	struct fathom_mpi_communicator *stale;

	if (!fathom_mpi_tracking || handle == MPI_COMM_NULL)
		return;
	/* The program has freed the old communicator by a PMPI_ call, which no wrapper sees. */
	stale = fathom_mpi_communicator_detach(handle);
	fathom_mpi_communicator_release(stale);
	define(handle, ancestry);
}

void fathom_mpi_communicator_born(MPI_Comm handle)
{
	add_new(handle, (struct ancestry){ 0, NULL });
}

/* Returns the record of the parent communicator. NULL: none is needed, because members are not recorded. */
static struct fathom_mpi_communicator *parent_of(MPI_Comm parent)
{
	return fathom_mpi_knowing_comms ? fathom_mpi_communicator(parent) : NULL;
}

uint64_t fathom_mpi_communicator_promise(struct fathom_mpi_communicator *parent)
{
	if (!parent)
		return 0;
	return fathom_mpi_mix(parent->origin, __atomic_add_fetch(&parent->made, 1, __ATOMIC_RELAXED));
}

void fathom_mpi_communicator_kept(const struct fathom_mpi_communicator *parent, uint64_t origin, MPI_Comm handle)
{
	add_new(handle, (struct ancestry){ origin, parent });
}

void fathom_mpi_communicator_made(MPI_Comm parent, MPI_Comm handle)
{
	struct fathom_mpi_communicator *comm = parent_of(parent);

	fathom_mpi_communicator_kept(comm, fathom_mpi_communicator_promise(comm), handle);
}

void fathom_mpi_communicator_made_apart(struct fathom_mpi_scope scope, MPI_Comm parent, int tag, MPI_Comm handle)
{
	struct fathom_mpi_communicator *comm = parent_of(parent);

	/* The two groups have different parents, so the hash is made from the tag alone. */
	add_new(handle, (struct ancestry){
		comm ? fathom_mpi_mix(UINT64_C(0x5851f42d4c957f2d), (uint64_t)(uint32_t)tag) : 0,
		comm,
	});
	if (scope.region)
		fathom_mpi_comm_agreed(handle == MPI_COMM_NULL ? MPI_COMM_SELF : handle);
}

/* Returns a key that no handle has: handles of MPI are user-space pointers or have 32 bits. */
static uint64_t key_of_operation(uint32_t number)
{
	return UINT64_C(1) << 63 | number;
}

struct fathom_mpi_communicator *fathom_mpi_communicator_of_operation(struct fathom_mpi_communicator *parent,
								     const char *call)
{
	uint32_t number = fathom_event_comm_of_operation(parent->base.number, ++parent->operations, call);
	struct fathom_mpi_communicator *comm;

	if (number == parent->base.number)
		return parent;
	fathom_mpi_lock(&lock);
	comm = make();
	if (comm) {
		uint32_t id = comm->base.id;

		*comm = (struct fathom_mpi_communicator){
			.base = parent->base,
			.key = key_of_operation(number),
			.references = 1,
		};
		comm->base.id = id;
		comm->base.number = number;
		insert(comm);
	}
	fathom_mpi_unlock(&lock);
	if (!comm)
		return parent;
	fathom_event_comm_create(&comm->base);
	return comm;
}

void fathom_mpi_communicator_end_all(void)
{
	for (size_t i = 0; i < (size_t)1 << table.bits; i++)
		for (struct fathom_mpi_communicator *comm = table.buckets[i]; comm; comm = comm->next)
			fathom_event_comm_destroy(&comm->base);
}

void fathom_mpi_communicator_named(MPI_Comm handle)
{
	struct fathom_mpi_communicator *comm = fathom_mpi_tracking ? fathom_mpi_communicator(handle) : NULL;
	char name[MPI_MAX_OBJECT_NAME] = "";
	int length;

	if (!comm)
		return;
	PMPI_Comm_get_name(handle, name, &length);
	if (comm->cart)
		fathom_cart_name(comm->cart, name);
	if (fathom_event_traces())
		fathom_event_comm_name(&comm->base, name);
}

struct fathom_mpi_communicator *fathom_mpi_communicator_detach(MPI_Comm handle)
{
	struct fathom_mpi_communicator *comm;

	if (!fathom_mpi_tracking)
		return NULL;
	fathom_mpi_lock(&lock);
	comm = remove_key(FATHOM_MPI_KEY(handle));
	fathom_mpi_unlock(&lock);
	return comm;
}

void fathom_mpi_communicator_put_back(struct fathom_mpi_communicator *comm)
{
	if (!comm)
		return;
	fathom_mpi_lock(&lock);
	insert(comm);
	fathom_mpi_unlock(&lock);
}

void fathom_mpi_communicator_vanish(struct fathom_mpi_communicator *comm)
{
	fathom_mpi_lock(&lock);
	comm->next = table.unused;
	table.unused = comm;
	fathom_mpi_unlock(&lock);
}

/* Finds the absent neighbours of a process: at the border of a grid that is not periodic, blocks for them are not
 * sent. */
static void cartesian_neighbors(struct fathom_mpi_communicator *comm, MPI_Comm handle)
{
	int dimensions = 0;
	int degree = 0;

	PMPI_Cartdim_get(handle, &dimensions);
	for (int i = 0; i < dimensions; i++) {
		int peers[2] = { MPI_PROC_NULL, MPI_PROC_NULL };

		PMPI_Cart_shift(handle, i, 1, &peers[0], &peers[1]);
		for (int side = 0; side < 2; side++) {
			if (peers[side] != MPI_PROC_NULL)
				degree++;
			else if (2 * i + side < 64)
				comm->absent |= UINT64_C(1) << (2 * i + side);
		}
	}
	comm->indegree = degree;
	comm->outdegree = degree;
}

/* Reports the neighbours in a Cartesian grid; absent ones are left out. */
static void report_cartesian(struct fathom_mpi_communicator *comm, MPI_Comm handle)
{
	uint32_t ranks[2 * MOST_DIMENSIONS];
	int dimensions = 0, count = 0;

	PMPI_Cartdim_get(handle, &dimensions);
	if (dimensions > MOST_DIMENSIONS)
		return;
	for (int i = 0; i < dimensions; i++) {
		int peers[2] = { MPI_PROC_NULL, MPI_PROC_NULL };

		PMPI_Cart_shift(handle, i, 1, &peers[0], &peers[1]);
		for (int side = 0; side < 2; side++)
			if (peers[side] != MPI_PROC_NULL)
				ranks[count++] = (uint32_t)peers[side];
	}
	comm->base.neighbors = fathom_event_comm_neighbors(comm->base.number, &(struct fathom_comm_neighbors){
		ranks, ranks, (uint32_t)count, (uint32_t)count,
	});
}

/* Reports the neighbours in a graph. */
static void report_graph(struct fathom_mpi_communicator *comm, MPI_Comm handle, bool is_distributed)
{
	size_t bytes = 2 * ((size_t)comm->indegree + (size_t)comm->outdegree) * sizeof(int) + 1;
	int *ranks = fathom_mpi_pages(bytes), *weights;
	uint32_t in = (uint32_t)comm->indegree, out = (uint32_t)comm->outdegree;

	if (!ranks)
		return;
	weights = ranks + in + out;
	if (is_distributed)
		PMPI_Dist_graph_neighbors(handle, comm->indegree, ranks, weights, comm->outdegree, ranks + in,
					  weights + in);
	else
		PMPI_Graph_neighbors(handle, comm->base.rank, comm->indegree, ranks);
	comm->base.neighbors = fathom_event_comm_neighbors(comm->base.number, &(struct fathom_comm_neighbors){
		(const uint32_t *)ranks, (const uint32_t *)ranks + (is_distributed ? in : 0), in, out,
	});
	munmap(ranks, bytes);
}

void fathom_mpi_communicator_neighbors(struct fathom_mpi_communicator *comm, MPI_Comm handle)
{
	int topology = MPI_UNDEFINED;
	int weighted;

	if (comm->has_neighbors)
		return;
	comm->absent = 0;
	PMPI_Topo_test(handle, &topology);
	if (topology == MPI_CART) {
		cartesian_neighbors(comm, handle);
	} else if (topology == MPI_GRAPH) {
		PMPI_Graph_neighbors_count(handle, comm->base.rank, &comm->indegree);
		comm->outdegree = comm->indegree;
	} else if (topology == MPI_DIST_GRAPH) {
		PMPI_Dist_graph_neighbors_count(handle, &comm->indegree, &comm->outdegree, &weighted);
	}
	if (fathom_mpi_knowing_comms && topology == MPI_CART)
		report_cartesian(comm, handle);
	else if (fathom_mpi_knowing_comms && (topology == MPI_GRAPH || topology == MPI_DIST_GRAPH))
		report_graph(comm, handle, topology == MPI_DIST_GRAPH);
	comm->has_neighbors = true;
}

void fathom_mpi_comm_agreed(MPI_Comm handle)
{
	struct fathom_mpi_communicator *comm = fathom_mpi_communicator(handle);

	if (likely(comm))
		fathom_event_collective(&comm->base, FATHOM_COLLECTIVE_COMM, FATHOM_NO_ROOT, 0, 0);
}

void fathom_mpi_comm_freed(struct fathom_mpi_scope scope, struct fathom_mpi_communicator *freed, int err)
{
	if (!freed)
		return;
	if (err != MPI_SUCCESS) {
		fathom_mpi_communicator_put_back(freed);
		return;
	}
	if (scope.region) {
		fathom_event_comm_destroy(&freed->base);
		fathom_event_collective(&freed->base, FATHOM_COLLECTIVE_COMM_FREE, FATHOM_NO_ROOT, 0, 0);
	}
	fathom_mpi_communicator_release(freed);
}
