/*
 * report: `fathom report`, a profile as text for people or as JSON for programs.
 *
 * The report is a row of sections, each a function that reads one struct fathom_report and
 * prints. Nothing in a section remembers anything.
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
#include "tools/report/task_constructs.h"

struct fathom_report_options {
	const char *target;	/* directory or file as given, NULL: the newest */
	const char *metric;	/* NULL: time; "list": which there are */
	const char *sort;	/* a metric, "visits" or "name"; NULL: the metric, largest first */
	const char *callers;	/* region whose callers are asked for, NULL: none */
	const char *threads;	/* region whose values are asked for thread by thread, NULL: none */
	int64_t rank;		/* -1: all */
	int64_t depth;		/* levels of the call tree, -1: as the section sees fit */
	int64_t top;		/* regions listed, -1: as the section sees fit */
	double least_percent;	/* call paths below are not shown */
	int width;		/* 0: the terminal's */
	enum fathom_colour colour;
	bool all;
	bool flat;
	bool json;
	bool phases;		/* only phases, iteration by iteration */
	bool system;		/* only the system tree */
	bool trace;		/* the trace, though there is a profile as well */
};

struct fathom_report {
	struct fathom_report_options options;
	struct fathom_page page;
	struct fathom_profile profile;
	struct fathom_values time;	/* own is NULL where the file has none */
	struct fathom_values visits;	/* likewise */
	struct fathom_values values;	/* of the metric asked for, which may be time or visits */
	struct fathom_values sort_values;	/* what to sort by, own is NULL where that is a name, or values */
	struct fathom_phases phases;
	struct fathom_breakdown breakdown;	/* this and the following where there is time */
	struct fathom_bias bias;
	struct fathom_estimate estimate;
	struct fathom_tasks tasks;
	struct fathom_teams teams;
	double idle;			/* seconds of threads that wait for a parallel region, no part of the time */
	double idle_at_root;		/* of these, while the initial thread is outside of main */
};

/* Something that a reader should look at first. */
struct fathom_finding {
	const char *kind;	/* "imbalance", "lock contention", ... */
	uint32_t cnode;		/* where */
	double seconds;		/* what it costs, over all threads */
	char text[768];
};
enum { FATHOM_FINDING_ROOM = 8 };

/* Statistics of a call path over the threads that visited it. */
struct fathom_grid_runs {
	uint32_t cnode;
	struct fathom_statistics time;		/* its own */
	struct fathom_statistics visits;	/* count is 0 where not known */
};

/* What a column of the file, a thread or several, did in a call path. */
struct fathom_column {
	uint32_t location;
	double threads;			/* that came here, at least 1 */
	double visits, time, own;	/* of all of them; time with all that was called */
	double value, own_value;	/* the same of the metric asked for; a ratio or an extreme is of all of them */
};

/* Fill options from the command line; ends the program where it is wrong or asks for help. */
void fathom_report_parse(struct fathom_report_options *options, int argc, char **argv);

/* The metrics of which there are values. */
void fathom_report_metrics(struct fathom_report *report);

/* Whether regions and siblings in the call tree stand in the order of their names. */
bool fathom_report_sorts_by_name(const struct fathom_report *report);

/* At the end: units that are not written as everybody knows them. */
void fathom_report_explain_units(const struct fathom_page *page);

/* A line that says why functions have no place. */
void fathom_report_explain_places(const struct fathom_page *page);

void fathom_report_header(struct fathom_report *report);
void fathom_report_activities(struct fathom_report *report);
void fathom_report_balance(struct fathom_report *report);
void fathom_report_groups(struct fathom_report *report);
void fathom_report_spread(struct fathom_report *report);
int fathom_report_system(struct fathom_report *report);
void fathom_report_topologies(const struct fathom_report *report);
void fathom_report_teams(struct fathom_report *report);
void fathom_report_tasks(struct fathom_report *report);
void fathom_report_findings(struct fathom_report *report);
void fathom_report_counters(struct fathom_report *report);
void fathom_report_traffic(struct fathom_report *report);
void fathom_report_regions(struct fathom_report *report);
void fathom_report_tree(struct fathom_report *report);
void fathom_report_off(struct fathom_report *report);
void fathom_report_notes(struct fathom_report *report);

/* Both end with a line and -EINVAL if the region is not in the profile. */
int fathom_report_callers(struct fathom_report *report);
int fathom_report_threads(struct fathom_report *report);

/* Mark the regions that are called and have that name: exactly, else but for arguments, else by pattern. 0 or
 * -EINVAL after a line was said. */
int fathom_report_find_regions(const struct fathom_report *report, const char *wanted, bool *matches);

/* Whether there are any. Likewise. */
int fathom_report_check_regions(const struct fathom_report *report, const char *wanted);

/* The call paths of marked regions, the longest (by inclusive time, else visits) first; returns how many.
 * *cnodes is to be freed. */
uint32_t fathom_report_places(const struct fathom_report *report, const bool *matches, uint32_t **cnodes);

/* What stands out, the most expensive first; returns how many of room. */
uint32_t fathom_report_find(struct fathom_report *report, struct fathom_finding *findings);

/* Work in parallel regions of which statistics over threads are known, that which balance could save the
 * most of first; returns how many. *spreads is to be freed. Of files that are statistics only. */
uint32_t fathom_report_spreads(struct fathom_report *report, struct fathom_grid_runs **spreads);

/* The columns of the file with somebody who came to a call path, in their order; to be freed. NULL after a line
 * was said. */
struct fathom_column *fathom_report_columns(struct fathom_report *report, uint32_t cnode, uint32_t *count);

/* The whole profile. 0, or -errno after a line was said. */
int fathom_report_json(struct fathom_report *report);

/* The iterations of phases; with --phases one by one. 0, or -errno after a line was said; so the next. */
int fathom_report_phases(struct fathom_report *report);
int fathom_report_json_phases(struct fathom_report *report);

/* Its part about threads and OpenMP: members of the document. Likewise. */
int fathom_report_json_threads(struct fathom_report *report);
void fathom_report_json_topologies(const struct fathom_report *report);	/* the topologies, if there are any */

/* A cube attribute as a number; fallback where there is none. */
double fathom_report_number(const struct fathom_cube *cube, const char *key, double fallback);

/* Seconds from begin to end as far as the file tells, and the measurement's own share of all
 * locations' time (-1: it does not tell). */
double fathom_report_wall_time(const struct fathom_report *report);
double fathom_report_overhead(const struct fathom_report *report);

/* Processors that the run could use on all its nodes, and its processor time; -1: the file does not tell. */
double fathom_report_processors(const struct fathom_report *report);
double fathom_report_processor_time(const struct fathom_report *report);

/* Who shares processors, and how many, where most threads share one. */
struct fathom_sharing {
	double nodes;		/* on how many threads share processors; 0: on none, as far as the file tells */
	double processors;
	double processes, threads;
};
struct fathom_sharing fathom_report_sharing(const struct fathom_report *report);

/* The parts of the head that tell of processors. */
void fathom_report_processor_facts(const struct fathom_report *report, char *processors, char *time, size_t bytes);
void fathom_report_say_sharing(struct fathom_report *report);

/* Program and arguments as started; a text of the file or of the caller. */
const char *fathom_report_command(const struct fathom_report *report, char *text, size_t bytes);

/* What an OpenMP construct is called in a table of its kind: its place, else its name. */
const char *fathom_region_construct(const struct fathom_cube_region *region, char *text, size_t bytes);

/* Text that stands for where a region is: "lulesh.cc:1034", else its paradigm; of a function without line numbers
 * fathom_no_place, "-". */
extern const char fathom_no_place[];
const char *fathom_region_place(const struct fathom_cube_region *region, char *text, size_t bytes);

/* A name that can be seen. */
const char *fathom_region_name(const struct fathom_cube_region *region);

/* How a region's name, and a share of the whole, are coloured. */
enum fathom_ink fathom_region_ink(const struct fathom_cube_region *region);
enum fathom_ink fathom_share_ink(double share);

/* What share of the total a value is; 0 where that makes no sense (minima, maxima). */
double fathom_values_share(const struct fathom_values *values, double value);

#endif
