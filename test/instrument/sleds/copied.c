/* Functions that cannot be compiled but where they are copied. */
#include <emmintrin.h>
#include <stdio.h>

extern void not_constant(void) __attribute__((error("not a constant")));

static int checks(int n, int x)
{
	if (!__builtin_constant_p(n) || n < 2)
		not_constant();
	for (int i = 0; i < 5; i++)
		x += n * i;
	return x;
}

static void in_assembler(int n, int *x) { __asm__ volatile("addl %1, %0" : "+r"(*x) : "i"(n + 1) : "cc"); }
static __m128i in_intrinsic(__m128i v, int n) { return _mm_shuffle_epi32(_mm_add_epi32(v, v), n); }

/* These can. */
static int checks_nothing(int n, int x)
{
	if (sizeof(n) != 4)
		not_constant();
	for (int i = 0; i < n; i++)
		x += n * i;
	return x;
}

static __m128i no_constant(__m128i v, int n) { return _mm_add_epi32(_mm_slli_epi32(_mm_set1_epi32(n), n), v); }

int main(int argc, char **argv)
{
	__m128i v = _mm_set_epi32(1, 2, 3, argc);
	int x = argc;

	(void)argv;
	in_assembler(4, &x);
	v = in_intrinsic(no_constant(v, x), 0x1b);
	printf("%d %d %d %d\n", checks(3, argc), checks_nothing(argc, x), _mm_cvtsi128_si32(v), x);
	return 0;
}
