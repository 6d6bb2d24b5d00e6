/*
 * json_samples: the samples of lines and of loops as JSON documents; doc/man/fathom-report.1 describes their members.
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_JSON_JSON_SAMPLES_H
#define FATHOM_TOOLS_REPORT_JSON_JSON_SAMPLES_H

struct fathom_function_lines;
struct fathom_report_options;
struct fathom_sampled_loops;

/* Prints the lines of the functions that were found. */
void fathom_report_json_lines(struct fathom_function_lines *lines);

/* Prints the loops: all of them, unless the options say how many. */
void fathom_report_json_loops(const struct fathom_sampled_loops *loops, const struct fathom_report_options *options);

#endif
