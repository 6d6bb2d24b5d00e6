/* The kinds of computation for a `fathom diff` that was built without OTF2: there are none. */
#include "tools/diff/kind_changes.h"

#include <stddef.h>

#include "tools/common/command.h"

struct fathom_kind_changes *fathom_kind_changes_find(char *before, char *after)
{
	(void)before;
	(void)after;
	fathom_tool_error("--kinds: this fathom was built without OTF2 (Debian: libopen-trace-format2-dev), so it "
			  "cannot read traces");
	return NULL;
}

void fathom_kind_changes_destroy(struct fathom_kind_changes *changes)
{
	(void)changes;
}

void fathom_kind_changes_print(const struct fathom_kind_changes *changes, struct fathom_page *page, int64_t top)
{
	(void)changes;
	(void)page;
	(void)top;
}

void fathom_kind_changes_json(const struct fathom_kind_changes *changes)
{
	(void)changes;
}
