#include "otf2/definition_calls.h"

typedef const struct fathom_definition_callbacks calls;

static OTF2_AttributeValue value_of(uint64_t bits)
{
	return (OTF2_AttributeValue){ .uint64 = bits };
}

static bool call_io_paradigm(const uint64_t *f, uint32_t count, calls *to, void *data)
{
	OTF2_IoParadigmProperty properties[UINT8_MAX];
	OTF2_Type types[UINT8_MAX];
	OTF2_AttributeValue values[UINT8_MAX];
	uint32_t i;

	count = (count - 5) / 3;
	for (i = 0; i < count && i < UINT8_MAX; i++) {
		properties[i] = (OTF2_IoParadigmProperty)f[5 + 3 * i];
		types[i] = (OTF2_Type)f[6 + 3 * i];
		values[i] = value_of(f[7 + 3 * i]);
	}
	return to->on_io_paradigm(data, (uint32_t)f[0], (uint32_t)f[1], (uint32_t)f[2], (OTF2_IoParadigmClass)f[3],
				  (OTF2_IoParadigmFlag)f[4], (uint8_t)i, properties, types, values) ==
	       OTF2_CALLBACK_SUCCESS;
}

/* Calls the callback of a record that ends with at most 255 numbers of 32 bits, the first of which is field first. */
static bool call_list(const struct fathom_definition *record, uint32_t first, calls *to, void *data)
{
	uint32_t numbers[UINT8_MAX], count = record->count - first, i;
	const uint64_t *f = record->fields;
	OTF2_CallbackCode code;

	for (i = 0; i < count && i < UINT8_MAX; i++)
		numbers[i] = (uint32_t)f[first + i];
	if (record->kind == FATHOM_DEFINITION_METRIC_CLASS)
		code = to->on_class(data, (uint32_t)f[0], (uint8_t)i, numbers, (OTF2_MetricOccurrence)f[1],
				    (OTF2_RecorderKind)f[2]);
	else if (record->kind == FATHOM_DEFINITION_TOPOLOGY)
		code = to->on_topology(data, (uint32_t)f[0], (uint32_t)f[1], (uint32_t)f[2], (uint8_t)i, numbers);
	else
		code = to->on_coordinate(data, (uint32_t)f[0], (uint32_t)f[1], (uint8_t)i, numbers);
	return code == OTF2_CALLBACK_SUCCESS;
}

#define CALL(callback, ...) return to->callback(data, __VA_ARGS__) == OTF2_CALLBACK_SUCCESS
#define N(i) ((uint32_t)f[i])
#define VALUE(i) (OTF2_Type)f[i], value_of(f[(i) + 1])

static bool call_system(const struct fathom_definition *record, const uint64_t *f, calls *to, void *data)
{
	switch (record->kind) {
	case FATHOM_DEFINITION_CLOCK: CALL(on_clock, f[0], f[1], f[2], f[3]);
	case FATHOM_DEFINITION_STRING: CALL(on_string, N(0), record->text);
	case FATHOM_DEFINITION_PARADIGM: CALL(on_paradigm, (OTF2_Paradigm)f[0], N(1), (OTF2_ParadigmClass)f[2]);
	case FATHOM_DEFINITION_PARADIGM_PROPERTY:
		CALL(on_paradigm_property, (OTF2_Paradigm)f[0], (OTF2_ParadigmProperty)f[1], VALUE(2));
	case FATHOM_DEFINITION_IO_PARADIGM: return call_io_paradigm(f, record->count, to, data);
	case FATHOM_DEFINITION_ATTRIBUTE: CALL(on_attribute, N(0), N(1), N(2), (OTF2_Type)f[3]);
	case FATHOM_DEFINITION_NODE: CALL(on_node, N(0), N(1), N(2), N(3));
	case FATHOM_DEFINITION_NODE_DOMAIN: CALL(on_node_domain, N(0), (OTF2_SystemTreeDomain)f[1]);
	case FATHOM_DEFINITION_NODE_PROPERTY: CALL(on_node_property, N(0), N(1), VALUE(2));
	case FATHOM_DEFINITION_PROCESS:
		CALL(on_process, N(0), N(1), (OTF2_LocationGroupType)f[2], N(3), N(4));
	case FATHOM_DEFINITION_PROCESS_PROPERTY: CALL(on_process_property, N(0), N(1), VALUE(2));
	case FATHOM_DEFINITION_LOCATION: CALL(on_location, f[0], N(1), (OTF2_LocationType)f[2], f[3], N(4));
	case FATHOM_DEFINITION_LOCATION_PROPERTY: CALL(on_location_property, f[0], N(1), VALUE(2));
	default: return false;
	}
}

static bool call_program(const struct fathom_definition *record, const uint64_t *f, calls *to, void *data)
{
	switch (record->kind) {
	case FATHOM_DEFINITION_REGION:
		CALL(on_region, N(0), N(1), N(2), N(3), (OTF2_RegionRole)f[4], (OTF2_Paradigm)f[5],
		     (OTF2_RegionFlag)f[6], N(7), N(8), N(9));
	case FATHOM_DEFINITION_CALLSITE: CALL(on_callsite, N(0), N(1), N(2), N(3), N(4));
	case FATHOM_DEFINITION_PARAMETER: CALL(on_parameter, N(0), N(1), (OTF2_ParameterType)f[2]);
	case FATHOM_DEFINITION_CALLPATH: CALL(on_callpath, N(0), N(1), N(2));
	case FATHOM_DEFINITION_CALLPATH_PARAMETER: CALL(on_callpath_parameter, N(0), N(1), VALUE(2));
	case FATHOM_DEFINITION_MEMBER:
		CALL(on_member, N(0), N(1), N(2), (OTF2_MetricType)f[3], (OTF2_MetricMode)f[4], (OTF2_Type)f[5],
		     (OTF2_Base)f[6], (int64_t)f[7], N(8));
	case FATHOM_DEFINITION_METRIC_CLASS: return call_list(record, 3, to, data);
	case FATHOM_DEFINITION_METRIC_INSTANCE:
		CALL(on_instance, N(0), N(1), f[2], (OTF2_MetricScope)f[3], f[4]);
	case FATHOM_DEFINITION_METRIC_RECORDER: CALL(on_recorder, N(0), f[1]);
	case FATHOM_DEFINITION_SOURCE: CALL(on_source, N(0), N(1), N(2));
	case FATHOM_DEFINITION_CONTEXT: CALL(on_context, N(0), N(1), N(2), N(3));
	case FATHOM_DEFINITION_CONTEXT_PROPERTY: CALL(on_context_property, N(0), N(1), VALUE(2));
	case FATHOM_DEFINITION_GENERATOR:
		CALL(on_generator, N(0), N(1), (OTF2_InterruptGeneratorMode)f[2], (OTF2_Base)f[3], (int64_t)f[4],
		     f[5]);
	default: return false;
	}
}

static bool call_objects(const struct fathom_definition *record, const uint64_t *f, calls *to, void *data)
{
	switch (record->kind) {
	case FATHOM_DEFINITION_GROUP:
		CALL(on_group, N(0), N(1), (OTF2_GroupType)f[2], (OTF2_Paradigm)f[3], (OTF2_GroupFlag)f[4],
		     record->count - FATHOM_GROUP_MEMBERS, f + FATHOM_GROUP_MEMBERS);
	case FATHOM_DEFINITION_COMM: CALL(on_comm, N(0), N(1), N(2), N(3), (OTF2_CommFlag)f[4]);
	case FATHOM_DEFINITION_INTER_COMM: CALL(on_inter_comm, N(0), N(1), N(2), N(3), N(4), (OTF2_CommFlag)f[5]);
	case FATHOM_DEFINITION_WINDOW: CALL(on_window, N(0), N(1), N(2), (OTF2_RmaWinFlag)f[3]);
	case FATHOM_DEFINITION_DIMENSION: CALL(on_dimension, N(0), N(1), N(2), (OTF2_CartPeriodicity)f[3]);
	case FATHOM_DEFINITION_TOPOLOGY: return call_list(record, 3, to, data);
	case FATHOM_DEFINITION_COORDINATE: return call_list(record, 2, to, data);
	case FATHOM_DEFINITION_FILE: CALL(on_file, N(0), N(1), N(2));
	case FATHOM_DEFINITION_DIRECTORY: CALL(on_directory, N(0), N(1), N(2));
	case FATHOM_DEFINITION_FILE_PROPERTY: CALL(on_file_property, N(0), N(1), VALUE(2));
	case FATHOM_DEFINITION_HANDLE:
		CALL(on_handle, N(0), N(1), N(2), N(3), (OTF2_IoHandleFlag)f[4], N(5), N(6));
	case FATHOM_DEFINITION_HANDLE_STATE:
		CALL(on_handle_state, N(0), (OTF2_IoAccessMode)f[1], (OTF2_IoStatusFlag)f[2]);
	default: return false;
	}
}

bool fathom_definition_call(const struct fathom_definition *record, calls *callbacks, void *data)
{
	if (record->kind <= FATHOM_DEFINITION_LOCATION_PROPERTY)
		return call_system(record, record->fields, callbacks, data);
	return call_program(record, record->fields, callbacks, data) ||
	       call_objects(record, record->fields, callbacks, data);
}
