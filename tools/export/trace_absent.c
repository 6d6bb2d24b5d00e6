/* Traces for a `fathom export` that was built without OTF2. */
#include <errno.h>

#include "tools/common/command.h"
#include "tools/export/export_format.h"

static int refuse(const char *anchor)
{
	fathom_tool_error("%s: this fathom was built without OTF2 (Debian: libopen-trace-format2-dev), so it cannot "
			  "read traces", anchor);
	return -ENOTSUP;
}

int fathom_export_trace_json(const char *anchor, FILE *out)
{
	(void)out;
	return refuse(anchor);
}

int fathom_export_paraver(const char *anchor, const char *path, bool force)
{
	(void)path; (void)force;
	return refuse(anchor);
}
