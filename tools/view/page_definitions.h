/*
 * page_definitions: what a page contains besides values, as one JSON object.
 *
 * The object has:
 *	report		the result of `fathom report --json` without regions and call trees. If the maps of its
 *			phases are large, they are empty, and each phase has the member lacks_maps: true. If the page
 *			has loops and inlined functions in its call tree, or call paths of another profile, the member
 *			origins: [by call path of the page, the call path of the profile that it is a part of; -1: the
 *			profile does not have it]
 *	metrics		[{name, title, unit, description, parent (number or -1), kind: "sum", "minimum", "maximum",
 *			"formula", ratio: {of, to, factor}}]
 *	regions		{name: [], file: [index in files or -1], line: [], end_line: [], paradigm: [], role: [],
 *			activity: [], scopes: [numbers of the regions that are loops or inlined functions]}
 *	files		[path]
 *	cnodes		{region: [], parent: [], counted: [0 or 1], tasks: [roots of trees of explicit tasks]}
 *	parameters	{cnode: "name=value"}
 *	nodes		[{name, class, parent}]; groups: [{name, rank, node, type}]
 *	locations	{group: [], name: []}: of all locations
 *	columns		{locations: number of locations per column, rounded: boolean}
 *	topologies	[{name, dimensions: [{name, size, periodic}], places: [[location, coordinates...]]}]
 *	messages	see page_messages.h
 *	trace		see page_trace.h
 *	comparison	{only: [by call path: 0 both runs have it, 1 the first alone, 2 the second alone], first:
 *			the summary of the report on the first run}; only if two runs are compared. The values of the
 *			page are then those of the second run, and a second table has those of the first
 *	scaling		see page_scaling.h; only if the page is about runs of several sizes
 *	samples		see page_samples.h; null: the run has no samples by address
 *	sources		see page_sources.h
 *
 * Context of all functions: tool.
 */
#ifndef FATHOM_TOOLS_VIEW_PAGE_DEFINITIONS_H
#define FATHOM_TOOLS_VIEW_PAGE_DEFINITIONS_H

#include <jansson.h>
#include <stdbool.h>

#include "tools/common/profile.h"
#include "tools/view/value_table.h"

/* Returns the object without its members report, messages, trace, scaling, samples and
 * sources. */
json_t *fathom_page_definitions(const struct fathom_profile *profile, const struct fathom_value_table *table);

/* Returns the member report: what `fathom report --json` says about the profile with that path. NULL after an error
 * message. */
json_t *fathom_page_report(const char *path);

#endif
