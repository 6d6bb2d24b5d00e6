#include "trace/definitions/processor_count.h"

#include "platform/log.h"
#include "platform/write.h"
#include "system/processors.h"

struct sum {			/* over processes */
	uint64_t millis, unknown_nodes;
};

/* Adds up the sums of all processes at rank 0. 0 or -errno. */
static int add_up(struct fathom_comm *comm, struct sum *sum)
{
	int parent, children[32], count = fathom_comm_tree(comm->rank, comm->size, &parent, children);
	struct sum next;
	int err = 0;

	for (int c = 0; c < count && !err; c++) {
		err = comm->receive(comm, children[c], &next, sizeof(next));
		if (err)
			return err;
		sum->millis += next.millis;
		sum->unknown_nodes += next.unknown_nodes;
	}
	return parent < 0 ? 0 : comm->send(comm, parent, sum, sizeof(*sum));
}

int fathom_processor_count_sum(struct fathom_comm *comm, const char *host, uint32_t threads, uint64_t *millis)
{
	struct fathom_processors own;
	struct fathom_capacity capacity;
	struct sum sum;
	int err;

	fathom_processors_find(&own, threads, "");
	/* Afterwards, one process of each node has the capacity of the node, and the others have 0. */
	err = fathom_processors_unite(&own, host, comm, &capacity);
	sum = (struct sum){ capacity.millis, capacity.unknown_nodes };
	if (!err && comm->size > 1)
		err = add_up(comm, &sum);
	*millis = sum.unknown_nodes ? 0 : sum.millis;
	return err;
}

OTF2_ErrorCode fathom_processor_count_write(OTF2_Archive *archive, uint64_t millis)
{
	char number[32];

	if (!millis)
		return OTF2_SUCCESS;
	fathom_format(number, sizeof(number), millis % 1000 ? "%lu.%03lu" : "%lu", (unsigned long)(millis / 1000),
		      (unsigned long)(millis % 1000));
	return OTF2_Archive_SetProperty(archive, "FATHOM::PROCESSORS", number, true);
}
