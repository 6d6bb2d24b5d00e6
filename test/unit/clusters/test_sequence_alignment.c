/* Aligned sequences and their scores: known answers, and planted insertions, losses and swaps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "clusters/sequence_scores.h"

enum { LETTERS = 8, MOST = 64 };

static const double ones[LETTERS] = { 1, 1, 1, 1, 1, 1, 1, 1 };
static const double halves[LETTERS] = { -.5, -.5, -.5, -.5, -.5, -.5, -.5, -.5 };
static const struct fathom_alignment_scores plain = { ones, halves, 0, 1, 1 };

static uint32_t letters[MOST][MOST];
static struct fathom_sequence sequences[MOST];
static struct fathom_alignment alignment;

/* Makes sequences of texts in which A is the letter 0. */
static void align(const char *const *texts, uint32_t count)
{
	for (uint32_t s = 0; s < count; s++) {
		uint32_t length = (uint32_t)strlen(texts[s]);

		for (uint32_t i = 0; i < length; i++)
			letters[s][i] = (uint32_t)(texts[s][i] - 'A');
		sequences[s] = (struct fathom_sequence){ letters[s], length, 1 };
	}
	assert_int_equal(fathom_alignment_make(&alignment, sequences, count, &plain), 0);
	assert_int_equal(alignment.count, count);
}

static const char *text(uint32_t sequence)
{
	static char words[2 * MOST];

	for (uint32_t column = 0; column < alignment.columns; column++) {
		uint32_t letter = alignment.letters[sequence * alignment.columns + column];

		words[column] = letter == FATHOM_GAP ? '-' : (char)('A' + letter);
	}
	words[alignment.columns] = '\0';
	return words;
}

static void pair(void **state)
{
	static const char *const texts[] = { "ABCABC", "ABABC" };

	(void)state;
	align(texts, 2);
	assert_string_equal(text(0), "ABCABC");
	assert_string_equal(text(1), "AB-ABC");
	fathom_alignment_fini(&alignment);
}

static void known_scores(void **state)
{
	static const char *const texts[] = { "ABCABC", "ABCABC", "ABCADC", "ABCADC" };
	static const double shares[4] = { .4, .2, .3, .1 };
	struct fathom_sequence_score scores[4];

	(void)state;
	align(texts, 4);
	assert_true(fabs(fathom_sequence_scores(&alignment, sequences, shares, 4, scores) - .9) < 1e-12);
	assert_true(scores[0].score == 1 && fabs(scores[1].score - .75) < 1e-12 && scores[2].score == 1);
	assert_true(fabs(scores[3].score - .5) < 1e-12);
	assert_int_equal(scores[1].occurrences, 6);
	fathom_alignment_fini(&alignment);
	/* Equal sequences may be one of more weight. */
	align((const char *const[]){ "ABCABC", "ABCADC" }, 2);
	sequences[0].weight = sequences[1].weight = 2;
	assert_true(fabs(fathom_sequence_scores(&alignment, sequences, shares, 4, scores) - .9) < 1e-12);
	assert_int_equal(scores[1].occurrences, 6);
	fathom_alignment_fini(&alignment);
}

/* Each sequence is the planted one with a letter inserted, lost or changed: all other letters stand in common columns. */
static void planted_differences(void **state)
{
	static const char master[] = "ABCDEABCDEABCDEABCDEABCDE";
	static const double shares[LETTERS] = { .2, .2, .2, .2, .2 };
	struct fathom_sequence_score scores[LETTERS];
	char made[12][40];
	const char *texts[12];
	double score;

	(void)state;
	for (int s = 0; s < 12; s++) {
		int place = (7 * s + 3) % 25;

		if (s % 4 == 0)
			strcpy(made[s], master);
		else if (s % 4 == 1)
			snprintf(made[s], sizeof(made[s]), "%.*sF%s", place, master, master + place);
		else if (s % 4 == 2)
			snprintf(made[s], sizeof(made[s]), "%.*s%s", place, master, master + place + 1);
		else
			snprintf(made[s], sizeof(made[s]), "%.*sG%s", place, master, master + place + 1);
		texts[s] = made[s];
	}
	align(texts, 12);
	assert_true(alignment.columns <= 25 + 6);
	score = fathom_sequence_scores(&alignment, sequences, shares, LETTERS, scores);
	/* 6 of 300 letters are lost or changed. */
	assert_true(score > .95 && score < 1);
	for (uint32_t s = 0; s < 12; s++) {
		uint32_t place = 0;

		for (uint32_t column = 0; column < alignment.columns; column++) {
			uint32_t letter = alignment.letters[s * alignment.columns + column];

			if (letter != FATHOM_GAP)
				assert_int_equal(letter, letters[s][place++]);
		}
		assert_int_equal(place, sequences[s].length);
	}
	fathom_alignment_fini(&alignment);
}

/* The first phase is of one cluster on some sequences and of another one on the others; B is sometimes replaced by C. */
static void letters_that_appear_together(void **state)
{
	uint32_t joined[6];

	(void)state;
	align((const char *const[]){ "BDBDBD", "BDBDBD", "CDCDCD" }, 3);
	assert_int_equal(fathom_alignment_join_letters(&alignment, 6, joined), 1);
	assert_int_equal(joined[1], 1);
	assert_int_equal(joined[2], 1);
	assert_int_equal(joined[3], 3);
	fathom_alignment_fini(&alignment);
	align((const char *const[]){ "BDBDBD", "BDBDBD", "CDBDCD" }, 3);
	assert_int_equal(fathom_alignment_join_letters(&alignment, 6, joined), 0);
	assert_int_equal(joined[2], 2);
	fathom_alignment_fini(&alignment);
}

static void empty(void **state)
{
	(void)state;
	align(NULL, 0);
	fathom_alignment_fini(&alignment);
	align((const char *const[]){ "" }, 1);
	assert_int_equal(alignment.columns, 0);
	fathom_alignment_fini(&alignment);
	align((const char *const[]){ "", "AB", "" }, 3);
	assert_string_equal(text(0), "--");
	assert_string_equal(text(1), "AB");
	fathom_alignment_fini(&alignment);
	assert_int_equal(fathom_alignment_cells(sequences, 3), 9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pair), cmocka_unit_test(known_scores), cmocka_unit_test(planted_differences),
		cmocka_unit_test(letters_that_appear_together), cmocka_unit_test(empty),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
