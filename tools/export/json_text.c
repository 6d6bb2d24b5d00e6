#include "tools/export/json_text.h"

#include <string.h>

#include "tools/common/command.h"
#include "tools/common/json_writer.h"

char *fathom_export_json_text(const char *text)
{
	json_t *string = fathom_json_text(text);
	char *quoted = json_dumps(string, JSON_ENCODE_ANY);

	if (!quoted)
		fathom_tool_out_of_memory(strlen(text));
	json_decref(string);
	return quoted;
}
