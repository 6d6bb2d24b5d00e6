#include "tools/report/sections/section_findings.h"

#include <stdio.h>

#include "tools/report/findings/findings.h"
#include "tools/report/report.h"

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
