#include "otf2/definition_records.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/memory.h"

/* OTF2 has deprecated its own definition of call sites, which old traces have. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define NOTHING FATHOM_OTF2_NOTHING

const struct fathom_definition_shape fathom_definition_shapes[FATHOM_DEFINITION_KINDS] = {
	[FATHOM_DEFINITION_CLOCK] = { "....", NOTHING },
	[FATHOM_DEFINITION_STRING] = { "=", FATHOM_OTF2_STRING },
	[FATHOM_DEFINITION_PARADIGM] = { ".s.", NOTHING },
	[FATHOM_DEFINITION_PARADIGM_PROPERTY] = { "..TV", NOTHING },
	[FATHOM_DEFINITION_IO_PARADIGM] = { "=ss..*.TV", FATHOM_OTF2_IO_PARADIGM },
	[FATHOM_DEFINITION_ATTRIBUTE] = { "=ss.", FATHOM_OTF2_ATTRIBUTE },
	[FATHOM_DEFINITION_NODE] = { "=ssn", FATHOM_OTF2_NODE },
	[FATHOM_DEFINITION_NODE_DOMAIN] = { "n.", NOTHING },
	[FATHOM_DEFINITION_NODE_PROPERTY] = { "nsTV", NOTHING },
	[FATHOM_DEFINITION_PROCESS] = { "=s.np", FATHOM_OTF2_PROCESS },
	[FATHOM_DEFINITION_PROCESS_PROPERTY] = { "psTV", NOTHING },
	[FATHOM_DEFINITION_LOCATION] = { "=s..p", FATHOM_OTF2_LOCATION },
	[FATHOM_DEFINITION_LOCATION_PROPERTY] = { "lsTV", NOTHING },
	[FATHOM_DEFINITION_REGION] = { "=sss...s..", FATHOM_OTF2_REGION },
	[FATHOM_DEFINITION_CALLSITE] = { "=s.rr", FATHOM_OTF2_CALLSITE },
	[FATHOM_DEFINITION_PARAMETER] = { "=s.", FATHOM_OTF2_PARAMETER },
	[FATHOM_DEFINITION_CALLPATH] = { "=kr", FATHOM_OTF2_CALLPATH },
	[FATHOM_DEFINITION_CALLPATH_PARAMETER] = { "kqTV", NOTHING },
	[FATHOM_DEFINITION_MEMBER] = { "=ss.....s", FATHOM_OTF2_MEMBER },
	[FATHOM_DEFINITION_METRIC_CLASS] = { "=..*M", FATHOM_OTF2_METRIC },
	[FATHOM_DEFINITION_METRIC_INSTANCE] = { "=ml.S", FATHOM_OTF2_METRIC },
	[FATHOM_DEFINITION_METRIC_RECORDER] = { "ml", NOTHING },
	[FATHOM_DEFINITION_GROUP] = { "=s...*G", FATHOM_OTF2_GROUP },
	[FATHOM_DEFINITION_COMM] = { "=sgc.", FATHOM_OTF2_COMM },
	[FATHOM_DEFINITION_INTER_COMM] = { "=sggc.", FATHOM_OTF2_COMM },
	[FATHOM_DEFINITION_WINDOW] = { "=sc.", FATHOM_OTF2_WINDOW },
	[FATHOM_DEFINITION_DIMENSION] = { "=s..", FATHOM_OTF2_DIMENSION },
	[FATHOM_DEFINITION_TOPOLOGY] = { "=sc*d", FATHOM_OTF2_TOPOLOGY },
	[FATHOM_DEFINITION_COORDINATE] = { "t.*.", NOTHING },
	[FATHOM_DEFINITION_SOURCE] = { "=s.", FATHOM_OTF2_SOURCE },
	[FATHOM_DEFINITION_CONTEXT] = { "=rox", FATHOM_OTF2_CONTEXT },
	[FATHOM_DEFINITION_CONTEXT_PROPERTY] = { "xsTV", NOTHING },
	[FATHOM_DEFINITION_GENERATOR] = { "=s....", FATHOM_OTF2_GENERATOR },
	[FATHOM_DEFINITION_FILE] = { "=sn", FATHOM_OTF2_FILE },
	[FATHOM_DEFINITION_DIRECTORY] = { "=sn", FATHOM_OTF2_FILE },
	[FATHOM_DEFINITION_FILE_PROPERTY] = { "fsTV", NOTHING },
	[FATHOM_DEFINITION_HANDLE] = { "=sfi.ch", FATHOM_OTF2_HANDLE },
	[FATHOM_DEFINITION_HANDLE_STATE] = { "h..", NOTHING },
};

/* --- what fields are ---------------------------------------------------------------------------------- */

static enum fathom_otf2_space letter_space(char letter)
{
	static const char letters[] = "sanplrgcqwmMkKdtoxeifhy";	/* in the order of enum fathom_otf2_space */
	const char *at = strchr(letters, letter);

	return at && *at ? (enum fathom_otf2_space)(at - letters) : NOTHING;
}

enum fathom_otf2_space fathom_definition_type_space(OTF2_Type type)
{
	switch (type) {
	case OTF2_TYPE_STRING: return FATHOM_OTF2_STRING;
	case OTF2_TYPE_ATTRIBUTE: return FATHOM_OTF2_ATTRIBUTE;
	case OTF2_TYPE_LOCATION: return FATHOM_OTF2_LOCATION;
	case OTF2_TYPE_REGION: return FATHOM_OTF2_REGION;
	case OTF2_TYPE_GROUP: return FATHOM_OTF2_GROUP;
	case OTF2_TYPE_METRIC: return FATHOM_OTF2_METRIC;
	case OTF2_TYPE_COMM: return FATHOM_OTF2_COMM;
	case OTF2_TYPE_PARAMETER: return FATHOM_OTF2_PARAMETER;
	case OTF2_TYPE_RMA_WIN: return FATHOM_OTF2_WINDOW;
	case OTF2_TYPE_SOURCE_CODE_LOCATION: return FATHOM_OTF2_SOURCE;
	case OTF2_TYPE_CALLING_CONTEXT: return FATHOM_OTF2_CONTEXT;
	case OTF2_TYPE_INTERRUPT_GENERATOR: return FATHOM_OTF2_GENERATOR;
	case OTF2_TYPE_IO_FILE: return FATHOM_OTF2_FILE;
	case OTF2_TYPE_IO_HANDLE: return FATHOM_OTF2_HANDLE;
	case OTF2_TYPE_LOCATION_GROUP: return FATHOM_OTF2_PROCESS;
	default: return NOTHING;
	}
}

static enum fathom_otf2_space member_space(const struct fathom_definition *group)
{
	switch (group->fields[FATHOM_GROUP_TYPE]) {
	case OTF2_GROUP_TYPE_LOCATIONS:
	case OTF2_GROUP_TYPE_COMM_LOCATIONS: return FATHOM_OTF2_LOCATION;
	case OTF2_GROUP_TYPE_REGIONS: return FATHOM_OTF2_REGION;
	case OTF2_GROUP_TYPE_METRIC: return FATHOM_OTF2_METRIC;
	default: return NOTHING;
	}
}

static enum fathom_otf2_space scope_space(uint64_t scope)
{
	switch (scope) {
	case OTF2_SCOPE_LOCATION: return FATHOM_OTF2_LOCATION;
	case OTF2_SCOPE_LOCATION_GROUP: return FATHOM_OTF2_PROCESS;
	case OTF2_SCOPE_SYSTEM_TREE_NODE: return FATHOM_OTF2_NODE;
	case OTF2_SCOPE_GROUP: return FATHOM_OTF2_GROUP;
	default: return NOTHING;
	}
}

enum fathom_otf2_space fathom_definition_field_space(const struct fathom_definition *record, uint32_t field)
{
	const char *fields = fathom_definition_shapes[record->kind].fields, *repeated = strchr(fields, '*');
	size_t position = field;

	if (repeated && position >= (size_t)(repeated - fields))
		position = (size_t)(repeated - fields) + 1 +
			   (position - (size_t)(repeated - fields)) % strlen(repeated + 1);
	switch (fields[position]) {
	case '=': return fathom_definition_shapes[record->kind].defines;
	case 'V': return fathom_definition_type_space((OTF2_Type)record->fields[field - 1]);
	case 'S': return scope_space(record->fields[field - 1]);
	case 'G': return member_space(record);
	default: return letter_space(fields[position]);
	}
}

bool fathom_definition_is_undefined(enum fathom_otf2_space space, uint64_t id)
{
	return space == FATHOM_OTF2_LOCATION ? id == OTF2_UNDEFINED_LOCATION : id == OTF2_UNDEFINED_UINT32;
}

/* --- the list ------------------------------------------------------------------------------------------ */

struct fathom_definition *fathom_definition_add(struct fathom_definition_list *list, enum fathom_definition_kind kind,
						uint32_t count, const char *text)
{
	struct fathom_definition *record;

	list->records = fathom_otf2_memory_grow(list->records, list->count, &list->room, sizeof(*list->records));
	record = &list->records[list->count++];
	*record = (struct fathom_definition){ .kind = kind, .count = count };
	record->fields = fathom_otf2_memory_from(&list->arena, count * sizeof(uint64_t));
	if (text) {
		record->text = fathom_otf2_memory_from(&list->arena, strlen(text) + 1);
		strcpy(record->text, text);
	}
	return record;
}

void fathom_definitions_free(struct fathom_definition_list *list)
{
	free(list->records);
	fathom_arena_fini(&list->arena);
	*list = (struct fathom_definition_list){ 0 };
}

/* --- reading ------------------------------------------------------------------------------------------- */

uint64_t fathom_definition_value_bits(OTF2_Type type, OTF2_AttributeValue value)
{
	switch (type) {
	case OTF2_TYPE_UINT8:
	case OTF2_TYPE_INT8: return value.uint8;
	case OTF2_TYPE_UINT16:
	case OTF2_TYPE_INT16: return value.uint16;
	case OTF2_TYPE_UINT64:
	case OTF2_TYPE_INT64:
	case OTF2_TYPE_DOUBLE:
	case OTF2_TYPE_LOCATION: return value.uint64;
	default: return value.uint32;
	}
}

static OTF2_CallbackCode add(void *data, enum fathom_definition_kind kind, uint32_t count, const uint64_t *fields)
{
	memcpy(fathom_definition_add(data, kind, count, NULL)->fields, fields, count * sizeof(*fields));
	return OTF2_CALLBACK_SUCCESS;
}

#define ON(name, ...) static OTF2_CallbackCode name(void *data, ##__VA_ARGS__)
#define ADD(kind, ...) \
	do { \
		const uint64_t fields[] = { __VA_ARGS__ }; \
		return add(data, FATHOM_DEFINITION_##kind, (uint32_t)(sizeof(fields) / sizeof(*fields)), fields); \
	} while (0)

/* Add a record whose first fields are given, and whose other fields are the elements of an array. */
#define ADD_LIST(kind, more, array, ...) \
	do { \
		const uint64_t first[] = { __VA_ARGS__ }; \
		uint32_t first_count = (uint32_t)(sizeof(first) / sizeof(*first)); \
		struct fathom_definition *record = fathom_definition_add(data, FATHOM_DEFINITION_##kind, \
									 first_count + (more), NULL); \
		memcpy(record->fields, first, sizeof(first)); \
		for (uint32_t i = 0; i < (more); i++) \
			record->fields[first_count + i] = (array)[i]; \
		return OTF2_CALLBACK_SUCCESS; \
	} while (0)

ON(on_clock, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t realtime)
{
	ADD(CLOCK, resolution, offset, length, realtime);
}

ON(on_string, OTF2_StringRef self, const char *text)
{
	fathom_definition_add(data, FATHOM_DEFINITION_STRING, 1, text)->fields[0] = self;
	return OTF2_CALLBACK_SUCCESS;
}

ON(on_paradigm, OTF2_Paradigm paradigm, OTF2_StringRef name, OTF2_ParadigmClass class)
{
	ADD(PARADIGM, paradigm, name, class);
}

ON(on_paradigm_property, OTF2_Paradigm paradigm, OTF2_ParadigmProperty property, OTF2_Type type,
	OTF2_AttributeValue value)
{
	ADD(PARADIGM_PROPERTY, paradigm, property, type, fathom_definition_value_bits(type, value));
}

ON(on_io_paradigm, OTF2_IoParadigmRef self, OTF2_StringRef identification, OTF2_StringRef name,
	OTF2_IoParadigmClass class, OTF2_IoParadigmFlag flags, uint8_t count, const OTF2_IoParadigmProperty *properties,
	const OTF2_Type *types, const OTF2_AttributeValue *values)
{
	uint64_t triples[3 * UINT8_MAX];

	for (uint32_t i = 0; i < count; i++) {
		triples[3 * i] = properties[i];
		triples[3 * i + 1] = types[i];
		triples[3 * i + 2] = fathom_definition_value_bits(types[i], values[i]);
	}
	ADD_LIST(IO_PARADIGM, 3u * count, triples, self, identification, name, class, flags);
}

ON(on_attribute, OTF2_AttributeRef self, OTF2_StringRef name, OTF2_StringRef description, OTF2_Type type)
{
	ADD(ATTRIBUTE, self, name, description, type);
}

ON(on_node, OTF2_SystemTreeNodeRef self, OTF2_StringRef name, OTF2_StringRef class_name, OTF2_SystemTreeNodeRef parent)
{
	ADD(NODE, self, name, class_name, parent);
}

ON(on_node_domain, OTF2_SystemTreeNodeRef node, OTF2_SystemTreeDomain domain) { ADD(NODE_DOMAIN, node, domain); }

ON(on_node_property, OTF2_SystemTreeNodeRef node, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	ADD(NODE_PROPERTY, node, name, type, fathom_definition_value_bits(type, value));
}

ON(on_process, OTF2_LocationGroupRef self, OTF2_StringRef name, OTF2_LocationGroupType type,
	OTF2_SystemTreeNodeRef node, OTF2_LocationGroupRef creator)
{
	ADD(PROCESS, self, name, type, node, creator);
}

ON(on_process_property, OTF2_LocationGroupRef group, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	ADD(PROCESS_PROPERTY, group, name, type, fathom_definition_value_bits(type, value));
}

ON(on_location, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, uint64_t events,
	OTF2_LocationGroupRef group)
{
	ADD(LOCATION, self, name, type, events, group);
}

ON(on_location_property, OTF2_LocationRef location, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	ADD(LOCATION_PROPERTY, location, name, type, fathom_definition_value_bits(type, value));
}

ON(on_region, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical, OTF2_StringRef description,
	OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin_line,
	uint32_t end_line)
{
	ADD(REGION, self, name, canonical, description, role, paradigm, flags, file, begin_line, end_line);
}

ON(on_callsite, OTF2_CallsiteRef self, OTF2_StringRef file, uint32_t line, OTF2_RegionRef entered, OTF2_RegionRef left)
{
	ADD(CALLSITE, self, file, line, entered, left);
}

ON(on_parameter, OTF2_ParameterRef self, OTF2_StringRef name, OTF2_ParameterType type)
{
	ADD(PARAMETER, self, name, type);
}

ON(on_callpath, OTF2_CallpathRef self, OTF2_CallpathRef parent, OTF2_RegionRef region)
{
	ADD(CALLPATH, self, parent, region);
}

ON(on_callpath_parameter, OTF2_CallpathRef path, OTF2_ParameterRef parameter, OTF2_Type type, OTF2_AttributeValue value)
{
	ADD(CALLPATH_PARAMETER, path, parameter, type, fathom_definition_value_bits(type, value));
}

ON(on_member, OTF2_MetricMemberRef self, OTF2_StringRef name, OTF2_StringRef description, OTF2_MetricType type,
	OTF2_MetricMode mode, OTF2_Type value_type, OTF2_Base base, int64_t exponent, OTF2_StringRef unit)
{
	ADD(MEMBER, self, name, description, type, mode, value_type, base, (uint64_t)exponent, unit);
}

ON(on_class, OTF2_MetricRef self, uint8_t count, const OTF2_MetricMemberRef *members, OTF2_MetricOccurrence occurrence,
	OTF2_RecorderKind recorder)
{
	ADD_LIST(METRIC_CLASS, count, members, self, occurrence, recorder);
}

ON(on_instance, OTF2_MetricRef self, OTF2_MetricRef class, OTF2_LocationRef recorder, OTF2_MetricScope scope,
	uint64_t of)
{
	ADD(METRIC_INSTANCE, self, class, recorder, scope, of);
}

ON(on_recorder, OTF2_MetricRef metric, OTF2_LocationRef location) { ADD(METRIC_RECORDER, metric, location); }

ON(on_group, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type, OTF2_Paradigm paradigm,
	OTF2_GroupFlag flags, uint32_t count, const uint64_t *members)
{
	ADD_LIST(GROUP, count, members, self, name, type, paradigm, flags);
}

ON(on_comm, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
	ADD(COMM, self, name, group, parent, flags);
}

ON(on_inter_comm, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef a, OTF2_GroupRef b, OTF2_CommRef common,
	OTF2_CommFlag flags)
{
	ADD(INTER_COMM, self, name, a, b, common, flags);
}

ON(on_window, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
	ADD(WINDOW, self, name, comm, flags);
}

ON(on_dimension, OTF2_CartDimensionRef self, OTF2_StringRef name, uint32_t size, OTF2_CartPeriodicity periodicity)
{
	ADD(DIMENSION, self, name, size, periodicity);
}

ON(on_topology, OTF2_CartTopologyRef self, OTF2_StringRef name, OTF2_CommRef comm, uint8_t count,
	const OTF2_CartDimensionRef *dimensions)
{
	ADD_LIST(TOPOLOGY, count, dimensions, self, name, comm);
}

ON(on_coordinate, OTF2_CartTopologyRef topology, uint32_t rank, uint8_t count, const uint32_t *coordinates)
{
	ADD_LIST(COORDINATE, count, coordinates, topology, rank);
}

ON(on_source, OTF2_SourceCodeLocationRef self, OTF2_StringRef file, uint32_t line) { ADD(SOURCE, self, file, line); }

ON(on_context, OTF2_CallingContextRef self, OTF2_RegionRef region, OTF2_SourceCodeLocationRef source,
	OTF2_CallingContextRef parent)
{
	ADD(CONTEXT, self, region, source, parent);
}

ON(on_context_property, OTF2_CallingContextRef context, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	ADD(CONTEXT_PROPERTY, context, name, type, fathom_definition_value_bits(type, value));
}

ON(on_generator, OTF2_InterruptGeneratorRef self, OTF2_StringRef name, OTF2_InterruptGeneratorMode mode, OTF2_Base base,
	int64_t exponent, uint64_t period)
{
	ADD(GENERATOR, self, name, mode, base, (uint64_t)exponent, period);
}

ON(on_file, OTF2_IoFileRef self, OTF2_StringRef name, OTF2_SystemTreeNodeRef scope) { ADD(FILE, self, name, scope); }

ON(on_directory, OTF2_IoFileRef self, OTF2_StringRef name, OTF2_SystemTreeNodeRef scope)
{
	ADD(DIRECTORY, self, name, scope);
}

ON(on_file_property, OTF2_IoFileRef file, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	ADD(FILE_PROPERTY, file, name, type, fathom_definition_value_bits(type, value));
}

ON(on_handle, OTF2_IoHandleRef self, OTF2_StringRef name, OTF2_IoFileRef file, OTF2_IoParadigmRef paradigm,
	OTF2_IoHandleFlag flags, OTF2_CommRef comm, OTF2_IoHandleRef parent)
{
	ADD(HANDLE, self, name, file, paradigm, flags, comm, parent);
}

ON(on_handle_state, OTF2_IoHandleRef handle, OTF2_IoAccessMode mode, OTF2_IoStatusFlag status)
{
	ADD(HANDLE_STATE, handle, mode, status);
}

#undef ON
#undef ADD
#undef ADD_LIST

#define SET(name, callback) OTF2_GlobalDefReaderCallbacks_Set##name##Callback(callbacks, callback)

static void set_system(OTF2_GlobalDefReaderCallbacks *callbacks)
{
	SET(ClockProperties, on_clock);
	SET(String, on_string);
	SET(Paradigm, on_paradigm);
	SET(ParadigmProperty, on_paradigm_property);
	SET(IoParadigm, on_io_paradigm);
	SET(Attribute, on_attribute);
	SET(SystemTreeNode, on_node);
	SET(SystemTreeNodeDomain, on_node_domain);
	SET(SystemTreeNodeProperty, on_node_property);
	SET(LocationGroup, on_process);
	SET(LocationGroupProperty, on_process_property);
	SET(Location, on_location);
	SET(LocationProperty, on_location_property);
}

static void set_others(OTF2_GlobalDefReaderCallbacks *callbacks)
{
	SET(Region, on_region);
	SET(Callsite, on_callsite);
	SET(Parameter, on_parameter);
	SET(Callpath, on_callpath);
	SET(CallpathParameter, on_callpath_parameter);
	SET(MetricMember, on_member);
	SET(MetricClass, on_class);
	SET(MetricInstance, on_instance);
	SET(MetricClassRecorder, on_recorder);
	SET(Group, on_group);
	SET(Comm, on_comm);
	SET(InterComm, on_inter_comm);
	SET(RmaWin, on_window);
	SET(CartDimension, on_dimension);
	SET(CartTopology, on_topology);
	SET(CartCoordinate, on_coordinate);
	SET(SourceCodeLocation, on_source);
	SET(CallingContext, on_context);
	SET(CallingContextProperty, on_context_property);
	SET(InterruptGenerator, on_generator);
	SET(IoRegularFile, on_file);
	SET(IoDirectory, on_directory);
	SET(IoFileProperty, on_file_property);
	SET(IoHandle, on_handle);
	SET(IoPreCreatedHandleState, on_handle_state);
}

#undef SET

int fathom_definitions_read(struct fathom_definition_list *list, const char *anchor)
{
	OTF2_Reader *reader = OTF2_Reader_Open(anchor);
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	OTF2_GlobalDefReader *definitions = NULL;
	uint64_t count = 0;
	int err = -EIO;

	if (reader) {
		OTF2_Reader_SetSerialCollectiveCallbacks(reader);
		definitions = OTF2_Reader_GetGlobalDefReader(reader);
	}
	if (callbacks && definitions) {
		set_system(callbacks);
		set_others(callbacks);
		if (OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, list) == OTF2_SUCCESS &&
		    OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count) == OTF2_SUCCESS)
			err = 0;
	}
	if (definitions)
		OTF2_Reader_CloseGlobalDefReader(reader, definitions);
	if (callbacks)
		OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	if (reader)
		OTF2_Reader_Close(reader);
	return err;
}
