#include "tools/report/sections/section_findings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/report.h"

static int by_cost(const void *a, const void *b)
{
	const struct fathom_finding *x = a, *y = b;

	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? 1 : -1;
	return strcmp(x->text, y->text);
}

uint32_t fathom_report_find_problems(struct fathom_report *report, struct fathom_finding *findings)
{
	struct fathom_finding_list list = { .report = report, .findings = findings };

	memset(findings, 0, FATHOM_FINDING_ROOM * sizeof(*findings));
	if (!report->time.own)
		return 0;
	fathom_find_waits(&list);
	fathom_find_rank_problems(&list);
	fathom_find_thread_problems(&list);
	if (list.count)
		qsort(findings, list.count, sizeof(*findings), by_cost);
	return list.count;
}

void fathom_report_findings(struct fathom_report *report)
{
	struct fathom_finding findings[FATHOM_FINDING_ROOM];
	uint32_t count = fathom_report_find_problems(report, findings), i;
	struct fathom_page *page = &report->page;

	if (count == 0)
		return;
	fathom_page_heading(page, "What stands out", "the most expensive first");
	for (i = 0; i < count; i++) {
		printf("%s*%s ", fathom_page_style(page, FATHOM_STYLE_WARN), fathom_page_style(page,
											       FATHOM_STYLE_PLAIN));
		fathom_page_paragraph(page, findings[i].text, 2);
	}
}
