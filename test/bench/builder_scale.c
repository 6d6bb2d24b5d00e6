/*
 * builder_scale RANKS [KIND [SPLIT]]: the system tree of so many simulated ranks, built by the real builder.
 *
 * KIND: homogeneous (racks of 2 midplanes of 16 boards of 32 nodes of 64 ranks; fewer where that comes out even), cyclic
 * the nodes), two (every other node has other processes), kinds:K (K kinds of nodes), random (ranks anywhere, with
 * any number of threads), adversarial (hashes of names have two bits). SPLIT: chain or comm.
 *
 * bytes_per_rank is the most that the builder holds at a time on any rank; messages and rounds are of all ranks, and of
 * the longest way that one waited for another. What all ranks are told is checked.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fibers.h"
#include "system/builder.h"

static struct {
	uint32_t size, nodes, kinds;
	uint32_t node_ranks, board_nodes, midplane_boards, rack_midplanes;
	bool is_cyclic, is_random;
	uint32_t hash_bits;
	uint64_t split;
	size_t peak;			/* of all ranks */
	uint64_t sum;			/* of their peaks */
	uint64_t failed;
	uint32_t *process_of;		/* by rank */
	uint64_t *location_of;
	struct fathom_system root;
} bench;

struct memory {
	size_t held, peak;
};

static void *resize(void *context, void *block, size_t old_bytes, size_t bytes)
{
	struct memory *memory = context;

	memory->held += bytes - old_bytes;
	if (memory->held > memory->peak)
		memory->peak = memory->held;
	if (bytes)
		return realloc(block, bytes);
	free(block);
	return NULL;
}

static uint32_t mix(uint32_t x)
{
	x = (x ^ x >> 16) * 0x7feb352d;
	x = (x ^ x >> 15) * 0x846ca68b;
	return x ^ x >> 16;
}

static uint32_t node_of(uint32_t rank)
{
	if (bench.is_random)
		return mix(rank) % bench.nodes;
	return bench.is_cyclic ? rank % bench.nodes : rank / bench.node_ranks;
}

static uint32_t threads_of(uint32_t rank)
{
	if (bench.is_random)
		return 1 + mix(rank * 3 + 1) % 4;
	return 1 + node_of(rank) % bench.board_nodes % bench.kinds;
}

/* Its bytes are given back. */
static char *make_place(struct fathom_system_path *place, uint32_t rank)
{
	static char text[FATHOM_PATH_BYTES];	/* one fiber at a time */
	uint32_t node = node_of(rank), board = node / bench.board_nodes, midplane = board / bench.midplane_boards;
	uint32_t rack = midplane / bench.rack_midplanes;
	int bytes = snprintf(text, sizeof(text), "machine%cJ%crack%cr%u%cmidplane%c%u%cboard%c%u%cnode%cn%u", 0, 0, 0,
			     rack, 0, 0, midplane % bench.rack_midplanes, 0, 0, board % bench.midplane_boards, 0, 0,
			     node % bench.board_nodes) + 1;
	char *copy = malloc((size_t)bytes);

	memcpy(copy, text, (size_t)bytes);
	*place = (struct fathom_system_path){ copy, (uint32_t)bytes, 5 };
	return copy;
}

static int build(struct fathom_system *system, struct memory *memory, struct fathom_comm *comm)
{
	static const struct fathom_location_label threads[] = {
		{ "Master thread", NULL }, { "OMP thread 1", NULL }, { "OMP thread 2", NULL }, { "OMP thread 3", NULL },
		{ "OMP thread 4", NULL }, { "OMP thread 5", NULL }, { "OMP thread 6", NULL }, { "OMP thread 7", NULL },
		{ "OMP thread 8", NULL }, { "OMP thread 9", NULL }, { "OMP thread 10", NULL }, { "OMP thread 11", NULL },
		{ "OMP thread 12", NULL }, { "OMP thread 13", NULL }, { "OMP thread 14", NULL }, { "OMP thread 15", NULL },
	};
	const struct fathom_system_options options = {
		.split = bench.split,
		.resize = resize,
		.resize_context = memory,
		.hash_bits = bench.hash_bits,
	};
	struct fathom_system_path place;
	char *text = make_place(&place, (uint32_t)comm->rank);
	int err = fathom_system_build(system, &place, threads, threads_of((uint32_t)comm->rank), comm, &options);

	free(text);
	return err;
}

static void rank_main(struct fathom_comm *comm, void *context)
{
	struct memory *memory = calloc(1, sizeof(*memory));
	struct fathom_system system;

	(void)context;
	if (build(&system, memory, comm)) {
		bench.failed++;
		return;
	}
	bench.process_of[comm->rank] = (uint32_t)system.before.processes;
	bench.location_of[comm->rank] = system.before.locations;
	if (memory->peak > bench.peak)
		bench.peak = memory->peak;
	bench.sum += memory->peak;
	if (comm->rank == 0)
		bench.root = system;
	else
		fathom_system_fini(&system);
	/* Rank 0's stays for its block, until the end of the program. */
	if (comm->rank)
		free(memory);
}

/* Each process of the sequence is one rank, with its threads, at its index. */
static void check(void)
{
	uint32_t *rank_of = malloc(bench.size * sizeof(*rank_of));
	uint32_t threads = 0, rank = 0;
	struct fathom_walk walk;

	memset(rank_of, -1, bench.size * sizeof(*rank_of));
	for (uint32_t r = 0; r < bench.size; r++)
		if (bench.process_of[r] >= bench.size || rank_of[bench.process_of[r]] != UINT32_MAX)
			bench.failed++;
		else
			rank_of[bench.process_of[r]] = r;
	fathom_walk_begin(&walk, &bench.root.sequence);
	while (!bench.failed && fathom_walk_next(&walk)) {
		if (walk.record->kind == FATHOM_ELEMENT_LOCATION) {
			threads++;
			continue;
		}
		if (walk.record->kind != FATHOM_ELEMENT_PROCESS)
			continue;
		if (walk.before.processes && threads != threads_of(rank))
			bench.failed++;
		rank = rank_of[walk.before.processes];
		threads = 0;
		bench.failed += bench.location_of[rank] != walk.before.locations;
	}
	bench.failed += walk.before.processes != bench.size;
	free(rank_of);
}

/* The largest number up to most that divides *count, which it does. */
static uint32_t take(uint32_t *count, uint32_t most)
{
	while (*count % most)
		most--;
	*count /= most;
	return most;
}

/* As near to that machine as a regular one of so many ranks can be. */
static void shape(void)
{
	uint32_t count = bench.size;

	bench.node_ranks = take(&count, 64);
	bench.nodes = count;
	bench.board_nodes = take(&count, 32);
	bench.midplane_boards = take(&count, 16);
	bench.rack_midplanes = take(&count, 2);
}

static void choose(const char *kind)
{
	bench.kinds = 1;
	if (!strcmp(kind, "cyclic")) {
		bench.is_cyclic = true;
	} else if (!strcmp(kind, "two")) {
		bench.kinds = 2;
	} else if (!strncmp(kind, "kinds:", 6) && atoi(kind + 6) > 0 && atoi(kind + 6) <= 16) {
		bench.kinds = (uint32_t)atoi(kind + 6);
	} else if (!strcmp(kind, "random")) {
		bench.is_random = true;
	} else if (!strcmp(kind, "adversarial")) {
		bench.hash_bits = 2;
	} else if (strcmp(kind, "homogeneous")) {
		fprintf(stderr, "builder_scale: %s is no kind: homogeneous, cyclic, two, kinds:1 to kinds:16, random, "
			"adversarial\n", kind);
		exit(2);
	}
}

static void say(const char *text)
{
	printf("  %s\n", text);
}

static void print_line(void *context, const char *text)
{
	(void)context;
	say(text);
}

int main(int argc, char **argv)
{
	const char *kind = argc > 2 ? argv[2] : "homogeneous";
	struct fiber_statistics statistics;
	struct timespec begin, end;
	long size = argc > 1 ? strtol(argv[1], NULL, 10) : 0;

	if (size < 1 || size > 8000000 || argc > 4 || (argc == 4 && strcmp(argv[3], "chain") && strcmp(argv[3], "comm"))) {
		fprintf(stderr, "usage: builder_scale RANKS [KIND [chain|comm]]; RANKS from 1 to 8000000\n");
		return 2;
	}
	choose(kind);
	bench.size = (uint32_t)size;
	shape();
	bench.split = argc == 4 && !strcmp(argv[3], "comm") ? FATHOM_SPLIT_COMM : FATHOM_SPLIT_CHAIN;
	bench.process_of = calloc(bench.size, sizeof(*bench.process_of));
	bench.location_of = calloc(bench.size, sizeof(*bench.location_of));
	clock_gettime(CLOCK_MONOTONIC, &begin);
	statistics = fibers_run((int)size, rank_main, NULL);
	clock_gettime(CLOCK_MONOTONIC, &end);
	bench.failed += statistics.stuck + statistics.mismatches + statistics.left;
	if (!bench.failed)
		check();
	if (bench.failed) {
		fprintf(stderr, "builder_scale: %llu faults, %llu ranks wait\n", (unsigned long long)bench.failed,
			(unsigned long long)statistics.stuck);
		return 1;
	}
	if (bench.root.sequence.count <= 20)
		fathom_sequence_print(&bench.root.sequence, print_line, NULL);
	printf("records=%u elements=%llu mean_bytes_per_rank=%.1f message_bytes=%llu stack_bytes=%llu\n",
	       bench.root.sequence.count,
	       (unsigned long long)(bench.root.total.nodes + bench.root.total.processes + bench.root.total.locations),
	       (double)bench.sum / (double)size, (unsigned long long)statistics.bytes,
	       (unsigned long long)statistics.stack_bytes);
	printf("ranks=%ld kind=%s bytes_per_rank=%zu messages=%llu rounds=%llu seconds=%.2f\n", size, kind, bench.peak,
	       (unsigned long long)statistics.messages, (unsigned long long)statistics.rounds,
	       (double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) * 1e-9);
	return 0;
}
