/* One function for each thing that could mind a call at its entry or before its return; prints what they give. */
#define _GNU_SOURCE
#include <alloca.h>
#include <complex.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct large { long a[9]; };
struct pair { long a; double b; };
struct floats { float a, b, c; };

int far_away(int x);
static volatile int zero;

struct large give_large(int x) { struct large s; for (int i = 0; i < 9; i++) s.a[i] = far_away(x + i); return s; }
struct pair give_pair(int x) { struct pair s = { far_away(x), x / 3.0 }; return s; }
struct floats give_floats(int x) { struct floats s = { far_away(x), x, 3 }; return s; }
long double give_long_double(long double x, int n) { for (int i = 0; i < n; i++) x = x / 3 + far_away(i); return x; }
double _Complex give_complex(double _Complex z) { return z * far_away(2) + 1.0 * I; }
long double _Complex give_long_complex(long double _Complex z) { return z * far_away(2) + 1.0L * I; }
__int128 give_wide(__int128 x) { return x * far_away(3) + 1; }
_Bool give_bool(int x) { return far_away(x) > 2; }

int many(int a, long b, short c, char d, int e, int f, int g, long h, double i, float j, struct large k)
{
	return far_away(a) + b + c + d + e + f + g + h + i + j + k.a[8];
}

/* Arguments on the stack, and a jump to the end. */
int many_tail(int a, long b, short c, char d, int e, int f, int g, long h, double i, float j, struct large k)
{
	far_away(1);
	return many(a + 1, b, c, d, e, f, h, g, i, j, k);
}

int variable(int n, ...)
{
	va_list list;
	double sum = 0;

	va_start(list, n);
	for (int i = 0; i < n; i++)
		sum += i % 2 ? va_arg(list, double) : va_arg(list, int);
	va_end(list);
	return sum;
}

int through_pointer(int (*f)(int), int x) { for (int i = 0; i < x; i++) x -= far_away(i) & 1; return f(x); }

int with_nested(int n)
{
	int sum = 0;
	int inner(int k) { for (int i = 0; i < k; i++) sum += far_away(n + i); return k ? inner(k - 1) : sum; }

	return through_pointer(inner, n) + inner(2);
}

int computed(const unsigned char *code, int x)
{
	static const void *const labels[] = { &&add, &&twice, &&call, &&end };

	goto *labels[*code++];
add:
	x++;
	goto *labels[*code++];
twice:
	x *= 2;
	goto *labels[*code++];
call:
	x = far_away(x);
	goto *labels[*code++];
end:
	return x;
}

int table(int x)
{
	switch (x) {
	case 0: return far_away(7);
	case 1: return many_tail(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, give_large(3));
	case 2: x = far_away(x); break;
	case 3: return x;
	case 4: x = far_away(x) ^ 3; break;
	case 5: return variable(2, 1, 2.0);
	case 6: x <<= 3; break;
	case 7: return through_pointer(far_away, 3);
	default: return -1;
	}
	return x + 1;
}

static jmp_buf back;
void jumps_out(int x) { if (far_away(x) >= 0) longjmp(back, x); }
void jumps_out_deep(int x) { jumps_out(x); far_away(x); }
int jumped_into(int x) { volatile int y = far_away(x); int z = setjmp(back); if (!z) jumps_out_deep(5); return y + z; }

static void *place[5];
__attribute__((noinline)) void jumps_builtin(void) { far_away(1); __builtin_longjmp(place, 1); }
int jumped_builtin(int x) { if (__builtin_setjmp(place)) return far_away(x) + 100; jumps_builtin(); return 0; }

int variable_length(int n) { int a[n]; for (int i = 0; i < n; i++) a[i] = far_away(i); return a[n / 2]; }
int on_stack(int n) { int *a = alloca(n * sizeof(int)); for (int i = 0; i < n; i++) a[i] = far_away(i); return a[n - 1]; }
int large_frame(int n) { volatile char a[70000]; a[n] = far_away(n); return a[n]; }
int aligned(int n) { __attribute__((aligned(64))) volatile double a[8]; a[n] = far_away(n); return a[n] + ((long)a & 63); }
int aligned_variable(int n)
{
	__attribute__((aligned(128))) volatile double a[8];
	int b[n];

	b[n - 1] = far_away(n);
	a[1] = b[n - 1];
	return a[1] + ((long)a & 127);
}

/* Leaf with values below the stack pointer. */
int red_zone(int n) { volatile long a[12]; for (int i = 0; i < n; i++) a[i % 12] = i; return a[5] + a[n % 12]; }

__attribute__((noreturn)) void gives_up(int code)
{
	for (int i = 0; i < code; i++)
		far_away(i);
	fflush(stdout);
	exit(code);
}

__attribute__((cold, noinline)) int unusual(int x) { return far_away(x) * 3; }
int has_cold(int x)
{
	if (__builtin_expect(x > 1000, 0))
		return unusual(x) + unusual(far_away(x)) * far_away(x);
	return far_away(x);
}

int uses_asm_goto(int x)
{
	__asm__ goto("test %0, %0\n\tjz %l1" : : "r"(x) : "cc" : none);
	return far_away(x);
none:
	return -far_away(3);
}

int recursive(int x) { return x > 1 ? recursive(x - 1) + recursive(x - 2) : far_away(x); }
int odd(int x);
int even(int x) { far_away(0); return x ? odd(x - 1) : 1; }
int odd(int x) { far_away(0); return x ? even(x - 1) : 0; }
__attribute__((optimize("O3"))) int own_level(const int *a, int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += a[i];
	return s;
}

__attribute__((aligned(4096))) int far_aligned(int n) { for (int i = 0; i < n; i++) n -= far_away(1); return n; }
__attribute__((section(".text.other"))) int elsewhere(int n) { for (int i = 0; i < n; i++) n -= far_away(1); return n; }
__attribute__((weak)) int is_weak(int n) { return far_away(n); }
__attribute__((visibility("hidden"))) int is_hidden(int n) { return far_away(n); }
int other_name(int n) __attribute__((alias("is_hidden")));
static int same_a(int n) { for (int i = 0; i < n; i++) n -= far_away(2); return n; }
static int same_b(int n) { for (int i = 0; i < n; i++) n -= far_away(2); return n; }

/* Copied into its only caller, or made anew for the one argument it gets, it would not be seen any more. */
#define STEP(x) (x = x * 3 + (x >> 2) - (x ^ far_away(2)) + x % 7 * 5)
static unsigned large_once(unsigned x)
{
	for (int i = 0; i < 3; i++)
		STEP(x), STEP(x), STEP(x), STEP(x), STEP(x), STEP(x), STEP(x), STEP(x), STEP(x), STEP(x);
	return x;
}

static __attribute__((noinline)) int same_argument(int x, int k)
{
	for (int i = 0; i < k; i++)
		x += far_away(i) * k;
	return x;
}

static volatile sig_atomic_t signals;
void on_signal(int number) { signals += far_away(number) > 0; }
__attribute__((const)) unsigned is_const(unsigned x) { for (int i = 0; i < 20; i++) x = x * 7 + 3; return x; }
void empty_at_end(int n) { for (int i = 0; i < n; i++) far_away(i); }
_Thread_local int of_thread;
int uses_thread(int n) { of_thread += far_away(n); return of_thread; }
__attribute__((constructor)) void first(void) { far_away(0); }
__attribute__((destructor)) void last(void) { far_away(0); }

#ifdef __AVX__
typedef double vector __attribute__((vector_size(32)));
__attribute__((noinline)) vector give_vector(vector a, vector b) { return a * b + (double)far_away(2); }
vector tail_vector(vector a, vector b) { far_away(1); return give_vector(b, a + 1); }
double spill(const double *a, int n)
{
	vector s = { 0, 0, 0, 0 };
	double *p;

	for (int i = 0; i < n; i += 4)
		s += give_vector((vector){ a[i], a[i + 1], a[i + 2], a[i + 3] }, s + 1);
	p = (double *)&s;
	return p[0] + p[1] + p[2] + p[3];
}
#endif

int far_away(int x)
{
	volatile int y = x;

	for (int i = 0; i < 3; i++)
		y += i;
	return y - 3 + zero;
}

int main(int argc, char **argv)
{
	static const unsigned char code[] = { 0, 1, 2, 0, 3 };
	static const double numbers[8] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	static const int integers[16] = { 1, 2, 3 };

	(void)argv;
	printf("%ld %g %g\n", give_large(argc).a[8], give_pair(argc).b, give_floats(argc).a);
	printf("%Lg %g %g %Lg\n", give_long_double(argc, 3), creal(give_complex(2)), cimag(give_complex(1.0 * I)),
	       creall(give_long_complex(3)));
	printf("%ld %d\n", (long)(give_wide((__int128)1 << 40) >> 8), give_bool(argc));
	printf("%d %d\n", many_tail(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, give_large(1)), variable(4, 1, 2.0, 3, 4.0));
	printf("%d %d\n", with_nested(3), computed(code, 5));
	for (int i = 0; i < 9; i++)
		printf("%d ", table(i));
	printf("\n%d %d\n", jumped_into(3), jumped_builtin(4));
	printf("%d %d %d %d %d %d\n", variable_length(9), on_stack(9), large_frame(8), aligned(3), aligned_variable(4),
	       red_zone(30));
	printf("%d %d %d %d\n", has_cold(3), has_cold(2000), uses_asm_goto(0), uses_asm_goto(1));
	printf("%d %d %d %d\n", recursive(7), even(9), own_level(integers, 16), far_aligned(5));
	printf("%d %d %d %d\n", elsewhere(5), is_weak(2), other_name(3), same_a(5) + same_b(6));
	printf("%u %d\n", large_once(argc), same_argument(argc, 3) + same_argument(4, 3));
	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	empty_at_end(3);
	printf("%d %u %d\n", (int)signals, is_const(argc), uses_thread(3));
#ifdef __AVX__
	printf("%g %g\n", spill(numbers, 8), tail_vector((vector){ 1, 2, 3, 4 }, (vector){ 5, 6, 7, 8 })[3]);
#else
	(void)numbers;
#endif
	if (argc > 1)
		gives_up(argc);
	return 0;
}
