#include "tools/report/json/json_scopes.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/common/scope_region.h"
#include "tools/report/json/json_values.h"
#include "tools/report/report.h"

static bool have_same_parameters(const struct fathom_cube *a, const struct fathom_cube_cnode *x,
				 const struct fathom_cube *b, const struct fathom_cube_cnode *y)
{
	if (x->parameter_count != y->parameter_count)
		return false;
	for (uint32_t p = 0; p < x->parameter_count; p++) {
		const struct fathom_cube_parameter *left = &a->parameters[x->first_parameter + p];
		const struct fathom_cube_parameter *right = &b->parameters[y->first_parameter + p];

		if (strcmp(left->key, right->key) != 0 || strcmp(left->value, right->value) != 0)
			return false;
	}
	return true;
}

/* Returns the call path of the profile for a call path of the scoped one below the call path above (-1: a root); both
 * files have the same regions. -1: there is none. */
static int32_t find_call_path(const struct fathom_profile *profile, int32_t above, const struct fathom_cube *scoped,
			      const struct fathom_cube_cnode *node)
{
	const struct fathom_cube *cube = profile->cube;
	uint32_t begin = above >= 0 ? profile->first_child[above] : 0;
	uint32_t end = above >= 0 ? profile->first_child[above + 1] : cube->cnode_count;

	for (uint32_t i = begin; i < end; i++) {
		uint32_t c = above >= 0 ? profile->child[i] : i;

		if (cube->cnodes[c].parent == above && cube->cnodes[c].region == node->region &&
		    have_same_parameters(cube, &cube->cnodes[c], scoped, node))
			return (int32_t)c;
	}
	return -1;
}

/* Finds the call path of the profile that each node of the scoped one is a part of, by regions and parameters. */
static int32_t *find_call_paths(const struct fathom_report *report)
{
	const struct fathom_cube *scoped = report->scoped->profile.cube;
	int32_t *call_paths = fathom_tool_alloc(scoped->cnode_count, sizeof(*call_paths));

	for (uint32_t s = 0; s < scoped->cnode_count; s++) {
		const struct fathom_cube_cnode *node = &scoped->cnodes[s];
		int32_t above = node->parent >= 0 ? call_paths[node->parent] : -1;

		call_paths[s] = fathom_scope_is(&scoped->regions[node->region]) ? above :
				find_call_path(&report->profile, above, scoped, node);
	}
	return call_paths;
}

static json_t *describe(const struct fathom_cube_region *region)
{
	json_t *object = json_object();

	fathom_json_set_text(object, "kind", fathom_scope_is_loop(region) ? "loop" : "inlined");
	fathom_json_set_text(object, "file", region->file);
	json_object_set_new(object, "line", region->begin_line > 0 ? json_integer(region->begin_line) : json_null());
	if (fathom_scope_is_inlined(region))
		fathom_json_set_text(object, "function", region->mangled);
	return object;
}

static void put_nodes(struct fathom_report *report, const struct fathom_values *values)
{
	const struct fathom_cube *scoped = report->scoped->profile.cube;
	int32_t *call_paths = find_call_paths(report);

	fathom_json_begin_list("scoped_call_tree");
	for (uint32_t s = 0; s < scoped->cnode_count && !fathom_tool_output_lost(); s++) {
		const struct fathom_cube_cnode *node = &scoped->cnodes[s];
		const struct fathom_cube_region *region = &scoped->regions[node->region];
		json_t *object = json_object();

		json_object_set_new(object, "id", json_integer(s));
		json_object_set_new(object, "parent", node->parent >= 0 ? json_integer(node->parent) : json_null());
		json_object_set_new(object, "call_path",
				    call_paths[s] >= 0 ? json_integer(call_paths[s]) : json_null());
		fathom_json_set_text(object, "name", region->name);
		json_object_set_new(object, "scope", fathom_scope_is(region) ? describe(region) : json_null());
		if (report->scoped->sampled.is_sampled && report->scoped->sampled.is_sampled[s])
			json_object_set_new(object, "sampled", json_true());
		json_object_set_new(object, "inclusive",
				    fathom_json_node_values(values, scoped->metric_count, s, true));
		json_object_set_new(object, "exclusive",
				    fathom_json_node_values(values, scoped->metric_count, s, false));
		fathom_json_item(s == 0, object);
	}
	fathom_json_end_list();
	free(call_paths);
}

int fathom_report_json_scopes(struct fathom_report *report)
{
	struct fathom_profile *scoped = report->scoped ? &report->scoped->profile : NULL;
	uint32_t count = scoped ? scoped->cube->metric_count : 0;
	struct fathom_values *values = fathom_tool_alloc(count, sizeof(*values));
	int err = 0;

	for (uint32_t m = 0; !err && m < count; m++)
		if (fathom_profile_has_values(scoped, m))
			err = fathom_profile_values(scoped, m, &values[m]);
	if (!err && scoped)
		put_nodes(report, values);
	for (uint32_t m = 0; m < count; m++)
		fathom_values_free(&values[m]);
	free(values);
	return err;
}
