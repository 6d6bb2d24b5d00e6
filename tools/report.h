/*
 * report: `fathom report`, a profile as text for people or as JSON for programs.
 *
 * The report is a row of sections, each a function that reads one struct fathom_report and
 * prints. Nothing in a section remembers anything.
 */
#ifndef FATHOM_TOOLS_REPORT_H
#define FATHOM_TOOLS_REPORT_H

#include "breakdown.h"
#include "page.h"
#include "profile.h"

struct fathom_report_options {
	const char *target;	/* directory or file as given, NULL: the newest */
	const char *metric;	/* NULL: time */
	const char *callers;	/* region whose callers are asked for, NULL: none */
	int64_t rank;		/* -1: all */
	int64_t depth;		/* levels of the call tree, -1: as the section sees fit */
	int64_t top;		/* regions listed, -1: as the section sees fit */
	double least_percent;	/* call paths below are not shown */
	int width;		/* 0: the terminal's */
	enum fathom_colour colour;
	bool all;
	bool flat;
	bool json;
};

struct fathom_report {
	struct fathom_report_options options;
	struct fathom_page page;
	struct fathom_profile profile;
	struct fathom_values time;	/* own is NULL where the file has none */
	struct fathom_values visits;	/* likewise */
	struct fathom_values values;	/* of the metric asked for, which may be time or visits */
	struct fathom_breakdown breakdown;	/* where there is time */
};

/* Fill options from the command line; ends the program where it is wrong or asks for help. */
void fathom_report_parse(struct fathom_report_options *options, int argc, char **argv);

void fathom_report_header(struct fathom_report *report);
void fathom_report_activities(struct fathom_report *report);
void fathom_report_balance(struct fathom_report *report);
void fathom_report_traffic(struct fathom_report *report);
void fathom_report_regions(struct fathom_report *report);
void fathom_report_tree(struct fathom_report *report);
void fathom_report_notes(struct fathom_report *report);

/* Both end with a line and -EINVAL if the region is not in the profile. */
int fathom_report_callers(struct fathom_report *report);

/* The whole profile. 0, or -errno after a line was said. */
int fathom_report_json(struct fathom_report *report);

/* A cube attribute as a number; fallback where there is none. */
double fathom_report_number(const struct fathom_cube *cube, const char *key, double fallback);

/* Seconds from begin to end as far as the file tells, and the measurement's own share of all
 * locations' time (-1: it does not tell). */
double fathom_report_wall_time(const struct fathom_report *report);
double fathom_report_overhead(const struct fathom_report *report);

/* Program and arguments as started; a text of the file or of the caller. */
const char *fathom_report_command(const struct fathom_report *report, char *text, size_t bytes);

/* Text that stands for where a region is: "lulesh.cc:1034", else its paradigm. */
const char *fathom_region_place(const struct fathom_cube_region *region, char *text, size_t bytes);

/* A name that can be seen. */
const char *fathom_region_name(const struct fathom_cube_region *region);

/* How a region's name, and a share of the whole, are coloured. */
enum fathom_ink fathom_region_ink(const struct fathom_cube_region *region);
enum fathom_ink fathom_share_ink(double share);

/* What share of the total a value is; 0 where that makes no sense (minima, maxima). */
double fathom_values_share(const struct fathom_values *values, double value);

#endif
