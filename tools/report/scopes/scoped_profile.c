#include "tools/report/scopes/scoped_profile.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cube/dtype.h"
#include "cube/writer/writer.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/report/iteration_maps.h"
#include "tools/common/samples/sample_places.h"
#include "tools/common/samples/sampled_times.h"
#include "tools/common/scope_region.h"
#include "tools/report/scopes/scoped_tree.h"

static const char version[] = "1";	/* of the way in which scopes are found */

struct making {
	struct fathom_profile profile;
	struct fathom_values visits;
	struct fathom_sampled_times sampled;
	struct fathom_sample_records records;
	struct fathom_code_scopes scopes;
	struct fathom_scoped_tree tree;
	struct fathom_cube cube;	/* what is written */
	char **texts;			/* of the new regions */
	size_t text_count, text_room, region_room;
	uint32_t *node_of;		/* by new call path: the node of the tree */
	uint32_t *cnode_of;		/* by node: the new call path */
	bool *is_time;			/* by metric: the time, or a part of it */
	int32_t samples;		/* the metric */
	struct fathom_cube_writer *writer;
};

/* --- definitions --------------------------------------------------------------------------------------- */

static char *keep(struct making *making, char *text)
{
	making->texts = fathom_tool_grow(making->texts, making->text_count, &making->text_room,
					 sizeof(*making->texts));
	making->texts[making->text_count++] = text;
	return text;
}

static char *format_name(const char *kind, const char *what)
{
	char *text;

	if (asprintf(&text, "%s %s", kind, what) < 0)
		fathom_tool_out_of_memory(strlen(what));
	return text;
}

/* Returns the region of a scope, which is added if it is new. of: the region of its function. */
static uint32_t find_region(struct making *making, const struct fathom_code_scope *scope,
			    const struct fathom_cube_region *of)
{
	bool is_loop = scope->kind == FATHOM_SCOPE_LOOP;
	const char *file = is_loop ? scope->file : scope->source, *mangled = is_loop ? "" : scope->name;
	uint32_t line = is_loop ? scope->line : scope->begin_line, r;
	enum fathom_activity activity = of->activity;
	char text[512], *name;

	if (is_loop)
		name = format_name("loop", fathom_line_text(scope->file, scope->line, scope->address, text,
							    sizeof(text)));
	else
		name = format_name("inlined", fathom_short_name(scope->name, text, sizeof(text)));
	for (r = making->profile.cube->region_count; r < making->cube.region_count; r++) {
		const struct fathom_cube_region *region = &making->cube.regions[r];

		if (region->activity == activity && strcmp(region->name, name) == 0 &&
		    strcmp(region->mangled, mangled) == 0 && strcmp(region->file, file ? file : "") == 0)
			break;
	}
	if (r < making->cube.region_count) {
		free(name);
		return r;
	}
	making->cube.regions = fathom_tool_grow(making->cube.regions, making->cube.region_count,
						&making->region_room, sizeof(*making->cube.regions));
	making->cube.regions[making->cube.region_count++] = (struct fathom_cube_region){
		.name = keep(making, name), .mangled = mangled, .file = file ? file : "", .paradigm = "compiler",
		.role = is_loop ? "loop" : "function",
		.description = is_loop ? FATHOM_LOOP_DESCRIPTION : FATHOM_INLINED_DESCRIPTION,
		.begin_line = line ? (int32_t)line : -1, .end_line = -1, .activity = activity,
	};
	return r;
}

static void make_cnodes(struct making *making)
{
	const struct fathom_cube *old = making->profile.cube;
	const struct fathom_scoped_tree *tree = &making->tree;

	making->cube.cnode_count = (uint32_t)tree->count;
	making->cube.cnodes = fathom_tool_alloc(tree->count, sizeof(*making->cube.cnodes));
	making->node_of = tree->order;
	making->cnode_of = fathom_tool_alloc(tree->count, sizeof(*making->cnode_of));
	for (uint32_t c = 0; c < tree->count; c++) {
		const struct fathom_scoped_node *node = &tree->nodes[tree->order[c]];
		struct fathom_cube_cnode *cnode = &making->cube.cnodes[c];

		making->cnode_of[tree->order[c]] = c;
		*cnode = old->cnodes[node->call_path];
		if (node->scope) {
			cnode->region = find_region(making, node->scope, &old->regions[cnode->region]);
			cnode->parameter_count = 0;
		}
		cnode->parent = node->parent >= 0 ? (int32_t)making->cnode_of[node->parent] : -1;
	}
}

static void make_definitions(struct making *making)
{
	const struct fathom_cube *old = making->profile.cube;
	struct fathom_cube *cube = &making->cube;

	*cube = *old;
	cube->regions = NULL;
	cube->region_count = 0;
	for (uint32_t r = 0; r < old->region_count; r++) {
		cube->regions = fathom_tool_grow(cube->regions, cube->region_count, &making->region_room,
						 sizeof(*cube->regions));
		cube->regions[cube->region_count++] = old->regions[r];
	}
	make_cnodes(making);
	cube->attributes = fathom_tool_alloc(old->attribute_count + (size_t)1, sizeof(*cube->attributes));
	cube->attribute_count = 0;
	for (uint32_t a = 0; a < old->attribute_count; a++)
		if (!fathom_phases_is_map(old->attributes[a].key))	/* these have numbers of call paths */
			cube->attributes[cube->attribute_count++] = old->attributes[a];
	cube->attributes[cube->attribute_count++] = (struct fathom_cube_attribute){ FATHOM_SCOPES_ATTRIBUTE, version };
	cube->locations = fathom_tool_alloc(old->location_count, sizeof(*cube->locations));
	for (uint32_t l = 0; l < old->location_count; l++)
		cube->locations[l] = fathom_cube_location(old, l);
	cube->patterns = NULL;
	cube->pattern_count = 0;
}

/* --- values ----------------------------------------------------------------------------------------------- */

/* Returns whether the values of a metric and a call path are shared out among its nodes. Else the first node has them:
 * that of the function itself. */
static bool is_shared(const struct making *making, uint32_t metric, uint32_t call_path)
{
	const struct fathom_cube_metric *of = &making->cube.metrics[metric];

	if (of->type != FATHOM_CUBE_EXCLUSIVE || (of->dtype != FATHOM_CUBE_DOUBLE && of->dtype != FATHOM_CUBE_UINT64))
		return false;
	return making->sampled.is_sampled[call_path] || making->is_time[metric] || (int32_t)metric == making->samples;
}

static bool is_present(void *context, uint32_t metric, uint32_t cnode)
{
	struct making *making = context;
	const struct fathom_scoped_node *node = &making->tree.nodes[making->node_of[cnode]];

	if (making->cube.metrics[metric].type == FATHOM_CUBE_DERIVED ||
	    !fathom_cube_reader_present(making->profile.reader, metric, node->call_path))
		return false;
	if (making->tree.first_of[node->call_path] == (int32_t)making->node_of[cnode])
		return true;
	return node->samples && is_shared(making, metric, node->call_path);
}

/* How the values of a call path are shared out: by location, the samples of its nodes. */
struct shares {
	uint32_t node_count, locations;
	uint64_t *samples;	/* [node][location]; without samples of threads [node] */
	bool has_columns;
};

static uint64_t share_of(const struct shares *shares, uint32_t node, uint32_t location)
{
	return shares->samples[shares->has_columns ? (size_t)node * shares->locations + location : node];
}

static void find_shares(const struct making *making, uint32_t call_path, struct shares *shares)
{
	uint32_t i = 0;

	*shares = (struct shares){
		.locations = making->cube.location_count, .has_columns = making->records.count_count > 0,
	};
	for (int32_t n = making->tree.first_of[call_path]; n >= 0; n = making->tree.nodes[n].next)
		shares->node_count++;
	shares->samples = fathom_tool_alloc(shares->node_count * (shares->has_columns ? (size_t)shares->locations : 1),
					    sizeof(*shares->samples));
	for (int32_t n = making->tree.first_of[call_path]; n >= 0; n = making->tree.nodes[n].next, i++) {
		const struct fathom_scoped_node *node = &making->tree.nodes[n];

		if (!shares->has_columns)
			shares->samples[i] = node->samples;
		for (size_t k = 0; k < node->count_count; k++)
			shares->samples[(size_t)i * shares->locations + node->counts[k].column] +=
				node->counts[k].samples;
	}
}

/* Shares out a number of units at a location. parts: by node, that of the location. The parts add up to the number.
 * Rounding is distributed evenly over the locations. */
static void share_units(const struct shares *shares, uint32_t location, uint64_t units, uint64_t *parts)
{
	uint64_t all = 0, sum = 0, given = 0, phase;

	memset(parts, 0, shares->node_count * sizeof(*parts));
	for (uint32_t i = 0; i < shares->node_count; i++)
		all += share_of(shares, i, location);
	if (!all) {
		parts[0] = units;
		return;
	}
	phase = (uint64_t)((unsigned __int128)all * (uint32_t)(location * 2654435769U) >> 32);	/* below all */
	for (uint32_t i = 0; i < shares->node_count; i++) {
		uint64_t end;

		sum += share_of(shares, i, location);
		end = (uint64_t)(((unsigned __int128)units * sum + phase) / all);
		parts[i] = end - given;
		given = end;
	}
}

/* Writes the values of a row, of the nodes of a call path, from those of the call path. */
static int write_shared(struct making *making, uint32_t metric, uint32_t call_path, const struct shares *shares,
			const void *row, uint64_t *rows)
{
	static const double units_per_second = 4294967296.0;	/* times in files of fathom are whole units */
	bool is_real = making->cube.metrics[metric].dtype == FATHOM_CUBE_DOUBLE;
	uint64_t *parts = fathom_tool_alloc(shares->node_count, sizeof(*parts));
	uint32_t locations = shares->locations, i = 0;
	int err = 0;

	for (uint32_t l = 0; l < locations; l++) {
		double value = is_real ? ((const double *)row)[l] : 0;
		bool is_whole = !is_real || (value >= 0 && value < 0x1p+21);

		if (is_whole)
			share_units(shares, l, is_real ? (uint64_t)(value * units_per_second) :
							 ((const uint64_t *)row)[l], parts);
		for (i = 0; i < shares->node_count; i++) {
			double part = is_whole ? (double)parts[i] / units_per_second : i ? 0 : value;

			if (is_real && i == 0 && is_whole)	/* what is less than a unit, in files of other tools */
				part += value - floor(value * units_per_second) / units_per_second;
			if (is_real)
				memcpy(&rows[(size_t)i * locations + l], &part, sizeof(part));
			else
				rows[(size_t)i * locations + l] = parts[i];
		}
	}
	i = 0;
	for (int32_t n = making->tree.first_of[call_path]; !err && n >= 0; n = making->tree.nodes[n].next, i++)
		if (is_present(making, metric, making->cnode_of[n]))
			err = fathom_cube_writer_put(making->writer, metric, making->cnode_of[n], 0, locations,
						     rows + (size_t)i * locations);
	free(parts);
	return err;
}

static int write_values(struct making *making)
{
	uint32_t locations = making->cube.location_count;
	void *row = fathom_tool_alloc(locations, sizeof(struct fathom_cube_tuple));	/* the largest type */
	struct fathom_cube_error error;
	int err = 0;

	for (uint32_t c = 0; !err && c < making->profile.cube->cnode_count; c++) {
		int32_t first = making->tree.first_of[c];
		struct shares shares;
		uint64_t *rows;

		find_shares(making, c, &shares);
		rows = fathom_tool_alloc((size_t)shares.node_count * locations, sizeof(*rows));
		for (uint32_t m = 0; !err && m < making->cube.metric_count; m++) {
			if (!is_present(making, m, making->cnode_of[first]))
				continue;
			err = fathom_cube_reader_raw_row(making->profile.reader, m, c, row, &error);
			if (!err && shares.node_count > 1 && is_shared(making, m, c))
				err = write_shared(making, m, c, &shares, row, rows);
			else if (!err)
				err = fathom_cube_writer_put(making->writer, m, making->cnode_of[first], 0, locations,
							     row);
		}
		free(rows);
		free(shares.samples);
	}
	free(row);
	return err;
}

/* --- the file ------------------------------------------------------------------------------------------------ */

static int write_file(struct making *making, const char *path, int64_t mtime)
{
	int err = fathom_cube_writer_open(&making->writer, path, &making->cube, is_present, making, mtime);

	if (err)
		return err;
	err = write_values(making);
	if (!err)
		return fathom_cube_writer_close(making->writer);
	fathom_cube_writer_abandon(making->writer);
	return err;
}

/* Returns whether the samples are those of the profile: every call path has as many. */
static bool is_of_profile(const struct making *making)
{
	const struct fathom_cube *cube = making->profile.cube;
	double *samples = fathom_tool_alloc(cube->cnode_count, sizeof(*samples));
	bool is_same = true;

	for (size_t p = 0; is_same && p < making->records.path_count; p++) {
		const struct fathom_sample_path *path = &making->records.paths[p];

		is_same = path->call_path < cube->cnode_count;
		if (is_same)
			samples[path->call_path] += (double)path->samples;
	}
	for (uint32_t c = 0; is_same && c < cube->cnode_count; c++)
		is_same = samples[c] == making->sampled.samples.own[c];
	for (size_t i = 0; is_same && i < making->records.count_count; i++)
		is_same = making->records.counts[i].column < cube->location_count;
	free(samples);
	return is_same;
}

static char *explain(const char *format, const char *path, const char *reason)
{
	char *text;

	if (asprintf(&text, format, path, reason) < 0)
		fathom_tool_out_of_memory(strlen(path));
	return text;
}

/* Reads the profile and its samples. False: there will be no scopes; *remark may say why. */
static bool read_all(struct making *making, const char *path, char **remark)
{
	const struct fathom_cube *cube = making->profile.cube;

	if (making->profile.time < 0 || making->profile.visits < 0 ||
	    cube->metrics[making->profile.time].dtype != FATHOM_CUBE_DOUBLE ||
	    fathom_profile_values(&making->profile, (uint32_t)making->profile.visits, &making->visits) ||
	    fathom_sampled_times_init(&making->sampled, &making->profile, &making->visits) ||
	    !making->sampled.samples.own)
		return false;
	if (fathom_sample_records_try(&making->records, path)) {
		*remark = explain("%s: %s", making->records.text.path, making->records.text.problem);
		return false;
	}
	if (!making->records.path_count)
		return false;
	if (!is_of_profile(making)) {
		*remark = explain("%s: %s", making->records.text.path, "is not of this profile");
		return false;
	}
	making->samples = fathom_cube_metric_by_name(cube, "samples");
	making->is_time = fathom_tool_alloc(cube->metric_count, sizeof(*making->is_time));
	for (uint32_t m = 0; m < cube->metric_count; m++) {
		int32_t parent = cube->metrics[m].parent;

		making->is_time[m] = (int32_t)m == making->profile.time || (parent >= 0 && making->is_time[parent]);
	}
	return true;
}

static void fini(struct making *making)
{
	for (size_t i = 0; i < making->text_count; i++)
		free(making->texts[i]);
	free(making->texts);
	free(making->cube.regions);
	free(making->cube.cnodes);
	free(making->cube.attributes);
	free(making->cube.locations);
	free(making->cnode_of);
	free(making->is_time);
	fathom_scoped_tree_fini(&making->tree);
	fathom_code_scopes_fini(&making->scopes);
	fathom_sample_records_fini(&making->records);
	fathom_sampled_times_fini(&making->sampled);
	fathom_values_free(&making->visits);
	fathom_profile_close(&making->profile);
}

/* Makes the file of a profile. 0, -errno if it cannot be written; -ENODATA: there are no scopes, *remark may say
 * why. */
static int make_file(const char *profile, const char *path, int64_t mtime, char **remark)
{
	struct making making = { .writer = NULL };
	const char *refusal, *module;
	int err = -ENODATA;

	if (fathom_profile_open(&making.profile, profile, -1))
		return -ENODATA;
	memset(&making.cube, 0, sizeof(making.cube));
	if (read_all(&making, profile, remark)) {
		fathom_code_scopes_init(&making.scopes, making.profile.cube, &making.records,
					making.sampled.is_sampled);
		fathom_scoped_tree_init(&making.tree, &making.scopes, making.sampled.is_sampled);
		refusal = fathom_sample_modules_refusal(&making.scopes.modules, &module);
		if (refusal)
			*remark = explain("%s %s: the call tree has none of its loops and inlined functions",
					  fathom_base_name(module), refusal);
		if (making.tree.scope_count) {
			make_definitions(&making);
			err = write_file(&making, path, mtime);
		}
	}
	fini(&making);
	return err;
}

/* Returns the path of the file for a profile; NULL: a profile with that name has none. The caller frees it. */
static char *path_for(const char *profile)
{
	const char *base = fathom_base_name(profile);
	int kept = (int)(base - profile);
	char *path;

	if (fathom_experiment_rank_of(base, ".cubex") >= 0)	/* rank-N.scopes.cubex next to rank-N.cubex */
		kept += (int)(strlen(base) - strlen("cubex"));
	else if (strcmp(base, "profile.cubex") != 0)
		return NULL;
	if (asprintf(&path, "%.*sscopes.cubex", kept, profile) < 0)
		fathom_tool_out_of_memory(strlen(profile));
	return path;
}

/* Returns whether a file was made by this version, after the profile was written. */
static bool is_up_to_date(const char *path, const struct stat *profile)
{
	struct fathom_cube_reader *reader;
	struct fathom_cube_error error;
	struct stat file;
	const char *made;
	bool is_same;

	if (stat(path, &file) || file.st_mtim.tv_sec < profile->st_mtim.tv_sec ||
	    (file.st_mtim.tv_sec == profile->st_mtim.tv_sec && file.st_mtim.tv_nsec < profile->st_mtim.tv_nsec) ||
	    fathom_cube_reader_open(&reader, path, &error))
		return false;
	made = fathom_cube_attribute(fathom_cube_reader_cube(reader), FATHOM_SCOPES_ATTRIBUTE);
	is_same = made && strcmp(made, version) == 0;
	fathom_cube_reader_close(reader);
	return is_same;
}

void fathom_scoped_profile_find(struct fathom_scoped_profile *scoped, const char *profile)
{
	char *path = path_for(profile), *unfinished;
	const char *temporary = getenv("TMPDIR");
	struct stat status;
	int err;

	*scoped = (struct fathom_scoped_profile){ .path = NULL };
	if (!path || stat(profile, &status))
		goto out;
	if (is_up_to_date(path, &status)) {
		scoped->path = path;
		return;
	}
	/* Another command may make the same file now. */
	if (asprintf(&unfinished, "%s.%ld", path, (long)getpid()) < 0)
		fathom_tool_out_of_memory(strlen(path));
	err = make_file(profile, unfinished, status.st_mtime, &scoped->remark);
	if (!err && rename(unfinished, path) == 0) {
		scoped->path = path;
		free(unfinished);
		return;
	}
	free(unfinished);
	if (!err || err == -ENODATA)
		goto out;
	free(scoped->remark);
	scoped->remark = NULL;
	if (asprintf(&unfinished, "%s/fathom-report-%ld.cubex", temporary && *temporary ? temporary : "/tmp",
		     (long)getpid()) < 0)
		fathom_tool_out_of_memory(PATH_MAX);
	scoped->is_temporary = make_file(profile, unfinished, status.st_mtime, &scoped->remark) == 0;
	if (scoped->is_temporary)
		scoped->path = unfinished;
	else
		free(unfinished);
out:
	free(path);
}

void fathom_scoped_profile_fini(struct fathom_scoped_profile *scoped)
{
	if (scoped->is_temporary)
		unlink(scoped->path);
	free(scoped->path);
	free(scoped->remark);
	*scoped = (struct fathom_scoped_profile){ .path = NULL };
}
