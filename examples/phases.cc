// What a program can tell fathom itself, in C++: regions end with their scopes, also where an exception leaves them.
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include <fathom/fathom.h>

namespace {

class Grid {
public:
	explicit Grid(int size) : cells(size) { FATHOM_FUNCTION(); }

	double relax(unsigned sweeps)
	{
		FATHOM_FUNCTION();
		FATHOM_PARAMETER_UINT("sweeps", sweeps);
		double change = 0;
		for (unsigned s = 0; s < sweeps; s++)
			for (std::size_t i = 1; i + 1 < cells.size(); i++) {
				double mean = (cells[i - 1] + cells[i + 1] + 1) / 2;
				change += mean - cells[i];
				cells[i] = mean;
			}
		return change;
	}

	void write(const std::string &format)
	{
		FATHOM_REGION("write");
		FATHOM_PARAMETER_STRING("format", format.c_str());
		if (format == "none")
			throw std::runtime_error("no format");
	}

private:
	std::vector<double> cells;
};

template <typename Number> Number twice(Number number)
{
	FATHOM_REGION("twice");
	return number + number;
}

} // namespace

int main()
{
	Grid grid(1000);
	double change = 0;

	for (int step = 0; step < 6; step++) {
		FATHOM_PHASE("step", step);
		change += grid.relax(step % 2 ? 3u : 1u);
		try {
			grid.write(step < 4 ? "text" : "none");
		} catch (const std::exception &) {
			FATHOM_REGION("recover");
		}
	}
	FATHOM_RECORDING_OFF();
	twice(change);
	FATHOM_RECORDING_ON();
	FATHOM_TRACE_KEEP();
	for (const std::string part : { "east", "west" }) {
		FATHOM_NAMED_BEGIN(part.c_str());
		change = twice(change) + static_cast<double>(twice(1));
		FATHOM_NAMED_END(part.c_str());
	}
	std::printf("%.3f\n", change);
	return 0;
}
