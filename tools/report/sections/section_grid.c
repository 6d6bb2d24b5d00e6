#include "tools/report/sections/section_grid.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/number_format.h"
#include "tools/report/grid_waits.h"
#include "tools/report/report.h"

enum { MOST_GROUPS = 8 };	/* of a grouping, that are shown without --all */

/* From this F on, the text says that a grouping explains the waiting. */
#define F_TO_SAY 10

/* Prints the groups in the order of the grid. */
static void print_grouping(struct fathom_report *report, const struct fathom_grid_waits *waits,
			   const struct fathom_grid_grouping *grouping)
{
	struct fathom_page *page = &report->page;
	uint32_t most = report->options.all ? UINT32_MAX : MOST_GROUPS, shown = 0, left = 0, g;
	char name[96], group[48], number[FATHOM_NUMBER_BYTES], text[256];
	double seconds;

	fathom_grid_grouping_name(waits, grouping, name, sizeof(name));
	printf("  by %s%s\n", name, grouping == waits->best && grouping->f >= F_TO_SAY ?
	       ": these groups differ most" : "");
	for (g = 0; g < grouping->group_count; g++) {
		seconds = grouping->groups[g].sum;
		if (!grouping->groups[g].count)
			continue;
		if (shown++ >= most) {
			left++;
			continue;
		}
		fathom_page_text_right(page, fathom_number_percent(number, seconds, report->time.total), 6);
		fathom_page_text_right(page, fathom_number_seconds(number, seconds), 10);
		fathom_page_blanks(2);
		snprintf(text, sizeof(text), "%s: %u process%s, %s each",
			 fathom_grid_group_name(waits, grouping, g, group, sizeof(group)), grouping->groups[g].count,
			 grouping->groups[g].count == 1 ? "" : "es",
			 fathom_number_seconds(number, seconds / grouping->groups[g].count));
		fathom_page_text(page, text, page->width - 18);
		printf("\n");
	}
	if (left)
		printf("  and %u more (--all shows them)\n", left);
}

int fathom_report_grid_waits(struct fathom_report *report, uint32_t metric)
{
	const struct fathom_cube *cube = report->profile.cube;
	double *totals;
	uint32_t t, g;

	if (!cube->topology_count)
		return 0;
	totals = fathom_grid_totals(&report->profile, metric);
	if (!totals)
		return -EIO;
	for (t = 0; t < cube->topology_count; t++) {
		const struct fathom_cube_topology *topology = &cube->topologies[t];
		struct fathom_grid_waits waits;

		fathom_grid_waits_init(&waits, cube, topology, totals);
		if (waits.grouping_count)
			fathom_page_heading(&report->page, "Waiting by position in a grid",
					    topology->name && *topology->name ? topology->name : "without a name");
		for (g = 0; g < waits.grouping_count; g++)
			print_grouping(report, &waits, &waits.groupings[g]);
		fathom_grid_waits_fini(&waits);
	}
	free(totals);
	return 0;
}
