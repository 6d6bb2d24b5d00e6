// C++ and OpenMP: objects that teams and tasks copy, exceptions inside regions, templates, methods and
// lambdas with regions in them. How to read the expectations: expect.py.
#include <cstdio>
#include <omp.h>

#define NOINLINE __attribute__((noinline))

namespace t {

static int made, copied, destroyed;

static void say(const char *what, long value)
{
	std::printf("%-16s %ld\n", what, value);
}

static NOINLINE int work(int i)
{
	__asm__ volatile("" : "+r"(i));
	return i * i % 7;
}

// Copies are made, and destroyed, by each thread before the team begins and after it has ended.
struct thing {
	int value;
	NOINLINE thing(int v) : value(v) { count(made); }
	NOINLINE thing(const thing &other) : value(other.value) { count(copied); }
	NOINLINE ~thing() { count(destroyed); }
	NOINLINE int get() const { __asm__ volatile(""); return value; }	/* two calls stay two */
	NOINLINE int each(int n) const;
	static NOINLINE void count(int &what)
	{
#pragma omp atomic
		what++;
	}
};

// Calls of constructors and destructors of the team's copies come outside it, and may be lost: how many of
// them are seen is not said here.
//! anywhere t::thing::thing(t::thing const&) >= 0
//!   t::thing::count(int&) >= 0
//! anywhere t::thing::~thing() >= 0
//!   t::thing::count(int&) >= 0
//! anywhere t::thing::thing(int) >= 1
//!   t::thing::count(int&) >= 1
//! t::copies() = 1
//!   team @copies_team = 1, T
//!     t::thing::get() const = T
//!     for @copies_for = T
//!       t::thing::get() const = 2 * T
static NOINLINE void copies()
{
	thing one(3), two(4);
	int sum = 0;

#pragma omp parallel firstprivate(one) reduction(+:sum) //@copies_team
	{
		sum += one.get();
#pragma omp for firstprivate(two) //@copies_for
		for (int i = 0; i < 2 * omp_get_num_threads(); i++)
			sum += two.get();
	}
	say("copies", sum);
}

//! t::copies_of_tasks() = 1
//!   team @task_team = 1, T
//!     single @task_single = T, 1
//!       !$omp create task @task_task = 4
//! TASKS
//!   !$omp task @task_task = 4
//!     t::thing::get() const = 4
static NOINLINE void copies_of_tasks()
{
	thing one(5);
	int sum = 0;

#pragma omp parallel shared(one, sum) //@task_team
	{
#pragma omp single //@task_single
		{
			for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(one) shared(sum) //@task_task
				{
#pragma omp atomic
					sum += one.get();
				}
			}
		}
	}
	say("copies of tasks", sum);
}

struct sum_of {
	long value;
	NOINLINE sum_of(long v = 0) : value(v) {}
	NOINLINE sum_of &operator+=(const sum_of &other)
	{
		value += other.value;
		return *this;
	}
};
#pragma omp declare reduction(add : sum_of : omp_out += omp_in) initializer(omp_priv = sum_of(0))

//! anywhere t::sum_of::operator+=(t::sum_of const&) >= 12
//! anywhere t::sum_of::sum_of(long) >= 13
//!o anywhere critical @reduction_for >= 0 ...
//! t::reduction() = 1
//!   teamfor @reduction_for = 1, T
static NOINLINE void reduction()
{
	sum_of all;

#pragma omp parallel for reduction(add:all) //@reduction_for
	for (int i = 0; i < 12; i++)
		all += sum_of(i);
	say("reduction", all.value);
}

struct error { int code; };

static NOINLINE void fail(int code)
{
	work(code);
	throw error{code};
}

static NOINLINE int deep(int code)
{
	if (code % 2)
		fail(code);
	return code;
}

// Caught inside the construct it was thrown in, as it must be.
//! t::exceptions() = 1
//!   team @exception_team = 1, T
//!     for @exception_for = T
//!       t::deep(int) = 10
//!         t::fail(int) = 5
//!           t::work(int) = 5
//!       critical @exception_critical = 5
//!         t::work(int) = 5
//!     single @exception_single = T, 1
//!       !$omp create task @exception_task = 6
//! TASKS
//!   !$omp task @exception_task = 6
//!     t::deep(int) = 6
//!       t::fail(int) = 3
//!         t::work(int) = 3
static NOINLINE void exceptions()
{
	int sum = 0;

#pragma omp parallel //@exception_team
	{
#pragma omp for //@exception_for
		for (int i = 0; i < 10; i++) {
			try {
				deep(i);
			} catch (const error &caught) {
#pragma omp critical //@exception_critical
				sum += caught.code + work(0);
			}
		}
#pragma omp single //@exception_single
		{
			for (int i = 0; i < 6; i++) {
#pragma omp task shared(sum) //@exception_task
				{
					int got;

					try {
						got = deep(i);
					} catch (const error &caught) {
						got = 10 * caught.code;
					}
#pragma omp atomic
					sum += got;
				}
			}
		}
	}
	say("exceptions", sum);
}

template <typename T> NOINLINE T total(const T *field, int n)
{
	T sum = T();

#pragma omp parallel for reduction(+:sum) //@template_for
	for (int i = 0; i < n; i++)
		sum += field[i];
	return sum;
}

int thing::each(int n) const
{
	int sum = 0;

#pragma omp parallel for reduction(+:sum) //@method_for
	for (int i = 0; i < n; i++)
		sum += get();
	return sum;
}

//! t::places() = 1
//!   int t::total<int>(int const*, int) = 1
//!     teamfor @template_for = 1, T
//!   double t::total<double>(double const*, int) = 1
//!     teamfor @template_for = 1, T
//!   t::thing::each(int) const = 1
//!     teamfor @method_for = 1, T
//!       t::thing::get() const = 7
//!   t::places()::{lambda(int)#1}::operator()(int) const = 2
//!     team @lambda_team = 2, 2 * T
//!       t::work(int) = 2 * T
//!   team @lambda_call_team = 1, T
//!     t::places()::{lambda()#2}::operator()() const = T
//!       t::work(int) = T
//!   teamfor @range_for = 1, T
//!     t::work(int) = 5
static NOINLINE void places()
{
	static const int whole[] = { 1, 2, 3, 4, 5 };
	static const double real[] = { 0.5, 0.25 };
	thing one(2);
	int sum = 0;
	auto with_team = [&sum](int n) NOINLINE {
#pragma omp parallel num_threads(n) //@lambda_team
		{
#pragma omp atomic
			sum += work(3);
		}
	};
	auto in_team = [&]() NOINLINE {
#pragma omp atomic
		sum += work(2);
	};

	say("templates", total(whole, 5) + static_cast<long>(total(real, 2) * 100));
	say("method", one.each(7));
	with_team(omp_get_max_threads());
	with_team(omp_get_max_threads());
#pragma omp parallel //@lambda_call_team
	in_team();
#pragma omp parallel for reduction(+:sum) //@range_for
	for (auto &value : whole) {
		sum += work(value);
	}
	say("lambdas", sum);
}

} // namespace t

//! main = 1
int main()
{
	t::copies();
	t::copies_of_tasks();
	t::reduction();
	t::exceptions();
	t::places();
	t::say("objects", t::made);
	t::say("left", t::made + t::copied - t::destroyed);
}
