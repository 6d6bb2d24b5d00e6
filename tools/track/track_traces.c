#include "tools/track/track_traces.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/clusters/cluster_trace.h"
#include "tools/common/command.h"
#include "tools/common/trace/new_directory.h"

enum { NAME_BYTES = 512 };

/* Returns the call paths of the kinds, by number; each in memory of its own. */
static char **kind_names(const struct fathom_kind_trends *trends)
{
	uint32_t count = trends->runs->tracking.kind_count;
	char **names = fathom_tool_alloc(count + (size_t)1, sizeof(*names));

	for (uint32_t k = 1; k <= count; k++) {
		const char *file;
		uint32_t line;

		names[k] = fathom_tool_alloc(NAME_BYTES, 1);
		fathom_kind_code(trends, k, 0, names[k], NAME_BYTES, &file, &line);
	}
	return names;
}

int fathom_track_write_traces(const struct fathom_kind_trends *trends, const char *directory)
{
	const struct fathom_tracked_runs *runs = trends->runs;
	char **names;
	int err = fathom_new_directory_make(directory);

	if (err)
		return err;
	names = kind_names(trends);
	for (uint32_t r = 0; r < runs->count && !err; r++) {
		const struct fathom_trace_kinds kinds = {
			.of_clusters = runs->tracking.kinds[r], .names = names, .count = runs->tracking.kind_count };
		char path[PATH_MAX];

		snprintf(path, sizeof(path), "%s/%u", directory, r + 1);
		err = fathom_cluster_trace_write(&runs->runs[r].clustering, &kinds, path);
	}
	if (err)
		fathom_new_directory_remove(directory);
	for (uint32_t k = 1; k <= runs->tracking.kind_count; k++)
		free(names[k]);
	free(names);
	return err;
}
