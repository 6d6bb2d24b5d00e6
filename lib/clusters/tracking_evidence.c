#include "clusters/tracking_evidence.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "clusters/point_tree.h"
#include "clusters/sequence_alignment.h"

enum {
	SAMPLE = 1000,		/* points of a cluster whose nearest points are looked for */
	MOST_LENGTH = 4000,	/* letters of a sequence that are aligned: the table has 16 million cells */
};

/* Points farther than half an axis away do not count as near. */
static const double most_distance = 0.5;

/* --- displacement ------------------------------------------------------------------------------------- */

/* Counts, for points of each cluster at equal steps, the clusters of the nearest points in the next experiment. */
static int compare_places(const struct fathom_tracked_experiment *from, const struct fathom_tracked_experiment *to,
			  struct fathom_tracking_evidence *pairs)
{
	size_t width = (size_t)to->cluster_count + 1;
	uint32_t *sizes = calloc((size_t)from->cluster_count + 1, sizeof(*sizes));
	uint32_t *seen = calloc((size_t)from->cluster_count + 1, sizeof(*seen));
	uint32_t *taken = calloc((size_t)from->cluster_count + 1, sizeof(*taken));
	struct fathom_point_tree tree = { 0 };
	int err = sizes && seen && taken ? fathom_point_tree_init(&tree, &to->points, HUGE_VAL) : -ENOMEM;

	for (uint32_t i = 0; !err && i < from->points.count; i++)
		sizes[from->clusters[i]]++;
	for (uint32_t i = 0; !err && i < from->points.count; i++) {
		uint32_t a = from->clusters[i], nearest;
		uint64_t most = sizes[a] < SAMPLE ? sizes[a] : SAMPLE;

		if ((uint64_t)seen[a]++ * most / sizes[a] < taken[a])
			continue;
		taken[a]++;
		nearest = fathom_point_tree_nearest(&tree, from->points.values + (size_t)i * from->points.dimensions,
						    most_distance);
		if (nearest != UINT32_MAX)
			pairs[a * width + to->clusters[nearest]].displacement += 1;
	}
	for (uint32_t a = 1; !err && a <= from->cluster_count; a++)
		for (uint32_t b = 1; taken[a] && b <= to->cluster_count; b++)
			pairs[a * width + b].displacement /= taken[a];
	if (!err)
		fathom_point_tree_fini(&tree);
	free(sizes);
	free(seen);
	free(taken);
	return err;
}

/* --- call stacks -------------------------------------------------------------------------------------- */

struct code_share {		/* of the bursts of a cluster: those with a code */
	uint32_t cluster, code;
	double share;
};

struct code_table {		/* sorted by cluster and code */
	struct code_share *shares;
	size_t count;
	size_t *first;		/* by cluster: index; one more behind the last cluster */
	double *known;		/* by cluster: bursts whose code is known */
};

static int by_code(const void *a, const void *b)
{
	const struct code_share *x = a, *y = b;

	if (x->cluster != y->cluster)
		return x->cluster < y->cluster ? -1 : 1;
	return x->code < y->code ? -1 : x->code > y->code;
}

static void code_table_fini(struct code_table *table)
{
	free(table->shares);
	free(table->first);
	free(table->known);
}

static int code_table_init(struct code_table *table, const struct fathom_tracked_experiment *experiment)
{
	uint32_t cluster = 0;

	*table = (struct code_table){
		.shares = malloc(((size_t)experiment->points.count + 1) * sizeof(*table->shares)),
		.first = calloc((size_t)experiment->cluster_count + 2, sizeof(*table->first)),
		.known = calloc((size_t)experiment->cluster_count + 1, sizeof(*table->known)),
	};
	if (!table->shares || !table->first || !table->known) {
		code_table_fini(table);
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < experiment->points.count; i++) {
		if (experiment->codes[i] == FATHOM_UNKNOWN_CODE)
			continue;
		table->known[experiment->clusters[i]] += 1;
		table->shares[table->count++] =
			(struct code_share){ experiment->clusters[i], experiment->codes[i], 1 };
	}
	qsort(table->shares, table->count, sizeof(*table->shares), by_code);
	for (size_t i = 0, count = table->count, kept = table->count = 0; i < count; i++) {
		if (kept && by_code(&table->shares[kept - 1], &table->shares[i]) == 0)
			table->shares[kept - 1].share += 1;
		else
			table->shares[kept++] = table->shares[i];
		table->count = kept;
	}
	for (size_t i = 0; i <= table->count; i++) {
		uint32_t next = i < table->count ? table->shares[i].cluster : experiment->cluster_count + 1;

		while (cluster < next)
			table->first[++cluster] = i;
	}
	for (size_t i = 0; i < table->count; i++)
		table->shares[i].share /= table->known[table->shares[i].cluster];
	return 0;
}

/* Returns the share of bursts that have equal code: the sum of the lesser shares over all codes. */
static double equal_code(const struct code_table *from, uint32_t a, const struct code_table *to, uint32_t b)
{
	size_t i = from->first[a], j = to->first[b];
	double equal = 0;

	if (from->known[a] == 0 || to->known[b] == 0)
		return 1;
	while (i < from->first[a + 1] && j < to->first[b + 1]) {
		uint32_t code_i = from->shares[i].code, code_j = to->shares[j].code;

		if (code_i == code_j)
			equal += fmin(from->shares[i].share, to->shares[j].share);
		i += code_i <= code_j;
		j += code_j <= code_i;
	}
	return equal;
}

static int compare_codes(const struct fathom_tracked_experiment *from, const struct fathom_tracked_experiment *to,
			 struct fathom_tracking_evidence *pairs)
{
	size_t width = (size_t)to->cluster_count + 1;
	struct code_table from_table, to_table;

	if (code_table_init(&from_table, from))
		return -ENOMEM;
	if (code_table_init(&to_table, to)) {
		code_table_fini(&from_table);
		return -ENOMEM;
	}
	for (uint32_t a = 1; a <= from->cluster_count; a++)
		for (uint32_t b = 1; b <= to->cluster_count; b++)
			pairs[a * width + b].call_stack = equal_code(&from_table, a, &to_table, b);
	code_table_fini(&from_table);
	code_table_fini(&to_table);
	return 0;
}

double fathom_tracking_equal_code(const struct fathom_tracked_experiment *experiment, uint32_t a, uint32_t b)
{
	struct code_table table;
	double equal;

	if (code_table_init(&table, experiment))
		return -ENOMEM;
	equal = equal_code(&table, a, &table, b);
	code_table_fini(&table);
	return equal;
}

int fathom_tracking_compare(const struct fathom_tracked_experiment *from, const struct fathom_tracked_experiment *to,
			    struct fathom_tracking_evidence *pairs)
{
	if (from->points.count == 0 || to->points.count == 0)
		return 0;
	return compare_places(from, to, pairs) || compare_codes(from, to, pairs) ? -ENOMEM : 0;
}

/* --- sequences ---------------------------------------------------------------------------------------- */

/* Returns a sequence as letters; NULL: out of memory. */
static uint32_t *letters_of(const struct fathom_tracked_experiment *experiment, const uint32_t *letters,
			    struct fathom_sequence *sequence)
{
	uint32_t length = experiment->length < MOST_LENGTH ? experiment->length : MOST_LENGTH;
	uint32_t *text = malloc(((size_t)length + 1) * sizeof(*text));

	for (uint32_t i = 0; text && i < length; i++)
		text[i] = experiment->sequence[i] == FATHOM_NOISE ? 0 : letters[experiment->sequence[i]];
	*sequence = (struct fathom_sequence){ text, length, 1 };
	return text;
}

/* Counts the clusters that stand in the same columns of the two sequences. */
static int count_places(const struct fathom_tracked_experiment *from, const struct fathom_tracked_experiment *to,
			const struct fathom_alignment *alignment, struct fathom_tracking_evidence *pairs)
{
	size_t width = (size_t)to->cluster_count + 1;
	double *places = calloc((size_t)from->cluster_count + 1, sizeof(*places));
	uint32_t i = 0, j = 0;

	if (!places)
		return -ENOMEM;
	for (uint32_t column = 0; column < alignment->columns; column++) {
		bool has_a = alignment->letters[column] != FATHOM_GAP;
		bool has_b = alignment->letters[alignment->columns + column] != FATHOM_GAP;
		uint32_t a = has_a ? from->sequence[i++] : FATHOM_NOISE, b = has_b ? to->sequence[j++] : FATHOM_NOISE;

		if (a == FATHOM_NOISE)
			continue;
		places[a] += 1;
		if (b != FATHOM_NOISE)
			pairs[a * width + b].sequence += 1;
	}
	for (uint32_t a = 1; a <= from->cluster_count; a++)
		for (uint32_t b = 1; places[a] > 0 && b <= to->cluster_count; b++)
			pairs[a * width + b].sequence /= places[a];
	free(places);
	return 0;
}

int fathom_tracking_align(const struct fathom_tracked_experiment *from, const struct fathom_tracked_experiment *to,
			  const uint32_t *letters_from, const uint32_t *letters_to, const bool *is_shared,
			  uint32_t letter_count, struct fathom_tracking_evidence *pairs)
{
	double *matches = calloc((size_t)letter_count + 1, sizeof(*matches));
	double *mismatches = calloc((size_t)letter_count + 1, sizeof(*mismatches));
	const struct fathom_alignment_scores scores = { matches, mismatches, 0.5, 0.25, 0.25 };
	struct fathom_sequence sequences[2];
	uint32_t *a = letters_of(from, letters_from, &sequences[0]), *b = letters_of(to, letters_to, &sequences[1]);
	struct fathom_alignment alignment;
	int err = a && b && matches && mismatches ? 0 : -ENOMEM;

	/* A gap in each sequence costs 1.5. Two different letters that both experiments have cost more (1.8), so they
	 * never stand in one column; a letter that only one of them has costs less, also below one that both have. */
	for (uint32_t letter = 0; !err && letter < letter_count; letter++) {
		matches[letter] = letter ? 2 : 0;
		mismatches[letter] = letter && is_shared[letter] ? -0.9 : -0.1;
	}
	if (!err && sequences[0].length && sequences[1].length) {
		err = fathom_alignment_make(&alignment, sequences, 2, &scores);
		if (!err) {
			err = count_places(from, to, &alignment, pairs);
			fathom_alignment_fini(&alignment);
		}
	}
	free(matches);
	free(mismatches);
	free(a);
	free(b);
	return err;
}
