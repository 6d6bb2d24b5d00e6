/*
 * tau_pattern: makes patterns (glob.h) of the names in TAU's lists of functions and files.
 *
 * In names of functions # matches any text; in names of files * and ? are as in patterns. Both functions change the
 * text in place and return where the pattern begins in it. A character that has a meaning in patterns alone becomes ?,
 * which matches it. Context of all functions: signal.
 */
#ifndef FATHOM_FILTER_TAU_PATTERN_H
#define FATHOM_FILTER_TAU_PATTERN_H

#ifdef __cplusplus
extern "C" {
#endif

/* The type and the parameters of a function are cut off: "void Grid::sort(int *) C" becomes "Grid::sort". */
char *fathom_tau_name_pattern(char *name);
char *fathom_tau_file_pattern(char *name);

#ifdef __cplusplus
}
#endif

#endif
