/*
 * region_calls N: N calls of an empty function, from one place: what an enter and its exit cost.
 */
#include <stdlib.h>

__attribute__((noinline)) void leaf(long i)
{
	__asm__ volatile("" : : "r"(i));
}

__attribute__((noinline)) void loop(long n)
{
	for (long i = 0; i < n; i++)
		leaf(i);
}

int main(int argc, char **argv)
{
	loop(argc > 1 ? atol(argv[1]) : 30000000);
	return 0;
}
