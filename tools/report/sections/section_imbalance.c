#include "tools/report/sections/section_imbalance.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/number_format.h"
#include "tools/report/findings/finding_list.h"
#include "tools/report/findings/rank_values.h"
#include "tools/report/imbalance.h"
#include "tools/report/report.h"

enum { CALL_PATHS = 5 };	/* that are shown without --all */

/* A rank is listed if its time is above the mean by at least this share of the largest excess. */
#define RANK_FROM 0.25

static int print_uneven(struct fathom_report *report, const struct fathom_uneven *uneven)
{
	struct fathom_page *page = &report->page;
	const struct fathom_imbalance *imbalance = &uneven->imbalance;
	char number[FATHOM_NUMBER_BYTES], name[400], ranks[64], text[600];
	struct fathom_rank_values values;
	double mean;
	uint32_t count;
	int err = fathom_rank_values_read(&values, &report->profile, (uint32_t)report->profile.time, uneven->cnode);

	if (err)
		return err;
	mean = values.count ? values.sum / values.count : 0;
	count = fathom_rank_values_list(&values, mean + RANK_FROM * (values.most - mean), ranks, sizeof(ranks));
	fathom_page_text_right(page, fathom_number_percent(number, imbalance->above, report->time.total), 6);
	fathom_page_text_right(page, fathom_number_seconds(number, imbalance->above), 10);
	fathom_page_text_right(page, fathom_number_seconds(number, imbalance->single), 10);
	fathom_page_blanks(2);
	fathom_finding_name(report, uneven->cnode, name, sizeof(name));
	snprintf(text, sizeof(text), "%s%s%s", name,
		 values.count < 2 || values.most <= mean ? "" : count == 1 ? ", rank " : ", ranks ",
		 values.count < 2 || values.most <= mean ? "" : ranks);
	fathom_rank_values_fini(&values);
	fathom_page_text(page, text, page->width - 28);
	printf("\n");
	return 0;
}

int fathom_report_imbalance(struct fathom_report *report)
{
	struct fathom_page *page = &report->page;
	uint32_t count, limit = report->options.all ? UINT32_MAX : CALL_PATHS, i;
	struct fathom_uneven *list = fathom_imbalance_list(&report->profile, &count);
	int err = list ? 0 : -EIO;

	for (i = 0; !err && i < count && i < limit; i++) {
		if (list[i].imbalance.above * 100 < report->options.least_percent * report->time.total)
			break;
		if (i == 0) {
			fathom_page_heading(page, "Unequal computation", "time above the mean of all ranks or threads");
			printf(" share     above     alone  call path\n");
		}
		err = print_uneven(report, &list[i]);
	}
	if (!err && i > 0)
		printf("%sabove: at most this much is won if all do the same amount; alone: only one does it%s\n",
		       fathom_page_style(page, FATHOM_STYLE_DIM), fathom_page_style(page, FATHOM_STYLE_PLAIN));
	free(list);
	return err;
}
