#include "tools/report/findings/rank_findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/common/profile.h"
#include "tools/report/findings/finding_list.h"
#include "tools/report/findings/rank_values.h"
#include "tools/report/processors.h"
#include "tools/report/report.h"

/* Thresholds. */
#define IMBALANCE_FROM 0.05	/* of all time: computation that equal shares would save */
#define FILES_FROM 0.1		/* of all time */
#define MESSAGES_FROM 0.1	/* of all time: in calls that send and receive, without waiting */
#define SMALL_BYTES 1024	/* the mean size of messages below which they are small */
#define MANY_MESSAGES 1000	/* that a rank must have sent at least */
#define SHARING_FROM 1.2	/* computing threads for each processor */
#define USED_FROM 0.1		/* of the processors: less is used by threads that sleep, not by threads that compute */

static int32_t metric_of(const struct fathom_profile *profile, const char *name)
{
	uint32_t m;

	for (m = 0; m < profile->cube->metric_count; m++)
		if (strcmp(profile->cube->metrics[m].uniq_name, name) == 0 && fathom_profile_has_values(profile, m))
			return (int32_t)m;
	return -1;
}

static enum fathom_activity activity_of(const struct fathom_profile *profile, uint32_t cnode)
{
	return fathom_profile_activity(profile, fathom_profile_region(profile, cnode));
}

/* Returns the seconds of an activity class in a unit of the breakdown. */
static double unit_seconds(const struct fathom_activity_times *times, uint32_t unit, enum fathom_activity activity)
{
	return times->unit_kind[(size_t)unit * FATHOM_KIND_COUNT + fathom_activity_kind_of(activity)];
}

/* --- unequal work of ranks ------------------------------------------------------------------------------ */

/* Finds the call path of computation whose time differs most between ranks. Returns the difference between the largest
 * and the mean time; 0: there is none. */
static double most_uneven(struct fathom_report *report, uint32_t *cnode, struct fathom_rank_values *uneven)
{
	struct fathom_profile *profile = &report->profile;
	struct fathom_rank_values values;
	double most = 0, excess;
	uint32_t c;

	for (c = 0; c < profile->cube->cnode_count; c++) {
		if (!profile->counted[c] || report->time.own[c] < 0.01 * report->time.total ||
		    fathom_profile_is_program(profile, c) ||
		    !fathom_activity_within(activity_of(profile, c), FATHOM_ACTIVITY_COMPUTATION) ||
		    fathom_rank_values_read(&values, profile, (uint32_t)profile->time, c))
			continue;
		excess = values.most - values.sum / values.count;
		if (excess > most) {
			most = excess;
			*cnode = c;
			fathom_rank_values_fini(uneven);
			*uneven = values;
		} else {
			fathom_rank_values_fini(&values);
		}
	}
	return most;
}

/* Subtracts the time outside of main from the computation of the ranks: the program cannot change it. */
static void subtract_program(struct fathom_report *report, double *computation)
{
	struct fathom_profile *profile = &report->profile;
	struct fathom_rank_values values;
	uint32_t c, u;

	for (c = 0; c < profile->cube->cnode_count; c++) {
		if (!fathom_profile_is_program(profile, c) || !profile->counted[c] || report->time.own[c] == 0 ||
		    fathom_rank_values_read(&values, profile, (uint32_t)profile->time, c))
			continue;
		for (u = 0; u < values.count && u < report->breakdown.unit_count; u++)
			computation[u] -= values.values[u];
		fathom_rank_values_fini(&values);
	}
}

static void find_uneven_ranks(struct fathom_finding_list *list)
{
	struct fathom_report *report = list->report;
	const struct fathom_activity_times *times = &report->breakdown;
	struct fathom_finding finding = { .kind = "imbalance" };
	struct fathom_rank_values values = { 0 };
	double most = 0, sum = 0, mpi = 0, *computation;
	char name[400], cost[96];
	uint32_t u, count;

	/* If the profile has wait states, they say more. */
	if (times->by_thread || times->unit_count < 2 || metric_of(&report->profile, "wait_states") >= 0)
		return;
	computation = fathom_tool_alloc(times->unit_count, sizeof(*computation));
	for (u = 0; u < times->unit_count; u++)
		computation[u] = unit_seconds(times, u, FATHOM_ACTIVITY_COMPUTATION);
	subtract_program(report, computation);
	for (u = 0; u < times->unit_count; u++) {
		most = computation[u] > most ? computation[u] : most;
		sum += computation[u];
		mpi += unit_seconds(times, u, FATHOM_ACTIVITY_MPI) - times->unit_init[u];
	}
	free(computation);
	finding.seconds = most * times->unit_count - sum;
	if (finding.seconds > mpi)
		finding.seconds = mpi;		/* nobody waits for the rest */
	if (finding.seconds < IMBALANCE_FROM * report->time.total ||
	    most_uneven(report, &finding.cnode, &values) <= 0)
		return;
	count = fathom_rank_values_list(&values, values.sum / values.count + 0.25 * (values.most - values.sum /
										     values.count),
					finding.ranks, sizeof(finding.ranks));
	if (count == 1 && values.count > 2)
		finding.cause = values.sum - values.most < 0.01 * values.most ? "serial part" : "one slow rank";
	fathom_finding_add(list, &finding, "The ranks' work is unequal, which costs %s. %s %s %s longer than the "
			   "others, most of all in %s. Give each rank the same work.",
			   fathom_finding_cost(report, finding.seconds, cost, sizeof(cost)),
			   count == 1 ? "Rank" : "Ranks", finding.ranks, count == 1 ? "computes" : "compute",
			   fathom_finding_name(report, finding.cnode, name, sizeof(name)));
	fathom_rank_values_fini(&values);
}

/* --- small messages -------------------------------------------------------------------------------------- */

static bool is_message_call(const struct fathom_profile *profile, uint32_t cnode)
{
	enum fathom_activity activity = activity_of(profile, cnode);

	return fathom_activity_within(activity, FATHOM_ACTIVITY_MPI_P2P) ||
	       fathom_activity_within(activity, FATHOM_ACTIVITY_MPI_REQUEST);
}

/* Returns the time of waiting in messages; 0 if the profile does not have it. */
static double message_waiting(struct fathom_profile *profile)
{
	int32_t metric = metric_of(profile, "wait_p2p");
	struct fathom_values waiting;
	double seconds;

	if (metric < 0 || fathom_profile_values(profile, (uint32_t)metric, &waiting))
		return 0;
	seconds = waiting.total;
	fathom_values_free(&waiting);
	return seconds;
}

static void find_small_messages(struct fathom_finding_list *list)
{
	struct fathom_report *report = list->report;
	struct fathom_profile *profile = &report->profile;
	int32_t sent = metric_of(profile, "messages_sent"), bytes = metric_of(profile, "bytes_sent");
	struct fathom_finding finding = { .kind = "small messages" };
	struct fathom_values messages = { 0 }, sizes = { 0 };
	char name[400], cost[96], count[FATHOM_NUMBER_BYTES], mean[FATHOM_NUMBER_BYTES];
	double total_bytes = 0;
	uint32_t c;

	if (sent < 0 || fathom_profile_values(profile, (uint32_t)sent, &messages))
		return;
	if (bytes >= 0 && fathom_profile_values(profile, (uint32_t)bytes, &sizes)) {
		fathom_values_free(&messages);
		return;
	}
	for (c = 0; c < profile->cube->cnode_count; c++) {
		if (!profile->counted[c])
			continue;
		if (messages.own[c] > 0 && sizes.own)
			total_bytes += sizes.own[c];
		if (messages.own[c] > messages.own[finding.cnode])
			finding.cnode = c;
		if (is_message_call(profile, c))
			finding.seconds += report->time.own[c];
	}
	finding.seconds -= message_waiting(profile);
	if (finding.seconds >= MESSAGES_FROM * report->time.total &&
	    messages.total >= (double)MANY_MESSAGES * profile->process_count &&
	    total_bytes < SMALL_BYTES * messages.total)
		fathom_finding_add(list, &finding, "Many messages are small: %s with %s on the average, most of them "
				   "in %s. Sending and receiving takes %s. Put data for the same rank into one "
				   "message.",
				   fathom_number_count(count, messages.total),
				   fathom_number_bytes(mean, total_bytes / messages.total),
				   fathom_finding_name(report, finding.cnode, name, sizeof(name)),
				   fathom_finding_cost(report, finding.seconds, cost, sizeof(cost)));
	fathom_values_free(&messages);
	if (sizes.own)
		fathom_values_free(&sizes);
}

/* --- files -------------------------------------------------------------------------------------------------- */

static void find_files(struct fathom_finding_list *list)
{
	struct fathom_report *report = list->report;
	struct fathom_profile *profile = &report->profile;
	struct fathom_finding finding = { .kind = "file access" };
	char name[400], cost[96], each[FATHOM_NUMBER_BYTES], calls[FATHOM_NUMBER_BYTES];
	double most = 0, visits;
	uint32_t c;

	for (c = 0; c < profile->cube->cnode_count; c++) {
		enum fathom_activity activity = activity_of(profile, c);

		if (!profile->counted[c] || (!fathom_activity_within(activity, FATHOM_ACTIVITY_IO) &&
					     !fathom_activity_within(activity, FATHOM_ACTIVITY_MPI_IO) &&
					     !fathom_activity_within(activity, FATHOM_ACTIVITY_MPI_FILE)))
			continue;
		finding.seconds += report->time.own[c];
		if (report->time.own[c] > most) {
			most = report->time.own[c];
			finding.cnode = c;
		}
	}
	if (most <= 0 || finding.seconds < FILES_FROM * report->time.total)
		return;
	visits = report->visits.own ? report->visits.own[finding.cnode] : 0;
	fathom_finding_add(list, &finding, "Access to files takes %s, most of all %s: %s calls of %s each. Read and "
			   "write larger pieces, less often, or from fewer ranks.",
			   fathom_finding_cost(report, finding.seconds, cost, sizeof(cost)),
			   fathom_finding_name(report, finding.cnode, name, sizeof(name)),
			   fathom_number_count(calls, visits),
			   fathom_number_seconds(each, visits > 0 ? most / visits : 0));
}

/* --- processors ------------------------------------------------------------------------------------------- */

static void find_oversubscription(struct fathom_finding_list *list)
{
	struct fathom_report *report = list->report;
	const struct fathom_activity_times *times = &report->breakdown;
	double processors = fathom_report_processors(report), used = fathom_report_processor_time(report);
	struct fathom_finding finding = { .kind = "oversubscription" };
	double computing = 0, wall = 0;
	char cost[96];
	uint32_t u, c;

	if (processors <= 0 || used <= 0)
		return;
	for (u = 0; u < times->unit_count; u++) {
		computing += unit_seconds(times, u, FATHOM_ACTIVITY_COMPUTATION);
		wall = times->unit_total[u] > wall ? times->unit_total[u] : wall;
	}
	if (!times->by_thread && report->profile.process_count)
		wall /= (double)report->profile.thread_count / report->profile.process_count;
	/* Ranks that sleep, or wait in MPI, share a processor without loss. */
	if (!(computing > SHARING_FROM * processors * wall) || used < USED_FROM * processors * wall)
		return;
	for (c = 0; c < report->profile.cube->cnode_count; c++)
		if (report->profile.counted[c] && report->time.own[c] > report->time.own[finding.cnode])
			finding.cnode = c;
	finding.seconds = computing - used;
	if (finding.seconds >= FATHOM_FINDING_FROM * report->time.total)
		fathom_finding_add(list, &finding, "More threads compute than there are processors: %u threads on %.3g "
				   "processors. Threads that can run have no processor for %s. Start fewer ranks or "
				   "threads, or use more nodes.", (unsigned)report->profile.thread_count, processors,
				   fathom_finding_cost(report, finding.seconds, cost, sizeof(cost)));
}

void fathom_find_rank_problems(struct fathom_finding_list *list)
{
	find_uneven_ranks(list);
	find_small_messages(list);
	find_files(list);
	find_oversubscription(list);
}
