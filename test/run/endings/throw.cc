/*
 * throw [uncaught]: exceptions leave functions of which each visit must be counted. outer is called 100 times and catches
 * what inner throws through middle in every third call; after is called each time. With the argument, the last exception
 * is caught by nobody.
 */
#include <cstdio>
#include <cstdlib>

struct Error { int number; };

static volatile int sink;

/* Says that it ran in the order in which objects are destroyed. */
struct Guard {
	int number;
	explicit Guard(int n) : number(n) { }
	~Guard() { sink = sink * 31 + number; }
};

__attribute__((noinline)) void inner(volatile int &number)
{
	Guard guard(1);

	sink = sink + number;
	if (number % 3 == 0)
		throw Error{ number };
	sink = sink + 1;
}

__attribute__((noinline)) void middle(volatile int &number)
{
	Guard guard(2);

	inner(number);
	sink = sink + 2;
}

__attribute__((noinline)) void after(volatile int &number)
{
	sink = sink + number;
}

__attribute__((noinline)) void outer(volatile int &number)
{
	try {
		middle(number);
	} catch (const Error &error) {
		sink = sink + error.number;
	}
	after(number);
}

int main(int argc, char **)
{
	volatile int number;

	for (int i = 0; i < 100; i++) {
		number = i;
		outer(number);
	}
	std::printf("sum %d\n", sink);
	std::fflush(stdout);
	if (argc > 1) {
		number = 3;
		middle(number);
	}
	return 3;
}
