/* Writes anchor.xml. Trees are written without recursion, because a call tree may be deeper than the stack. The
 * elements of each tree are in pre-order, so the writer closes all open elements up to the parent before it opens an
 * element. */
#include "cube/writer/anchor.h"

#include <string.h>

#include "cube/writer/metric_tree.h"
#include "cube/writer/output.h"
#include "cube/writer/xml.h"
#include "filter/spelling.h"

static void attribute(struct fathom_cube_output *output, const char *key, const char *value)
{
	fathom_cube_output_text(output, "<attr key=\"");
	fathom_xml_text(output, key);
	fathom_cube_output_text(output, "\" value=\"");
	fathom_xml_text(output, value);
	fathom_cube_output_text(output, "\"/>\n");
}

/* Returns the version of the format. A file that has accelerators needs a higher version. */
static const char *version(const struct fathom_cube *cube)
{
	for (uint32_t i = 0; !cube->system && i < cube->group_count; i++) {
		if (strcmp(fathom_xml_either(cube->groups[i].type, ""), "accelerator") == 0)
			return "4.7";
	}
	for (uint32_t i = 0; !cube->system && i < cube->location_count; i++) {
		if (strcmp(fathom_xml_either(cube->locations[i].type, ""), "accelerator stream") == 0)
			return "4.7";
	}
	return "4.4";
}

static bool has_attribute(const struct fathom_cube *cube, const char *key)
{
	for (uint32_t i = 0; i < cube->attribute_count; i++) {
		if (strcmp(fathom_xml_either(cube->attributes[i].key, ""), key) == 0)
			return true;
	}
	return false;
}

static void write_head(struct fathom_cube_output *output, const struct fathom_cube *cube)
{
	fathom_cube_output_text(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<cube version=\"");
	fathom_cube_output_text(output, version(cube));
	fathom_cube_output_text(output, "\">\n");
	if (!has_attribute(cube, "CubePL Version"))
		attribute(output, "CubePL Version", "1.1");
	if (!has_attribute(cube, "Cube anchor.xml syntax version"))
		attribute(output, "Cube anchor.xml syntax version", version(cube));
	for (uint32_t i = 0; i < cube->attribute_count; i++)
		attribute(output, cube->attributes[i].key, cube->attributes[i].value);
}

/* Writes the name of a region in the spelling that other tools understand (spelling.h). All changed characters are
 * ASCII. */
static void write_name(struct fathom_cube_output *output, const char *name)
{
	struct fathom_spelling spelling = fathom_spelling_of(name);
	size_t run = 0, at = 0;

	fathom_cube_output_text(output, "<name>");
	fathom_cube_output_text(output, spelling.before);
	for (; spelling.is_changed && name[at]; at++) {
		const char instead[2] = { fathom_spelling_at(&spelling, name, at) };

		if (*instead == name[at])
			continue;
		fathom_xml_bytes(output, name + run, at - run);
		fathom_xml_text(output, instead);
		run = at + 1;
	}
	fathom_xml_text(output, name + run);
	fathom_cube_output_text(output, "</name>\n");
}

static void write_regions(struct fathom_cube_output *output, const struct fathom_cube *cube)
{
	for (uint32_t i = 0; i < cube->region_count; i++) {
		const struct fathom_cube_region *region = &cube->regions[i];

		fathom_xml_number_attribute(output, "<region id=", i);
		fathom_cube_output_text(output, " mod=\"");
		fathom_xml_text(output, region->file);
		fathom_xml_number_attribute(output, "\" begin=", region->begin_line > 0 ? region->begin_line : -1);
		fathom_xml_number_attribute(output, " end=", region->end_line > 0 ? region->end_line : -1);
		fathom_cube_output_text(output, ">\n");
		write_name(output, fathom_xml_either(region->name, ""));
		fathom_xml_element(output, "mangled_name", fathom_xml_either(region->mangled, region->name));
		fathom_xml_element(output, "paradigm", fathom_xml_either(region->paradigm, "unknown"));
		fathom_xml_element(output, "role", fathom_xml_either(region->role, "unknown"));
		fathom_xml_element(output, "url", "");
		fathom_xml_element(output, "descr", region->description);
		if (region->activity != FATHOM_ACTIVITY_NONE)
			attribute(output, FATHOM_CUBE_ACTIVITY, fathom_activity_table[region->activity].metric);
		fathom_cube_output_text(output, "</region>\n");
	}
}

/* Returns whether text is a decimal number. Readers stop at a numeric parameter whose value is not decimal. */
static bool is_decimal(const char *text)
{
	size_t digits = 0;

	text += *text == '-' || *text == '+';
	for (; *text >= '0' && *text <= '9'; text++)
		digits++;
	if (*text == '.') {
		for (text++; *text >= '0' && *text <= '9'; text++)
			digits++;
	}
	if (digits && (*text == 'e' || *text == 'E')) {
		text++;
		text += *text == '-' || *text == '+';
		for (digits = 0; *text >= '0' && *text <= '9'; text++)
			digits++;
	}
	return digits && !*text;
}

static void write_parameter(struct fathom_cube_output *output, const struct fathom_cube_parameter *parameter)
{
	bool is_numeric = parameter->is_numeric && parameter->value && is_decimal(parameter->value);

	fathom_cube_output_text(output, is_numeric ? "<parameter partype=\"numeric\" parkey=\"" :
						     "<parameter partype=\"string\" parkey=\"");
	fathom_xml_text(output, parameter->key);
	fathom_cube_output_text(output, "\" parvalue=\"");
	fathom_xml_text(output, parameter->value);
	fathom_cube_output_text(output, "\" />\n");
}

static void write_cnodes(struct fathom_cube_output *output, const struct fathom_cube *cube)
{
	int64_t open = -1;

	for (uint32_t i = 0; i < cube->cnode_count; i++) {
		const struct fathom_cube_cnode *cnode = &cube->cnodes[i];

		for (; open != cnode->parent; open = cube->cnodes[open].parent)
			fathom_cube_output_text(output, "</cnode>\n");
		fathom_xml_number_attribute(output, "<cnode id=", i);
		fathom_xml_number_attribute(output, " calleeId=", cnode->region);
		fathom_cube_output_text(output, ">\n");
		for (uint32_t k = 0; k < cnode->parameter_count; k++)
			write_parameter(output, &cube->parameters[cnode->first_parameter + k]);
		open = i;
	}
	for (; open != -1; open = cube->cnodes[open].parent)
		fathom_cube_output_text(output, "</cnode>\n");
}

/* Writes the locations of a group, beginning with *location, and moves *location behind them. */
static void write_group(struct fathom_cube_output *output, const struct fathom_cube *cube, uint32_t group,
			uint32_t *location)
{
	fathom_xml_number_attribute(output, "<locationgroup Id=", group);
	fathom_cube_output_text(output, ">\n");
	fathom_xml_element(output, "name", cube->groups[group].name);
	fathom_xml_number(output, "rank", cube->groups[group].rank);
	fathom_xml_element(output, "type", fathom_xml_either(cube->groups[group].type, "process"));
	for (; *location < cube->location_count && cube->locations[*location].group == (int32_t)group;
	     ++*location) {
		const struct fathom_cube_location *thread = &cube->locations[*location];

		fathom_xml_number_attribute(output, "<location Id=", *location);
		fathom_cube_output_text(output, ">\n");
		fathom_xml_element(output, "name", thread->name);
		fathom_xml_number(output, "rank", thread->rank);
		fathom_xml_element(output, "type", fathom_xml_either(thread->type, "thread"));
		if (thread->threads)
			attribute(output, FATHOM_CUBE_THREADS, thread->threads);
		fathom_cube_output_text(output, "</location>\n");
	}
	fathom_cube_output_text(output, "</locationgroup>\n");
}

static void write_system(struct fathom_cube_output *output, const struct fathom_cube *cube)
{
	uint32_t group = 0;
	uint32_t location = 0;
	int64_t open = -1;

	for (uint32_t i = 0; i < cube->node_count; i++) {
		const struct fathom_cube_node *node = &cube->nodes[i];

		for (; open != node->parent; open = cube->nodes[open].parent)
			fathom_cube_output_text(output, "</systemtreenode>\n");
		fathom_xml_number_attribute(output, "<systemtreenode Id=", i);
		fathom_cube_output_text(output, ">\n");
		fathom_xml_element(output, "name", node->name);
		fathom_xml_element(output, "class", node->class_name);
		for (; group < cube->group_count && cube->groups[group].node == (int32_t)i; group++)
			write_group(output, cube, group, &location);
		open = i;
	}
	for (; open != -1; open = cube->nodes[open].parent)
		fathom_cube_output_text(output, "</systemtreenode>\n");
}

/* Closes the open group, and the open nodes until only depth nodes are open. */
static void close_elements(struct fathom_cube_output *output, uint32_t *nodes, bool *in_group, uint32_t depth)
{
	if (*in_group)
		fathom_cube_output_text(output, "</locationgroup>\n");
	*in_group = false;
	for (; *nodes > depth; --*nodes)
		fathom_cube_output_text(output, "</systemtreenode>\n");
}

/* Writes the system tree from a walk over its elements. */
static void write_system_walk(struct fathom_cube_output *output, const struct fathom_cube_system *system)
{
	uint32_t node = 0, group = 0, location = 0, open = 0;
	struct fathom_cube_element next;
	bool in_group = false;

	while (!output->err && system->next(system->context, &next)) {
		if (next.kind == FATHOM_CUBE_NODE) {
			close_elements(output, &open, &in_group, next.depth);
			fathom_xml_number_attribute(output, "<systemtreenode Id=", node++);
			fathom_cube_output_text(output, ">\n");
			fathom_xml_element(output, "name", next.name);
			fathom_xml_element(output, "class", next.class_name);
			open++;
			continue;
		}
		if (next.kind == FATHOM_CUBE_GROUP)
			close_elements(output, &open, &in_group, open);
		in_group = true;
		if (next.kind == FATHOM_CUBE_GROUP)
			fathom_xml_number_attribute(output, "<locationgroup Id=", group++);
		else
			fathom_xml_number_attribute(output, "<location Id=", location++);
		fathom_cube_output_text(output, ">\n");
		fathom_xml_element(output, "name", next.name);
		fathom_xml_number(output, "rank", next.rank);
		fathom_xml_element(output, "type", next.class_name);
		if (next.kind == FATHOM_CUBE_GROUP)
			continue;
		if (next.threads && *next.threads)
			attribute(output, FATHOM_CUBE_THREADS, next.threads);
		fathom_cube_output_text(output, "</location>\n");
	}
	close_elements(output, &open, &in_group, 0);
}

static void write_place(struct fathom_cube_output *output, uint32_t location, const uint32_t *at, uint32_t dimensions)
{
	fathom_xml_number_attribute(output, "<coord locId=", location);
	for (uint32_t d = 0; d < dimensions; d++) {
		fathom_cube_output_text(output, d ? " " : ">");
		fathom_cube_output_number(output, at[d]);
	}
	fathom_cube_output_text(output, "</coord>\n");
}

static void write_places(struct fathom_cube_output *output, const struct fathom_cube_topology *topology)
{
	uint32_t dimensions = topology->dimension_count, location, at[FATHOM_CUBE_MOST_DIMENSIONS];

	if (!topology->places) {
		for (uint32_t p = 0; p < topology->place_count; p++)
			write_place(output, topology->locations[p], topology->at + (size_t)p * dimensions, dimensions);
		return;
	}
	while (topology->places->next(topology->places->context, &location, at))
		write_place(output, location, at, dimensions);
}

/* Writes a topology. In the file, either all dimensions have names or none has. */
static void write_topology(struct fathom_cube_output *output, const struct fathom_cube_topology *topology)
{
	bool are_named = true;

	for (uint32_t d = 0; d < topology->dimension_count; d++)
		are_named &= topology->dimensions[d].name && *topology->dimensions[d].name;
	fathom_cube_output_text(output, "<cart");
	if (topology->name && *topology->name)
		fathom_xml_text_attribute(output, " name=", topology->name);
	fathom_xml_number_attribute(output, " ndims=", topology->dimension_count);
	fathom_cube_output_text(output, ">\n");
	for (uint32_t d = 0; d < topology->dimension_count; d++) {
		const struct fathom_cube_dimension *dimension = &topology->dimensions[d];

		fathom_cube_output_text(output, "<dim");
		if (are_named)
			fathom_xml_text_attribute(output, " name=", dimension->name);
		fathom_xml_number_attribute(output, " size=", dimension->size);
		fathom_cube_output_text(output, dimension->is_periodic ? " periodic=\"true\"/>\n" :
									 " periodic=\"false\"/>\n");
	}
	write_places(output, topology);
	fathom_cube_output_text(output, "</cart>\n");
}

void fathom_cube_anchor_write(struct fathom_cube_output *output, const struct fathom_cube *cube,
			      const enum fathom_cube_dtype *dtypes)
{
	write_head(output, cube);
	fathom_cube_metrics_write(output, cube, dtypes);
	fathom_cube_output_text(output, "<program>\n");
	write_regions(output, cube);
	write_cnodes(output, cube);
	fathom_cube_output_text(output, "</program>\n<system>\n");
	if (cube->system)
		write_system_walk(output, cube->system);
	else
		write_system(output, cube);
	fathom_cube_output_text(output, "<topologies>\n");
	for (uint32_t t = 0; t < cube->topology_count; t++)
		write_topology(output, &cube->topologies[t]);
	fathom_cube_output_text(output, "</topologies>\n</system>\n</cube>\n");
}
