#include "tools/report/task_constructs.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

enum fathom_use fathom_use_of(const struct fathom_cube_region *region)
{
	enum fathom_activity activity = region->activity;

	if (fathom_activity_within(activity, FATHOM_ACTIVITY_COMPUTATION))
		return FATHOM_USE_WORK;
	if (fathom_activity_within(activity, FATHOM_ACTIVITY_OMP_BARRIER) || activity == FATHOM_ACTIVITY_OMP_TASKWAIT ||
	    activity == FATHOM_ACTIVITY_PTHREAD_BARRIER || activity == FATHOM_ACTIVITY_PTHREAD_CONDITION)
		return FATHOM_USE_BARRIER;
	if (activity == FATHOM_ACTIVITY_OMP_CRITICAL || activity == FATHOM_ACTIVITY_OMP_LOCK ||
	    activity == FATHOM_ACTIVITY_OMP_ORDERED || fathom_activity_within(activity, FATHOM_ACTIVITY_PTHREAD_SYNC))
		return FATHOM_USE_LOCK;
	if (strcmp(region->role, "thread wait") == 0)
		return FATHOM_USE_BARRIER;
	if (fathom_activity_within(activity, FATHOM_ACTIVITY_OMP) ||
	    fathom_activity_within(activity, FATHOM_ACTIVITY_PTHREAD))
		return FATHOM_USE_MANAGEMENT;
	return FATHOM_USE_OTHER;
}

int32_t fathom_tasks_stub(const struct fathom_tasks *tasks, const struct fathom_profile *profile, uint32_t cnode)
{
	if (profile->in_tasks[cnode] || profile->first_child[cnode] != profile->first_child[cnode + 1])
		return -1;
	return tasks->of_region[profile->cube->cnodes[cnode].region];
}

double fathom_task_work(const struct fathom_task_construct *construct)
{
	return construct->instances > 0 ? construct->use[FATHOM_USE_WORK] / construct->instances : 0;
}

double fathom_task_creation(const struct fathom_task_construct *construct)
{
	return construct->created > 0 ? construct->creation_seconds / construct->created : 0;
}

/* --- instances ----------------------------------------------------------------------------- */

/* Returns whether a call path is a child of the root of the tree of tasks. */
static bool is_construct(const struct fathom_profile *profile, uint32_t cnode)
{
	int32_t parent = profile->cube->cnodes[cnode].parent, head;

	if (!profile->in_tasks[cnode] || parent < 0 || !profile->in_tasks[parent])
		return false;
	head = profile->cube->cnodes[parent].parent;
	return head < 0 || !profile->in_tasks[head];
}

/* Reads the shortest and longest instance. Some files have 0 for a thread without instances, others sums of minima. */
static int read_extremes(struct fathom_profile *profile, uint32_t cnode, struct fathom_task_construct *construct)
{
	int32_t least = fathom_cube_metric_by_name(profile->cube, "min_time");
	int32_t most = fathom_cube_metric_by_name(profile->cube, "max_time");
	uint32_t count = profile->cube->location_count, l;
	double *threads = fathom_tool_alloc(count, sizeof(double)), *row = fathom_tool_alloc(count, sizeof(double));
	int err = 0;

	if (least < 0 || most < 0 || profile->cube->metrics[least].dtype != FATHOM_CUBE_MINDOUBLE ||
	    profile->cube->metrics[most].dtype != FATHOM_CUBE_MAXDOUBLE)
		goto out;
	err = fathom_threads_row(profile, cnode, threads);
	if (!err)
		err = fathom_profile_own_row(profile, (uint32_t)least, cnode, row);
	for (l = profile->first_location; !err && l < profile->location_end; l++)
		if (threads[l] > 0 && !fathom_value_is_never(row[l]))
			construct->least = fmin(construct->least, row[l]);
	if (!err)
		err = fathom_profile_own_row(profile, (uint32_t)most, cnode, row);
	for (l = profile->first_location; !err && l < profile->location_end; l++)
		if (threads[l] > 0 && !fathom_value_is_never(row[l]))
			construct->most = fmax(construct->most, row[l]);
out:
	free(row);
	free(threads);
	return err;
}

static bool are_believable(const struct fathom_task_construct *construct)
{
	double average = construct->instances > 0 ? construct->seconds / construct->instances : 0;

	return construct->least <= average * (1 + 1e-9) && construct->most >= average * (1 - 1e-9);
}

static int add_instances(struct fathom_tasks *tasks, struct fathom_profile *profile, uint32_t cnode,
			 const struct fathom_values *time, const struct fathom_values *visits)
{
	uint32_t region = profile->cube->cnodes[cnode].region, c;
	struct fathom_task_construct *construct;

	if (tasks->of_region[region] < 0) {
		tasks->of_region[region] = (int32_t)tasks->count;
		tasks->constructs[tasks->count++] =
			(struct fathom_task_construct){ .region = region, .least = DBL_MAX, .most = -DBL_MAX };
	}
	construct = &tasks->constructs[tasks->of_region[region]];
	construct->instances += visits->own ? visits->own[cnode] : 0;
	for (c = cnode; c < profile->subtree_end[cnode]; c++) {
		construct->seconds += time->own[c];
		construct->use[fathom_use_of(fathom_profile_region(profile, c))] += time->own[c];
	}
	return read_extremes(profile, cnode, construct);
}

/* --- creation and stubs ------------------------------------------------------------------------ */

/* Returns the place in the name of a construct: the end of the name, from "@" on. */
static const char *place_of(const struct fathom_cube_region *region)
{
	const char *at = strrchr(region->name, '@');

	return at ? at : "";
}

/* Returns the construct whose tasks a region creates; -1: the region creates none. */
static int32_t created_by(const struct fathom_tasks *tasks, const struct fathom_profile *profile,
			  const struct fathom_cube_region *region)
{
	uint32_t i;

	if (strcmp(region->role, "task create") != 0)
		return -1;
	for (i = 0; i < tasks->count; i++) {
		const struct fathom_cube_region *task = &profile->cube->regions[tasks->constructs[i].region];

		if (strcmp(place_of(task), place_of(region)) == 0 && strcmp(task->file, region->file) == 0)
			return (int32_t)i;
	}
	return tasks->count == 1 ? 0 : -1;	/* without places it can only be the one construct */
}

static void add_creation(struct fathom_tasks *tasks, const struct fathom_profile *profile, uint32_t cnode,
			 const struct fathom_values *time, const struct fathom_values *visits)
{
	int32_t of = created_by(tasks, profile, fathom_profile_region(profile, cnode));
	uint32_t c;

	if (of < 0)
		return;
	tasks->constructs[of].created += visits->own ? visits->own[cnode] : 0;
	/* A task that runs at once, inside its creation, is not part of the creation's time. */
	for (c = cnode; c < profile->subtree_end[cnode]; c++)
		if (fathom_tasks_stub(tasks, profile, c) < 0)
			tasks->constructs[of].creation_seconds += time->own[c];
}

struct stub {
	uint32_t construct, region;	/* the construct of the tasks, and the region in which they ran */
	double seconds;
};

static int by_place(const void *a, const void *b)
{
	const struct stub *x = a, *y = b;

	if (x->construct != y->construct)
		return x->construct < y->construct ? -1 : 1;
	return x->region < y->region ? -1 : x->region > y->region;
}

/* Keeps a place if it is among the longest ones of a construct. */
static void add_place(struct fathom_task_construct *construct, struct fathom_task_place place)
{
	uint32_t i;

	for (i = 0; i < construct->place_count; i++)
		if (place.seconds > construct->places[i].seconds) {
			struct fathom_task_place less = construct->places[i];

			construct->places[i] = place;
			place = less;
		}
	if (construct->place_count < FATHOM_TASK_PLACES && place.seconds > 0)
		construct->places[construct->place_count++] = place;
}

/* Finds the regions in which tasks ran. */
static void find_places(struct fathom_tasks *tasks, const struct fathom_profile *profile,
			const struct fathom_values *time, const struct fathom_values *visits)
{
	struct stub *stubs = fathom_tool_alloc(profile->cube->cnode_count, sizeof(*stubs));
	uint32_t c, count = 0, i, k;

	for (c = 0; c < profile->cube->cnode_count; c++) {
		int32_t of = fathom_tasks_stub(tasks, profile, c), parent = profile->cube->cnodes[c].parent;

		if (of < 0 || parent < 0)
			continue;
		tasks->constructs[of].pieces += visits->own ? visits->own[c] : 0;
		tasks->constructs[of].stub_seconds += time->own[c];
		stubs[count++] = (struct stub){ (uint32_t)of, profile->cube->cnodes[parent].region, time->own[c] };
	}
	qsort(stubs, count, sizeof(*stubs), by_place);
	for (i = 0; i < count; i = k) {
		struct fathom_task_place place = { stubs[i].region, 0 };

		for (k = i; k < count && by_place(&stubs[i], &stubs[k]) == 0; k++)
			place.seconds += stubs[k].seconds;
		add_place(&tasks->constructs[stubs[i].construct], place);
	}
	free(stubs);
}

static int by_cost(const void *a, const void *b)
{
	const struct fathom_task_construct *x = a, *y = b;
	double left = x->seconds + x->creation_seconds, right = y->seconds + y->creation_seconds;

	if (left != right)
		return left < right ? 1 : -1;
	return x->region < y->region ? -1 : x->region > y->region;
}

int fathom_tasks_init(struct fathom_tasks *tasks, struct fathom_profile *profile, const struct fathom_values *time,
		      const struct fathom_values *visits)
{
	uint32_t room = profile->cube->region_count, c, i;
	int err = 0;

	memset(tasks, 0, sizeof(*tasks));
	tasks->constructs = fathom_tool_alloc(room, sizeof(*tasks->constructs));
	tasks->of_region = fathom_tool_alloc(room, sizeof(*tasks->of_region));
	memset(tasks->of_region, 0xff, room * sizeof(*tasks->of_region));	/* -1 */
	for (c = 0; !err && c < profile->cube->cnode_count; c++)
		if (is_construct(profile, c))
			err = add_instances(tasks, profile, c, time, visits);
	for (c = 0; !err && c < profile->cube->cnode_count; c++)
		add_creation(tasks, profile, c, time, visits);
	if (!err)
		find_places(tasks, profile, time, visits);
	for (i = 0; !err && i < tasks->count; i++) {
		if (!are_believable(&tasks->constructs[i])) {
			tasks->constructs[i].least = DBL_MAX;
			tasks->constructs[i].most = -DBL_MAX;
		}
	}
	qsort(tasks->constructs, tasks->count, sizeof(*tasks->constructs), by_cost);
	for (i = 0; i < tasks->count; i++)
		tasks->of_region[tasks->constructs[i].region] = (int32_t)i;
	if (err)
		fathom_tasks_fini(tasks);
	return err;
}

void fathom_tasks_fini(struct fathom_tasks *tasks)
{
	free(tasks->constructs);
	free(tasks->of_region);
	memset(tasks, 0, sizeof(*tasks));
}
