/*
 * processors: how many processors the run had, and whether its ranks or threads shared them.
 */
#ifndef FATHOM_TOOLS_REPORT_PROCESSORS_H
#define FATHOM_TOOLS_REPORT_PROCESSORS_H

#include <stddef.h>

struct fathom_report;

/* The nodes on which most threads share a processor. */
struct fathom_sharing {
	double nodes;		/* how many nodes; 0: none, as far as the file tells */
	double processors;
	double processes, threads;
};
struct fathom_sharing fathom_report_sharing(const struct fathom_report *report);

/* How many processors the run could use on all its nodes; -1: the file does not tell. */
double fathom_report_processors(const struct fathom_report *report);

/* Processor time of the run, in seconds; -1: the file does not tell. */
double fathom_report_processor_time(const struct fathom_report *report);

/* Texts for the head of the report, each of at most bytes; empty where the file does not tell. */
void fathom_report_processor_facts(const struct fathom_report *report, char *processors, char *time, size_t bytes);

/* A paragraph that says so, if threads share processors. */
void fathom_report_say_sharing(struct fathom_report *report);

#endif
