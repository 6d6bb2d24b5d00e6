#include "trace/definitions/system_definitions.h"

#include <string.h>

#include "platform/log.h"
#include "trace/archive.h"
#include "trace/definitions/definition_writer.h"
#include "trace/definitions/definition_pools.h"

/* Labels the locations of this process. 0 or -ENOMEM. */
static int label_locations(struct fathom_definitions *defs, struct fathom_location_label **labels, uint32_t *count)
{
	const struct fathom_trace *newest = fathom_trace_archive_newest();

	*count = newest ? newest->id + 1 : 0;
	*labels = fathom_arena_alloc(&defs->arena, (*count + 1) * sizeof(**labels));
	if (!*labels)
		return -ENOMEM;
	for (const struct fathom_trace *trace = newest; trace; trace = trace->next) {
		char name[128];

		fathom_location_name(trace->location, name, sizeof(name));
		(*labels)[trace->id].name = fathom_arena_copy(&defs->arena, name, strlen(name));
		if (!(*labels)[trace->id].name)
			return -ENOMEM;
	}
	return 0;
}

int fathom_trace_system_build(struct fathom_definitions *defs, struct fathom_comm *comm,
			      const struct fathom_result *result)
{
	const struct fathom_system_options options = { .split = result->system_split };
	const struct fathom_system_path_source source = { .host = result->host, .tree = result->system_tree,
						    .rank = defs->rank };
	struct fathom_location_label *labels = NULL;
	struct fathom_system_path place;
	char room[FATHOM_PATH_BYTES];
	uint32_t count = 0;
	int err = defs->err ? defs->err : label_locations(defs, &labels, &count);

	fathom_system_path_find(&place, room, &source);
	err = fathom_system_build(&defs->system, err ? NULL : &place, labels, count, comm, &options);
	if (!err)
		err = fathom_labels_collect(&defs->labels, &defs->system, &place, defs->rank, comm, &options);
	return err;
}

static void write_domain(struct fathom_trace_writing *w, uint32_t node, const char *class)
{
	static const struct {
		const char *class;
		OTF2_SystemTreeDomain domain;
	} known[] = {
		{ "machine", OTF2_SYSTEM_TREE_DOMAIN_MACHINE },
		{ "node", OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY },
		{ "numa", OTF2_SYSTEM_TREE_DOMAIN_NUMA },
		{ "socket", OTF2_SYSTEM_TREE_DOMAIN_SOCKET },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(class, known[i].class))
			DEFINE(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain, node, known[i].domain);
}

void fathom_trace_write_system(struct fathom_trace_writing *w)
{
	const struct fathom_definitions *defs = w->defs;
	uint32_t above[FATHOM_SEQUENCE_DEPTH] = { OTF2_UNDEFINED_SYSTEM_TREE_NODE };
	struct fathom_walk walk;

	w->node_of = fathom_arena_alloc(&w->arena, (w->process_count + 1) * sizeof(*w->node_of));
	if (!w->node_of) {
		w->err = -ENOMEM;
		return;
	}
	fathom_walk_begin(&walk, &defs->system.sequence);
	while (fathom_walk_next(&walk)) {
		const char *class = walk.sequence->classes[walk.record->class];
		uint32_t node = (uint32_t)walk.before.nodes, parent = walk.depth ? above[walk.depth - 1] : above[0];
		char text[128];

		if (walk.record->kind == FATHOM_ELEMENT_PROCESS) {
			uint32_t rank = fathom_labels_rank(&defs->labels, walk.before.processes);

			w->node_of[w->process_count > 1 ? rank : 0] = parent;
		}
		if (walk.record->kind != FATHOM_ELEMENT_NODE)
			continue;
		above[walk.depth] = node;
		DEFINE(OTF2_GlobalDefWriter_WriteSystemTreeNode, node,
		       fathom_trace_text(w, defs->labels.names ? defs->labels.names[node] :
					 fathom_walk_name(&walk, text, sizeof(text))),
		       fathom_trace_text(w, class), parent);
		write_domain(w, node, class);
	}
}
