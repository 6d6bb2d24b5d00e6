#include "tools/view/page_scaling.h"

#include "tools/common/command.h"
#include "tools/view/command_output.h"

enum { LOSSES_MOST = 100, GROWING_MOST = 50 };

/* Returns the call paths with losses, the largest first; as `fathom scaling` has sorted them. */
static json_t *losses_of(const json_t *paths)
{
	json_t *list = json_array(), *path;
	size_t i;

	json_array_foreach(paths, i, path)
		if (i < LOSSES_MOST && json_number_value(json_object_get(path, "loss")) > 0)
			json_array_append(list, path);
	return list;
}

/* Returns the call paths that grow. positions: theirs in the list of call paths, the worst first. */
static json_t *growing_of(const json_t *paths, const json_t *positions)
{
	json_t *list = json_array(), *position;
	size_t i;

	json_array_foreach(positions, i, position)
		if (i < GROWING_MOST)
			json_array_append(list, json_array_get(paths, (size_t)json_integer_value(position)));
	return list;
}

json_t *fathom_page_scaling(char *const *targets, int count, const char *losses)
{
	const char **arguments = fathom_tool_alloc((size_t)count + 6, sizeof(*arguments));
	int used = 0;
	json_t *result, *paths;

	arguments[used++] = "fathom-scaling";
	arguments[used++] = "--json";
	arguments[used++] = "--output";
	arguments[used++] = losses;
	arguments[used++] = "--";
	for (int i = 0; i < count; i++)
		arguments[used++] = targets[i];
	result = fathom_command_json(arguments, false);
	free(arguments);
	if (!result)
		return NULL;
	paths = json_object_get(result, "call_paths");
	json_object_set_new(result, "losses", losses_of(paths));
	json_object_set_new(result, "growing", growing_of(paths, json_object_get(result, "growing")));
	json_object_del(result, "call_paths");
	json_object_del(result, "regions");
	return result;
}

const char *fathom_page_scaling_largest(const json_t *scaling)
{
	const json_t *sizes = json_object_get(scaling, "sizes");
	const json_t *largest = json_array_get(sizes, json_array_size(sizes) - 1);

	return json_string_value(json_array_get(json_object_get(largest, "files"), 0));
}
