/* Arguments and results in every register that the ABI has for them, and values that callers keep in registers because GCC
 * knows what a function changes. Each function is met once and called often; prints sums that depend on all of it. */
#include <complex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile long one = 1;

NOINLINE long general(long a, long b, long c, long d, long e, long f, long g, long h)
{
	return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g + 17 * h + one;
}

NOINLINE double floating(double a, double b, double c, double d, double e, double f, double g, double h, double i)
{
	return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g + 17 * h + 19 * i + (double)one;
}

NOINLINE double varied(int count, ...)
{
	va_list list;
	double sum = 0;

	va_start(list, count);
	for (int i = 0; i < count; i++)
		sum += i % 2 ? va_arg(list, double) : (double)va_arg(list, long);
	va_end(list);
	return sum;
}

NOINLINE long double longer(long double a, int n)
{
	return a * n + one;
}

NOINLINE _Complex long double turned(_Complex long double a)
{
	return a * (1.0L + 2.0Li) + one;
}

struct two { long a, b; };
struct both { double a; long b; };
struct doubles { double a, b; };
struct large { long a[9]; };

NOINLINE struct two two(long n) { return (struct two){ n + one, n * 3 }; }
NOINLINE struct both both(struct both v) { return (struct both){ v.a + (double)one, v.b * 3 }; }
NOINLINE struct doubles doubles(struct doubles v) { return (struct doubles){ v.b + (double)one, v.a * 3 }; }
NOINLINE struct large large(struct large v) { v.a[one]++; return v; }

#ifdef __AVX__
typedef double vector __attribute__((vector_size(32)));
NOINLINE vector wide(vector a, vector b, vector c, vector d, vector e, vector f, vector g, vector h)
{
	return a + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g + 17 * h;
}
#endif
#ifdef __AVX512F__
typedef double widest __attribute__((vector_size(64)));
NOINLINE widest widest_of(widest a, widest b)
{
	return a * 3 + b;
}
#endif

/* Small and local: GCC sees which registers it leaves alone (-fipa-ra), and keeps its callers' values there. */
static NOINLINE long little(long a)
{
	return a * one;
}

static NOINLINE double little_double(double a)
{
	return a * (double)one;
}

NOINLINE long keeps(long a, long b, long c, long d, long e, long f)
{
	long r = little(a);

	return r + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f;
}

NOINLINE double keeps_doubles(double a, double b, double c, double d, double e, double f, double g)
{
	double r = little_double(a);

	return r + 2 * b + 3 * c + 5 * d + 7 * e + 11 * f + 13 * g;
}

/* A jump with all arguments, through a pointer and without. */
typedef long taker(long a, long b, long c, long d, long e, long f);
static taker *volatile where = keeps;
NOINLINE long jumps(long a, long b, long c, long d, long e, long f) { return where(b, a, d, c, f, e); }
NOINLINE long jumps_directly(long a, long b, long c, long d, long e, long f) { return jumps(f, e, d, c, b, a); }

/* A function inside another gets the frame around it in a register of its own. */
NOINLINE long around(long n)
{
	long seen = n * 7;
	NOINLINE long inside(long k) { seen += k; return seen * 3 + one; }

	return inside(n) + inside(n + 1);
}


/* Nothing but its sleds: whoever calls it can tell whether these keep all that is in registers. */
NOINLINE void nothing(void)
{
	__asm__ volatile("" ::: "memory");
}

enum { GENERAL = 16, VECTORS = 32, MASKS = 8 };
struct filled { unsigned long general[GENERAL]; unsigned char vectors[VECTORS][64]; unsigned long masks[MASKS]; };

/* Fill the registers, but for the stack pointer, call nothing(), and say what is in them. */
void through_nothing(const struct filled *in, struct filled *out);

#ifdef __AVX512F__
#define MOVE "vmovdqu64 "
#define REGISTER "%zmm"
#elif defined(__AVX__)
#define MOVE "vmovdqu "
#define REGISTER "%ymm"
#else
#define MOVE "movdqu "
#define REGISTER "%xmm"
#endif
#define IN(n) MOVE "128+64*" #n "(%rdi), " REGISTER #n "\n"
#define OUT(n) MOVE REGISTER #n ", 128+64*" #n "(%rdi)\n"
#define IN_MASK(n) "kmovw 128+64*32+8*" #n "(%rdi), %k" #n "\n"
#define OUT_MASK(n) "kmovw %k" #n ", 128+64*32+8*" #n "(%rdi)\n"
#define FOR_VECTORS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)
#define FOR_MORE(X) \
	X(16) X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31)
#define FOR_MASKS(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7)
#define IN_GENERAL(n, name) "mov 8*" #n "(%rdi), %" #name "\n"
#define OUT_GENERAL(n, name) "mov %" #name ", 8*" #n "(%rdi)\n"
#define FOR_GENERAL(X) \
	X(0, rax) X(1, rbx) X(2, rcx) X(3, rdx) X(4, rsi) X(5, rbp) X(6, r8) X(7, r9) X(8, r10) X(9, r11) X(10, r12) \
	X(11, r13) X(12, r14) X(13, r15)

__asm__(".text\n.globl through_nothing\n.type through_nothing, @function\nthrough_nothing:\n"
	"push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\npush %rsi\n"
	FOR_VECTORS(IN)
#ifdef __AVX512F__
	FOR_MORE(IN) FOR_MASKS(IN_MASK)
#endif
	FOR_GENERAL(IN_GENERAL)
	"mov 8*14(%rdi), %rdi\n"
	"call nothing\n"
	"push %rdi\nmov 8(%rsp), %rdi\n"
	FOR_GENERAL(OUT_GENERAL)
	"pop %rax\nmov %rax, 8*14(%rdi)\n"
	FOR_VECTORS(OUT)
#ifdef __AVX512F__
	FOR_MORE(OUT) FOR_MASKS(OUT_MASK)
#endif
#ifdef __AVX__
	"vzeroupper\n"
#endif
	"pop %rsi\npop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n"
	".size through_nothing, . - through_nothing\n");

static unsigned long seed = 1;

static unsigned char next(void)
{
	seed = seed * 6364136223846793005ul + 1442695040888963407ul;
	return (unsigned char)(seed >> 56);
}

/* What differs, by the number of the register; -1: nothing. */
static int lost(void)
{
	static struct filled in, out;
#ifdef __AVX512F__
	int vectors = 32, bytes = 64;
#elif defined(__AVX__)
	int vectors = 16, bytes = 32;
#else
	int vectors = 16, bytes = 16;
#endif

	for (size_t i = 0; i < sizeof(in); i++)
		((unsigned char *)&in)[i] = next();
	memset(&out, 0, sizeof(out));
	through_nothing(&in, &out);
	for (int i = 0; i < 15; i++)
		if (in.general[i] != out.general[i])
			return i;
	for (int i = 0; i < vectors; i++)
		if (memcmp(in.vectors[i], out.vectors[i], (size_t)bytes))
			return 100 + i;
#ifdef __AVX512F__
	for (int i = 0; i < MASKS; i++)
		if ((unsigned short)in.masks[i] != (unsigned short)out.masks[i])
			return 200 + i;
#endif
	return -1;
}

static double sum(const void *at, size_t count)
{
	const double *values = at;
	double all = 0;

	for (size_t i = 0; i < count; i++)
		all = all * 3 + values[i];
	return all;
}

/* All of it, with numbers that depend on i. */
static double once(long i)
{
	double d = (double)i, s = 0;
	struct two t;
	struct doubles pair;
	struct both b;
	struct large l = { { i, i + 1, i + 2 } };
	_Complex long double z;

	s += (double)general(i, i + 1, i + 2, i + 3, i + 4, i + 5, i + 6, i + 7);
	s += floating(d, d + .5, d + 1, d + 2, d + 3, d + 4, d + 5, d + 6, d + 7);
	s += varied(7, i, d, i + 1, d + 1, i + 2, d + 2, i + 3) + varied(2, i, d);
	s += (double)longer(d + .25L, (int)i % 7);
	z = turned(d + (d + 1) * 1.0Li);
	s += (double)__real__ z + 3 * (double)__imag__ z;
	t = two(i);
	b = both((struct both){ d, i });
	pair = doubles((struct doubles){ d, d + 1 });
	l = large(l);
	s += (double)(t.a + 3 * t.b) + b.a + (double)b.b + pair.a + 3 * pair.b + (double)(l.a[0] + 5 * l.a[1]);
	s += (double)keeps(i, i + 1, i + 2, i + 3, i + 4, i + 5) + keeps_doubles(d, d + 1, d + 2, d + 3, d + 4, d + 5, d + 6);
	s += (double)jumps(i, i + 1, i + 2, i + 3, i + 4, i + 5) + (double)jumps_directly(i, i + 1, i + 2, 3, 4, 5);
	s += (double)around(i);
#ifdef __AVX__
	{
		vector v = { d, d + 1, d + 2, d + 3 };

		v = wide(v, v + 1, v + 2, v + 3, v + 4, v + 5, v + 6, v + 7);
		s += sum(&v, 4);
	}
#endif
#ifdef __AVX512F__
	{
		widest v = { d, d + 1, d + 2, d + 3, d + 4, d + 5, d + 6, d + 7 };

		v = widest_of(v, v + 1);
		s += sum(&v, 8);
	}
#endif
	return s;
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? atol(argv[1]) : 1000;
	double all = 0;
	int where_lost = -1;

	for (long i = 0; i < rounds; i++) {
		int now = lost();

		where_lost = now >= 0 ? now : where_lost;
		all = all / 2 + once(i);
	}
	printf("%.17g lost %d\n", all + sum(&all, 1), where_lost);
	return where_lost >= 0;
}
