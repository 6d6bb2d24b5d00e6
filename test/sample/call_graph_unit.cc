/* The functions of one unit of call_graph.h, of many kinds. UNIT is its number, OTHER that of a unit in another module,
 * whose functions are called by name. */
#include <alloca.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <functional>

#include "call_graph.h"

#define PASTE(unit, kind) node_##unit##_##kind
#define NAME(unit, kind) PASTE(unit, kind)
#define NODE(kind) NAME(UNIT, kind)
#define ID(kind) (UNIT * KINDS + kind)
#ifdef __clang__
#define ALONE __attribute__((noinline))
#else
#define ALONE __attribute__((noipa))
#endif

extern "C" {
long NAME(OTHER, 0)(int left);
long NAME(OTHER, 1)(int left);
long NAME(OTHER, 5)(int left);
ALONE long NODE(0)(int left);
ALONE long NODE(1)(int left);
ALONE long NODE(2)(int left);
ALONE long NODE(3)(int left);
ALONE long NODE(4)(int left);
ALONE long NODE(5)(int left);
ALONE long NODE(6)(int left);
ALONE int NODE(7)(const void *a, const void *b);
ALONE long NODE(8)(int left);
ALONE long NODE(9)(int left);
ALONE long NODE(10)(int left);
ALONE long NODE(11)(int left, const char *format, ...);
ALONE long NODE(12)(int left);
ALONE long NODE(13)(int left);
ALONE long NODE(14)(int left);
ALONE long NODE(15)(int left);
ALONE void NODE(16)(int signal);
ALONE long NODE(17)(int left);
ALONE long NODE(18)(int left);
ALONE long NODE(19)(int left);
}

/* By name in this unit and in another module, and by a pointer. */
static inline long call(int left)
{
	if (left <= 0 || nodes_left <= 0)
		return NODE(10)(0);
	switch (random_number(9)) {
	case 0: return NODE(0)(left - 1) + 1;
	case 1: return NODE(1)(left - 1) + 1;
	case 2: return NAME(OTHER, 0)(left - 1) + 1;
	case 3: return NAME(OTHER, 1)(left - 1) + 1;
	case 4: return NAME(OTHER, 5)(left - 1) + 1;
	case 5: return NODE(5)(left - 1) + 1;
	default: return call_any(left - 1) + 1;
	}
}

/* An ordinary function. */
long NODE(0)(int left)
{
	active here(ID(0));
	long sum = left;

	sum += call(left);
	if (random_number(3) == 0)
		sum += call(left - 3);
	return sum;
}

/* Many values live across calls. */
long NODE(1)(int left)
{
	active here(ID(1));
	long a = random_number(9), b = random_number(9), c = random_number(9), d = random_number(9), e = random_number(9);
	long f = random_number(9), g = random_number(9), h = random_number(9), i = random_number(9), j = random_number(9);

	a += call(left) * b;
	c += call(left - 5) * d;
	return a + b + c + d + e + f * g + h * i - j;
}

/* A frame whose size is not known. */
long NODE(2)(int left)
{
	active here(ID(2));
	char *text = (char *)alloca(16 + random_number(700));

	memset(text, left, 16);
	walk_sink += text[3];
	return call(left) + text[5];
}

/* A frame that is aligned, and of unknown size: the compiler keeps the caller's stack pointer. */
long NODE(3)(int left)
{
	active here(ID(3));
	alignas(128) char wide[256];
	char *text = (char *)alloca(16 + random_number(100));

	memset(wide, left, sizeof(wide));
	text[0] = wide[left & 127];
	walk_sink += text[0] + (long)((uintptr_t)wide & 127);
	return call(left) + wide[9];
}

/* A frame of several pages. */
long NODE(4)(int left)
{
	active here(ID(4));
	volatile char many[9000];

	many[8000] = (char)left;
	many[0] = 1;
	return call(left) + many[8000];
}

/* Ends with a jump to another function, where the compiler makes that. */
long NODE(5)(int left)
{
	{
		active here(ID(5));
		walk_sink += left;
	}
	if (left <= 0)
		return NODE(10)(0);
	return random_number(2) ? NODE(0)(left - 1) : NODE(14)(left - 1);
}

static __thread int compare_left;

/* The C library calls a function of the unit. */
long NODE(6)(int left)
{
	active here(ID(6));
	int numbers[7] = { 3, 1, 2, 6, 5, 0, 4 };

	compare_left = left;
	qsort(numbers, 7, sizeof(int), NODE(7));
	return numbers[2];
}

int NODE(7)(const void *a, const void *b)
{
	active here(ID(7));
	int left = compare_left;

	compare_left = 0;
	if (left > 1)
		walk_sink += call_any(left - 2);
	return *(const int *)a - *(const int *)b;
}

/* Catches what functions below throw. */
long NODE(8)(int left)
{
	active here(ID(8));
	long sum = 0;

	try {
		sum += call(left);
		sum += NODE(9)(left - 1);
	} catch (const walk_exception &exception) {
		sum += exception.from + call(left - 4);
	}
	return sum;
}

long NODE(9)(int left)
{
	active here(ID(9));

	if (random_number(40) == 0)
		throw walk_exception{ left };
	return call(left - 1);
}

static double shared_number = 0.5;

/* Calls nothing but the C library. */
long NODE(10)(int)
{
	active here(ID(10));
	struct timespec now;
	char text[64];

	switch (random_number(6)) {
	case 0:
		clock_gettime(CLOCK_MONOTONIC, &now);
		return now.tv_nsec;
	case 1:
		memset(text, 1, sizeof(text));
		return (long)strnlen(text, sizeof(text));
	case 2:
		shared_number = sin(shared_number) + cos(shared_number * 1e5);
		return shared_number > 0.1;
	case 3:
		free(malloc(random_number(3000)));
		return 1;
	case 4:
		return atoi("17") + getenv("HOME") != NULL;
	default:
		for (int i = 0; i < 20; i++)
			walk_sink += i;
		return 3;
	}
}

long NODE(11)(int left, const char *format, ...)
{
	active here(ID(11));
	va_list list;
	char text[32];

	va_start(list, format);
	vsnprintf(text, sizeof(text), format, list);
	va_end(list);
	return call(left) + text[0];
}

/* Calls itself. */
long NODE(12)(int left)
{
	active here(ID(12));

	if (left <= 0)
		return 1;
	return left > 3 && random_number(2) ? NODE(12)(left - 1) + left : NODE(11)(left - 2, "%d %f", left, 0.5);
}

struct base {
	virtual ~base() {}
	virtual long value(int left) = 0;
};

struct derived : base {
	long value(int left) override
	{
		walk_sink++;
		return call(left) + 1;
	}
};

/* A virtual call, a lambda in a standard algorithm, a function object. */
long NODE(13)(int left)
{
	active here(ID(13));
	derived object;
	base *pointer = &object;
	int numbers[4] = { 2, 4, 1, 3 };
	std::function<long(int)> function = [pointer](int n) { return pointer->value(n); };

	std::sort(numbers, numbers + 4, [left](int a, int b) { walk_sink += left; return a < b; });
	return function(left) + numbers[0];
}

struct big {
	long values[20];
};

static ALONE big make_big(int left)
{
	big value = {};

	value.values[left & 15] = left;
	return value;
}

/* A table of jumps, and a large result. */
long NODE(14)(int left)
{
	active here(ID(14));
	big value = make_big(left);

	switch (random_number(7)) {
	case 0: return value.values[1] + call(left);
	case 1: return value.values[2] * 3;
	case 2: walk_sink += 5; return call(left - 1) - 1;
	case 3: walk_sink *= 3; return call(left - 2) ^ 1;
	case 4: return NODE(9)(left - 1);
	case 5: return 7;
	default: return call(left) * 2;
	}
}

typedef double wide_vector __attribute__((vector_size(32)));

/* Aligned vectors on the stack, if the processor has them. */
#ifdef __x86_64__
__attribute__((target("avx2")))
#endif
long NODE(15)(int left)
{
	active here(ID(15));
	volatile wide_vector vector = { 1.0 * left, 2, 3, 4 };
	wide_vector twice = vector + vector;
	long sum = call(left);

	twice += vector;
	return (long)twice[1] + sum;
}

/* A handler of a signal. */
void NODE(16)(int)
{
	active here(ID(16));

	try {
		walk_sink += call_any(handler_left - 3);
	} catch (const walk_exception &) {
		walk_sink++;
	}
}

long NODE(17)(int left)
{
	active here(ID(17));

	call_in_handler(left, NODE(16), random_number(2));
	return left;
}

/* The first function on a coroutine stack. */
long NODE(18)(int left)
{
	active here(ID(18));

	try {
		return call(left - 1);
	} catch (const walk_exception &) {
		return 5;
	}
}

long NODE(19)(int left)
{
	active here(ID(19));

	return call_in_coroutine(left, NODE(18));
}

/* Adds the unit's functions to those that a walk calls. */
__attribute__((constructor)) static void add(void)
{
	node_function *functions[] = { NODE(0), NODE(1), NODE(2), NODE(3), NODE(4), NODE(5), NODE(6), NODE(8), NODE(9),
				       NODE(12), NODE(13), NODE(14), NODE(17), NODE(19), NODE(15) };
	unsigned count = sizeof(functions) / sizeof(functions[0]);

#ifdef __x86_64__
	if (!__builtin_cpu_supports("avx2"))
		count--;
#endif
	for (unsigned i = 0; i < count; i++)
		callable[callable_count++] = functions[i];
}
