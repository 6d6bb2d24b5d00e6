#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "folding/duration_modes.h"
#include "tools/common/number_format.h"
#include "tools/fold/fold_output.h"

enum { MOST_PLACES = 8, BAR_COLUMNS = 24 };

const char *fathom_folded_place_text(const struct fathom_folds *folds, const struct fathom_folded_place *place,
				     char *text, size_t bytes)
{
	const struct fathom_otf2_defs *defs = &folds->trace->defs;
	const struct fathom_otf2_region *region = fathom_otf2_at(defs, FATHOM_OTF2_REGION, place->entry.key[0]);
	const char *file = place->file == UINT32_MAX ? "" : fathom_otf2_text(defs, place->file);
	const char *slash = strrchr(file, '/');

	if (place->entry.key[1])
		snprintf(text, bytes, "%s  %s:%" PRIu64, fathom_otf2_text(defs, region->name), slash ? slash + 1 : file,
			 place->entry.key[1]);
	else
		snprintf(text, bytes, "%s", fathom_otf2_text(defs, region->name));
	return text;
}

const char *fathom_fold_name(const struct fathom_fold *fold, char *text, size_t bytes)
{
	if (fold->modes > 1)
		snprintf(text, bytes, "%s (mode %u of %u)", fold->name, fold->mode, fold->modes);
	else
		snprintf(text, bytes, "%s", fold->name);
	return text;
}

static void print_rates(const struct fathom_folds *folds, const struct fathom_fold *fold, uint32_t c,
			struct fathom_page *page)
{
	const struct fathom_folded_counter *counter = &fold->counters[c];
	char text[FATHOM_NUMBER_BYTES];
	double most = 0;

	printf("\n%s", fathom_page_style(page, FATHOM_STYLE_BOLD));
	fathom_page_text(page, folds->counters[c].name, page->width / 2);
	printf("%s: %s", fathom_page_style(page, FATHOM_STYLE_PLAIN),
	       fathom_number_with_unit(text, fathom_folded_mean(counter), folds->counters[c].unit));
	printf(" an instance, %" PRIu64 " readings", counter->points.total);
	if (counter->fit.segments == 0) {
		printf(" within: too few\n");
		return;
	}
	printf(", error %.1f %%\n", 100 * counter->fit.error);
	for (uint32_t s = 0; s < counter->fit.segments; s++)
		most = fmax(most, fathom_fit_slope(&counter->fit, s));
	for (uint32_t s = 0; s < counter->fit.segments; s++) {
		double rate = fathom_fold_rate(fold, c, (counter->fit.x[s] + counter->fit.x[s + 1]) / 2);

		printf("  %5.1f to %5.1f %%  %11s/s  ", 100 * counter->fit.x[s], 100 * counter->fit.x[s + 1],
		       fathom_number_with_unit(text, rate, folds->counters[c].unit));
		fathom_page_bar(page, fathom_fit_slope(&counter->fit, s) / most, BAR_COLUMNS);
		printf("\n");
	}
}

/* Prints the ratio of instructions and cycles wherever one of the two bends. */
static void print_ratio(const struct fathom_folds *folds, const struct fathom_fold *fold)
{
	double begin = 0, last = NAN;

	if (folds->instructions < 0 || folds->cycles < 0 ||
	    !fold->counters[folds->instructions].fit.segments || !fold->counters[folds->cycles].fit.segments)
		return;
	printf("\nInstructions per cycle\n");
	for (uint32_t i = 0; i <= FATHOM_FIT_STEPS; i++) {
		double x = (i + 0.5) / FATHOM_FIT_STEPS, ratio = NAN;

		if (i < FATHOM_FIT_STEPS)
			ratio = fathom_fold_rate(fold, (uint32_t)folds->instructions, x) /
				fathom_fold_rate(fold, (uint32_t)folds->cycles, x);
		if (i > 0 && (i == FATHOM_FIT_STEPS || fabs(ratio - last) > 1e-9)) {
			printf("  %5.1f to %5.1f %%  %13.2f\n", begin, 100.0 * i / FATHOM_FIT_STEPS, last);
			begin = 100.0 * i / FATHOM_FIT_STEPS;
		}
		last = ratio;
	}
}

/* Prints when a line runs: for each part of the time a digit, its share of the samples there in tenths; a dot is less
 * than a twentieth. */
static void print_place(const struct fathom_folds *folds, const struct fathom_fold *fold,
			const struct fathom_folded_place *place, const uint64_t *totals, struct fathom_page *page)
{
	char text[2048], share[FATHOM_NUMBER_BYTES];

	printf("%7s  ", fathom_number_percent(share, (double)place->total, (double)fold->samples));
	for (uint32_t i = 0; i < FATHOM_FOLD_COLUMNS; i++) {
		double part = totals[i] ? (double)place->samples[i] / (double)totals[i] : 0;

		putchar(place->samples[i] == 0 ? ' ' : part < 0.05 ? '.' : part >= 0.95 ? '#' :
			"0123456789"[(int)(part * 10 + 0.5)]);
	}
	printf("  ");
	fathom_page_text(page, fathom_folded_place_text(folds, place, text, sizeof(text)),
			 page->width - FATHOM_FOLD_COLUMNS - 12);
	printf("\n");
}

static void print_places(const struct fathom_folds *folds, const struct fathom_fold *fold, struct fathom_page *page)
{
	uint64_t totals[FATHOM_FOLD_COLUMNS] = { 0 };

	for (uint32_t p = 0; p < fold->place_count; p++)
		for (uint32_t i = 0; i < FATHOM_FOLD_COLUMNS; i++)
			totals[i] += fold->places[p]->samples[i];
	printf("\n%sCode over the time%s, from %" PRIu64 " samples (1 to 9: tenths of a column, #: all of it)\n",
	       fathom_page_style(page, FATHOM_STYLE_BOLD), fathom_page_style(page, FATHOM_STYLE_PLAIN), fold->samples);
	for (uint32_t p = 0; p < fold->place_count && p < MOST_PLACES; p++)
		print_place(folds, fold, fold->places[p], totals, page);
	if (fold->place_count > MOST_PLACES)
		printf("         %u more lines (--json)\n", fold->place_count - MOST_PLACES);
}

static void print_fold(const struct fathom_folds *folds, const struct fathom_fold *fold, struct fathom_page *page)
{
	char name[2048], text[FATHOM_NUMBER_BYTES];

	fathom_page_heading(page, "Folded", "0 % is the begin of each instance, 100 % its end");
	fathom_page_text(page, fathom_fold_name(fold, name, sizeof(name)), page->width);
	printf("\n%" PRIu64 " instances on %u thread%s, %s each", fold->instances, fold->threads,
	       fold->threads == 1 ? "" : "s", fathom_number_seconds(text, fathom_fold_duration(fold)));
	if (fold->left_out)
		printf("; %" PRIu64 " of other durations are left out", fold->left_out);
	printf("\n");
	for (uint32_t c = 0; c < folds->counter_count; c++)
		if (fold->counters[c].sum > 0)
			print_rates(folds, fold, c, page);
	print_ratio(folds, fold);
	if (fold->samples)
		print_places(folds, fold, page);
}

/* Returns whether anything is known about what happens within the instances. */
static bool has_inside(const struct fathom_folds *folds, const struct fathom_fold *fold)
{
	bool has_fit = false;

	for (uint32_t c = 0; c < folds->counter_count; c++)
		has_fit |= fold->counters[c].fit.segments > 0;
	return has_fit || fold->samples >= FATHOM_LEAST_INSTANCES;
}

void fathom_folds_print(const struct fathom_folds *folds, struct fathom_page *page)
{
	uint32_t empty = 0;
	char text[256];

	for (uint32_t f = 0; f < folds->count; f++) {
		if (has_inside(folds, &folds->folds[f]))
			print_fold(folds, &folds->folds[f], page);
		else
			empty++;
	}
	if (empty == 0)
		return;
	snprintf(text, sizeof(text), "%u more group%s of instances without samples and counter readings within%s",
		 empty, empty == 1 ? "" : "s", empty < folds->count ? "" :
		 ": measure with FATHOM_SAMPLING and FATHOM_TRACE_SAMPLES, or with FATHOM_METRICS and the functions "
		 "that are called");
	printf("\n");
	fathom_page_paragraph(page, text, 0);
}
