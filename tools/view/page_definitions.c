#include "tools/view/page_definitions.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/common/scope_region.h"
#include "tools/view/command_output.h"

/* Most times of iterations by rank in a page: about 300 kB. */
enum { MAP_CELLS_MOST = 100000 };

static const char *kind_of(const struct fathom_cube_metric *metric)
{
	if (metric->type == FATHOM_CUBE_DERIVED)
		return "formula";
	if (metric->dtype == FATHOM_CUBE_MINDOUBLE)
		return "minimum";
	return metric->dtype == FATHOM_CUBE_MAXDOUBLE ? "maximum" : "sum";
}

static json_t *metrics(const struct fathom_profile *profile)
{
	const struct fathom_cube *cube = profile->cube;
	json_t *list = json_array();

	for (uint32_t m = 0; m < cube->metric_count; m++) {
		const struct fathom_cube_metric *metric = &cube->metrics[m];
		json_t *object = json_object();
		struct fathom_ratio ratio;

		fathom_json_set_text(object, "name", metric->uniq_name);
		fathom_json_set_text(object, "title", metric->disp_name);
		fathom_json_set_text(object, "unit", metric->unit);
		fathom_json_set_text(object, "description", metric->description);
		json_object_set_new(object, "parent", json_integer(metric->parent));
		fathom_json_set_text(object, "kind", kind_of(metric));
		if (fathom_profile_formula(profile, m, &ratio))
			json_object_set_new(object, "ratio", json_pack("{s:i, s:i, s:f}", "of", (int)ratio.above, "to",
								       (int)ratio.below, "factor", ratio.factor));
		json_array_append_new(list, object);
	}
	return list;
}

/* Returns the number of a file in the list of files, which gets it if it is new; -1: there is no file. */
static int file_number(json_t *files, json_t *numbers, const char *path)
{
	json_t *known = *path ? json_object_get(numbers, path) : NULL;
	int number;

	if (!*path)
		return -1;
	if (known)
		return (int)json_integer_value(known);
	number = (int)json_array_size(files);
	json_array_append_new(files, fathom_json_text(path));
	json_object_set_new(numbers, path, json_integer(number));
	return number;
}

static void add_regions(json_t *page, const struct fathom_cube *cube)
{
	static const char *const members[] = { "name", "file", "line", "end_line", "paradigm", "role", "activity" };
	enum { NAME, FILE_NUMBER, LINE, END_LINE, PARADIGM, ROLE, ACTIVITY, MEMBERS };
	json_t *lists[MEMBERS], *regions = json_object(), *files = json_array(), *numbers = json_object();
	json_t *scopes = json_array();

	for (int i = 0; i < MEMBERS; i++) {
		lists[i] = json_array();
		json_object_set_new(regions, members[i], lists[i]);
	}
	for (uint32_t r = 0; r < cube->region_count; r++) {
		const struct fathom_cube_region *region = &cube->regions[r];

		json_array_append_new(lists[NAME], fathom_json_text(region->name));
		json_array_append_new(lists[FILE_NUMBER], json_integer(file_number(files, numbers, region->file)));
		json_array_append_new(lists[LINE], json_integer(region->begin_line));
		json_array_append_new(lists[END_LINE], json_integer(region->end_line));
		json_array_append_new(lists[PARADIGM], fathom_json_text(region->paradigm));
		json_array_append_new(lists[ROLE], fathom_json_text(region->role));
		if (fathom_scope_is(region))
			json_array_append_new(scopes, json_integer(r));
		json_array_append_new(lists[ACTIVITY],
				      fathom_json_text(fathom_activity_table[region->activity].metric));
	}
	json_decref(numbers);
	json_object_set_new(regions, "scopes", scopes);
	json_object_set_new(page, "regions", regions);
	json_object_set_new(page, "files", files);
}

/* Returns the parameters of a call path: "level=3, name=x". */
static json_t *parameters(const struct fathom_cube *cube, const struct fathom_cube_cnode *cnode)
{
	char text[1024];
	size_t length = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < cnode->parameter_count && length < sizeof(text); i++) {
		const struct fathom_cube_parameter *parameter = &cube->parameters[cnode->first_parameter + i];

		length += (size_t)snprintf(text + length, sizeof(text) - length, "%s%s=%s", i ? ", " : "",
					   parameter->key, parameter->value);
	}
	return fathom_json_text(text);
}

static void add_call_paths(json_t *page, const struct fathom_profile *profile)
{
	const struct fathom_cube *cube = profile->cube;
	json_t *cnodes = json_object(), *region = json_array(), *parent = json_array(), *counted = json_array();
	json_t *given = json_object(), *tasks = json_array();

	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		const struct fathom_cube_cnode *cnode = &cube->cnodes[c];
		char key[16];

		json_array_append_new(region, json_integer(cnode->region));
		json_array_append_new(parent, json_integer(cnode->parent));
		json_array_append_new(counted, json_integer(profile->counted[c]));
		if (cnode->parent < 0 && fathom_cube_tasks(cube, c) >= 0)
			json_array_append_new(tasks, json_integer(fathom_cube_tasks(cube, c)));
		if (!cnode->parameter_count)
			continue;
		snprintf(key, sizeof(key), "%lu", (unsigned long)c);
		json_object_set_new(given, key, parameters(cube, cnode));
	}
	json_object_set_new(cnodes, "region", region);
	json_object_set_new(cnodes, "parent", parent);
	json_object_set_new(cnodes, "counted", counted);
	json_object_set_new(cnodes, "tasks", tasks);
	json_object_set_new(page, "cnodes", cnodes);
	json_object_set_new(page, "parameters", given);
}

static void add_system(json_t *page, const struct fathom_cube *cube)
{
	json_t *nodes = json_array(), *groups = json_array(), *locations = json_object();
	json_t *group = json_array(), *name = json_array();

	for (uint32_t n = 0; n < cube->node_count; n++) {
		json_t *object = json_object();

		fathom_json_set_text(object, "name", cube->nodes[n].name);
		fathom_json_set_text(object, "class", cube->nodes[n].class_name);
		json_object_set_new(object, "parent", json_integer(cube->nodes[n].parent));
		json_array_append_new(nodes, object);
	}
	for (uint32_t g = 0; g < cube->group_count; g++) {
		json_t *object = json_object();

		fathom_json_set_text(object, "name", cube->groups[g].name);
		fathom_json_set_text(object, "type", cube->groups[g].type);
		json_object_set_new(object, "rank", json_integer(cube->groups[g].rank));
		json_object_set_new(object, "node", json_integer(cube->groups[g].node));
		json_array_append_new(groups, object);
	}
	for (uint32_t i = 0; i < cube->location_count; i++) {
		struct fathom_cube_location location = fathom_cube_location(cube, i);
		char label[128];

		json_array_append_new(group, json_integer(fathom_cube_location_group(cube, i)));
		json_array_append_new(name, fathom_json_text(fathom_threads_label(&location, label, sizeof(label))));
	}
	json_object_set_new(locations, "group", group);
	json_object_set_new(locations, "name", name);
	json_object_set_new(page, "nodes", nodes);
	json_object_set_new(page, "groups", groups);
	json_object_set_new(page, "locations", locations);
}

static json_t *places(const struct fathom_cube_topology *topology)
{
	json_t *list = json_array();

	for (uint32_t p = 0; p < topology->place_count; p++) {
		json_t *place = json_array();

		json_array_append_new(place, json_integer(topology->locations[p]));
		for (uint32_t d = 0; d < topology->dimension_count; d++)
			json_array_append_new(place, json_integer(topology->at[p * topology->dimension_count + d]));
		json_array_append_new(list, place);
	}
	return list;
}

static void add_topologies(json_t *page, const struct fathom_cube *cube)
{
	json_t *list = json_array();

	for (uint32_t t = 0; t < cube->topology_count; t++) {
		const struct fathom_cube_topology *topology = &cube->topologies[t];
		json_t *object = json_object(), *dimensions = json_array();

		for (uint32_t d = 0; d < topology->dimension_count; d++) {
			json_t *dimension = json_object();
			const char *name = topology->dimensions[d].name;

			fathom_json_set_text(dimension, "name", name ? name : "");
			json_object_set_new(dimension, "size", json_integer(topology->dimensions[d].size));
			json_object_set_new(dimension, "periodic", json_boolean(topology->dimensions[d].is_periodic));
			json_array_append_new(dimensions, dimension);
		}
		fathom_json_set_text(object, "name", topology->name ? topology->name : "");
		json_object_set_new(object, "dimensions", dimensions);
		json_object_set_new(object, "places", places(topology));
		json_array_append_new(list, object);
	}
	json_object_set_new(page, "topologies", list);
}

json_t *fathom_page_definitions(const struct fathom_profile *profile, const struct fathom_value_table *table)
{
	json_t *page = json_object();

	json_object_set_new(page, "metrics", metrics(profile));
	add_regions(page, profile->cube);
	add_call_paths(page, profile);
	add_system(page, profile->cube);
	add_topologies(page, profile->cube);
	json_object_set_new(page, "columns", json_pack("{s:i, s:i, s:b}", "locations", (int)table->locations_per_column,
						       "count", (int)table->column_count, "rounded",
						       table->is_rounded));
	return page;
}

/* --- the report ------------------------------------------------------------------------------------ */

/* Adds the member origins: by call path of the tree with scopes, the call path of the profile that it is a part of. */
static void set_origins(json_t *report)
{
	json_t *tree = json_object_get(report, "scoped_call_tree"), *origins, *node;
	size_t i;

	if (!json_is_array(tree))
		return;
	origins = json_array();
	json_array_foreach(tree, i, node)
		json_array_append(origins, json_object_get(node, "call_path"));
	json_object_set_new(report, "origins", origins);
	json_object_del(report, "scoped_call_tree");
}

/* Leaves out the times of phases by rank and iteration if they would make the page too large. */
static void limit_maps(json_t *report)
{
	size_t cells = 0, p, m;
	json_t *phase, *map;

	json_array_foreach(json_object_get(report, "phases"), p, phase)
		json_array_foreach(json_object_get(phase, "maps"), m, map)
			cells += json_array_size(json_object_get(map, "seconds"));
	json_array_foreach(json_object_get(report, "phases"), p, phase) {
		if (cells <= MAP_CELLS_MOST)
			continue;
		json_object_set_new(phase, "maps", json_array());
		json_object_set_new(phase, "lacks_maps", json_true());
	}
}

json_t *fathom_page_report(const char *path)
{
	const char *arguments[] = { "fathom-report", "--json", path, NULL };
	json_t *report = fathom_command_json(arguments, true);

	if (!report) {
		fathom_tool_error("%s: fathom report gave no result for it", path);
		return NULL;
	}
	set_origins(report);
	limit_maps(report);
	json_object_del(report, "regions");
	json_object_del(report, "call_tree");
	json_object_del(report, "metrics");
	json_object_del(report, "locations");
	return report;
}
