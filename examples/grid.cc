// More of what a program can tell fathom, in C++: amounts and values at points, a topology, regions from one place to
// another one.
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include <fathom/fathom.h>

namespace {

const int size = 64;

double relax(std::vector<double> &field)
{
	double residual = 0;

	FATHOM_LOOP_BEGIN("relax");
	for (std::size_t i = 1; i + 1 < field.size(); i++) {
		double mean = (field[i - 1] + field[i + 1]) / 2;
		residual += mean > field[i] ? mean - field[i] : field[i] - mean;
		field[i] = mean;
	}
	FATHOM_METRIC_UINT("cells", "cells", "Cells updated", field.size() - 2);
	FATHOM_METRIC_DOUBLE("work", "flop", "Floating point operations", 4.0 * static_cast<double>(field.size() - 2));
	FATHOM_POINT_DOUBLE("residual", "", "What is left to do", residual);
	FATHOM_LOOP_END("relax");
	return residual;
}

struct Packer {
	Packer() { FATHOM_REGION_BEGIN("pack"); }
	~Packer()
	{
		FATHOM_METRIC_INT("messages", "occ", "Messages packed", 3);
		FATHOM_REGION_END("pack");
	}
	Packer(const Packer &) = delete;
	Packer &operator=(const Packer &) = delete;
};

} // namespace

int main()
{
	const int sizes[] = { 4, 2 }, periodic[] = { 1, 0 }, place[] = { 3, 1 };
	const char *const names[] = { "x", "y" };
	std::vector<double> field(size);
	double residual = 0;

	FATHOM_TOPOLOGY("mesh", 2, sizes, periodic, names);
	FATHOM_TOPOLOGY_PROCESS("mesh", 2, place);
	FATHOM_TOPOLOGY("threads", 1, sizes, nullptr, nullptr);
	FATHOM_TOPOLOGY_THREAD("threads", 1, place);
	field.front() = 1;
	for (unsigned sweep = 0; sweep < 5; sweep++) {
		FATHOM_PHASE_BEGIN("sweep", sweep);
		FATHOM_POINT_UINT("left", "sweeps", "Sweeps left", 5 - sweep);
		FATHOM_POINT_INT("order", "", "Which sweep it is", static_cast<int>(sweep) - 2);
		residual = relax(field);
		FATHOM_PHASE_END("sweep");
	}
	for (int part = 0; part < 2; part++) {
		FATHOM_LOOP("parts");
		FATHOM_PARAMETER_INT("part", part);
		Packer packer;
	}
	std::printf("%.6f\n", residual);
	FATHOM_RECORDING_OFF();
	if (FATHOM_RECORDING())
		std::puts("this is never said");
	FATHOM_RECORDING_ON();
	return 0;
}
