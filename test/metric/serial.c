#include "touch.h"

__attribute__((noinline)) static void inner(int n)
{
	touch(n ? 12 : 2);	/* a visit is clearly shorter than the mean of all */
	if (n)
		inner(n - 1);
}

__attribute__((noinline)) static void outer(void)
{
	touch(200);
	inner(4);
}

int main(void)
{
	touch(1000);
	touch(2000);
	nap(20);
	outer();
	return 0;
}
