/*
 * How much smaller FATHOM_THREADS makes a profile: the figure of Lorenz, Shudler and Wolf, "Preventing the
 * explosion of exascale profile data with smart thread-level aggregation" (2015), section 5: 7 metrics, 100 call
 * paths of which 90 are parallel, 128 processes, 1 to 1024 threads each. The way from the values of the threads to
 * the file is fathom's own; only the values are made up, when they are asked for, so that 131072 threads fit into
 * this process. The metrics: visits, time, execution, comp, min_time, max_time, bytes_sent.
 *
 *	compression [MOST-THREADS]	writes and removes files of up to 0.75 GB in the working directory
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/simulated_comm.h"
#include "define/region.h"
#include "platform/log.h"
#include "profile/result/result_file.h"
#include "profile/process_tree/thread_aggregation.h"
#include "profile/unification/unification.h"

enum { PROCESSES = 128, PATHS = 100, PARALLEL = 90, MOST_THREADS = 1024 };

static const char path[] = "compression.cubex";
static const struct fathom_region *regions[PATHS];
static struct fathom_location no_events;		/* stands for every thread: nothing was recorded on it */

/* --- made-up processes ---------------------------------------------------------------------------- */

struct process {
	struct fathom_process_tree snapshot;
	uint32_t rank;
};

static uint64_t mixed(uint64_t number)
{
	number *= 0x9e3779b97f4a7c15u;
	number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9u;
	return number ^ number >> 31;
}

/* In place of what threads recorded: the same in every run. Time varies by 10 %, bytes at random. */
fathom_presence __wrap_fathom_process_tree_values(const struct fathom_process_tree *snapshot, uint32_t node,
						  uint64_t *values);
fathom_presence __wrap_fathom_process_tree_values(const struct fathom_process_tree *snapshot, uint32_t node,
						  uint64_t *values)
{
	const struct process *process = (const struct process *)snapshot;	/* its first member */
	uint32_t threads = snapshot->location_count, sent = FATHOM_VALUE_COUNTERS + FATHOM_COUNTER_BYTES_SENT;
	const uint32_t present[] = { FATHOM_VALUE_VISITS, FATHOM_VALUE_TIME, FATHOM_VALUE_MIN, FATHOM_VALUE_MAX, sent };
	fathom_presence bits = 0;

	memset(values, 0, (size_t)snapshot->value_count * threads * sizeof(*values));
	for (uint32_t t = 0; t < threads; t++) {
		uint64_t chance = mixed(((uint64_t)process->rank << 42) + ((uint64_t)node << 21) + t);
		uint64_t second = (uint64_t)1 << 32, time = second * 9 / 10 + chance % (second / 5);

		values[FATHOM_VALUE_MIN * threads + t] = UINT64_MAX;
		if (t && node < PATHS - PARALLEL)
			continue;
		values[FATHOM_VALUE_VISITS * threads + t] = 1000;
		values[FATHOM_VALUE_TIME * threads + t] = time;
		values[FATHOM_VALUE_MIN * threads + t] = time / 2000;
		values[FATHOM_VALUE_MAX * threads + t] = time / 500;
		values[sent * threads + t] = 1000000 + mixed(chance) % 1000000;
	}
	for (size_t i = 0; i < sizeof(present) / sizeof(*present); i++)
		bits |= (uint64_t)1 << present[i];
	return bits;
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

static void define_regions(void)
{
	for (uint32_t i = 0; i < PATHS; i++) {
		char name[32];
		struct fathom_region region = {
			.name = name, .file = "compression.c", .begin_line = i + 1,
			.paradigm = FATHOM_PARADIGM_COMPILER, .role = FATHOM_ROLE_FUNCTION,
		};

		snprintf(name, sizeof(name), "function_%u", i);
		regions[i] = fathom_region_define(&region);
	}
}

/* The serial call paths first, then the parallel ones, each three below one. */
static struct process *make_process(uint32_t rank, uint32_t threads)
{
	struct process *process = calloc(1, sizeof(*process));

	process->rank = rank;
	process->snapshot.location_count = threads;
	process->snapshot.value_count = FATHOM_VALUE_COUNT;
	process->snapshot.locations = fathom_arena_alloc(&process->snapshot.arena,
							 threads * sizeof(*process->snapshot.locations));
	if (!process->snapshot.locations)
		abort();
	for (uint32_t t = 0; t < threads; t++)
		process->snapshot.locations[t] = &no_events;
	if (fathom_tree_init(&process->snapshot.tree, &process->snapshot.arena, regions[0]->id))
		abort();
	for (uint32_t i = 1; i < PATHS; i++)
		if (fathom_tree_child(&process->snapshot.tree, i / 3, regions[i]->id) != i)
			abort();
	return process;
}

/* --- files ---------------------------------------------------------------------------------------- */

static int finish_rank(struct fathom_comm *comm, void *argument)
{
	struct process *process = argument;
	struct fathom_result result = {
		.path = path, .program = "compression", .arguments = "compression", .host = "host",
		.begin_text = "2026-11-20T14:32:07Z", .rank = comm->rank, .world_size = comm->size, .parallel = true,
		.may_allocate = 1,
	};
	struct fathom_union u;
	int err = fathom_union_reduce(&u, comm, &process->snapshot, &(struct fathom_usage){ 0 });

	if (!err)
		err = fathom_result_write(&u, &process->snapshot, comm, &result);
	fathom_union_fini(&u);
	return err;
}

/* Bytes of the profile of so many threads a process, put together in one way. */
static double file_bytes(uint32_t threads, enum fathom_threads how)
{
	void *processes[PROCESSES];
	int results[PROCESSES];
	struct stat status;

	fathom_aggregate_choose(how);
	for (uint32_t r = 0; r < PROCESSES; r++)
		processes[r] = make_process(r, threads);
	simulated_run(PROCESSES, finish_rank, processes, results);
	for (uint32_t r = 0; r < PROCESSES; r++) {
		struct process *process = processes[r];

		if (results[r]) {
			fprintf(stderr, "compression: rank %u: %s\n", r, strerror(-results[r]));
			exit(1);
		}
		fathom_arena_fini(&process->snapshot.arena);
		free(process);
	}
	if (stat(path, &status)) {
		perror(path);
		exit(1);
	}
	unlink(path);
	return (double)status.st_size;
}

static const struct {
	enum fathom_threads how;
	const char *name;
	double claimed;		/* the paper's: so many times less than the number of threads */
} ways[] = {
	{ FATHOM_THREADS_SUM, "sum", 1.35 },
	{ FATHOM_THREADS_SET, "set", 4.2 },
	{ FATHOM_THREADS_KEY, "key", 4.6 },
	{ FATHOM_THREADS_CALLTREE, "calltree", 2.3 },
};
enum { WAYS = sizeof(ways) / sizeof(*ways) };

int main(int argc, char **argv)
{
	long most = argc > 1 ? strtol(argv[1], NULL, 10) : MOST_THREADS;
	double divisor[WAYS] = { 0 };

	if (argc > 2 || most < 1 || most > MOST_THREADS) {
		fprintf(stderr, "usage: compression [MOST-THREADS, 1 to %d]\n", MOST_THREADS);
		return 2;
	}
	unlink(path);
	fathom_log_set_level(FATHOM_LOG_ERROR);
	define_regions();
	printf("%d processes, %d call paths (%d parallel), 7 metrics: file size, and how much smaller it gets\n\n%8s %10s",
	       PROCESSES, PATHS, PARALLEL, "threads", "all");
	for (int w = 0; w < WAYS; w++)
		printf("  %10s %7s", ways[w].name, "ratio");
	printf("\n");
	for (uint32_t threads = 1; threads <= (uint32_t)most; threads *= 2) {
		double all = file_bytes(threads, FATHOM_THREADS_ALL);

		printf("%8u %7.2f MB", threads, all / 1e6);
		for (int w = 0; w < WAYS; w++) {
			double bytes = file_bytes(threads, ways[w].how);

			divisor[w] = threads * bytes / all;
			printf("  %7.2f MB %7.1f", bytes / 1e6, all / bytes);
		}
		printf("\n");
		fflush(stdout);
	}
	printf("\nWith N threads the ratio is N divided by (the smaller the better)\n%20s", "here");
	for (int w = 0; w < WAYS; w++)
		printf("  %10s %7.2f", "", divisor[w]);
	printf("\n%20s", "the paper");
	for (int w = 0; w < WAYS; w++)
		printf("  %10s %7.2f", "", ways[w].claimed);
	printf("\n\nset: statistics take 36 bytes in place of 8, by themselves N / 4.5; the minimum and maximum of\n"
	       "a visit stay single numbers. Values are not compressed.\n");
	return 0;
}
