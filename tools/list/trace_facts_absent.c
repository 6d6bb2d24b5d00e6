#include "tools/list/entry.h"

void fathom_entry_read_trace(struct fathom_entry *entry, const char *anchor)
{
	(void)entry, (void)anchor;
}
