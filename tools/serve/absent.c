/* `fathom serve` of a fathom that was built without OTF2 or without libmicrohttpd. */
#include "config.h"

#include "tools/common/command.h"

int main(void)
{
	fathom_tool_begin("serve");
	fathom_tool_error("this fathom was built without OTF2 or libmicrohttpd (Debian: libopen-trace-format2-dev, "
			  "libmicrohttpd-dev), so it cannot serve traces");
	return 2;
}
