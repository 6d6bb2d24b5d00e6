#include "tools/report/sections/section_disabled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"
#include "tools/report/run_attributes.h"

enum { SHOWN = 10 };

struct disabled {
	const struct fathom_cube_region *region;
	double visits, missing;
};

/* What the hooks of a disabled function take in one visit if they stay in the code, in seconds. */
#define HOOKS_LEFT 2e-9

static int by_missing(const void *a, const void *b)
{
	double x = ((const struct disabled *)a)->missing, y = ((const struct disabled *)b)->missing;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* Writes "0.011 s" of the file's description of a region: "disabled after 0.011 s, to keep FATHOM_OVERHEAD". */
static const char *since(const struct fathom_cube_region *region, char *text, size_t bytes)
{
	static const char before[] = " after ";
	const char *at = strstr(region->description, before);

	if (!at)
		return "-";
	at += sizeof(before) - 1;
	snprintf(text, bytes, "%.*s", (int)strcspn(at, ","), at);
	return text;
}

/* Finds the regions with missing visits, most first. The caller frees *regions. 0, or -errno after an error message. */
static int collect(struct fathom_report *report, struct disabled **regions, uint32_t *count)
{
	const struct fathom_cube *cube = report->profile.cube;
	int32_t metric = fathom_cube_metric_by_name(cube, "visits_missing");
	struct fathom_values missing;
	uint32_t c, r;
	int err;

	*count = 0;
	*regions = NULL;
	if (metric < 0 || !fathom_profile_can_read(&cube->metrics[metric]))
		return 0;
	err = fathom_profile_values(&report->profile, (uint32_t)metric, &missing);
	if (err)
		return err;
	*regions = fathom_tool_alloc(cube->region_count, sizeof(**regions));
	for (c = 0; c < cube->cnode_count; c++) {
		struct disabled *off = &(*regions)[cube->cnodes[c].region];

		if (!report->profile.counted[c])
			continue;
		off->missing += missing.own[c];
		off->visits += report->visits.own ? report->visits.own[c] : 0;
	}
	fathom_values_free(&missing);
	for (r = 0; r < cube->region_count; r++) {
		struct disabled off = (*regions)[r];

		off.region = &cube->regions[r];
		if (off.missing > 0 || *off.region->description)
			(*regions)[(*count)++] = off;
	}
	qsort(*regions, *count, sizeof(**regions), by_missing);
	return 0;
}

void fathom_report_disabled(struct fathom_report *report)
{
	double budget = fathom_report_number(report->profile.cube, "fathom::overhead_budget", 0);
	char text[400], title[96], remark[64], visits[FATHOM_NUMBER_BYTES], missing[FATHOM_NUMBER_BYTES], after[64];
	struct fathom_page *page = &report->page;
	struct disabled *regions;
	uint32_t count, shown, i;
	double of_all = 0;

	if (collect(report, &regions, &count) || !count) {
		free(regions);
		return;
	}
	shown = report->options.all || count < SHOWN ? count : SHOWN;
	snprintf(title, sizeof(title), "Disabled, so that measuring takes at most %s",
		 fathom_number_percent(visits, budget, 1));
	snprintf(remark, sizeof(remark), "%u of %u functions", shown, count);
	fathom_page_heading(page, title, remark);
	printf("%s%9s %9s %9s  region%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), "visits", "missing", "after",
	       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	for (i = 0; i < count; i++)
		of_all += regions[i].missing;
	for (i = 0; i < shown; i++) {
		printf("%9s %9s %9s  ", fathom_number_count(visits, regions[i].visits),
		       fathom_number_count(missing, regions[i].missing),
		       since(regions[i].region, after, sizeof(after)));
		fathom_page_name(page, fathom_region_name(regions[i].region), page->width - 31);
		putchar('\n');
	}
	fathom_page_paragraph(page, "Visits until then are exact; the number of missing visits is estimated from the "
			      "rate of calls before. The time of missing visits is in the time of the callers, or in "
			      "sampled call paths below these. FATHOM_OVERHEAD=off measures every visit.", 0);
	if (fathom_cube_attribute(report->profile.cube, "fathom::disabled_hooks")) {
		snprintf(text, sizeof(text), "The hooks of these functions stayed in the code (FATHOM_PATCH=off, a "
			 "static program, or a system that does not let code be changed). For missing visits they took "
			 "about %s.", fathom_number_seconds(missing, of_all * HOOKS_LEFT));
		fathom_page_paragraph(page, text, 0);
	}
	free(regions);
}
