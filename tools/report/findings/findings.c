#include "tools/report/findings/findings.h"

#include <stdlib.h>
#include <string.h>

#include "tools/report/findings/allocation_findings.h"
#include "tools/report/findings/cache_findings.h"
#include "tools/report/findings/rank_findings.h"
#include "tools/report/findings/thread_findings.h"
#include "tools/report/findings/wait_findings.h"
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
	if (!report->time.own || report->is_difference)
		return 0;
	fathom_find_waits(&list);
	fathom_find_rank_problems(&list);
	fathom_find_thread_problems(&list);
	fathom_find_allocation(&list);
	fathom_find_cache_problems(&list);
	if (list.count)
		qsort(findings, list.count, sizeof(*findings), by_cost);
	return list.count;
}
