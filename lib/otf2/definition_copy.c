#include "otf2/definition_copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/definition_callbacks.h"
#include "otf2/definition_calls.h"
#include "otf2/memory.h"

/* OTF2 has deprecated its own definition of call sites, which old traces have. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

struct copy {
	OTF2_GlobalDefWriter *writer;
	const struct fathom_otf2_definition_changes *changes;
	struct fathom_otf2_selection *selection;
	struct fathom_otf2_defs *defs;
	size_t locations, comms, windows;	/* copied so far */
};

#define ON(name, ...) static OTF2_CallbackCode name(void *data, ##__VA_ARGS__)
#define SKIP return OTF2_CALLBACK_SUCCESS
#define WRITE(kind, ...) \
	return OTF2_GlobalDefWriter_Write##kind(((struct copy *)data)->writer, __VA_ARGS__) == OTF2_SUCCESS ? \
	       OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR

/* Returns the new id of a process; UINT32_MAX: it is left out or not defined. */
static uint32_t process_id(const struct copy *copy, uint64_t id)
{
	int64_t index = fathom_otf2_index(copy->defs, FATHOM_OTF2_PROCESS, id);

	return index < 0 ? UINT32_MAX : copy->selection->process_ids[index];
}

static uint32_t metric_id(const struct copy *copy, uint64_t id)
{
	int64_t index = fathom_otf2_index(copy->defs, FATHOM_OTF2_METRIC, id);

	return index < 0 ? UINT32_MAX : copy->selection->metric_ids[index];
}

ON(on_clock, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t realtime)
{
	const struct fathom_otf2_definition_changes *changes = ((struct copy *)data)->changes;
	/* The real time belongs to the beginning of the trace and moves with it. */
	double moved = resolution ? ((double)changes->offset - (double)offset) / (double)resolution * 1e9 : 0;

	(void)length;
	if (realtime != OTF2_UNDEFINED_TIMESTAMP && changes->offset != offset)
		realtime = (uint64_t)((int64_t)realtime + (int64_t)moved);
	WRITE(ClockProperties, resolution, changes->offset, changes->length, realtime);
}

ON(on_paradigm, OTF2_Paradigm paradigm, OTF2_StringRef name, OTF2_ParadigmClass class)
{
	WRITE(Paradigm, paradigm, name, class);
}

ON(on_paradigm_property, OTF2_Paradigm paradigm, OTF2_ParadigmProperty property, OTF2_Type type,
	OTF2_AttributeValue value)
{
	WRITE(ParadigmProperty, paradigm, property, type, value);
}

ON(on_io_paradigm, OTF2_IoParadigmRef self, OTF2_StringRef identification, OTF2_StringRef name,
	OTF2_IoParadigmClass class, OTF2_IoParadigmFlag flags, uint8_t count, const OTF2_IoParadigmProperty *properties,
	const OTF2_Type *types, const OTF2_AttributeValue *values)
{
	WRITE(IoParadigm, self, identification, name, class, flags, count, properties, types, values);
}

ON(on_string, OTF2_StringRef self, const char *text) { WRITE(String, self, text); }

ON(on_attribute, OTF2_AttributeRef self, OTF2_StringRef name, OTF2_StringRef description, OTF2_Type type)
{
	WRITE(Attribute, self, name, description, type);
}

ON(on_node, OTF2_SystemTreeNodeRef self, OTF2_StringRef name, OTF2_StringRef class_name, OTF2_SystemTreeNodeRef parent)
{
	WRITE(SystemTreeNode, self, name, class_name, parent);
}

ON(on_node_domain, OTF2_SystemTreeNodeRef node, OTF2_SystemTreeDomain domain)
{
	WRITE(SystemTreeNodeDomain, node, domain);
}

ON(on_node_property, OTF2_SystemTreeNodeRef node, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	WRITE(SystemTreeNodeProperty, node, name, type, value);
}

ON(on_process_property, OTF2_LocationGroupRef group, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	uint32_t id = process_id(data, group);

	if (id == UINT32_MAX)
		SKIP;
	WRITE(LocationGroupProperty, id, name, type, value);
}

ON(on_location_property, OTF2_LocationRef location, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	const struct copy *copy = data;

	if (!fathom_otf2_selection_has_id(copy->selection, location))
		SKIP;
	WRITE(LocationProperty, location, name, type, value);
}

ON(on_context_property, OTF2_CallingContextRef context, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	WRITE(CallingContextProperty, context, name, type, value);
}

ON(on_file_property, OTF2_IoFileRef file, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	WRITE(IoFileProperty, file, name, type, value);
}

ON(on_process, OTF2_LocationGroupRef self, OTF2_StringRef name, OTF2_LocationGroupType type,
	OTF2_SystemTreeNodeRef node, OTF2_LocationGroupRef creator)
{
	uint32_t id = process_id(data, self);

	if (id == UINT32_MAX)
		SKIP;
	if (creator != OTF2_UNDEFINED_LOCATION_GROUP)
		creator = process_id(data, creator);
	WRITE(LocationGroup, id, name, type, node, creator);
}

ON(on_location, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, uint64_t events,
	OTF2_LocationGroupRef group)
{
	struct copy *copy = data;
	size_t index = copy->locations++;

	(void)events;
	if (!fathom_otf2_selection_has(copy->selection, (uint32_t)index))
		SKIP;
	WRITE(Location, self, name, type, copy->changes->events[index], process_id(copy, group));
}

ON(on_region, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical, OTF2_StringRef description,
	OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin_line,
	uint32_t end_line)
{
	WRITE(Region, self, name, canonical, description, role, paradigm, flags, file, begin_line, end_line);
}

ON(on_callsite, OTF2_CallsiteRef self, OTF2_StringRef file, uint32_t line, OTF2_RegionRef entered, OTF2_RegionRef left)
{
	WRITE(Callsite, self, file, line, entered, left);
}

ON(on_callpath, OTF2_CallpathRef self, OTF2_CallpathRef parent, OTF2_RegionRef region)
{
	WRITE(Callpath, self, parent, region);
}

ON(on_callpath_parameter, OTF2_CallpathRef path, OTF2_ParameterRef parameter, OTF2_Type type, OTF2_AttributeValue value)
{
	WRITE(CallpathParameter, path, parameter, type, value);
}

/* Returns the kept members of a group with their new ids or indices, and sets *count to their number. The caller frees
 * them. */
static uint64_t *kept_members(struct copy *copy, OTF2_GroupType type, OTF2_Paradigm paradigm, const uint64_t *members,
			      uint32_t *count)
{
	int32_t list = copy->defs->comm_locations[paradigm];
	uint64_t *kept = fathom_otf2_memory_alloc(*count, sizeof(*kept));
	const uint32_t *ranks = NULL;
	uint32_t total = *count, listed = 0, i;

	if (type == OTF2_GROUP_TYPE_COMM_GROUP && list >= 0) {
		ranks = fathom_otf2_selection_ranks(copy->selection, list);
		listed = fathom_otf2_roster(copy->defs, list)->count;
	}
	*count = 0;
	for (i = 0; i < total; i++) {
		uint64_t member = members[i];

		if (type == OTF2_GROUP_TYPE_LOCATIONS || type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
			if (!fathom_otf2_selection_has_id(copy->selection, member))
				continue;
		} else if (ranks && member < listed) {
			member = ranks[member];
			if (member == UINT32_MAX)
				continue;
		} else if (type == OTF2_GROUP_TYPE_METRIC) {
			member = metric_id(copy, member);
			if (member == UINT32_MAX)
				continue;
		}
		kept[(*count)++] = member;
	}
	return kept;
}

ON(on_group, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type, OTF2_Paradigm paradigm,
	OTF2_GroupFlag flags, uint32_t count, const uint64_t *members)
{
	struct copy *copy = data;
	uint64_t *kept;
	OTF2_ErrorCode code;

	if (copy->selection->is_all)
		WRITE(Group, self, name, type, paradigm, flags, count, members);
	kept = kept_members(copy, type, paradigm, members, &count);
	code = OTF2_GlobalDefWriter_WriteGroup(copy->writer, self, name, type, paradigm, flags, count, kept);
	free(kept);
	return code == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS : OTF2_CALLBACK_ERROR;
}

ON(on_member, OTF2_MetricMemberRef self, OTF2_StringRef name, OTF2_StringRef description, OTF2_MetricType type,
	OTF2_MetricMode mode, OTF2_Type value_type, OTF2_Base base, int64_t exponent, OTF2_StringRef unit)
{
	WRITE(MetricMember, self, name, description, type, mode, value_type, base, exponent, unit);
}

ON(on_class, OTF2_MetricRef self, uint8_t count, const OTF2_MetricMemberRef *members, OTF2_MetricOccurrence occurrence,
	OTF2_RecorderKind recorder)
{
	WRITE(MetricClass, metric_id(data, self), count, members, occurrence, recorder);
}

ON(on_instance, OTF2_MetricRef self, OTF2_MetricRef class, OTF2_LocationRef recorder, OTF2_MetricScope scope,
	uint64_t of)
{
	const struct copy *copy = data;
	uint32_t id = metric_id(copy, self);
	bool is_lost = (scope == OTF2_SCOPE_LOCATION && !fathom_otf2_selection_has_id(copy->selection, of)) ||
		       (scope == OTF2_SCOPE_LOCATION_GROUP && process_id(copy, of) == UINT32_MAX);

	if (id == UINT32_MAX)
		SKIP;
	if (scope == OTF2_SCOPE_LOCATION_GROUP && !is_lost)
		of = process_id(copy, of);
	WRITE(MetricInstance, id, metric_id(copy, class), recorder, is_lost ? OTF2_SCOPE_LOCATION : scope,
	      is_lost ? recorder : of);
}

ON(on_recorder, OTF2_MetricRef metric, OTF2_LocationRef location)
{
	const struct copy *copy = data;
	uint32_t id = metric_id(copy, metric);

	if (id == UINT32_MAX || !fathom_otf2_selection_has_id(copy->selection, location))
		SKIP;
	WRITE(MetricClassRecorder, id, location);
}

/* Returns the flags of the next communicator in the order of definitions. */
static OTF2_CommFlag comm_flags(struct copy *copy, OTF2_CommFlag flags)
{
	return copy->changes->unannounced_comms[copy->comms++] ?
	       flags & (OTF2_CommFlag)~OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS : flags;
}

ON(on_comm, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
	WRITE(Comm, self, name, group, parent, comm_flags(data, flags));
}

ON(on_inter_comm, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef a, OTF2_GroupRef b, OTF2_CommRef common,
	OTF2_CommFlag flags)
{
	WRITE(InterComm, self, name, a, b, common, comm_flags(data, flags));
}

ON(on_parameter, OTF2_ParameterRef self, OTF2_StringRef name, OTF2_ParameterType type)
{
	WRITE(Parameter, self, name, type);
}

ON(on_window, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
	struct copy *copy = data;

	if (copy->changes->unannounced_windows[copy->windows++])
		flags &= (OTF2_RmaWinFlag)~OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS;
	WRITE(RmaWin, self, name, comm, flags);
}

ON(on_dimension, OTF2_CartDimensionRef self, OTF2_StringRef name, uint32_t size, OTF2_CartPeriodicity periodicity)
{
	WRITE(CartDimension, self, name, size, periodicity);
}

ON(on_topology, OTF2_CartTopologyRef self, OTF2_StringRef name, OTF2_CommRef comm, uint8_t count,
	const OTF2_CartDimensionRef *dimensions)
{
	WRITE(CartTopology, self, name, comm, count, dimensions);
}

ON(on_coordinate, OTF2_CartTopologyRef topology, uint32_t rank, uint8_t count, const uint32_t *coordinates)
{
	struct copy *copy = data;
	const struct fathom_otf2_topology *its = fathom_otf2_find(copy->defs, FATHOM_OTF2_TOPOLOGY, topology);
	const struct fathom_otf2_comm *comm = its && its->comm >= 0 ?
		fathom_otf2_at(copy->defs, FATHOM_OTF2_COMM, (uint64_t)its->comm) : NULL;

	if (comm && comm->group >= 0 && !copy->selection->is_all && !comm->is_self &&
	    rank < fathom_otf2_roster(copy->defs, comm->group)->count)
		rank = fathom_otf2_selection_ranks(copy->selection, comm->group)[rank];
	if (rank == UINT32_MAX)
		SKIP;
	WRITE(CartCoordinate, topology, rank, count, coordinates);
}

ON(on_source, OTF2_SourceCodeLocationRef self, OTF2_StringRef file, uint32_t line)
{
	WRITE(SourceCodeLocation, self, file, line);
}

ON(on_context, OTF2_CallingContextRef self, OTF2_RegionRef region, OTF2_SourceCodeLocationRef source,
	OTF2_CallingContextRef parent)
{
	WRITE(CallingContext, self, region, source, parent);
}

ON(on_generator, OTF2_InterruptGeneratorRef self, OTF2_StringRef name, OTF2_InterruptGeneratorMode mode, OTF2_Base base,
	int64_t exponent, uint64_t period)
{
	WRITE(InterruptGenerator, self, name, mode, base, exponent, period);
}

ON(on_file, OTF2_IoFileRef self, OTF2_StringRef name, OTF2_SystemTreeNodeRef scope)
{
	WRITE(IoRegularFile, self, name, scope);
}

ON(on_directory, OTF2_IoFileRef self, OTF2_StringRef name, OTF2_SystemTreeNodeRef scope)
{
	WRITE(IoDirectory, self, name, scope);
}

ON(on_handle, OTF2_IoHandleRef self, OTF2_StringRef name, OTF2_IoFileRef file, OTF2_IoParadigmRef paradigm,
	OTF2_IoHandleFlag flags, OTF2_CommRef comm, OTF2_IoHandleRef parent)
{
	WRITE(IoHandle, self, name, file, paradigm, flags, comm, parent);
}

ON(on_handle_state, OTF2_IoHandleRef handle, OTF2_IoAccessMode mode, OTF2_IoStatusFlag status)
{
	WRITE(IoPreCreatedHandleState, handle, mode, status);
}

#undef ON
#undef SKIP
#undef WRITE

static void set_callbacks(OTF2_GlobalDefReaderCallbacks *callbacks)
{
	FATHOM_OTF2_DEFINITION_CALLBACKS(FATHOM_OTF2_SET_DEFINITION_CALLBACK)
}

int fathom_otf2_copy_definition_list(const struct fathom_definition_list *list, OTF2_GlobalDefWriter *writer,
				     const struct fathom_otf2_definition_changes *changes)
{
	static const struct fathom_definition_callbacks callbacks = {
		FATHOM_OTF2_DEFINITION_CALLBACKS(FATHOM_OTF2_SET_DEFINITION_MEMBER)
	};
	struct copy copy = { .writer = writer, .changes = changes, .selection = changes->selection,
			     .defs = changes->selection->defs };

	for (size_t i = 0; i < list->count; i++)
		if (!fathom_definition_call(&list->records[i], &callbacks, &copy))
			return -EIO;
	return 0;
}

int fathom_otf2_copy_definitions(OTF2_Reader *reader, OTF2_GlobalDefWriter *writer,
				 const struct fathom_otf2_definition_changes *changes)
{
	struct copy copy = { .writer = writer, .changes = changes, .selection = changes->selection,
			     .defs = changes->selection->defs };
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
	uint64_t count = 0;
	int err = -EIO;

	if (callbacks && definitions) {
		set_callbacks(callbacks);
		if (OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, &copy) == OTF2_SUCCESS &&
		    OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count) == OTF2_SUCCESS)
			err = 0;
	}
	if (definitions)
		OTF2_Reader_CloseGlobalDefReader(reader, definitions);
	if (callbacks)
		OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	return err;
}
