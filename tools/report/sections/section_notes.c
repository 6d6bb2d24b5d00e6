#include "tools/report/sections/section_notes.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/number_format.h"
#include "tools/report/report.h"
#include "tools/report/run_attributes.h"

/* --- traffic ------------------------------------------------------------------------------ */

/* Returns the sum of a metric over the whole tree; 0 if the file does not have the metric. */
static double total_of(struct fathom_report *report, const char *name)
{
	struct fathom_profile *profile = &report->profile;
	int32_t metric = fathom_cube_metric_by_name(profile->cube, name);
	struct fathom_values values;
	double total = 0;
	uint32_t c;

	if (metric < 0 || !fathom_profile_can_read(&profile->cube->metrics[metric]) ||
	    fathom_profile_values(profile, (uint32_t)metric, &values))
		return 0;
	for (c = 0; c < profile->cube->cnode_count; c++)
		total += profile->counted[c] ? values.own[c] : 0;
	fathom_values_free(&values);
	return total;
}

void fathom_report_traffic(struct fathom_report *report)
{
	static const struct {
		const char *title, *out, *in;
		bool is_bytes;
	} rows[] = {
		{ "Messages, sent and received", "messages_sent", "messages_received", false },
		{ "Data sent and received", "bytes_sent", "bytes_received", true },
		{ "One-sided data, put and got", "bytes_put", "bytes_get", true },
		{ "Files, written and read", "io_bytes_written", "io_bytes_read", true },
	};
	char out_text[FATHOM_NUMBER_BYTES], in_text[FATHOM_NUMBER_BYTES];
	bool begun = false;
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		double out = total_of(report, rows[i].out), in = total_of(report, rows[i].in);

		if (out == 0 && in == 0)
			continue;
		if (!begun)
			fathom_page_heading(&report->page, "Messages and data", "");
		begun = true;
		printf("%9s %9s  %s\n",
		       rows[i].is_bytes ? fathom_number_bytes(out_text, out) : fathom_number_count(out_text, out),
		       rows[i].is_bytes ? fathom_number_bytes(in_text, in) : fathom_number_count(in_text, in),
		       rows[i].title);
	}
}

/* The part of the time from which on the cost of measuring is reported. */
#define WORTH_A_BUDGET 0.1

/* --- notes -------------------------------------------------------------------------------- */

struct notes {
	struct fathom_report *report;
	bool begun;
};

static void note(struct notes *notes, const char *text)
{
	struct fathom_page *page = &notes->report->page;

	if (!notes->begun)
		fathom_page_heading(page, "Please note", "");
	notes->begun = true;
	printf("%s!%s ", fathom_page_style(page, FATHOM_STYLE_WARN), fathom_page_style(page, FATHOM_STYLE_PLAIN));
	fathom_page_paragraph(page, text, 2);
}

/* Notes that regions that a filter left out are missing in the numbers. */
static void note_filter(struct notes *notes)
{
	const struct fathom_cube *cube = notes->report->profile.cube;
	const char *filter = fathom_cube_attribute(cube, "fathom::filter");
	const char *ranks = fathom_cube_attribute(cube, "fathom::filtered_ranks");
	double count = fathom_report_number(cube, "fathom::filtered_regions", 0);
	char number[FATHOM_NUMBER_BYTES], text[1600];

	if (!filter)
		return;
	snprintf(text, sizeof(text), "Recorded with the filter %s, which left out %s region%s that %s met. Their "
		 "calls are not counted, and their time is with the regions around them.%s%s%s", filter,
		 fathom_number_count(number, count), count == 1 ? "" : "s", count == 1 ? "was" : "were",
		 ranks ? " The ranks differ; in rank: regions left out there are " : "", ranks ? ranks : "",
		 ranks ? "." : "");
	note(notes, text);
}

static void note_attributes(struct notes *notes)
{
	static const struct {
		const char *key, *text;
	} counts[] = {
		{ "fathom::ranks_missing", "Ranks that left no data and are not in this profile: %s." },
		{ "fathom::dropped_depth", "Calls not recorded because they were nested too deeply: %s." },
		{ "fathom::dropped_nodes",
		  "Calls without a call path of their own, because all that FATHOM_NODES allows were used up: %s. "
		  "Their time is in {truncated} or with their caller; a larger FATHOM_NODES shows them." },
		{ "fathom::dropped_memory", "Calls not recorded because the system had no more memory: %s." },
		{ "fathom::iterations_lost",
		  "Maps of phases (which iteration is in which cluster) that are missing for lack of room: %s. A "
		  "larger FATHOM_PHASE_CLUSTERS, or 0, keeps iterations apart." },
		{ "fathom::samples_shortened",
		  "Samples counted at an outer function, because all call paths that FATHOM_NODES allows were used up: "
		  "%s. A larger FATHOM_NODES keeps more." },
		{ "fathom::unbalanced_exits", "Exits ignored because they came without their enter: %s." },
	};
	const struct fathom_cube *cube = notes->report->profile.cube;
	const char *complete = fathom_cube_attribute(cube, "fathom::complete");
	/* fathom merge names the missing ranks. */
	bool says_who_is_missing = complete && strstr(complete, "left nothing");
	char number[FATHOM_NUMBER_BYTES], text[768];
	double count;
	size_t i;

	if (complete && strncmp(complete, "no", 2) == 0) {
		const char *reason = complete + 2;

		reason += strspn(reason, ": ");
		snprintf(text, sizeof(text), "Not complete: %s.", *reason ? reason : "the file does not say why");
		note(notes, text);
	}
	for (i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		count = fathom_report_number(cube, counts[i].key, 0);
		if (count <= 0 || (i == 0 && says_who_is_missing))
			continue;
		snprintf(text, sizeof(text), counts[i].text, fathom_number_count(number, count));
		note(notes, text);
	}
}

/* Notes the regions that stand for calls without call paths of their own. */
static void note_regions(struct notes *notes)
{
	static const struct {
		const char *name, *paradigm, *text;
	} places[] = {
		{ "{truncated}", "measurement",
		  "%s of the time is in {truncated}: calls beyond the limit of call paths." },
		{ "COLLAPSE", "user", "%s of the time is in COLLAPSE: calls nested too deeply." },
		{ "MEASUREMENT OFF", "user", "%s of the time passed while recording was paused." },
	};
	struct fathom_report *report = notes->report;
	const struct fathom_cube *cube = report->profile.cube;
	char percent[FATHOM_NUMBER_BYTES], text[256];
	uint32_t c;
	size_t i;

	for (i = 0; report->time.own && i < sizeof(places) / sizeof(places[0]); i++) {
		double seconds = 0;
		bool found = false;

		for (c = 0; c < cube->cnode_count; c++) {
			const struct fathom_cube_region *region = fathom_profile_region(&report->profile, c);

			if (strcmp(region->name, places[i].name) == 0 &&
			    strcmp(region->paradigm, places[i].paradigm) == 0) {
				found = true;
				seconds += report->time.own[c];
			}
		}
		if (!found)
			continue;
		snprintf(text, sizeof(text), places[i].text,
			 fathom_number_percent(percent, seconds, report->time.total));
		note(notes, text);
	}
}

/* Notes ranks that ran long after MPI_Finalize: the profile of all ranks was complete, so they left profiles of their
 * own. */
static void note_latecomers(struct notes *notes)
{
	const struct fathom_profile *profile = &notes->report->profile;
	const char *complete = fathom_cube_attribute(profile->cube, "fathom::complete");
	char first[PATH_MAX] = "", text[PATH_MAX + 256];
	unsigned long count;

	if (!complete || strcmp(complete, "yes") != 0)
		return;
	count = fathom_experiment_ranks_of(profile->path, first);
	if (count == 0)
		return;
	snprintf(text, sizeof(text), "What %lu rank%s did long after MPI_Finalize is in %s only (%sfathom report %s).",
		 count, count == 1 ? "" : "s", count == 1 ? "a file of its own" : "files of their own",
		 count == 1 ? "" : "the first: ", first);
	note(notes, text);
}

/* Notes a high cost of measuring functions, if the run had no budget for it. */
static void note_overhead(struct notes *notes)
{
	const struct fathom_report *report = notes->report;
	const struct fathom_cube *cube = report->profile.cube;
	double share = fathom_report_overhead(report), of_functions = 0;
	char number[FATHOM_NUMBER_BYTES], text[400];
	uint32_t r;

	if (share < WORTH_A_BUDGET || !report->own_cost.by_region || fathom_cube_attribute(cube,
											   "fathom::overhead_budget"))
		return;
	for (r = 0; r < cube->region_count; r++)
		of_functions += strcmp(cube->regions[r].paradigm, "compiler") ? 0 : report->own_cost.by_region[r];
	if (of_functions < report->own_cost.seconds / 2)
		return;
	snprintf(text, sizeof(text),
		 "Measuring took about %s of the time, so that times of small functions, and of what calls them, are "
		 "too long. With FATHOM_OVERHEAD=5%% the smallest are disabled while the program runs.",
		 fathom_number_percent(number, share, 1));
	note(notes, text);
}

void fathom_report_notes(struct fathom_report *report)
{
	struct notes notes = { .report = report };

	note_attributes(&notes);
	note_filter(&notes);
	note_overhead(&notes);
	note_regions(&notes);
	note_latecomers(&notes);
	if (report->profile.odd_times)
		note(&notes, "The times in this file cannot be used: they are clock ticks, and include what was called "
			     "where the file says they do not (Score-P with SCOREP_PROFILING_FORMAT=thread_tuple).");
	else if (!report->time.own)
		note(&notes, "This file has no metric time: shares of time cannot be given.");
}
