/* The import of traces, of a fathom that was built without OTF2. */
#include <errno.h>

#include "tools/common/command.h"
#include "tools/import/paraver_trace.h"

int fathom_paraver_trace_import(const char *path, const char *directory)
{
	(void)directory;
	fathom_tool_error("%s: this fathom was built without OTF2 (Debian: libopen-trace-format2-dev), so it cannot "
			  "write traces", path);
	return -ENOTSUP;
}
