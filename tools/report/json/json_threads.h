/*
 * json_threads: the use of threads and OpenMP, as members of the JSON document.
 */
#ifndef FATHOM_TOOLS_REPORT_JSON_THREADS_H
#define FATHOM_TOOLS_REPORT_JSON_THREADS_H

struct fathom_report;

/* Prints the use of threads. 0, or -errno after an error message. */
int fathom_report_json_threads(struct fathom_report *report);

#endif
