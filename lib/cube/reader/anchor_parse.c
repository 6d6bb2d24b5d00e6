/*
 * A table says which elements may occur inside which others. Two functions interpret an element: begin() its
 * attributes, take_text() its text. Unknown elements are skipped with their contents, so that files of newer writers
 * can be read. References are checked at the end, when all definitions are known.
 *
 * Many locations are alike. Their texts are stored once, and when a group ends, its locations are compared with those
 * of other groups and dropped if they are equal. Memory grows with the number of groups and of different patterns, but
 * not with the number of locations.
 */
#include "cube/reader/anchor_parse.h"

#include <errno.h>
#include <expat.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/reader/activity_rules.h"
#include "cube/reader/anchor_stream.h"
#include "cube/reader/container.h"
#include "cube/dtype.h"
#include "cube/reader/error_line.h"
#include "cube/reader/anchor_grammar.h"
#include "cube/reader/definition_checks.h"
#include "cube/reader/location_patterns.h"
#include "cube/reader/topology_columns.h"
#include "platform/arena.h"

/* Limits far beyond any real file. They bound the time and memory that a malicious file can cost. */
#define MOST_DEPTH ((uint32_t)1 << 21)
#define MOST_TEXT_BYTES ((size_t)1 << 20)
#define MOST_TAG_BYTES ((int64_t)4 << 20)

struct parser {
	XML_Parser xml;
	struct fathom_cube *cube;
	struct fathom_arena *texts;
	struct fathom_cube_container *container;
	struct fathom_cube_error *error;
	int err;
	uint8_t *places;		/* the kinds of the open elements, from the outermost one */
	uint32_t depth;
	uint32_t places_room;
	int32_t metric;			/* number of the open metric, -1: none is open; the next two are alike */
	int32_t cnode;
	int32_t node;
	char *text;			/* text of the open element, if the element is one whose text is needed */
	size_t text_bytes;
	size_t text_room;
	uint32_t *region_ids;		/* ids of the regions as in the file, in document order */
	uint32_t *columns;		/* id of each location; NULL: the id of each location so far is its number */
	struct fathom_cube_patterns patterns;
	uint32_t attribute_room, metric_room, region_room, region_ids_room, cnode_room, parameter_room, node_room,
		group_room, pattern_room, column_room, topology_room;
	uint32_t dimension_room, place_room, at_room, at_count;	/* for the arrays of the open topology */
	int64_t location;		/* the location that the open coordinates belong to; -1: none */
};

/* Stops the parser with an error text that names the position in the file. */
static void FATHOM_PRINTF(3, 4) stop(struct parser *parser, int err, const char *format, ...)
{
	char text[256];
	va_list arguments;

	if (parser->err)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	parser->err = fathom_cube_error_set(parser->error, err, parser->container->path, "anchor.xml line %lu: %s",
					    (unsigned long)XML_GetCurrentLineNumber(parser->xml), text);
	XML_StopParser(parser->xml, XML_FALSE);
}

static void stop_without_memory(struct parser *parser)
{
	stop(parser, -ENOMEM, "out of memory");
}

/* Makes room for one more element behind count. Returns false if memory or the numbers of an index are exhausted. */
static bool grow(struct parser *parser, void *array, uint32_t count, uint32_t *room, size_t element_bytes)
{
	void *old = *(void **)array;
	uint32_t more = *room ? *room * 2 : 16;
	void *fresh;

	if (count < *room)
		return true;
	fresh = more <= INT32_MAX ? realloc(old, more * element_bytes) : NULL;
	if (!fresh) {
		stop_without_memory(parser);
		return false;
	}
	*(void **)array = fresh;
	*room = more;
	return true;
}

/* Appends an element, all zero, to one of the arrays of cube. NULL: no memory. */
#define APPEND(parser, array, count, room) \
	(grow(parser, &(array), count, &(room), sizeof(*(array))) ? \
		 memset(&(array)[(count)++], 0, sizeof(*(array))) : NULL)

static const char *keep(struct parser *parser, const char *text, size_t length)
{
	char *copy;

	if (!length)
		return "";
	copy = fathom_arena_copy(parser->texts, text, length);
	if (!copy)
		stop_without_memory(parser);
	return copy ? copy : "";
}

/* Returns a kept copy of a text of the open location. Locations with equal texts share one copy. */
static const char *keep_shared(struct parser *parser, enum fathom_cube_place place, const char *text, size_t length)
{
	const char *kept = fathom_cube_patterns_text(&parser->patterns, parser->cube,
						     place == LOCATION_NAME ? FATHOM_CUBE_TEXT_NAME :
						     place == LOCATION_TYPE ? FATHOM_CUBE_TEXT_TYPE :
									      FATHOM_CUBE_TEXT_THREADS, text, length);

	return kept ? kept : keep(parser, text, length);
}

static const char *find(const char **attributes, const char *key)
{
	for (; *attributes; attributes += 2) {
		if (strcmp(attributes[0], key) == 0)
			return attributes[1];
	}
	return NULL;
}

/* Returns the number in an attribute that the element must have. */
static uint32_t need_id(struct parser *parser, const char **attributes, const char *tag, const char *key)
{
	const char *text = find(attributes, key);
	int64_t id = 0;

	if (!text)
		stop(parser, -EILSEQ, "<%s> has no %s", tag, key);
	else if (!fathom_cube_integer_parse(text, 0, INT32_MAX - 1, &id))
		stop(parser, -EILSEQ, "<%s>: %s=\"%.40s\" is no number from 0 on", tag, key, text);
	return (uint32_t)id;
}

static int32_t line_number(struct parser *parser, const char **attributes, const char *key)
{
	const char *text = find(attributes, key);
	int64_t line;

	if (!text)
		return -1;
	if (!fathom_cube_integer_parse(text, INT32_MIN, INT32_MAX, &line)) {
		stop(parser, -EILSEQ, "<region>: %s=\"%.40s\" is no line number", key, text);
		return -1;
	}
	return line > 0 ? (int32_t)line : -1;
}

static void begin_cube(struct parser *parser, const char **attributes)
{
	const char *version = find(attributes, "version");

	if (!version)
		stop(parser, -EILSEQ, "<cube> has no version");
	else if (strncmp(version, "4.", 2) && strncmp(version, "3.", 2))
		stop(parser, -EILSEQ, "cube version %.20s is not known; 3.x and 4.x can be read", version);
}

static void begin_attribute(struct parser *parser, enum fathom_cube_place place, const char **attributes)
{
	struct fathom_cube *cube = parser->cube;
	const char *key = find(attributes, "key"), *value = find(attributes, "value");
	struct fathom_cube_attribute *attribute;

	if (!key)
		return;
	value = value ? value : "";
	if (place == REGION_ATTRIBUTE) {	/* fathom uses no other attribute of a region */
		if (strcmp(key, FATHOM_CUBE_ACTIVITY) == 0)
			cube->regions[cube->region_count - 1].activity = fathom_activity_by_metric(value);
		return;
	}
	if (place == LOCATION_ATTRIBUTE) {	/* fathom uses one attribute of a location */
		if (strcmp(key, FATHOM_CUBE_THREADS) == 0)
			cube->patterns[cube->pattern_count - 1].threads =
				keep_shared(parser, place, value, strlen(value));
		return;
	}
	value = keep(parser, value, strlen(value));
	attribute = APPEND(parser, cube->attributes, cube->attribute_count, parser->attribute_room);
	if (attribute)
		*attribute = (struct fathom_cube_attribute){ keep(parser, key, strlen(key)), value };
}

static void begin_metric(struct parser *parser, const char **attributes)
{
	struct fathom_cube *cube = parser->cube;
	const char *type = find(attributes, "type");
	const char *visibility = find(attributes, "viztype");
	struct fathom_cube_metric *metric;

	metric = APPEND(parser, cube->metrics, cube->metric_count, parser->metric_room);
	if (!metric)
		return;
	metric->uniq_name = metric->disp_name = metric->unit = metric->description = metric->url = "";
	metric->parent = parser->metric;
	metric->file_id = need_id(parser, attributes, "metric", "id");
	metric->type = FATHOM_CUBE_EXCLUSIVE;
	if (type && strcmp(type, "INCLUSIVE") == 0)
		metric->type = FATHOM_CUBE_INCLUSIVE;
	else if (type && strstr(type, "DERIVED"))
		metric->type = FATHOM_CUBE_DERIVED;
	metric->dtype = FATHOM_CUBE_DOUBLE;
	metric->ghost = visibility && strcasecmp(visibility, "GHOST") == 0;
	parser->metric = (int32_t)(cube->metric_count - 1);
}

static void begin_region(struct parser *parser, const char **attributes)
{
	struct fathom_cube *cube = parser->cube;
	const char *file = find(attributes, "mod");
	struct fathom_cube_region *region;

	if (!grow(parser, &parser->region_ids, cube->region_count, &parser->region_ids_room,
		  sizeof(*parser->region_ids)))
		return;
	region = APPEND(parser, cube->regions, cube->region_count, parser->region_room);
	if (!region)
		return;
	parser->region_ids[cube->region_count - 1] = need_id(parser, attributes, "region", "id");
	region->name = region->description = "";
	region->paradigm = region->role = "unknown";
	region->file = file ? keep(parser, file, strlen(file)) : "";
	region->begin_line = line_number(parser, attributes, "begin");
	region->end_line = line_number(parser, attributes, "end");
}

static void begin_cnode(struct parser *parser, const char **attributes)
{
	struct fathom_cube *cube = parser->cube;
	struct fathom_cube_cnode *cnode;

	cnode = APPEND(parser, cube->cnodes, cube->cnode_count, parser->cnode_room);
	if (!cnode)
		return;
	cnode->file_id = need_id(parser, attributes, "cnode", "id");
	cnode->region = need_id(parser, attributes, "cnode", "calleeId");
	cnode->parent = parser->cnode;
	cnode->first_parameter = cube->parameter_count;
	parser->cnode = (int32_t)(cube->cnode_count - 1);
}

static void begin_parameter(struct parser *parser, const char **attributes)
{
	struct fathom_cube *cube = parser->cube;
	const char *type = find(attributes, "partype");
	const char *key = find(attributes, "parkey");
	const char *value = find(attributes, "parvalue");
	struct fathom_cube_parameter *parameter;

	/* A cnode's parameters are one piece of the array, so no parameter may follow a child of the cnode. */
	if (parser->cnode != (int32_t)(cube->cnode_count - 1)) {
		stop(parser, -EILSEQ, "<parameter> stands behind a child of its cnode");
		return;
	}
	parameter = APPEND(parser, cube->parameters, cube->parameter_count, parser->parameter_room);
	if (!parameter)
		return;
	parameter->key = key ? keep(parser, key, strlen(key)) : "";
	parameter->value = value ? keep(parser, value, strlen(value)) : "";
	parameter->is_numeric = type && strcmp(type, "numeric") == 0;
	cube->cnodes[parser->cnode].parameter_count++;
}

static void begin_node(struct parser *parser, const char *tag)
{
	struct fathom_cube *cube = parser->cube;
	struct fathom_cube_node *node;

	node = APPEND(parser, cube->nodes, cube->node_count, parser->node_room);
	if (!node)
		return;
	node->name = "";
	/* In older files the tag is the class of the node. */
	node->class_name = strcmp(tag, "systemtreenode") ? keep(parser, tag, strlen(tag)) : "";
	node->parent = parser->node;
	parser->node = (int32_t)(cube->node_count - 1);
}

static void begin_group(struct parser *parser)
{
	struct fathom_cube *cube = parser->cube;
	struct fathom_cube_group *group;

	group = APPEND(parser, cube->groups, cube->group_count, parser->group_room);
	if (!group)
		return;
	group->name = "";
	group->type = "process";
	group->node = parser->node;
	group->first_location = cube->location_count;
	group->first_pattern = cube->pattern_count;
}

/* Stores the id of the open location. The array of ids is made at the first location whose id is not its number. */
static bool add_column(struct parser *parser, uint32_t id)
{
	uint32_t location = parser->cube->location_count;

	if (id == location && !parser->columns)
		return true;
	if (!parser->columns) {
		parser->column_room = location + 16;
		parser->columns = malloc(parser->column_room * sizeof(*parser->columns));
		if (!parser->columns) {
			stop_without_memory(parser);
			return false;
		}
		for (uint32_t i = 0; i < location; i++)
			parser->columns[i] = i;
	}
	if (!grow(parser, &parser->columns, location, &parser->column_room, sizeof(*parser->columns)))
		return false;
	parser->columns[location] = id;
	return true;
}

static void begin_location(struct parser *parser, const char **attributes, const char *tag)
{
	struct fathom_cube *cube = parser->cube;
	struct fathom_cube_location *location;

	if (cube->location_count == INT32_MAX) {
		stop_without_memory(parser);
		return;
	}
	location = APPEND(parser, cube->patterns, cube->pattern_count, parser->pattern_room);
	if (!location || !add_column(parser, need_id(parser, attributes, tag, "Id")))
		return;
	cube->location_count++;
	location->name = "";
	location->type = "thread";
}

/* --- topologies ---------------------------------------------------------------------------------- */

static void begin_topology(struct parser *parser, const char **attributes)
{
	struct fathom_cube *cube = parser->cube;
	struct fathom_cube_topology *topology = APPEND(parser, cube->topologies, cube->topology_count,
						       parser->topology_room);
	const char *name = find(attributes, "name");

	if (!topology)
		return;
	topology->name = name ? keep(parser, name, strlen(name)) : "";
	parser->dimension_room = parser->place_room = parser->at_room = parser->at_count = 0;
}

static void begin_dimension(struct parser *parser, const char **attributes)
{
	struct fathom_cube_topology *topology = &parser->cube->topologies[parser->cube->topology_count - 1];
	const char *name = find(attributes, "name"), *periodic = find(attributes, "periodic");
	struct fathom_cube_dimension *dimension;

	if (topology->place_count) {
		stop(parser, -EILSEQ, "<dim> behind <coord>");
		return;
	}
	dimension = APPEND(parser, topology->dimensions, topology->dimension_count, parser->dimension_room);
	if (!dimension)
		return;
	dimension->name = name ? keep(parser, name, strlen(name)) : "";
	dimension->size = need_id(parser, attributes, "dim", "size");
	dimension->is_periodic = periodic && strcmp(periodic, "true") == 0;
}

/* Notes the location that the coordinates belong to. Coordinates of other elements than locations are skipped. */
static void begin_coordinates(struct parser *parser, const char **attributes)
{
	parser->location = -1;
	if (find(attributes, "locId"))
		parser->location = need_id(parser, attributes, "coord", "locId");
	else if (find(attributes, "thrdId"))
		parser->location = need_id(parser, attributes, "coord", "thrdId");
}

static void take_coordinates(struct parser *parser, const char *text)
{
	struct fathom_cube_topology *topology = &parser->cube->topologies[parser->cube->topology_count - 1];
	char *end = (char *)text;

	if (parser->location < 0)
		return;
	for (uint32_t d = 0; d < topology->dimension_count; d++) {
		long long at = strtoll(text, &end, 10);

		if (end == text || at < 0 || at >= (long long)topology->dimensions[d].size) {
			stop(parser, -EILSEQ, "<coord> has no place from 0 to %lld in dimension %u",
			     (long long)topology->dimensions[d].size - 1, d);
			return;
		}
		if (!grow(parser, &topology->at, parser->at_count, &parser->at_room, sizeof(*topology->at)))
			return;
		topology->at[parser->at_count++] = (uint32_t)at;
		text = end;
	}
	if (end[strspn(end, " \t")]) {
		stop(parser, -EILSEQ, "<coord> has more than %u numbers", topology->dimension_count);
		return;
	}
	if (!grow(parser, &topology->locations, topology->place_count, &parser->place_room,
		  sizeof(*topology->locations)))
		return;
	topology->locations[topology->place_count++] = (uint32_t)parser->location;
}

static void begin(struct parser *parser, enum fathom_cube_place place, const char *tag, const char **attributes)
{
	switch (place) {
	case CUBE:
		begin_cube(parser, attributes);
		break;
	case CUBE_ATTRIBUTE:
	case LOCATION_ATTRIBUTE:
	case REGION_ATTRIBUTE:
		begin_attribute(parser, place, attributes);
		break;
	case METRIC:
		begin_metric(parser, attributes);
		break;
	case REGION:
		begin_region(parser, attributes);
		break;
	case CNODE:
		begin_cnode(parser, attributes);
		break;
	case PARAMETER:
		begin_parameter(parser, attributes);
		break;
	case NODE:
		begin_node(parser, tag);
		break;
	case GROUP:
		begin_group(parser);
		break;
	case LOCATION:
		begin_location(parser, attributes, tag);
		break;
	case TOPOLOGY:
		begin_topology(parser, attributes);
		break;
	case DIMENSION:
		begin_dimension(parser, attributes);
		break;
	case COORDINATES:
		begin_coordinates(parser, attributes);
		break;
	default:
		break;
	}
}

static void take_dtype(struct parser *parser, struct fathom_cube_metric *metric, const char *text)
{
	if (!fathom_cube_dtype_parse(text, &metric->dtype, &metric->dtype_count))
		stop(parser, -EILSEQ, "dtype %.40s: its count is no number from 1 to 1000000", text);
}

static int64_t take_rank(struct parser *parser, const char *tag, const char *text)
{
	int64_t rank = 0;

	if (!fathom_cube_integer_parse(text, 0, INT64_MAX, &rank))
		stop(parser, -EILSEQ, "rank \"%.40s\" of a %s is no number from 0 on", text, tag);
	return rank;
}

static void take_metric_text(struct parser *parser, enum fathom_cube_place place, const char *text)
{
	struct fathom_cube_metric *metric = &parser->cube->metrics[parser->metric];

	switch (place) {
	case METRIC_DISP_NAME:
		metric->disp_name = text;
		break;
	case METRIC_UNIQ_NAME:
		metric->uniq_name = text;
		break;
	case METRIC_DTYPE:
		take_dtype(parser, metric, text);
		break;
	case METRIC_UNIT:
		metric->unit = text;
		break;
	case METRIC_VAL:
		metric->is_void = strcmp(text, "VOID") == 0;
		break;
	case METRIC_URL:
		metric->url = text;
		break;
	default:
		metric->description = text;
		break;
	}
}

static void take_region_text(struct parser *parser, enum fathom_cube_place place, const char *text)
{
	struct fathom_cube_region *region = &parser->cube->regions[parser->cube->region_count - 1];

	if (place == REGION_NAME)
		region->name = text;
	else if (place == REGION_MANGLED)
		region->mangled = text;
	else if (place == REGION_PARADIGM)
		region->paradigm = text;
	else if (place == REGION_ROLE)
		region->role = text;
	else
		region->description = text;
}

static void take_system_text(struct parser *parser, enum fathom_cube_place place, const char *text)
{
	struct fathom_cube *cube = parser->cube;

	switch (place) {
	case NODE_NAME:
		cube->nodes[parser->node].name = text;
		break;
	case NODE_CLASS:
		cube->nodes[parser->node].class_name = text;
		break;
	case GROUP_NAME:
		cube->groups[cube->group_count - 1].name = text;
		break;
	case GROUP_RANK:
		cube->groups[cube->group_count - 1].rank = take_rank(parser, "location group", text);
		break;
	case GROUP_TYPE:
		cube->groups[cube->group_count - 1].type = text;
		break;
	case LOCATION_NAME:
		cube->patterns[cube->pattern_count - 1].name = text;
		break;
	case LOCATION_RANK:
		cube->patterns[cube->pattern_count - 1].rank = take_rank(parser, "location", text);
		break;
	default:
		cube->patterns[cube->pattern_count - 1].type = text;
		break;
	}
}

static void take_text(struct parser *parser, enum fathom_cube_place place)
{
	bool is_rank = place == GROUP_RANK || place == LOCATION_RANK || place == COORDINATES;
	const char *text;

	if (is_rank && parser->text_bytes)
		/* Coordinates and ranks are parsed in this buffer; on_text leaves room for the NUL. */
		parser->text[parser->text_bytes] = 0;
	if (is_rank)
		text = parser->text_bytes ? parser->text : "";
	else if (place == LOCATION_NAME || place == LOCATION_TYPE)
		text = keep_shared(parser, place, parser->text_bytes ? parser->text : "", parser->text_bytes);
	else
		text = keep(parser, parser->text, parser->text_bytes);
	if (parser->err)
		return;
	if (place <= METRIC_DESCRIPTION)
		take_metric_text(parser, place, text);
	else if (place <= REGION_DESCRIPTION)
		take_region_text(parser, place, text);
	else if (place == COORDINATES)
		take_coordinates(parser, text);
	else
		take_system_text(parser, place, text);
}

static void XMLCALL on_start(void *context, const char *tag, const char **attributes)
{
	struct parser *parser = context;
	enum fathom_cube_place parent = parser->depth ? parser->places[parser->depth - 1] : NOWHERE;
	enum fathom_cube_place place = fathom_cube_place_of(parent, tag);

	if (parser->err)
		return;
	if (parent == NOWHERE && place != CUBE) {
		stop(parser, -EILSEQ, "root element is <%.40s>, not <cube>", tag);
		return;
	}
	if (parser->depth >= MOST_DEPTH) {
		stop(parser, -EILSEQ, "elements nested deeper than %u", MOST_DEPTH);
		return;
	}
	if (!grow(parser, &parser->places, parser->depth, &parser->places_room, sizeof(*parser->places)))
		return;
	parser->places[parser->depth++] = (uint8_t)place;
	parser->text_bytes = 0;
	begin(parser, place, tag, attributes);
}

static void XMLCALL on_end(void *context, const char *tag)
{
	struct parser *parser = context;
	enum fathom_cube_place place;

	(void)tag;
	if (parser->err)
		return;
	place = parser->places[--parser->depth];
	if (place == METRIC)
		parser->metric = parser->cube->metrics[parser->metric].parent;
	else if (place == CNODE)
		parser->cnode = parser->cube->cnodes[parser->cnode].parent;
	else if (place == NODE)
		parser->node = parser->cube->nodes[parser->node].parent;
	else if (place == GROUP)
		fathom_cube_patterns_end(&parser->patterns, parser->cube);
	else if (place >= METRIC_DISP_NAME)
		take_text(parser, place);
}

static void XMLCALL on_text(void *context, const char *text, int length)
{
	struct parser *parser = context;
	size_t bytes = (size_t)length;

	if (parser->err || !parser->depth || parser->places[parser->depth - 1] < METRIC_DISP_NAME)
		return;
	if (parser->text_bytes + bytes > MOST_TEXT_BYTES) {
		stop(parser, -EILSEQ, "a text is longer than %zu bytes", MOST_TEXT_BYTES);
		return;
	}
	if (parser->text_bytes + bytes >= parser->text_room) {		/* one more byte for the NUL */
		size_t room = (parser->text_bytes + bytes + 1) * 2;
		char *fresh = realloc(parser->text, room);

		if (!fresh) {
			stop_without_memory(parser);
			return;
		}
		parser->text = fresh;
		parser->text_room = room;
	}
	for (size_t i = 0; i < bytes; i++)
		parser->text[parser->text_bytes++] = text[i] == '\n' ? ' ' : text[i];
}

/* Refuses a document type declaration: its entities could expand a small file without limit, and profiles have none. */
static void XMLCALL on_doctype(void *context, const char *name, const char *system, const char *public, int internal)
{
	(void)name;
	(void)system;
	(void)public;
	(void)internal;
	stop(context, -EILSEQ, "has a document type declaration, which no profile has");
}

static int feed(struct parser *parser, struct fathom_cube_anchor_stream *stream)
{
	int64_t fed = 0;
	bool last = false;

	while (!last) {
		const char *bytes;
		size_t count;
		int err = fathom_cube_anchor_stream_next(stream, &bytes, &count, parser->error);

		if (err)
			return err;
		last = count == 0;
		fed += (int64_t)count;
		if (XML_Parse(parser->xml, bytes, (int)count, last) != XML_STATUS_OK) {
			enum XML_Error code = XML_GetErrorCode(parser->xml);

			if (code == XML_ERROR_NO_MEMORY)
				stop_without_memory(parser);
			else if (!parser->err)
				stop(parser, -EILSEQ, "%s", XML_ErrorString(code));
			return parser->err;
		}
		/* The XML parser scans a tag again with each piece of the file until the tag is complete. */
		if (fed - (int64_t)XML_GetCurrentByteIndex(parser->xml) > MOST_TAG_BYTES)
			stop(parser, -EILSEQ, "a tag is longer than %lld bytes", (long long)MOST_TAG_BYTES);
		if (parser->err)
			return parser->err;
	}
	return 0;
}

/* Sorts the regions by their ids, which the cnodes refer to, and adds values that the file leaves out. */
static int order_regions(struct parser *parser)
{
	struct fathom_cube *cube = parser->cube;
	struct fathom_cube_region *ordered = malloc(cube->region_count * sizeof(*ordered));

	if (!ordered)
		return fathom_cube_error_set(parser->error, -ENOMEM, parser->container->path, "out of memory");
	for (uint32_t i = 0; i < cube->region_count; i++) {
		struct fathom_cube_region *region = &ordered[parser->region_ids[i]];

		*region = cube->regions[i];
		if (!region->mangled || !*region->mangled)
			region->mangled = region->name;
		if (region->activity == FATHOM_ACTIVITY_NONE)
			region->activity = fathom_activity_by_rules(region);
	}
	free(cube->regions);
	cube->regions = ordered;
	return 0;
}

/* Checks references, which is possible only when all definitions have been read. */
static int check(struct parser *parser)
{
	struct fathom_cube *cube = parser->cube;
	const char *path = parser->container->path;
	int err = fathom_cube_counts_check(parser->error, path, cube);

	if (!err)
		err = fathom_cube_ids_check(parser->error, path, "metric", &cube->metrics[0].file_id,
					    sizeof(cube->metrics[0]), cube->metric_count, false);
	if (!err)
		err = fathom_cube_ids_check(parser->error, path, "region", parser->region_ids, sizeof(uint32_t),
					    cube->region_count, true);
	if (!err)
		err = fathom_cube_ids_check(parser->error, path, "cnode", &cube->cnodes[0].file_id,
					    sizeof(cube->cnodes[0]), cube->cnode_count, true);
	if (!err && parser->columns)
		err = fathom_cube_ids_check(parser->error, path, "location", parser->columns, sizeof(uint32_t),
					    cube->location_count, true);
	if (!err)
		err = fathom_cube_topologies_find(parser->error, path, cube, parser->columns);
	if (!err)
		err = order_regions(parser);
	for (uint32_t i = 0; i < cube->cnode_count && !err; i++) {
		if (cube->cnodes[i].region >= cube->region_count)
			err = fathom_cube_error_set(parser->error, -EILSEQ, parser->container->path,
						    "anchor.xml: cnode %u calls region %u, which is not defined",
						    cube->cnodes[i].file_id, cube->cnodes[i].region);
	}
	return err;
}

int fathom_cube_parse(struct fathom_cube *cube, uint32_t **columns, struct fathom_arena *texts,
		      struct fathom_cube_container *container, struct fathom_cube_error *error)
{
	struct parser parser = {
		.cube = cube, .texts = texts, .container = container, .error = error,
		.metric = -1, .cnode = -1, .node = -1,
	};
	struct fathom_cube_anchor_stream stream;
	int err;

	*columns = NULL;
	err = fathom_cube_anchor_stream_open(&stream, container, error);
	if (err)
		return err;
	parser.xml = XML_ParserCreate(NULL);
	if (parser.xml) {
		XML_SetUserData(parser.xml, &parser);
		XML_SetElementHandler(parser.xml, on_start, on_end);
		XML_SetCharacterDataHandler(parser.xml, on_text);
		XML_SetStartDoctypeDeclHandler(parser.xml, on_doctype);
		err = feed(&parser, &stream);
		if (!err)
			err = check(&parser);
		XML_ParserFree(parser.xml);
	} else {
		err = fathom_cube_error_set(error, -ENOMEM, container->path, "out of memory");
	}
	fathom_cube_anchor_stream_close(&stream);
	free(parser.places);
	free(parser.text);
	free(parser.region_ids);
	*columns = parser.columns;
	return err;
}

void fathom_cube_parse_free(struct fathom_cube *cube, uint32_t *columns)
{
	free(cube->attributes);
	free(cube->metrics);
	free(cube->regions);
	free(cube->cnodes);
	free(cube->parameters);
	free(cube->nodes);
	free(cube->groups);
	free(cube->patterns);
	fathom_cube_topologies_free(cube);
	free(columns);
}
