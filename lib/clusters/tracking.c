#include "clusters/tracking.h"

#include <errno.h>
#include <stdlib.h>

/* Evidence of this share or less is none. */
static const double least_share = 0.05;

/* Above this share, the sequences decide between several places, or against other code. */
static const double clear_share = 0.5;

/* --- sets of clusters that are related, directly or through others ------------------------------------ */

static uint32_t set_of(uint32_t *sets, uint32_t element)
{
	while (sets[element] != element)
		element = sets[element] = sets[sets[element]];
	return element;
}

static void join(uint32_t *sets, uint32_t a, uint32_t b)
{
	a = set_of(sets, a);
	b = set_of(sets, b);
	if (a < b)
		sets[b] = a;
	else
		sets[a] = b;
}

/* --- the relations between two experiments ------------------------------------------------------------ */

/* The pairs of clusters of two experiments. Index 0, of noise, is not used. */
struct pair_table {
	const struct fathom_tracked_experiment *from, *to;
	struct fathom_tracking_evidence *evidence;	/* [a][b] */
	int8_t *reasons;			/* [a][b]: enum fathom_relation_reason + 1; 0: not related */
	uint32_t *of_a, *of_b;			/* by cluster: relations that it has */
	size_t width;
};

static void relate(struct pair_table *table, uint32_t a, uint32_t b, enum fathom_relation_reason reason)
{
	if (table->reasons[a * table->width + b])
		return;
	table->reasons[a * table->width + b] = (int8_t)(reason + 1);
	table->of_a[a]++;
	table->of_b[b]++;
}

static void separate(struct pair_table *table, uint32_t a, uint32_t b)
{
	table->reasons[a * table->width + b] = 0;
	table->of_a[a]--;
	table->of_b[b]--;
}

static const struct fathom_tracking_evidence *evidence_of(const struct pair_table *table, uint32_t a, uint32_t b)
{
	return &table->evidence[a * table->width + b];
}

static void relate_places(struct pair_table *table)
{
	for (uint32_t a = 1; a <= table->from->cluster_count; a++)
		for (uint32_t b = 1; b <= table->to->cluster_count; b++)
			if (evidence_of(table, a, b)->displacement > least_share &&
			    evidence_of(table, a, b)->call_stack > least_share)
				relate(table, a, b, FATHOM_RELATED_BY_PLACE);
}

/* Fills in the evidence of the sequences, in which related clusters have the same letter. */
static int align(struct pair_table *table)
{
	uint32_t from_count = table->from->cluster_count, count = from_count + table->to->cluster_count + 2;
	uint32_t *letters = malloc(count * sizeof(*letters)), *letters_to = letters ? letters + from_count + 1 : NULL;
	bool *is_shared = calloc(count, sizeof(*is_shared));
	int err = letters && is_shared ? 0 : -ENOMEM;

	for (uint32_t i = 0; !err && i < count; i++)
		letters[i] = i;
	for (uint32_t a = 1; !err && a <= from_count; a++)
		for (uint32_t b = 1; b <= table->to->cluster_count; b++)
			if (table->reasons[a * table->width + b])
				join(letters, a, from_count + 1 + b);
	for (uint32_t i = 0; !err && i < count; i++) {
		letters[i] = set_of(letters, i);
		is_shared[letters[i]] |= letters[i] != i;
	}
	if (!err)
		err = fathom_tracking_align(table->from, table->to, letters, letters_to, is_shared, count,
					    table->evidence);
	free(letters);
	free(is_shared);
	return err;
}

/* Relates clusters that have no relation yet to those at their places of the sequences, if the code is equal. Then two
 * clusters whose points are near each other, but which the sequences put elsewhere, are separated if each keeps
 * another relation. */
static void use_sequences(struct pair_table *table)
{
	for (uint32_t a = 1; a <= table->from->cluster_count; a++)
		for (uint32_t b = 1; b <= table->to->cluster_count; b++)
			if ((table->of_a[a] == 0 || table->of_b[b] == 0) &&
			    evidence_of(table, a, b)->sequence > clear_share &&
			    evidence_of(table, a, b)->call_stack > least_share)
				relate(table, a, b, FATHOM_RELATED_BY_SEQUENCE);
	for (uint32_t a = 1; a <= table->from->cluster_count; a++)
		for (uint32_t b = 1; b <= table->to->cluster_count; b++)
			if (table->reasons[a * table->width + b] && table->of_a[a] > 1 && table->of_b[b] > 1 &&
			    evidence_of(table, a, b)->sequence <= least_share)
				separate(table, a, b);
}

/* Relates clusters of which neither has a relation, by equal code, or else by their places in the sequences. */
static void relate_rest(struct pair_table *table, enum fathom_relation_reason reason)
{
	for (uint32_t a = 1; a <= table->from->cluster_count; a++) {
		uint32_t best = 0;
		double most = reason == FATHOM_RELATED_BY_CODE ? least_share : clear_share;

		for (uint32_t b = 1; table->of_a[a] == 0 && b <= table->to->cluster_count; b++) {
			const struct fathom_tracking_evidence *evidence = evidence_of(table, a, b);
			double share = reason == FATHOM_RELATED_BY_CODE ? evidence->call_stack : evidence->sequence;

			if (table->of_b[b] == 0 && share > most) {
				most = share;
				best = b;
			}
		}
		if (best)
			relate(table, a, best, reason);
	}
}

static int keep_relations(struct fathom_tracking *tracking, const struct pair_table *table, uint32_t experiment)
{
	for (uint32_t a = 1; a <= table->from->cluster_count; a++)
		for (uint32_t b = 1; b <= table->to->cluster_count; b++) {
			int reason = table->reasons[a * table->width + b];

			if (!reason)
				continue;
			if (tracking->relation_count == tracking->relation_room) {
				size_t room = tracking->relation_room ? 2 * tracking->relation_room : 64;
				struct fathom_relation *larger =
					realloc(tracking->relations, room * sizeof(*larger));

				if (!larger)
					return -ENOMEM;
				tracking->relations = larger;
				tracking->relation_room = room;
			}
			tracking->relations[tracking->relation_count++] = (struct fathom_relation){
				experiment, a, b, *evidence_of(table, a, b), (enum fathom_relation_reason)(reason - 1),
			};
		}
	return 0;
}

/* Finds the relations between an experiment and the next one. */
static int find_relations(struct fathom_tracking *tracking, const struct fathom_tracked_experiment *experiments,
			  uint32_t experiment)
{
	struct pair_table table = { .from = &experiments[experiment], .to = &experiments[experiment + 1] };
	size_t rows = (size_t)table.from->cluster_count + 1;
	int err = -ENOMEM;

	table.width = (size_t)table.to->cluster_count + 1;
	table.evidence = calloc(rows * table.width, sizeof(*table.evidence));
	table.reasons = calloc(rows * table.width, sizeof(*table.reasons));
	table.of_a = calloc(rows, sizeof(*table.of_a));
	table.of_b = calloc(table.width, sizeof(*table.of_b));
	if (table.evidence && table.reasons && table.of_a && table.of_b)
		err = fathom_tracking_compare(table.from, table.to, table.evidence);
	if (!err) {
		relate_places(&table);
		err = align(&table);
	}
	if (!err) {
		use_sequences(&table);
		relate_rest(&table, FATHOM_RELATED_BY_CODE);
		relate_rest(&table, FATHOM_RELATED_BY_SEQUENCE);
		err = keep_relations(tracking, &table, experiment);
	}
	free(table.evidence);
	free(table.reasons);
	free(table.of_a);
	free(table.of_b);
	return err;
}

/* --- tracked kinds ------------------------------------------------------------------------------------ */

/* A set of related clusters. */
struct candidate {
	uint32_t set, experiment;	/* the first experiment that has it */
	double seconds;			/* there */
};

static int by_first_duration(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->experiment != y->experiment)
		return x->experiment < y->experiment ? -1 : 1;
	if (x->seconds != y->seconds)
		return x->seconds > y->seconds ? -1 : 1;
	return x->set < y->set ? -1 : x->set > y->set;
}

/* Joins clusters of one experiment that always stand in the same columns of the aligned sequences and have equal
 * code: one phase of the program, which is not balanced. */
static int join_columns(const struct fathom_tracked_experiment *experiment, uint32_t *sets, uint32_t offset)
{
	for (uint32_t c = 1; experiment->joined && c <= experiment->cluster_count; c++) {
		double equal;

		if (experiment->joined[c] == c)
			continue;
		equal = fathom_tracking_equal_code(experiment, experiment->joined[c], c);
		if (equal < 0)
			return -ENOMEM;
		if (equal > least_share)
			join(sets, offset + experiment->joined[c], offset + c);
	}
	return 0;
}

/* Numbers the sets. sets: by all clusters of all experiments; those of an experiment begin at its offset. */
static int number_kinds(struct fathom_tracking *tracking, const struct fathom_tracked_experiment *experiments,
			const uint32_t *offsets, uint32_t *sets, uint32_t total)
{
	struct candidate *candidates = calloc((size_t)total + 1, sizeof(*candidates));
	/* By set: the number of its candidate, then that of its kind; from 1. */
	uint32_t *numbers = calloc((size_t)total + 1, sizeof(*numbers));

	if (!candidates || !numbers) {
		free(candidates);
		free(numbers);
		return -ENOMEM;
	}
	for (uint32_t e = 0; e < tracking->count; e++)
		for (uint32_t c = 1; c <= experiments[e].cluster_count; c++) {
			uint32_t set = set_of(sets, offsets[e] + c);

			if (numbers[set] == 0) {
				candidates[tracking->kind_count] = (struct candidate){ set, e, 0 };
				numbers[set] = ++tracking->kind_count;
			}
			if (candidates[numbers[set] - 1].experiment == e)
				candidates[numbers[set] - 1].seconds += experiments[e].seconds[c];
		}
	qsort(candidates, tracking->kind_count, sizeof(*candidates), by_first_duration);
	for (uint32_t k = 0; k < tracking->kind_count; k++)
		numbers[candidates[k].set] = k + 1;
	for (uint32_t e = 0; e < tracking->count; e++)
		for (uint32_t c = 1; c <= experiments[e].cluster_count; c++)
			tracking->kinds[e][c] = numbers[set_of(sets, offsets[e] + c)];
	free(candidates);
	free(numbers);
	return 0;
}

static int make_kinds(struct fathom_tracking *tracking, const struct fathom_tracked_experiment *experiments)
{
	uint32_t *offsets = calloc((size_t)tracking->count + 1, sizeof(*offsets)), *sets = NULL, total = 0;
	int err = offsets ? 0 : -ENOMEM;

	for (uint32_t e = 0; !err && e < tracking->count; e++) {
		offsets[e] = total;
		total += experiments[e].cluster_count + 1;
		tracking->kinds[e] = calloc((size_t)experiments[e].cluster_count + 1, sizeof(**tracking->kinds));
		if (!tracking->kinds[e])
			err = -ENOMEM;
	}
	if (!err) {
		sets = malloc(((size_t)total + 1) * sizeof(*sets));
		err = sets ? 0 : -ENOMEM;
	}
	for (uint32_t i = 0; !err && i < total; i++)
		sets[i] = i;
	for (uint32_t e = 0; !err && e < tracking->count; e++)
		err = join_columns(&experiments[e], sets, offsets[e]);
	for (size_t r = 0; !err && r < tracking->relation_count; r++) {
		const struct fathom_relation *relation = &tracking->relations[r];

		join(sets, offsets[relation->experiment] + relation->a,
		     offsets[relation->experiment + 1] + relation->b);
	}
	if (!err)
		err = number_kinds(tracking, experiments, offsets, sets, total);
	free(offsets);
	free(sets);
	return err;
}

int fathom_tracking_make(struct fathom_tracking *tracking, const struct fathom_tracked_experiment *experiments,
			 uint32_t count)
{
	int err;

	*tracking = (struct fathom_tracking){ .count = count, .kinds = calloc((size_t)count + 1, sizeof(uint32_t *)) };
	err = tracking->kinds ? 0 : -ENOMEM;
	for (uint32_t e = 0; !err && e + 1 < count; e++)
		err = find_relations(tracking, experiments, e);
	if (!err)
		err = make_kinds(tracking, experiments);
	if (err)
		fathom_tracking_fini(tracking);
	return err;
}

void fathom_tracking_fini(struct fathom_tracking *tracking)
{
	for (uint32_t e = 0; tracking->kinds && e < tracking->count; e++)
		free(tracking->kinds[e]);
	free(tracking->kinds);
	free(tracking->relations);
	*tracking = (struct fathom_tracking){ 0 };
}

double fathom_tracking_coverage(const struct fathom_tracking *tracking,
				const struct fathom_tracked_experiment *experiments, uint32_t experiment)
{
	double covered = 0, all = 0;

	for (uint32_t c = 1; c <= experiments[experiment].cluster_count; c++) {
		bool is_everywhere = true;

		for (uint32_t e = 0; is_everywhere && e < tracking->count; e++) {
			is_everywhere = false;
			for (uint32_t d = 1; d <= experiments[e].cluster_count; d++)
				is_everywhere |= tracking->kinds[e][d] == tracking->kinds[experiment][c];
		}
		all += experiments[experiment].seconds[c];
		if (is_everywhere)
			covered += experiments[experiment].seconds[c];
	}
	return all > 0 ? covered / all : 0;
}
