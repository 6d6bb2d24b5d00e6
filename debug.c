#include <stdio.h>
__attribute__((noinline)) int inner(int n, const char *t)
{
	volatile int s = 0;
	for (int i = 0; i < n; i++)
		s += t[0];
	return s;
}
__attribute__((noinline)) int outer(int n)
{
	return inner(n + 1, "abc") + 1;
}
int main(int argc, char **argv)
{
	(void)argv;
	printf("%d\n", outer(argc));
	return 0;
}
