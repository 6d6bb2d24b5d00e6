#include "tools/fold/folds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "folding/duration_modes.h"
#include "tools/common/command.h"

/* --- making ------------------------------------------------------------------------------------------- */

static void find_counters(struct fathom_folds *folds)
{
	const struct fathom_otf2_defs *defs = &folds->trace->defs;
	size_t members = fathom_otf2_count(defs, FATHOM_OTF2_MEMBER);

	folds->instructions = folds->cycles = -1;
	folds->counters = fathom_tool_alloc(members + 1, sizeof(*folds->counters));
	for (size_t m = 0; m < members; m++) {
		const struct fathom_otf2_typed *member = fathom_otf2_at(defs, FATHOM_OTF2_MEMBER, m);
		const char *name = fathom_otf2_text(defs, member->name);
		bool is_known = false;

		for (uint32_t c = 0; c < folds->counter_count; c++)
			is_known |= strcmp(folds->counters[c].name, name) == 0;
		if (is_known || member->mode != OTF2_METRIC_ACCUMULATED_START)
			continue;
		if (strcmp(name, "PAPI_TOT_INS") == 0 || strcmp(name, "perf::INSTRUCTIONS") == 0)
			folds->instructions = (int32_t)folds->counter_count;
		if (strcmp(name, "PAPI_TOT_CYC") == 0 || strcmp(name, "perf::CYCLES") == 0)
			folds->cycles = (int32_t)folds->counter_count;
		folds->counters[folds->counter_count++] = (struct fathom_fold_counter){
			name, fathom_otf2_text(defs, member->unit), member->factor,
		};
	}
}

/* Adds a fold for each mode of a subject; modes: of its instances. */
static void add_folds(struct fathom_folds *folds, const struct fathom_instances *instances, uint32_t subject,
		      uint32_t mode_count)
{
	size_t room = folds->count;

	for (uint32_t mode = 1; mode <= mode_count; mode++) {
		struct fathom_fold *fold;

		if (folds->count == room)
			folds->folds = fathom_tool_grow(folds->folds, folds->count, &room, sizeof(*folds->folds));
		fold = &folds->folds[folds->count++];
		*fold = (struct fathom_fold){
			.name = instances->names[subject], .subject = subject, .mode = mode, .modes = mode_count,
		};
		fold->counters = fathom_tool_alloc(folds->counter_count + 1, sizeof(*fold->counters));
		fathom_table_init(&fold->place_table, sizeof(struct fathom_folded_place));
	}
}

/* Divides the instances of a subject into modes. */
static void divide(struct fathom_folds *folds, struct fathom_instances *instances, uint32_t subject,
		   double *durations, uint32_t *modes)
{
	const struct fathom_otf2_defs *defs = &folds->trace->defs;
	uint32_t first = folds->count, mode_count;
	uint64_t left_out = 0;
	size_t count = 0;

	for (size_t i = 0; i < instances->count; i++)
		if (instances->list[i].subject == subject)
			durations[count++] = (double)(instances->list[i].end - instances->list[i].begin);
	if (fathom_duration_modes_find(durations, count, modes, &mode_count))
		fathom_tool_out_of_memory(count * sizeof(*durations));
	add_folds(folds, instances, subject, mode_count);
	for (size_t i = 0, n = 0; i < instances->count; i++) {
		struct fathom_instance *instance = &instances->list[i];

		if (instance->subject != subject)
			continue;
		if (modes[n] != FATHOM_NO_MODE) {
			struct fathom_fold *fold = &folds->folds[first + modes[n] - 1];

			instance->fold = first + modes[n] - 1;
			fold->instances++;
			fold->seconds += fathom_otf2_seconds(defs, durations[n]);
		} else {
			left_out++;
		}
		n++;
	}
	for (uint32_t f = first; f < folds->count; f++)
		folds->folds[f].left_out = left_out;
}

static void count_threads(struct fathom_folds *folds, const struct fathom_instances *instances)
{
	uint32_t *last = fathom_tool_alloc((size_t)folds->count + 1, sizeof(*last));	/* by fold: location + 1 */

	for (size_t i = 0; i < instances->count; i++) {		/* sorted by location */
		uint32_t f = instances->list[i].fold;

		if (f == FATHOM_NO_FOLD || last[f] == instances->list[i].location + 1)
			continue;
		last[f] = instances->list[i].location + 1;
		folds->folds[f].threads++;
	}
	free(last);
}

void fathom_folds_make(struct fathom_folds *folds, struct fathom_otf2_archive *trace,
		       struct fathom_instances *instances)
{
	double *durations = fathom_tool_alloc(instances->count + 1, sizeof(*durations));
	uint32_t *modes = fathom_tool_alloc(instances->count + 1, sizeof(*modes));

	*folds = (struct fathom_folds){ .trace = trace };
	find_counters(folds);
	for (uint32_t s = 0; s < instances->subject_count; s++)
		if (instances->names[s])
			divide(folds, instances, s, durations, modes);
	count_threads(folds, instances);
	free(durations);
	free(modes);
}

void fathom_folds_fini(struct fathom_folds *folds)
{
	for (uint32_t f = 0; f < folds->count; f++) {
		free(folds->folds[f].counters);
		free(folds->folds[f].places);
		fathom_table_fini(&folds->folds[f].place_table);
	}
	free(folds->folds);
	free(folds->counters);
	*folds = (struct fathom_folds){ 0 };
}

/* --- the end ------------------------------------------------------------------------------------------ */

static int by_samples(const void *a, const void *b)
{
	const struct fathom_folded_place *x = *(struct fathom_folded_place *const *)a;
	const struct fathom_folded_place *y = *(struct fathom_folded_place *const *)b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->entry.key[0] != y->entry.key[0])
		return x->entry.key[0] < y->entry.key[0] ? -1 : 1;
	return x->entry.key[1] < y->entry.key[1] ? -1 : x->entry.key[1] > y->entry.key[1];
}

void fathom_folds_finish(struct fathom_folds *folds)
{
	for (uint32_t f = 0; f < folds->count; f++) {
		struct fathom_fold *fold = &folds->folds[f];
		void *place = NULL;

		for (uint32_t c = 0; c < folds->counter_count; c++)
			if (fold->counters[c].instances >= FATHOM_LEAST_INSTANCES && fold->counters[c].sum > 0)
				fathom_monotone_fit(&fold->counters[c].fit, &fold->counters[c].points);
		fold->places = fathom_tool_alloc(fold->place_table.count + 1, sizeof(*fold->places));
		while ((place = fathom_table_next(&fold->place_table, place)) != NULL)
			fold->places[fold->place_count++] = place;
		if (fold->place_count)
			qsort(fold->places, fold->place_count, sizeof(*fold->places), by_samples);
	}
}

double fathom_fold_duration(const struct fathom_fold *fold)
{
	return fold->instances ? fold->seconds / (double)fold->instances : 0;
}

double fathom_folded_mean(const struct fathom_folded_counter *counter)
{
	return counter->instances ? counter->sum / (double)counter->instances : 0;
}

double fathom_fold_rate(const struct fathom_fold *fold, uint32_t counter, double x)
{
	const struct fathom_fit *fit = &fold->counters[counter].fit;
	uint32_t s = 0;

	if (fit->segments == 0)
		return NAN;
	while (s + 1 < fit->segments && x > fit->x[s + 1])
		s++;
	return fathom_fit_slope(fit, s) * fathom_folded_mean(&fold->counters[counter]) / fathom_fold_duration(fold);
}
