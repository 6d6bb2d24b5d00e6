/* Threads call functions while these are switched off and their sleds taken out: such as return in several places, jump
 * to others, call themselves, throw, and have a part elsewhere. The first argument is how many calls, in thousands. */
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <thread>
#include <vector>

#define NOINLINE __attribute__((noinline))

static thread_local volatile long sink;
static volatile int one = 1;
static thread_local void *volatile nobody;

NOINLINE static long leaf(long n) { return n + one; }
NOINLINE static long many_ways(long n)
{
	switch (n % 7) {
	case 0: sink = n; return 1;
	case 1: return leaf(n);
	case 2: return leaf(n) + 2;
	case 3: sink = n + 1; return n * one;
	default: return n;
	}
}
static long (*volatile target)(long) = many_ways;
NOINLINE static long jumps(long n) { sink = n; return target(n + 1); }
NOINLINE static long deep(long n) { long r = n > 0 ? deep(n - 1) : 0; sink = r; return r + 1; }
NOINLINE static double floating(double a, double b, double c) { return a * b + c * one; }
NOINLINE static long seldom(long n)
{
	if (__builtin_expect(n % 5000 == 4999, 0)) {
		void *room = std::malloc((size_t)n + 1);
		nobody = room;
		std::free(room);
		return n + leaf(n);
	}
	return n * one;
}
NOINLINE static long throws(long n)
{
	if (n % 1000 == 0)
		throw n;
	return n + one;
}
NOINLINE static long catches(long n)
{
	try {
		return throws(n) + 1;
	} catch (long) {
		return 7;
	}
}
NOINLINE static void work() { for (int i = 0; i < 100000; i++) sink = sink + i; }
NOINLINE static void leads_to_work() { work(); sink = 0; }

struct job { long calls; unsigned long sum; };

NOINLINE static void run(job *of)
{
	double d = 0;

	for (long i = 0; i < of->calls; i++) {
		of->sum += (unsigned long)(jumps(i) + deep(i % 5) + seldom(i) + catches(i + 1));
		d = floating(d, .5, (double)(i % 3));
		if (i % 20000 == 0)
			leads_to_work();
	}
	of->sum += (unsigned long)(d * 1000);
}

/* A thread that is ended inside of functions with sleds. */
NOINLINE static void waits() { pthread_testcancel(); sink = 1; }
static void *endless(void *) { for (;;) waits(); return nullptr; }

int main(int argc, char **argv)
{
	long calls = (argc > 1 ? std::atol(argv[1]) : 100) * 1000;
	std::vector<job> jobs(4, job{ calls, 0 });
	std::vector<std::thread> threads;
	unsigned long sum = 0;
	pthread_t cancelled;
	void *result;

	pthread_create(&cancelled, nullptr, endless, nullptr);
	for (job &of : jobs)
		threads.emplace_back(run, &of);
	for (std::thread &thread : threads)
		thread.join();
	pthread_cancel(cancelled);
	pthread_join(cancelled, &result);
	for (job &of : jobs)
		sum = sum * 31 + of.sum;
	std::printf("%lu %d\n", sum, result == PTHREAD_CANCELED);
	return 0;
}
