/*
 * reloading LIBRARY...: loads and unloads libraries in turn, whose function has frames of another size in each, and unwinds
 * in it. Rules of a library that was unloaded must not be used.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "sample/unwind.h"

enum { ROUNDS = 20, MOST_FRAMES = 64 };

static struct fathom_unwinder *unwinder;
static struct fathom_sample_frame frames[MOST_FRAMES];
static uint32_t count;
static bool is_partial, has_own;

static void measure(void)
{
	ucontext_t context;

	getcontext(&context);
	count = fathom_unwind(unwinder, &context, UINTPTR_MAX, frames, MOST_FRAMES, &is_partial, &has_own);
}

static __attribute__((noinline)) void call(void (*function)(void (*)(void)))
{
	function(measure);
	__asm__ volatile("");
}

int main(int argc, char **argv)
{
	void *place = NULL;
	int same_places = 0, i;

	fathom_unwind_init();
	unwinder = fathom_unwinder_create();
	for (i = 0; i < ROUNDS * (argc - 1); i++) {
		void *library = dlopen(argv[1 + i % (argc - 1)], RTLD_NOW);
		void (*function)(void (*)(void));

		if (!library) {
			printf("%s\n", dlerror());
			return 1;
		}
		*(void **)&function = dlsym(library, "function");
		same_places += place == *(void **)&function;
		place = *(void **)&function;
		call(function);
		if (is_partial || count < 4 || frames[1].function != (uintptr_t)function ||
		    frames[2].function != (uintptr_t)call || frames[3].function != (uintptr_t)main) {
			printf("round %d, %s: %u frames, partial %d\n", i, argv[1 + i % (argc - 1)], count, is_partial);
			return 1;
		}
		dlclose(library);
	}
	printf("%d of %d libraries were loaded where the one before was\n", same_places, i);
	return same_places == 0;
}
