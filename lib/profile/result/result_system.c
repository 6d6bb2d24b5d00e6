#include "profile/result/result_system.h"

#include <errno.h>
#include <string.h>

#include "platform/arena.h"
#include "platform/log.h"
#include "system/system_path.h"

static struct {
	const char *tree;
	struct fathom_system_options options;
} chosen;

void fathom_result_system_choose(const char *tree, uint64_t split)
{
	chosen.tree = tree;
	chosen.options.split = split;
}

/* Returns the labels of this process's locations. NULL: no memory. */
static struct fathom_location_label *own_labels(struct fathom_arena *arena, const struct fathom_union *u,
						const struct fathom_process_tree *process)
{
	uint32_t count = u->own.location_count;
	struct fathom_location_label *labels = fathom_arena_alloc(arena, ((size_t)count + 1) * sizeof(*labels));
	size_t bytes;
	const char *text = labels ? fathom_aggregate_names(&u->own, arena, process, &bytes) : NULL;

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

int fathom_result_system_find(struct fathom_result_system *system, const struct fathom_union *u,
			      const struct fathom_process_tree *process, struct fathom_comm *comm,
			      const struct fathom_result *result)
{
	const struct fathom_system_path_source source = {
		.host = result->host, .tree = chosen.tree, .rank = (uint32_t)result->rank,
	};
	struct fathom_arena arena = { 0 };
	struct fathom_location_label *labels = u->err ? NULL : own_labels(&arena, u, process);
	char room[FATHOM_PATH_BYTES];
	struct fathom_system_path place;
	int err;

	memset(system, 0, sizeof(*system));
	system->is_parallel = result->parallel;
	fathom_system_path_find(&place, room, &source);
	err = fathom_system_build(&system->system, labels ? &place : NULL, labels,
				  labels ? u->own.location_count : 0, comm, &chosen.options);
	if (!err) {
		err = fathom_labels_collect(&system->labels, &system->system, &place, source.rank, comm,
					    &chosen.options);
		if (err)
			fathom_system_fini(&system->system);
	}
	fathom_arena_fini(&arena);
	return err;
}

/* Sets *element to the next element of the tree. False: it was the last. */
static bool next_element(void *context, struct fathom_cube_element *element)
{
	struct fathom_result_system *system = context;
	struct fathom_walk *walk = &system->walk;
	uint32_t rank;

	if (!fathom_walk_next(walk))
		return false;
	memset(element, 0, sizeof(*element));
	element->depth = (uint32_t)walk->depth;
	switch ((enum fathom_element)walk->record->kind) {
	case FATHOM_ELEMENT_NODE:
		element->kind = FATHOM_CUBE_NODE;
		element->name = fathom_labels_node(&system->labels, walk, system->name, sizeof(system->name));
		element->class_name = system->system.sequence.classes[walk->record->class];
		break;
	case FATHOM_ELEMENT_PROCESS:
		rank = fathom_labels_rank(&system->labels, walk->before.processes);
		element->kind = FATHOM_CUBE_GROUP;
		element->rank = rank;
		fathom_format(system->name, sizeof(system->name), system->is_parallel ? "MPI Rank %u" : "Process",
			      rank);
		element->name = system->name;
		element->class_name = "process";
		system->in_process = 0;
		break;
	case FATHOM_ELEMENT_LOCATION:
		element->kind = FATHOM_CUBE_LOCATION;
		element->rank = system->in_process++;
		element->name = fathom_walk_name(walk, system->name, sizeof(system->name));
		element->class_name = "thread";
		element->threads = fathom_walk_threads(walk);
		break;
	}
	return true;
}

const struct fathom_cube_system *fathom_result_system_elements(struct fathom_result_system *system)
{
	fathom_walk_begin(&system->walk, &system->system.sequence);
	system->elements = (struct fathom_cube_system){ next_element, system };
	return &system->elements;
}

void fathom_result_system_fini(struct fathom_result_system *system)
{
	fathom_labels_fini(&system->labels);
	fathom_system_fini(&system->system);
}
