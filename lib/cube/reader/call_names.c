#include "cube/reader/call_names.h"

#include <stdlib.h>
#include <string.h>

static int compare(const void *name, const void *entry)
{
	return strcmp(name, ((const struct fathom_call_name *)entry)->name);
}

const struct fathom_call_name *fathom_call_name_find(const char *paradigm, const char *name)
{
	const struct fathom_call_name *call =
		bsearch(name, fathom_call_names, fathom_call_name_count, sizeof(*call), compare);

	return call && strcmp(call->paradigm, paradigm) == 0 ? call : NULL;
}
