#include "tools/import/peri_xml.h"

#include <errno.h>
#include <expat.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/import/foreign_region.h"
#include "tools/import/imported_profile.h"

enum { TEXT_BYTES = 4096, MOST_IDS = 1 << 24, NONE = -1 };

enum field { PROCEDURE, MODULE, NAME, FIELDS };

struct parser {
	struct fathom_imported_profile *profile;
	const char *path;
	XML_Parser expat;
	int64_t *functions, *metrics;		/* by id: the path or the metric; NONE: not defined */
	size_t function_room, metric_room;
	char text[TEXT_BYTES];			/* of the element that is open */
	size_t length;
	char fields[FIELDS][TEXT_BYTES];	/* of the definition that is open */
	int32_t line;
	int64_t id, process, function, metric;	/* of the elements that are open; NONE: not inside */
	size_t values;
	int err;
};

__attribute__((format(printf, 2, 3))) static void complain(struct parser *parser, const char *format, ...)
{
	char text[300];
	va_list arguments;

	if (parser->err)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fathom_tool_error("%s:%lu: %s", parser->path, (unsigned long)XML_GetCurrentLineNumber(parser->expat), text);
	parser->err = -EINVAL;
	XML_StopParser(parser->expat, XML_FALSE);
}

/* Returns the name of an element without its namespace's prefix. */
static const char *local_name(const char *name)
{
	const char *colon = strrchr(name, ':');

	return colon ? colon + 1 : name;
}

static int64_t read_id(struct parser *parser, const char *element, const char **attributes)
{
	for (; *attributes; attributes += 2) {
		char *end;
		long id;

		if (strcasecmp(local_name(attributes[0]), "id") != 0)
			continue;
		errno = 0;
		id = strtol(attributes[1], &end, 10);
		if (errno || *end || end == attributes[1] || id < 0 || id >= MOST_IDS)
			complain(parser, "%s: id=\"%s\" is not a number from 0 to %d", element, attributes[1],
				 MOST_IDS - 1);
		return id;
	}
	complain(parser, "%s: has no id", element);
	return NONE;
}

/* Sets an entry of a table by id. */
static void define(int64_t **table, size_t *room, int64_t id, int64_t value)
{
	if ((size_t)id >= *room) {
		size_t more = (size_t)id + (size_t)id / 2 + 16;

		*table = realloc(*table, more * sizeof(**table));
		if (!*table)
			fathom_tool_out_of_memory(more * sizeof(**table));
		while (*room < more)
			(*table)[(*room)++] = NONE;
	}
	(*table)[id] = value;
}

static int64_t look_up(struct parser *parser, const int64_t *table, size_t room, int64_t id, const char *what)
{
	if (id < 0 || (size_t)id >= room || table[id] == NONE) {
		complain(parser, "%s %" PRId64 " is not defined", what, id);
		return NONE;
	}
	return table[id];
}

static void begin_element(void *context, const char *name, const char **attributes)
{
	struct parser *parser = context;

	name = local_name(name);
	parser->length = 0;
	if (strcasecmp(name, "eventDef") == 0 || strcasecmp(name, "metricDef") == 0) {
		parser->id = read_id(parser, name, attributes);
		memset(parser->fields, 0, sizeof(parser->fields));
		parser->line = -1;
	} else if (strcasecmp(name, "process") == 0) {
		parser->process = read_id(parser, name, attributes);
	} else if (strcasecmp(name, "eventInstance") == 0) {
		parser->function = look_up(parser, parser->functions, parser->function_room,
					   read_id(parser, name, attributes), "the eventDef");
	} else if (strcasecmp(name, "metric") == 0) {
		parser->metric = look_up(parser, parser->metrics, parser->metric_room,
					 read_id(parser, name, attributes), "the metricDef");
	}
}

static void take_text(void *context, const char *text, int length)
{
	struct parser *parser = context;

	for (int i = 0; i < length && parser->length + 1 < TEXT_BYTES; i++)
		parser->text[parser->length++] = text[i];
}

static void keep(struct parser *parser, enum field field)
{
	memcpy(parser->fields[field], parser->text, strlen(parser->text) + 1);
}

/* Returns the call path of the program, of which all functions are children. */
static uint32_t program_path(struct parser *parser)
{
	static const struct fathom_cube_region program = {
		.name = "PROGRAM", .file = "", .paradigm = "measurement", .role = "artificial", .begin_line = -1,
		.end_line = -1, .activity = FATHOM_ACTIVITY_COMPUTATION,
	};

	return fathom_imported_path(parser->profile, FATHOM_IMPORTED_NO_PATH,
				    fathom_imported_region(parser->profile, &program));
}

static void define_function(struct parser *parser)
{
	struct fathom_cube_region region = {
		.name = *parser->fields[PROCEDURE] ? parser->fields[PROCEDURE] : "?",
		.file = parser->fields[MODULE], .begin_line = parser->line, .end_line = -1,
	};

	fathom_foreign_region_classify(&region);
	define(&parser->functions, &parser->function_room, parser->id,
	       fathom_imported_path(parser->profile, program_path(parser),
				    fathom_imported_region(parser->profile, &region)));
}

static void define_metric(struct parser *parser)
{
	const char *name = parser->fields[NAME];
	uint32_t metric;

	if (strcasestr(name, "time") || strcasestr(name, "wall"))
		metric = fathom_imported_metric(parser->profile, "time", "Time", "sec", FATHOM_CUBE_DOUBLE);
	else
		metric = fathom_imported_metric(parser->profile, name, name, "#", FATHOM_CUBE_DOUBLE);
	define(&parser->metrics, &parser->metric_room, parser->id, metric);
}

static void take_value(struct parser *parser)
{
	char *end;
	double value = strtod(parser->text, &end);

	end += strspn(end, " \t\r\n");
	if (end == parser->text || *end || !isfinite(value))
		complain(parser, "metric: \"%.40s\" is not a number", parser->text);
	else if (parser->process == NONE || parser->function == NONE)
		complain(parser, "metric: stands outside of an eventInstance of a process");
	else if (parser->metric != NONE)
		fathom_imported_add(parser->profile, (uint32_t)parser->metric, (uint32_t)parser->function,
				    fathom_imported_thread(parser->profile, parser->process, 0, 0), value);
	parser->values++;
}

static void end_element(void *context, const char *name)
{
	struct parser *parser = context;

	name = local_name(name);
	parser->text[parser->length] = '\0';
	if (parser->err)
		return;
	if (strcasecmp(name, "procedure") == 0)
		keep(parser, PROCEDURE);
	else if (strcasecmp(name, "module") == 0)
		keep(parser, MODULE);
	else if (strcasecmp(name, "name") == 0 || strcasecmp(name, "description") == 0)
		keep(parser, NAME);
	else if (strcasecmp(name, "startline") == 0)
		parser->line = atoi(parser->text) > 0 ? atoi(parser->text) : -1;
	else if (strcasecmp(name, "eventDef") == 0)
		define_function(parser);
	else if (strcasecmp(name, "metricDef") == 0)
		define_metric(parser);
	else if (strcasecmp(name, "metric") == 0)
		take_value(parser);
	else if (strcasecmp(name, "eventInstance") == 0)
		parser->function = NONE;
	else if (strcasecmp(name, "process") == 0)
		parser->process = NONE;
	parser->length = 0;
}

/* Definitions of entities could make a short file endless. */
static void refuse_entity(void *context, const char *name, int is_parameter, const char *value, int length,
			  const char *base, const char *system, const char *public, const char *notation)
{
	(void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
	complain(context, "the entity %s is defined; no such definitions are read", name);
}

static void parse_file(struct parser *parser, FILE *file)
{
	char buffer[1 << 15];
	bool is_end;

	XML_SetUserData(parser->expat, parser);
	XML_SetElementHandler(parser->expat, begin_element, end_element);
	XML_SetCharacterDataHandler(parser->expat, take_text);
	XML_SetEntityDeclHandler(parser->expat, refuse_entity);
	do {
		size_t bytes = fread(buffer, 1, sizeof(buffer), file);

		is_end = bytes < sizeof(buffer);
		if (ferror(file))
			complain(parser, "%s", strerror(errno));
		else if (XML_Parse(parser->expat, buffer, (int)bytes, is_end) == XML_STATUS_ERROR)
			complain(parser, "%s", XML_ErrorString(XML_GetErrorCode(parser->expat)));
	} while (!is_end && !parser->err);
	if (!parser->err && parser->values == 0)
		complain(parser, "has no values (metric inside of eventInstance inside of process)");
}

int fathom_peri_xml_read(struct fathom_imported_profile *profile, const char *path)
{
	struct parser *parser;
	FILE *file = fopen(path, "re");
	int err = file ? 0 : -errno;

	if (err) {
		fathom_tool_error("%s: %s", path, strerror(-err));
		return err;
	}
	parser = fathom_tool_alloc(1, sizeof(*parser));
	parser->profile = profile;
	parser->path = path;
	parser->process = parser->function = parser->metric = NONE;
	parser->expat = XML_ParserCreate(NULL);
	if (!parser->expat)
		fathom_tool_out_of_memory(0);
	parse_file(parser, file);
	err = parser->err;
	XML_ParserFree(parser->expat);
	free(parser->functions);
	free(parser->metrics);
	free(parser);
	fclose(file);
	return err;
}
