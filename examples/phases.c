/*
 * What a program can tell fathom itself, in C: build it with `fathom gcc`, and look at it with `fathom report`.
 * Without fathom it is the same program: the macros are nothing then, if the header is there.
 */
#include <stdio.h>

#include <fathom/fathom.h>

enum { STEPS = 10, CELLS = 2000 };

static double cells[CELLS];

/* The region ends with the function, however that is left. */
static double relax(int sweeps)
{
	double change = 0;

	FATHOM_FUNCTION();
	FATHOM_PARAMETER_INT("sweeps", sweeps);
	for (int s = 0; s < sweeps; s++)
		for (int i = 1; i + 1 < CELLS; i++) {
			double mean = (cells[i - 1] + cells[i + 1]) / 2;

			change += mean > cells[i] ? mean - cells[i] : cells[i] - mean;
			cells[i] = mean;
		}
	return change;
}

static void output(const char *format)
{
	FATHOM_REGION("output");
	FATHOM_PARAMETER_STRING("format", format);
	cells[1] += format[0] == 't';
}

int main(void)
{
	double change = 0;

	FATHOM_REGION_BEGIN("setup");
	FATHOM_LOOP_BEGIN("fill");
	for (int i = 0; i < CELLS; i++)
		cells[i] = i % 7;
	FATHOM_LOOP_END("fill");
	FATHOM_REGION_END("setup");

	for (int step = 0; step < STEPS; step++) {
		FATHOM_PHASE("step", step);
		change += relax(step % 3 == 0 ? 4 : 1);
		if (step % 5 == 4)
			output(step < 5 ? "text" : "binary");
	}
	FATHOM_RECORDING_OFF();
	change += relax(2);
	if (FATHOM_RECORDING())
		puts("this is never said");
	FATHOM_RECORDING_ON();
	FATHOM_TRACE_KEEP();
	printf("%.3f\n", change);
	return 0;
}
