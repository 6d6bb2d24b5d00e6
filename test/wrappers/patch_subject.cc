/* Functions whose hooks are called in all ways that compilers have; compiled with -finstrument-functions. */
#include "patch_hooks.h"

#include <csetjmp>
#include <stdexcept>

#define PLAIN __attribute__((no_instrument_function))

namespace {

thread_local long sink;

/* Its exit hook is called last of all: a jump where the compiler optimizes. */
__attribute__((noinline)) void ends_with_hook(long n) { sink += n; }

__attribute__((noinline)) long with_result(long n) { return n * 3 + 1; }

struct pair { long a, b; };
__attribute__((noinline)) pair with_two_results(long n) { return { n, n + 1 }; }

__attribute__((noinline)) double with_double(double x) { return x * 0.5; }

__attribute__((noinline)) long with_many_returns(long n)
{
	if (n % 7 == 0)
		return n + 7;
	if (n % 5 == 0)
		return n - 5;
	switch (n & 3) {
	case 0: return n ^ 9;
	case 1: return n * 2;
	case 2: return -n;
	}
	return n;
}

__attribute__((noinline)) long recursive(long n) { return n <= 0 ? 0 : 1 + recursive(n - 1); }

__attribute__((noinline)) void throws(long n)
{
	if (n & 1)
		throw std::runtime_error("odd");
	sink += n;
}

thread_local std::jmp_buf back;
__attribute__((noinline)) void jumps(long n)
{
	if (n & 1)
		std::longjmp(back, 1);
	sink -= n;
}

/* Calls the hooks for itself and for what is in it. */
inline __attribute__((always_inline)) long inlined(long n) { return n & 1 ? n * 7 : n - sink; }
__attribute__((noinline)) long around_inlined(long n) { sink = 3; return inlined(n) + 1; }

/* The one that is inlined loses them, not the one around. */
inline __attribute__((always_inline)) long inlined_too(long n) { return n % 3 ? n * 5 : n + sink; }
__attribute__((noinline)) long around_too(long n)
{
	sink = 4;
	return n & 1 ? inlined_too(n) - 1 : inlined_too(n + 1) * 2;
}

PLAIN long call_ending(long n) { sink = 1; ends_with_hook(n); return sink; }
PLAIN long plain_ending(long n) { return n + 1; }
PLAIN long call_result(long n) { return with_result(n); }
PLAIN long plain_result(long n) { return n * 3 + 1; }
PLAIN long call_two(long n) { pair p = with_two_results(n); return p.a * p.b; }
PLAIN long plain_two(long n) { return n * (n + 1); }
PLAIN long call_double(long n) { return long(with_double(double(n)) * 4); }
PLAIN long plain_double(long n) { return n * 2; }
PLAIN long call_many(long n) { return with_many_returns(n); }
PLAIN long plain_many(long n)
{
	if (n % 7 == 0)
		return n + 7;
	if (n % 5 == 0)
		return n - 5;
	return (n & 3) == 0 ? n ^ 9 : (n & 3) == 1 ? n * 2 : (n & 3) == 2 ? -n : n;
}
PLAIN long call_recursive(long n) { return recursive(n & 3) + 4; }
PLAIN long plain_recursive(long n) { return (n & 3) + 4; }
PLAIN long call_throwing(long n)
{
	sink = 0;
	try {
		throws(n);
	} catch (const std::exception &) {
		return -1;
	}
	return sink;
}
PLAIN long plain_throwing(long n) { return n & 1 ? -1 : n; }
PLAIN long call_jumping(long n)
{
	sink = 0;
	if (setjmp(back))
		return -2;
	jumps(n);
	return sink;
}
PLAIN long call_around(long n) { return around_inlined(n); }
PLAIN long plain_around(long n) { return (n & 1 ? n * 7 : n - 3) + 1; }
PLAIN long call_too(long n) { return around_too(n); }
PLAIN long plain_too_inlined(long n) { return n % 3 ? n * 5 : n + 4; }
PLAIN long plain_too(long n) { return n & 1 ? plain_too_inlined(n) - 1 : plain_too_inlined(n + 1) * 2; }
PLAIN long plain_jumping(long n) { return n & 1 ? -2 : -n; }

}

/* What is patched is the first; what is called is the second. */
extern "C" PLAIN const void *const *patch_functions(void)
{
	static const void *const functions[] = {
		reinterpret_cast<const void *>(ends_with_hook), reinterpret_cast<const void *>(with_result),
		reinterpret_cast<const void *>(with_two_results), reinterpret_cast<const void *>(with_double),
		reinterpret_cast<const void *>(with_many_returns), reinterpret_cast<const void *>(recursive),
		reinterpret_cast<const void *>(throws), reinterpret_cast<const void *>(jumps),
		reinterpret_cast<const void *>(around_inlined), reinterpret_cast<const void *>(inlined_too),
	};

	return functions;
}

extern "C" PLAIN const void *const *patch_places(void)
{
	static const void *const *functions = patch_functions();
	static const void *const places[] = {
		functions[0], functions[1], functions[2], functions[3], functions[4], functions[5], functions[6],
		functions[7], functions[8], reinterpret_cast<const void *>(around_too),
	};

	return places;
}

extern "C" PLAIN const patch_subject *patch_subjects(int *count)
{
	static const patch_subject subjects[] = {
		{ "ends_with_hook", call_ending, plain_ending, 1, 0 },
		{ "with_result", call_result, plain_result, 1, 0 },
		{ "with_two_results", call_two, plain_two, 1, 0 },
		{ "with_double", call_double, plain_double, 1, 0 },
		{ "with_many_returns", call_many, plain_many, 1, 0 },
		{ "recursive", call_recursive, plain_recursive, 0, 0 },
		{ "throws", call_throwing, plain_throwing, 1, 0 },
		{ "jumps", call_jumping, plain_jumping, 0, 0 },
		{ "around_inlined", call_around, plain_around, 2, 1 },
		{ "inlined_too", call_too, plain_too, 2, 1 },
	};

	*count = int(sizeof(subjects) / sizeof(subjects[0]));
	return subjects;
}
