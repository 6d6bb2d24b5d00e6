/* Functions that go round by jumps at their ends, longer than any stack; prints what they give. */
#include <stdio.h>

typedef long step(const unsigned char *code, long value);

static volatile int zero;
static long left = 300000;
static step add, twice, back, stop;
static step *const steps[] = { add, twice, back, stop };

static long add(const unsigned char *code, long value) { value += 1 + zero; return steps[*code](code + 1, value); }
static long twice(const unsigned char *code, long value) { value = value * 2 % 1000003; return steps[*code](code + 1, value); }
static long back(const unsigned char *code, long value) { if (--left) code -= 4; return steps[*code](code + 1, value); }
static long stop(const unsigned char *code, long value) { (void)code; return value - zero; }

int odd(long n);
int even(long n) { zero += 0; if (!n) return 1; return odd(n - 1); }
int odd(long n) { zero += 0; if (!n) return 0; return even(n - 1); }
/* These are in no ring. */
int outside(long n) { zero += 0; return even(n + 1); }
long start(const unsigned char *code, int (*other)(long)) { return other(*code) + steps[*code](code + 1, 1); }

int main(void)
{
	static const unsigned char code[] = { 0, 1, 0, 2, 3 };

	printf("%ld %d\n", start(code, outside), outside(300001));
	return 0;
}
