// Functions whose names other programs stumbled over, see foreign.sh.
#include <fathom/fathom.h>

template <typename T> struct Box { T value; };

template <typename T, typename U> __attribute__((noinline)) void put(U &box, int n)
{
	box.value.value = n;
}

namespace {
__attribute__((noinline)) int hidden(int n)
{
	return n + 1;
}
}

__attribute__((noinline)) static int twice(int n)
{
	return 2 * n;
}

template <typename T> __attribute__((noinline)) int (*chosen(T n))(int)
{
	return n ? twice : hidden;
}

int main()
{
	Box<Box<int> > box;

	put<Box<int>, Box<Box<int> > >(box, 3);
	FATHOM_REGION_BEGIN("(setup)");
	hidden(1);
	FATHOM_REGION_END("(setup)");
	for (int i = 1; i < 4; i++)
		FATHOM_POINT_DOUBLE("load", "items", "", (double)i);
	return chosen<int>(3)(4) - 8 + box.value.value - 3;
}
