// The same by virtual functions.
#include <cstdio>

static volatile int zero;

struct State {
	long left;
	State *next;
	virtual ~State() {}
	virtual long step(long value);
	virtual long other(long value);
};
struct Special : State {
	long step(long value) override;
	long other(long value) override;
};

long State::step(long value) { if (--left < 0) return value; value += zero + 1; return next->step(value); }
long Special::step(long value) { if (--left < 0) return value; value += zero + 2; return next->step(value); }
// In no ring.
long State::other(long value) { return value + zero; }
long Special::other(long value) { zero = zero; return next->step(value); }

int main()
{
	State first;
	Special second;

	first.left = second.left = 300000;
	first.next = &second;
	second.next = &first;
	std::printf("%ld\n", second.other(1));
}
