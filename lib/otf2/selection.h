/*
 * selection: the processes of a trace that a copy keeps, and the new numbers of what depends on them.
 *
 * A copy has the locations of the kept processes only, and its groups have the kept members. Processes and metrics are
 * therefore numbered anew from 0, and a rank in an event becomes the number of kept members before it. All other ids
 * stay as they are: definitions that nothing uses any more are harmless. Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_SELECTION_H
#define FATHOM_OTF2_SELECTION_H

#include "otf2/event_reader.h"

struct fathom_otf2_selection {
	struct fathom_otf2_defs *defs;
	bool *processes;	/* by index: whether it is kept */
	bool is_all;		/* no process is left out */
	uint32_t *process_ids, *metric_ids;	/* by index: new id; UINT32_MAX: left out */
	uint32_t **ranks;	/* by group index: new rank of each old one, UINT32_MAX: left out; NULL: not made yet */
};

/* Makes a selection of the processes that are true in processes, which it copies; NULL: all. The definitions must live
 * as long as the selection. */
void fathom_otf2_selection_init(struct fathom_otf2_selection *selection, struct fathom_otf2_defs *defs,
				const bool *processes);
void fathom_otf2_selection_fini(struct fathom_otf2_selection *selection);

/* Return whether a location is kept, by its index or id. */
bool fathom_otf2_selection_has(const struct fathom_otf2_selection *selection, uint32_t location);
bool fathom_otf2_selection_has_id(const struct fathom_otf2_selection *selection, uint64_t location);

/* Returns the new ranks of the members of the group with that index. */
const uint32_t *fathom_otf2_selection_ranks(struct fathom_otf2_selection *selection, int32_t group);

/* Returns the number of members of a communicator that are kept. */
uint32_t fathom_otf2_selection_size(struct fathom_otf2_selection *selection, const struct fathom_otf2_comm *comm);

/* Changes the metric, partner or root of an event to its new number. False: the partner or root is left out. */
bool fathom_otf2_selection_renumber(struct fathom_otf2_selection *selection, struct fathom_otf2_event *event);

#endif
