#include "tools/report/disabled_time.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* Reads the own values of a metric. *own becomes NULL if the file has no values or only zeros. */
static int read_own(struct fathom_profile *profile, const char *name, double **own)
{
	int32_t metric = fathom_cube_metric_by_name(profile->cube, name);
	struct fathom_values values;
	int err;

	*own = NULL;
	if (metric < 0 || !fathom_profile_can_read(&profile->cube->metrics[metric]))
		return 0;
	err = fathom_profile_values(profile, (uint32_t)metric, &values);
	if (err)
		return err;
	if (values.total > 0) {
		*own = values.own;
		values.own = NULL;
	}
	fathom_values_free(&values);
	return 0;
}

/* --- which regions call disabled regions ------------------------------------------------------------ */

/* A disabled region as one region calls it: sums over all call paths where it does. */
struct pair {
	uint32_t caller;	/* region */
	uint32_t called;	/* index of the disabled region */
	double calls;		/* with the missing ones */
	double visits;		/* visits of the caller on these call paths, with the missing ones */
};

/* With more disabled regions calls between them are not estimated, because fill_whole would take too long. */
enum { DISABLED_MOST = 1000, LEVELS = 30 };

struct sums {
	struct fathom_profile *profile;
	const struct fathom_cube *cube;
	const struct fathom_estimate *estimate;
	const double *time, *visits, *overhead;	/* own, by cnode */
	uint32_t *around;	/* by cnode: the innermost call path at or above it that is not disabled */
	double *all;		/* by cnode: seconds of disabled regions that were measured as its own time */
	uint32_t *disabled;		/* by region: 1 + index of the disabled region; 0: the region is not disabled */
	uint32_t *region;	/* by index of a disabled region */
	uint32_t disabled_count;
	double *each;		/* by index: own seconds of a visit */
	struct pair *pairs;	/* sorted by caller, then by called */
	size_t pair_count, pair_room;
	size_t *first;		/* by region: its first pair as a caller; one element more than regions */
	double *whole;		/* [disabled][disabled]: own seconds of the second in a visit of the first */
	double *whole_sum;	/* [disabled]: the sum of whole over all second ones */
	double *calls;		/* by index: calls on call paths that the file does not have, in the estimate */
};

static bool is_disabled(const struct sums *sums, uint32_t cnode)
{
	return sums->profile->counted[cnode] && sums->cube->cnodes[cnode].parent >= 0 &&
	       sums->estimate->missing[cnode] > 0;
}

static double own_seconds(const struct sums *sums, uint32_t cnode)
{
	double seconds = sums->time[cnode] - (sums->overhead ? sums->overhead[cnode] : 0);

	return seconds > 0 ? seconds : 0;
}

static int by_caller(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->caller != y->caller)
		return x->caller < y->caller ? -1 : 1;
	return x->called < y->called ? -1 : x->called > y->called;
}

/* Merges entries of the same pair, and finds the first pair of each caller. */
static void unite_pairs(struct sums *sums)
{
	size_t count = 0, i;

	qsort(sums->pairs, sums->pair_count, sizeof(*sums->pairs), by_caller);
	for (i = 0; i < sums->pair_count; i++) {
		if (count && by_caller(&sums->pairs[count - 1], &sums->pairs[i]) == 0) {
			sums->pairs[count - 1].calls += sums->pairs[i].calls;
			sums->pairs[count - 1].visits += sums->pairs[i].visits;
		} else {
			sums->pairs[count++] = sums->pairs[i];
		}
	}
	sums->pair_count = count;
	for (i = 0; i < count; i++)
		sums->first[sums->pairs[i].caller + 1]++;
	for (i = 0; i < sums->cube->region_count; i++)
		sums->first[i + 1] += sums->first[i];
}

/* Finds the disabled regions, the time of a visit of each, and how often each caller calls them. */
static void find_disabled(struct sums *sums)
{
	double *visits = fathom_tool_alloc(sums->cube->region_count, sizeof(*visits));
	uint32_t c;

	for (c = 0; c < sums->cube->cnode_count; c++) {
		const struct fathom_cube_cnode *node = &sums->cube->cnodes[c];
		uint32_t parent = (uint32_t)node->parent;

		sums->around[c] = c;
		if (!is_disabled(sums, c))
			continue;
		sums->around[c] = sums->around[parent];
		if (!sums->disabled[node->region]) {
			sums->region[sums->disabled_count] = node->region;
			sums->disabled[node->region] = ++sums->disabled_count;
		}
		visits[node->region] += sums->visits[c];
		sums->each[sums->disabled[node->region] - 1] += own_seconds(sums, c);
		sums->pairs = fathom_tool_grow(sums->pairs, sums->pair_count, &sums->pair_room, sizeof(*sums->pairs));
		sums->pairs[sums->pair_count++] = (struct pair){
			.caller = sums->cube->cnodes[parent].region,
			.called = sums->disabled[node->region] - 1,
			.calls = sums->visits[c] + sums->estimate->missing[c],
			.visits = sums->visits[parent] + sums->estimate->missing[parent],
		};
	}
	for (c = 0; c < sums->disabled_count; c++)
		sums->each[c] /= visits[sums->region[c]] > 0 ? visits[sums->region[c]] : 1;
	free(visits);
	unite_pairs(sums);
}

static double rate(const struct pair *pair)
{
	return pair->visits > 0 ? pair->calls / pair->visits : 0;
}

/* Adds with a limit, because the sums of functions that call each other may grow without bound. */
static void add(double *sum, double seconds)
{
	*sum = fmin(*sum + seconds, 1e30);
}

/*
 * Computes the time of a visit of each disabled region with the disabled regions that it calls. Each round adds a level
 * of calls.
 */
static void fill_whole(struct sums *sums)
{
	uint32_t count = sums->disabled_count, r, s;
	double *next = fathom_tool_alloc((size_t)count * count, sizeof(*next));

	for (int level = 0; level < LEVELS; level++) {
		double *whole = sums->whole;

		memset(next, 0, (size_t)count * count * sizeof(*next));
		for (r = 0; r < count; r++) {
			next[(size_t)r * count + r] = sums->each[r];
			for (size_t p = sums->first[sums->region[r]]; p < sums->first[sums->region[r] + 1]; p++)
				for (s = 0; s < count && sums->pairs[p].called != r; s++)
					add(&next[(size_t)r * count + s], rate(&sums->pairs[p]) *
					    whole[(size_t)sums->pairs[p].called * count + s]);
		}
		sums->whole = next;
		next = whole;
	}
	free(next);
	for (r = 0; r < count; r++)
		for (s = 0; s < count; s++)
			sums->whole_sum[r] += sums->whole[(size_t)r * count + s];
}

/* --- seconds that are moved -------------------------------------------------------------------------- */

/*
 * Returns the visits of a call path in which disabled regions were never recorded although its region calls them
 * elsewhere: the call path was first visited when they were disabled already.
 */
static double new_visits(const struct sums *sums, uint32_t cnode)
{
	return is_disabled(sums, cnode) ? sums->estimate->missing[cnode] : sums->visits[cnode];
}

/*
 * Estimates the seconds of disabled regions below a call path where the file has no call path of them. share: the share
 * of these calls that is added to calls.
 */
static double unseen_seconds(struct sums *sums, uint32_t cnode, const uint32_t *seen, double share)
{
	uint32_t region = sums->cube->cnodes[cnode].region;
	double seconds = 0;

	for (size_t p = sums->first[region]; p < sums->first[region + 1]; p++) {
		const struct pair *pair = &sums->pairs[p];
		double calls = rate(pair) * new_visits(sums, cnode);

		if (seen[pair->called] == cnode + 1 || calls <= 0 || sums->region[pair->called] == region)
			continue;
		seconds += calls * sums->whole_sum[pair->called];
		sums->calls[pair->called] += share * calls;
	}
	return seconds;
}

/* By call path: its first child, and its next sibling. 0: none, because call path 0 is a root. */
struct family {
	uint32_t *child, *sibling;
};

static struct family find_children(const struct fathom_cube *cube)
{
	struct family family = {
		fathom_tool_alloc(cube->cnode_count, sizeof(uint32_t)),
		fathom_tool_alloc(cube->cnode_count, sizeof(uint32_t)),
	};

	for (uint32_t c = cube->cnode_count; c-- > 0;) {
		int32_t parent = cube->cnodes[c].parent;

		if (parent < 0)
			continue;
		family.sibling[c] = family.child[parent];
		family.child[parent] = c;
	}
	return family;
}

/*
 * A function that is called more often than OFTEN and is still not disabled takes long itself: disabling it was not
 * worth it. So at least the part KEPT of its own time stays. (The estimate for disabled regions is too high, because
 * measuring disturbs small functions most.)
 */
enum { OFTEN = 100 };
#define KEPT 0.5

/* Returns which share of the time that should be moved from a call path can be moved. */
static double share_of(const struct sums *sums, uint32_t from)
{
	double there = own_seconds(sums, from) * (sums->visits[from] > OFTEN ? 1 - KEPT : 1);

	return sums->all[from] > there ? there / sums->all[from] : 1;
}

/* Walks over all call paths: first (estimate is NULL) to add up the time that should be moved, then to move it. */
static void walk(struct sums *sums, const struct family *family, struct fathom_estimate *estimate)
{
	const struct fathom_cube *cube = sums->cube;
	uint32_t *seen = fathom_tool_alloc(sums->disabled_count, sizeof(*seen));

	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		uint32_t from = sums->around[c];
		double share = estimate ? share_of(sums, from) : 0, seconds = 0;

		if (!sums->profile->counted[c])
			continue;
		for (uint32_t child = family->child[c]; child; child = family->sibling[child])
			if (sums->disabled[cube->cnodes[child].region])
				seen[sums->disabled[cube->cnodes[child].region] - 1] = c + 1;
		if (is_disabled(sums, c) && sums->visits[c] > 0)
			seconds = own_seconds(sums, c) / sums->visits[c] * sums->estimate->missing[c];
		if (estimate)
			estimate->own[c] += share * seconds;
		if (sums->whole)
			seconds += unseen_seconds(sums, c, seen, share);
		if (!estimate) {
			sums->all[from] += seconds;
		} else if (share * seconds > 0) {
			estimate->own[from] -= share * seconds;
			estimate->is_estimated[cube->cnodes[c].region] |= is_disabled(sums, c);
			estimate->is_estimated[cube->cnodes[from].region] = true;
		}
	}
	free(seen);
}

static void move_all(struct sums *sums, struct fathom_estimate *estimate)
{
	struct family family = find_children(sums->cube);

	find_disabled(sums);
	if (sums->disabled_count <= DISABLED_MOST) {
		sums->whole = fathom_tool_alloc((size_t)sums->disabled_count * sums->disabled_count,
						sizeof(*sums->whole));
		fill_whole(sums);
	}
	walk(sums, &family, NULL);
	walk(sums, &family, estimate);
	for (uint32_t r = 0; sums->whole && r < sums->disabled_count; r++)
		for (uint32_t s = 0; s < sums->disabled_count; s++)
			estimate->elsewhere[sums->region[s]] += sums->calls[r] *
								sums->whole[(size_t)r * sums->disabled_count + s];
	for (uint32_t r = 0; r < sums->cube->region_count; r++)
		estimate->is_estimated[r] |= estimate->elsewhere[r] > 0;
	free(family.child);
	free(family.sibling);
}

int fathom_estimate_init(struct fathom_estimate *estimate, struct fathom_profile *profile,
			 const struct fathom_values *time, const struct fathom_values *visits)
{
	const struct fathom_cube *cube = profile->cube;
	struct sums sums = { .profile = profile, .cube = cube, .estimate = estimate, .time = time->own,
			     .visits = visits->own };
	double *overhead;
	int err;

	memset(estimate, 0, sizeof(*estimate));
	if (!time->own || !visits->own)
		return 0;
	err = read_own(profile, "visits_missing", &estimate->missing);
	if (err || !estimate->missing)
		return err;
	err = read_own(profile, "measurement_overhead", &overhead);
	if (err) {
		fathom_estimate_fini(estimate);
		return err;
	}
	estimate->own = fathom_tool_alloc(cube->cnode_count, sizeof(*estimate->own));
	estimate->elsewhere = fathom_tool_alloc(cube->region_count, sizeof(*estimate->elsewhere));
	estimate->is_estimated = fathom_tool_alloc(cube->region_count, sizeof(*estimate->is_estimated));
	memcpy(estimate->own, time->own, cube->cnode_count * sizeof(*estimate->own));
	sums.overhead = overhead;
	sums.around = fathom_tool_alloc(cube->cnode_count, sizeof(*sums.around));
	sums.all = fathom_tool_alloc(cube->cnode_count, sizeof(*sums.all));
	sums.disabled = fathom_tool_alloc(cube->region_count, sizeof(*sums.disabled));
	sums.region = fathom_tool_alloc(cube->region_count, sizeof(*sums.region));
	sums.each = fathom_tool_alloc(cube->region_count, sizeof(*sums.each));
	sums.whole_sum = fathom_tool_alloc(cube->region_count, sizeof(*sums.whole_sum));
	sums.calls = fathom_tool_alloc(cube->region_count, sizeof(*sums.calls));
	sums.first = fathom_tool_alloc(cube->region_count + 1, sizeof(*sums.first));
	move_all(&sums, estimate);
	free(sums.around);
	free(sums.all);
	free(sums.disabled);
	free(sums.region);
	free(sums.each);
	free(sums.whole_sum);
	free(sums.calls);
	free(sums.first);
	free(sums.pairs);
	free(sums.whole);
	free(overhead);
	return 0;
}

void fathom_estimate_fini(struct fathom_estimate *estimate)
{
	free(estimate->own);
	free(estimate->elsewhere);
	free(estimate->missing);
	free(estimate->is_estimated);
	memset(estimate, 0, sizeof(*estimate));
}
