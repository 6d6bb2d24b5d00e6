/*
 * operation: computes the values of a result from those of its inputs, and writes it as a profile.
 *
 * Each value of the result is computed from the values of the inputs at the same metric, call path and location. A call
 * path that an input lacks counts as 0, for minima and maxima as "never". Counts are computed without loss. Statistics
 * over threads (tuples) are copied where nothing is computed, else their sums are used. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_ALGEBRA_OPERATION_H
#define FATHOM_TOOLS_ALGEBRA_OPERATION_H

#include "tools/algebra/algebra_inputs.h"

enum fathom_operation {
	FATHOM_OPERATION_DIFF,		/* mean of the second side minus mean of the first one */
	FATHOM_OPERATION_MEAN,
	FATHOM_OPERATION_DEVIATION,	/* the standard deviation of own values, of several inputs */
	FATHOM_OPERATION_MAX,		/* of own values */
	FATHOM_OPERATION_MIN,
	FATHOM_OPERATION_MERGE,		/* the values of the first input that has the metric */
	FATHOM_OPERATION_MERGE_MEAN,	/* the mean of the inputs that have the metric */
	FATHOM_OPERATION_SIDE,		/* own values of one input, with the metrics and call paths of all */
	FATHOM_OPERATION_CUT,		/* of one input: the call paths that are left */
};

/*
 * Writes the result of an operation on matched inputs to output, which must not exist. first_count: of DIFF, the
 * number of inputs of the first side; of SIDE, the input. Prints a line about the result, and lines about what it
 * lacks, unless algebra->hides_lines. 0, or -errno after an error message; then there is no output.
 */
int fathom_operation_write(struct fathom_algebra *algebra, enum fathom_operation operation, uint32_t first_count,
			   const char *output);

/* Opens and matches the profiles that the targets name, and writes the result of an operation on them. The same
 * errors. */
int fathom_operation_run(char *const *targets, int count, enum fathom_operation operation, uint32_t first_count,
			 const char *output);

/* Ends the program with an error message if output cannot be the name of a new profile. */
void fathom_operation_check_output(const char *output);

#endif
