/*
 * analysis: what follows from the runs at several sizes: the expectation, factors, losses and models. Context: tool.
 */
#ifndef FATHOM_TOOLS_SCALING_ANALYSIS_H
#define FATHOM_TOOLS_SCALING_ANALYSIS_H

#include "tools/scaling/sizes.h"

/* Computes the members of scaling behind efficiencies, and the coefficients, losses and factors of all sizes. The
 * caller has set expectation, and a and b for FATHOM_EXPECT_COEFFICIENTS. */
void fathom_scaling_analyse(struct fathom_scaling *scaling);

#endif
