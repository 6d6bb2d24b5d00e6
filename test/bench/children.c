/*
 * children [FIRST+]COUNT ORDER CALLS: so many calls of COUNT functions from one place, one after the other (turn) or in
 * an order that does not repeat (random): what it costs to find the call path of each. FIRST: how many of the program's
 * 1024 functions come before those that are called.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ONE(n) \
	static __attribute__((noinline)) void leaf_##n(long i) \
	{ \
		__asm__ volatile("" : : "r"(i), "i"(0x##n)); \
	}
#define FOUR(m, n) m(n##0) m(n##1) m(n##2) m(n##3)
#define SIXTEEN(m, n) FOUR(m, n) m(n##4) m(n##5) m(n##6) m(n##7) m(n##8) m(n##9) m(n##a) m(n##b) m(n##c) m(n##d) m(n##e) m(n##f)
#define MANY(m, n) \
	SIXTEEN(m, n##0) SIXTEEN(m, n##1) SIXTEEN(m, n##2) SIXTEEN(m, n##3) SIXTEEN(m, n##4) SIXTEEN(m, n##5) \
	SIXTEEN(m, n##6) SIXTEEN(m, n##7) SIXTEEN(m, n##8) SIXTEEN(m, n##9) SIXTEEN(m, n##a) SIXTEEN(m, n##b) \
	SIXTEEN(m, n##c) SIXTEEN(m, n##d) SIXTEEN(m, n##e) SIXTEEN(m, n##f)
#define ALL(m) MANY(m, 0) MANY(m, 1) MANY(m, 2) MANY(m, 3)

ALL(ONE)

typedef void leaf(long i);
#define NAME(n) leaf_##n,
static leaf *const leaves[] = { ALL(NAME) };

static __attribute__((noinline)) void call(const uint16_t *order, long mask, long calls)
{
	for (long i = 0; i < calls; i++)
		leaves[order[i & mask]](i);
}

int main(int argc, char **argv)
{
	enum { PLACES = 1 << 16 };
	static uint16_t order[PLACES];
	uint64_t number = 1;
	char *end = argc > 3 ? argv[1] : "";
	long first = 0, count = strtol(end, &end, 10), functions = sizeof(leaves) / sizeof(*leaves);
	/* Compared once: strcmp takes more instructions if a string lies at the end of a page, and the place of argv
	 * on the stack depends on the environment. test/check/instructions.sh subtracts the counts of two runs. */
	int is_random = argc > 3 && !strcmp(argv[2], "random");

	if (*end == '+') {
		first = count;
		count = atol(end + 1);
	}
	if (argc < 4 || count < 1 || first < 0 || first > functions - count)
		return 2;
	for (int i = 0; i < PLACES; i++) {
		number = number * 6364136223846793005u + 1442695040888963407u;	/* Knuth's MMIX */
		order[i] = (uint16_t)(first + (is_random ? (long)(number >> 33) % count : i % count));
	}
	call(order, PLACES - 1, atol(argv[3]));
	return 0;
}
