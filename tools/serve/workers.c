#include "tools/serve/workers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* --- the first process ----------------------------------------------------------------------------------- */

/* Adds the part of another process, whose cells and ticks are behind it in the message. */
static void add_part(struct fathom_part *part, const struct fathom_part *other, uint32_t share, uint32_t shares)
{
	part->err = part->err ? part->err : other->err;
	part->counts.events += other->counts.events;
	part->counts.sends += other->counts.sends;
	part->counts.receives += other->counts.receives;
	part->counts.bytes_sent += other->counts.bytes_sent;
	part->counts.bytes_received += other->counts.bytes_received;
	part->counts.collectives += other->counts.collectives;
	fathom_part_add_visits(part, other->visits, other->visit_count);
	for (size_t row = share; row * FATHOM_SERVED_COLUMNS < part->cell_count; row += shares)
		memcpy(part->cells + row * FATHOM_SERVED_COLUMNS, other->cells + row * FATHOM_SERVED_COLUMNS,
		       FATHOM_SERVED_COLUMNS * sizeof(*part->cells));
	for (size_t r = 0; r < part->region_count; r++)
		part->ticks[r] += other->ticks[r];
}

/* Receives the part of a process and adds it. 0 or -errno. */
static int receive_part(struct fathom_comm *comm, int from, struct fathom_part *part)
{
	struct fathom_part other;
	int err = comm->receive(comm, from, &other, sizeof(other));

	if (err)
		return err;
	if (other.cell_count != part->cell_count || other.region_count != part->region_count)
		return -EPROTO;
	other.cells = fathom_tool_alloc(other.cell_count + 1, sizeof(*other.cells));
	other.ticks = fathom_tool_alloc(other.region_count + 1, sizeof(*other.ticks));
	if (other.cell_count)
		err = comm->receive(comm, from, other.cells, other.cell_count * sizeof(*other.cells));
	if (!err && other.region_count)
		err = comm->receive(comm, from, other.ticks, other.region_count * sizeof(*other.ticks));
	if (!err)
		add_part(part, &other, (uint32_t)from, (uint32_t)comm->size);
	fathom_part_fini(&other);
	return err;
}

void fathom_workers_ask(struct fathom_comm *comm, struct fathom_trace_frames *frames,
			const struct fathom_trace_picture *picture, const struct fathom_request *request,
			struct fathom_part *part)
{
	struct fathom_request own = *request;
	int err = 0;

	own.share = 0;
	own.shares = (uint32_t)comm->size;
	if (comm->size > 1)
		err = comm->broadcast(comm, 0, &own, sizeof(own));
	fathom_part_make(part, frames, picture, &own);
	for (int rank = 1; rank < comm->size && !err; rank++)
		err = receive_part(comm, rank, part);
	if (!part->err)
		part->err = err;
}

void fathom_workers_end(struct fathom_comm *comm)
{
	struct fathom_request end = { .kind = FATHOM_REQUEST_END };

	if (comm->size > 1)
		comm->broadcast(comm, 0, &end, sizeof(end));
}

/* --- the others ------------------------------------------------------------------------------------------ */

static int send_part(struct fathom_comm *comm, const struct fathom_part *part)
{
	int err = comm->send(comm, 0, part, sizeof(*part));

	if (!err && part->cell_count)
		err = comm->send(comm, 0, part->cells, part->cell_count * sizeof(*part->cells));
	if (!err && part->region_count)
		err = comm->send(comm, 0, part->ticks, part->region_count * sizeof(*part->ticks));
	return err;
}

void fathom_workers_work(struct fathom_comm *comm, struct fathom_trace_frames *frames,
			 const struct fathom_trace_picture *picture)
{
	struct fathom_request request;
	struct fathom_part part;
	int err = 0;

	while (!err && !comm->broadcast(comm, 0, &request, sizeof(request)) && request.kind != FATHOM_REQUEST_END) {
		request.share = (uint32_t)comm->rank;
		fathom_part_make(&part, frames, picture, &request);
		err = send_part(comm, &part);
		fathom_part_fini(&part);
	}
}
