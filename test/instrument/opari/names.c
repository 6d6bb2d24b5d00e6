/* A variable of OPARI2's name would be hidden by its own. */
#include <stdio.h>
int main(void)
{
	int pomp2_if = 7, n = 0;
#pragma omp parallel for reduction(+:n)
	for (int i = 0; i < 10; i++)
		n += pomp2_if;
	printf("%d\n", n);
	return 0;
}
