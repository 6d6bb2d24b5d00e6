/* section_threads: `fathom report --threads REGION`: the values of each thread in the call paths of a region. */
#ifndef FATHOM_TOOLS_REPORT_SECTION_THREADS_H
#define FATHOM_TOOLS_REPORT_SECTION_THREADS_H

struct fathom_report;

/* Prints the threads. 0, or -EINVAL after an error message: the region is not in the profile. */
int fathom_report_threads(struct fathom_report *report);

#endif
