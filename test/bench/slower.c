/*
 * slower: a program whose functions take times that loop counts fix, and one of which can be made slower.
 *
 *	slower REPETITIONS PER_MILLE	exchange does so many more loops, in thousandths
 *
 * Each function is called once a repetition; a repetition takes about 1 ms.
 */
#include <stdlib.h>

static volatile double sink;

static inline __attribute__((always_inline)) void work(long loops)
{
	double value = sink;

	for (long i = 0; i < loops; i++)
		value = value * 0.999 + 0.5;
	sink = value;
}

__attribute__((noinline)) static void assemble(void) { work(60000); }
__attribute__((noinline)) static void solve(void) { work(120000); }
__attribute__((noinline)) static void smooth(void) { work(40000); }
__attribute__((noinline)) static void refine(void) { work(30000); }
__attribute__((noinline)) static void output(void) { work(10000); }
__attribute__((noinline)) static void exchange(long loops) { work(loops); }

int main(int argc, char **argv)
{
	long repetitions = argc > 1 ? atol(argv[1]) : 100, more = argc > 2 ? atol(argv[2]) : 0;

	for (long i = 0; i < repetitions; i++) {
		assemble();
		solve();
		smooth();
		refine();
		exchange(80000 + 80 * more);
		output();
	}
	return 0;
}
