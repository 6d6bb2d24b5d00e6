/* `fathom fold` of a fathom that was built without OTF2. */
#include "config.h"

#include "tools/common/command.h"

int main(void)
{
	fathom_tool_begin("fold");
	fathom_tool_error("this fathom was built without OTF2 (Debian: libopen-trace-format2-dev), so it cannot read "
			  "traces");
	return 2;
}
