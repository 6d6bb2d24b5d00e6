#include <cstdio>
#include <map>
#include <functional>
namespace ns { struct acc { int v = 0; acc &operator+=(int k) { v += k; return *this; } };
#pragma omp declare reduction(+ : acc : omp_out.v += omp_in.v)
}
template <int N, class F> int apply(F f) {
	int s = 0;
#pragma omp parallel for simd reduction(+:s) default(none) shared(f)
	for (int i = 0; i < N; ++i) s += f(i);
	return s;
}
struct Base { virtual ~Base() {} virtual int run(int n) noexcept = 0; };
struct Derived final : Base {
	int member = 2;
	int run(int n) noexcept override {
		int r = 0;
#pragma omp parallel reduction(+:r) num_threads(2)
		{
#pragma omp for
			for (int i = 0; i < n; ++i) r += member;
			try {
#pragma omp critical(lock)
				{ if (n < 0) throw 1; }
			} catch (...) { r = -1; }
		}
		return r;
	}
};
class NonPod { public: NonPod(int k = 0) : v(k) {} NonPod(const NonPod &o) : v(o.v) {} ~NonPod() {} int v; };
constexpr int square(int x) { return x * x; }
inline int inl(int n) {
	static int calls;
#pragma omp atomic
	calls += n;
	return calls; }
int main() {
	ns::acc a;
	NonPod np(7);
	int out = 0;
#pragma omp parallel for reduction(ns::operator+ : a) firstprivate(np)
	for (int i = 0; i < 10; i++) a += i + np.v;
#pragma omp parallel sections num_threads(2) firstprivate(np)
	{
#pragma omp section
		{
#pragma omp atomic
			out += np.v; }
#pragma omp section
		if (np.v > 3)
#pragma omp atomic
			out += 1;
		else
#pragma omp atomic
			out += 100;
	}
	Derived d;
	std::function<int(int)> fn = [&](int k) -> int {
		int q = 0;
#pragma omp parallel for reduction(+:q) if(k > 3)
		for (int i = 0; i < k; i++) q += square(i);
		return q;
	};
	std::map<int, int> m;
#pragma omp parallel num_threads(2)
#pragma omp single nowait
	for (int i = 0; i < 5; i++)
#pragma omp task shared(m)
	{
#pragma omp critical
		m[i] = square(i);
	}
	std::printf("%d %d %d %d %d %d %d\n", a.v, apply<10>([](int x) { return x; }), d.run(10), fn(5), (int)m.size(), inl(3),
		    out);
}
