// A region in a header.
namespace t {

static __attribute__((noinline)) int in_header(int n)
{
	int sum = 0;

#pragma omp parallel for reduction(+:sum) //@header_for
	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}

} // namespace t
