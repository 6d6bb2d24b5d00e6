/* A library that is loaded, used and unloaded, again and again; exceptions stay in it. */
static volatile int one = 1;

struct guard { ~guard(); };
__attribute__((noinline)) guard::~guard() { one = 1; }

__attribute__((noinline)) static int throws(int n)
{
	guard a;

	if (n == one)
		throw n;
	return n + one;
}

extern "C" __attribute__((noinline)) int call_library(int n)
{
	try {
		return throws(n);
	} catch (int k) {
		return k + 100;
	}
}
