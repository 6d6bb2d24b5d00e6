#include "tools/report/thread_spread.h"

#include <stdlib.h>

#include "tools/common/command.h"
#include "tools/report/report.h"

static double savable(const struct fathom_thread_spread *spread)
{
	return spread->time.count * spread->time.most - spread->time.sum;
}

static int by_savable(const void *a, const void *b)
{
	const struct fathom_thread_spread *x = a, *y = b;
	double left = savable(x), right = savable(y);

	if (left != right)
		return left < right ? 1 : -1;
	return x->cnode < y->cnode ? -1 : x->cnode > y->cnode;
}

uint32_t fathom_report_spreads(struct fathom_report *report, struct fathom_thread_spread **spreads)
{
	struct fathom_profile *profile = &report->profile;
	uint32_t c, count = 0;
	int err = 0;

	*spreads = fathom_tool_alloc(profile->cube->cnode_count, sizeof(**spreads));
	if (profile->threads.aggregation != FATHOM_AGGREGATION_SET || !report->time.own)
		return 0;
	for (c = 0; !err && c < profile->cube->cnode_count; c++) {
		struct fathom_thread_spread spread = { .cnode = c };

		if (profile->in_tasks[c] || !report->teams.inside[c] ||
		    fathom_use_of(fathom_profile_region(profile, c)) != FATHOM_USE_WORK)
			continue;
		if (!fathom_threads_statistics(profile, (uint32_t)profile->time, c, &spread.time, &err) ||
		    spread.time.count < 2)
			continue;
		if (profile->visits >= 0)
			fathom_threads_statistics(profile, (uint32_t)profile->visits, c, &spread.visits, &err);
		(*spreads)[count++] = spread;
	}
	qsort(*spreads, count, sizeof(**spreads), by_savable);
	return count;
}
