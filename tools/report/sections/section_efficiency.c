#include "tools/report/sections/section_efficiency.h"

#include <stdio.h>

#include "tools/common/efficiency.h"
#include "tools/common/number_format.h"
#include "tools/report/report.h"

static void line(struct fathom_page *page, double factor, int indent, const char *name)
{
	char percent[FATHOM_NUMBER_BYTES];

	if (factor < 0)
		return;
	fathom_page_text_right(page, fathom_number_percent(percent, factor, 1), 6);
	fathom_page_blanks(2 + indent);
	printf("%s\n", name);
}

int fathom_report_efficiency(struct fathom_report *report)
{
	struct fathom_efficiency efficiency;
	struct fathom_page *page = &report->page;
	char init[FATHOM_NUMBER_BYTES], remark[96] = "";
	int err = fathom_efficiency_init(&efficiency, &report->profile, &report->time);

	/* The balance of the ranks has the other factors. */
	if (err || !efficiency.is_there || efficiency.processes == 1 ||
	    (efficiency.threads < 0 && efficiency.serialisation < 0))
		return err;
	if (efficiency.init_seconds > 0)
		snprintf(remark, sizeof(remark), "without MPI_Init and MPI_Finalize, %s",
			 fathom_number_seconds(init, efficiency.init_seconds));
	fathom_page_heading(page, "Efficiency", remark);
	line(page, efficiency.parallel, 0, "Parallel efficiency: computation of all time");
	if (efficiency.threads >= 0)
		line(page, efficiency.mpi, 2, "MPI: time outside of MPI");
	line(page, efficiency.balance, 4, "Load balance: mean / maximum of this time");
	line(page, efficiency.communication, 4, "Communication: this maximum / run time");
	line(page, efficiency.serialisation, 6, "Serialisation: without waiting (estimate)");
	line(page, efficiency.transfer, 6, "Transfer: without transferring data (estimate)");
	line(page, efficiency.threads, 2, "Threads: computation of the time outside of MPI");
	return 0;
}
