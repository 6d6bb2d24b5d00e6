#include "tools/report/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/number_format.h"

bool fathom_report_sorts_by_name(const struct fathom_report *report)
{
	return report->options.sort && strcmp(report->options.sort, "name") == 0;
}

double fathom_report_size(const struct fathom_report *report, double value)
{
	return report->is_difference ? fabs(value) : value;
}

double fathom_report_share(const struct fathom_report *report, double value)
{
	if (report->values.kind != FATHOM_VALUES_SUM || !(report->whole > 0))
		return 0;
	return fathom_report_size(report, value) / report->whole;
}

void fathom_report_explain_units(const struct fathom_page *page)
{
	if (fathom_number_has_microseconds())
		printf("%sus: microseconds%s\n", fathom_page_style(page, FATHOM_STYLE_DIM),
		       fathom_page_style(page, FATHOM_STYLE_PLAIN));
}
