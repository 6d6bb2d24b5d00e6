#include "otf2/definition_calls.h"

/* OTF2 has deprecated its own definition of call sites, which old traces have. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Who gets the fields of a definition: OTF2's writer, or else the callback of its kind. */
struct receiver {
	OTF2_GlobalDefWriter *writer;	/* NULL: the callbacks */
	const struct fathom_definition_callbacks *callbacks;
	void *data;			/* their first argument */
};

/* Gives the fields to the receiver. Is whether it took them. */
#define GIVE(callback, name, ...) \
	((to)->writer ? OTF2_GlobalDefWriter_Write##name((to)->writer, __VA_ARGS__) == OTF2_SUCCESS : \
			(to)->callbacks->callback((to)->data, __VA_ARGS__) == OTF2_CALLBACK_SUCCESS)

static OTF2_AttributeValue value_of(uint64_t bits)
{
	return (OTF2_AttributeValue){ .uint64 = bits };
}

static bool give_io_paradigm(const uint64_t *f, uint32_t count, const struct receiver *to)
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
	return GIVE(on_io_paradigm, IoParadigm, (uint32_t)f[0], (uint32_t)f[1], (uint32_t)f[2],
		    (OTF2_IoParadigmClass)f[3], (OTF2_IoParadigmFlag)f[4], (uint8_t)i, properties, types, values);
}

/* Gives a record that ends with at most 255 numbers of 32 bits, the first of which is field first. */
static bool give_list(const struct fathom_definition *record, uint32_t first, const struct receiver *to)
{
	uint32_t numbers[UINT8_MAX], count = record->count - first, i;
	const uint64_t *f = record->fields;

	for (i = 0; i < count && i < UINT8_MAX; i++)
		numbers[i] = (uint32_t)f[first + i];
	if (record->kind == FATHOM_DEFINITION_METRIC_CLASS)
		return GIVE(on_class, MetricClass, (uint32_t)f[0], (uint8_t)i, numbers, (OTF2_MetricOccurrence)f[1],
			    (OTF2_RecorderKind)f[2]);
	if (record->kind == FATHOM_DEFINITION_TOPOLOGY)
		return GIVE(on_topology, CartTopology, (uint32_t)f[0], (uint32_t)f[1], (uint32_t)f[2], (uint8_t)i,
			    numbers);
	return GIVE(on_coordinate, CartCoordinate, (uint32_t)f[0], (uint32_t)f[1], (uint8_t)i, numbers);
}

#define N(i) ((uint32_t)f[i])
#define VALUE(i) (OTF2_Type)f[i], value_of(f[(i) + 1])

static bool give_system(const struct fathom_definition *record, const uint64_t *f, const struct receiver *to)
{
	switch (record->kind) {
	case FATHOM_DEFINITION_CLOCK: return GIVE(on_clock, ClockProperties, f[0], f[1], f[2], f[3]);
	case FATHOM_DEFINITION_STRING: return GIVE(on_string, String, N(0), record->text);
	case FATHOM_DEFINITION_PARADIGM:
		return GIVE(on_paradigm, Paradigm, (OTF2_Paradigm)f[0], N(1), (OTF2_ParadigmClass)f[2]);
	case FATHOM_DEFINITION_PARADIGM_PROPERTY:
		return GIVE(on_paradigm_property, ParadigmProperty, (OTF2_Paradigm)f[0],
		     (OTF2_ParadigmProperty)f[1], VALUE(2));
	case FATHOM_DEFINITION_IO_PARADIGM: return give_io_paradigm(f, record->count, to);
	case FATHOM_DEFINITION_ATTRIBUTE: return GIVE(on_attribute, Attribute, N(0), N(1), N(2), (OTF2_Type)f[3]);
	case FATHOM_DEFINITION_NODE: return GIVE(on_node, SystemTreeNode, N(0), N(1), N(2), N(3));
	case FATHOM_DEFINITION_NODE_DOMAIN:
		return GIVE(on_node_domain, SystemTreeNodeDomain, N(0), (OTF2_SystemTreeDomain)f[1]);
	case FATHOM_DEFINITION_NODE_PROPERTY:
		return GIVE(on_node_property, SystemTreeNodeProperty, N(0), N(1), VALUE(2));
	case FATHOM_DEFINITION_PROCESS:
		return GIVE(on_process, LocationGroup, N(0), N(1), (OTF2_LocationGroupType)f[2], N(3), N(4));
	case FATHOM_DEFINITION_PROCESS_PROPERTY:
		return GIVE(on_process_property, LocationGroupProperty, N(0), N(1), VALUE(2));
	case FATHOM_DEFINITION_LOCATION:
		return GIVE(on_location, Location, f[0], N(1), (OTF2_LocationType)f[2], f[3], N(4));
	case FATHOM_DEFINITION_LOCATION_PROPERTY:
		return GIVE(on_location_property, LocationProperty, f[0], N(1), VALUE(2));
	default: return false;
	}
}

static bool give_program(const struct fathom_definition *record, const uint64_t *f, const struct receiver *to)
{
	switch (record->kind) {
	case FATHOM_DEFINITION_REGION:
		return GIVE(on_region, Region, N(0), N(1), N(2), N(3), (OTF2_RegionRole)f[4], (OTF2_Paradigm)f[5],
		     (OTF2_RegionFlag)f[6], N(7), N(8), N(9));
	case FATHOM_DEFINITION_CALLSITE: return GIVE(on_callsite, Callsite, N(0), N(1), N(2), N(3), N(4));
	case FATHOM_DEFINITION_PARAMETER: return GIVE(on_parameter, Parameter, N(0), N(1), (OTF2_ParameterType)f[2]);
	case FATHOM_DEFINITION_CALLPATH: return GIVE(on_callpath, Callpath, N(0), N(1), N(2));
	case FATHOM_DEFINITION_CALLPATH_PARAMETER:
		return GIVE(on_callpath_parameter, CallpathParameter, N(0), N(1), VALUE(2));
	case FATHOM_DEFINITION_MEMBER:
		return GIVE(on_member, MetricMember, N(0), N(1), N(2), (OTF2_MetricType)f[3],
		     (OTF2_MetricMode)f[4], (OTF2_Type)f[5],
		     (OTF2_Base)f[6], (int64_t)f[7], N(8));
	case FATHOM_DEFINITION_METRIC_CLASS: return give_list(record, 3, to);
	case FATHOM_DEFINITION_METRIC_INSTANCE:
		return GIVE(on_instance, MetricInstance, N(0), N(1), f[2], (OTF2_MetricScope)f[3], f[4]);
	case FATHOM_DEFINITION_METRIC_RECORDER: return GIVE(on_recorder, MetricClassRecorder, N(0), f[1]);
	case FATHOM_DEFINITION_SOURCE: return GIVE(on_source, SourceCodeLocation, N(0), N(1), N(2));
	case FATHOM_DEFINITION_CONTEXT: return GIVE(on_context, CallingContext, N(0), N(1), N(2), N(3));
	case FATHOM_DEFINITION_CONTEXT_PROPERTY:
		return GIVE(on_context_property, CallingContextProperty, N(0), N(1), VALUE(2));
	case FATHOM_DEFINITION_GENERATOR:
		return GIVE(on_generator, InterruptGenerator, N(0), N(1), (OTF2_InterruptGeneratorMode)f[2],
		     (OTF2_Base)f[3], (int64_t)f[4],
		     f[5]);
	default: return false;
	}
}

static bool give_objects(const struct fathom_definition *record, const uint64_t *f, const struct receiver *to)
{
	switch (record->kind) {
	case FATHOM_DEFINITION_GROUP:
		return GIVE(on_group, Group, N(0), N(1), (OTF2_GroupType)f[2], (OTF2_Paradigm)f[3],
		     (OTF2_GroupFlag)f[4],
		     record->count - FATHOM_GROUP_MEMBERS, f + FATHOM_GROUP_MEMBERS);
	case FATHOM_DEFINITION_COMM: return GIVE(on_comm, Comm, N(0), N(1), N(2), N(3), (OTF2_CommFlag)f[4]);
	case FATHOM_DEFINITION_INTER_COMM:
		return GIVE(on_inter_comm, InterComm, N(0), N(1), N(2), N(3), N(4), (OTF2_CommFlag)f[5]);
	case FATHOM_DEFINITION_WINDOW: return GIVE(on_window, RmaWin, N(0), N(1), N(2), (OTF2_RmaWinFlag)f[3]);
	case FATHOM_DEFINITION_DIMENSION:
		return GIVE(on_dimension, CartDimension, N(0), N(1), N(2), (OTF2_CartPeriodicity)f[3]);
	case FATHOM_DEFINITION_TOPOLOGY: return give_list(record, 3, to);
	case FATHOM_DEFINITION_COORDINATE: return give_list(record, 2, to);
	case FATHOM_DEFINITION_FILE: return GIVE(on_file, IoRegularFile, N(0), N(1), N(2));
	case FATHOM_DEFINITION_DIRECTORY: return GIVE(on_directory, IoDirectory, N(0), N(1), N(2));
	case FATHOM_DEFINITION_FILE_PROPERTY: return GIVE(on_file_property, IoFileProperty, N(0), N(1), VALUE(2));
	case FATHOM_DEFINITION_HANDLE:
		return GIVE(on_handle, IoHandle, N(0), N(1), N(2), N(3), (OTF2_IoHandleFlag)f[4], N(5), N(6));
	case FATHOM_DEFINITION_HANDLE_STATE:
		return GIVE(on_handle_state, IoPreCreatedHandleState, N(0), (OTF2_IoAccessMode)f[1],
		     (OTF2_IoStatusFlag)f[2]);
	default: return false;
	}
}

static bool give(const struct fathom_definition *record, const struct receiver *to)
{
	if (record->kind <= FATHOM_DEFINITION_LOCATION_PROPERTY)
		return give_system(record, record->fields, to);
	return give_program(record, record->fields, to) || give_objects(record, record->fields, to);
}

bool fathom_definition_call(const struct fathom_definition *record, const struct fathom_definition_callbacks *callbacks,
			    void *data)
{
	const struct receiver to = { .callbacks = callbacks, .data = data };

	return give(record, &to);
}

bool fathom_definition_write(OTF2_GlobalDefWriter *writer, const struct fathom_definition *record)
{
	const struct receiver to = { .writer = writer };

	return give(record, &to);
}
