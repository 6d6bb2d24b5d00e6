#include "tools/report/region_search.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/report/report.h"

/* Returns whether wanted is the name without its argument list: "f" for "f(int)". */
static bool names_without_arguments(const char *wanted, const char *name)
{
	size_t length = strlen(wanted);

	return strncmp(name, wanted, length) == 0 && name[length] == '(';
}

static bool is_wanted(const char *wanted, const struct fathom_cube_region *region, int how)
{
	if (how == 0)
		return strcmp(wanted, region->name) == 0 || strcmp(wanted, region->mangled) == 0;
	if (how == 1)
		return names_without_arguments(wanted, region->name);
	return strpbrk(wanted, "*?[") && fnmatch(wanted, region->name, 0) == 0;
}

static bool find_regions(const struct fathom_report *report, const char *wanted, bool *matches)
{
	const struct fathom_profile *profile = &report->profile;
	bool found = false;
	uint32_t c;
	int how;

	for (how = 0; how < 3 && !found; how++)
		for (c = 0; c < profile->cube->cnode_count; c++)
			if (is_wanted(wanted, fathom_profile_region(profile, c), how))
				found = matches[profile->cube->cnodes[c].region] = true;
	return found;
}

static int say_unknown(const struct fathom_report *report, const char *wanted)
{
	const struct fathom_profile *profile = &report->profile;
	const char *nearest = NULL;
	uint32_t r, c;

	for (r = 0; r < profile->cube->region_count; r++)
		if (strcmp(profile->cube->regions[r].name, wanted) == 0) {
			fathom_tool_error("%s: %s was never called", profile->path, wanted);
			return -EINVAL;
		}
	for (c = 0; c < profile->cube->cnode_count; c++)
		nearest = fathom_tool_nearer(wanted, nearest, fathom_profile_region(profile, c)->name);
	if (nearest)
		fathom_tool_error("%s: no region %s was called (did you mean %s?)", profile->path, wanted, nearest);
	else
		fathom_tool_error("%s: no region %s was called (--flat lists those that were)", profile->path, wanted);
	return -EINVAL;
}

int fathom_report_find_regions(const struct fathom_report *report, const char *wanted, bool *matches)
{
	return find_regions(report, wanted, matches) ? 0 : say_unknown(report, wanted);
}

int fathom_report_check_regions(const struct fathom_report *report, const char *wanted)
{
	bool *matches = fathom_tool_alloc(report->profile.cube->region_count, sizeof(bool));
	int err = fathom_report_find_regions(report, wanted, matches);

	free(matches);
	return err;
}

/* --- call paths ------------------------------------------------------------------------------ */

struct place {
	double value;
	uint32_t cnode;
};

static int by_value(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return x->cnode < y->cnode ? -1 : x->cnode > y->cnode;
}

uint32_t fathom_report_places(const struct fathom_report *report, const bool *matches, uint32_t **cnodes)
{
	const struct fathom_cube *cube = report->profile.cube;
	const struct fathom_values *values = report->time.own ? &report->time : &report->visits;
	struct place *places = fathom_tool_alloc(cube->cnode_count, sizeof(*places));
	uint32_t c, count = 0;

	*cnodes = fathom_tool_alloc(cube->cnode_count, sizeof(**cnodes));
	for (c = 0; c < cube->cnode_count; c++)
		if (matches[cube->cnodes[c].region])
			places[count++] = (struct place){ values->own ? values->inclusive[c] : 0, c };
	qsort(places, count, sizeof(*places), by_value);
	for (c = 0; c < count; c++)
		(*cnodes)[c] = places[c].cnode;
	free(places);
	return count;
}
