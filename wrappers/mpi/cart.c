#include "mpi/cart.h"

#include "mpi/world_ranks.h"
#include "platform/log.h"

enum { PIECE = 256 };	/* the number of processes whose ranks MPI is asked for at a time */

/* The processes of a communicator, by their ranks among all processes. */
struct members {
	uint64_t sum;		/* hash of all ranks, in their order */
	int first, step, last;
	bool is_regular;	/* each rank is the one before plus step */
};

static bool find_shape(MPI_Comm handle, struct fathom_cart *cart)
{
	int topology = MPI_UNDEFINED, count = 0, sizes[FATHOM_TOPOLOGY_MOST_DIMENSIONS];
	int periods[FATHOM_TOPOLOGY_MOST_DIMENSIONS], at[FATHOM_TOPOLOGY_MOST_DIMENSIONS];

	PMPI_Topo_test(handle, &topology);
	if (topology == MPI_CART)
		PMPI_Cartdim_get(handle, &count);
	if (count < 1 || count > FATHOM_TOPOLOGY_MOST_DIMENSIONS)
		return false;
	PMPI_Cart_get(handle, count, sizes, periods, at);
	cart->count = (uint32_t)count;
	for (int d = 0; d < count; d++) {
		cart->sizes[d] = (uint32_t)sizes[d];
		cart->are_periodic[d] = periods[d] != 0;
	}
	return true;
}

static void add(struct members *members, int index, int rank)
{
	if (index == 0)
		members->first = rank;
	else if (index == 1)
		members->step = rank - members->first;
	else
		members->is_regular &= rank - members->last == members->step;
	members->last = rank;
	members->sum = fathom_mpi_mix(members->sum, (uint64_t)rank);
}

/* Finds the ranks of the members in MPI_COMM_WORLD. False: some processes have none. */
static bool find_members(MPI_Comm handle, int size, struct members *members)
{
	int own[PIECE], ranks[PIECE];
	bool known = true;
	MPI_Group group;

	*members = (struct members){ .is_regular = true };
	PMPI_Comm_group(handle, &group);
	for (int done = 0; known && done < size; done += PIECE) {
		int count = size - done < PIECE ? size - done : PIECE;

		for (int i = 0; i < count; i++)
			own[i] = done + i;
		known = fathom_mpi_translate(group, count, own, ranks);
		for (int i = 0; known && i < count; i++) {
			known = ranks[i] != MPI_UNDEFINED;
			add(members, done + i, ranks[i]);
		}
	}
	PMPI_Group_free(&group);
	return known;
}

/* Writes which processes are in the grid: "ranks 4-7", "ranks 0, 2, ...", or "" if these are all processes. This text
 * distinguishes grids of the same shape; it is the same at all members. */
static void write_members(struct fathom_cart *cart, const struct members *members, int size, int world)
{
	char *text = cart->members;
	size_t room = sizeof(cart->members);

	if (members->is_regular && size == world && members->first == 0 && (size == 1 || members->step == 1))
		return;
	if (size == 1)
		fathom_format(text, room, "rank %d", members->first);
	else if (size == 2)
		fathom_format(text, room, "ranks %d, %d", members->first, members->last);
	else if (members->is_regular && members->step == 1)
		fathom_format(text, room, "ranks %d-%d", members->first, members->last);
	else if (members->is_regular)
		fathom_format(text, room, "ranks %d, %d, ...", members->first, members->first + members->step);
	else
		fathom_format(text, room, "ranks %d, %d, ..., order %08x", members->first,
			      members->first + members->step, (unsigned)(members->sum >> 32));
}

uint64_t fathom_mpi_cart_note(MPI_Comm handle, const struct fathom_communicator *base)
{
	char name[MPI_MAX_OBJECT_NAME] = "";
	struct fathom_cart cart = { 0 };
	struct members members;
	int world = 0, length;

	if (!find_shape(handle, &cart))
		return 0;
	if (fathom_mpi_has_world())
		PMPI_Comm_size(MPI_COMM_WORLD, &world);
	if ((base->size == 1 && world > 1) || !find_members(handle, base->size, &members))
		return 0;
	cart.size = (uint32_t)base->size;
	cart.index = (uint32_t)base->rank;
	cart.comm = base->number;
	cart.first = (uint32_t)members.first;
	cart.key = members.sum;
	for (uint32_t d = 0; d < cart.count; d++)
		cart.key = fathom_mpi_mix(cart.key, (uint64_t)cart.sizes[d] << 1 | cart.are_periodic[d]);
	write_members(&cart, &members, base->size, world);
	PMPI_Comm_get_name(handle, name, &length);
	fathom_format(cart.name, sizeof(cart.name), "%s", name);
	fathom_cart_note(&cart);
	return cart.key;
}
