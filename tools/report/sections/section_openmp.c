#include "tools/report/sections/section_openmp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"

enum { LINES_DEFAULT = 8 };

/* Returns how many of count lines are shown; the first interesting ones are worth showing. */
static uint32_t lines_shown(const struct fathom_report *report, uint32_t count, uint32_t interesting)
{
	if (report->options.all)
		return count;
	if (interesting == 0)
		interesting = 1;
	if (interesting > LINES_DEFAULT)
		interesting = LINES_DEFAULT;
	return interesting < count ? interesting : count;
}

static void begin_table(struct fathom_report *report, const char *title, const char *what, uint32_t shown,
			uint32_t count)
{
	char remark[128];

	if (shown < count)
		snprintf(remark, sizeof(remark), "%u of %u %s", shown, count, what);
	else
		snprintf(remark, sizeof(remark), "%s", what);
	fathom_page_heading(&report->page, title, remark);
}

/* --- parallel regions ----------------------------------------------------------------------- */

static void print_share(struct fathom_report *report, double part, double whole, double warn_from)
{
	struct fathom_page *page = &report->page;
	char text[FATHOM_NUMBER_BYTES];
	bool warn = whole > 0 && part / whole >= warn_from;

	printf(" %s%6s%s", fathom_page_style(page, warn ? FATHOM_STYLE_WARN : FATHOM_STYLE_PLAIN),
	       fathom_number_percent(text, part, whole), fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

/* Writes the size of teams: "8", or "2-8" where teams differ. */
static const char *team_size(char *text, size_t bytes, const struct fathom_team_region *region)
{
	if (region->least_threads == region->most_threads)
		snprintf(text, bytes, "%.0f", region->most_threads);
	else
		snprintf(text, bytes, "%.0f-%.0f", region->least_threads, region->most_threads);
	return strlen(text) > 4 ? ">1" : text;
}

static void print_team(struct fathom_report *report, const struct fathom_team_region *region)
{
	const struct fathom_cube_region *it = &report->profile.cube->regions[region->region];
	struct fathom_page *page = &report->page;
	double balance = fathom_team_balance(region);
	char time[FATHOM_NUMBER_BYTES], save[FATHOM_NUMBER_BYTES], text[FATHOM_NUMBER_BYTES], size[64], place[512];

	printf("%9s %4s %s%6s%s %9s", fathom_number_seconds(time, region->seconds),
	       team_size(size, sizeof(size), region),
	       fathom_page_style(page, balance >= 0 && balance < 0.8 ? FATHOM_STYLE_WARN : FATHOM_STYLE_PLAIN),
	       balance < 0 ? "-" : fathom_number_percent(text, balance, 1), fathom_page_style(page, FATHOM_STYLE_PLAIN),
	       balance < 0 ? "-" : fathom_number_seconds(save, fathom_team_savable(region)));
	print_share(report, region->use[FATHOM_USE_BARRIER], region->seconds, 0.25);
	print_share(report, region->use[FATHOM_USE_LOCK], region->seconds, 0.1);
	print_share(report, region->use[FATHOM_USE_MANAGEMENT], region->seconds, 0.1);
	print_share(report, region->idle, region->seconds, 0.25);
	printf("  ");
	fathom_page_name(page, fathom_region_construct(it, place, sizeof(place)), page->width - 61);
	putchar('\n');
}

static void explain_columns(struct fathom_report *report)
{
	fputs(fathom_page_style(&report->page, FATHOM_STYLE_DIM), stdout);
	fathom_page_paragraph(&report->page, "team: its threads; even: average / maximum of their work; wait, locks, "
			      "manage (starting and ending the team, creating tasks): shares of the time; idle: not "
			      "part of it.",
			      0);
	fputs(fathom_page_style(&report->page, FATHOM_STYLE_PLAIN), stdout);
}

/* Explains how the column of balance is computed, if not from each thread. */
static void explain_balance(struct fathom_report *report)
{
	static const char *const words[] = {
		[FATHOM_AGGREGATION_SUM] = "Threads were added up: whether their work is balanced is not known.",
		[FATHOM_AGGREGATION_SET] =
			"Of whole regions it is not known how threads are balanced; of call paths in them, see above.",
		[FATHOM_AGGREGATION_KEY] =
			"Balance of the initial, the fastest and the slowest thread, and the average of the others.",
		[FATHOM_AGGREGATION_CALLTREE] = "Balance of the averages of groups; within a group it is not known.",
	};
	const char *text = words[report->profile.threads.aggregation];

	if (!text)
		return;
	fputs(fathom_page_style(&report->page, FATHOM_STYLE_DIM), stdout);
	fathom_page_paragraph(&report->page, text, 0);
	fputs(fathom_page_style(&report->page, FATHOM_STYLE_PLAIN), stdout);
}

void fathom_report_teams(struct fathom_report *report)
{
	const struct fathom_teams *teams = &report->teams;
	struct fathom_page *page = &report->page;
	double least = 0.005 * report->time.total;
	uint32_t interesting = 0, i, shown;

	/* Teams of one thread have no balance. */
	for (i = 0; i < teams->count && teams->regions[i].most_threads <= 1; i++)
		;
	if (i == teams->count)
		return;
	/* The regions that balance could improve most come first; regions behind them may still take long. */
	for (i = 0; i < teams->count; i++)
		if (teams->regions[i].seconds >= least || fathom_team_savable(&teams->regions[i]) >= least)
			interesting = i + 1;
	shown = lines_shown(report, teams->count, interesting);
	begin_table(report, "Parallel regions", shown < teams->count ? "regions, those first that balance could help" :
		    "those first that balance could help", shown, teams->count);
	printf("%s%9s %4s %6s %9s %6s %6s %6s %6s  region%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), "time",
	       "team", "even", "to save", "wait", "locks", "manage", "idle", fathom_page_style(page,
											       FATHOM_STYLE_PLAIN));
	for (i = 0; i < shown && !fathom_tool_output_lost(); i++)
		print_team(report, &teams->regions[i]);
	explain_columns(report);
	explain_balance(report);
}

/* --- tasks --------------------------------------------------------------------------------------- */

/* Writes "!$omp implicit barrier @x.c:40" as "implicit barrier x.c:40". */
static void describe_place(const struct fathom_cube_region *region, char *text, size_t bytes)
{
	const char *name = strncmp(region->name, "!$omp ", 6) == 0 ? region->name + 6 : fathom_region_name(region);
	char *at;

	snprintf(text, bytes, "%s", name);
	at = strchr(text, '@');
	if (at)
		memmove(at, at + 1, strlen(at));
}

static void print_where(struct fathom_report *report, const struct fathom_task_construct *construct)
{
	char text[1024], place[256], percent[FATHOM_NUMBER_BYTES];
	size_t length = (size_t)snprintf(text, sizeof(text), "ran in");
	uint32_t i;

	if (construct->place_count == 0)
		return;
	for (i = 0; i < construct->place_count && length < sizeof(text); i++) {
		if (i > 0 && construct->places[i].seconds < 0.01 * construct->stub_seconds)
			break;
		describe_place(&report->profile.cube->regions[construct->places[i].region], place, sizeof(place));
		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s %s (%s)", i ? "," : "", place,
					   fathom_number_percent(percent, construct->places[i].seconds,
								 construct->stub_seconds));
	}
	fathom_page_blanks(11);
	fputs(fathom_page_style(&report->page, FATHOM_STYLE_DIM), stdout);
	fathom_page_paragraph(&report->page, text, 11);
	fputs(fathom_page_style(&report->page, FATHOM_STYLE_PLAIN), stdout);
}

static void print_construct(struct fathom_report *report, const struct fathom_task_construct *construct)
{
	const struct fathom_cube_region *it = &report->profile.cube->regions[construct->region];
	char instances[FATHOM_NUMBER_BYTES], average[FATHOM_NUMBER_BYTES], least[FATHOM_NUMBER_BYTES];
	char most[FATHOM_NUMBER_BYTES], total[FATHOM_NUMBER_BYTES], creation[FATHOM_NUMBER_BYTES], place[512];
	double each = construct->instances > 0 ? construct->seconds / construct->instances : 0;
	bool has_extremes = construct->least <= construct->most;

	printf("%9s %9s %9s %9s %9s %9s  ", fathom_number_count(instances, construct->instances),
	       construct->instances > 0 ? fathom_number_seconds(average, each) : "-",
	       has_extremes ? fathom_number_seconds(least, construct->least) : "-",
	       has_extremes ? fathom_number_seconds(most, construct->most) : "-",
	       fathom_number_seconds(total, construct->seconds),
	       construct->created > 0 ? fathom_number_seconds(creation, construct->creation_seconds) : "-");
	fathom_page_name(&report->page, fathom_region_construct(it, place, sizeof(place)), report->page.width - 61);
	putchar('\n');
	print_where(report, construct);
}

void fathom_report_tasks(struct fathom_report *report)
{
	const struct fathom_tasks *tasks = &report->tasks;
	struct fathom_page *page = &report->page;
	uint32_t interesting = 0, i, shown;

	if (tasks->count == 0)
		return;
	while (interesting < tasks->count &&
	       tasks->constructs[interesting].seconds + tasks->constructs[interesting].creation_seconds >=
	       0.001 * report->time.total)
		interesting++;
	shown = lines_shown(report, tasks->count, interesting);
	begin_table(report, "Explicit tasks", "constructs", shown, tasks->count);
	printf("%s%9s %9s %9s %9s %9s %9s  construct%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), "tasks",
	       "average", "minimum", "maximum", "all", "creation", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	for (i = 0; i < shown && !fathom_tool_output_lost(); i++)
		print_construct(report, &tasks->constructs[i]);
}
