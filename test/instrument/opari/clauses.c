#include <stdio.h>
#include <omp.h>
struct p { int x, y; };
#pragma omp declare reduction(padd : struct p : omp_out.x += omp_in.x, omp_out.y += omp_in.y) initializer(omp_priv = { 0, 0 })
static int tp;
#pragma omp threadprivate(tp)
extern int ext(int);
#pragma omp declare simd uniform(a) notinbranch
int ext(int a) { return a; }
int main(void)
{
	struct p s = { 0, 0 };
	int a[8] = { 0 }, i, j, n = 0, d = 0, e = 0;
	const int c = 4;
	tp = 5;
#pragma omp parallel for reduction(padd : s) reduction(+ : a[0:8]) num_threads(2)
	for (i = 0; i < 8; i++) { s.x += i; s.y++; a[i]++; }
	printf("%d %d %d\n", s.x, s.y, a[3]);
#pragma omp parallel for simd collapse(2) default(none) shared(c) reduction(+:n) private(i, j)
	for (i = 0; i < 4; i++)
		for (j = 0; j < 4; j++)
			n += i * j + c;
	printf("%d\n", n);
#pragma omp parallel for simd default(none) reduction(+:n) firstprivate(d) shared(c)
	for (i = 0; i < 16; i++)
		n += i + d + c;
	printf("%d %d\n", n, i);
#pragma omp parallel default(none) shared(n, a, c) firstprivate(d) copyin(tp) proc_bind(close) num_threads(c)
	{
#pragma omp for schedule(guided) nowait
		for (int k = 0; k < 8; k++) a[k] += tp + d + c;
#pragma omp single copyprivate(d)
		d = 9;
#pragma omp critical
		n += d;
	}
	printf("%d %d\n", n, a[2]);
#pragma omp parallel num_threads(2)
#pragma omp single
	{
#pragma omp task depend(out: d) priority(2) shared(d)
		d = 1;
#pragma omp task depend(in: d) shared(d, e)
		e = d + 1;
#pragma omp taskwait depend(in: e)
#pragma omp taskloop reduction(+:n) grainsize(2)
		for (int k = 0; k < 4; k++) n += k;
#pragma omp taskyield
	}
	printf("%d %d %d\n", d, e, n);
#pragma omp parallel for ordered schedule(static, 1) lastprivate(j) num_threads(3)
	for (int k = 0; k < 6; k++) {
		j = k;
#pragma omp ordered threads
		printf("o%d\n", k);
	}
	printf("%d\n", j);
#pragma omp parallel for if(0) num_threads(2) reduction(max:j)
	for (int k = 0; k < 6; k++) j = k > j ? k : j;
#pragma omp parallel num_threads(2)
	{
		int depth = omp_get_level();
#pragma omp parallel num_threads(2) if(depth == 1)
#pragma omp atomic
		n++;
	}
	printf("%d %d\n", j, n);
	int v;
#pragma omp parallel num_threads(2) private(v)
	{
#pragma omp atomic capture
		v = n++;
#pragma omp atomic read
		v = n;
#pragma omp atomic write seq_cst
		d = 3;
#pragma omp atomic capture
		{ v = n; n += 1; }
	}
	printf("%d %d\n", d, n);
	{
		int x[c][c];
#pragma omp parallel for collapse(2)
		for (int k = 0; k < c; k++) for (int l = 0; l < c; l++) x[k][l] = k + l;
		n = ({ int q = 0;
#pragma omp parallel for reduction(+:q)
			for (int k = 0; k < c; k++) q += x[k][1];
			q; });
	}
	printf("%d\n", n);
	switch (n) {
	case 10:
#pragma omp parallel num_threads(2)
		{
#pragma omp barrier
			if (omp_get_thread_num() == 0)
				printf("ten\n");
		}
		break;
	default:
#pragma omp critical
		printf("other\n");
	}
	goto end;
end:
#pragma omp parallel num_threads(1)
	printf("end\n");
	return 0;
}
