/*
 * definition_callbacks: the callback of each kind of definition that OTF2 may read from a trace.
 *
 * definition_reader.c and definition_copy.c define one function on_... for each of these kinds, and register the
 * functions with this list, so that neither of the two files leaves out a kind that the other one knows.
 */
#ifndef FATHOM_OTF2_DEFINITION_CALLBACKS_H
#define FATHOM_OTF2_DEFINITION_CALLBACKS_H

#include <otf2/otf2.h>

/* Expands SET(kind, function) for each kind of definition; the kind is spelled as in OTF2's function
 * OTF2_GlobalDefReaderCallbacks_Set<kind>Callback. */
#define FATHOM_OTF2_DEFINITION_CALLBACKS(SET) \
	SET(ClockProperties, on_clock) \
	SET(Paradigm, on_paradigm) \
	SET(ParadigmProperty, on_paradigm_property) \
	SET(IoParadigm, on_io_paradigm) \
	SET(String, on_string) \
	SET(Attribute, on_attribute) \
	SET(SystemTreeNode, on_node) \
	SET(SystemTreeNodeDomain, on_node_domain) \
	SET(SystemTreeNodeProperty, on_node_property) \
	SET(LocationGroup, on_process) \
	SET(LocationGroupProperty, on_process_property) \
	SET(Location, on_location) \
	SET(LocationProperty, on_location_property) \
	SET(Region, on_region) \
	SET(Callsite, on_callsite) \
	SET(Callpath, on_callpath) \
	SET(CallpathParameter, on_callpath_parameter) \
	SET(Group, on_group) \
	SET(MetricMember, on_member) \
	SET(MetricClass, on_class) \
	SET(MetricInstance, on_instance) \
	SET(MetricClassRecorder, on_recorder) \
	SET(Comm, on_comm) \
	SET(InterComm, on_inter_comm) \
	SET(Parameter, on_parameter) \
	SET(RmaWin, on_window) \
	SET(CartDimension, on_dimension) \
	SET(CartTopology, on_topology) \
	SET(CartCoordinate, on_coordinate) \
	SET(SourceCodeLocation, on_source) \
	SET(CallingContext, on_context) \
	SET(CallingContextProperty, on_context_property) \
	SET(InterruptGenerator, on_generator) \
	SET(IoFileProperty, on_file_property) \
	SET(IoRegularFile, on_file) \
	SET(IoDirectory, on_directory) \
	SET(IoHandle, on_handle) \
	SET(IoPreCreatedHandleState, on_handle_state)

/* Registers the including file's functions of that list with the variable callbacks. */
#define FATHOM_OTF2_SET_DEFINITION_CALLBACK(kind, function) \
	OTF2_GlobalDefReaderCallbacks_Set##kind##Callback(callbacks, function);

/* The callbacks of one file as a struct, whose members have the names of the functions. fathom_definition_call
 * (definition_calls.h) calls them for definitions that do not come from OTF2's reader. */
#define FATHOM_OTF2_DEFINITION_MEMBER(kind, function) OTF2_GlobalDefReaderCallback_##kind function;
struct fathom_definition_callbacks {
	FATHOM_OTF2_DEFINITION_CALLBACKS(FATHOM_OTF2_DEFINITION_MEMBER)
};

/* Sets a member of that struct to the including file's function of that name. */
#define FATHOM_OTF2_SET_DEFINITION_MEMBER(kind, function) .function = function,

#endif
