/*
 * unwinding [FRAMES]: prints what unwinding costs: nanoseconds for each sample and frame, when the unwinder knows the
 * instructions already, and when it meets them for the first time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include "sample/unwind.h"

enum { MOST_FRAMES = 1024, ROUNDS = 20, SAMPLES = 20000, COLD_SAMPLES = 200 };

static struct fathom_sample_frame frames[MOST_FRAMES];
static volatile long sink;

static double now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* The frames between the innermost function and main. */
static void measure(void)
{
	struct fathom_unwinder *unwinder = fathom_unwinder_create();
	double warm_ns = 1e18, cold_ns = 0;
	bool is_partial, has_own;
	ucontext_t context;
	uint32_t count = 0;
	int i, round;

	getcontext(&context);
	for (round = 0; round < ROUNDS; round++) {
		double begin_ns = now_ns();

		for (i = 0; i < SAMPLES; i++)
			count = fathom_unwind(unwinder, &context, UINTPTR_MAX, frames, MOST_FRAMES, &is_partial, &has_own);
		if (now_ns() - begin_ns < warm_ns)
			warm_ns = now_ns() - begin_ns;
	}
	warm_ns /= SAMPLES;
	fathom_unwinder_destroy(unwinder);
	for (i = 0; i < COLD_SAMPLES; i++) {
		double begin_ns;

		unwinder = fathom_unwinder_create();
		begin_ns = now_ns();
		fathom_unwind(unwinder, &context, UINTPTR_MAX, frames, MOST_FRAMES, &is_partial, &has_own);
		cold_ns += now_ns() - begin_ns;
		fathom_unwinder_destroy(unwinder);
	}
	cold_ns /= COLD_SAMPLES;
	printf("%u frames%s: warm %.0f ns/sample, %.1f ns/frame; cold %.0f ns/sample, %.1f ns/frame\n", count,
	       is_partial ? " (partial)" : "", warm_ns, warm_ns / count, cold_ns, cold_ns / count);
}

typedef void function(int left);
static function one, two, three, four;
static function *const functions[] = { one, two, three, four };

static __attribute__((noinline)) void call(int left)
{
	if (left <= 0)
		measure();
	else
		functions[left % 4](left - 1);
	sink++;
}

#define SAVE_REGISTERS __asm__ volatile("" : : : "rbx", "r12", "r13", "r14", "r15", "memory")

static __attribute__((noinline)) void one(int left)
{
	call(left - 1);
	sink++;
}

static __attribute__((noinline)) void two(int left)
{
	SAVE_REGISTERS;
	call(left - 1);
	sink++;
}

static __attribute__((noinline)) void three(int left)
{
	volatile char *text = __builtin_alloca(200 + (size_t)left);

	text[0] = (char)left;
	call(left - 1);
	sink += text[0];
}

static __attribute__((noinline)) void four(int left)
{
	_Alignas(64) volatile char text[64];

	SAVE_REGISTERS;
	text[0] = (char)left;
	call(left - 1);
	sink += text[0];
}

int main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 20;

	fathom_unwind_init();
	call(count > 5 ? count - 5 : 0);
	return 0;
}
