#include "tools/clusters/thread_sequences.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clusters/sequence_scores.h"
#include "tools/common/command.h"

enum { MOST_SEQUENCES = 64, MOST_LENGTH = 5000 };	/* that are aligned */

/* Cells of the tables of all alignments together: some seconds. */
static const double most_cells = 1e8;

/* --- sequences ---------------------------------------------------------------------------------------- */

/* Adds a sequence, or its thread to an equal one. Returns its number. */
static uint32_t add_sequence(struct fathom_thread_sequences *all, const uint32_t *letters, uint32_t length)
{
	for (uint32_t s = 0; s < all->count; s++) {
		struct fathom_sequence *sequence = &all->sequences[s];

		if (sequence->length != length || memcmp(sequence->letters, letters, length * sizeof(*letters)) != 0)
			continue;
		sequence->weight++;
		return s;
	}
	all->sequences[all->count] = (struct fathom_sequence){ letters, length, 1 };
	return all->count++;
}

/* Collects the numbers of the clusters of each thread. */
static void collect(struct fathom_thread_sequences *all, const struct fathom_clustering *clustering)
{
	const struct fathom_burst_list *list = &clustering->data->list;
	uint32_t threads = clustering->data->thread_count;
	size_t used = 0, next;

	all->letters = fathom_tool_alloc((size_t)clustering->point_count + 1, sizeof(*all->letters));
	all->sequences = fathom_tool_alloc((size_t)threads + 1, sizeof(*all->sequences));
	all->threads = fathom_tool_alloc((size_t)threads + 1, sizeof(*all->threads));
	all->locations = fathom_tool_alloc((size_t)threads + 1, sizeof(*all->locations));
	for (size_t i = 0; i < list->count; i = next) {
		size_t first = used;

		for (next = i; next < list->count && list->bursts[next].location == list->bursts[i].location; next++)
			if (clustering->numbers[next] <= clustering->count)
				all->letters[used++] = clustering->numbers[next];
		all->locations[all->thread_count] = list->bursts[i].location;
		all->threads[all->thread_count++] = add_sequence(all, all->letters + first, (uint32_t)(used - first));
	}
	all->aligned = all->thread_count;
}

/* Leaves out sequences, at equal steps, if there are too many different ones. */
static void thin_out(struct fathom_thread_sequences *all)
{
	uint32_t kept = 0, *numbers = fathom_tool_alloc((size_t)all->count + 1, sizeof(*numbers));

	for (uint32_t s = 0; s < all->count; s++) {
		numbers[s] = FATHOM_GAP;
		if ((uint64_t)s * MOST_SEQUENCES / all->count < kept)
			continue;
		numbers[s] = kept;
		all->sequences[kept++] = all->sequences[s];
	}
	all->aligned = 0;
	for (uint32_t t = 0; t < all->thread_count; t++) {
		all->threads[t] = numbers[all->threads[t]];
		all->aligned += all->threads[t] != FATHOM_GAP;
	}
	all->count = kept;
	free(numbers);
}

static void cut_off(struct fathom_thread_sequences *all)
{
	double most = fmin(sqrt(most_cells / fmax(all->count - 1.0, 1)), MOST_LENGTH);

	if (all->count < 2 || (double)fathom_alignment_cells(all->sequences, all->count) <= (most + 1) * (most + 1))
		return;
	all->most_length = (uint32_t)most;
	for (uint32_t s = 0; s < all->count; s++)
		if (all->sequences[s].length > all->most_length)
			all->sequences[s].length = all->most_length;
}

/* --- alignment ---------------------------------------------------------------------------------------- */

/* Aligns the sequences with scores by which it is most important that expensive clusters stand in one column. */
static void align(struct fathom_thread_sequences *all, const struct fathom_clustering *clustering)
{
	uint32_t count = clustering->count;
	double *matches = fathom_tool_alloc((size_t)count + 1, sizeof(*matches));
	double *mismatches = fathom_tool_alloc((size_t)count + 1, sizeof(*mismatches)), least;
	struct fathom_alignment_scores scores = { matches, mismatches, 50, 50, 0 };

	for (uint32_t c = 0; c <= count; c++) {
		double percent = 100 * clustering->clusters[c].seconds / clustering->kept_seconds;

		matches[c] = c == FATHOM_NOISE ? 0 : 2 * percent + (count + 1 - c);
		mismatches[c] = -percent / 2;
	}
	least = 100 * clustering->clusters[count ? 1 : 0].seconds / clustering->kept_seconds;
	scores.end_gap = fmin(least, scores.gap_extend);
	if (fathom_alignment_make(&all->alignment, all->sequences, all->count, &scores))
		fathom_tool_out_of_memory((size_t)fathom_alignment_cells(all->sequences, all->count));
	free(matches);
	free(mismatches);
}

void fathom_thread_sequences_make(struct fathom_thread_sequences *all, const struct fathom_clustering *clustering)
{
	*all = (struct fathom_thread_sequences){ 0 };
	collect(all, clustering);
	if (all->count > MOST_SEQUENCES)
		thin_out(all);
	cut_off(all);
	align(all, clustering);
}

void fathom_thread_sequences_fini(struct fathom_thread_sequences *all)
{
	fathom_alignment_fini(&all->alignment);
	free(all->letters);
	free(all->sequences);
	free(all->threads);
	free(all->locations);
}

void fathom_thread_sequences_score(const struct fathom_thread_sequences *all, struct fathom_clustering *clustering)
{
	uint32_t letters = clustering->count + 1;
	double *shares = fathom_tool_alloc(letters, sizeof(*shares)), seconds = 0;
	struct fathom_sequence_score *scores = fathom_tool_alloc(letters, sizeof(*scores));

	for (uint32_t c = 1; c < letters; c++)
		seconds += clustering->clusters[c].seconds;
	for (uint32_t c = 1; c < letters; c++)
		shares[c] = clustering->clusters[c].seconds / seconds;
	clustering->score = fathom_sequence_scores(&all->alignment, all->sequences, shares, letters, scores);
	for (uint32_t c = 1; c < letters; c++)
		clustering->clusters[c].score = scores[c].occurrences ? scores[c].score : -1;
	clustering->aligned_threads = all->aligned;
	clustering->aligned_length = all->most_length;
	if (clustering->count == 0)
		clustering->score = -1;
	free(shares);
	free(scores);
}

/* --- the file ----------------------------------------------------------------------------------------- */

static char letter_of(uint32_t number)
{
	static const char letters[] = "ZABCDEFGHIKLMNPQRSTVWY";

	return number == FATHOM_GAP ? '-' : number < sizeof(letters) - 1 ? letters[number] : 'X';
}

static void put_sequence(FILE *file, const struct fathom_thread_sequences *all, uint32_t sequence)
{
	enum { WIDTH = 60 };
	const struct fathom_alignment *alignment = &all->alignment;

	for (uint32_t column = 0; column < alignment->columns; column++) {
		fputc(letter_of(alignment->letters[(size_t)sequence * alignment->columns + column]), file);
		if (column % WIDTH == WIDTH - 1 || column + 1 == alignment->columns)
			fputc('\n', file);
	}
}

int fathom_thread_sequences_write(const struct fathom_thread_sequences *all, const struct fathom_clustering *clustering,
				  const char *path)
{
	FILE *file = fopen(path, "wx");
	int err = file ? 0 : -errno;

	for (uint32_t t = 0; !err && t < all->thread_count; t++) {
		uint32_t thread, process = fathom_burst_process(clustering->data, all->locations[t], &thread);

		if (all->threads[t] == FATHOM_GAP)
			continue;
		fprintf(file, ">process %" PRIu32 " thread %" PRIu32 "\n", process, thread);
		put_sequence(file, all, all->threads[t]);
	}
	if (file) {
		err = ferror(file) ? -EIO : 0;
		if (fclose(file) != 0 && !err)
			err = -errno;
		if (err)
			unlink(path);
	}
	if (err)
		fathom_tool_error("%s: cannot be written: %s", path, strerror(-err));
	return err;
}
