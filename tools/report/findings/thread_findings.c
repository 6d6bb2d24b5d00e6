#include "tools/report/findings/thread_findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/number_format.h"
#include "tools/report/findings/finding_list.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"
#include "tools/report/thread_spread.h"

/* Shares of all time from which a finding is reported. */
#define WORTH_SAYING FATHOM_FINDING_FROM
#define LOCKS_FROM 0.05
#define IDLE_FROM 0.25		/* of time and idle time together */
/* Thresholds within a parallel region. */
#define BALANCE_BELOW 0.8
#define WAITING_FROM 0.25
#define MANAGEMENT_FROM 0.2
#define SMALL_REGION_SECONDS 1e-4	/* of a thread in a parallel region, each time */
/* A task should work this much longer than it takes to create it. */
#define TASK_MULTIPLE 10

/* Returns the name of a region for use in a sentence. */
static const char *name_of(const struct fathom_finding_list *list, uint32_t cnode, char *text, size_t bytes)
{
	const char *name = fathom_region_name(fathom_profile_region(&list->report->profile, cnode));

	snprintf(text, bytes, "%.200s", name);
	return text;
}

/* --- who makes others idle ------------------------------------------------------------------------ */

/* Returns whether a call path is in a parallel region, which may be at several call paths. */
static bool is_within(const struct fathom_profile *profile, uint32_t cnode, uint32_t region)
{
	int32_t at = (int32_t)cnode;

	while (at >= 0 && profile->cube->cnodes[at].region != region)
		at = profile->cube->cnodes[at].parent;
	return at >= 0;
}

/* Writes the sentence about the call path that other threads wait for most, if the profile has the metric
 * p_all_thread_idleness (FATHOM_IDLENESS=on), and makes it the place of the finding. team: only call paths in this
 * parallel region; NULL: all. */
static void blame_idleness(const struct fathom_finding_list *list, const struct fathom_team_region *team,
			   struct fathom_finding *finding, char *text, size_t bytes)
{
	struct fathom_profile *profile = &list->report->profile;
	struct fathom_values idleness = { 0 };
	char name[400], percent[FATHOM_NUMBER_BYTES];
	double most = 0, sum = 0;
	uint32_t m, c, place = 0;

	text[0] = '\0';
	for (m = 0; m < profile->cube->metric_count; m++)
		if (strcmp(profile->cube->metrics[m].uniq_name, "p_all_thread_idleness") == 0)
			break;
	if (m == profile->cube->metric_count || !fathom_profile_has_values(profile, m) ||
	    fathom_profile_values(profile, m, &idleness))
		return;
	for (c = 0; c < profile->cube->cnode_count; c++) {
		if (!profile->counted[c] || fathom_profile_is_program(profile, c) ||
		    (team && !is_within(profile, c, team->region)))
			continue;
		sum += idleness.own[c];
		if (idleness.own[c] > most) {
			most = idleness.own[c];
			place = c;
		}
	}
	fathom_values_free(&idleness);
	if (most <= 0)
		return;
	finding->cnode = place;
	snprintf(text, bytes, " Most of all, threads are idle while others are in %s: %s of the idle time.",
		 fathom_finding_name(list->report, place, name, sizeof(name)),
		 fathom_number_percent(percent, most, sum));
}

/* --- the rules ----------------------------------------------------------------------------------- */

/* Reports unequal work of a team if it costs enough. Returns whether it was reported. */
static bool find_imbalance(struct fathom_finding_list *list, const struct fathom_team_region *region)
{
	double total = list->report->time.total, balance = fathom_team_balance(region);
	struct fathom_finding finding = {
		.kind = "imbalance", .cnode = region->cnode, .seconds = fathom_team_savable(region),
	};
	char name[256], percent[FATHOM_NUMBER_BYTES], share[FATHOM_NUMBER_BYTES], seconds[FATHOM_NUMBER_BYTES];
	enum fathom_aggregation aggregation = list->report->profile.threads.aggregation;
	char blamed[600];

	if (balance < 0 || balance >= BALANCE_BELOW || fathom_team_savable(region) < WORTH_SAYING * total)
		return false;
	blame_idleness(list, region, &finding, blamed, sizeof(blamed));
	fathom_finding_add(list, &finding,
	    "Unequal work in %s: the %s with most has %.2f times the average (balance %s). Equal shares could save up "
	    "to %s, %s of the time of all threads.%s Another schedule (schedule(dynamic)) may distribute the work "
	    "better.",
	    name_of(list, region->cnode, name, sizeof(name)),
	    aggregation == FATHOM_AGGREGATION_CALLTREE ? "group" : "thread", 1 / balance,
	    fathom_number_percent(percent, balance, 1), fathom_number_seconds(seconds, fathom_team_savable(region)),
	    fathom_number_percent(share, fathom_team_savable(region), total), blamed);
	return true;
}

static bool find_spread(struct fathom_finding_list *list)
{
	double total = list->report->time.total, savable, balance;
	struct fathom_finding finding = { .kind = "imbalance" };
	char name[256], percent[FATHOM_NUMBER_BYTES], share[FATHOM_NUMBER_BYTES], seconds[FATHOM_NUMBER_BYTES];
	struct fathom_thread_spread *spreads;
	uint32_t count = fathom_report_spreads(list->report, &spreads), i;
	bool found = false;

	for (i = 0; i < count && i < FATHOM_FINDING_ROOM; i++) {
		const struct fathom_statistics *time = &spreads[i].time;

		savable = time->count * time->most - time->sum;
		balance = time->most > 0 ? fathom_statistics_mean(time) / time->most : 1;
		if (balance >= BALANCE_BELOW || savable < WORTH_SAYING * total)
			continue;
		found = true;
		finding.cnode = spreads[i].cnode;
		finding.seconds = savable;
		fathom_finding_add(list, &finding,
		    "Unequal work in %s: of %.0f threads, the one with most has %.2f times the average (balance %s). "
		    "Equal shares could save up to %s, %s of the time of all threads.",
		    name_of(list, spreads[i].cnode, name, sizeof(name)), time->count, 1 / balance,
		    fathom_number_percent(percent, balance, 1), fathom_number_seconds(seconds, savable),
		    fathom_number_percent(share, savable, total));
	}
	free(spreads);
	return found;
}

static void find_waiting(struct fathom_finding_list *list, const struct fathom_team_region *region)
{
	double waiting = region->use[FATHOM_USE_BARRIER];
	struct fathom_finding finding = { .kind = "waiting", .cnode = region->cnode, .seconds = waiting };
	bool is_sum = list->report->profile.threads.aggregation == FATHOM_AGGREGATION_SUM;
	char name[256], percent[FATHOM_NUMBER_BYTES], seconds[FATHOM_NUMBER_BYTES], blamed[600];

	if (waiting < WAITING_FROM * region->seconds || waiting < WORTH_SAYING * list->report->time.total)
		return;
	blame_idleness(list, region, &finding, blamed, sizeof(blamed));
	fathom_finding_add(list, &finding, "Threads wait for each other for %s, %s of their time in %s%s.%s",
	    fathom_number_seconds(seconds, waiting), fathom_number_percent(percent, waiting, region->seconds),
	    name_of(list, region->cnode, name, sizeof(name)),
	    is_sum ? "; as they were added up, it is not known whether unequal work is the reason (FATHOM_THREADS=set, "
		     "key or all would show it)" : "", blamed);
}

/* Reports a parallel region that is too short for what it takes to start a team. Returns whether it was reported. */
static bool find_small_region(struct fathom_finding_list *list, const struct fathom_team_region *region)
{
	double each = region->visits > 0 ? region->seconds / region->visits : 0, cost;
	struct fathom_finding finding = { .kind = "small regions", .cnode = region->cnode };
	char name[256], percent[FATHOM_NUMBER_BYTES], time[FATHOM_NUMBER_BYTES], seconds[FATHOM_NUMBER_BYTES];

	cost = region->use[FATHOM_USE_MANAGEMENT];
	if (each < SMALL_REGION_SECONDS)	/* then threads wait until all of them have begun */
		cost += region->use[FATHOM_USE_BARRIER];
	/* If the program creates tasks, the finding about their creation is reported instead. */
	if (cost < MANAGEMENT_FROM * region->seconds || cost < WORTH_SAYING * list->report->time.total ||
	    list->report->tasks.count > 0 || each <= 0)
		return false;
	finding.seconds = cost;
	fathom_finding_add(list, &finding, "%s is too short: %s of it is starting and ending the team, "
	    "in all %s. Each time, a thread is in it for %s on the average. Join parallel regions, or let one "
	    "thread execute this one (clause if).",
	    name_of(list, region->cnode, name, sizeof(name)), fathom_number_percent(percent, cost, region->seconds),
	    fathom_number_seconds(seconds, cost), fathom_number_seconds(time, each));
	return true;
}

/* Returns the parallel region around a call path; NULL: there is none. */
static const struct fathom_team_region *team_around(const struct fathom_finding_list *list, uint32_t cnode)
{
	const struct fathom_profile *profile = &list->report->profile;
	const struct fathom_teams *teams = &list->report->teams;
	int32_t at = (int32_t)cnode;
	uint32_t i;

	while (at >= 0 && !fathom_is_parallel(fathom_profile_region(profile, (uint32_t)at)))
		at = profile->cube->cnodes[at].parent;
	for (i = 0; at >= 0 && i < teams->count; i++)
		if (teams->regions[i].region == profile->cube->cnodes[at].region)
			return &teams->regions[i];
	return NULL;
}

/* Returns the call path that waits or holds a lock: for a lock function its caller, because lock functions have no
 * source place. */
static uint32_t waiting_place(const struct fathom_finding_list *list, uint32_t cnode)
{
	int32_t parent = list->report->profile.cube->cnodes[cnode].parent;

	return parent >= 0 && fathom_profile_region(&list->report->profile, cnode)->begin_line <= 0 ?
	       (uint32_t)parent : cnode;
}

/* Writes the sentence about who held the locks, if the profile has the metric lock_blame, and makes its call path the
 * place of the finding. */
static void blame(const struct fathom_finding_list *list, struct fathom_finding *finding, char *text, size_t bytes)
{
	struct fathom_profile *profile = &list->report->profile;
	struct fathom_values held = { 0 };
	char name[400], percent[FATHOM_NUMBER_BYTES];
	double most = 0;
	uint32_t m, c;

	text[0] = '\0';
	for (m = 0; m < profile->cube->metric_count; m++)
		if (strcmp(profile->cube->metrics[m].uniq_name, "lock_blame") == 0)
			break;
	if (m == profile->cube->metric_count || !fathom_profile_has_values(profile, m) ||
	    fathom_profile_values(profile, m, &held))
		return;
	if (held.total > 0) {
		finding->cnode = 0;
		for (c = 0; c < profile->cube->cnode_count; c++)
			if (profile->counted[c] && held.own[c] > most) {
				finding->cnode = c;
				most = held.own[c];
			}
		finding->cnode = waiting_place(list, finding->cnode);
		snprintf(text, bytes, " They wait for a thread that holds the lock in %s for %s of this time. Hold the "
			 "lock for a shorter time, or use several locks.",
			 fathom_finding_name(list->report, finding->cnode, name, sizeof(name)),
			 fathom_number_percent(percent, most, held.total));
	}
	fathom_values_free(&held);
}

static void find_locks(struct fathom_finding_list *list)
{
	const struct fathom_report *report = list->report;
	const struct fathom_profile *profile = &report->profile;
	const struct fathom_team_region *team;
	struct fathom_finding finding = { .kind = "lock contention" };
	char name[256], place[256], text[256], percent[FATHOM_NUMBER_BYTES], most_percent[FATHOM_NUMBER_BYTES];
	char waiting[FATHOM_NUMBER_BYTES], holder[640];
	uint32_t c, most = 0;
	double seconds = 0;
	bool even;

	for (c = 0; c < profile->cube->cnode_count; c++) {
		if (!profile->counted[c] || fathom_use_of(fathom_profile_region(profile, c)) != FATHOM_USE_LOCK)
			continue;
		if (seconds == 0 || report->time.own[c] > report->time.own[most])
			most = c;
		seconds += report->time.own[c];
	}
	if (seconds < LOCKS_FROM * report->time.total || seconds == 0)
		return;
	c = waiting_place(list, most);
	snprintf(place, sizeof(place), "%s",
		 fathom_region_place(fathom_profile_region(profile, c), text, sizeof(text)));
	team = team_around(list, most);
	even = team && fathom_team_balance(team) >= 0.9 && team->use[FATHOM_USE_BARRIER] >= LOCKS_FROM * team->seconds;
	if (c == most)
		snprintf(text, sizeof(text), "%s", name_of(list, most, name, sizeof(name)));
	else
		snprintf(text, sizeof(text), "%.100s called in %.100s", fathom_profile_region(profile, most)->name,
			 fathom_region_name(fathom_profile_region(profile, c)));
	/* A name may already contain the place: "!$omp critical @x.c:20". */
	if (!strchr(text, '@') && strchr(place, ':'))
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " (%.80s)", place);
	finding.cnode = most;
	finding.seconds = seconds;
	blame(list, &finding, holder, sizeof(holder));
	fathom_finding_add(list, &finding,
	    "Threads wait for their turn for %s, %s of all time; %s of it in %s.%s%s",
	    fathom_number_seconds(waiting, seconds), fathom_number_percent(percent, seconds, report->time.total),
	    fathom_number_percent(most_percent, report->time.own[most], seconds), text,
	    holder, even ? " Their work is equal: the waiting at the barrier comes from there, too." : "");
}

static void find_small_tasks(struct fathom_finding_list *list, const struct fathom_task_construct *construct)
{
	const struct fathom_report *report = list->report;
	const struct fathom_profile *profile = &report->profile;
	double work = fathom_task_work(construct), creation = fathom_task_creation(construct);
	struct fathom_finding finding = { .kind = "small tasks" };
	char each[FATHOM_NUMBER_BYTES], cost[FATHOM_NUMBER_BYTES], percent[FATHOM_NUMBER_BYTES];
	char count[FATHOM_NUMBER_BYTES], seconds[FATHOM_NUMBER_BYTES];
	uint32_t c;

	if (!(creation > 0) || work >= TASK_MULTIPLE * creation ||
	    construct->creation_seconds < WORTH_SAYING * report->time.total)
		return;
	for (c = 0; c + 1 < profile->cube->cnode_count; c++)
		if (profile->in_tasks[c] && profile->cube->cnodes[c].region == construct->region)
			break;
	finding.cnode = c;
	finding.seconds = construct->creation_seconds;
	fathom_finding_add(list, &finding,
	    "The %s tasks of %s are small: each runs for %s but takes %s to create. Creating them takes %s, %s of all "
	    "time; what it takes to manage them otherwise is in the barriers. Make fewer and larger tasks.",
	    fathom_number_count(count, construct->instances), profile->cube->regions[construct->region].name,
	    fathom_number_seconds(each, work), fathom_number_seconds(cost, creation),
	    fathom_number_seconds(seconds, construct->creation_seconds),
	    fathom_number_percent(percent, construct->creation_seconds, report->time.total));
}

static void find_idle(struct fathom_finding_list *list)
{
	const struct fathom_report *report = list->report;
	const struct fathom_profile *profile = &report->profile;
	struct fathom_finding finding = { .kind = "idle threads", .is_idle = true };
	char name[256], percent[FATHOM_NUMBER_BYTES], seconds[FATHOM_NUMBER_BYTES];
	/* Idle time outside of main is spent while the measurement begins and ends: the program cannot improve it. */
	double idle = report->idle - report->idle_at_root, both = report->time.total + report->idle;
	uint32_t c, most = UINT32_MAX;

	if (!(idle > IDLE_FROM * both))
		return;
	for (c = 0; c < profile->cube->cnode_count; c++)
		if (!report->teams.inside[c] && !fathom_profile_is_program(profile, c) && !profile->in_tasks[c] &&
		    (most == UINT32_MAX || report->time.own[c] > report->time.own[most]))
			most = c;
	if (most == UINT32_MAX)
		return;
	finding.cnode = most;
	finding.seconds = idle;
	fathom_finding_add(list, &finding, "Threads are idle for %s (%s of time and idle time), while the "
	    "initial thread is in no parallel region but, most of all, in %s. Let the threads share this work.",
	    fathom_number_seconds(seconds, idle), fathom_number_percent(percent, idle, both),
	    name_of(list, most, name, sizeof(name)));
}

void fathom_find_thread_problems(struct fathom_finding_list *list)
{
	struct fathom_report *report = list->report;
	bool explained;
	uint32_t i;

	if (!report->teams.is_there)
		return;
	find_locks(list);
	find_idle(list);
	explained = find_spread(list);
	for (i = 0; i < report->teams.count; i++) {
		if (find_small_region(list, &report->teams.regions[i]))
			continue;
		if (!find_imbalance(list, &report->teams.regions[i]) && !explained)
			find_waiting(list, &report->teams.regions[i]);
	}
	for (i = 0; i < report->tasks.count; i++)
		find_small_tasks(list, &report->tasks.constructs[i]);
}
