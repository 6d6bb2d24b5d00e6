/*
 * What writing a profile takes, by the number of ranks: the whole way from the snapshots of simulated ranks to the
 * file. Only the values are made up.
 *
 *	profile_scale RANKS [THREADS [OTHER]]	writes profile_scale.cubex into the working directory
 *
 * All ranks have the same call paths; OTHER of them, spread evenly, have one more, each a different one. Last line:
 *
 *	ranks=N locations=L memory=B memory0=B sent=B sent0=B messages=M seconds=S
 *
 * memory: the most that any rank but 0 had of arenas at a time; memory0: rank 0. sent: bytes sent in messages by a rank,
 * the average without rank 0; sent0: by rank 0.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "define/region.h"
#include "platform/arena.h"
#include "platform/log.h"
#include "profile/result/result_file.h"
#include "profile/unification/unification.h"
#include "support/fibers.h"

enum { PATHS = 24 };

static const char path[] = "profile_scale.cubex";
static const struct fathom_region *regions[PATHS + 1];
static struct fathom_location no_events;		/* stands for every thread: nothing was recorded on it */
static uint32_t threads, others;

/* --- what a rank uses ----------------------------------------------------------------------------- */

struct use {
	size_t memory, most;
	uint64_t sent;
};

static struct use before_main, *uses = &before_main;
static int current;		/* the rank that runs */

extern void *__real_fathom_arena_alloc(struct fathom_arena *arena, size_t bytes);
void *__wrap_fathom_arena_alloc(struct fathom_arena *arena, size_t bytes);
void *__wrap_fathom_arena_alloc(struct fathom_arena *arena, size_t bytes)
{
	size_t before = arena->mapped_bytes;
	void *memory = __real_fathom_arena_alloc(arena, bytes);
	struct use *use = &uses[current];

	use->memory += arena->mapped_bytes - before;
	if (use->memory > use->most)
		use->most = use->memory;
	return memory;
}

extern void __real_fathom_arena_fini(struct fathom_arena *arena);
void __wrap_fathom_arena_fini(struct fathom_arena *arena);
void __wrap_fathom_arena_fini(struct fathom_arena *arena)
{
	uses[current].memory -= arena->mapped_bytes;
	__real_fathom_arena_fini(arena);
}

/* --- a communicator that knows who runs ----------------------------------------------------------- */

struct watched {
	struct fathom_comm comm;
	struct fathom_comm *real;
};

static struct fathom_comm *real_of(struct fathom_comm *comm)
{
	return ((struct watched *)comm)->real;
}

static int watched_send(struct fathom_comm *comm, int to, const void *data, size_t bytes)
{
	int err;

	uses[comm->rank].sent += bytes;
	err = real_of(comm)->send(real_of(comm), to, data, bytes);
	current = comm->rank;
	return err;
}

static int watched_receive(struct fathom_comm *comm, int from, void *data, size_t bytes)
{
	int err = real_of(comm)->receive(real_of(comm), from, data, bytes);

	current = comm->rank;
	return err;
}

static int watched_broadcast(struct fathom_comm *comm, int root, void *data, size_t bytes)
{
	int err = real_of(comm)->broadcast(real_of(comm), root, data, bytes);

	current = comm->rank;
	return err;
}

static int watched_exchange(struct fathom_comm *comm, const struct fathom_comm_message *out,
			    const struct fathom_comm_message *in, int count)
{
	int err;

	for (int i = 0; i < count; i++)
		if (out[i].rank >= 0)
			uses[comm->rank].sent += out[i].bytes;
	err = real_of(comm)->exchange(real_of(comm), out, in, count);
	current = comm->rank;
	return err;
}

/* --- made-up processes ---------------------------------------------------------------------------- */

struct process {
	struct fathom_process_tree snapshot;
	int rank;
};

/* In place of what threads recorded: the same in every run. */
fathom_presence __wrap_fathom_process_tree_values(const struct fathom_process_tree *snapshot, uint32_t node,
						  uint64_t *values);
fathom_presence __wrap_fathom_process_tree_values(const struct fathom_process_tree *snapshot, uint32_t node,
						  uint64_t *values)
{
	const struct process *process = (const struct process *)snapshot;	/* its first member */
	uint64_t second = (uint64_t)1 << 32;

	memset(values, 0, (size_t)snapshot->value_count * threads * sizeof(*values));
	for (uint32_t t = 0; t < threads; t++) {
		uint64_t time = second + (uint64_t)process->rank * 1000 + t * 100 + node;

		values[FATHOM_VALUE_VISITS * threads + t] = 1 + (uint64_t)process->rank % 7;
		values[FATHOM_VALUE_TIME * threads + t] = time;
		values[FATHOM_VALUE_MIN * threads + t] = time / (1 + (uint64_t)process->rank % 7);
		values[FATHOM_VALUE_MAX * threads + t] = time;
	}
	return (uint64_t)1 << FATHOM_VALUE_VISITS | (uint64_t)1 << FATHOM_VALUE_TIME |
	       (uint64_t)1 << FATHOM_VALUE_MIN | (uint64_t)1 << FATHOM_VALUE_MAX;
}

const char *__wrap_fathom_process_tree_location_name(const struct fathom_process_tree *snapshot, uint32_t location,
						     char *text, size_t bytes);
const char *__wrap_fathom_process_tree_location_name(const struct fathom_process_tree *snapshot, uint32_t location,
						     char *text, size_t bytes)
{
	(void)snapshot;
	snprintf(text, bytes, location ? "OMP thread %u" : "Master thread", location);
	return text;
}

static const struct fathom_region *define_region(uint32_t number)
{
	char name[32];
	struct fathom_region region = {
		.name = name, .file = "profile_scale.c", .begin_line = number + 1,
		.paradigm = FATHOM_PARADIGM_COMPILER, .role = FATHOM_ROLE_FUNCTION,
	};

	snprintf(name, sizeof(name), "function_%u", number);
	return fathom_region_define(&region);
}

static void make_tree(struct fathom_process_tree *snapshot, const struct fathom_region *other)
{
	snapshot->location_count = threads;
	snapshot->value_count = FATHOM_VALUE_COUNT;
	snapshot->locations = fathom_arena_alloc(&snapshot->arena, threads * sizeof(*snapshot->locations));
	if (!snapshot->locations)
		abort();
	for (uint32_t t = 0; t < threads; t++)
		snapshot->locations[t] = &no_events;
	if (fathom_tree_init(&snapshot->tree, &snapshot->arena, regions[0]->id))
		abort();
	for (uint32_t i = 1; i < PATHS; i++)
		if (fathom_tree_child(&snapshot->tree, i / 3, regions[i]->id) != i)
			abort();
	if (other && !fathom_tree_child(&snapshot->tree, PATHS / 2, other->id))
		abort();
}

static void finish_rank(struct fathom_comm *real, void *context)
{
	const struct process *common = context;
	struct watched watched = { .comm = *real, .real = real };
	struct process process = *common;
	char host[32];
	struct fathom_result result = {
		.path = path, .program = "profile_scale", .arguments = "profile_scale", .host = host,
		.begin_text = "2026-11-20T14:32:07Z", .rank = real->rank, .world_size = real->size, .parallel = true,
		.may_allocate = 1,
	};
	bool is_other = others && (uint32_t)real->rank % ((uint32_t)real->size / others) == 1;
	struct fathom_union u;
	int err;

	current = real->rank;
	watched.comm.send = watched_send;
	watched.comm.receive = watched_receive;
	watched.comm.broadcast = watched_broadcast;
	watched.comm.exchange = watched_exchange;
	watched.comm.file_open = fathom_comm_plain_open;
	watched.comm.file_write = fathom_comm_plain_write;
	watched.comm.file_close = fathom_comm_plain_close;
	snprintf(host, sizeof(host), "n%d", real->rank / 64);
	process.rank = real->rank;
	if (is_other) {
		memset(&process.snapshot.arena, 0, sizeof(process.snapshot.arena));
		make_tree(&process.snapshot, define_region(1000 + (uint32_t)real->rank));
	}
	err = fathom_union_reduce(&u, &watched.comm, &process.snapshot, &(struct fathom_usage){ 0 });
	if (!err)
		err = fathom_result_write(&u, &process.snapshot, &watched.comm, &result);
	fathom_union_fini(&u);
	if (is_other)
		fathom_arena_fini(&process.snapshot.arena);
	if (err) {
		fprintf(stderr, "profile_scale: rank %d: %s\n", real->rank, strerror(-err));
		exit(1);
	}
}

/* --- the whole ------------------------------------------------------------------------------------- */

static uint32_t number(const char *text, uint32_t least, uint32_t most)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*end || end == text || value < least || value > most) {
		fprintf(stderr, "profile_scale: %s is no number from %u to %u\n", text, least, most);
		exit(2);
	}
	return (uint32_t)value;
}

int main(int argc, char **argv)
{
	uint32_t ranks = number(argc > 1 ? argv[1] : "1024", 1, 4000000);
	struct process common = { .rank = 0 };
	struct fiber_statistics statistics;
	struct timespec begin, end;
	uint64_t sent = 0;
	size_t most = 0;

	threads = number(argc > 2 ? argv[2] : "1", 1, 1024);
	others = number(argc > 3 ? argv[3] : "0", 0, ranks / 2);
	uses = calloc(ranks, sizeof(*uses));
	unlink(path);
	fathom_log_set_level(FATHOM_LOG_ERROR);
	for (uint32_t i = 0; i < PATHS; i++)
		regions[i] = define_region(i);
	make_tree(&common.snapshot, NULL);
	uses[0] = (struct use){ 0 };
	clock_gettime(CLOCK_MONOTONIC, &begin);
	statistics = fibers_run((int)ranks, finish_rank, &common);
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (statistics.stuck || statistics.mismatches || statistics.left) {
		fprintf(stderr, "profile_scale: ranks wait for each other\n");
		return 1;
	}
	for (uint32_t r = 1; r < ranks; r++) {
		sent += uses[r].sent;
		most = uses[r].most > most ? uses[r].most : most;
	}
	printf("ranks=%u locations=%lu memory=%zu memory0=%zu sent=%lu sent0=%lu messages=%lu seconds=%.2f\n", ranks,
	       (unsigned long)ranks * threads, most, uses[0].most, (unsigned long)(ranks > 1 ? sent / (ranks - 1) : 0),
	       (unsigned long)uses[0].sent, (unsigned long)statistics.messages,
	       (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9);
	return 0;
}
