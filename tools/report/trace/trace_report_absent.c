/* The report of a trace, of a fathom that was built without OTF2. Declared in trace_report.h. */
#include "tools/common/command.h"
#include "tools/report/trace/trace_report.h"

int fathom_trace_report(const struct fathom_report_options *options, const char *anchor)
{
	(void)options;
	fathom_tool_error("%s: this fathom was built without OTF2 (Debian: libopen-trace-format2-dev), so it cannot "
			  "read traces", anchor);
	return FATHOM_TOOL_FAILURE;
}
