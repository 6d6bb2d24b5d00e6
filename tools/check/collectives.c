#include "tools/check/collectives.h"

#include <inttypes.h>
#include <stdlib.h>

#include "tools/check/check.h"
#include "tools/check/fault_reports.h"
#include "tools/check/meetings.h"
#include "tools/check/requests.h"
#include "tools/common/command.h"

enum { QUEUE_MOST = 1 << 16 };	/* collectives of a process that wait behind an incomplete one */

struct post {
	struct post *next;
	struct fathom_check_part part;
	uint32_t comm;		/* index of the communicator */
	bool pending, cancelled, passed;
};

struct queue {
	struct post *head, *tail;
	uint32_t count;
};

struct life {			/* creation and end of a communicator in a process */
	struct fathom_table_entry entry;	/* comm index, process */
	uint32_t created, destroyed;
	bool said;
};

struct fathom_check_collectives {
	struct queue *queues;			/* by process */
	struct post **open;			/* by location: the blocking collective that the location is in */
	struct fathom_check_meetings **meetings;	/* by comm, NULL: none yet */
	struct fathom_table lives;
	uint64_t *created, *destroyed;		/* by comm: members that created it, and that destroyed it */
	size_t process_count, comm_count;
};

void fathom_check_collectives_init(struct fathom_check *check)
{
	struct fathom_check_collectives *part = fathom_tool_alloc(1, sizeof(*part));

	part->process_count = fathom_otf2_count(&check->trace.defs, FATHOM_OTF2_PROCESS);
	part->comm_count = fathom_otf2_count(&check->trace.defs, FATHOM_OTF2_COMM);
	part->queues = fathom_tool_alloc(part->process_count, sizeof(*part->queues));
	part->open = fathom_tool_alloc(fathom_otf2_count(&check->trace.defs, FATHOM_OTF2_LOCATION),
				       sizeof(struct post *));
	part->meetings = fathom_tool_alloc(part->comm_count, sizeof(struct fathom_check_meetings *));
	part->created = fathom_tool_alloc(part->comm_count, sizeof(uint64_t));
	part->destroyed = fathom_tool_alloc(part->comm_count, sizeof(uint64_t));
	fathom_table_init(&part->lives, sizeof(struct life));
	check->collectives_part = part;
}

/* --- the life of a communicator ------------------------------------------------------------------------ */

static uint32_t index_of(const struct fathom_check *check, const struct fathom_otf2_comm *comm)
{
	return (uint32_t)fathom_otf2_index(&check->trace.defs, FATHOM_OTF2_COMM, comm->id);
}

static struct life *life_of(struct fathom_check *check, const struct fathom_otf2_comm *comm, uint32_t process)
{
	struct fathom_table *lives = &check->collectives_part->lives;
	uint32_t index = index_of(check, comm);
	struct life *life = fathom_table_find(lives, index, process, 0);

	return life ? life : fathom_table_add(lives, index, process, 0);
}

void fathom_check_comm_used(struct fathom_check *check, const struct fathom_otf2_event *event,
			    const struct fathom_otf2_comm *comm)
{
	char name[300];
	struct life *life;

	if (!(comm->flags & OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS))
		return;
	life = life_of(check, comm, fathom_check_process(check, event->location));
	if (life->said || (life->created && !life->destroyed))
		return;
	life->said = true;
	fathom_check_fault(check, FATHOM_FAULT_COMM_LIFE, event, "%s is used %s", fathom_otf2_name(
			   &check->trace.defs, FATHOM_OTF2_COMM, comm->id, name, sizeof(name)),
			   life->created ? "after it was destroyed" : "before it is created");
}

static void take_life(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	struct fathom_check_collectives *part = check->collectives_part;
	const struct fathom_otf2_comm *comm = fathom_check_definition(check, event);
	uint32_t process = fathom_check_process(check, event->location);
	bool is_creation = event->kind == FATHOM_RECORD_COMM_CREATE;
	const char *wrong = NULL;
	char name[300];
	struct life *life;

	fathom_otf2_name(&check->trace.defs, FATHOM_OTF2_COMM, comm->id, name, sizeof(name));
	if (fathom_otf2_comm_process(&check->trace.defs, comm, process) < 0) {
		fathom_check_fault(check, FATHOM_FAULT_RANK, event, "the process is no member of %s", name);
		return;
	}
	life = life_of(check, comm, process);
	if (is_creation)
		wrong = life->created ? "created a second time" : NULL;
	else
		wrong = !life->created ? "destroyed, but was never created" :
			life->destroyed ? "destroyed a second time" : NULL;
	if (wrong) {
		fathom_check_fault(check, FATHOM_FAULT_COMM_LIFE, event, "%s is %s", name, wrong);
		return;
	}
	(*(is_creation ? &life->created : &life->destroyed))++;
	(is_creation ? part->created : part->destroyed)[index_of(check, comm)]++;
}

/* --- collectives ------------------------------------------------------------------------------------------ */

static void meet(struct fathom_check *check, const struct post *post)
{
	struct fathom_check_collectives *part = check->collectives_part;
	const struct fathom_otf2_comm *comm = fathom_otf2_at(&check->trace.defs, FATHOM_OTF2_COMM, post->comm);
	char name[300];
	uint64_t before;

	if (comm->is_self) {
		check->collectives++;
		return;
	}
	if (!part->meetings[post->comm])
		part->meetings[post->comm] = fathom_check_meetings_create(
			fathom_otf2_comm_size(&check->trace.defs, comm));
	before = part->meetings[post->comm]->end;
	fathom_check_meet(check, part->meetings[post->comm], &post->part, FATHOM_FAULT_DIFFERENT,
			  fathom_otf2_name(&check->trace.defs, FATHOM_OTF2_COMM, comm->id, name, sizeof(name)));
	/* The first member of a meeting opens it; only then there is one more collective. */
	check->collectives += part->meetings[post->comm]->end - before;
}

static void advance(struct fathom_check *check, struct queue *queue)
{
	while (queue->head && (!queue->head->pending || queue->count > QUEUE_MOST)) {
		struct post *post = queue->head;

		queue->head = post->next;
		queue->count--;
		if (post->pending) {		/* the operation takes part out of order, when it is complete */
			post->passed = true;
			continue;
		}
		if (!post->cancelled)
			meet(check, post);
		free(post);
	}
}

static struct post *begin(struct fathom_check *check, uint32_t process)
{
	struct queue *queue = &check->collectives_part->queues[process];
	struct post *post = fathom_tool_alloc(1, sizeof(*post));

	post->pending = true;
	*(queue->head ? &queue->tail->next : &queue->head) = post;
	queue->tail = post;
	queue->count++;
	return post;
}

static void end(struct fathom_check *check, struct post *post, uint32_t process)
{
	post->pending = false;
	if (!post->passed) {
		advance(check, &check->collectives_part->queues[process]);
		return;
	}
	if (!post->cancelled)
		meet(check, post);
	free(post);
}

void fathom_check_collective_cancelled(void *given)
{
	struct post *post = given;

	if (post->passed) {
		free(post);
		return;
	}
	post->pending = false;
	post->cancelled = true;
}

static bool has_root(uint32_t op)
{
	return op == OTF2_COLLECTIVE_OP_BCAST || op == OTF2_COLLECTIVE_OP_GATHER || op == OTF2_COLLECTIVE_OP_GATHERV ||
	       op == OTF2_COLLECTIVE_OP_SCATTER || op == OTF2_COLLECTIVE_OP_SCATTERV || op == OTF2_COLLECTIVE_OP_REDUCE;
}

static void check_root(struct fathom_check *check, const struct fathom_otf2_event *event,
		       const struct fathom_otf2_comm *comm, uint32_t process, const char *name)
{
	const char *what = fathom_check_collective_name(event->op);

	if (event->peer == OTF2_COLLECTIVE_ROOT_NONE) {
		if (has_root(event->op))
			fathom_check_fault(check, FATHOM_FAULT_RANK, event, "%s on %s without a root", what, name);
	} else if (event->peer >= OTF2_COLLECTIVE_ROOT_THIS_GROUP) {
		if (!comm->is_inter)
			fathom_check_fault(check, FATHOM_FAULT_RANK, event,
					   "%s on %s, which is no inter-communicator, with its "
					   "root in \"this group\"", what, name);
	} else if (fathom_otf2_comm_peer(&check->trace.defs, comm, process, event->peer) < 0) {
		fathom_check_fault(check, FATHOM_FAULT_RANK, event, "%s with root %u on %s, which has no such rank",
				   what, event->peer, name);
	}
}

/* Reads the end of the operation into post. False after a fault was reported: the operation joins no meeting. */
static bool describe(struct fathom_check *check, const struct fathom_otf2_event *event, struct post *post)
{
	const struct fathom_otf2_comm *comm = fathom_check_definition(check, event);
	uint32_t process = fathom_check_process(check, event->location);
	int64_t member = fathom_otf2_comm_process(&check->trace.defs, comm, process);
	char name[300];

	fathom_otf2_name(&check->trace.defs, FATHOM_OTF2_COMM, comm->id, name, sizeof(name));
	if (comm->paradigm != OTF2_PARADIGM_MPI) {
		fathom_check_fault(check, FATHOM_FAULT_UNDEFINED, event, "%s is no communicator of MPI", name);
		return false;
	}
	if (member < 0) {
		fathom_check_fault(check, FATHOM_FAULT_RANK, event, "the process is no member of %s", name);
		return false;
	}
	check_root(check, event, comm, process, name);
	post->comm = index_of(check, comm);
	post->part = (struct fathom_check_part){
		.member = (uint32_t)member, .op = event->op, .root = event->peer, .location = event->location,
		.time = event->time, .is_inter = comm->is_inter,
	};
	return true;
}

static void take_end(struct fathom_check *check, const struct fathom_otf2_event *event, uint32_t process)
{
	struct fathom_check_collectives *part = check->collectives_part;
	struct fathom_check_location *location = &check->locations[event->location];
	struct post *post = part->open[event->location];

	if (location->collectives == 0)
		fathom_check_fault(check, FATHOM_FAULT_BRACKET, event, "a collective ends that did not begin");
	else
		location->collectives--;
	if (!post)
		post = begin(check, process);
	part->open[event->location] = NULL;
	post->cancelled = !describe(check, event, post);
	if (!post->cancelled && event->op != OTF2_COLLECTIVE_OP_DESTROY_HANDLE)
		fathom_check_comm_used(check, event, fathom_check_definition(check, event));
	end(check, post, process);
}

static void take_begin(struct fathom_check *check, const struct fathom_otf2_event *event, uint32_t process)
{
	struct fathom_check_collectives *part = check->collectives_part;

	if (check->locations[event->location].collectives++ > 0) {
		fathom_check_fault(check, FATHOM_FAULT_BRACKET, event, "a collective begins inside another one");
		return;
	}
	part->open[event->location] = begin(check, process);
	part->open[event->location]->part.time = event->time;
}

static void take_complete(struct fathom_check *check, const struct fathom_otf2_event *event, uint32_t process)
{
	struct post *post;
	void *asked;

	if (!fathom_check_request_end(check, event, FATHOM_CHECK_COLLECTIVE, &asked) || !asked)
		return;
	post = asked;
	post->cancelled = !describe(check, event, post);
	end(check, post, process);
}

void fathom_check_collectives_event(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	uint32_t process = fathom_check_process(check, event->location);
	struct post *post;

	if (process == UINT32_MAX)
		return;
	switch (event->kind) {
	case FATHOM_RECORD_MPI_COLLECTIVE_BEGIN: take_begin(check, event, process); break;
	case FATHOM_RECORD_MPI_COLLECTIVE_END: take_end(check, event, process); break;
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_REQUEST:
		post = begin(check, process);
		if (!fathom_check_request_begin(check, event, FATHOM_CHECK_COLLECTIVE, post)) {
			post->cancelled = true;
			end(check, post, process);
		}
		break;
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE: take_complete(check, event, process); break;
	case FATHOM_RECORD_COMM_CREATE:
	case FATHOM_RECORD_COMM_DESTROY: take_life(check, event); break;
	default: break;
	}
}

/* --- the end ------------------------------------------------------------------------------------------------ */

/* Checks that all members have created a communicator, and that either all of them or none have destroyed it. */
static void finish_life(struct fathom_check *check, uint32_t index)
{
	const struct fathom_check_collectives *part = check->collectives_part;
	const struct fathom_otf2_comm *comm = fathom_otf2_at(&check->trace.defs, FATHOM_OTF2_COMM, index);
	uint64_t created = part->created[index], destroyed = part->destroyed[index];
	uint32_t size = fathom_otf2_comm_size(&check->trace.defs, comm);
	char name[300];

	if (!(comm->flags & OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS) || comm->paradigm != OTF2_PARADIGM_MPI)
		return;
	fathom_otf2_name(&check->trace.defs, FATHOM_OTF2_COMM, comm->id, name, sizeof(name));
	if (!comm->is_self && created != size)
		fathom_fault_say(&check->output.faults, FATHOM_FAULT_COMM_LIFE, NULL,
				 "%s is created by %" PRIu64 " of its %u members",
				 name, created, size);
	else if (destroyed != 0 && destroyed != created)
		fathom_fault_say(&check->output.faults, FATHOM_FAULT_COMM_LIFE, NULL,
				 "%s is created by %" PRIu64 " processes and "
				 "destroyed by %" PRIu64, name, created, destroyed);
}

static void finish_queue(struct fathom_check *check, struct queue *queue)
{
	while (queue->head) {
		struct post *post = queue->head;

		queue->head = post->next;
		if (!post->pending && !post->cancelled)
			meet(check, post);
		free(post);
	}
}

void fathom_check_collectives_finish(struct fathom_check *check)
{
	struct fathom_check_collectives *part = check->collectives_part;
	const struct fathom_otf2_comm *comm;
	char name[300];
	uint32_t i;

	for (i = 0; i < fathom_otf2_count(&check->trace.defs, FATHOM_OTF2_LOCATION); i++)
		if (check->locations[i].collectives)
			fathom_check_fault_at(check, FATHOM_FAULT_BRACKET, i,
					      part->open[i] ? part->open[i]->part.time : UINT64_MAX,
					      "a collective begins that never ends");
	for (i = 0; i < part->process_count; i++)
		finish_queue(check, &part->queues[i]);
	for (i = 0; i < part->comm_count; i++) {
		comm = fathom_otf2_at(&check->trace.defs, FATHOM_OTF2_COMM, i);
		if (part->meetings[i])
			fathom_check_meetings_finish(check, part->meetings[i], comm, FATHOM_FAULT_MEMBERS,
						     fathom_otf2_name(&check->trace.defs, FATHOM_OTF2_COMM,
								      comm->id, name,
								      sizeof(name)));
		fathom_check_meetings_destroy(part->meetings[i]);
		finish_life(check, i);
	}
	fathom_table_fini(&part->lives);
	free(part->queues);
	free(part->open);
	free(part->meetings);
	free(part->created);
	free(part->destroyed);
	free(part);
	check->collectives_part = NULL;
}
