/*
 * section_loops: the loops in which the samples of a run were taken (--loops).
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_LOOPS_H
#define FATHOM_TOOLS_REPORT_SECTION_LOOPS_H

struct fathom_page;
struct fathom_report_options;

/* Prints the section for the experiment to which a result file belongs. 0, or -errno after an error message. */
int fathom_report_loops(struct fathom_page *page, const struct fathom_report_options *options, const char *result);

#endif
