#include <stdlib.h>
#include <string.h>

#include "callgraphs/graph_trace.h"
#include "otf2/memory.h"
#include "tools/common/command.h"
#include "tools/list/entry.h"

static void take_facts(struct fathom_entry *entry, const struct fathom_otf2_archive *trace)
{
	const struct fathom_otf2_defs *defs = &trace->defs;
	const char *reason = fathom_otf2_property(trace, "FATHOM::INCOMPLETE");
	time_t begin = fathom_entry_time(fathom_otf2_property(trace, "FATHOM::BEGIN"));
	size_t count = fathom_otf2_count(defs, FATHOM_OTF2_PROCESS);

	fathom_entry_set(&entry->program, fathom_otf2_property(trace, "FATHOM::PROGRAM"));
	entry->begin = begin >= 0 ? begin : entry->begin;
	if (defs->resolution)
		entry->wall_time = fathom_otf2_seconds(defs, (double)defs->length);
	entry->ranks = entry->threads = 0;
	for (size_t i = 0; i < count; i++) {
		const struct fathom_otf2_process *process = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, i);

		entry->ranks += process->type == OTF2_LOCATION_GROUP_TYPE_PROCESS;
		entry->threads += process->threads;
	}
	if (reason) {
		entry->state = strstr(reason, "killed") ? FATHOM_ENTRY_KILLED : FATHOM_ENTRY_EARLY;
		fathom_entry_set(&entry->reason, reason);
	}
}

void fathom_entry_read_trace(struct fathom_entry *entry, const char *anchor)
{
	struct fathom_otf2_archive *trace = fathom_tool_alloc(1, sizeof(*trace));
	int err;

	fathom_otf2_memory_set_end(fathom_tool_out_of_memory);
	err = fathom_trace_open(trace, anchor);
	if (!err)
		err = fathom_otf2_read_definitions(trace, NULL);
	if (err) {
		entry->state = FATHOM_ENTRY_DAMAGED;
		fathom_entry_set(&entry->reason, trace->error);
	} else {
		take_facts(entry, trace);
	}
	fathom_otf2_close(trace);
	free(trace);
}
