#include "tools/report/findings/wait_findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/common/profile.h"
#include "tools/report/findings/finding_list.h"
#include "tools/report/findings/rank_values.h"
#include "tools/report/grid_waits.h"
#include "tools/report/report.h"

/* A rule: if there is enough of the waiting, the ranks and call paths with most of the delay are its causes. */
struct rule {
	const char *kind;
	const char *waiting;		/* metric */
	const char *part;		/* a metric within waiting that has a rule of its own; NULL: none */
	const char *delay;		/* metric; NULL: the cause is not known */
	const char *event;		/* what the waiting ranks wait for */
	const char *advice;
};

static const struct rule rules[] = {
	{ "late sender", "mpi_latesender", "mpi_latesender_wo", "delay_latesender",
	  "for messages that are sent late",
	  "Send earlier, or give the sender less to do before it sends." },
	{ "wrong order", "mpi_latesender_wo", NULL, "delay_latesender",
	  "for a message while another one, which was sent earlier, is there already",
	  "Receive messages in the order in which they arrive (MPI_Waitany, MPI_ANY_SOURCE)." },
	{ "late receiver", "mpi_latereceiver", NULL, "delay_latereceiver",
	  "for the receiver of a message",
	  "Begin receives earlier (MPI_Irecv), or do something else while a message is sent (MPI_Isend)." },
	{ "wait at barrier", "mpi_barrier_wait", NULL, "delay_barrier",
	  "for the last rank at a barrier",
	  "Distribute the work evenly, or leave the barrier out if nothing needs it." },
	{ "wait at all-to-all", "mpi_wait_nxn", NULL, "delay_n2n",
	  "for the last rank at an operation of all with all",
	  "Distribute the work evenly, or begin the operation early (MPI_Iallreduce, ...) and complete it later." },
	{ "late broadcast", "mpi_latebroadcast", NULL, "delay_12n",
	  "for the root of a broadcast or scatter",
	  "Let the root call the operation earlier, or give it less other work." },
	{ "early reduce", "mpi_earlyreduce", NULL, "delay_n21",
	  "at the root of a reduction or gather for the other ranks",
	  "Let the root do other work first, or use a non-blocking operation." },
	{ "early scan", "mpi_earlyscan", NULL, "delay_scan",
	  "for ranks with lower numbers in a prefix operation",
	  "Give the ranks equal work before the operation." },
	{ "wait at finalize", "mpi_finalize_wait", NULL, NULL,
	  "in MPI_Finalize for the last rank",
	  "Distribute the work behind the last communication evenly." },
	{ "wait at fence", "mpi_rma_wait_at_fence", NULL, "delay_rma",
	  "for the last rank at a fence of one-sided communication",
	  "Distribute the work evenly, or synchronise only the ranks that exchange data (MPI_Win_post, "
	  "MPI_Win_start)." },
	{ "wait at window creation", "mpi_rma_wait_at_create", NULL, "delay_rma",
	  "for the last rank that creates a window",
	  "Create windows when all ranks have equal work behind them, or once for the whole run." },
	{ "wait at window free", "mpi_rma_wait_at_free", NULL, "delay_rma",
	  "for the last rank that frees a window",
	  "Free windows at the end of the run, or where the ranks meet anyway." },
	{ "late post", "mpi_rma_sync_late_post", NULL, "delay_rma",
	  "for a target that exposes its window late",
	  "Call MPI_Win_post earlier at the target." },
	{ "late post", "mpi_rma_comm_late_post", NULL, "delay_rma",
	  "for a target that exposes its window late",
	  "Call MPI_Win_post earlier at the target." },
	{ "early wait", "mpi_rma_early_wait", NULL, "delay_rma",
	  "in MPI_Win_wait until the origins are done",
	  "Let the target do other work before MPI_Win_wait." },
	{ "lock competition", "mpi_rma_sync_lock_competition", NULL, NULL,
	  "for the lock of a window that another rank holds",
	  "Hold window locks for a shorter time, or use shared ones." },
	{ "lock competition", "mpi_rma_comm_lock_competition", NULL, NULL,
	  "for the lock of a window that another rank holds",
	  "Hold window locks for a shorter time, or use shared ones." },
	{ "wait for progress", "mpi_rma_sync_wait_for_progress", NULL, "delay_rma",
	  "until a target calls MPI, which alone makes progress there",
	  "Let the target call MPI now and then, or use asynchronous progress." },
	{ "wait for progress", "mpi_rma_comm_wait_for_progress", NULL, "delay_rma",
	  "in a put or get until a target calls MPI, which alone makes progress there",
	  "Let the target call MPI now and then, or use asynchronous progress." },
};

static int32_t metric_of(const struct fathom_profile *profile, const char *name)
{
	uint32_t m;

	for (m = 0; name && m < profile->cube->metric_count; m++)
		if (strcmp(profile->cube->metrics[m].uniq_name, name) == 0 && fathom_profile_has_values(profile, m))
			return (int32_t)m;
	return -1;
}

/* Returns the counted call path with the largest own value. */
static uint32_t largest(const struct fathom_profile *profile, const struct fathom_values *values)
{
	uint32_t c, most = 0;

	for (c = 1; c < profile->cube->cnode_count; c++)
		if (profile->counted[c] && values->own[c] > values->own[most])
			most = c;
	return most;
}

/* The share of all time from which waiting of ranks is reported. Less than this may come from other programs on the
 * machine. */
#define WAITING_FROM 0.05

/* A share of the largest value of a rank from which a rank counts as one of those that cause something. */
#define RANK_FROM 0.25
/* Ranks are even if they differ by less than this share of the difference to a slow one. */
#define EVEN_WITHIN 0.3

/* Writes the ranks with most of a metric in a call path: "3" or "0,2-7"; "" after an error message. Returns their
 * number. */
static uint32_t list_ranks(struct fathom_profile *profile, uint32_t metric, uint32_t cnode, char *ranks, size_t bytes,
			   bool *on_one_node)
{
	struct fathom_rank_values values;
	uint32_t count;

	ranks[0] = '\0';
	if (fathom_rank_values_read(&values, profile, metric, cnode))
		return 0;
	count = fathom_rank_values_list(&values, RANK_FROM * values.most, ranks, bytes);
	*on_one_node = fathom_rank_values_on_one_node(&values, RANK_FROM * values.most);
	fathom_rank_values_fini(&values);
	return count;
}

/* Returns whether one rank takes longer in a call path than all others, which take about equal time. */
static bool is_one_slow(struct fathom_profile *profile, uint32_t cnode)
{
	struct fathom_rank_values values;
	double second;
	bool is_one;
	uint32_t i;

	if (fathom_rank_values_read(&values, profile, (uint32_t)profile->time, cnode))
		return false;
	second = values.least;
	for (i = 0; i < values.count; i++)
		if (values.values[i] < values.most && values.values[i] > second)
			second = values.values[i];
	is_one = values.count > 2 && second - values.least < EVEN_WITHIN * (values.most - values.least);
	fathom_rank_values_fini(&values);
	return is_one;
}

/* Returns whether only one rank entered a call path. */
static bool is_serial(struct fathom_profile *profile, uint32_t cnode)
{
	struct fathom_rank_values values;
	char ranks[64];
	bool is_alone;

	if (profile->visits < 0 || fathom_rank_values_read(&values, profile, (uint32_t)profile->visits, cnode))
		return false;
	is_alone = values.count > 1 && fathom_rank_values_list(&values, 0.5, ranks, sizeof(ranks)) == 1;
	fathom_rank_values_fini(&values);
	return is_alone;
}

/* --- positions in a grid ---------------------------------------------------------------------------- */

/* Waiting is by position in the grid if F is at least this. With 6 processes in 2 groups, a larger F comes by chance
 * less than once in 100 cases. */
#define GRID_F 25
/* The waiting of the groups that wait is more than this multiple of that of the others. */
#define GRID_MULTIPLE 2
/* The waiting of a sweep grows with the distance from its begin: the correlation of both. */
#define GRADIENT_FROM 0.7
/* The share of late senders from which they come from the refilling of a pipeline. */
#define REFILL_FROM 0.5

/* The share of the waiting from which one row, column or plane of a grid has most of it. */
#define ROW_FROM 0.8

enum { LEAST_PLACES = 3, LEAST_BORDER_PLACES = 5, LEAST_SWEEP = 3 };

/* Returns the topology with most places; NULL: there is none with enough of them. */
static const struct fathom_cube_topology *largest_grid(const struct fathom_cube *cube)
{
	const struct fathom_cube_topology *largest = NULL;
	uint32_t t;

	for (t = 0; t < cube->topology_count; t++)
		if (cube->topologies[t].place_count >= LEAST_PLACES &&
		    (!largest || cube->topologies[t].place_count > largest->place_count))
			largest = &cube->topologies[t];
	return largest;
}

static const char *grid_name(const struct fathom_cube_topology *grid)
{
	return grid->name && *grid->name ? grid->name : "of the program";
}

/* Reads the waiting of a metric in a grid. False: there is none. */
static bool read_grid(struct fathom_profile *profile, const struct fathom_cube_topology *grid, const char *metric,
		      struct fathom_grid_waits *waits)
{
	int32_t number = metric_of(profile, metric);
	double *totals = number < 0 ? NULL : fathom_grid_totals(profile, (uint32_t)number);

	if (!totals)
		return false;
	fathom_grid_waits_init(waits, profile->cube, grid, totals);
	free(totals);
	return true;
}

/* Returns whether late senders come from sweeps over a grid: most of the waiting refills a pipeline, and it grows along
 * the sweep. */
static bool is_pipeline(struct fathom_profile *profile, const struct fathom_cube_topology *grid, double late_senders)
{
	static const char *const refills[] = {
		"pipeline_refill_x_up", "pipeline_refill_x_down", "pipeline_refill_y_up", "pipeline_refill_y_down",
		"pipeline_refill_z_up", "pipeline_refill_z_down",
	};
	double refill = 0, gradient = 0;
	uint32_t i;

	for (i = 0; i < sizeof(refills) / sizeof(refills[0]); i++) {
		struct fathom_grid_waits waits;

		if (i / 2 >= grid->dimension_count || !read_grid(profile, grid, refills[i], &waits))
			continue;
		if (grid->dimensions[i / 2].size >= LEAST_SWEEP) {
			refill += waits.sum;
			gradient += waits.sum * fathom_grid_gradient(&waits, i / 2) * (i % 2 ? -1 : 1);
		}
		fathom_grid_waits_fini(&waits);
	}
	return refill >= REFILL_FROM * late_senders && gradient >= GRADIENT_FROM * refill;
}

/* Returns whether the processes at the border of a grid wait for those inside. */
static bool is_border(struct fathom_profile *profile, const struct fathom_cube_topology *grid, const char *metric)
{
	struct fathom_grid_waits waits;
	const struct fathom_grid_grouping *border;
	double inside, outside;
	bool is;

	if (grid->place_count < LEAST_BORDER_PLACES || !read_grid(profile, grid, metric, &waits))
		return false;
	border = waits.best;
	is = border && border->dimension == FATHOM_GRID_BORDER && border->f >= GRID_F && border->groups[0].count > 0;
	if (is) {
		inside = border->groups[0].sum / border->groups[0].count;
		outside = (waits.sum - border->groups[0].sum) / (grid->place_count - border->groups[0].count);
		is = outside > GRID_MULTIPLE * inside;
	}
	fathom_grid_waits_fini(&waits);
	return is;
}

/* If most of the waiting is in one row, column or plane of a grid, appends a sentence to text. Returns true if so. */
static bool find_row(struct fathom_profile *profile, const struct fathom_cube_topology *grid, const char *metric,
		     char *text, size_t bytes)
{
	size_t length = strlen(text);
	const struct fathom_grid_grouping *grouping;
	struct fathom_grid_waits waits;
	char by[96], name[48];
	uint32_t group;

	if (!read_grid(profile, grid, metric, &waits))
		return false;
	grouping = fathom_grid_main_group(&waits, ROW_FROM, &group);
	if (grouping)
		snprintf(text + length, bytes - length, " In the grid %.100s, %.0f%% of this waiting is at coordinate "
			 "%s of %s.", grid_name(grid), 100 * grouping->groups[group].sum / waits.sum,
			 fathom_grid_group_name(&waits, grouping, group, name, sizeof(name)),
			 fathom_grid_grouping_name(&waits, grouping, by, sizeof(by)));
	fathom_grid_waits_fini(&waits);
	return grouping != NULL;
}

/* If the waiting comes from the positions of processes in a grid, sets the cause, and appends a sentence to text. */
static void find_grid_cause(struct fathom_finding_list *list, const struct rule *rule, struct fathom_finding *finding,
			    char *text, size_t bytes)
{
	struct fathom_profile *profile = &list->report->profile;
	const struct fathom_cube_topology *grid = largest_grid(profile->cube);
	size_t length = strlen(text);

	if (!grid)
		return;
	if (strcmp(rule->waiting, "mpi_latesender") == 0 && is_pipeline(profile, grid, finding->seconds)) {
		finding->cause = "pipeline refill";
		snprintf(text + length, bytes - length, " The processes of the grid %.100s work one after the other, "
			 "and most of the waiting is for the first message of such a sweep. Begin the next sweep "
			 "before the last one is over, or send smaller pieces earlier.", grid_name(grid));
	} else if (is_border(profile, grid, rule->waiting)) {
		finding->cause = "inner processes";
		snprintf(text + length, bytes - length, " Processes at the border of the grid %.100s wait for those "
			 "inside, which have more to do.", grid_name(grid));
	} else if (find_row(profile, grid, rule->waiting, text, bytes)) {
		finding->cause = "one row of a grid";
	}
}

/* Adds the sentence on the cause: who was late, and where. */
static void find_cause(struct fathom_finding_list *list, const struct rule *rule, struct fathom_finding *finding,
		       char *text, size_t bytes)
{
	struct fathom_profile *profile = &list->report->profile;
	int32_t metric = metric_of(profile, rule->delay);
	struct fathom_values delay;
	char name[400];
	bool on_one_node = false;
	uint32_t count;

	text[0] = '\0';
	if (metric < 0 || fathom_profile_values(profile, (uint32_t)metric, &delay))
		return;
	if (delay.total > 0) {
		finding->cnode = largest(profile, &delay);
		count = list_ranks(profile, (uint32_t)metric, finding->cnode, finding->ranks, sizeof(finding->ranks),
				   &on_one_node);
		finding->cause = count == 1 && is_serial(profile, finding->cnode) ? "serial part" :
				 count == 1 && is_one_slow(profile, finding->cnode) ? "one slow rank" :
				 count > 1 && on_one_node ? "one slow node" : "imbalance";
		snprintf(text, bytes, " %s %s %s late, most of all because of %s%s.", count == 1 ? "Rank" : "Ranks",
			 finding->ranks, count == 1 ? "is" : "are",
			 fathom_finding_name(list->report, finding->cnode, name, sizeof(name)),
			 strcmp(finding->cause, "serial part") == 0 ?
			 ", which no other rank executes" : "");
		if (strcmp(finding->cause, "imbalance") == 0)
			find_grid_cause(list, rule, finding, text, bytes);
	}
	fathom_values_free(&delay);
}

/* Returns what can be done about the waiting in a call path. A call that completes several requests returns when all
 * are complete, so the order in which it takes their messages does not matter. */
static const char *advice_for(const struct fathom_profile *profile, const struct rule *rule, uint32_t cnode)
{
	const char *region = fathom_profile_region(profile, cnode)->name;

	if (strcmp(rule->waiting, "mpi_latesender_wo") == 0 && strcasecmp(region, "MPI_Waitall") == 0)
		return "If all messages of the MPI_Waitall are needed before the work goes on, another order does not "
		       "help: send the late one earlier, or do other work before the MPI_Waitall. If not, work with "
		       "each message as soon as it is there (MPI_Waitsome).";
	return rule->advice;
}

static void apply(struct fathom_finding_list *list, const struct rule *rule)
{
	struct fathom_profile *profile = &list->report->profile;
	int32_t metric = metric_of(profile, rule->waiting), part = metric_of(profile, rule->part);
	struct fathom_finding finding = { .kind = rule->kind };
	struct fathom_values waiting, within = { 0 };
	char name[400], cost[96], cause[1000], ranks[64];
	uint32_t place, count;
	bool on_one_node;

	if (metric < 0 || fathom_profile_values(profile, (uint32_t)metric, &waiting))
		return;
	finding.seconds = waiting.total;
	if (part >= 0 && fathom_profile_values(profile, (uint32_t)part, &within) == 0) {
		finding.seconds -= within.total;
		fathom_values_free(&within);
	}
	if (finding.seconds >= WAITING_FROM * list->report->time.total) {
		place = finding.cnode = largest(profile, &waiting);
		count = list_ranks(profile, (uint32_t)metric, place, ranks, sizeof(ranks), &on_one_node);
		find_cause(list, rule, &finding, cause, sizeof(cause));
		fathom_finding_add(list, &finding, "%s %s %s %s in %s %s.%s %s", count == 1 ? "Rank" : "Ranks", ranks,
				   count == 1 ? "waits" : "wait",
				   fathom_finding_cost(list->report, finding.seconds, cost, sizeof(cost)),
				   fathom_finding_name(list->report, place, name, sizeof(name)), rule->event, cause,
				   advice_for(profile, rule, place));
	}
	fathom_values_free(&waiting);
}

void fathom_find_waits(struct fathom_finding_list *list)
{
	size_t i;

	for (i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		apply(list, &rules[i]);
}
