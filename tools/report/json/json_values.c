#include "tools/report/json/json_values.h"

#include "tools/common/json_writer.h"
#include "tools/common/profile.h"

json_t *fathom_json_node_values(const struct fathom_values *values, uint32_t count, uint32_t cnode, bool inclusive)
{
	json_t *object = json_object();
	uint32_t m;

	for (m = 0; m < count; m++) {
		double value;

		if (!values[m].own)
			continue;
		value = inclusive ? values[m].inclusive[cnode] : values[m].own[cnode];
		if (value != 0 && !fathom_value_is_never(value))
			fathom_json_set_number(object, values[m].metric->uniq_name, value);
	}
	return object;
}
