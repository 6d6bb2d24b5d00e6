#include "clusters/sequence_alignment.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PAIR_CLASSES = 512 };	/* of letters that follow each other, by a hash */

/* A group of sequences that are aligned with each other. */
struct group {
	uint32_t *members;		/* numbers of sequences */
	uint32_t member_count;
	uint32_t *letters;		/* [member][column] */
	uint32_t columns;
	double weight;			/* of all members */
};

/* A letter in a column of a group, and the share of the group's weight that has it. */
struct part {
	uint32_t letter;
	double share;
};

/* The columns of a group as lists of parts; gaps are in none. */
struct profile {
	struct part *parts;
	uint32_t *first;		/* by column, and one more: index of its first part */
};

/* --- profiles ----------------------------------------------------------------------------------------- */

static int profile_init(struct profile *profile, const struct group *group, const struct fathom_sequence *sequences)
{
	uint32_t count = 0;

	profile->parts = calloc((size_t)group->columns * group->member_count + 1, sizeof(*profile->parts));
	profile->first = calloc((size_t)group->columns + 1, sizeof(*profile->first));
	if (!profile->parts || !profile->first)
		return -ENOMEM;
	for (uint32_t column = 0; column < group->columns; column++) {
		profile->first[column] = count;
		for (uint32_t m = 0; m < group->member_count; m++) {
			uint32_t letter = group->letters[(size_t)m * group->columns + column];
			uint32_t i = profile->first[column];

			if (letter == FATHOM_GAP)
				continue;
			while (i < count && profile->parts[i].letter != letter)
				i++;
			if (i == count)
				profile->parts[count++].letter = letter;
			profile->parts[i].share += sequences[group->members[m]].weight / group->weight;
		}
	}
	profile->first[group->columns] = count;
	return 0;
}

static void profile_fini(struct profile *profile)
{
	free(profile->parts);
	free(profile->first);
}

/* Returns the mean score of the letters in a column of each group; gaps count as 0. */
static double column_score(const struct profile *a, uint32_t column_a, const struct profile *b, uint32_t column_b,
			   const struct fathom_alignment_scores *scores)
{
	double score = 0;

	for (uint32_t i = a->first[column_a]; i < a->first[column_a + 1]; i++)
		for (uint32_t j = b->first[column_b]; j < b->first[column_b + 1]; j++) {
			uint32_t x = a->parts[i].letter, y = b->parts[j].letter;

			score += a->parts[i].share * b->parts[j].share *
				 (x == y ? scores->matches[x] : scores->mismatches[x] + scores->mismatches[y]);
		}
	return score;
}

/* --- two groups --------------------------------------------------------------------------------------- */

/* The three ways to end the alignment of two beginnings. */
enum { BOTH, GAP_IN_B, GAP_IN_A, WAYS };

/* In a cell of the table: for each way, two bits with the way before it. */
static unsigned way_before(uint8_t cell, unsigned way)
{
	return cell >> (2 * way) & 3;
}

/* A row of the table: the best score of each way. */
struct row {
	double *ways[WAYS];
};

static int row_init(struct row *row, uint32_t columns)
{
	bool has_all = true;

	for (int way = 0; way < WAYS; way++) {
		row->ways[way] = calloc((size_t)columns + 1, sizeof(double));
		has_all = has_all && row->ways[way];
	}
	return has_all ? 0 : -ENOMEM;
}

static void row_fini(struct row *row)
{
	for (int way = 0; way < WAYS; way++)
		free(row->ways[way]);
}

/* Returns the best way to come to a column by one more column of a gap. at_end: the gap is before the begin or behind
 * the end of the other group. */
static double extend_gap(const struct row *row, uint32_t column, int way, bool at_end,
			 const struct fathom_alignment_scores *scores, unsigned *before)
{
	double best = -HUGE_VAL;

	for (int from = 0; from < WAYS; from++) {
		double cost = at_end ? scores->end_gap :
			      from == way ? scores->gap_extend : scores->gap_open + scores->gap_extend;
		double score = row->ways[from][column] - cost;

		if (score > best) {
			best = score;
			*before = (unsigned)from;
		}
	}
	return best;
}

/* Fills in a row of the table. cells: a byte for each column. */
static void fill_row(const struct group *a, const struct group *b, const struct profile *profile_a,
		     const struct profile *profile_b, const struct fathom_alignment_scores *scores, uint32_t i,
		     const struct row *last, struct row *row, uint8_t *cells)
{
	for (uint32_t j = 0; j <= b->columns; j++) {
		unsigned before[WAYS] = { BOTH, BOTH, BOTH };

		if (i == 0 && j == 0) {
			row->ways[BOTH][0] = 0;
			row->ways[GAP_IN_A][0] = row->ways[GAP_IN_B][0] = -HUGE_VAL;
			cells[0] = 0;
			continue;
		}
		row->ways[BOTH][j] = -HUGE_VAL;
		if (i > 0 && j > 0) {
			for (int from = 0; from < WAYS; from++)
				if (last->ways[from][j - 1] > last->ways[before[BOTH]][j - 1])
					before[BOTH] = (unsigned)from;
			row->ways[BOTH][j] = last->ways[before[BOTH]][j - 1] +
					     column_score(profile_a, i - 1, profile_b, j - 1, scores);
		}
		row->ways[GAP_IN_B][j] = i == 0 ? -HUGE_VAL :
			extend_gap(last, j, GAP_IN_B, j == 0 || j == b->columns, scores, &before[GAP_IN_B]);
		row->ways[GAP_IN_A][j] = j == 0 ? -HUGE_VAL :
			extend_gap(row, j - 1, GAP_IN_A, i == 0 || i == a->columns, scores, &before[GAP_IN_A]);
		cells[j] = (uint8_t)(before[BOTH] | before[GAP_IN_B] << 2 | before[GAP_IN_A] << 4);
	}
}

/* Copies a column of a group into the joint group, or gaps if from is FATHOM_GAP. */
static void copy_column(struct group *joint, uint32_t column, uint32_t first_member, const struct group *group,
			uint32_t from)
{
	for (uint32_t m = 0; m < group->member_count; m++)
		joint->letters[(size_t)(first_member + m) * joint->columns + column] =
			from == FATHOM_GAP ? FATHOM_GAP : group->letters[(size_t)m * group->columns + from];
}

/* Follows the best way through the table from its end. Counts the columns if joint has none yet, else fills them in. */
static uint32_t follow(const struct group *a, const struct group *b, const uint8_t *cells, unsigned way,
		       struct group *joint)
{
	size_t width = (size_t)b->columns + 1;
	uint32_t i = a->columns, j = b->columns, columns = 0;

	while (i > 0 || j > 0) {
		unsigned before = way_before(cells[i * width + j], way);

		columns++;
		if (joint->letters) {
			copy_column(joint, joint->columns - columns, 0, a, way == GAP_IN_A ? FATHOM_GAP : i - 1);
			copy_column(joint, joint->columns - columns, a->member_count, b,
				    way == GAP_IN_B ? FATHOM_GAP : j - 1);
		}
		i -= way != GAP_IN_A;
		j -= way != GAP_IN_B;
		way = before;
	}
	return columns;
}

static int join_columns(struct group *joint, const struct group *a, const struct group *b, const uint8_t *cells,
			unsigned way)
{
	joint->member_count = a->member_count + b->member_count;
	joint->weight = a->weight + b->weight;
	joint->columns = follow(a, b, cells, way, joint);
	joint->members = calloc((size_t)joint->member_count + 1, sizeof(*joint->members));
	joint->letters = calloc((size_t)joint->member_count * joint->columns + 1, sizeof(*joint->letters));
	if (!joint->members || !joint->letters)
		return -ENOMEM;
	memcpy(joint->members, a->members, a->member_count * sizeof(*a->members));
	memcpy(joint->members + a->member_count, b->members, b->member_count * sizeof(*b->members));
	follow(a, b, cells, way, joint);
	return 0;
}

static void group_fini(struct group *group)
{
	free(group->members);
	free(group->letters);
	*group = (struct group){ 0 };
}

/* Aligns two groups and puts the result in place of the first one; the second one becomes empty. */
static int join(struct group *a, struct group *b, const struct fathom_sequence *sequences,
		const struct fathom_alignment_scores *scores)
{
	size_t width = (size_t)b->columns + 1;
	uint8_t *cells = calloc((size_t)a->columns + 1, width);
	struct profile profile_a = { 0 }, profile_b = { 0 };
	struct row rows[2] = { { { NULL } } };
	struct group joint = { 0 };
	unsigned way = BOTH;
	int err = cells ? 0 : -ENOMEM;

	if (!err)
		err = profile_init(&profile_a, a, sequences);
	if (!err)
		err = profile_init(&profile_b, b, sequences);
	for (int r = 0; !err && r < 2; r++)
		err = row_init(&rows[r], b->columns);
	for (uint32_t i = 0; !err && i <= a->columns; i++)
		fill_row(a, b, &profile_a, &profile_b, scores, i, &rows[(i + 1) % 2], &rows[i % 2], cells + i * width);
	if (!err) {
		const struct row *end = &rows[a->columns % 2];

		for (unsigned w = 0; w < WAYS; w++)
			if (end->ways[w][b->columns] > end->ways[way][b->columns])
				way = w;
		err = join_columns(&joint, a, b, cells, way);
	}
	free(cells);
	profile_fini(&profile_a);
	profile_fini(&profile_b);
	row_fini(&rows[0]);
	row_fini(&rows[1]);
	if (err) {
		group_fini(&joint);
		return err;
	}
	group_fini(a);
	group_fini(b);
	*a = joint;
	return 0;
}

/* --- the guide tree ----------------------------------------------------------------------------------- */

/* Counts the pairs of letters that follow each other. */
static void count_pairs(const struct fathom_sequence *sequence, uint32_t *counts)
{
	uint32_t before = 0;

	for (uint32_t i = 0; i < sequence->length; i++) {
		counts[(before * 31 + sequence->letters[i]) % PAIR_CLASSES]++;
		before = sequence->letters[i] + 1;
	}
}

static double distance(const uint32_t *a, const uint32_t *b)
{
	double sum = 0;

	for (int i = 0; i < PAIR_CLASSES; i++)
		sum += a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
	return sum;
}

/* Fills in the distances between sequences. 0 or -ENOMEM. */
static int find_distances(const struct fathom_sequence *sequences, uint32_t count, double *distances)
{
	uint32_t *counts = calloc(count, PAIR_CLASSES * sizeof(*counts));

	if (!counts)
		return -ENOMEM;
	for (uint32_t i = 0; i < count; i++)
		count_pairs(&sequences[i], counts + (size_t)i * PAIR_CLASSES);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t j = 0; j < count; j++)
			distances[(size_t)i * count + j] = distance(counts + (size_t)i * PAIR_CLASSES,
								    counts + (size_t)j * PAIR_CLASSES);
	free(counts);
	return 0;
}

/* Finds the two groups that are nearest; the first ones of equals. */
static void find_nearest(const struct group *groups, uint32_t count, const double *distances, uint32_t *a, uint32_t *b)
{
	double least = HUGE_VAL;

	for (uint32_t i = 0; i < count; i++)
		for (uint32_t j = i + 1; j < count; j++)
			if (groups[i].member_count && groups[j].member_count &&
			    distances[(size_t)i * count + j] < least) {
				least = distances[(size_t)i * count + j];
				*a = i;
				*b = j;
			}
}

static int group_init(struct group *group, const struct fathom_sequence *sequence, uint32_t number)
{
	*group = (struct group){ .member_count = 1, .columns = sequence->length, .weight = sequence->weight };
	group->members = calloc(1, sizeof(*group->members));
	group->letters = calloc((size_t)sequence->length + 1, sizeof(*group->letters));
	if (!group->members || !group->letters)
		return -ENOMEM;
	group->members[0] = number;
	memcpy(group->letters, sequence->letters, sequence->length * sizeof(*group->letters));
	return 0;
}

/* Joins all groups into the first one. */
static int join_all(struct group *groups, const struct fathom_sequence *sequences, uint32_t count, double *distances,
		    const struct fathom_alignment_scores *scores)
{
	int err = 0;

	for (uint32_t left = count; !err && left > 1; left--) {
		uint32_t a = 0, b = 1;
		double size_a, size_b;

		find_nearest(groups, count, distances, &a, &b);
		size_a = groups[a].member_count;
		size_b = groups[b].member_count;
		err = join(&groups[a], &groups[b], sequences, scores);
		for (uint32_t i = 0; i < count; i++) {
			double mean = (size_a * distances[(size_t)a * count + i] +
				       size_b * distances[(size_t)b * count + i]) / (size_a + size_b);

			distances[(size_t)a * count + i] = distances[(size_t)i * count + a] = mean;
		}
	}
	return err;
}

/* --- the alignment ------------------------------------------------------------------------------------ */

uint64_t fathom_alignment_cells(const struct fathom_sequence *sequences, uint32_t count)
{
	uint64_t longest = 0;

	for (uint32_t i = 0; i < count; i++)
		if (sequences[i].length > longest)
			longest = sequences[i].length;
	return (longest + 1) * (longest + 1);
}

int fathom_alignment_make(struct fathom_alignment *alignment, const struct fathom_sequence *sequences, uint32_t count,
			  const struct fathom_alignment_scores *scores)
{
	struct group *groups = calloc((size_t)count + 1, sizeof(*groups));
	double *distances = calloc((size_t)count * count + 1, sizeof(*distances));
	int err = groups && distances ? 0 : -ENOMEM;

	*alignment = (struct fathom_alignment){ 0 };
	for (uint32_t i = 0; !err && i < count; i++)
		err = group_init(&groups[i], &sequences[i], i);
	if (!err)
		err = find_distances(sequences, count, distances);
	if (!err)
		err = join_all(groups, sequences, count, distances, scores);
	if (!err && count > 0) {
		alignment->letters = calloc((size_t)count * groups[0].columns + 1, sizeof(*alignment->letters));
		err = alignment->letters ? 0 : -ENOMEM;
	}
	for (uint32_t m = 0; !err && count > 0 && m < groups[0].member_count; m++)
		memcpy(alignment->letters + (size_t)groups[0].members[m] * groups[0].columns,
		       groups[0].letters + (size_t)m * groups[0].columns,
		       groups[0].columns * sizeof(*alignment->letters));
	if (!err && count > 0) {
		alignment->count = count;
		alignment->columns = groups[0].columns;
	}
	for (uint32_t i = 0; groups && i < count; i++)
		group_fini(&groups[i]);
	free(groups);
	free(distances);
	return err;
}

void fathom_alignment_fini(struct fathom_alignment *alignment)
{
	free(alignment->letters);
	*alignment = (struct fathom_alignment){ 0 };
}
