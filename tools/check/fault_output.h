/*
 * fault_output: prints the faults of a trace as `fathom check` finds them, a line or a JSON record each.
 */
#ifndef FATHOM_TOOLS_CHECK_FAULT_OUTPUT_H
#define FATHOM_TOOLS_CHECK_FAULT_OUTPUT_H

#include "otf2/faults.h"

/* Number of faults that are printed without --all; the others are only counted. */
enum { FATHOM_FAULTS_SHOWN = 10 };

struct fathom_fault_output {
	struct fathom_faults faults;
	bool json;
	bool all;			/* print all faults */
	const char *head;		/* the beginning of the JSON document, printed before the first fault */
	uint64_t shown;			/* faults printed so far */
};

/* Prepares the output. head is not copied. */
void fathom_fault_output_init(struct fathom_fault_output *output, bool json, bool all, const char *head);

#endif
