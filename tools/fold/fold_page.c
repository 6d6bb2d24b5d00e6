#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "tools/clusters/kind_colours.h"
#include "tools/common/html_text.h"
#include "tools/common/number_format.h"
#include "tools/common/output_file.h"
#include "tools/fold/fold_output.h"

/* The frames of the pictures, in pixels. */
enum { WIDTH = 900, HEIGHT = 240, LEFT = 110, RIGHT = 20, TOP = 12, BOTTOM = 34, ROW = 18, NAMES = 330 };

enum { MOST_PLACES = 30 };	/* rows of code */

/* Draws the axes of a curve, whose highest rate is most. */
static void put_axes(FILE *file, double most, const char *unit)
{
	char text[FATHOM_NUMBER_BYTES];

	fprintf(file, "<path class=\"axis\" fill=\"none\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP, HEIGHT - BOTTOM,
		WIDTH - RIGHT);
	for (int i = 0; i <= 4; i++) {
		double x = LEFT + i * (WIDTH - LEFT - RIGHT) / 4.0;
		double y = HEIGHT - BOTTOM - i * (HEIGHT - TOP - BOTTOM) / 4.0;

		fprintf(file, "<text x=\"%.0f\" y=\"%d\" text-anchor=\"middle\">%d %%</text>\n", x,
			HEIGHT - BOTTOM + 16, 25 * i);
		fprintf(file, "<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">", LEFT - 6, y + 4);
		fathom_html_text(file, fathom_number_with_unit(text, most * i / 4, unit));
		fputs("/s</text>\n", file);
	}
}

/* Draws the rate of a counter over the time. */
static void put_curve(FILE *file, const struct fathom_folds *folds, const struct fathom_fold *fold, uint32_t c)
{
	const struct fathom_fit *fit = &fold->counters[c].fit;
	double most = 0, scale = fathom_folded_mean(&fold->counters[c]) / fathom_fold_duration(fold);

	for (uint32_t s = 0; s < fit->segments; s++)
		most = fmax(most, fathom_fit_slope(fit, s));
	fputs("<h3>", file);
	fathom_html_text(file, folds->counters[c].name);
	fprintf(file, "</h3>\n<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" "
		"aria-label=\"rate over the time\">\n", WIDTH, HEIGHT, WIDTH);
	put_axes(file, most * scale, folds->counters[c].unit);
	for (uint32_t s = 0; s < fit->segments; s++) {
		double height = fathom_fit_slope(fit, s) / most * (HEIGHT - TOP - BOTTOM);

		fprintf(file, "<rect class=\"k1\" fill-opacity=\".7\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
			"height=\"%.1f\"/>\n", LEFT + fit->x[s] * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - height,
			(fit->x[s + 1] - fit->x[s]) * (WIDTH - LEFT - RIGHT), height);
	}
	fputs("</svg>\n", file);
}

/* Draws which lines run when: the darker, the larger is their share of the samples there. */
static void put_places(FILE *file, const struct fathom_folds *folds, const struct fathom_fold *fold)
{
	uint32_t rows = fold->place_count < MOST_PLACES ? fold->place_count : MOST_PLACES;
	double width = (double)(WIDTH - NAMES) / FATHOM_FOLD_COLUMNS;
	uint64_t totals[FATHOM_FOLD_COLUMNS] = { 0 };
	char text[2048];

	for (uint32_t p = 0; p < fold->place_count; p++)
		for (uint32_t i = 0; i < FATHOM_FOLD_COLUMNS; i++)
			totals[i] += fold->places[p]->samples[i];
	fprintf(file, "<h3>Code over the time, from %" PRIu64 " samples</h3>\n<svg viewBox=\"0 0 %d %u\" width=\"%d\" "
		"role=\"img\" aria-label=\"code over the time\">\n", fold->samples, WIDTH, rows * ROW + TOP, WIDTH);
	for (uint32_t p = 0; p < rows; p++) {
		fprintf(file, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\">", NAMES - 8, p * ROW + 14);
		fathom_html_text(file, fathom_folded_place_text(folds, fold->places[p], text, sizeof(text)));
		fputs("</text>\n", file);
		for (uint32_t i = 0; i < FATHOM_FOLD_COLUMNS; i++)
			if (fold->places[p]->samples[i])
				fprintf(file, "<rect class=\"k1\" fill-opacity=\"%.2f\" x=\"%.1f\" y=\"%u\" "
					"width=\"%.1f\" height=\"%d\"/>\n",
					(double)fold->places[p]->samples[i] / (double)totals[i], NAMES + i * width,
					p * ROW, width, ROW - 2);
	}
	fputs("</svg>\n", file);
}

static void put_fold(FILE *file, const struct fathom_folds *folds, const struct fathom_fold *fold)
{
	char text[2048], duration[FATHOM_NUMBER_BYTES];

	fputs("<h2>", file);
	fathom_html_text(file, fathom_fold_name(fold, text, sizeof(text)));
	fprintf(file, "</h2>\n<p>%" PRIu64 " instances on %u threads, %s each; 0 %% is their begin, 100 %% their end."
		"</p>\n", fold->instances, fold->threads, fathom_number_seconds(duration, fathom_fold_duration(fold)));
	for (uint32_t c = 0; c < folds->counter_count; c++)
		if (fold->counters[c].fit.segments)
			put_curve(file, folds, fold, c);
	if (fold->place_count)
		put_places(file, folds, fold);
}

int fathom_folds_page(const struct fathom_folds *folds, const char *path)
{
	struct fathom_output_file file;
	int err = fathom_output_file_open(&file, path, false);

	if (err)
		return err;
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n", file.stream);
	fputs("<title>Folded instances</title>\n", file.stream);
	fputs(fathom_kind_style, file.stream);
	fputs("</head><body>\n<h1>Folded instances</h1>\n<p class=\"path\">", file.stream);
	fathom_html_text(file.stream, folds->trace->anchor);
	fputs("</p>\n", file.stream);
	for (uint32_t f = 0; f < folds->count; f++)
		put_fold(file.stream, folds, &folds->folds[f]);
	fputs("</body></html>\n", file.stream);
	return fathom_output_file_close(&file, 0);
}
