#include "tools/report/thread_columns.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/report/report.h"

/* Reads the own (or inclusive) values of a call path for each location. */
static int read_row(struct fathom_report *report, int32_t metric, uint32_t cnode, bool inclusive, double *row)
{
	struct fathom_profile *profile = &report->profile;
	uint32_t count = profile->cube->location_count, end = cnode + 1, c, l;
	double *own;
	int err = 0;

	memset(row, 0, count * sizeof(*row));
	if (metric < 0)
		return 0;
	if (inclusive)
		end = profile->subtree_end[cnode];
	own = fathom_tool_alloc(count, sizeof(*own));
	for (c = cnode; !err && c < end; c++) {
		if (profile->in_tasks[c] != profile->in_tasks[cnode])
			continue;	/* the stubs contain the time of tasks already */
		err = fathom_profile_own_row(profile, (uint32_t)metric, c, own);
		for (l = 0; !err && l < count; l++)
			row[l] += own[l];
	}
	free(own);
	return err;
}

/* Reads the two rows of a ratio, and writes the ratio to row. */
static int read_ratio(struct fathom_report *report, const struct fathom_ratio *ratio, uint32_t cnode, bool inclusive,
		      double *row)
{
	uint32_t count = report->profile.cube->location_count, l;
	double *below = fathom_tool_alloc(count, sizeof(*below));
	int err = read_row(report, (int32_t)ratio->above, cnode, inclusive, row);

	if (!err)
		err = read_row(report, (int32_t)ratio->below, cnode, inclusive, below);
	for (l = 0; !err && l < count; l++)
		row[l] = fathom_ratio_of(ratio->factor, row[l], below[l]);
	free(below);
	return err;
}

static int32_t chosen_metric(const struct fathom_report *report)
{
	return (int32_t)(report->values.metric - report->profile.cube->metrics);
}

/* Reads the values of the metric that the user asked for. Minima and maxima are of one visit and have no inclusive
 * values. */
static int read_value(struct fathom_report *report, uint32_t cnode, bool inclusive, double *row)
{
	struct fathom_ratio ratio;

	if (report->values.kind == FATHOM_VALUES_RATIO &&
	    fathom_profile_formula(&report->profile, (uint32_t)chosen_metric(report), &ratio))
		return read_ratio(report, &ratio, cnode, inclusive, row);
	return read_row(report, chosen_metric(report), cnode, inclusive && report->values.kind == FATHOM_VALUES_SUM,
			row);
}

struct fathom_column *fathom_report_columns(struct fathom_report *report, uint32_t cnode, uint32_t *count)
{
	enum { THREADS, VISITS, TIME, OWN, VALUE, OWN_VALUE, ROWS };
	struct fathom_profile *profile = &report->profile;
	uint32_t locations = profile->cube->location_count, l;
	struct fathom_column *columns = fathom_tool_alloc(locations, sizeof(*columns));
	double *rows[ROWS], *all = fathom_tool_alloc(locations, ROWS * sizeof(double));
	int err, r;

	for (r = 0; r < ROWS; r++)
		rows[r] = all + (size_t)r * locations;
	err = fathom_threads_row(profile, cnode, rows[THREADS]);
	if (!err)
		err = read_row(report, profile->visits, cnode, false, rows[VISITS]);
	if (!err)
		err = read_row(report, profile->time, cnode, true, rows[TIME]);
	if (!err)
		err = read_row(report, profile->time, cnode, false, rows[OWN]);
	if (!err)
		err = read_value(report, cnode, true, rows[VALUE]);
	if (!err)
		err = read_value(report, cnode, false, rows[OWN_VALUE]);
	*count = 0;
	for (l = profile->first_location; !err && l < profile->location_end; l++)
		if (rows[THREADS][l] > 0 || rows[OWN][l] > 0)
			columns[(*count)++] = (struct fathom_column){
				l, rows[THREADS][l] > 1 ? rows[THREADS][l] : 1, rows[VISITS][l], rows[TIME][l],
				rows[OWN][l], rows[VALUE][l], rows[OWN_VALUE][l],
			};
	free(all);
	if (err) {
		free(columns);
		return NULL;
	}
	return columns;
}
