#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/progress.h"
#include "tools/report/json/json_profile.h"
#include "tools/report/options.h"
#include "tools/report/report.h"
#include "tools/report/scopes/scoped_profile.h"
#include "tools/report/sections/section_aggregated.h"
#include "tools/report/sections/section_blame.h"
#include "tools/report/sections/section_callers.h"
#include "tools/report/sections/section_counters.h"
#include "tools/report/sections/section_disabled.h"
#include "tools/report/sections/section_efficiency.h"
#include "tools/report/sections/section_findings.h"
#include "tools/report/sections/section_lines.h"
#include "tools/report/sections/section_loops.h"
#include "tools/report/sections/section_messages.h"
#include "tools/report/sections/section_notes.h"
#include "tools/report/sections/section_openmp.h"
#include "tools/report/sections/section_phases.h"
#include "tools/report/sections/section_waits.h"
#include "tools/report/sections/section_regions.h"
#include "tools/report/sections/section_summary.h"
#include "tools/report/sections/section_system.h"
#include "tools/report/sections/section_threads.h"
#include "tools/report/sections/section_tree.h"
#include "tools/report/trace/trace_report.h"

/* Returns the description of a metric: the file's; else fathom's, for activity metrics of other tools; else a title. */
static const char *describe_metric(const struct fathom_cube_metric *metric)
{
	enum fathom_activity activity = fathom_activity_by_metric(metric->uniq_name);

	if (*metric->description)
		return metric->description;
	return activity == FATHOM_ACTIVITY_NONE ? metric->disp_name : fathom_activity_table[activity].description;
}

/* Writes the metrics that --metric can name as "a, b, c". */
static void list_metrics(const struct fathom_profile *profile, char *text, size_t bytes)
{
	const struct fathom_cube *cube = profile->cube;
	size_t length = 0;
	uint32_t m;

	text[0] = '\0';
	for (m = 0; m < cube->metric_count && length < bytes; m++)
		if (fathom_profile_has_values(profile, m))
			length += (size_t)snprintf(text + length, bytes - length, "%s%s", length ? ", " : "",
						   cube->metrics[m].uniq_name);
}

/* Finds the metric of a name; wanted NULL: time, else visits. -1 after an error message, which also lists others. */
static int32_t choose_metric(const struct fathom_profile *profile, const char *wanted, const char *others)
{
	const char *nearest = NULL;
	char known[1024];
	int32_t metric;
	uint32_t m;

	metric = wanted ? fathom_cube_metric_by_name(profile->cube, wanted) :
		 profile->time >= 0 ? profile->time : profile->visits;
	if (metric >= 0 && fathom_profile_has_values(profile, (uint32_t)metric))
		return metric;
	list_metrics(profile, known, sizeof(known));
	for (m = 0; wanted && m < profile->cube->metric_count; m++)
		if (fathom_profile_has_values(profile, m))
			nearest = fathom_tool_nearer(wanted, nearest, profile->cube->metrics[m].uniq_name);
	if (!wanted)
		fathom_tool_error("%s: has neither time nor visits (choose with --metric: %s)", profile->path, known);
	else if (metric >= 0)
		fathom_tool_error("%s: metric %s has no plain numbers (there are: %s%s)", profile->path, wanted, known,
				  others);
	else if (nearest)
		fathom_tool_error("%s: no metric %s (did you mean %s? there are: %s%s)", profile->path, wanted, nearest,
				  known, others);
	else
		fathom_tool_error("%s: no metric %s (there are: %s%s)", profile->path, wanted, known, others);
	return -1;
}

static void print_metrics(struct fathom_report *report)
{
	const struct fathom_cube *cube = report->profile.cube;
	struct fathom_page *page = &report->page;

	fathom_page_heading(page, "Metrics", "for --metric and --sort");
	printf("%s%-28s %-10s %s%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), "name", "unit", "what it is",
	       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	for (uint32_t m = 0; m < cube->metric_count; m++) {
		const struct fathom_cube_metric *metric = &cube->metrics[m];

		if (!fathom_profile_has_values(&report->profile, m))
			continue;
		fathom_page_text_left(page, metric->uniq_name, 28);
		putchar(' ');
		fathom_page_text_left(page, metric->unit, 10);
		putchar(' ');
		fathom_page_paragraph(page, describe_metric(metric), 40);
	}
}

/* Reads the time of threads that wait for a parallel region, or estimates it if the file does not have it. */
static int read_idle(struct fathom_report *report)
{
	int32_t metric = fathom_cube_metric_by_name(report->profile.cube, "omp_idle_threads");
	struct fathom_values values;
	int err;

	report->idle = report->teams.idle_outside;
	report->idle_at_root = report->teams.idle_at_root;
	if (metric < 0 || !fathom_profile_can_read(&report->profile.cube->metrics[metric]))
		return 0;
	err = fathom_profile_values(&report->profile, (uint32_t)metric, &values);
	if (err)
		return err;
	report->idle = values.total;
	report->idle_at_root = 0;
	for (uint32_t c = 0; c < report->profile.cube->cnode_count; c++)
		report->idle_at_root += fathom_profile_is_program(&report->profile, c) ? values.own[c] : 0;
	fathom_values_free(&values);
	return 0;
}

/* Finds out what time was spent on: activities, own cost, disabled regions, tasks and teams. */
static int analyse(struct fathom_report *report)
{
	struct fathom_profile *profile = &report->profile;
	int err;

	if (!report->time.own)
		return 0;
	err = fathom_activity_times_init(&report->breakdown, profile, &report->time);
	if (!err)
		err = fathom_own_cost_init(&report->own_cost, profile, &report->time);
	if (!err && !report->sampled.samples.own)	/* samples tell the time of disabled regions better */
		err = fathom_estimate_init(&report->estimate, profile, &report->time, &report->visits);
	if (!err)
		err = fathom_tasks_init(&report->tasks, profile, &report->time, &report->visits);
	if (!err)
		err = fathom_teams_init(&report->teams, profile, &report->tasks);
	if (!err)
		err = read_idle(report);
	return err;
}

static bool lists_metrics(const struct fathom_report_options *options)
{
	return options->metric && strcmp(options->metric, "list") == 0;
}

/* Finds what the shares of the chosen metric are of. */
static void find_whole(struct fathom_report *report)
{
	report->is_difference = fathom_cube_is_difference(report->profile.cube);
	report->whole = report->is_difference ? 0 : report->values.total;
	for (uint32_t c = 0; report->is_difference && c < report->profile.cube->cnode_count; c++)
		report->whole += report->profile.counted[c] ? fabs(report->values.own[c]) : 0;
}

static int read_values(struct fathom_report *report)
{
	struct fathom_profile *profile = &report->profile;
	const char *wanted = lists_metrics(&report->options) ? NULL : report->options.metric;
	int32_t metric = choose_metric(profile, wanted, ""), sort = metric, column = metric;
	int err = 0;

	if (metric >= 0 && report->options.sort && !fathom_report_sorts_by_name(report))
		sort = choose_metric(profile, report->options.sort, ", name");
	if (metric >= 0 && sort >= 0 && report->options.column)
		column = choose_metric(profile, report->options.column, "");

	if (metric < 0 || sort < 0 || column < 0)
		return -ENOENT;
	if (profile->time >= 0)
		err = fathom_profile_values(profile, (uint32_t)profile->time, &report->time);
	if (!err && profile->visits >= 0)
		err = fathom_profile_values(profile, (uint32_t)profile->visits, &report->visits);
	if (!err && metric != profile->time && metric != profile->visits)
		err = fathom_profile_values(profile, (uint32_t)metric, &report->values);
	if (!err && metric == profile->time)
		report->values = report->time;
	if (!err && metric == profile->visits)
		report->values = report->visits;
	if (!err)
		find_whole(report);
	if (!err && sort != metric)
		err = fathom_profile_values(profile, (uint32_t)sort, &report->sort_values);
	if (!err && report->options.column)
		err = fathom_profile_values(profile, (uint32_t)column, &report->column_values);
	if (!err)
		err = fathom_sampled_times_init(&report->sampled, profile, &report->visits);
	return err;
}

/* Prints the command that shows the trace of the run, if there is one. */
static void mention_trace(struct fathom_report *report)
{
	const struct fathom_page *page = &report->page;
	char path[PATH_MAX];

	if (!fathom_experiment_trace_of(report->profile.path, path))
		return;
	printf("\n%s", fathom_page_style(page, FATHOM_STYLE_DIM));
	fathom_page_text(&report->page, "The trace of this run: fathom report --trace ", page->width);
	fathom_page_text(&report->page, path, page->width - 45);
	printf("%s\n", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

/* Prints only the phases (--phases); an error message if there are none. */
static int print_phases(struct fathom_report *report)
{
	const struct fathom_cube_metric *metric = report->values.metric;

	if (!report->phases.count) {
		fathom_tool_error("%s: has no phases (FATHOM_PHASE, or fathom_phase_begin, makes them)",
				  report->profile.path);
		return -EINVAL;
	}
	if (!fathom_phases_has(&report->profile, (uint32_t)(metric - report->profile.cube->metrics))) {
		fathom_tool_error("--metric %s: minima and maxima have no phases (choose a metric that adds up)",
				  metric->uniq_name);
		return -EINVAL;
	}
	return fathom_report_phases(report);
}

/* Prints the one section that an option asks for. */
static int print_part(struct fathom_report *report)
{
	int err = 0;

	if (report->options.system)
		err = fathom_report_system(report);
	else if (report->options.callers)
		err = fathom_report_callers(report);
	else if (report->options.threads)
		err = fathom_report_threads(report);
	else if (report->options.phases)
		err = print_phases(report);
	else if (report->options.waits)
		err = fathom_report_waits(report);
	else if (report->options.critical)
		err = fathom_report_critical_path(report);
	else
		fathom_report_regions(report);
	if (!err)
		fathom_report_explain_units(&report->page);
	return err;
}

/* Tells a person who reads the report on a terminal that there is also a page for a browser. */
static void mention_page(struct fathom_report *report)
{
	struct fathom_page *page = &report->page;

	if (!isatty(STDOUT_FILENO))
		return;
	printf("%s", fathom_page_style(page, FATHOM_STYLE_DIM));
	fathom_page_text(page, "In a browser, with source and ranks: fathom view ", page->width);
	fathom_page_text(page, report->profile.path, page->width - 49);
	printf("%s\n", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

/* Opens the profile with scopes. Without it, the call tree has none. */
static int open_scoped(struct fathom_report *report, const struct fathom_scoped_profile *scopes)
{
	struct fathom_report *scoped;
	int err;

	report->scopes_remark = scopes->remark;
	if (!scopes->path)
		return 0;
	scoped = fathom_tool_alloc(1, sizeof(*scoped));
	scoped->options = report->options;
	scoped->scopes_remark = scopes->remark;
	err = fathom_profile_open(&scoped->profile, scopes->path, report->options.rank);
	if (err) {
		free(scoped);
		return err;
	}
	report->scoped = scoped;
	return read_values(scoped);
}

/* Prints the report of a profile of differences: nothing that supposes that values are those of a run. */
static void print_difference(struct fathom_report *report)
{
	const char *inputs = fathom_cube_attribute(report->profile.cube, FATHOM_CUBE_ALGEBRA_INPUTS);
	char text[4096];

	snprintf(text, sizeof(text), "The values are those of fathom %s of %.3900s. Shares are of the sum of all "
		 "absolute own values.", fathom_cube_attribute(report->profile.cube, FATHOM_CUBE_ALGEBRA),
		 inputs ? inputs : "?");
	fathom_page_paragraph(&report->page, text, 0);
	fathom_report_regions(report);
	fathom_report_tree(report);
	fathom_report_explain_units(&report->page);
	mention_page(report);
}

static int print_whole(struct fathom_report *report)
{
	int err;

	fathom_report_header(report);
	if (report->is_difference) {
		print_difference(report);
		return 0;
	}
	if (report->time.own) {
		fathom_report_findings(report);
		err = fathom_report_efficiency(report);
		if (err)
			return err;
		fathom_report_activities(report);
		fathom_report_balance(report);
		fathom_report_spread(report);
		fathom_report_teams(report);
		fathom_report_tasks(report);
		fathom_report_blame(report);
	}
	err = fathom_report_phases(report);
	if (err)
		return err;
	fathom_report_traffic(report);
	fathom_report_regions(report);
	fathom_report_counters(report);
	if (report->scoped) {	/* the tree continues the page */
		report->scoped->page = report->page;
		fathom_report_tree(report->scoped);
		report->page = report->scoped->page;
	} else {
		fathom_report_tree(report);
	}
	fathom_report_disabled(report);
	fathom_report_notes(report);
	fathom_report_explain_units(&report->page);
	mention_trace(report);
	mention_page(report);
	return 0;
}

/* Returns whether the report has a call tree in which scopes are wanted. */
static bool shows_call_tree(const struct fathom_report_options *options)
{
	return !options->no_scopes && !lists_metrics(options) && !options->system && !options->callers &&
	       (!options->threads || options->json) && !options->phases && !options->flat;
}

static int print_report(struct fathom_report *report)
{
	const struct fathom_report_options *options = &report->options;

	if (lists_metrics(options)) {
		print_metrics(report);
		return 0;
	}
	if (options->json)
		return fathom_report_json(report);
	if (options->system || options->callers || options->threads || options->phases || options->flat ||
	    options->waits || options->critical)
		return print_part(report);
	return print_whole(report);
}

static void free_values(struct fathom_report *report)
{
	if (report->values.own != report->time.own && report->values.own != report->visits.own)
		fathom_values_free(&report->values);
	fathom_values_free(&report->sort_values);
	fathom_values_free(&report->column_values);
	fathom_values_free(&report->time);
	fathom_values_free(&report->visits);
	fathom_sampled_times_fini(&report->sampled);
	fathom_teams_fini(&report->teams);
	fathom_tasks_fini(&report->tasks);
	fathom_estimate_fini(&report->estimate);
	fathom_own_cost_fini(&report->own_cost);
	fathom_activity_times_fini(&report->breakdown);
}

static void close_scoped(struct fathom_report *report, struct fathom_scoped_profile *scopes)
{
	if (report->scoped) {
		free_values(report->scoped);
		fathom_profile_close(&report->scoped->profile);
		free(report->scoped);
	}
	fathom_scoped_profile_fini(scopes);
}

/* Prints the samples of an experiment by line or loop, or its messages: they are in files of their own. Returns the
 * exit code. */
static int report_own_file(struct fathom_report *report, const char *result)
{
	struct fathom_page *page = &report->page;
	int err;

	fathom_page_init(page, report->options.width, report->options.colour);
	err = (report->options.messages ? fathom_report_messages :
	       report->options.lines	? fathom_report_lines : fathom_report_loops)(page, &report->options, result);
	if (!err && !report->options.json)
		fathom_report_explain_units(page);
	fathom_page_fini(page);
	if (err)	/* -ENODATA: the experiment has no samples of the metric that the command line names */
		return err == -ENODATA ? FATHOM_TOOL_USAGE : FATHOM_TOOL_FAILURE;
	return fathom_tool_end();
}

/*
 * Compares several runs: executes fathom diff, which is in the directory of this program, with the same arguments.
 * parsed: the arguments after getopt_long has put the options first, which fathom diff wants, too. The runs stay in the
 * order of the command line, with the "--" between the sides.
 */
static int compare_runs(char **given, char **parsed, int argc)
{
	char **words = fathom_tool_alloc((size_t)argc + 2, sizeof(*words)), program[PATH_MAX], *slash;
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - sizeof("fathom-diff"));
	int count = 0;

	program[length > 0 ? length : 0] = '\0';
	slash = strrchr(program, '/');
	strcpy(slash ? slash + 1 : program, "fathom-diff");
	words[count++] = program;
	for (int i = 1; i < optind; i++)
		if (strcmp(parsed[i], "--") != 0)
			words[count++] = parsed[i];
	for (int i = 1; i < argc; i++) {
		bool is_run = strcmp(given[i], "--") == 0;

		for (int k = optind; k < argc; k++)
			is_run |= parsed[k] == given[i];
		if (is_run)
			words[count++] = given[i];
	}
	execv(program, words);
	fathom_tool_error("several runs: %s cannot be started: %s", program, strerror(errno));
	return FATHOM_TOOL_FAILURE;
}

int main(int argc, char **argv)
{
	char **given = fathom_tool_alloc((size_t)argc + 1, sizeof(*given));
	struct fathom_report report = { 0 };
	struct fathom_scoped_profile scopes = { 0 };
	struct fathom_experiment experiment;
	int err;

	fathom_tool_begin("report");
	memcpy(given, argv, (size_t)argc * sizeof(*given));
	fathom_report_parse(&report.options, argc, argv);
	if (report.options.compares)
		return compare_runs(given, argv, argc);
	free(given);
	if ((report.options.trace ? fathom_experiment_find_trace : fathom_experiment_find)(&experiment,
										     report.options.target))
		return FATHOM_TOOL_FAILURE;
	if (report.options.lines || report.options.loops || report.options.messages)
		return report_own_file(&report, experiment.path);
	if (report.options.trace || fathom_experiment_is_trace(experiment.path))
		return fathom_trace_report(&report.options, experiment.path);
	if (fathom_profile_open(&report.profile, experiment.path, report.options.rank))
		return FATHOM_TOOL_FAILURE;
	fathom_page_init(&report.page, report.options.width, report.options.colour);
	fathom_progress_begin("reading the profile", 0);
	err = read_values(&report);
	if (!err)
		err = fathom_phases_find(&report.phases, &report.profile);
	if (!err)
		err = analyse(&report);
	if (!err && shows_call_tree(&report.options)) {
		fathom_scoped_profile_find(&scopes, experiment.path);
		err = open_scoped(&report, &scopes);
	}
	fathom_progress_end();
	if (!err)
		err = print_report(&report);
	close_scoped(&report, &scopes);
	free_values(&report);
	fathom_phases_fini(&report.phases);
	fathom_page_fini(&report.page);
	fathom_profile_close(&report.profile);
	if (err)	/* -ENOENT: the profile lacks a metric that the command line names */
		return err == -ENOENT ? FATHOM_TOOL_USAGE : FATHOM_TOOL_FAILURE;
	return fathom_tool_end();
}
