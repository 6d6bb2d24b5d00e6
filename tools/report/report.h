/*
 * report: `fathom report`, a profile as text for people or as JSON for programs.
 *
 * The report is a sequence of sections. Each section is a function (section_*.h) that reads one struct fathom_report
 * and prints; sections keep no state. main.c fills in the struct and calls them. Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_REPORT_REPORT_H
#define FATHOM_TOOLS_REPORT_REPORT_H

#include "tools/common/activity_times.h"
#include "tools/common/profile.h"
#include "tools/common/text_layout.h"
#include "tools/report/disabled_time.h"
#include "tools/report/own_cost.h"
#include "tools/report/parallel_regions.h"
#include "tools/report/phases.h"
#include "tools/common/samples/sampled_times.h"
#include "tools/report/task_constructs.h"

/* The command line. */
struct fathom_report_options {
	const char *target;	/* directory or file as given, NULL: the newest */
	const char *metric;	/* NULL: time; "list": print the metrics of the profile */
	const char *sort;	/* a metric, "visits" or "name"; NULL: the metric, largest first */
	const char *column;	/* a metric that is one more column in the list of regions; NULL: none */
	const char *callers;	/* the region whose callers are printed; NULL: none */
	const char *lines;	/* the function whose lines are printed with their samples; NULL: none */
	const char *threads;	/* the region whose values are printed thread by thread; NULL: none */
	int64_t rank;		/* -1: all */
	int64_t depth;		/* levels of the call tree, -1: the default of the section */
	int64_t top;		/* regions listed, -1: the default of the section */
	double least_percent;	/* call paths with a smaller share are not shown */
	int width;		/* 0: the terminal's */
	enum fathom_colour colour;
	bool compares;		/* several runs are named: fathom diff */
	bool all;
	bool flat;
	bool json;
	bool loops;		/* print only loops, with their samples */
	bool no_scopes;		/* no loops and inlined functions in the call tree */
	bool phases;		/* only phases, iteration by iteration */
	bool samples;		/* columns of samples in the list of regions and the call tree */
	bool system;		/* only the system tree */
	bool waits;		/* only wait states */
	bool critical;		/* only the critical path */
	bool messages;		/* only the messages between ranks */
	bool trace;		/* the trace, even if there is a profile */
};

/* The data that the sections read. */
struct fathom_report {
	struct fathom_report_options options;
	struct fathom_page page;
	struct fathom_profile profile;
	struct fathom_values time;	/* own is NULL where the file has no time */
	struct fathom_values visits;	/* own is NULL if the file has no visits */
	struct fathom_values values;	/* of the chosen metric, which may be time or visits */
	struct fathom_values sort_values;	/* of the metric to sort by; own is NULL: sort by name, or by values */
	struct fathom_values column_values;	/* of the metric of --column; own is NULL: none */
	struct fathom_sampled_times sampled;
	struct fathom_phases phases;
	struct fathom_activity_times breakdown;	/* this and the following are set if the file has time */
	struct fathom_own_cost own_cost;
	struct fathom_estimate estimate;
	struct fathom_tasks tasks;
	struct fathom_teams teams;
	struct fathom_report *scoped;	/* the same with the profile that has loops and inlined functions as call paths:
					 * what the call tree needs, down to sampled; NULL: there is none */
	const char *scopes_remark;	/* why some, or all, of these are missing; NULL: they are not */
	bool is_difference;		/* the profile has differences: large is what is far from 0 */
	double whole;			/* shares are of this: the total, or the sum of absolute differences */
	double idle;			/* seconds in which threads wait for a parallel region; not part of the time */
	double idle_at_root;		/* the part of idle while the initial thread is outside of main */
};

/* Returns whether regions, and siblings in the call tree, are sorted by their names. */
bool fathom_report_sorts_by_name(const struct fathom_report *report);

/* Returns the size of a value by which lines are sorted and chosen: of differences, the absolute value. */
double fathom_report_size(const struct fathom_report *report, double value);

/* Returns the share of a value of the chosen metric in the whole; 0 for metrics without shares (minima, maxima). */
double fathom_report_share(const struct fathom_report *report, double value);

/* Prints, at the end of a report, an explanation of units that some readers may not know. */
void fathom_report_explain_units(const struct fathom_page *page);

#endif
