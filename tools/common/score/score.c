#include "tools/common/score/score.h"

#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/hash_index.h"
#include "tools/common/score/score_counters.h"
#include "tools/common/score/score_filter.h"
#include "tools/common/score/score_size.h"

/* --- names ------------------------------------------------------------------------------------------- */

struct wanted {
	const char *name, *paradigm;
};

static bool is_called(const void *things, uint32_t number, const void *what)
{
	const struct fathom_score *score = things;
	const struct wanted *wanted = what;
	const struct fathom_cube_region *region = &score->profile.cube->regions[score->names[number].region];

	return strcmp(fathom_score_linker_name(region), wanted->name) == 0 &&
	       strcmp(region->paradigm, wanted->paradigm) == 0;
}

static void find_names(struct fathom_score *score)
{
	const struct fathom_cube *cube = score->profile.cube;
	struct fathom_index index = { 0 };

	score->names = fathom_tool_alloc(cube->region_count, sizeof(*score->names));
	score->name_of = fathom_tool_alloc(cube->region_count, sizeof(uint32_t));
	for (uint32_t r = 0; r < cube->region_count; r++) {
		const struct fathom_cube_region *region = &cube->regions[r];
		struct wanted wanted = { fathom_score_linker_name(region), region->paradigm };
		uint64_t hash = fathom_index_hash_text(fathom_index_hash_text(0, wanted.name), wanted.paradigm);
		int64_t name = fathom_index_find(&index, hash, is_called, score, &wanted);

		if (name < 0) {
			name = score->name_count++;
			score->names[name].region = r;
			score->names[name].can_drop = strcmp(region->paradigm, "compiler") == 0 &&
						     *wanted.name && !strpbrk(wanted.name, "\r\n") &&
						     !strpbrk(region->name, "\r\n");
			fathom_index_add(&index, hash, (uint32_t)name);
		}
		score->name_of[r] = (uint32_t)name;
	}
	fathom_index_fini(&index);
}

/* Returns whether a region communicates or synchronizes itself; its callers lead to communication. */
static bool is_communication(const struct fathom_cube_region *region)
{
	static const char *const paradigms[] = { "mpi", "openmp", "pthread", "shmem", "cuda", "opencl", "openacc",
						 "hip" };

	for (size_t i = 0; i < sizeof(paradigms) / sizeof(paradigms[0]); i++)
		if (strcmp(region->paradigm, paradigms[i]) == 0)
			return true;
	return false;
}

static void find_relevant(struct fathom_score *score)
{
	const struct fathom_cube *cube = score->profile.cube;
	bool *leads = fathom_tool_alloc(cube->cnode_count, sizeof(bool));

	for (uint32_t c = cube->cnode_count; c-- > 0;) {	/* call paths below a call path have greater numbers */
		leads[c] |= is_communication(fathom_profile_region(&score->profile, c));
		if (!leads[c])
			continue;
		score->names[score->name_of[cube->cnodes[c].region]].relevant = true;
		if (cube->cnodes[c].parent >= 0)
			leads[cube->cnodes[c].parent] = true;
	}
	free(leads);
}

/* --- adding up --------------------------------------------------------------------------------------- */

static void add(struct fathom_score_cost *sum, struct fathom_score_cost cost)
{
	sum->events += cost.events;
	sum->bytes += cost.bytes;
}

/* Lists the processes. The file may have groups that are no processes. */
static void find_processes(struct fathom_score *score)
{
	const struct fathom_cube *cube = score->profile.cube;

	score->process_count = cube->group_count;
	score->processes = fathom_tool_alloc(cube->group_count, sizeof(*score->processes));
	for (uint32_t g = 0; g < cube->group_count; g++)
		score->processes[g].rank = cube->groups[g].rank;
	for (uint32_t l = 0; l < cube->location_count; l++)
		score->processes[fathom_cube_location_group(cube, l)].locations++;
}

static void judge_path(struct fathom_score *score, const struct fathom_score_rows *rows, uint32_t cnode)
{
	const struct fathom_cube *cube = score->profile.cube;
	const struct fathom_cube_region *region = fathom_profile_region(&score->profile, cnode);
	struct fathom_score_name *name = &score->names[score->name_of[cube->cnodes[cnode].region]];
	unsigned kind = fathom_activity_kind_of(fathom_profile_activity(&score->profile, region));

	for (uint32_t l = 0; l < cube->location_count; l++) {
		struct fathom_score_process *process = &score->processes[fathom_cube_location_group(cube, l)];
		struct fathom_score_values facts = fathom_score_values(rows, l);
		struct fathom_score_cost cost = fathom_score_judge(score, cnode, &facts);

		add(&name->cost, cost);
		add(&process->cost, cost);
		process->kinds[kind] += cost.bytes;
		score->kinds[kind] += cost.bytes;
		score->kind_events[kind] += cost.events;
		if (score->shapes[cnode] != FATHOM_SCORE_NONE)
			name->visits += facts.visits;
	}
}

static int judge_all(struct fathom_score *score)
{
	const struct fathom_cube *cube = score->profile.cube;
	struct fathom_score_rows rows;
	int err = 0;

	fathom_score_rows_init(score, &rows);
	for (uint32_t c = 0; !err && c < cube->cnode_count; c++)
		if (fathom_score_read(score, &rows, c, &err))
			judge_path(score, &rows, c);
	fathom_score_rows_fini(&rows);
	for (uint32_t g = 0; g < score->process_count; g++) {
		struct fathom_score_process *process = &score->processes[g];

		process->cost.bytes += process->locations *
				       fathom_score_frame(process->cost.bytes / fmax(process->locations, 1));
		process->rest = process->cost.bytes;
		add(&score->total, process->cost);
		if (process->cost.bytes > score->processes[score->largest].cost.bytes)
			score->largest = g;
	}
	return err;
}

/* Adds the inclusive time of each name. Of a recursion only the outermost call paths count: they contain the others. */
static void add_times(struct fathom_score *score, const double *inclusive)
{
	const struct fathom_profile *profile = &score->profile;
	const struct fathom_cube *cube = profile->cube;
	uint32_t *active = fathom_tool_alloc(score->name_count, sizeof(uint32_t)), depth = 0;
	uint32_t *path = fathom_tool_alloc(cube->cnode_count, sizeof(uint32_t));

	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		uint32_t name = score->name_of[cube->cnodes[c].region];

		while (depth > 0 && profile->subtree_end[path[depth - 1]] <= c)
			active[score->name_of[cube->cnodes[path[--depth]].region]]--;
		if (!active[name])
			score->names[name].seconds += inclusive[c];
		active[name]++;
		path[depth++] = c;
	}
	free(path);
	free(active);
}

static int read_times(struct fathom_score *score)
{
	struct fathom_values time;
	int err;

	if (score->profile.time < 0)
		return 0;
	err = fathom_profile_values(&score->profile, (uint32_t)score->profile.time, &time);
	if (err)
		return err;
	add_times(score, time.inclusive);
	fathom_values_free(&time);
	return 0;
}

static const struct fathom_score_name *sorted;

static int by_bytes(const void *a, const void *b)
{
	const struct fathom_score_name *x = &sorted[*(const uint32_t *)a], *y = &sorted[*(const uint32_t *)b];

	if (x->cost.bytes != y->cost.bytes)
		return x->cost.bytes < y->cost.bytes ? 1 : -1;
	return x < y ? -1 : x > y;
}

static void sort_names(struct fathom_score *score)
{
	score->order = fathom_tool_alloc(score->name_count, sizeof(uint32_t));
	for (uint32_t n = 0; n < score->name_count; n++)
		score->order[n] = n;
	sorted = score->names;
	qsort(score->order, score->name_count, sizeof(uint32_t), by_bytes);
}

/* --- the whole --------------------------------------------------------------------------------------- */

int fathom_score_analyse(struct fathom_score *score)
{
	int err;

	if (score->profile.visits < 0) {
		fathom_tool_error("%s: does not say how often regions were visited (metric visits)",
				  score->profile.path);
		return -EINVAL;
	}
	find_names(score);
	find_processes(score);
	find_relevant(score);
	err = fathom_score_counters(score);
	if (!err)
		err = fathom_score_prepare(score);
	if (!err)
		err = judge_all(score);
	if (!err)
		err = read_times(score);
	if (err)
		return err;
	sort_names(score);
	return score->rules.count ? fathom_score_apply(score) : fathom_score_choose(score);
}

void fathom_score_fini(struct fathom_score *score)
{
	free(score->shapes);
	free(score->name_of);
	free(score->names);
	free(score->order);
	free(score->processes);
	fathom_score_counters_fini(score);
	fathom_profile_close(&score->profile);
}
