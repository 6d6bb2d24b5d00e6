#include "made_ranks.h"

#include <stdio.h>
#include <stdlib.h>

#include "unit_test.h"
#include "define/region.h"

/* --- regions ----------------------------------------------------------------------------------- */

static const struct {
	struct fathom_region region;
	const char *name;	/* in the file */
	const char *metrics;
} made[] = {
#define CODE(text) { .name = text, .file = "made.c", .begin_line = 7, .paradigm = FATHOM_PARADIGM_COMPILER, \
		     .role = FATHOM_ROLE_FUNCTION }
#define UNNAMED(place) { .module = "/opt/made/program", .offset = place, .paradigm = FATHOM_PARADIGM_COMPILER, \
			 .role = FATHOM_ROLE_FUNCTION }
#define CALL(text, what) { .name = text, .file = "MPI", .paradigm = FATHOM_PARADIGM_MPI, .role = FATHOM_ROLE_##what }
	{ CODE("alpha"), "alpha", " execution comp " },
	{ CODE("beta"), "beta", " execution comp " },
	{ CODE("gamma<int, 3>(char const*) & others"), "gamma<int, 3>(char const*) & others", " execution comp " },
	{ CODE("delta"), "delta", " execution comp " },
	{ CODE("epsilon"), "epsilon", " execution comp " },
	{ UNNAMED(0x1000), "resolved 0x1000", " execution comp " },
	{ UNNAMED(0x1010), "resolved 0x1010", " execution comp " },
	{ UNNAMED(0x3333), "program+0x3333", " execution comp " },	/* nobody can name this one */
	{ CALL("MPI_Send", POINT2POINT), "MPI_Send", " execution mpi mpi_communication mpi_point2point " },
	{ CALL("MPI_Allreduce", COLL_ALL2ALL), "MPI_Allreduce", " execution mpi mpi_communication mpi_collective " },
	{ CALL("MPI_Barrier", BARRIER), "MPI_Barrier", " execution mpi mpi_synchronization mpi_sync_collective " },
	{ CALL("MPI_Put", RMA), "MPI_Put", " execution mpi mpi_communication mpi_rma_communication " },
	/* From here on not by chance, only for worlds that are told what to do. */
#define FIRST_TOLD "main"
	{ CODE("main"), "main", NULL },
	{ CODE("init"), "init", NULL },
	{ CODE("extra"), "extra", NULL },
#define OPENMP(text, what) { .name = text, .file = "made.c", .begin_line = 9, .paradigm = FATHOM_PARADIGM_OPENMP, \
			     .role = FATHOM_ROLE_##what }
	{ OPENMP("parallel", PARALLEL), "parallel", NULL },
	{ OPENMP("loop", LOOP), "loop", NULL },
	{ OPENMP("barrier", IMPLICIT_BARRIER), "barrier", NULL },
	{ OPENMP("task", TASK), "task", NULL },
	{ OPENMP("critical", CRITICAL), "critical", NULL },
	/* The head of the tree of explicit tasks, as callpath.c defines it. */
	{ { .name = "TASKS", .paradigm = FATHOM_PARADIGM_OPENMP, .role = FATHOM_ROLE_ARTIFICIAL }, "TASKS", NULL },
#define COPY(place) { .name = "twin", .file = "twin.h", .begin_line = 1, .module = "/opt/made/program", .offset = place, \
		      .paradigm = FATHOM_PARADIGM_COMPILER, .role = FATHOM_ROLE_FUNCTION }
	{ COPY(0x5000), "twin", NULL },
	{ COPY(0x6000), "twin's twin", NULL },		/* its name only here: in files it is "twin", too */
};
enum { ALL_REGIONS = sizeof(made) / sizeof(*made) };
#define REGIONS made_region(FIRST_TOLD)

static const struct fathom_region *defined[ALL_REGIONS], *program;

uint32_t made_region(const char *name)
{
	for (uint32_t i = 0; i < ALL_REGIONS; i++)
		if (!strcmp(made[i].name, name))
			return i;
	fail_msg("there is no region %s", name);
	return 0;
}

uint32_t made_region_count(void)
{
	return REGIONS;
}

const char *made_region_name(uint32_t region)
{
	return made[region].name;
}

const char *made_region_metrics(uint32_t region)
{
	return made[region].metrics;
}

void made_region_resolve(struct fathom_region *region, bool may_allocate)
{
	static char names[2][32];

	(void)may_allocate;
	if (region->offset == 0x3333)
		return;
	snprintf(names[region->offset == 0x1010], sizeof(names[0]), "resolved 0x%llx",
		 (unsigned long long)region->offset);
	region->name = names[region->offset == 0x1010];
}

static void define_regions(void)
{
	struct fathom_region root = { .name = "made", .paradigm = FATHOM_PARADIGM_MEASUREMENT,
				      .role = FATHOM_ROLE_ARTIFICIAL };

	program = fathom_region_define(&root);
	for (uint32_t i = 0; i < ALL_REGIONS; i++)
		defined[i] = fathom_region_define(&made[i].region);
}

/* --- threads ----------------------------------------------------------------------------------- */

static bool has_child(const struct made_thread *thread, uint32_t parent, uint32_t region)
{
	for (uint32_t i = 1; i < thread->count; i++)
		if (thread->paths[i].parent == parent && thread->paths[i].region == region)
			return true;
	return false;
}

static void make_paths(struct made_thread *thread, const struct made_world_kind *kind, uint32_t most, uint64_t *chance)
{
	uint32_t tries = kind->is_full ? most : random_below(chance, most + 1);
	uint32_t regions = 1 + random_below(chance, REGIONS);

	thread->paths = calloc(tries + 1, sizeof(*thread->paths));
	thread->count = 1;
	for (uint32_t i = 0; i < tries; i++) {
		uint32_t parent = kind->is_deep ? thread->count - 1 : random_below(chance, thread->count);
		uint32_t region = random_below(chance, regions);

		/* In a chain the newest has no children yet: nothing to look for. */
		if (!kind->is_deep && has_child(thread, parent, region))
			continue;
		thread->paths[thread->count].parent = parent;
		thread->paths[thread->count++].region = region;
	}
}

/* From the leaves upwards: what a call path takes is its own and its children's. */
static void make_values(struct made_thread *thread, uint64_t *chance)
{
	for (uint32_t i = thread->count; i-- > 0;) {
		struct made_path *path = &thread->paths[i];
		bool is_leaf = path->inclusive_ticks == 0;

		/* Now and then nobody was there: the node is new, its first visit not counted yet. */
		path->visits = 1;
		if (i)
			path->visits = is_leaf && random_below(chance, 20) == 0 ? 0 : 1 + (next_random(chance) >> 40);
		path->min_ticks = UINT64_MAX;
		if (!path->visits)
			continue;
		path->inclusive_ticks += 1 + (next_random(chance) >> (24 + random_below(chance, 30)));
		path->min_ticks = path->inclusive_ticks / path->visits / (1 + random_below(chance, 3));
		path->max_ticks = path->inclusive_ticks / path->visits + 1 + random_below(chance, 100000);
		if (path->max_ticks > path->inclusive_ticks)	/* no visit is longer than all */
			path->max_ticks = path->inclusive_ticks;
		if (i)
			thread->paths[path->parent].inclusive_ticks += path->inclusive_ticks;
		path->has_counters = random_below(chance, 3) == 0;
		for (int c = 0; path->has_counters && c < FATHOM_COUNTER_COUNT; c++)
			if (random_below(chance, 2))
				/* The sums of times over threads are exact in a double, as seconds. */
				path->counters[c] = next_random(chance) >> (c < FATHOM_COUNTER_FIRST_TIME ? 14 : 24);
	}
}

static void make_nodes(struct made_thread *thread, const struct fathom_process_tree *snapshot)
{
	thread->nodes = aligned_alloc(FATHOM_CACHE_LINE, thread->count * sizeof(*thread->nodes));
	memset(thread->nodes, 0, thread->count * sizeof(*thread->nodes));
	for (uint32_t i = 0; i < thread->count; i++) {
		struct made_path *path = &thread->paths[i];
		struct fathom_node *node = &thread->nodes[i];

		node->region = i ? defined[path->region] : program;
		node->visits = path->visits;
		node->inclusive_ticks = node->total_ticks = path->inclusive_ticks;
		node->min_ticks = path->min_ticks;
		node->max_ticks = path->max_ticks;
		node->tally = path->has_counters ? (struct fathom_tally *)path->counters : NULL;
		node->snapshot_serial = snapshot->serial;
		if (i == 0)
			continue;
		node->parent = &thread->nodes[path->parent];
		node->sibling = node->parent->first_child;
		node->parent->first_child = node;
	}
}

/* --- ranks ----------------------------------------------------------------------------------- */

static void make_snapshot(struct made_rank *rank, struct fathom_tick_scale scale)
{
	struct fathom_process_tree *snapshot = &rank->snapshot;
	uint32_t most = 0;

	snapshot->location_count = rank->thread_count;
	snapshot->value_count = FATHOM_VALUE_COUNT;
	snapshot->locations = fathom_arena_alloc(&snapshot->arena, rank->thread_count * sizeof(*snapshot->locations));
	for (uint32_t t = 0; t < rank->thread_count; t++) {
		struct fathom_location *location = fathom_arena_alloc(&snapshot->arena, sizeof(*location));

		location->kind = t ? FATHOM_KIND_CREATED : FATHOM_KIND_INITIAL;
		location->number = t;
		snapshot->locations[t] = location;
	}
	snapshot->scale = scale;
	fathom_tree_init(&snapshot->tree, &snapshot->arena, program->id);
	for (uint32_t t = 0; t < rank->thread_count; t++) {
		struct made_thread *thread = &rank->threads[t];

		make_nodes(thread, snapshot);
		most += thread->count;
		for (uint32_t i = 1; i < thread->count; i++)
			thread->nodes[i].snapshot_node =
				fathom_tree_child(&snapshot->tree, thread->nodes[i].parent->snapshot_node,
						  thread->nodes[i].region->id);
		for (uint32_t i = 1; i < thread->count; i++)
			snapshot->totals.events += thread->paths[i].visits;
	}
	snapshot->totals.dropped[FATHOM_DROP_NODES] = most;
	snapshot->nodes = fathom_arena_alloc(&snapshot->arena, (size_t)snapshot->tree.count * rank->thread_count *
								       sizeof(*snapshot->nodes));
	for (uint32_t t = 0; t < rank->thread_count; t++)
		for (uint32_t i = 0; i < rank->threads[t].count; i++) {
			struct fathom_node *node = &rank->threads[t].nodes[i];

			snapshot->nodes[(size_t)node->snapshot_node * rank->thread_count + t] = node;
		}
}

struct made_world *made_world_create(const struct made_world_kind *kind)
{
	struct made_world *world = calloc(1, sizeof(*world));
	uint64_t chance = kind->seed;

	define_regions();
	world->rank_count = kind->rank_count;
	world->ranks = calloc(kind->rank_count, sizeof(*world->ranks));
	/* From a tenth of a unit a tick to four. */
	world->scale.units_per_tick_q32 = ((uint64_t)1 << 32) / 10 + (next_random(&chance) >> 30);
	for (uint32_t r = 0; r < kind->rank_count; r++) {
		struct made_rank *rank = &world->ranks[r];

		rank->thread_count = kind->is_full ? kind->most_threads : 1 + random_below(&chance, kind->most_threads);
		rank->threads = calloc(rank->thread_count, sizeof(*rank->threads));
		snprintf(rank->host, sizeof(rank->host), "host%u", random_below(&chance, kind->host_count));
		rank->wall_units = next_random(&chance) >> 20;
		for (uint32_t t = 0; t < rank->thread_count; t++) {
			bool is_first = t == 0 && kind->first_paths;

			make_paths(&rank->threads[t], kind, is_first ? kind->first_paths : kind->most_paths, &chance);
			make_values(&rank->threads[t], &chance);
		}
		make_snapshot(rank, world->scale);
	}
	return world;
}

/* From own times to inclusive ones, and every visit as long as the others. */
static void complete(struct made_thread *thread)
{
	for (uint32_t i = thread->count; i-- > 0;) {
		struct made_path *path = &thread->paths[i];

		path->min_ticks = path->visits ? path->inclusive_ticks / path->visits : UINT64_MAX;
		path->max_ticks = path->visits ? path->min_ticks + 1 : 0;
		if (i)
			thread->paths[path->parent].inclusive_ticks += path->inclusive_ticks;
	}
}

struct made_world *made_world_told(struct made_rank *ranks, uint32_t count)
{
	struct made_world *world = calloc(1, sizeof(*world));

	define_regions();
	world->rank_count = count;
	world->ranks = ranks;
	world->scale.units_per_tick_q32 = (uint64_t)1 << 32;
	for (uint32_t r = 0; r < count; r++) {
		if (!*ranks[r].host)
			strcpy(ranks[r].host, "host");
		for (uint32_t t = 0; t < ranks[r].thread_count; t++)
			complete(&ranks[r].threads[t]);
		make_snapshot(&ranks[r], world->scale);
	}
	return world;
}

void made_world_destroy(struct made_world *world)
{
	for (uint32_t r = 0; r < world->rank_count; r++) {
		struct made_rank *rank = &world->ranks[r];

		for (uint32_t t = 0; t < rank->thread_count; t++) {
			free(rank->threads[t].paths);
			free(rank->threads[t].nodes);
		}
		free(rank->threads);
		fathom_arena_fini(&rank->snapshot.arena);
	}
	free(world->ranks);
	free(world);
}
