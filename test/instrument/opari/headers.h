#pragma once
/* Directives in a header, from a macro, and behind a line that says it is another file. */
#define LOOP(n) _Pragma("omp for") for (int i = 0; i < (n); i++)
static inline int header_sum(int n)
{
	int s = 0;
#pragma omp parallel for reduction(+:s)
	for (int i = 0; i < n; i++)
		s += i;
	return s;
}
