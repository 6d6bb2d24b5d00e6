#include "tools/view/page_profiles.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/view/page_definitions.h"
#include "tools/view/page_scaling.h"

/* Writes the path of the file `name` that is in the directory of the file `path`. Returns whether it can be read. */
static bool find_next_to(const char *path, const char *name, char *found)
{
	const char *slash = strrchr(path, '/');

	snprintf(found, PATH_MAX, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
	return access(found, R_OK) == 0;
}

/* Finds the profile of a run. The profile that fathom analyze made of a trace is shown for the trace; if a run has both
 * a profile and that one, the path of the latter becomes analysis, else "". 0, or -errno after an error message. */
static int find_run(char *target, char *path, char *analysis)
{
	static struct fathom_experiment experiment;
	int err = fathom_experiment_find(&experiment, target);
	const char *slash;
	bool has_analysis;

	if (err)
		return err;
	memcpy(path, experiment.path, PATH_MAX);
	has_analysis = find_next_to(path, "analysis.cubex", analysis);
	slash = strrchr(path, '/');
	if (fathom_experiment_is_trace(path)) {
		if (!has_analysis) {
			fathom_tool_error("%s: is a trace; make a profile of it first: fathom analyze %s", path, path);
			return -EINVAL;
		}
		memcpy(path, analysis, PATH_MAX);
		has_analysis = false;
	}
	if (!has_analysis || strcmp(slash ? slash + 1 : path, "profile.cubex") != 0)
		*analysis = '\0';
	return 0;
}

/* Finds the profile with loops and inlined functions in its call tree that fathom report made next to a profile. The
 * member origins of the report is removed if there is no such file. */
static bool find_scopes(const char *path, json_t *report, char *scoped)
{
	size_t nodes = json_array_size(json_object_get(report, "origins"));
	struct fathom_profile profile;
	bool is_usable = false;

	if (nodes && find_next_to(path, "scopes.cubex", scoped) && fathom_profile_open(&profile, scoped, -1) == 0) {
		is_usable = profile.cube->cnode_count == nodes;
		fathom_profile_close(&profile);
	}
	if (!is_usable)
		json_object_del(report, "origins");
	return is_usable;
}

/* Sets the origins of the call paths of a combined profile: by call path of the page, that of the profile of which it
 * is a part; -1: the profile does not have it. */
static void set_origins(struct fathom_page_profiles *profiles)
{
	json_t *scoped = json_object_get(profiles->report, "origins"), *origins = json_array();

	for (uint32_t c = 0; c < profiles->shown.cube->cnode_count; c++) {
		int32_t part = profiles->combined.parts[c];

		if (part >= 0 && scoped)
			json_array_append(origins, json_array_get(scoped, (size_t)part));
		else
			json_array_append_new(origins, json_integer(part));
	}
	json_object_set_new(profiles->report, "origins", origins);
}

static int open_combined(struct fathom_page_profiles *profiles)
{
	int err = fathom_profile_open(&profiles->shown, profiles->combined.path, -1);

	if (!err)
		set_origins(profiles);
	if (!err && profiles->compares)
		err = fathom_profile_open(&profiles->first, profiles->combined.before, -1);
	return err;
}

static int open_comparison(struct fathom_page_profiles *profiles)
{
	char scoped[PATH_MAX], first_scoped[PATH_MAX];
	bool have_scopes = find_scopes(profiles->path, profiles->report, scoped);
	int err;

	/* Loops of one run alone would all be called new or gone. */
	have_scopes &= find_scopes(profiles->first_path, profiles->first_report, first_scoped);
	if (!have_scopes)
		json_object_del(profiles->report, "origins");
	profiles->compares = true;
	err = fathom_combined_profile_compare(&profiles->combined, have_scopes ? first_scoped : profiles->first_path,
					      have_scopes ? scoped : profiles->path);
	return err ? err : open_combined(profiles);
}

/* Reads the report on the profile of the user. */
static int read_report(struct fathom_page_profiles *profiles)
{
	profiles->report = fathom_page_report(profiles->path);
	return profiles->report ? 0 : -EINVAL;
}

/* Opens the profile of the user, together with the metrics of another one. */
static int open_merged(struct fathom_page_profiles *profiles, char *other)
{
	char scoped[PATH_MAX];
	bool has_scopes = find_scopes(profiles->path, profiles->report, scoped);
	int err = fathom_combined_profile_merge(&profiles->combined, has_scopes ? scoped : profiles->path, other);

	return err ? err : open_combined(profiles);
}

int fathom_page_profiles_open(struct fathom_page_profiles *profiles, char *target)
{
	char analysis[PATH_MAX], scoped[PATH_MAX];
	int err = find_run(target, profiles->path, analysis);

	if (!err)
		err = read_report(profiles);
	if (err)
		return err;
	if (*analysis)
		return open_merged(profiles, analysis);
	return fathom_profile_open(&profiles->shown, find_scopes(profiles->path, profiles->report, scoped) ? scoped :
				   profiles->path, -1);
}

int fathom_page_profiles_compare(struct fathom_page_profiles *profiles, char *first, char *second)
{
	char analysis[PATH_MAX];
	int err = find_run(second, profiles->path, analysis);

	if (!err)
		err = find_run(first, profiles->first_path, analysis);
	if (!err)
		err = read_report(profiles);
	if (err)
		return err;
	profiles->first_report = fathom_page_report(profiles->first_path);
	return profiles->first_report ? open_comparison(profiles) : -EINVAL;
}

int fathom_page_profiles_scale(struct fathom_page_profiles *profiles, char *const *targets, int count)
{
	char losses[PATH_MAX];
	int err = fathom_combined_profile_begin(&profiles->combined);

	if (err)
		return err;
	snprintf(losses, sizeof(losses), "%.*s/losses.cubex", PATH_MAX - 32, profiles->combined.directory);
	profiles->scaling = fathom_page_scaling(targets, count, losses);
	if (!profiles->scaling)
		return -EINVAL;
	snprintf(profiles->path, sizeof(profiles->path), "%s", fathom_page_scaling_largest(profiles->scaling));
	err = read_report(profiles);
	if (!err)
		err = open_merged(profiles, losses);
	unlink(losses);
	return err;
}

void fathom_page_profiles_fini(struct fathom_page_profiles *profiles)
{
	fathom_profile_close(&profiles->shown);
	fathom_profile_close(&profiles->first);
	fathom_combined_profile_fini(&profiles->combined);
	json_decref(profiles->report);
	json_decref(profiles->first_report);
	json_decref(profiles->scaling);
}
