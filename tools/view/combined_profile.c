#include "tools/view/combined_profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/algebra/operation.h"
#include "tools/common/command.h"

int fathom_combined_profile_begin(struct fathom_combined_profile *combined)
{
	const char *place = getenv("TMPDIR");

	if (*combined->directory)
		return 0;
	snprintf(combined->directory, sizeof(combined->directory), "%.*s/fathom-view-XXXXXX", PATH_MAX - 64,
		 place && *place ? place : "/tmp");
	if (!mkdtemp(combined->directory)) {
		fathom_tool_error("%s: cannot be made: %s", combined->directory, strerror(errno));
		*combined->directory = '\0';
		return -EINVAL;
	}
	snprintf(combined->path, sizeof(combined->path), "%.*s/after.cubex", PATH_MAX - 32, combined->directory);
	return 0;
}

/* Notes which call path of the first input each call path of the result is. */
static void note_parts(struct fathom_combined_profile *combined, const struct fathom_algebra *algebra)
{
	combined->parts = fathom_tool_alloc(algebra->cube.cnode_count, sizeof(*combined->parts));
	for (uint32_t c = 0; c < algebra->cube.cnode_count; c++)
		combined->parts[c] = algebra->inputs[0].first[c];
}

/* Notes which run has each call path of the comparison. */
static void note_presence(struct fathom_combined_profile *combined, const struct fathom_algebra *algebra)
{
	combined->presence = fathom_tool_alloc(algebra->cube.cnode_count, sizeof(*combined->presence));
	for (uint32_t c = 0; c < algebra->cube.cnode_count; c++)
		if (algebra->inputs[0].first[c] < 0)
			combined->presence[c] = FATHOM_IN_FIRST;
		else if (algebra->inputs[1].first[c] < 0)
			combined->presence[c] = FATHOM_IN_SECOND;
}

/* Opens and matches two profiles. The first one of a comparison is the second input, because the definitions of the
 * result are those of the first input where both have them: the page shows the source text of the second run. */
static int open_inputs(struct fathom_combined_profile *combined, struct fathom_algebra *algebra, char **targets)
{
	int err = fathom_combined_profile_begin(combined);

	algebra->hides_lines = true;
	if (!err)
		err = fathom_algebra_open(algebra, targets, 2);
	if (err)
		return err;
	fathom_algebra_match(algebra);
	note_parts(combined, algebra);
	return 0;
}

int fathom_combined_profile_compare(struct fathom_combined_profile *combined, char *first, char *second)
{
	static struct fathom_algebra algebra;
	char *targets[2] = { second, first };
	int err = open_inputs(combined, &algebra, targets);

	if (!err)
		err = fathom_operation_write(&algebra, FATHOM_OPERATION_SIDE, 0, combined->path);
	snprintf(combined->before, sizeof(combined->before), "%.*s/before.cubex", PATH_MAX - 32, combined->directory);
	if (!err)
		err = fathom_operation_write(&algebra, FATHOM_OPERATION_SIDE, 1, combined->before);
	if (!err)
		note_presence(combined, &algebra);
	fathom_algebra_fini(&algebra);
	return err;
}

int fathom_combined_profile_merge(struct fathom_combined_profile *combined, char *profile, char *analysis)
{
	static struct fathom_algebra algebra;
	char *targets[2] = { profile, analysis };
	int err = open_inputs(combined, &algebra, targets);

	if (!err)
		err = fathom_operation_write(&algebra, FATHOM_OPERATION_MERGE, 0, combined->path);
	fathom_algebra_fini(&algebra);
	return err;
}

void fathom_combined_profile_fini(struct fathom_combined_profile *combined)
{
	free(combined->presence);
	free(combined->parts);
	if (!*combined->directory)
		return;
	if (*combined->path)
		unlink(combined->path);
	if (*combined->before)
		unlink(combined->before);
	rmdir(combined->directory);
}
