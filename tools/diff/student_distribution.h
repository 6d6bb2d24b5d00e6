/*
 * student_distribution: probabilities that tests of differences need. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_DIFF_STUDENT_DISTRIBUTION_H
#define FATHOM_TOOLS_DIFF_STUDENT_DISTRIBUTION_H

/* Returns the quantile of Student's t distribution: the value that is exceeded with probability p, 0 < p < 0.5, at so
 * many degrees of freedom. */
double fathom_student_quantile(double p, double degrees);

/* Returns the probability that a ratio of two variances with so many degrees of freedom exceeds a value by chance (the
 * F distribution). */
double fathom_variance_ratio_tail(double ratio, double degrees_above, double degrees_below);

#endif
