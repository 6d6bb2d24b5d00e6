/*
 * waits_scale RANKS OPERATIONS [HOSTS [LEAST]]: the search for wait states in a ring of so many ranks with so many
 * operations each, on as many simulated hosts (as ranks, unless the number is given). Waiting below LEAST microseconds
 * has no causes searched. With TMPDIR, large states of the search go to files there.
 *
 * In each step a rank computes for a random time, sends to the next one and receives from the one before; each tenth
 * step ends with MPI_Allreduce. All hosts run in one thread, one after the other; the processor time is that of all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "define/collective.h"
#include "fibers.h"
#include "waits/search.h"

enum { SEND_PATH = 100, RECEIVE_PATH, REDUCE_PATH, WORK_PATHS = 20 };

static struct {
	uint32_t ranks, hosts;
	double least;
	struct fathom_waits_record **records;
	uint32_t *counts;
	uint64_t *now;
	struct fathom_waits_communicator *communicators;
	struct fathom_waits_location *locations;
	struct fathom_waits_process *processes;
	struct fathom_waits_summary summary;
	uint64_t results, errors;
} bench;

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

static struct fathom_waits_record *next_record(uint32_t rank)
{
	return &bench.records[rank][bench.counts[rank]++];
}

static void compute(uint32_t rank, uint32_t step)
{
	uint64_t chance = mix((uint64_t)rank << 32 | step);
	struct fathom_waits_record *record = next_record(rank);

	for (int e = 0; e < 2; e++) {
		record->entries[e].call_path = 1 + (chance >> (8 * e)) % WORK_PATHS;
		record->entries[e].ticks = 1 + (chance >> (16 + 8 * e)) % 100;
		bench.now[rank] += record->entries[e].ticks;
	}
	record->end_and_kind = fathom_waits_fill_of(FATHOM_WAITS_MAP, 2, 0);
}

static void operate(uint32_t rank, uint64_t path, uint64_t until, struct fathom_waits_part part)
{
	struct fathom_waits_record *record = next_record(rank);

	part.posted = bench.counts[rank] - 1;
	record->operation.call_path = path;
	record->operation.begin = bench.now[rank];
	record->operation.part = part;
	if (until > bench.now[rank])
		bench.now[rank] = until;
	bench.now[rank]++;
	record->end_and_kind = fathom_waits_end_of(bench.now[rank]);
}

static void make_logs(uint32_t operations)
{
	uint64_t *sent = calloc(bench.ranks, sizeof(*sent)), last;
	uint32_t done = 0;

	for (uint32_t step = 0; done < operations; step++) {
		for (uint32_t r = 0; r < bench.ranks; r++) {
			compute(r, step);
			sent[r] = bench.now[r];
			operate(r, SEND_PATH, 0, (struct fathom_waits_part){ .kind = FATHOM_WAITS_SEND,
				.peer = (r + 1) % bench.ranks });
		}
		last = 0;
		for (uint32_t r = 0; r < bench.ranks; r++) {
			uint32_t from = (r + bench.ranks - 1) % bench.ranks;

			operate(r, RECEIVE_PATH, sent[from], (struct fathom_waits_part){ .kind = FATHOM_WAITS_RECEIVE,
				.peer = from & 0xffffff });
			if (bench.now[r] > last)
				last = bench.now[r];
		}
		done += 2;
		if (step % 10 < 9)
			continue;
		for (uint32_t r = 0; r < bench.ranks; r++)
			operate(r, REDUCE_PATH, last, (struct fathom_waits_part){ .kind = FATHOM_WAITS_COLLECTIVE,
				.peer = FATHOM_WAITS_NO_PEER, .tag = FATHOM_COLLECTIVE_ALLREDUCE });
		done++;
	}
	free(sent);
}

static uint32_t host_of(void *context, uint32_t rank)
{
	(void)context;
	return (uint32_t)((uint64_t)rank * bench.hosts / bench.ranks);
}

static double seconds(void *context, const struct fathom_waits_process *process, uint64_t ticks)
{
	(void)context, (void)process;
	return (double)ticks * 1e-6;
}

static uint64_t digest(void *context, const struct fathom_waits_process *process,
		       const struct fathom_waits_location *location, uint64_t call_path)
{
	(void)context, (void)process, (void)location;
	return call_path;
}

static void add(void *context, const struct fathom_waits_process *process, const struct fathom_waits_location *location,
		uint64_t call_path, enum fathom_waits_pattern pattern, double value)
{
	(void)context, (void)process, (void)location, (void)call_path, (void)pattern, (void)value;
	bench.results++;
}

static void search(struct fathom_comm *comm, void *context)
{
	struct fathom_waits_input *input = malloc(sizeof(*input));
	struct fathom_waits_summary summary;
	uint32_t first = 0;

	(void)context;
	*input = (struct fathom_waits_input){ .world_size = bench.ranks, .host = host_of, .seconds = seconds,
					      .digest = digest, .add = add, .scratch = getenv("TMPDIR"),
					      .least_wait = bench.least };
	while ((int)host_of(NULL, first) < comm->rank)
		first++;
	while (first + input->process_count < bench.ranks &&
	       (int)host_of(NULL, first + input->process_count) == comm->rank)
		input->process_count++;
	input->processes = &bench.processes[first];
	bench.errors += fathom_waits_search(comm, input, &summary) != 0;
	if (comm->rank == 0)
		bench.summary = summary;
	free(input);
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	uint32_t operations = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
	uint32_t ranks = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 0;
	struct fiber_statistics statistics;
	struct rusage before, after;
	double begin;

	if (!ranks || !operations) {
		fprintf(stderr, "usage: waits_scale RANKS OPERATIONS [HOSTS [LEAST]]\n");
		return 2;
	}
	bench.ranks = ranks;
	bench.hosts = argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : ranks;
	bench.least = argc > 4 ? strtod(argv[4], NULL) * 1e-6 : 0;
	bench.records = calloc(ranks, sizeof(*bench.records));
	bench.counts = calloc(ranks, sizeof(*bench.counts));
	bench.now = calloc(ranks, sizeof(*bench.now));
	bench.communicators = calloc(ranks, sizeof(*bench.communicators));
	bench.locations = calloc(ranks, sizeof(*bench.locations));
	bench.processes = calloc(ranks, sizeof(*bench.processes));
	for (uint32_t r = 0; r < ranks; r++) {
		bench.records[r] = calloc((size_t)operations * 3 / 2 + 64, sizeof(**bench.records));
		bench.now[r] = 1000000;
	}
	make_logs(operations);
	for (uint32_t r = 0; r < ranks; r++) {
		bench.communicators[r] = (struct fathom_waits_communicator){ 77, ranks, r, NULL, 0, 1, false };
		bench.locations[r] = (struct fathom_waits_location){ .count = bench.counts[r], .begin = 1000000,
								     .records = bench.records[r] };
		bench.processes[r] = (struct fathom_waits_process){
			.rank = r,
			.location_count = 1,
			.locations = &bench.locations[r],
			.communicator_count = 1,
			.communicators = &bench.communicators[r],
		};
	}
	getrusage(RUSAGE_SELF, &before);
	begin = now();
	statistics = fibers_run((int)bench.hosts, search, NULL);
	begin = now() - begin;
	getrusage(RUSAGE_SELF, &after);
	printf("ranks %u, operations %llu, hosts %u: %.3f s of processor time, %.0f ns an operation, "
	       "%ld kB above the logs of %ld kB\n", ranks,
	       (unsigned long long)bench.summary.operations, bench.hosts, begin,
	       begin * 1e9 / (double)(bench.summary.operations ? bench.summary.operations : 1),
	       after.ru_maxrss - before.ru_maxrss, before.ru_maxrss);
	printf("messages of hosts %llu, bytes %llu, rounds %llu, waiting %.6f s, delays %.6f s, unexplained %.6f s\n",
	       (unsigned long long)statistics.messages, (unsigned long long)statistics.bytes,
	       (unsigned long long)statistics.rounds, bench.summary.waiting, bench.summary.delays, bench.summary.unexplained);
	if (bench.errors || statistics.stuck || statistics.left || statistics.mismatches || bench.summary.forced ||
	    bench.summary.unmatched_sends || bench.summary.incomplete_collectives || !bench.results) {
		fprintf(stderr, "waits_scale: %llu errors, %llu hosts stuck, %llu messages left, %llu forced\n",
			(unsigned long long)bench.errors, (unsigned long long)statistics.stuck,
			(unsigned long long)statistics.left, (unsigned long long)bench.summary.forced);
		return 1;
	}
	for (uint32_t r = 0; r < ranks; r++)
		free(bench.records[r]);
	free(bench.records);
	free(bench.counts);
	free(bench.now);
	free(bench.communicators);
	free(bench.locations);
	free(bench.processes);
	return 0;
}
