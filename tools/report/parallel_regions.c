#include "tools/report/parallel_regions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

struct pass {
	struct fathom_teams *teams;
	struct fathom_profile *profile;
	const struct fathom_tasks *tasks;
	int32_t *of_region;		/* index into teams->regions, -1: none */
	double *members;		/* [location] threads of the location that are ever in an outermost team */
	double *threads;		/* [location] threads that visited the current call path */
	double *row;			/* [location] scratch */
	double *use;			/* [location][FATHOM_USE_COUNT] seconds in the current parallel region */
	double *nested;			/* [location] seconds in parallel regions nested in it */
};

bool fathom_is_parallel(const struct fathom_cube_region *region)
{
	return strcmp(region->role, "parallel") == 0 && strcmp(region->paradigm, "openmp") == 0;
}

double fathom_team_balance(const struct fathom_team_region *region)
{
	if (!region->has_balance || !(region->uneven > 0))
		return -1;
	return region->even / region->uneven;
}

double fathom_team_savable(const struct fathom_team_region *region)
{
	return region->has_balance ? region->uneven - region->even : 0;
}

/* Returns the first location behind those of the process of location first. */
static uint32_t process_end(const struct fathom_profile *profile, uint32_t first)
{
	uint32_t end = fathom_cube_group_end(profile->cube, first);

	return end < profile->location_end ? end : profile->location_end;
}

static bool is_thread(const struct fathom_cube *cube, uint32_t location)
{
	const struct fathom_cube_location its = fathom_cube_location(cube, location);

	return strcmp(its.type, "thread") == 0 && fathom_group_is_process(&cube->groups[its.group]);
}

/* --- the use of the threads' time ------------------------------------------------------------ */

/*
 * Adds the own time of a call path to its use. The time of tasks that ran here is divided as that of all tasks of their
 * construct, because the file does not say where tasks of a construct did what.
 */
static void add_uses(const struct pass *pass, uint32_t cnode)
{
	int32_t stub = fathom_tasks_stub(pass->tasks, pass->profile, cnode);
	double share[FATHOM_USE_COUNT] = { 0 };
	uint32_t l;
	int u;

	if (stub >= 0 && pass->tasks->constructs[stub].seconds > 0)
		for (u = 0; u < FATHOM_USE_COUNT; u++)
			share[u] = pass->tasks->constructs[stub].use[u] / pass->tasks->constructs[stub].seconds;
	else
		share[fathom_use_of(fathom_profile_region(pass->profile, cnode))] = 1;
	for (l = pass->profile->first_location; l < pass->profile->location_end; l++)
		for (u = 0; u < FATHOM_USE_COUNT; u++)
			pass->use[(size_t)l * FATHOM_USE_COUNT + (size_t)u] += share[u] * pass->row[l];
}

/*
 * Reads the time of all call paths of a parallel region by use. The time of nested parallel regions is added up
 * separately, and only if with_nested, because there may be many levels of them.
 */
static int read_uses(const struct pass *pass, uint32_t cnode, bool with_nested)
{
	const struct fathom_profile *profile = pass->profile;
	uint32_t inner_end = cnode, c = cnode, l;
	int err = 0;

	memset(pass->use, 0, (size_t)profile->cube->location_count * FATHOM_USE_COUNT * sizeof(double));
	memset(pass->nested, 0, (size_t)profile->cube->location_count * sizeof(double));
	while (!err && c < profile->subtree_end[cnode]) {
		if (c != cnode && c >= inner_end && fathom_is_parallel(fathom_profile_region(profile, c)))
			inner_end = profile->subtree_end[c];
		if (c < inner_end && !with_nested) {
			c = inner_end;
			continue;
		}
		err = fathom_profile_own_row(pass->profile, (uint32_t)profile->time, c, pass->row);
		if (!err && c >= inner_end)
			add_uses(pass, c);
		for (l = profile->first_location; !err && c < inner_end && l < profile->location_end; l++)
			pass->nested[l] += pass->row[l];
		c++;
	}
	return err;
}

static double seconds_of(const struct pass *pass, uint32_t location)
{
	double seconds = 0;
	int u;

	for (u = 0; u < FATHOM_USE_COUNT; u++)
		seconds += pass->use[(size_t)location * FATHOM_USE_COUNT + (size_t)u];
	return seconds;
}

/* Adds the team of one process, locations first to end - 1, in the call path that was read. */
static void add_team(const struct pass *pass, struct fathom_team_region *region, uint32_t first, uint32_t end,
		     bool is_outermost)
{
	double threads = 0, members = 0, work = 0, most = 0, longest = 0, taken = 0;
	uint32_t l, columns = 0;

	for (l = first; l < end; l++) {
		double mine = pass->use[(size_t)l * FATHOM_USE_COUNT + FATHOM_USE_WORK];
		double all = seconds_of(pass, l) + pass->nested[l];
		double n = pass->threads[l];

		members += pass->members[l];
		taken += pass->members[l] > 0 ? all : 0;
		if (!(n > 0) || !is_thread(pass->profile->cube, l))
			continue;
		columns++;
		threads += n;
		work += mine;
		most = fmax(most, mine / n);
		longest = fmax(longest, all / n);
	}
	if (!(threads > 0))
		return;
	region->even += columns > 1 ? work : 0;
	region->uneven += columns > 1 ? threads * most : 0;
	region->has_balance |= columns > 1;
	region->least_threads = region->most_threads > 0 ? fmin(region->least_threads, threads) : threads;
	region->most_threads = fmax(region->most_threads, threads);
	if (is_outermost && members * longest > taken)
		region->idle += members * longest - taken;
}

static struct fathom_team_region *region_of(const struct pass *pass, uint32_t cnode)
{
	uint32_t region = pass->profile->cube->cnodes[cnode].region;

	if (pass->of_region[region] < 0) {
		pass->of_region[region] = (int32_t)pass->teams->count;
		pass->teams->regions[pass->teams->count++] =
			(struct fathom_team_region){ .region = region, .cnode = cnode };
	}
	return &pass->teams->regions[pass->of_region[region]];
}

static int add_region(const struct pass *pass, uint32_t cnode)
{
	const struct fathom_profile *profile = pass->profile;
	struct fathom_team_region *region = region_of(pass, cnode);
	int32_t parent = profile->cube->cnodes[cnode].parent;
	bool is_outermost = !profile->in_tasks[cnode] && (parent < 0 || !pass->teams->inside[parent]);
	double seconds = 0;
	uint32_t l, end;
	int u, err = fathom_threads_row(pass->profile, cnode, pass->threads);

	if (!err && profile->visits >= 0)
		err = fathom_profile_own_row(pass->profile, (uint32_t)profile->visits, cnode, pass->row);
	for (l = profile->first_location; !err && profile->visits >= 0 && l < profile->location_end; l++)
		region->visits += pass->row[l];
	if (!err)
		err = read_uses(pass, cnode, is_outermost);
	if (err)
		return err;
	for (l = profile->first_location; l < profile->location_end; l++) {
		seconds += seconds_of(pass, l);
		for (u = 0; u < FATHOM_USE_COUNT; u++)
			region->use[u] += pass->use[(size_t)l * FATHOM_USE_COUNT + (size_t)u];
	}
	region->seconds += seconds;
	if (seconds > region->cnode_seconds) {
		region->cnode_seconds = seconds;
		region->cnode = cnode;
	}
	for (l = profile->first_location; l < profile->location_end; l = end) {
		end = process_end(profile, l);
		add_team(pass, region, l, end, is_outermost);
	}
	return 0;
}

/* --- idle threads ----------------------------------------------------------------------------- */

/* Counts the threads that are in a team at some time: a core is reserved for each of them all the time. */
static int find_members(const struct pass *pass)
{
	const struct fathom_profile *profile = pass->profile;
	uint32_t c, l;
	int err = 0;

	for (c = 0; !err && c < profile->cube->cnode_count; c++) {
		int32_t parent = profile->cube->cnodes[c].parent;
		bool is_parallel = fathom_is_parallel(fathom_profile_region(profile, c));

		pass->teams->inside[c] = is_parallel || (parent >= 0 && pass->teams->inside[parent]);
		if (!is_parallel || profile->in_tasks[c] || (parent >= 0 && pass->teams->inside[parent]))
			continue;
		err = fathom_threads_row(pass->profile, c, pass->threads);
		for (l = profile->first_location; !err && l < profile->location_end; l++)
			if (is_thread(profile->cube, l))
				pass->members[l] = fmax(pass->members[l], pass->threads[l]);
	}
	return err;
}

/*
 * Adds the idle time of a call path outside of parallel regions: while the initial thread is in it, the other members
 * of its process are idle. If a column stands for several threads, the initial thread is taken to have spent the mean
 * time of the threads that visited the call path.
 */
static void add_idle(const struct pass *pass, bool is_program)
{
	const struct fathom_profile *profile = pass->profile;
	uint32_t first, end, l;
	double idle = 0;

	for (first = profile->first_location; first < profile->location_end; first = end) {
		double others = -1;

		end = process_end(profile, first);
		for (l = first; l < end; l++)
			others += pass->members[l];
		if (others > 0 && pass->threads[first] > 0 && is_thread(profile->cube, first))
			idle += others * pass->row[first] / pass->threads[first];
	}
	pass->teams->idle_outside += idle;
	pass->teams->idle_at_root += is_program ? idle : 0;
}

static int find_idle(const struct pass *pass)
{
	const struct fathom_profile *profile = pass->profile;
	uint32_t c;
	int err = 0;

	for (c = 0; !err && c < profile->cube->cnode_count; c++) {
		if (pass->teams->inside[c] || profile->in_tasks[c] ||
		    !fathom_cube_reader_present(profile->reader, (uint32_t)profile->time, c))
			continue;
		err = fathom_threads_row(pass->profile, c, pass->threads);
		if (!err)
			err = fathom_profile_own_row(pass->profile, (uint32_t)profile->time, c, pass->row);
		if (!err)
			add_idle(pass, fathom_profile_is_program(profile, c));
	}
	return err;
}

/* --- all parallel regions ---------------------------------------------------------------------- */

static int by_savable(const void *a, const void *b)
{
	const struct fathom_team_region *x = a, *y = b;
	double left = fathom_team_savable(x), right = fathom_team_savable(y);

	if (left != right)
		return left < right ? 1 : -1;
	if (x->seconds != y->seconds)
		return x->seconds < y->seconds ? 1 : -1;
	return x->region < y->region ? -1 : x->region > y->region;
}

static bool has_threads(const struct fathom_profile *profile)
{
	uint32_t c;

	for (c = 0; c < profile->cube->cnode_count; c++)
		if (strcmp(fathom_profile_region(profile, c)->paradigm, "openmp") == 0 ||
		    strcmp(fathom_profile_region(profile, c)->paradigm, "pthread") == 0)
			return true;
	return false;
}

int fathom_teams_init(struct fathom_teams *teams, struct fathom_profile *profile, const struct fathom_tasks *tasks)
{
	uint32_t locations = profile->cube->location_count, c;
	struct pass pass = { .teams = teams, .profile = profile, .tasks = tasks };
	int err;

	memset(teams, 0, sizeof(*teams));
	teams->inside = fathom_tool_alloc(profile->cube->cnode_count, sizeof(bool));
	teams->is_there = has_threads(profile);
	if (!teams->is_there)
		return 0;
	teams->regions = fathom_tool_alloc(profile->cube->region_count, sizeof(*teams->regions));
	pass.of_region = fathom_tool_alloc(profile->cube->region_count, sizeof(*pass.of_region));
	memset(pass.of_region, 0xff, profile->cube->region_count * sizeof(*pass.of_region));	/* -1 */
	pass.members = fathom_tool_alloc(locations, sizeof(double));
	pass.threads = fathom_tool_alloc(locations, sizeof(double));
	pass.row = fathom_tool_alloc(locations, sizeof(double));
	pass.nested = fathom_tool_alloc(locations, sizeof(double));
	pass.use = fathom_tool_alloc(locations, FATHOM_USE_COUNT * sizeof(double));
	err = find_members(&pass);
	for (c = 0; !err && c < profile->cube->cnode_count; c++)
		if (fathom_is_parallel(fathom_profile_region(profile, c)))
			err = add_region(&pass, c);
	if (!err)
		err = find_idle(&pass);
	qsort(teams->regions, teams->count, sizeof(*teams->regions), by_savable);
	free(pass.use);
	free(pass.nested);
	free(pass.row);
	free(pass.threads);
	free(pass.members);
	free(pass.of_region);
	if (err)
		fathom_teams_fini(teams);
	return err;
}

void fathom_teams_fini(struct fathom_teams *teams)
{
	free(teams->regions);
	free(teams->inside);
	memset(teams, 0, sizeof(*teams));
}
