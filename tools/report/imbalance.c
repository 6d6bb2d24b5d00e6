#include "tools/report/imbalance.h"

#include <stdlib.h>

#include "tools/common/command.h"
#include "tools/common/profile.h"

struct fathom_imbalance fathom_imbalance_of(double time, bool visited, const struct fathom_shared_time *all)
{
	double mean = all->count ? all->sum / all->count : 0;
	struct fathom_imbalance result = { 0 };

	if (time > mean)
		result.above = time - mean;
	else
		result.below = mean - time;
	if (visited && all->visitors == 1)
		result.single = result.above;
	if (!visited && all->visitors > 0)
		result.bypass = result.below;
	if (!visited && all->visitors == 1)
		result.singularity = result.below;
	return result;
}

void fathom_imbalance_add(struct fathom_imbalance *sums, struct fathom_imbalance one)
{
	sums->above += one.above;
	sums->below += one.below;
	sums->single += one.single;
	sums->bypass += one.bypass;
	sums->singularity += one.singularity;
}

enum location_kind { LEFT_OUT, INITIAL, WORKER };

/* What is known of a call path while its values are read, three times. The first reading finds out whether threads
 * other than the initial ones visit it, the second one adds up, the third one compares. */
struct reading {
	enum { WORKERS, SUMS, COMPARISON } step;
	const uint8_t *kinds;		/* by location: enum location_kind */
	bool has_workers;
	struct fathom_shared_time all;
	struct fathom_imbalance imbalance;
	bool is_open;			/* time and visits are those of a process or thread: */
	double time, visits;
};

/* Takes the process or thread that is complete. */
static void end_one(struct reading *reading)
{
	if (reading->is_open && reading->step == SUMS) {
		reading->all.sum += reading->time;
		reading->all.count++;
		reading->all.visitors += reading->visits > 0;
	} else if (reading->is_open && reading->step == COMPARISON) {
		fathom_imbalance_add(&reading->imbalance,
				     fathom_imbalance_of(reading->time, reading->visits > 0, &reading->all));
	}
	reading->is_open = false;
	reading->time = reading->visits = 0;
}

/* Takes the values of a location: of a thread, or of a part of its process if threads are not compared. */
static void take_location(struct reading *reading, enum location_kind kind, double time, double visits)
{
	if (kind == LEFT_OUT)
		return;
	if (reading->step == WORKERS)
		reading->has_workers |= kind == WORKER && visits > 0;
	if (kind == INITIAL || reading->has_workers)
		end_one(reading);
	reading->is_open = true;
	reading->time += time;
	reading->visits += visits;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* Reads the values of a call path over the chosen locations. times and visits have room for piece values. 0, or -errno
 * after an error message. */
static int read_values(struct reading *reading, struct fathom_profile *profile, uint32_t cnode, uint32_t piece,
		       double *times, double *visits)
{
	uint32_t end = profile->cube->location_count, first, count, l;
	int err = 0;

	for (first = 0; !err && first < end; first += count) {
		count = least(piece, end - first);
		err = fathom_profile_own_part(profile, (uint32_t)profile->time, cnode, first, count, times);
		if (!err)
			err = fathom_profile_own_part(profile, (uint32_t)profile->visits, cnode, first, count, visits);
		for (l = first; !err && l < first + count; l++)
			take_location(reading, reading->kinds[l], times[l - first], visits[l - first]);
	}
	end_one(reading);
	return err;
}

/* Reads the imbalance of a call path over all chosen processes, or their threads. Rows are read in pieces, so that the
 * memory grows by a byte with each location. 0, or -errno after an error message. */
static int read_imbalance(struct fathom_imbalance *imbalance, struct fathom_profile *profile, uint32_t cnode,
			  const uint8_t *kinds, bool has_threads)
{
	uint32_t piece = least(fathom_cube_reader_piece(profile->reader, (uint32_t)profile->time),
			       fathom_cube_reader_piece(profile->reader, (uint32_t)profile->visits));
	double *times, *visits;
	struct reading reading = { .step = WORKERS, .kinds = kinds };
	int err = 0;

	/* A row that can only be read as a whole is as long as all locations. */
	if (fathom_cube_reader_piece(profile->reader, (uint32_t)profile->time) == profile->cube->location_count ||
	    fathom_cube_reader_piece(profile->reader, (uint32_t)profile->visits) == profile->cube->location_count)
		piece = profile->cube->location_count;
	times = fathom_tool_alloc(piece + 1, sizeof(*times));
	visits = fathom_tool_alloc(piece + 1, sizeof(*visits));
	if (has_threads)
		err = read_values(&reading, profile, cnode, piece, times, visits);
	for (reading.step = SUMS; !err && reading.step <= COMPARISON; reading.step++)
		err = read_values(&reading, profile, cnode, piece, times, visits);
	*imbalance = reading.imbalance;
	free(times);
	free(visits);
	return err;
}

/* Returns the kind of each location, which the caller frees. *has_threads: there are threads to compare. */
static uint8_t *location_kinds(const struct fathom_profile *profile, bool *has_threads)
{
	uint8_t *kinds = fathom_tool_alloc(profile->cube->location_count + 1, sizeof(*kinds));
	uint32_t last = UINT32_MAX, l;

	*has_threads = false;
	for (l = profile->first_location; l < profile->location_end; l++) {
		uint32_t group = fathom_cube_location_group(profile->cube, l);

		if (fathom_group_is_process(&profile->cube->groups[group]))
			kinds[l] = group == last ? WORKER : INITIAL;
		*has_threads |= kinds[l] == WORKER;
		last = group;
	}
	*has_threads &= profile->threads.aggregation == FATHOM_AGGREGATION_ALL;
	return kinds;
}

static int by_excess(const void *a, const void *b)
{
	const struct fathom_uneven *x = a, *y = b;

	if (x->imbalance.above != y->imbalance.above)
		return x->imbalance.above < y->imbalance.above ? 1 : -1;
	return x->cnode < y->cnode ? -1 : x->cnode > y->cnode;
}

struct fathom_uneven *fathom_imbalance_list(struct fathom_profile *profile, uint32_t *count)
{
	struct fathom_uneven *list = fathom_tool_alloc(profile->cube->cnode_count + 1, sizeof(*list));
	bool has_threads;
	uint8_t *kinds = location_kinds(profile, &has_threads);
	uint32_t c;

	*count = 0;
	for (c = 0; c < profile->cube->cnode_count && profile->time >= 0 && profile->visits >= 0; c++) {
		struct fathom_uneven *uneven = &list[*count];

		if (!profile->counted[c] || fathom_profile_is_program(profile, c) ||
		    !fathom_activity_within(fathom_profile_activity(profile, fathom_profile_region(profile, c)),
					    FATHOM_ACTIVITY_COMPUTATION))
			continue;
		if (read_imbalance(&uneven->imbalance, profile, c, kinds, has_threads)) {
			free(kinds);
			free(list);
			return NULL;
		}
		uneven->cnode = c;
		*count += uneven->imbalance.above > 0;
	}
	if (*count)
		qsort(list, *count, sizeof(*list), by_excess);
	free(kinds);
	return list;
}
