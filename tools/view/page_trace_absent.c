/* Traces for a `fathom view` that was built without OTF2: the page has none. */
#include "tools/view/page_trace.h"

json_t *fathom_page_trace(const char *profile, double last_seconds)
{
	(void)profile;
	(void)last_seconds;
	return json_null();
}
