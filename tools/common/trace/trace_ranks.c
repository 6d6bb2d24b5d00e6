#include "tools/common/trace/trace_ranks.h"

#include <stdlib.h>

#include "tools/common/command.h"

/* Returns the process indices by rank, and sets *count. The caller frees them. */
static uint32_t *processes_by_rank(struct fathom_otf2_defs *defs, uint32_t *count)
{
	int32_t list = defs->comm_locations[OTF2_PARADIGM_MPI];
	uint32_t processes = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_PROCESS), i;
	const struct fathom_otf2_roster *roster = list < 0 ? NULL : fathom_otf2_roster(defs, list);
	uint32_t *result = fathom_tool_alloc(roster ? roster->count : processes, sizeof(*result));

	*count = 0;
	for (i = 0; i < (roster ? roster->count : processes); i++) {
		const struct fathom_otf2_process *process = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, i);

		if (roster)
			result[(*count)++] = roster->process[i];
		else if (process->type == OTF2_LOCATION_GROUP_TYPE_PROCESS)
			result[(*count)++] = i;
	}
	return result;
}

/* Keeps the accelerators of processes that are kept. */
static void keep_accelerators(bool *kept, const struct fathom_otf2_defs *defs)
{
	uint32_t i;

	for (i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_PROCESS); i++) {
		const struct fathom_otf2_process *process = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, i);

		if (process->type != OTF2_LOCATION_GROUP_TYPE_PROCESS && process->creator >= 0)
			kept[i] = kept[process->creator];
	}
}

bool *fathom_trace_ranks_parse(const char *ranks, struct fathom_otf2_archive *trace)
{
	uint32_t count;
	uint32_t *processes = processes_by_rank(&trace->defs, &count);
	bool *kept = fathom_tool_alloc(fathom_otf2_count(&trace->defs, FATHOM_OTF2_PROCESS), sizeof(bool));
	const char *at = ranks;

	do {
		char *end;
		unsigned long first, last, rank;

		at += at != ranks;
		first = last = strtoul(at, &end, 10);
		if (end == at || *at < '0' || *at > '9')
			goto wrong;
		at = end;
		if (*at == '-') {
			at++;
			last = strtoul(at, &end, 10);
			if (end == at || *at < '0' || *at > '9' || last < first)
				goto wrong;
			at = end;
		}
		if (last >= count) {
			fathom_tool_error("--ranks %s: the trace has %u rank%s, from 0 on", ranks, count,
					  count == 1 ? "" : "s");
			goto fail;
		}
		for (rank = first; rank <= last; rank++)
			if (processes[rank] != UINT32_MAX)
				kept[processes[rank]] = true;
	} while (*at == ',');
	if (*at)
		goto wrong;
	free(processes);
	keep_accelerators(kept, &trace->defs);
	return kept;

wrong:
	fathom_tool_error("--ranks %s: not a list of ranks such as 0-3,8", ranks);
fail:
	free(processes);
	free(kept);
	return NULL;
}
