/* processors: the number of processors that the run had, and whether its ranks or threads shared them. */
#ifndef FATHOM_TOOLS_REPORT_PROCESSORS_H
#define FATHOM_TOOLS_REPORT_PROCESSORS_H

#include <stddef.h>

struct fathom_report;

/* The nodes on which most threads share a processor. */
struct fathom_sharing {
	double nodes;		/* number of nodes; 0: none, or the file does not contain this */
	double processors;
	double processes, threads;
};
struct fathom_sharing fathom_report_sharing(const struct fathom_report *report);

/* Returns the number of processors that the run could use on all its nodes; -1: the file does not contain it. */
double fathom_report_processors(const struct fathom_report *report);

/* Returns the processor time of the run, in seconds; -1: the file does not contain it. */
double fathom_report_processor_time(const struct fathom_report *report);

/* Writes the texts for the head of the report, each of at most bytes; empty if the file does not contain the facts. */
void fathom_report_processor_facts(const struct fathom_report *report, char *processors, char *time, size_t bytes);

/* If threads share processors, prints a paragraph about this. */
void fathom_report_say_sharing(struct fathom_report *report);

#endif
