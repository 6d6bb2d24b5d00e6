/*
 * More of what a program can tell fathom, in C: amounts and values at points, a topology, regions whose names
 * are known only when the program runs. Build it with `fathom gcc`; look at it with `fathom report --metric cells` and
 * `--system`.
 */
#include <stdio.h>

#include <fathom/fathom.h>

enum { SIZE = 64, SWEEPS = 5 };

static double field[SIZE][SIZE];

static double relax(void)
{
	double residual = 0;

	FATHOM_LOOP("relax");
	for (int y = 1; y + 1 < SIZE; y++)
		for (int x = 1; x + 1 < SIZE; x++) {
			double mean = (field[y][x - 1] + field[y][x + 1] + field[y - 1][x] + field[y + 1][x]) / 4;

			residual += mean > field[y][x] ? mean - field[y][x] : field[y][x] - mean;
			field[y][x] = mean;
		}
	FATHOM_METRIC_INT("cells", "cells", "Cells updated", (SIZE - 2) * (SIZE - 2));
	FATHOM_METRIC_DOUBLE("work", "flop", "Floating point operations", 6.0 * (SIZE - 2) * (SIZE - 2));
	FATHOM_POINT_DOUBLE("residual", "", "What is left to do", residual);
	return residual;
}

int main(void)
{
	const int sizes[] = { 4, 2 }, periodic[] = { 1, 0 }, place[] = { 3, 1 };
	const char *const names[] = { "x", "y" }, *parts[] = { "north", "south" };
	double residual = 0;

	FATHOM_TOPOLOGY("mesh", 2, sizes, periodic, names);
	FATHOM_TOPOLOGY_PROCESS("mesh", 2, place);
	FATHOM_TOPOLOGY("threads", 1, sizes, NULL, NULL);
	FATHOM_TOPOLOGY_THREAD("threads", 1, place);
	for (int x = 0; x < SIZE; x++)
		field[0][x] = field[SIZE - 1][x] = x;
	for (unsigned sweep = 0; sweep < SWEEPS; sweep++) {
		FATHOM_PHASE_BEGIN("sweep", sweep);
		FATHOM_POINT_UINT("left", "sweeps", "Sweeps left", SWEEPS - sweep);
		FATHOM_POINT_INT("order", "", "Which sweep it is", (int)sweep - 2);
		residual = relax();
		FATHOM_PHASE_END("sweep");
	}
	for (int part = 0; part < 2; part++) {
		FATHOM_NAMED_BEGIN(parts[part]);
		FATHOM_PARAMETER_UINT("rows", SIZE / 2);
		FATHOM_METRIC_UINT("bytes", "bytes", "Bytes packed", sizeof(field) / 2);
		FATHOM_NAMED_END(parts[part]);
	}
	printf("%.6f\n", residual);
	return 0;
}
