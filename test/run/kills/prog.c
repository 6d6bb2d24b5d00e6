/*
 * prog MAP: works until it is killed, and counts in MAP, a file that survives it, what a snapshot of its profile must
 * have. prog truth MAP: prints what it had counted when it ended, what 2 s before that, and how long it had lived, in
 * seconds. prog pids MAP: prints the processes that count there.
 *
 * -DTHREADS=N: so many threads by pthread_create; -fopenmp: two threads in a team; -DWITH_MPI: a process for each rank.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#ifdef WITH_MPI
#include <mpi.h>
#endif

enum { STEP_MS = 10, MOST = 60000 / STEP_MS, RANKS = 8 };

struct truth {
	volatile uint64_t count;		/* of calls of step, all threads together */
	volatile uint64_t begin_ns, now_ns;
	volatile uint64_t until[MOST];		/* the count at the end of each stretch of time */
	volatile uint64_t pid;
};

static struct truth *truth;
static volatile unsigned sink;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

__attribute__((noinline)) static void step(void)
{
	uint64_t count = __atomic_add_fetch(&truth->count, 1, __ATOMIC_SEQ_CST), now = now_ns();
	uint64_t place = (now - truth->begin_ns) / (STEP_MS * 1000000);

	truth->now_ns = now;
	if (place < MOST)
		truth->until[place] = count;
	for (int i = 0; i < 100; i++)
		sink += (unsigned)i;
}

__attribute__((noinline)) static void rest(unsigned ms)
{
	uint64_t end = now_ns() + ms * 1000000u;

	while (now_ns() < end) {
		usleep(1000);
		truth->now_ns = now_ns();
	}
}

__attribute__((noinline)) static void work(unsigned seed)
{
	for (unsigned i = 0; i < 200 + seed % 300; i++)
		step();
	if (seed % 7 == 0)
		rest(seed % 400);
}

__attribute__((noinline)) static void *live(void *unused)
{
	for (unsigned seed = (unsigned)getpid();; seed = seed * 1103515245 + 12345)
		work(seed >> 8);
	return unused;
}

static struct truth *map(const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT, 0600);
	void *made;

	if (fd < 0 || ftruncate(fd, sizeof(*truth) * RANKS))
		exit(9);
	made = mmap(NULL, sizeof(*truth) * RANKS, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return made == MAP_FAILED ? NULL : made;
}

static void print_truth(void)
{
	uint64_t count = 0, before = 0, longest = 0;

	for (int rank = 0; rank < RANKS; rank++, truth++) {
		uint64_t life = truth->now_ns - truth->begin_ns, place = life / (STEP_MS * 1000000);

		count += truth->count;
		longest = life > longest ? life : longest;
		for (place -= place < 2000 / STEP_MS ? place : 2000 / STEP_MS; place && !truth->until[place]; place--)
			;
		before += life > UINT64_C(2000000000) ? truth->until[place] : 0;
	}
	printf("%llu %llu %.3f\n", (unsigned long long)count, (unsigned long long)before, (double)longest / 1e9);
}

int main(int argc, char **argv)
{
	int rank = 0;

	if (argc > 2 && !strcmp(argv[1], "truth")) {
		truth = map(argv[2]);
		print_truth();
		return 0;
	}
	if (argc > 2 && !strcmp(argv[1], "pids")) {
		truth = map(argv[2]);
		for (; rank < RANKS; rank++)
			if (truth[rank].pid)
				printf("%llu\n", (unsigned long long)truth[rank].pid);
		return 0;
	}
#ifdef WITH_MPI
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
#endif
	truth = map(argv[1]) + rank;
	truth->begin_ns = truth->now_ns = now_ns();
	truth->pid = (uint64_t)getpid();
#ifdef WITH_MPI
	MPI_Barrier(MPI_COMM_WORLD);
	if (argc > 2) {
		for (int i = 0; i < 1000; i++)
			work(1);
		if (rank == 0)
			MPI_Abort(MPI_COMM_WORLD, 3);
	}
#endif
#ifdef THREADS
	for (int i = 1; i < THREADS; i++) {
		pthread_t thread;

		if (pthread_create(&thread, NULL, live, NULL))
			return 8;
	}
#endif
#ifdef _OPENMP
#pragma omp parallel num_threads(2)
#endif
	live(NULL);
	return 0;
}
