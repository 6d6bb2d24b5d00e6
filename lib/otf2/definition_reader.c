#include "otf2/definition_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/definition_callbacks.h"
#include "otf2/definition_calls.h"
#include "otf2/definition_index.h"
#include "otf2/faults.h"
#include "otf2/memory.h"

struct reading {
	struct fathom_otf2_defs *defs;
	struct fathom_faults *faults;
	enum fathom_otf2_space space;	/* the kind of the record that is being read */
	uint64_t id;			/* the id of this record; error texts name both */
};

#define SAY(reading, kind, format, ...) \
	fathom_fault_say((reading)->faults, (kind), NULL, "%s %" PRIu64 ": " format, \
			 fathom_otf2_space_name((reading)->space), (reading)->id, ##__VA_ARGS__)

static bool has_free_ids(enum fathom_otf2_space space)
{
	return space == FATHOM_OTF2_LOCATION || space == FATHOM_OTF2_STRING || space == FATHOM_OTF2_PARADIGM;
}

static void complain_of_id(struct reading *reading, const struct fathom_otf2_shelf *shelf)
{
	if (fathom_otf2_index(reading->defs, reading->space, reading->id) >= 0)
		SAY(reading, FATHOM_FAULT_IDS, "defined twice");
	else if (!has_free_ids(reading->space) && reading->id != shelf->count)
		SAY(reading, FATHOM_FAULT_IDS, "stands where %zu is due (ids count up from 0)", shelf->count);
}

/* Returns the index of a definition that the current record refers to. The definition must come before the record. */
static int64_t refer(struct reading *reading, enum fathom_otf2_space space, uint64_t id)
{
	int64_t index = fathom_otf2_index(reading->defs, space, id);

	if (index < 0)
		SAY(reading, FATHOM_FAULT_REFERENCE, "%s %" PRIu64 " is not defined before it",
		    fathom_otf2_space_name(space), id);
	return index;
}

static int64_t refer_if_any(struct reading *reading, enum fathom_otf2_space space, uint64_t id)
{
	return id == OTF2_UNDEFINED_UINT32 || id == OTF2_UNDEFINED_UINT64 ? -1 : refer(reading, space, id);
}

/* Adds a record, zeroed except for id and name. name is UINT32_MAX for kinds of records that have no name. */
static void *add(struct reading *reading, enum fathom_otf2_space space, uint64_t id, uint32_t name)
{
	struct fathom_otf2_shelf *shelf = &reading->defs->shelves[space];
	struct fathom_otf2_any *any;

	reading->space = space;
	reading->id = id;
	reading->defs->count++;
	complain_of_id(reading, shelf);
	any = fathom_otf2_defs_add(reading->defs, space, id);
	if (space == FATHOM_OTF2_STRING)
		return any;
	any->name = name;
	refer_if_any(reading, FATHOM_OTF2_STRING, name);
	return any;
}

static void *keep(struct reading *reading, const void *data, size_t bytes)
{
	void *copy = fathom_otf2_memory_from(&reading->defs->arena, bytes);

	if (bytes)
		memcpy(copy, data, bytes);
	return copy;
}

#define ON(name, ...) static OTF2_CallbackCode name(void *data, ##__VA_ARGS__)
#define DONE return OTF2_CALLBACK_SUCCESS

ON(on_unknown)
{
	((struct reading *)data)->defs->count++;
	DONE;
}

ON(on_clock, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t realtime)
{
	struct reading *reading = data;
	struct fathom_otf2_defs *defs = reading->defs;

	defs->count++;
	if (defs->clocks++ > 0)
		fathom_fault_say(reading->faults, FATHOM_FAULT_CLOCK, NULL, "defined more than once");
	defs->resolution = resolution;
	defs->offset = offset;
	defs->length = length;
	defs->realtime = realtime;
	DONE;
}

ON(on_paradigm, OTF2_Paradigm paradigm, OTF2_StringRef name, OTF2_ParadigmClass class)
{
	static const struct {
		OTF2_Paradigm paradigm;
		OTF2_ParadigmClass class;
		const char *text;
	} known[] = {
		{ OTF2_PARADIGM_MPI, OTF2_PARADIGM_CLASS_PROCESS, "PROCESS" },
		{ OTF2_PARADIGM_OPENMP, OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN, "THREAD_FORK_JOIN" },
		{ OTF2_PARADIGM_PTHREAD, OTF2_PARADIGM_CLASS_THREAD_CREATE_WAIT, "THREAD_CREATE_WAIT" },
	};
	struct reading *reading = data;
	struct fathom_otf2_typed *record = add(reading, FATHOM_OTF2_PARADIGM, paradigm, name);
	size_t i;

	record->type = class;
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].paradigm == paradigm && known[i].class != class)
			SAY(reading, FATHOM_FAULT_PARADIGM, "%s is not of class %s", fathom_otf2_text(reading->defs,
												      name),
			    known[i].text);
	DONE;
}

ON(on_paradigm_property, OTF2_Paradigm paradigm, OTF2_ParadigmProperty property, OTF2_Type type,
	OTF2_AttributeValue value)
{
	struct reading *reading = data;

	(void)property;
	reading->defs->count++;
	reading->space = FATHOM_OTF2_PARADIGM;
	reading->id = paradigm;
	refer(reading, FATHOM_OTF2_PARADIGM, paradigm);
	if (type == OTF2_TYPE_STRING)
		refer(reading, FATHOM_OTF2_STRING, value.stringRef);
	DONE;
}

ON(on_io_paradigm, OTF2_IoParadigmRef self, OTF2_StringRef identification, OTF2_StringRef name,
	OTF2_IoParadigmClass class, OTF2_IoParadigmFlag flags, uint8_t count, const OTF2_IoParadigmProperty *properties,
	const OTF2_Type *types, const OTF2_AttributeValue *values)
{
	struct reading *reading = data;

	(void)class; (void)flags; (void)count; (void)properties; (void)types; (void)values;
	add(reading, FATHOM_OTF2_IO_PARADIGM, self, name);
	refer(reading, FATHOM_OTF2_STRING, identification);
	DONE;
}

ON(on_string, OTF2_StringRef self, const char *text)
{
	struct reading *reading = data;
	struct fathom_otf2_string *record = add(reading, FATHOM_OTF2_STRING, self, 0);

	record->text = keep(reading, text, strlen(text) + 1);
	DONE;
}

ON(on_attribute, OTF2_AttributeRef self, OTF2_StringRef name, OTF2_StringRef description, OTF2_Type type)
{
	struct reading *reading = data;
	struct fathom_otf2_typed *record = add(reading, FATHOM_OTF2_ATTRIBUTE, self, name);

	record->type = type;
	refer_if_any(reading, FATHOM_OTF2_STRING, description);
	DONE;
}

ON(on_node, OTF2_SystemTreeNodeRef self, OTF2_StringRef name, OTF2_StringRef class_name, OTF2_SystemTreeNodeRef parent)
{
	struct reading *reading = data;
	struct fathom_otf2_node *record = add(reading, FATHOM_OTF2_NODE, self, name);
	int64_t index = (int64_t)reading->defs->shelves[FATHOM_OTF2_NODE].count - 1;

	record->class_name = class_name;
	refer(reading, FATHOM_OTF2_STRING, class_name);
	record->parent = (int32_t)refer_if_any(reading, FATHOM_OTF2_NODE, parent);
	if (record->parent >= index)	/* a record that is its own parent: a walk to the root would not end */
		record->parent = -1;
	DONE;
}

ON(on_node_domain, OTF2_SystemTreeNodeRef node, OTF2_SystemTreeDomain domain)
{
	struct reading *reading = data;
	struct fathom_otf2_node *record;

	reading->defs->count++;
	reading->space = FATHOM_OTF2_NODE;
	reading->id = node;
	refer(reading, FATHOM_OTF2_NODE, node);
	record = fathom_otf2_find(reading->defs, FATHOM_OTF2_NODE, node);
	if (record && domain < 32)
		record->domains |= 1u << domain;
	DONE;
}

/* Takes a property of a node, location group, location, context or file. */
static OTF2_CallbackCode take_property(struct reading *reading, enum fathom_otf2_space space, uint64_t id,
				       OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	reading->defs->count++;
	reading->space = space;
	reading->id = id;
	refer(reading, space, id);
	refer(reading, FATHOM_OTF2_STRING, name);
	if (type == OTF2_TYPE_STRING)
		refer(reading, FATHOM_OTF2_STRING, value.stringRef);
	DONE;
}

ON(on_node_property, OTF2_SystemTreeNodeRef node, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	return take_property(data, FATHOM_OTF2_NODE, node, name, type, value);
}

ON(on_process_property, OTF2_LocationGroupRef group, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	return take_property(data, FATHOM_OTF2_PROCESS, group, name, type, value);
}

ON(on_location_property, OTF2_LocationRef location, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	return take_property(data, FATHOM_OTF2_LOCATION, location, name, type, value);
}

ON(on_context_property, OTF2_CallingContextRef context, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	return take_property(data, FATHOM_OTF2_CONTEXT, context, name, type, value);
}

ON(on_file_property, OTF2_IoFileRef file, OTF2_StringRef name, OTF2_Type type, OTF2_AttributeValue value)
{
	return take_property(data, FATHOM_OTF2_FILE, file, name, type, value);
}

ON(on_process, OTF2_LocationGroupRef self, OTF2_StringRef name, OTF2_LocationGroupType type,
	OTF2_SystemTreeNodeRef node, OTF2_LocationGroupRef creator)
{
	struct reading *reading = data;
	struct fathom_otf2_process *record = add(reading, FATHOM_OTF2_PROCESS, self, name);

	record->type = type;
	record->node = (int32_t)refer_if_any(reading, FATHOM_OTF2_NODE, node);
	record->creator = (int32_t)refer_if_any(reading, FATHOM_OTF2_PROCESS, creator);
	DONE;
}

ON(on_location, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, uint64_t events,
	OTF2_LocationGroupRef group)
{
	struct reading *reading = data;
	struct fathom_otf2_location *record = add(reading, FATHOM_OTF2_LOCATION, self, name);
	int64_t process = refer(reading, FATHOM_OTF2_PROCESS, group);

	record->type = type;
	record->events = events;
	record->process = process < 0 ? UINT32_MAX : (uint32_t)process;
	DONE;
}

ON(on_region, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical, OTF2_StringRef description,
	OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t begin_line,
	uint32_t end_line)
{
	struct reading *reading = data;
	struct fathom_otf2_region *record = add(reading, FATHOM_OTF2_REGION, self, name);

	(void)flags;
	record->canonical = canonical;
	record->file = file;
	record->begin_line = begin_line;
	record->end_line = end_line;
	record->role = role;
	record->paradigm = paradigm;
	refer_if_any(reading, FATHOM_OTF2_STRING, canonical);
	refer_if_any(reading, FATHOM_OTF2_STRING, description);
	refer_if_any(reading, FATHOM_OTF2_STRING, file);
	if (end_line && begin_line > end_line)
		SAY(reading, FATHOM_FAULT_REGION, "begins in line %u and ends in line %u", begin_line, end_line);
	DONE;
}

ON(on_callsite, OTF2_CallsiteRef self, OTF2_StringRef file, uint32_t line, OTF2_RegionRef entered, OTF2_RegionRef left)
{
	struct reading *reading = data;

	(void)line;
	add(reading, FATHOM_OTF2_CALLSITE, self, UINT32_MAX);
	refer(reading, FATHOM_OTF2_STRING, file);
	refer(reading, FATHOM_OTF2_REGION, entered);
	refer(reading, FATHOM_OTF2_REGION, left);
	DONE;
}

ON(on_callpath, OTF2_CallpathRef self, OTF2_CallpathRef parent, OTF2_RegionRef region)
{
	struct reading *reading = data;

	add(reading, FATHOM_OTF2_CALLPATH, self, UINT32_MAX);
	refer_if_any(reading, FATHOM_OTF2_CALLPATH, parent);
	refer(reading, FATHOM_OTF2_REGION, region);
	DONE;
}

ON(on_callpath_parameter, OTF2_CallpathRef path, OTF2_ParameterRef parameter, OTF2_Type type, OTF2_AttributeValue value)
{
	struct reading *reading = data;

	(void)type;
	(void)value;
	reading->defs->count++;
	reading->space = FATHOM_OTF2_CALLPATH;
	reading->id = path;
	refer(reading, FATHOM_OTF2_CALLPATH, path);
	refer(reading, FATHOM_OTF2_PARAMETER, parameter);
	DONE;
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static void check_distinct(struct reading *reading, const uint64_t *members, uint32_t count)
{
	uint64_t *sorted;
	uint32_t i;

	if (!reading->faults || count < 2)
		return;
	sorted = fathom_otf2_memory_alloc(count, sizeof(*sorted));
	memcpy(sorted, members, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), by_number);
	for (i = 1; i < count; i++)
		if (sorted[i] == sorted[i - 1]) {
			SAY(reading, FATHOM_FAULT_GROUP, "member %" PRIu64 " is in it twice", sorted[i]);
			break;
		}
	free(sorted);
}

/* Checks the members of a group. They are ids, or indices of the list of locations that precedes the group. Only the
 * first wrong member is reported. */
static void check_members(struct reading *reading, const struct fathom_otf2_group *group)
{
	static const struct {
		OTF2_GroupType type;
		enum fathom_otf2_space space;
	} spaces_of[] = {
		{ OTF2_GROUP_TYPE_LOCATIONS, FATHOM_OTF2_LOCATION },
		{ OTF2_GROUP_TYPE_COMM_LOCATIONS, FATHOM_OTF2_LOCATION },
		{ OTF2_GROUP_TYPE_REGIONS, FATHOM_OTF2_REGION },
	};
	int32_t list = reading->defs->comm_locations[group->paradigm];
	size_t i;
	uint32_t m;

	for (i = 0; i < sizeof(spaces_of) / sizeof(spaces_of[0]); i++)
		for (m = 0; spaces_of[i].type == group->type && m < group->count; m++)
			if (!fathom_otf2_find(reading->defs, spaces_of[i].space, group->members[m])) {
				SAY(reading, FATHOM_FAULT_GROUP, "member %" PRIu64 " is no %s that is defined",
				    group->members[m],
				    fathom_otf2_space_name(spaces_of[i].space));
				break;
			}
	if (group->type == OTF2_GROUP_TYPE_COMM_SELF && group->count)
		SAY(reading, FATHOM_FAULT_GROUP, "COMM_SELF with %u members", group->count);
	if (group->type != OTF2_GROUP_TYPE_COMM_GROUP)
		return;
	if (list < 0) {
		SAY(reading, FATHOM_FAULT_GROUP, "no COMM_LOCATIONS of its paradigm before it");
		return;
	}
	for (m = 0; m < group->count; m++) {
		const struct fathom_otf2_group *all = fathom_otf2_at(reading->defs, FATHOM_OTF2_GROUP,
								     (uint64_t)list);

		if (group->members[m] >= all->count) {
			SAY(reading, FATHOM_FAULT_GROUP, "member %" PRIu64 " of a list of %u locations",
			    group->members[m],
			    all->count);
			break;
		}
	}
}

/* Checks that a paradigm with communicators has been defined. The paradigms listed below have no communicators. */
static void check_paradigm(struct reading *reading, OTF2_Paradigm paradigm)
{
	switch (paradigm) {
	case OTF2_PARADIGM_UNKNOWN:
	case OTF2_PARADIGM_USER:
	case OTF2_PARADIGM_COMPILER:
	case OTF2_PARADIGM_MEASUREMENT_SYSTEM:
	case OTF2_PARADIGM_HARDWARE:
	case OTF2_PARADIGM_SAMPLING:
	case OTF2_PARADIGM_NONE:
		return;
	default:
		if (!fathom_otf2_find(reading->defs, FATHOM_OTF2_PARADIGM, paradigm))
			SAY(reading, FATHOM_FAULT_PARADIGM, "its paradigm (%u) is not defined", paradigm);
	}
}

ON(on_group, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type, OTF2_Paradigm paradigm,
	OTF2_GroupFlag flags, uint32_t count, const uint64_t *members)
{
	struct reading *reading = data;
	struct fathom_otf2_group *record = add(reading, FATHOM_OTF2_GROUP, self, name);
	int32_t index = (int32_t)reading->defs->shelves[FATHOM_OTF2_GROUP].count - 1;

	record->type = type;
	record->paradigm = paradigm;
	record->flags = flags;
	record->count = count;
	record->members = keep(reading, members, count * sizeof(*members));
	check_members(reading, record);
	if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS || type == OTF2_GROUP_TYPE_COMM_GROUP) {
		check_distinct(reading, members, count);
		check_paradigm(reading, paradigm);
	}
	if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) {
		if (reading->defs->comm_locations[paradigm] >= 0)
			SAY(reading, FATHOM_FAULT_GROUP, "a second COMM_LOCATIONS of its paradigm");
		else
			reading->defs->comm_locations[paradigm] = index;
	}
	DONE;
}

/* Returns a power of the base of the values of a metric. An exponent that no number can have counts as the largest. */
static double power_of(OTF2_Base base, int64_t exponent)
{
	enum { MOST = 300 };
	double factor = 1;

	for (int64_t i = 0; i < (exponent < 0 ? -exponent : exponent) && i < MOST; i++)
		factor *= base == OTF2_BASE_BINARY ? 2 : 10;
	return exponent < 0 ? 1 / factor : factor;
}

ON(on_member, OTF2_MetricMemberRef self, OTF2_StringRef name, OTF2_StringRef description, OTF2_MetricType type,
	OTF2_MetricMode mode, OTF2_Type value_type, OTF2_Base base, int64_t exponent, OTF2_StringRef unit)
{
	struct reading *reading = data;
	struct fathom_otf2_typed *record = add(reading, FATHOM_OTF2_MEMBER, self, name);

	(void)type;
	record->type = value_type;
	record->mode = mode;
	record->unit = unit;
	record->description = description;
	record->factor = power_of(base, exponent);
	refer_if_any(reading, FATHOM_OTF2_STRING, description);
	refer_if_any(reading, FATHOM_OTF2_STRING, unit);
	if (value_type != OTF2_TYPE_INT64 && value_type != OTF2_TYPE_UINT64 && value_type != OTF2_TYPE_DOUBLE)
		SAY(reading, FATHOM_FAULT_METRIC, "values are neither INT64 nor UINT64 nor DOUBLE");
	DONE;
}

ON(on_class, OTF2_MetricRef self, uint8_t count, const OTF2_MetricMemberRef *members, OTF2_MetricOccurrence occurrence,
	OTF2_RecorderKind recorder)
{
	struct reading *reading = data;
	struct fathom_otf2_metric *record = add(reading, FATHOM_OTF2_METRIC, self, UINT32_MAX);

	record->of_class = -1;
	record->count = count;
	record->occurrence = occurrence;
	record->recorder = recorder;
	record->members = keep(reading, members, count * sizeof(*members));
	if (count == 0)
		SAY(reading, FATHOM_FAULT_METRIC, "a class without members");
	for (unsigned m = 0; m < count; m++) {
		refer(reading, FATHOM_OTF2_MEMBER, members[m]);
		for (unsigned n = 0; n < m; n++)
			if (members[m] == members[n])
				SAY(reading, FATHOM_FAULT_METRIC, "member %u is in the class twice", members[m]);
	}
	DONE;
}

ON(on_instance, OTF2_MetricRef self, OTF2_MetricRef class, OTF2_LocationRef recorder, OTF2_MetricScope scope,
	uint64_t of)
{
	static const enum fathom_otf2_space scopes[] = {
		[OTF2_SCOPE_LOCATION] = FATHOM_OTF2_LOCATION,
		[OTF2_SCOPE_LOCATION_GROUP] = FATHOM_OTF2_PROCESS,
		[OTF2_SCOPE_SYSTEM_TREE_NODE] = FATHOM_OTF2_NODE,
		[OTF2_SCOPE_GROUP] = FATHOM_OTF2_GROUP,
	};
	struct reading *reading = data;
	struct fathom_otf2_metric *record = add(reading, FATHOM_OTF2_METRIC, self, UINT32_MAX);
	const struct fathom_otf2_metric *its;

	record->of_class = (int32_t)refer(reading, FATHOM_OTF2_METRIC, class);
	record->recorder_location = recorder;
	refer(reading, FATHOM_OTF2_LOCATION, recorder);
	if (scope < sizeof(scopes) / sizeof(scopes[0]))
		refer(reading, scopes[scope], of);
	its = record->of_class < 0 ? NULL :
	      fathom_otf2_at(reading->defs, FATHOM_OTF2_METRIC, (uint64_t)record->of_class);
	if (its && its->of_class >= 0)
		SAY(reading, FATHOM_FAULT_METRIC, "an instance of an instance");
	else if (its && its->recorder != OTF2_RECORDER_KIND_ABSTRACT)
		SAY(reading, FATHOM_FAULT_METRIC, "an instance of a class whose recorder is not ABSTRACT");
	if (!its)
		record->of_class = (int32_t)reading->defs->shelves[FATHOM_OTF2_METRIC].count - 1;
	DONE;
}

ON(on_recorder, OTF2_MetricRef metric, OTF2_LocationRef location)
{
	struct reading *reading = data;

	reading->defs->count++;
	reading->space = FATHOM_OTF2_METRIC;
	reading->id = metric;
	refer(reading, FATHOM_OTF2_METRIC, metric);
	refer(reading, FATHOM_OTF2_LOCATION, location);
	if (!fathom_table_find(&reading->defs->recorders, metric, location, 0))
		fathom_table_add(&reading->defs->recorders, metric, location, 0);
	DONE;
}

static int32_t comm_group(struct reading *reading, struct fathom_otf2_comm *comm, uint64_t id)
{
	int32_t index = (int32_t)refer(reading, FATHOM_OTF2_GROUP, id);
	const struct fathom_otf2_group *group;

	if (index < 0)
		return -1;
	group = fathom_otf2_at(reading->defs, FATHOM_OTF2_GROUP, (uint64_t)index);
	if (group->type != OTF2_GROUP_TYPE_COMM_GROUP && group->type != OTF2_GROUP_TYPE_COMM_SELF)
		SAY(reading, FATHOM_FAULT_COMM, "its group %" PRIu64 " is neither COMM_GROUP nor COMM_SELF", id);
	comm->paradigm = group->paradigm;
	comm->is_self = group->type == OTF2_GROUP_TYPE_COMM_SELF;
	return index;
}

static void check_parent(struct reading *reading, const struct fathom_otf2_comm *comm, uint64_t parent)
{
	int64_t index = refer_if_any(reading, FATHOM_OTF2_COMM, parent);
	const struct fathom_otf2_comm *its = index < 0 ? NULL :
		fathom_otf2_at(reading->defs, FATHOM_OTF2_COMM, (uint64_t)index);

	if (its == comm)
		SAY(reading, FATHOM_FAULT_COMM, "is its own parent");
	else if (its && its->paradigm != comm->paradigm)
		SAY(reading, FATHOM_FAULT_COMM, "its parent %" PRIu64 " is of another paradigm", parent);
}

ON(on_comm, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
	struct reading *reading = data;
	struct fathom_otf2_comm *record = add(reading, FATHOM_OTF2_COMM, self, name);

	record->flags = flags;
	record->group_b = -1;
	record->group = comm_group(reading, record, group);
	check_parent(reading, record, parent);
	DONE;
}

ON(on_inter_comm, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef a, OTF2_GroupRef b, OTF2_CommRef common,
	OTF2_CommFlag flags)
{
	struct reading *reading = data;
	struct fathom_otf2_comm *record = add(reading, FATHOM_OTF2_COMM, self, name);

	record->flags = flags;
	record->is_inter = true;
	record->group_b = comm_group(reading, record, b);
	record->group = comm_group(reading, record, a);
	record->is_self = false;
	check_parent(reading, record, common);
	DONE;
}

ON(on_parameter, OTF2_ParameterRef self, OTF2_StringRef name, OTF2_ParameterType type)
{
	struct fathom_otf2_typed *record = add(data, FATHOM_OTF2_PARAMETER, self, name);

	record->type = type;
	DONE;
}

ON(on_window, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm, OTF2_RmaWinFlag flags)
{
	struct reading *reading = data;
	struct fathom_otf2_window *record = add(reading, FATHOM_OTF2_WINDOW, self, name);

	record->comm = (int32_t)refer(reading, FATHOM_OTF2_COMM, comm);
	record->flags = flags;
	DONE;
}

ON(on_dimension, OTF2_CartDimensionRef self, OTF2_StringRef name, uint32_t size, OTF2_CartPeriodicity periodicity)
{
	struct fathom_otf2_dimension *record = add(data, FATHOM_OTF2_DIMENSION, self, name);

	record->size = size;
	record->is_periodic = periodicity == OTF2_CART_PERIODIC_TRUE;
	DONE;
}

ON(on_topology, OTF2_CartTopologyRef self, OTF2_StringRef name, OTF2_CommRef comm, uint8_t count,
	const OTF2_CartDimensionRef *dimensions)
{
	struct reading *reading = data;
	struct fathom_otf2_topology *record = add(reading, FATHOM_OTF2_TOPOLOGY, self, name);

	record->comm = (int32_t)refer(reading, FATHOM_OTF2_COMM, comm);
	record->count = count;
	record->sizes = keep(reading, dimensions, count * sizeof(*dimensions));
	record->dimensions = fathom_otf2_memory_from(&reading->defs->arena, count * sizeof(*record->dimensions));
	for (unsigned d = 0; d < count; d++) {
		const struct fathom_otf2_dimension *dimension =
			fathom_otf2_find(reading->defs, FATHOM_OTF2_DIMENSION, dimensions[d]);

		record->dimensions[d] = refer(reading, FATHOM_OTF2_DIMENSION, dimensions[d]);
		record->sizes[d] = dimension ? dimension->size : 0;
	}
	DONE;
}

ON(on_coordinate, OTF2_CartTopologyRef topology, uint32_t rank, uint8_t count, const uint32_t *coordinates)
{
	struct reading *reading = data;
	struct fathom_otf2_defs *defs = reading->defs;
	struct fathom_otf2_topology *its;

	defs->count++;
	reading->space = FATHOM_OTF2_TOPOLOGY;
	reading->id = topology;
	refer(reading, FATHOM_OTF2_TOPOLOGY, topology);
	its = fathom_otf2_find(defs, FATHOM_OTF2_TOPOLOGY, topology);
	if (!its)
		DONE;
	if (its->comm >= 0 && rank >= fathom_otf2_comm_size(defs, fathom_otf2_at(defs, FATHOM_OTF2_COMM, its->comm)))
		SAY(reading, FATHOM_FAULT_TOPOLOGY, "coordinates of rank %u, which is not in its communicator", rank);
	if (count != its->count)
		SAY(reading, FATHOM_FAULT_TOPOLOGY, "rank %u has %u coordinates instead of %u", rank, count,
		    its->count);
	for (unsigned d = 0; d < count && d < its->count; d++)
		if (coordinates[d] >= its->sizes[d])
			SAY(reading, FATHOM_FAULT_TOPOLOGY, "rank %u is at %u in a dimension of %u", rank,
			    coordinates[d], its->sizes[d]);
	if (count == its->count)
		fathom_otf2_topology_place(defs, its, rank, coordinates);
	DONE;
}

ON(on_source, OTF2_SourceCodeLocationRef self, OTF2_StringRef file, uint32_t line)
{
	struct reading *reading = data;
	struct fathom_otf2_plain *record = add(reading, FATHOM_OTF2_SOURCE, self, UINT32_MAX);

	record->number = line;
	record->other = file;
	refer(reading, FATHOM_OTF2_STRING, file);
	DONE;
}

ON(on_context, OTF2_CallingContextRef self, OTF2_RegionRef region, OTF2_SourceCodeLocationRef source,
	OTF2_CallingContextRef parent)
{
	struct reading *reading = data;
	struct fathom_otf2_plain *record = add(reading, FATHOM_OTF2_CONTEXT, self, UINT32_MAX);

	record->number = region;
	record->other = source;
	refer(reading, FATHOM_OTF2_REGION, region);
	refer_if_any(reading, FATHOM_OTF2_SOURCE, source);
	refer_if_any(reading, FATHOM_OTF2_CONTEXT, parent);
	DONE;
}

ON(on_generator, OTF2_InterruptGeneratorRef self, OTF2_StringRef name, OTF2_InterruptGeneratorMode mode, OTF2_Base base,
	int64_t exponent, uint64_t period)
{
	struct fathom_otf2_plain *record = add(data, FATHOM_OTF2_GENERATOR, self, name);

	(void)base; (void)exponent; (void)period;
	record->number = mode;
	DONE;
}

ON(on_file, OTF2_IoFileRef self, OTF2_StringRef name, OTF2_SystemTreeNodeRef scope)
{
	struct reading *reading = data;

	add(reading, FATHOM_OTF2_FILE, self, name);
	refer_if_any(reading, FATHOM_OTF2_NODE, scope);
	DONE;
}

ON(on_directory, OTF2_IoFileRef self, OTF2_StringRef name, OTF2_SystemTreeNodeRef scope)
{
	return on_file(data, self, name, scope);
}

ON(on_handle, OTF2_IoHandleRef self, OTF2_StringRef name, OTF2_IoFileRef file, OTF2_IoParadigmRef paradigm,
	OTF2_IoHandleFlag flags, OTF2_CommRef comm, OTF2_IoHandleRef parent)
{
	struct reading *reading = data;
	struct fathom_otf2_plain *record = add(reading, FATHOM_OTF2_HANDLE, self, name);

	record->number = flags;
	refer_if_any(reading, FATHOM_OTF2_FILE, file);
	refer(reading, FATHOM_OTF2_IO_PARADIGM, paradigm);
	refer_if_any(reading, FATHOM_OTF2_COMM, comm);
	refer_if_any(reading, FATHOM_OTF2_HANDLE, parent);
	DONE;
}

ON(on_handle_state, OTF2_IoHandleRef handle, OTF2_IoAccessMode mode, OTF2_IoStatusFlag status)
{
	struct reading *reading = data;
	const struct fathom_otf2_plain *record;

	(void)mode;
	(void)status;
	reading->defs->count++;
	reading->space = FATHOM_OTF2_HANDLE;
	reading->id = handle;
	refer(reading, FATHOM_OTF2_HANDLE, handle);
	record = fathom_otf2_find(reading->defs, FATHOM_OTF2_HANDLE, handle);
	if (record && !(record->number & OTF2_IO_HANDLE_FLAG_PRE_CREATED))
		SAY(reading, FATHOM_FAULT_HANDLE, "has a state before it is created, but no flag PRE_CREATED");
	DONE;
}

#undef ON
#undef DONE

static void set_callbacks(OTF2_GlobalDefReaderCallbacks *callbacks)
{
	OTF2_GlobalDefReaderCallbacks_SetUnknownCallback(callbacks, on_unknown);
	FATHOM_OTF2_DEFINITION_CALLBACKS(FATHOM_OTF2_SET_DEFINITION_CALLBACK)
}

static void check_clock(const struct fathom_otf2_defs *defs, struct fathom_faults *faults)
{
	if (defs->clocks == 0)
		fathom_fault_say(faults, FATHOM_FAULT_CLOCK, NULL, "not defined");
	else if (defs->resolution == 0)
		fathom_fault_say(faults, FATHOM_FAULT_CLOCK, NULL, "no ticks per second");
	if (defs->offset + defs->length < defs->offset)
		fathom_fault_say(faults, FATHOM_FAULT_CLOCK, NULL, "the end is before the beginning");
}

int fathom_otf2_defs_read(struct fathom_otf2_defs *defs, OTF2_Reader *reader, struct fathom_faults *faults)
{
	struct reading reading = { .defs = defs, .faults = faults };
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
	uint64_t count = 0;
	int err = -EIO;

	if (!callbacks || !definitions)
		goto free_callbacks;
	set_callbacks(callbacks);
	if (OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, &reading) == OTF2_SUCCESS &&
	    OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count) == OTF2_SUCCESS)
		err = 0;
	OTF2_Reader_CloseGlobalDefReader(reader, definitions);
	fathom_otf2_defs_finish(defs, faults);
	if (!err)
		check_clock(defs, faults);
free_callbacks:
	if (callbacks)
		OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	return err;
}

void fathom_otf2_defs_take(struct fathom_otf2_defs *defs, const struct fathom_definition_list *list,
			   struct fathom_faults *faults)
{
	static const struct fathom_definition_callbacks callbacks = {
		FATHOM_OTF2_DEFINITION_CALLBACKS(FATHOM_OTF2_SET_DEFINITION_MEMBER)
	};
	struct reading reading = { .defs = defs, .faults = faults };

	for (size_t i = 0; i < list->count; i++)
		fathom_definition_call(&list->records[i], &callbacks, &reading);
	fathom_otf2_defs_finish(defs, faults);
	check_clock(defs, faults);
}
