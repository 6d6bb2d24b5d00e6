#include "tools/import/trace_definitions.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* Adds a record with these fields. */
static struct fathom_definition *add(struct fathom_trace_definitions *definitions, enum fathom_definition_kind kind,
				     const uint64_t *fields, uint32_t count)
{
	struct fathom_definition *record = fathom_definition_add(&definitions->list, kind, count, NULL);

	memcpy(record->fields, fields, count * sizeof(*fields));
	return record;
}

#define ADD(definitions, kind, ...) \
	add(definitions, kind, (const uint64_t[]){ __VA_ARGS__ }, \
	    sizeof((const uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t))

static bool is_string(const void *strings, uint32_t number, const void *wanted)
{
	return strcmp(((const char *const *)strings)[number], wanted) == 0;
}

uint64_t fathom_trace_definitions_string(struct fathom_trace_definitions *definitions, const char *text)
{
	uint64_t hash = fathom_index_hash_text(0, text);
	int64_t id = fathom_index_find(&definitions->string_index, hash, is_string, definitions->strings, text);
	struct fathom_definition *record;

	if (id >= 0)
		return (uint64_t)id;
	record = fathom_definition_add(&definitions->list, FATHOM_DEFINITION_STRING, 1, text);
	record->fields[0] = definitions->string_count;
	definitions->strings = fathom_tool_grow(definitions->strings, definitions->string_count,
						&definitions->string_room, sizeof(*definitions->strings));
	definitions->strings[definitions->string_count] = record->text;
	fathom_index_add(&definitions->string_index, hash, (uint32_t)definitions->string_count);
	return definitions->string_count++;
}

uint32_t fathom_trace_definitions_region(struct fathom_trace_definitions *definitions, const char *name,
					 OTF2_RegionRole role, OTF2_Paradigm paradigm)
{
	uint64_t text = fathom_trace_definitions_string(definitions, name);
	uint64_t none = fathom_trace_definitions_string(definitions, "");

	ADD(definitions, FATHOM_DEFINITION_REGION, definitions->region_count, text, text, none, role, paradigm,
	    OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0);
	return definitions->region_count++;
}

uint32_t fathom_trace_definitions_metric(struct fathom_trace_definitions *definitions, const char *name, bool is_growth)
{
	uint64_t text = fathom_trace_definitions_string(definitions, name);
	uint64_t unit = fathom_trace_definitions_string(definitions, "#");
	uint64_t none = fathom_trace_definitions_string(definitions, "");
	uint32_t id = definitions->metric_count++;

	ADD(definitions, FATHOM_DEFINITION_MEMBER, id, text, none, OTF2_METRIC_TYPE_OTHER,
	    is_growth ? OTF2_METRIC_RELATIVE_LAST : OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_UINT64, OTF2_BASE_DECIMAL, 0,
	    unit);
	ADD(definitions, FATHOM_DEFINITION_METRIC_CLASS, id, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU, id);
	return id;
}

void fathom_trace_definitions_init(struct fathom_trace_definitions *definitions, uint64_t ticks_per_second)
{
	*definitions = (struct fathom_trace_definitions){ .comm_count = 0 };
	ADD(definitions, FATHOM_DEFINITION_CLOCK, ticks_per_second, 0, 0, OTF2_UNDEFINED_TIMESTAMP);
	fathom_trace_definitions_string(definitions, "");
}

void fathom_trace_definitions_set_duration(struct fathom_trace_definitions *definitions, uint64_t duration)
{
	definitions->list.records[0].fields[FATHOM_CLOCK_LENGTH] = duration;
}

void fathom_trace_definitions_node(struct fathom_trace_definitions *definitions, uint32_t id, const char *name,
				   const char *class_name, uint32_t parent)
{
	ADD(definitions, FATHOM_DEFINITION_NODE, id, fathom_trace_definitions_string(definitions, name),
	    fathom_trace_definitions_string(definitions, class_name), parent);
}

void fathom_trace_definitions_process(struct fathom_trace_definitions *definitions, uint32_t id, const char *name,
				      uint32_t node)
{
	ADD(definitions, FATHOM_DEFINITION_PROCESS, id, fathom_trace_definitions_string(definitions, name),
	    OTF2_LOCATION_GROUP_TYPE_PROCESS, node, OTF2_UNDEFINED_LOCATION_GROUP);
}

void fathom_trace_definitions_location(struct fathom_trace_definitions *definitions, uint64_t id, const char *name,
				       uint32_t process)
{
	ADD(definitions, FATHOM_DEFINITION_LOCATION, id, fathom_trace_definitions_string(definitions, name),
	    OTF2_LOCATION_TYPE_CPU_THREAD, 0, process);
}

static struct fathom_definition *add_group(struct fathom_trace_definitions *definitions, OTF2_GroupType type,
					   uint32_t count)
{
	uint64_t name = fathom_trace_definitions_string(definitions, "");
	struct fathom_definition *record = fathom_definition_add(&definitions->list, FATHOM_DEFINITION_GROUP,
								 FATHOM_GROUP_MEMBERS + count, NULL);

	record->fields[0] = definitions->group_count++;
	record->fields[1] = name;
	record->fields[FATHOM_GROUP_TYPE] = type;
	record->fields[FATHOM_GROUP_PARADIGM] = OTF2_PARADIGM_MPI;
	record->fields[FATHOM_GROUP_FLAGS] = OTF2_GROUP_FLAG_NONE;
	return record;
}

void fathom_trace_definitions_ranks(struct fathom_trace_definitions *definitions, const uint64_t *locations,
				    uint32_t count)
{
	struct fathom_definition *record;

	ADD(definitions, FATHOM_DEFINITION_PARADIGM, OTF2_PARADIGM_MPI,
	    fathom_trace_definitions_string(definitions, "MPI"), OTF2_PARADIGM_CLASS_PROCESS);
	ADD(definitions, FATHOM_DEFINITION_PARADIGM_PROPERTY, OTF2_PARADIGM_MPI,
	    OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE, OTF2_TYPE_STRING,
	    fathom_trace_definitions_string(definitions, "communicator ${id}"));
	record = add_group(definitions, OTF2_GROUP_TYPE_COMM_LOCATIONS, count);
	memcpy(record->fields + FATHOM_GROUP_MEMBERS, locations, count * sizeof(*locations));
}

uint32_t fathom_trace_definitions_comm(struct fathom_trace_definitions *definitions, const char *name,
				       const uint32_t *ranks, uint32_t count)
{
	struct fathom_definition *group = add_group(definitions, OTF2_GROUP_TYPE_COMM_GROUP, count);
	uint64_t id = group->fields[0];

	for (uint32_t i = 0; i < count; i++)
		group->fields[FATHOM_GROUP_MEMBERS + i] = ranks[i];
	ADD(definitions, FATHOM_DEFINITION_COMM, definitions->comm_count,
	    fathom_trace_definitions_string(definitions, name), id, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
	return definitions->comm_count++;
}

void fathom_trace_definitions_fini(struct fathom_trace_definitions *definitions)
{
	fathom_definitions_free(&definitions->list);
	fathom_index_fini(&definitions->string_index);
	free(definitions->strings);
}
