#include <iostream>
#include <vector>
#include <string>
#include <omp.h>
template <typename T> T sum(const std::vector<T> &v)
{
	T s{};
#pragma omp parallel for reduction(+:s)
	for (std::size_t i = 0; i < v.size(); ++i)
		s += v[i];
	return s;
}
struct Grid {
	int n = 1'000;
	int field = 0;
	void fill() {
#pragma omp parallel for
		for (int i = 0; i < n; i++)
			if (i % 2)
#pragma omp atomic
				field++;
	}
	int total() const {
		auto f = [this](int k) {
			int t = 0;
#pragma omp parallel for reduction(+:t) default(shared)
			for (int i = 0; i < k; i++) t += i;
			return t; };
		return f(10); }
};
static const char *raw = R"x(a "quoted" { brace #pragma omp parallel
second \n line)" )x";
static std::string rs = u8R"({)";
int main()
{
	std::vector<int> v(1'000'000 / 1'0, 1);
	Grid g;
	g.fill();
	std::cout << sum(v) << ' ' << g.field << ' ' << g.total() << '\n' << raw << rs << __LINE__ << '\n';
	int n = 0;
#pragma omp critical
	try { n++; throw 1; } catch (int) { n += 2; }
#pragma omp parallel for
	for (int i : v)
#pragma omp atomic
		n += i;
#pragma omp critical
	for (int i : { 1, 2, 3 }) n += i;
	std::cout << n << '\n';
#pragma omp parallel num_threads(3)
#pragma omp single
	for (auto it = v.begin(); it < v.begin() + 3; ++it)
#pragma omp task firstprivate(it) shared(n)
#pragma omp atomic
		n += *it;
	std::cout << n << '\n';
	return 0;
}
