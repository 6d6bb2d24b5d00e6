// Constructs where only C++ has places for them; exceptions stay inside.
#include <omp.h>

#include <cstdio>
#include <stdexcept>
#include <vector>

static int total, mastered;	// mastered: other threads may still add to total, in the copies of counted

template <typename T> struct adder {
	std::vector<T> values;

	explicit adder(int n) : values(n, T(1)) {}

	T sum() const
	{
		T result = T();

#pragma omp parallel for reduction(+:result)
		for (int i = 0; i < (int)values.size(); i++)
			result += values[i];
		return result;
	}
};

struct counted {
	counted() {}
	counted(const counted &) {
#pragma omp critical (counted)
		total++;
	}
};

int main()
{
	counted mine;
	auto work = [&](int n) {
#pragma omp parallel num_threads(2)
		{
			for (int i = 0; i < n; i++) {
				try {
#pragma omp critical
					{
						total++;
					}
					if (i % 2)
						throw std::runtime_error("odd");
				} catch (const std::runtime_error &) {
#pragma omp atomic
					total += 2;
				}
			}
		}
	};

	work(4);
	total += (int)adder<double>(10).sum() + adder<int>(10).sum();
#pragma omp parallel firstprivate(mine)
	{
#pragma omp master
		mastered++;
	}
	std::printf("%d\n", total + mastered - omp_get_max_threads());
	return 0;
}
