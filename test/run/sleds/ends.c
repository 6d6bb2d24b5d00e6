/* Loads a library three times and uses it; calls functions from OpenMP, if compiled with that; with an argument, ends by a
 * signal inside of functions. */
#include <dlfcn.h>
#include <stdio.h>

static volatile int one = 1;
static int *volatile nowhere;

__attribute__((noinline)) static int inner(int n) { return *nowhere + n * one; }
__attribute__((noinline)) static int outer(int n) { return inner(n + one) + 1; }
__attribute__((noinline)) static int share(int n) { return n * 3 + one; }

int main(int argc, char **argv)
{
	int sum = 0, shared = 0;

	(void)argv;
	for (int i = 0; i < 3; i++) {
		void *library = dlopen("./libshared.so", RTLD_NOW);
		int (*call)(int);

		if (!library)
			return 1;
		*(void **)&call = dlsym(library, "call_library");
		for (int k = 0; k < 3; k++)
			sum += call(k);
		dlclose(library);
	}
#pragma omp parallel for num_threads(2) reduction(+ : shared)
	for (int i = 0; i < 1000; i++)
		shared += share(i);
	printf("%d %d\n", sum, shared);
	fflush(stdout);
	return argc > 1 ? outer(1) : 5;
}
