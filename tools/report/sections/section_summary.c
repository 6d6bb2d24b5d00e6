#include "tools/report/sections/section_summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/report/processors.h"
#include "tools/report/report.h"
#include "tools/report/run_attributes.h"
#include "tools/report/sections/section_aggregated.h"

/* --- header ---------------------------------------------------------------------------------- */

static uint32_t count_hosts(const struct fathom_cube *cube)
{
	bool *used = fathom_tool_alloc(cube->node_count, sizeof(bool));
	uint32_t g, hosts = 0;

	for (g = 0; g < cube->group_count; g++)
		if (fathom_group_is_process(&cube->groups[g]) && cube->groups[g].node >= 0 &&
		    !used[cube->groups[g].node]) {
			used[cube->groups[g].node] = true;
			hosts++;
		}
	free(used);
	return hosts;
}

static void describe_size(const struct fathom_report *report, char *text, size_t bytes)
{
	const struct fathom_profile *profile = &report->profile;
	uint32_t hosts = count_hosts(profile->cube);
	double missing = fathom_report_number(profile->cube, "fathom::ranks_missing", 0);
	char threads[64];

	if (profile->least_threads == profile->most_threads)
		snprintf(threads, sizeof(threads), "%u thread%s", profile->most_threads,
			 profile->most_threads == 1 ? "" : "s");
	else
		snprintf(threads, sizeof(threads), "%u to %u threads", profile->least_threads, profile->most_threads);
	if (missing > 0)
		snprintf(text, bytes, "%u of %.0f ranks %s %s", profile->process_count,
			 profile->process_count + missing, fathom_page_times(&report->page), threads);
	else if (profile->process_count == 1)
		snprintf(text, bytes, "1 process, %s", threads);
	else if (hosts > 1)
		snprintf(text, bytes, "%u ranks %s %s on %u nodes", profile->process_count,
			 fathom_page_times(&report->page), threads, hosts);
	else
		snprintf(text, bytes, "%u ranks %s %s", profile->process_count, fathom_page_times(&report->page),
			 threads);
}

/* Describes how threads were aggregated. */
static const char *describe_threads(const struct fathom_report *report)
{
	static const char *const words[] = {
		[FATHOM_AGGREGATION_SUM] = "added up: how they share the work is not known",
		[FATHOM_AGGREGATION_SET] = "statistics over them: spread, but not which thread it was",
		[FATHOM_AGGREGATION_KEY] = "initial, fastest and slowest apart, the others added up",
		[FATHOM_AGGREGATION_CALLTREE] = "added up by groups that have the same call paths",
	};

	return words[report->profile.threads.aggregation];
}

/* Describes how long and how often the program switched recording off. NULL: never. */
static const char *describe_off(const struct fathom_report *report, char *text, size_t bytes)
{
	const struct fathom_cube *cube = report->profile.cube;
	char number[FATHOM_NUMBER_BYTES];
	double seconds = 0, times = 0;

	for (uint32_t c = 0; report->time.own && report->visits.own && c < cube->cnode_count; c++) {
		const struct fathom_cube_region *region = fathom_profile_region(&report->profile, c);

		if (strcmp(region->name, "MEASUREMENT OFF") != 0 || strcmp(region->role, "artificial") != 0)
			continue;
		seconds += report->time.inclusive[c];
		times += report->visits.own[c];
	}
	if (!times)
		return NULL;
	snprintf(text, bytes, "recording off %s%.0f time%s, for %s%s", times == 1 ? "" : "in all ", times,
		 times == 1 ? "" : "s", fathom_number_seconds(number, seconds),
		 cube->location_count > 1 ? " over all threads" : "");
	return text;
}

/* Writes "2026-11-20T14:32:07+01:00" in a form for people. */
static const char *describe_begin(const struct fathom_report *report, char *text, size_t bytes)
{
	const char *begin = fathom_cube_attribute(report->profile.cube, "fathom::begin");
	char *letter;

	if (!begin)
		return NULL;
	snprintf(text, bytes, "%s", begin);
	letter = strchr(text, 'T');
	if (letter)
		*letter = ' ';
	if (strlen(text) > 19 && text[19] != ' ' && text[16] == ':' && strlen(text) + 1 < bytes) {
		if (strcmp(text + 19, "Z") == 0)
			snprintf(text + 19, bytes - 19, "UTC");
		memmove(text + 20, text + 19, strlen(text + 19) + 1);
		text[19] = ' ';
	}
	return text;
}

static const char *describe_completeness(const struct fathom_report *report, char *text, size_t bytes)
{
	const char *complete = fathom_cube_attribute(report->profile.cube, "fathom::complete");

	if (!complete)
		return NULL;
	if (strcmp(complete, "yes") == 0)
		return "complete";
	snprintf(text, bytes, "NOT complete, see notes");
	return text;
}

static const char *describe_filter(const struct fathom_report *report, char *text, size_t bytes)
{
	const struct fathom_cube *cube = report->profile.cube;
	const char *filter = fathom_cube_attribute(cube, "fathom::filter");
	double count = fathom_report_number(cube, "fathom::filtered_regions", 0);
	char number[FATHOM_NUMBER_BYTES];

	if (!filter)
		return NULL;
	snprintf(text, bytes, "%s region%s left out, by %s", fathom_number_count(number, count), count == 1 ? "" : "s",
		 filter);
	return text;
}

/* Describes the samples of the run. NULL: there are none. */
static const char *describe_samples(const struct fathom_report *report, char *text, size_t bytes)
{
	const struct fathom_cube *cube = report->profile.cube;
	const char *source = fathom_cube_attribute(cube, "fathom::sampling_source");
	double samples = fathom_report_number(cube, "fathom::samples", -1);
	double rate = fathom_report_number(cube, "fathom::sampling_rate", 0);
	static const struct {
		const char *key, *what;
	} counts[] = {
		{ "fathom::samples_dropped", "dropped" },
		{ "fathom::samples_partial", "partial" },
		{ "fathom::samples_shortened", "shortened" },
	};
	char number[FATHOM_NUMBER_BYTES];
	size_t length;

	if (samples < 0)
		return NULL;
	length = (size_t)snprintf(text, bytes, "%s", fathom_number_count(number, samples));
	if (rate > 0)
		length += (size_t)snprintf(text + length, bytes - length, ", %.0f a second", rate);
	if (source)
		length += (size_t)snprintf(text + length, bytes - length, " (%s)", source);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]) && length < bytes; i++) {
		double count = fathom_report_number(cube, counts[i].key, 0);

		if (count > 0)
			length += (size_t)snprintf(text + length, bytes - length, "; %s %s",
						   fathom_number_count(number, count), counts[i].what);
	}
	return text;
}

void fathom_report_header(struct fathom_report *report)
{
	struct fathom_page *page = &report->page;
	const struct fathom_cube *cube = report->profile.cube;
	char command[4096], size[96], begin[64], wall_text[64], overhead[96], complete[64], title[512];
	char processors[64], processor_time[64];
	char number[FATHOM_NUMBER_BYTES];
	const char *mode = fathom_cube_attribute(cube, "fathom::mode");
	const char *creator = fathom_cube_attribute(cube, "Creator");
	double wall = fathom_report_wall_time(report), share = fathom_report_overhead(report);
	const char *program = cube->cnode_count > 0 ? fathom_profile_region(&report->profile, 0)->name : "profile";

	snprintf(title, sizeof(title), "%s", program);
	fathom_page_heading(page, title, creator ? creator : "");
	fathom_page_facts(&report->page, "Command", fathom_report_command(report, command, sizeof(command)), NULL,
			  NULL);
	fathom_page_facts(&report->page, "File", report->profile.path, NULL, NULL);
	describe_size(report, size, sizeof(size));
	snprintf(wall_text, sizeof(wall_text), "%s%s", fathom_number_seconds(number, wall),
		 fathom_report_number(cube, "fathom::wall_time", -1) >= 0 ? "" : " (longest thread)");
	fathom_page_facts(&report->page, "Ran on", size, "Wall time", wall >= 0 ? wall_text : NULL);
	fathom_report_processor_facts(report, processors, processor_time, sizeof(processors));
	if (*processors)
		fathom_page_facts(&report->page, "Processors", processors, "CPU time",
				  *processor_time ? processor_time : NULL);
	else if (*processor_time)
		fathom_page_facts(&report->page, "CPU time", processor_time, NULL, NULL);
	if (describe_begin(report, begin, sizeof(begin)))
		fathom_page_facts(&report->page, "Started", begin, "Mode", mode);
	if (share >= 0) {
		snprintf(overhead, sizeof(overhead), "%s%s of the time", share < 0.001 ? "less than" : "about ",
			 share < 0.001 ? " 0.1%" : fathom_number_percent(number, share, 1));
		if (share >= 0.001 && report->own_cost.seconds > 0)
			snprintf(strstr(overhead, " of the time"), 32, ", %s",
				 fathom_number_seconds(number, report->own_cost.seconds));
		fathom_page_facts(&report->page, "Overhead", overhead, "Result",
			    describe_completeness(report, complete, sizeof(complete)));
	} else if (describe_completeness(report, complete, sizeof(complete))) {
		fathom_page_facts(&report->page, "Result", describe_completeness(report, complete, sizeof(complete)),
				  NULL,
				  NULL);
	}
	if (describe_samples(report, title, sizeof(title)))
		fathom_page_facts(&report->page, "Samples", title, NULL, NULL);
	if (describe_filter(report, title, sizeof(title)))
		fathom_page_facts(&report->page, "Filter", title, NULL, NULL);
	if (describe_off(report, title, sizeof(title)))
		fathom_page_facts(&report->page, "Gaps", title, NULL, NULL);
	if (describe_threads(report))
		fathom_page_facts(&report->page, "Threads", describe_threads(report), NULL, NULL);
	if (report->options.rank >= 0) {
		snprintf(title, sizeof(title), "only rank %lld", (long long)report->options.rank);
		fathom_page_facts(&report->page, "Shown", title, NULL, NULL);
	}
	fathom_report_say_sharing(report);
}

/* --- activities ------------------------------------------------------------------------------ */

static enum fathom_style kind_ink(enum fathom_activity kind)
{
	switch (kind) {
	case FATHOM_ACTIVITY_COMPUTATION: return FATHOM_STYLE_GREEN;
	case FATHOM_ACTIVITY_MPI: return FATHOM_STYLE_BLUE;
	case FATHOM_ACTIVITY_OMP: return FATHOM_STYLE_VIOLET;
	case FATHOM_ACTIVITY_IO: return FATHOM_STYLE_TEAL;
	default: return FATHOM_STYLE_WARM;
	}
}

static bool is_leaf(enum fathom_activity activity)
{
	int a;

	for (a = 0; a < FATHOM_ACTIVITY_COUNT; a++)
		if (fathom_activity_table[a].parent == (int)activity)
			return false;
	return true;
}

struct share {
	const char *title;
	double seconds;
	enum fathom_activity kind;
};

static int by_seconds(const void *a, const void *b)
{
	double x = ((const struct share *)a)->seconds, y = ((const struct share *)b)->seconds;

	return x < y ? 1 : x > y ? -1 : 0;
}

static void print_share(struct fathom_report *report, const struct share *share, bool outer)
{
	struct fathom_page *page = &report->page;
	char percent[FATHOM_NUMBER_BYTES], seconds[FATHOM_NUMBER_BYTES];
	double total = report->breakdown.total;
	int bar = page->width - 48;

	printf("%6s %9s  %s", fathom_number_percent(percent, share->seconds, total),
	       fathom_number_seconds(seconds, share->seconds),
	       fathom_page_style(page, outer ? FATHOM_STYLE_BOLD : FATHOM_STYLE_PLAIN));
	fathom_page_blanks(outer ? 0 : 2);
	fathom_page_text(page, share->title, outer ? 26 : 24);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	if (total > 0 && share->seconds / total * bar >= (page->unicode ? 0.0625 : 0.5)) {
		fathom_page_blanks((outer ? 28 : 26) - (int)strlen(share->title));
		printf("%s", fathom_page_style(page, kind_ink(share->kind)));
		fathom_page_bar(page, share->seconds / total, bar > 50 ? 50 : bar);
		printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	}
	putchar('\n');
}

/* Prints the innermost activities within a kind, then the time that is in none of them. */
static void print_within(struct fathom_report *report, enum fathom_activity kind, double seconds)
{
	struct share shares[FATHOM_ACTIVITY_COUNT + 1];
	double rest = seconds, least = report->options.all ? 0 : 0.0005 * report->breakdown.total;
	int a, i, count = 0;

	if (kind == FATHOM_ACTIVITY_COMPUTATION)
		return;
	for (a = 0; a < FATHOM_ACTIVITY_COUNT; a++) {
		if (a == (int)kind || !is_leaf(a) || !fathom_activity_within(a, kind))
			continue;
		shares[count++] = (struct share){ fathom_activity_table[a].title, report->breakdown.seconds[a], kind };
		rest -= report->breakdown.seconds[a];
	}
	if (count == 0)
		return;
	shares[count++] = (struct share){ "Other", rest, kind };
	qsort(shares, (size_t)count, sizeof(shares[0]), by_seconds);
	for (i = 0; i < count; i++)
		if (shares[i].seconds > 1e-9 * seconds && shares[i].seconds >= least)
			print_share(report, &shares[i], false);
}

void fathom_report_activities(struct fathom_report *report)
{
	const struct fathom_activity_times *breakdown = &report->breakdown;
	struct share shares[FATHOM_KIND_COUNT];
	char remark[96], total[FATHOM_NUMBER_BYTES];
	unsigned k, count = 0;

	fathom_number_seconds(total, breakdown->total);
	if (report->profile.location_end - report->profile.first_location > 1 || report->profile.most_threads > 1)
		snprintf(remark, sizeof(remark), "%s over all %s", total,
			 report->profile.most_threads > 1 ? "threads" : "ranks");
	else
		snprintf(remark, sizeof(remark), "%s", total);
	fathom_page_heading(&report->page, "Where the time goes", remark);
	for (k = 0; k < FATHOM_KIND_COUNT; k++)
		if (breakdown->kind_seconds[k] > 0)
			shares[count++] = (struct share){ fathom_activity_table[fathom_activity_kinds[k]].title,
							  breakdown->kind_seconds[k], fathom_activity_kinds[k] };
	qsort(shares, count, sizeof(shares[0]), by_seconds);
	for (k = 0; k < count; k++) {
		print_share(report, &shares[k], true);
		print_within(report, shares[k].kind, shares[k].seconds);
	}
	if (report->idle > 0)	/* idle time is not part of the time above */
		printf("%6s %9s  %sIdle threads (not part of the total)%s\n",
		       fathom_number_percent(remark, report->idle, breakdown->total),
		       fathom_number_seconds(total, report->idle), fathom_page_style(&report->page, FATHOM_STYLE_BOLD),
		       fathom_page_style(&report->page, FATHOM_STYLE_PLAIN));
}

/* --- balance --------------------------------------------------------------------------------- */

struct spread {
	double average, least, most;
	int64_t least_rank, most_rank;
};

enum { ALL_KINDS = -1, WITHOUT_INIT = -2 };

static double seconds_of(const struct fathom_activity_times *breakdown, uint32_t unit, int kind)
{
	if (kind == ALL_KINDS)
		return breakdown->unit_total[unit];
	if (kind == WITHOUT_INIT)
		return breakdown->unit_total[unit] - breakdown->unit_init[unit];
	return breakdown->unit_kind[(size_t)unit * FATHOM_KIND_COUNT + (unsigned)kind];
}

static struct spread spread_of(const struct fathom_activity_times *breakdown, int kind)
{
	struct spread spread = { 0 };
	uint32_t u;

	for (u = 0; u < breakdown->unit_count; u++) {
		double seconds = seconds_of(breakdown, u, kind);

		spread.average += seconds / breakdown->unit_count;
		if (u == 0 || seconds < spread.least) {
			spread.least = seconds;
			spread.least_rank = breakdown->unit_rank[u];
		}
		if (u == 0 || seconds > spread.most) {
			spread.most = seconds;
			spread.most_rank = breakdown->unit_rank[u];
		}
	}
	return spread;
}

static void print_spread(struct fathom_report *report, const char *title, const struct spread *spread)
{
	struct fathom_page *page = &report->page;
	char balance[FATHOM_NUMBER_BYTES], average[FATHOM_NUMBER_BYTES];
	char least[FATHOM_NUMBER_BYTES], most[FATHOM_NUMBER_BYTES];
	double share = spread->most > 0 ? spread->average / spread->most : 1;

	printf("%s%6s%s  ", fathom_page_style(page, share < 0.8 ? FATHOM_STYLE_WARN : FATHOM_STYLE_PLAIN),
	       fathom_number_percent(balance, share, 1), fathom_page_style(page, FATHOM_STYLE_PLAIN));
	fathom_page_text_left(page, title, 22);
	printf("%9s %9s %-7lld %9s %lld\n", fathom_number_seconds(average, spread->average),
	       fathom_number_seconds(least, spread->least), (long long)spread->least_rank,
	       fathom_number_seconds(most, spread->most), (long long)spread->most_rank);
}

/*
 * Waiting ranks of most MPI libraries keep their processors busy. If ranks used processors for less than this share of
 * their time, the report says that other programs took the processors or the ranks slept.
 */
#define BUSY_BELOW 0.8

/*
 * Prints how well an MPI program uses its ranks, in the usual two factors: how evenly ranks compute (load balance), and
 * how much of their time they spend outside of communication (communication efficiency). MPI's initialisation and
 * finalization are no communication. If ranks share processors, most of the time of communication is waiting for a
 * processor, and no figure is printed.
 */
static void print_efficiency(struct fathom_report *report, const struct spread *computation)
{
	struct spread everything = spread_of(&report->breakdown, WITHOUT_INIT);
	char parallel[FATHOM_NUMBER_BYTES], balance[FATHOM_NUMBER_BYTES], communication[FATHOM_NUMBER_BYTES];
	double wall = fathom_report_wall_time(report), used = fathom_report_processor_time(report);
	double had = wall > 0 && used >= 0 ? used / (wall * report->profile.process_count) : 1;
	char text[512];

	if (report->profile.most_threads > 1 || !(everything.most > 0) || !(computation->most > 0))
		return;
	if (fathom_report_sharing(report).nodes > 0) {
		printf("%6s  ", "-");
		fathom_page_paragraph(&report->page, "Parallel efficiency is not given: ranks share processors.", 8);
		return;
	}
	fathom_number_percent(parallel, computation->average, everything.most);
	fathom_number_percent(balance, computation->average, computation->most);
	fathom_number_percent(communication, computation->most, everything.most);
	snprintf(text, sizeof(text), "Parallel efficiency = %s balance %s %s communication efficiency%s", balance,
		 fathom_page_times(&report->page), communication,
		 report->breakdown.seconds[FATHOM_ACTIVITY_MPI_INIT_EXIT] > 0 ?
		 " (MPI_Init and MPI_Finalize left out)" : "");
	printf("%6s  ", parallel);
	fathom_page_paragraph(&report->page, text, 8);
	if (had >= BUSY_BELOW)
		return;
	snprintf(text, sizeof(text), "The ranks had a processor for only %s of their time: either other programs used "
		 "the processors, and the efficiency is too low by that, or the ranks slept.",
		 fathom_number_percent(parallel, had, 1));
	fathom_page_blanks(8);
	fathom_page_paragraph(&report->page, text, 8);
}

void fathom_report_balance(struct fathom_report *report)
{
	struct fathom_page *page = &report->page;
	const struct fathom_activity_times *breakdown = &report->breakdown;
	struct spread computation = { 0 }, spread, everything;
	bool has_mpi = false;
	char title[96];
	unsigned k;

	if (breakdown->unit_count < 2)
		return;
	if (breakdown->by_thread && report->profile.threads.aggregation != FATHOM_AGGREGATION_ALL) {
		fathom_report_groups(report);
		return;
	}
	snprintf(title, sizeof(title), "Balance over %u %s", breakdown->unit_count,
		 breakdown->by_thread ? "threads" : "ranks");
	fathom_page_heading(page, title, "balance = average / maximum");
	printf("%s%-7s %-22s%9s %9s %-7s %9s %s%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), "balance", "",
	       "average", "minimum", breakdown->by_thread ? "thread" : "rank", "maximum",
	       breakdown->by_thread ? "thread" : "rank", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	for (k = 0; k < FATHOM_KIND_COUNT; k++) {
		spread = spread_of(breakdown, (int)k);
		if (fathom_activity_kinds[k] == FATHOM_ACTIVITY_COMPUTATION)
			computation = spread;
		has_mpi |= fathom_activity_kinds[k] == FATHOM_ACTIVITY_MPI && spread.most > 0;
		if (breakdown->kind_seconds[k] >= 0.0005 * breakdown->total && spread.most > 0)
			print_spread(report, fathom_activity_table[fathom_activity_kinds[k]].title, &spread);
	}
	everything = spread_of(breakdown, ALL_KINDS);
	print_spread(report, "All", &everything);
	if (has_mpi && !breakdown->by_thread)
		print_efficiency(report, &computation);
}
