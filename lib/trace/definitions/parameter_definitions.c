#include "trace/definitions/parameter_definitions.h"

#include <errno.h>
#include <string.h>

#include "define/parameter.h"
#include "trace/definitions/definition_writer.h"

/* A parameter as an entry of the pool: its kind as a digit, then its name. */
int fathom_trace_parameters_list(struct fathom_pool *pool)
{
	uint32_t count = fathom_parameter_count();

	for (uint32_t i = 0; i < count; i++) {
		const struct fathom_parameter *parameter = fathom_parameter_by_id(i);
		size_t bytes = strlen(parameter->name) + 2;
		char thing[bytes];

		thing[0] = (char)('0' + parameter->kind);
		memcpy(thing + 1, parameter->name, bytes - 1);
		if (fathom_pool_add(pool, thing, (uint32_t)bytes) != i)
			return -ENOMEM;
	}
	return 0;
}

void fathom_trace_parameters_write(struct fathom_trace_writing *w, const struct fathom_pool *pool)
{
	static const OTF2_ParameterType types[] = {
		[FATHOM_PARAMETER_KIND_INTEGER] = OTF2_PARAMETER_TYPE_INT64,
		[FATHOM_PARAMETER_KIND_UNSIGNED] = OTF2_PARAMETER_TYPE_UINT64,
		[FATHOM_PARAMETER_KIND_TEXT] = OTF2_PARAMETER_TYPE_STRING,
	};

	if (pool->err)
		w->err = pool->err;
	for (uint32_t i = 0; !w->err && i < pool->count; i++) {
		const char *thing = pool->things[i].data;

		DEFINE(OTF2_GlobalDefWriter_WriteParameter, i, fathom_trace_text(w, thing + 1), types[thing[0] - '0']);
	}
}
