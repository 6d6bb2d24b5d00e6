/* Functions that are left in unusual ways. Prints what it does; the script knows the visits. */
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#define NOINLINE __attribute__((noinline))
static volatile int one = 1;
static volatile long count;

NOINLINE static void cleaning(int n) { count += n; }
struct guard {
	int n;
	NOINLINE guard(int n) : n(n) { count += one; }
	NOINLINE ~guard() { cleaning(n); count += one; }
};

/* An exception passes frames with and without something to clean up. */
NOINLINE static int throws(int n)
{
	if (n == 0)
		throw n;
	guard a(n);
	int r = throws(n - 1);
	count += r;
	return r + n;
}
NOINLINE static int passes(int n) { int r = throws(n); count += r; return r; }
NOINLINE static void after() { count += one; }
NOINLINE static void catches()
{
	try {
		guard outer(1);
		passes(3);
	} catch (int) {
		after();
	}
	after();
	count += one;
}
/* Caught and thrown again, from a frame between. */
NOINLINE static void again()
{
	try {
		passes(1);
	} catch (int) {
		after();
		throw;
	}
	count += one;
}
NOINLINE static void catches_again()
{
	try {
		again();
	} catch (int) {
		after();
	}
	count += one;
}

/* The same place on the stack is left by a jump, again and again. */
static jmp_buf home;
NOINLINE static void leaves(int n)
{
	if (n)
		leaves(n - 1);
	else
		longjmp(home, 1);
	count += one;
}
NOINLINE static void loops()
{
	for (volatile int i = 0; i < 5; i = i + 1)
		if (!setjmp(home))
			leaves(2);
	after();
	count += one;
}

/* Recursion whose exits are jumps, and one whose are not. */
NOINLINE static long deep(long n)
{
	long r = n > 0 ? deep(n - 1) : 0;

	count += one;
	return r + 1;
}

NOINLINE static void last() { count += one; }
NOINLINE static void jumped_to() { count += one; last(); }
static void (*volatile target)() = jumped_to;
NOINLINE static void jumper() { count += one; target(); }

NOINLINE static void handled() { count += one; }
static void on_signal(int) { handled(); count += one; }
NOINLINE static void interrupted() { std::raise(SIGUSR1); after(); count += one; }

struct shape { NOINLINE virtual int sides() const { return 3 * one; } virtual ~shape() {} };
struct square : shape { NOINLINE int sides() const override { return shape::sides() + one; } };
namespace space { template <class T> NOINLINE T twice(T t) { return t * 2 * one; } }

/* Split: the part that is seldom reached is put elsewhere. */
NOINLINE static int mostly(int n)
{
	if (__builtin_expect(n == 77, 0)) {
		std::printf("cold\n");
		last();
		return n * one;
	}
	count += one;
	return n;
}

int main()
{
	shape *shapes[] = { new shape, new square };
	long sum = 0;

	std::signal(SIGUSR1, on_signal);
	for (int i = 0; i < 10; i++) {
		catches();
		catches_again();
		loops();
		jumper();
		interrupted();
		sum += deep(40) + shapes[i % 2]->sides() + space::twice(i) + mostly(i == 3 ? 77 : i);
	}
	last();
	std::printf("%ld %ld\n", sum, (long)count);
	for (shape *s : shapes)
		delete s;
	return 3;
}
