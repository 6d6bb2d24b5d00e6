#include "fibers.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define ONE_STACK 1
#else
#define ONE_STACK 0
#endif

enum { STACK_BYTES = 256 << 10, ANYBODY = -2 };

long fibers_failing_split;

struct group;

struct message {
	struct message *next;
	const struct group *group;
	int from;
	uint32_t bytes;
	uint64_t time;
	bool is_posted;
	char data[];
};

struct member {			/* of a group */
	struct fathom_comm comm;
	struct group *group;
	int rank;		/* in the world */
};

struct group {
	int size;
	int open;		/* members that have not closed it */
	int arrived;		/* at a split */
	struct member *members;
	struct request {
		int color, key, rank;
		struct fathom_comm **part;
		uint64_t *time;		/* when it is over */
		int *err;
	} *requests;		/* of the split under way */
	uint64_t time;		/* of the last who arrived there */
};

/* A rank of the world. */
struct fiber {
	struct message *first, *last;	/* received, not yet taken */
	void *saved;			/* its stack while it waits */
	uint32_t saved_bytes;
	int next;			/* in the list of those that may run */
	uint64_t time;			/* messages on the longest way to here */
	const struct group *waits_in;	/* for a message */
	int waits_for;			/* of this member; -1: for a split; ANYBODY: for a message that is posted */
	bool started, done;
};

static struct {
	struct group *world;
	struct fiber *fibers;
	fiber_rank *function;
	void *context;
	int running;			/* rank */
	int ready;			/* the first that may run; -1: none */
	long splits;
	struct fiber_statistics statistics;
#if ONE_STACK
	char *stack;
	void *here, *there;		/* stack pointers: the scheduler's, the fiber's */
#else
	ucontext_t scheduler;
#endif
} sim;

/* --- fibers ------------------------------------------------------------------------------------------ */

static void run_function(void)
{
	sim.function(&sim.world->members[sim.running].comm, sim.context);
	sim.fibers[sim.running].done = true;
}

#if ONE_STACK
/* Keep what a function must keep, go to another stack, and come back there where that was left. */
void fiber_switch(void **from, void *to);
__asm__(".text\n"
	".type fiber_switch, @function\n"
	"fiber_switch:\n"
	"	pushq %rbx\n"
	"	pushq %rbp\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	movq %rsp, (%rdi)\n"
	"	movq %rsi, %rsp\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbp\n"
	"	popq %rbx\n"
	"	ret\n"
	".size fiber_switch, . - fiber_switch\n");

static void fiber_main(void)
{
	run_function();
	fiber_switch(&sim.there, sim.here);
}

static void wait_here(void)
{
	fiber_switch(&sim.there, sim.here);
}

static void resume(struct fiber *fiber)
{
	char *top = sim.stack + STACK_BYTES;
	uint32_t bytes;

	if (!fiber->started) {
		void **frame = (void **)(void *)top - 8;	/* six registers, the entry, and nowhere to return to */

		memset(frame, 0, 8 * sizeof(*frame));
		frame[6] = (void *)fiber_main;
		sim.there = frame;
	} else {
		memcpy(top - fiber->saved_bytes, fiber->saved, fiber->saved_bytes);
		sim.there = top - fiber->saved_bytes;
	}
	fiber->started = true;
	fiber_switch(&sim.here, sim.there);
	bytes = (uint32_t)(top - (char *)sim.there);
	if (fiber->done || bytes != fiber->saved_bytes) {
		free(fiber->saved);
		fiber->saved = NULL;
		fiber->saved_bytes = 0;
	}
	if (fiber->done)
		return;
	if (bytes > sim.statistics.stack_bytes)
		sim.statistics.stack_bytes = bytes;
	if (!fiber->saved)
		fiber->saved = malloc(bytes);
	fiber->saved_bytes = bytes;
	memcpy(fiber->saved, sim.there, bytes);
}

static void prepare(void)
{
	sim.stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void clean_up(void)
{
	munmap(sim.stack, STACK_BYTES);
}
#else
struct own_stack {
	ucontext_t context;
	char stack[STACK_BYTES];
};

static void fiber_main(void)
{
	run_function();
	setcontext(&sim.scheduler);
}

static void wait_here(void)
{
	struct own_stack *own = sim.fibers[sim.running].saved;

	swapcontext(&own->context, &sim.scheduler);
}

static void resume(struct fiber *fiber)
{
	if (!fiber->started) {
		struct own_stack *own = malloc(sizeof(*own));

		fiber->saved = own;
		getcontext(&own->context);
		own->context.uc_stack.ss_sp = own->stack;
		own->context.uc_stack.ss_size = sizeof(own->stack);
		makecontext(&own->context, fiber_main, 0);
	}
	fiber->started = true;
	swapcontext(&sim.scheduler, &((struct own_stack *)fiber->saved)->context);
	if (!fiber->done)
		return;
	free(fiber->saved);
	fiber->saved = NULL;
}

static void prepare(void)
{
}

static void clean_up(void)
{
}
#endif

static void wake(int rank)
{
	sim.fibers[rank].waits_in = NULL;
	sim.fibers[rank].next = sim.ready;
	sim.ready = rank;
}

/* Those that can go on do so before others begin: what they have been sent is not kept for long. */
static void schedule(int size)
{
	int begun = 0;

	while (sim.ready >= 0 || begun < size) {
		sim.running = begun;
		if (sim.ready >= 0) {
			sim.running = sim.ready;
			sim.ready = sim.fibers[sim.running].next;
		} else {
			begun++;
		}
		resume(&sim.fibers[sim.running]);
	}
}

/* --- messages ------------------------------------------------------------------------------------------ */

static struct group *create_group(int size);

static struct member *member_of(struct fathom_comm *comm)
{
	return comm->context;
}

static bool is_wrong(const struct fathom_comm *comm, int rank)
{
	if (rank >= 0 && rank < comm->size && rank != comm->rank)
		return false;
	sim.statistics.mismatches++;
	return true;
}

static int deliver(struct fathom_comm *comm, int to, const void *data, size_t bytes, bool is_posted)
{
	const struct group *group = member_of(comm)->group;
	struct message *message;
	struct fiber *fiber;
	int rank;

	if (is_wrong(comm, to))
		return -EINVAL;
	message = malloc(sizeof(*message) + bytes);
	rank = group->members[to].rank;
	fiber = &sim.fibers[rank];
	*message = (struct message){ NULL, group, comm->rank, (uint32_t)bytes, sim.fibers[sim.running].time + 1,
				      is_posted };
	memcpy(message->data, data, bytes);
	if (fiber->first)
		fiber->last->next = message;
	else
		fiber->first = message;
	fiber->last = message;
	sim.statistics.messages++;
	sim.statistics.bytes += bytes;
	sim.statistics.left++;
	if (fiber->waits_in == group && fiber->waits_for == (is_posted ? ANYBODY : comm->rank))
		wake(rank);
	return 0;
}

static int send_to(struct fathom_comm *comm, int to, const void *data, size_t bytes)
{
	return deliver(comm, to, data, bytes, false);
}

static int post_to(struct fathom_comm *comm, int to, const void *data, size_t bytes)
{
	if (bytes > FATHOM_COMM_MOST_POSTED) {
		sim.statistics.mismatches++;
		return -EMSGSIZE;
	}
	return deliver(comm, to, data, bytes, true);
}

static struct message *take(struct fiber *fiber, const struct group *group, int from)
{
	struct message *before = NULL, *message = fiber->first;

	while (message && (message->group != group || message->is_posted != (from == ANYBODY) ||
			   (from != ANYBODY && message->from != from))) {
		before = message;
		message = message->next;
	}
	if (!message)
		return NULL;
	if (before)
		before->next = message->next;
	else
		fiber->first = message->next;
	if (fiber->last == message)
		fiber->last = before;
	return message;
}

/* The message has arrived at the rank: it is not before the time at which it was there. */
static void count_arrival(struct fiber *fiber, const struct message *message)
{
	if (message->time > fiber->time)
		fiber->time = message->time;
	if (fiber->time > sim.statistics.rounds)
		sim.statistics.rounds = fiber->time;
	sim.statistics.left--;
}

static int poll_any(struct fathom_comm *comm, int *from, void *data, size_t *bytes, bool wait)
{
	const struct group *group = member_of(comm)->group;
	struct fiber *fiber = &sim.fibers[member_of(comm)->rank];
	struct message *message = take(fiber, group, ANYBODY);

	*from = -1;
	if (!message && !wait)
		return 0;
	if (!message) {
		fiber->waits_in = group;
		fiber->waits_for = ANYBODY;
		wait_here();
		message = take(fiber, group, ANYBODY);
	}
	memcpy(data, message->data, message->bytes);
	*bytes = message->bytes;
	*from = message->from;
	count_arrival(fiber, message);
	free(message);
	return 0;
}

static int receive_from(struct fathom_comm *comm, int from, void *data, size_t bytes)
{
	const struct group *group = member_of(comm)->group;
	struct fiber *fiber = &sim.fibers[member_of(comm)->rank];
	struct message *message;
	int err = 0;

	if (is_wrong(comm, from))
		return -EINVAL;
	message = take(fiber, group, from);
	if (!message) {
		fiber->waits_in = group;
		fiber->waits_for = from;
		wait_here();
		message = take(fiber, group, from);
	}
	if (message->bytes != bytes) {
		sim.statistics.mismatches++;
		err = -EMSGSIZE;
	} else {
		memcpy(data, message->data, bytes);
	}
	count_arrival(fiber, message);
	free(message);
	return err;
}

static int exchange_with(struct fathom_comm *comm, const struct fathom_comm_message *out, const struct fathom_comm_message *in,
			 int count)
{
	int err = 0;

	for (int i = 0; i < count && !err; i++)
		if (out[i].rank >= 0)
			err = send_to(comm, out[i].rank, out[i].data, out[i].bytes);
	for (int i = 0; i < count && !err; i++)
		if (in[i].rank >= 0)
			err = receive_from(comm, in[i].rank, in[i].data, in[i].bytes);
	return err;
}

static int broadcast_from(struct fathom_comm *comm, int root, void *data, size_t bytes)
{
	int children[32], parent, size = comm->size;
	int count = fathom_comm_tree((comm->rank - root + size) % size, size, &parent, children);
	int err = 0;

	if (parent >= 0)
		err = receive_from(comm, (parent + root) % size, data, bytes);
	for (int i = count - 1; i >= 0 && !err; i--)
		err = send_to(comm, (children[i] + root) % size, data, bytes);
	return err;
}

/* --- split ---------------------------------------------------------------------------------------------- */

static int by_color(const void *a, const void *b)
{
	const struct request *x = a, *y = b;

	if (x->color != y->color)
		return x->color < y->color ? -1 : 1;
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void make_parts(struct group *group)
{
	int size, levels = 0;
	bool fails = ++sim.splits == fibers_failing_split;

	while (1 << levels < group->size)
		levels++;
	for (int i = 0; i < group->size; i++) {
		*group->requests[i].time = group->time + 2 * (uint64_t)levels;
		*group->requests[i].err = fails ? -ENOMEM : 0;
	}
	group->time = 0;
	if (fails)
		return;
	qsort(group->requests, (size_t)group->size, sizeof(*group->requests), by_color);
	for (int first = 0; first < group->size; first += size) {
		struct group *part;

		for (size = 1; first + size < group->size; size++)
			if (group->requests[first + size].color != group->requests[first].color)
				break;
		part = create_group(size);
		for (int i = 0; i < size; i++) {
			part->members[i].rank = group->members[group->requests[first + i].rank].rank;
			*group->requests[first + i].part = &part->members[i].comm;
		}
	}
	sim.statistics.messages += 2 * ((uint64_t)group->size - 1);
}

/* What a split gave, while its caller's stack is away. */
struct split_wait {
	struct fathom_comm *part;
	uint64_t time;
	int err;
};

static int split(struct fathom_comm *comm, int color, int key, struct fathom_comm **part)
{
	struct group *group = member_of(comm)->group;
	struct fiber *fiber = &sim.fibers[member_of(comm)->rank];
	struct split_wait *result = malloc(sizeof(*result));
	int err;

	if (!group->requests)
		group->requests = malloc((size_t)group->size * sizeof(*group->requests));
	if (fiber->time > group->time)
		group->time = fiber->time;
	group->requests[group->arrived] = (struct request){ color, key, comm->rank, &result->part,
							    &result->time, &result->err };
	if (++group->arrived == group->size) {
		make_parts(group);
		for (int i = 0; i < group->size; i++)
			if (i != comm->rank)
				wake(group->members[i].rank);
		free(group->requests);
		group->requests = NULL;
		group->arrived = 0;
	} else {
		fiber->waits_in = group;
		fiber->waits_for = -1;
		wait_here();
	}
	fiber->time = result->time;
	if (fiber->time > sim.statistics.rounds)
		sim.statistics.rounds = fiber->time;
	*part = result->part;
	err = result->err;
	free(result);
	return err;
}

static void close_part(struct fathom_comm *comm)
{
	struct group *group = member_of(comm)->group;

	if (--group->open)
		return;
	free(group->members);
	free(group);
}

static struct group *create_group(int size)
{
	struct group *group = calloc(1, sizeof(*group));

	group->size = size;
	group->open = size;
	group->members = malloc((size_t)size * sizeof(*group->members));
	for (int i = 0; i < size; i++) {
		struct member *member = &group->members[i];

		member->group = group;
		member->rank = i;
		member->comm = (struct fathom_comm){
			.rank = i,
			.size = size,
			.send = send_to,
			.receive = receive_from,
			.exchange = exchange_with,
			.broadcast = broadcast_from,
			.post = post_to,
			.poll = poll_any,
			.split = split,
			.close = close_part,
			.file_open = fathom_comm_plain_open,
			.file_write = fathom_comm_plain_write,
			.file_close = fathom_comm_plain_close,
			.context = member,
		};
	}
	return group;
}

struct fiber_statistics fibers_run(int size, fiber_rank *function, void *context)
{
	memset(&sim, 0, sizeof(sim));
	sim.function = function;
	sim.context = context;
	sim.ready = -1;
	sim.world = create_group(size);
	sim.fibers = calloc((size_t)size, sizeof(*sim.fibers));
	prepare();
	schedule(size);
	for (int rank = 0; rank < size; rank++) {
		sim.statistics.stuck += !sim.fibers[rank].done;
		free(sim.fibers[rank].saved);
		while (sim.fibers[rank].first) {
			struct message *message = sim.fibers[rank].first;

			sim.fibers[rank].first = message->next;
			free(message);
		}
	}
	clean_up();
	free(sim.fibers);
	free(sim.world->members);
	free(sim.world);
	return sim.statistics;
}
