#include "profile/result_system.h"

#include <errno.h>
#include <string.h>

#include "platform/arena.h"
#include "platform/log.h"
#include "system/system_path.h"

static struct {
	const char *tree;
	struct fathom_system_options options;
} chosen;

void fathom_site_choose(const char *tree, uint64_t split)
{
	chosen.tree = tree;
	chosen.options.split = split;
}

/* What the locations of this process are called. NULL: no memory. */
static struct fathom_location_label *own_labels(struct fathom_arena *arena, const struct fathom_union *u,
						const struct fathom_snapshot *snapshot)
{
	uint32_t count = u->own.location_count;
	struct fathom_location_label *labels = fathom_arena_alloc(arena, ((size_t)count + 1) * sizeof(*labels));
	size_t bytes;
	const char *text = labels ? fathom_aggregate_names(&u->own, arena, snapshot, &bytes) : NULL;

	if (!text)
		return NULL;
	for (uint32_t l = 0; l < count; l++) {
		labels[l].name = text;
		text += strlen(text) + 1;
		labels[l].threads = *text ? text : NULL;
		text += strlen(text) + 1;
	}
	return labels;
}

int fathom_site_find(struct fathom_site *site, const struct fathom_union *u, const struct fathom_snapshot *snapshot,
		     struct fathom_comm *comm, const struct fathom_result *result)
{
	const struct fathom_system_path_source source = {
		.host = result->host, .tree = chosen.tree, .rank = (uint32_t)result->rank,
	};
	struct fathom_arena arena = { 0 };
	struct fathom_location_label *labels = u->err ? NULL : own_labels(&arena, u, snapshot);
	char room[FATHOM_PATH_BYTES];
	struct fathom_system_path place;
	int err;

	memset(site, 0, sizeof(*site));
	site->is_parallel = result->parallel;
	fathom_system_path_find(&place, room, &source);
	err = fathom_system_build(&site->system, labels ? &place : NULL, labels,
				  labels ? u->own.location_count : 0, comm, &chosen.options);
	if (!err) {
		err = fathom_labels_collect(&site->labels, &site->system, &place, source.rank, comm, &chosen.options);
		if (err)
			fathom_system_fini(&site->system);
	}
	fathom_arena_fini(&arena);
	return err;
}

/* The next element of the tree, as the file has it. */
static bool next_element(void *context, struct fathom_cube_element *element)
{
	struct fathom_site *site = context;
	struct fathom_walk *walk = &site->walk;
	uint32_t rank;

	if (!fathom_walk_next(walk))
		return false;
	memset(element, 0, sizeof(*element));
	element->depth = (uint32_t)walk->depth;
	switch ((enum fathom_element)walk->record->kind) {
	case FATHOM_ELEMENT_NODE:
		element->kind = FATHOM_CUBE_NODE;
		element->name = fathom_labels_node(&site->labels, walk, site->name, sizeof(site->name));
		element->class_name = site->system.sequence.classes[walk->record->class];
		break;
	case FATHOM_ELEMENT_PROCESS:
		rank = fathom_labels_rank(&site->labels, walk->before.processes);
		element->kind = FATHOM_CUBE_GROUP;
		element->rank = rank;
		fathom_format(site->name, sizeof(site->name), site->is_parallel ? "MPI Rank %u" : "Process", rank);
		element->name = site->name;
		element->class_name = "process";
		site->in_process = 0;
		break;
	case FATHOM_ELEMENT_LOCATION:
		element->kind = FATHOM_CUBE_LOCATION;
		element->rank = site->in_process++;
		element->name = fathom_walk_name(walk, site->name, sizeof(site->name));
		element->class_name = "thread";
		element->threads = fathom_walk_threads(walk);
		break;
	}
	return true;
}

const struct fathom_cube_system *fathom_site_elements(struct fathom_site *site)
{
	fathom_walk_begin(&site->walk, &site->system.sequence);
	site->elements = (struct fathom_cube_system){ next_element, site };
	return &site->elements;
}

void fathom_site_fini(struct fathom_site *site)
{
	fathom_labels_fini(&site->labels);
	fathom_system_fini(&site->system);
}
