/*
 * section_lines: the source of a function with the samples of each line (--lines).
 */
#ifndef FATHOM_TOOLS_REPORT_SECTION_LINES_H
#define FATHOM_TOOLS_REPORT_SECTION_LINES_H

struct fathom_page;
struct fathom_report_options;

/* Prints the section for the experiment to which a result file belongs. 0, or -errno after an error message. */
int fathom_report_lines(struct fathom_page *page, const struct fathom_report_options *options, const char *result);

#endif
