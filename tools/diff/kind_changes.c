#include "tools/diff/kind_changes.h"

#include <stdlib.h>

#include "otf2/memory.h"
#include "tools/clusters/cluster_options.h"
#include "tools/common/command.h"
#include "tools/track/track_json.h"
#include "tools/track/track_text.h"

enum { MOST_BURSTS = 1000000 };		/* of each trace */

struct fathom_kind_changes {
	struct fathom_tracked_runs runs;
	struct fathom_kind_trends trends;
};

struct fathom_kind_changes *fathom_kind_changes_find(char *before, char *after)
{
	static const struct fathom_cluster_choice choice = FATHOM_CLUSTER_CHOICE_INIT;
	struct fathom_kind_changes *changes = fathom_tool_alloc(1, sizeof(*changes));
	char *targets[] = { before, after };

	fathom_otf2_memory_set_end(fathom_tool_out_of_memory);
	if (fathom_tracked_runs_make(&changes->runs, targets, 2, 0, &choice, MOST_BURSTS)) {
		fathom_tracked_runs_fini(&changes->runs);
		free(changes);
		return NULL;
	}
	fathom_kind_trends_make(&changes->trends, &changes->runs);
	return changes;
}

void fathom_kind_changes_destroy(struct fathom_kind_changes *changes)
{
	fathom_kind_trends_fini(&changes->trends);
	fathom_tracked_runs_fini(&changes->runs);
	free(changes);
}

void fathom_kind_changes_print(const struct fathom_kind_changes *changes, struct fathom_page *page, int64_t top)
{
	fathom_track_print_kinds(&changes->trends, page, top);
}

void fathom_kind_changes_json(const struct fathom_kind_changes *changes)
{
	fathom_track_json_kinds(&changes->trends);
}
