/*
 * options: the command line of `fathom report`.
 */
#ifndef FATHOM_TOOLS_REPORT_OPTIONS_H
#define FATHOM_TOOLS_REPORT_OPTIONS_H

struct fathom_report_options;

/* Fills in options. Ends the program after an error in the command line, or after printing the help. If several runs
 * are named, options->compares is true, and argv has the options before the runs. */
void fathom_report_parse(struct fathom_report_options *options, int argc, char **argv);

#endif
