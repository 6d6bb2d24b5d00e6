#include "clusters/sequence_scores.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* --- letters that appear together --------------------------------------------------------------------- */

/* A set of letters, as a hash of them and its lowest one. */
struct letter_set {
	uint64_t digest;
	uint32_t lowest, count;
};

/* Returns the set of the letters in a column. seen: by letter, the last column that had it, from 1. */
static struct letter_set set_of(const struct fathom_alignment *alignment, uint32_t column, uint32_t *seen)
{
	struct letter_set set = { 0, UINT32_MAX, 0 };

	for (uint32_t s = 0; s < alignment->count; s++) {
		uint32_t letter = alignment->letters[(size_t)s * alignment->columns + column];

		if (letter == FATHOM_GAP || letter == 0 || seen[letter] == column + 1)
			continue;
		seen[letter] = column + 1;
		set.digest += (letter + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)letter << 40;
		set.count++;
		if (letter < set.lowest)
			set.lowest = letter;
	}
	return set;
}

int fathom_alignment_join_letters(const struct fathom_alignment *alignment, uint32_t letter_count, uint32_t *joined)
{
	struct letter_set *sets = calloc((size_t)letter_count + 1, sizeof(*sets));
	uint32_t *seen = calloc((size_t)letter_count + 1, sizeof(*seen));
	bool *differs = calloc((size_t)letter_count + 1, sizeof(*differs));	/* by letter: has several sets */
	int has_joined = sets && seen && differs ? 0 : -ENOMEM;

	for (uint32_t column = 0; has_joined == 0 && column < alignment->columns; column++) {
		struct letter_set set = set_of(alignment, column, seen);

		for (uint32_t letter = 1; letter < letter_count; letter++) {
			if (seen[letter] != column + 1)
				continue;
			differs[letter] |= sets[letter].count && sets[letter].digest != set.digest;
			sets[letter] = set;
		}
	}
	for (uint32_t letter = 0; has_joined >= 0 && letter < letter_count; letter++) {
		bool is_joined = sets[letter].count > 1 && !differs[letter];

		/* All letters of a set have this set only, or none of them is joined. */
		for (uint32_t other = 1; is_joined && other < letter_count; other++)
			is_joined = sets[other].digest != sets[letter].digest || !differs[other];
		joined[letter] = is_joined ? sets[letter].lowest : letter;
		has_joined |= joined[letter] != letter;
	}
	free(sets);
	free(seen);
	free(differs);
	return has_joined;
}

/* --- scores ------------------------------------------------------------------------------------------- */

/* Adds a column to the sums of the scores of the letters in it, and counts it in columns[letter] for each of these
 * letters. weight is that of all sequences; last[letter] is the number after that of the last column with the letter.
 * The caller divides the sums by the numbers of columns. */
static void add_column(const struct fathom_alignment *alignment, const struct fathom_sequence *sequences,
		       uint32_t column, double weight, struct fathom_sequence_score *scores, uint32_t *columns,
		       uint32_t *last)
{
	for (uint32_t s = 0; s < alignment->count; s++) {
		uint32_t letter = alignment->letters[(size_t)s * alignment->columns + column];

		if (letter == FATHOM_GAP)
			continue;
		scores[letter].score += sequences[s].weight / weight;
		scores[letter].occurrences += sequences[s].weight;
		if (last[letter] != column + 1) {
			last[letter] = column + 1;
			columns[letter]++;
		}
	}
}

double fathom_sequence_scores(const struct fathom_alignment *alignment, const struct fathom_sequence *sequences,
			      const double *shares, uint32_t letter_count, struct fathom_sequence_score *scores)
{
	uint32_t *columns = calloc((size_t)letter_count + 1, 2 * sizeof(*columns)), *last = columns + letter_count;
	double weight = 0, all = 0;

	memset(scores, 0, letter_count * sizeof(*scores));
	if (!columns)
		return 0;
	for (uint32_t s = 0; s < alignment->count; s++)
		weight += sequences[s].weight;
	for (uint32_t column = 0; column < alignment->columns; column++)
		add_column(alignment, sequences, column, weight, scores, columns, last);
	for (uint32_t letter = 0; letter < letter_count; letter++) {
		if (columns[letter])
			scores[letter].score /= columns[letter];
		all += scores[letter].score * shares[letter];
	}
	free(columns);
	return all;
}
