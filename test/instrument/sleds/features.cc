/* What C++ has of entries and returns that C has not; prints what they give. */
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static volatile int zero;
__attribute__((noinline)) int far_away(int x) { return x + zero; }

struct Base {
	int v;
	Base(int x);
	virtual ~Base();
	virtual int work(int n);
	virtual Base *copy() const;
};
struct Other { int w = 3; virtual ~Other(); virtual int also(int n); };
struct Both : Other, virtual Base {
	Both(int x);
	~Both() override;
	int work(int n) override;		/* called through a virtual thunk */
	int also(int n) override;
	Both *copy() const override;		/* through one that changes the result */
};
struct Guard { int &count; Guard(int &c); ~Guard(); };

Base::Base(int x) : v(far_away(x)) {}
Base::~Base() { zero = far_away(0); }
int Base::work(int n) { int s = 0; for (int i = 0; i < n; i++) s += far_away(i); return s + v; }
Base *Base::copy() const { return new Base(v); }
Other::~Other() { zero = far_away(0); }
int Other::also(int n) { return far_away(n) + w; }
Both::Both(int x) : Base(x) { for (int i = 0; i < v; i++) w += far_away(1); }
Both::~Both() { zero = far_away(0); }
int Both::work(int n) { return n > 2 ? Base::work(n) * 2 : far_away(n); }
int Both::also(int n) { return far_away(n) - v; }
Both *Both::copy() const { return new Both(v + 1); }
Guard::Guard(int &c) : count(c) { count += far_away(1); }
Guard::~Guard() { count += far_away(10); }

int throws(int n) { if (far_away(n) > 3) throw std::runtime_error("large " + std::to_string(n)); return n; }
int passes(int n) { int count = 0; { Guard guard(count); count += throws(n); } return count; }
int catches(int n)
{
	try {
		return passes(n);
	} catch (const std::exception &e) {
		return -static_cast<int>(std::string(e.what()).size());
	}
}
int again(int n) { try { return passes(n); } catch (...) { far_away(1); throw; } }
int never(int n) noexcept { return catches(n) + far_away(2); }
int with_lambda(int n) { auto f = [&](int k) { for (int i = 0; i < k; i++) n += far_away(i); return n; }; return f(3) + f(n); }
int with_function(const std::function<int(int)> &f, int n) { return f(n) + f(n + 1); }
template <class T> T sum(const std::vector<T> &v) { T s{}; for (const auto &x : v) s += x; return s; }
std::string text(int n) { std::string s; for (int i = 0; i < n; i++) s += static_cast<char>('a' + i); return s; }
std::unique_ptr<Base> make(int n) { if (n % 2) return std::make_unique<Both>(n); return std::make_unique<Base>(n); }
int member(Base *base, int (Base::*f)(int), int n) { return (base->*f)(n); }
struct Static { int v; Static(int x) : v(far_away(x)) {} ~Static(); };
Static::~Static() { std::printf("end %d\n", v); }
static Static early(5);
int local_static(int n) { static Static late(n); return late.v + far_away(n); }
thread_local Static of_thread(9);
int in_thread(int n) { int s = of_thread.v; for (int i = 0; i < n; i++) s += catches(i); return s; }
struct Large { double a[30];
	double method(int n) {
#define STEP(k) for (int i = 1; i < n; i++) { a[i] += a[i - 1] * k / (a[i] + k); a[i] += a[i] * a[i - 1]; if (a[i] > k) a[i] = k; }
		STEP(1) STEP(2) STEP(3) STEP(4) STEP(5) STEP(6) STEP(7) STEP(8) STEP(9) STEP(10) STEP(11) STEP(12) STEP(13) STEP(14)
		STEP(15) STEP(16) STEP(17) STEP(18) STEP(19) STEP(20) STEP(21) STEP(22) STEP(23) STEP(24) STEP(25) STEP(26) STEP(27)
		return a[n - 1]; } };

int main()
{
	Both both(4);
	Base *base = &both;
	Other *other = &both;
	std::unique_ptr<Base> copy(base->copy());
	Large large = {};

	large.a[0] = 1;
	std::printf("%d %d %d %d\n", base->work(5), other->also(6), copy->work(2), member(base, &Base::work, 4));
	for (int i = 1; i < 6; i++) {
		std::printf("%d %d ", catches(i), never(i));
		try { std::printf("%d\n", again(i)); } catch (const std::runtime_error &e) { std::printf("%s\n", e.what()); }
	}
	std::printf("%d %d\n", with_lambda(2), with_function([](int k) { return far_away(k) * 2; }, 3));
	std::printf("%d %s %d %d\n", sum(std::vector<int>{ 1, 2, 3 }), text(4).c_str(), make(3)->work(1), make(4)->work(9));
	std::printf("%d %g\n", local_static(2) + local_static(3), large.method(20));
	int results[3] = { 0, 0, 0 };
	std::vector<std::thread> threads;
	for (int &r : results)
		threads.emplace_back([&r] { r = in_thread(7); });
	for (auto &t : threads)
		t.join();
	std::printf("%d %d\n", results[0], results[2]);
	return 0;
}
