#include "trace/definitions/definition_writer.h"

#include <string.h>

uint32_t fathom_trace_text(struct fathom_trace_writing *w, const char *value)
{
	uint32_t known = w->strings.count;
	int64_t number = fathom_pool_add(&w->strings, value, (uint32_t)strlen(value));

	if (number < 0) {
		w->err = -ENOMEM;
		return 0;
	}
	if (number == known)
		DEFINE(OTF2_GlobalDefWriter_WriteString, (uint32_t)number, value);
	return (uint32_t)number;
}
