#include "tools/clusters/clusters_page.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/clusters/cluster_values.h"
#include "tools/clusters/clusters_text.h"
#include "tools/clusters/kind_colours.h"
#include "tools/common/command.h"
#include "tools/common/html_text.h"
#include "tools/common/number_format.h"

enum {
	MOST_POINTS = 6000,	/* in the scatter plot */
	MOST_ROWS = 128,	/* threads in the time line */
	CELLS = 1000,		/* of a row of the time line */
	TABLE_KINDS = 50,
};

/* The frame of the scatter plot, and the time line, in pixels. */
enum { WIDTH = 900, HEIGHT = 480, LEFT = 90, RIGHT = 40, TOP = 16, BOTTOM = 50, ROW = 12 };

/* --- the table ---------------------------------------------------------------------------------------- */

static void put_kind(FILE *file, const struct fathom_clustering *clustering, uint32_t number)
{
	const struct fathom_cluster *cluster = &clustering->clusters[number];
	char text[FATHOM_NUMBER_BYTES], path[2048];

	fprintf(file, "<tr><td><svg width=\"12\" height=\"12\"><rect class=\"%s\" width=\"12\" height=\"12\"/></svg> ",
		fathom_kind_class(number));
	if (number == FATHOM_NOISE)
		fputs("noise</td>", file);
	else
		fprintf(file, "%u</td>", number);
	fprintf(file, "<td>%s</td><td>%" PRIu64 "</td>",
		fathom_number_percent(text, cluster->seconds, clustering->seconds), cluster->count);
	fprintf(file, "<td>%s</td>", fathom_number_seconds(text, fathom_cluster_mean(cluster)));
	for (uint32_t m = 2; m < clustering->metrics.count; m++)
		fprintf(file, "<td>%s</td>", cluster->metrics[m].count ?
			fathom_number_with_unit(text, cluster->metrics[m].mean, clustering->metrics.metrics[m].unit) :
			"-");
	fprintf(file, "<td>%u, %s</td><td class=\"path\">", cluster->threads,
		fathom_cluster_regularity(cluster->score));
	if (cluster->place_count)
		fathom_html_text(file, fathom_burst_path_text(&clustering->data->extraction, cluster->places[0].path,
							      path, sizeof(path)));
	fputs("</td></tr>\n", file);
}

static void put_table(FILE *file, const struct fathom_clustering *clustering)
{
	fputs("<table><tr><th>kind</th><th>time</th><th>bursts</th><th>duration</th>", file);
	for (uint32_t m = 2; m < clustering->metrics.count; m++) {
		fputs("<th>", file);
		fathom_html_text(file, clustering->metrics.metrics[m].name);
		fputs("</th>", file);
	}
	fputs("<th>threads</th><th class=\"path\">code</th></tr>\n", file);
	for (uint32_t c = 1; c <= clustering->count && c <= TABLE_KINDS; c++)
		put_kind(file, clustering, c);
	if (clustering->clusters[FATHOM_NOISE].count)
		put_kind(file, clustering, FATHOM_NOISE);
	fputs("</table>\n", file);
}

/* --- the scatter plot --------------------------------------------------------------------------------- */

/* A dimension of the plot: its place in a point, and the range of the scaled values. */
struct plot_axis {
	uint32_t dimension;
	double least, most;
	bool has_unit;		/* the scaled values are those of a metric */
};

static struct plot_axis axis_of(const struct fathom_clustering *clustering, uint32_t dimension)
{
	struct plot_axis axis = { dimension, HUGE_VAL, -HUGE_VAL, !clustering->choice.principal_axes };

	for (uint32_t i = 0; i < clustering->point_count; i++) {
		double value = clustering->values[(size_t)i * clustering->dimensions + dimension];

		axis.least = fmin(axis.least, value);
		axis.most = fmax(axis.most, value);
	}
	if (axis.most <= axis.least)
		axis.most = axis.least + 1;
	return axis;
}

static double share_of(const struct fathom_clustering *clustering, const struct plot_axis *axis, uint32_t point)
{
	double value = clustering->values[(size_t)point * clustering->dimensions + axis->dimension];

	return (value - axis->least) / (axis->most - axis->least);
}

static const char *axis_name(const struct fathom_clustering *clustering, const struct plot_axis *axis)
{
	if (!axis->has_unit)
		return axis->dimension ? "second principal axis" : "first principal axis";
	return clustering->metrics.metrics[clustering->choice.metrics[axis->dimension]].name;
}

/* Writes the value of the metric at a share of an axis; empty for categories and principal axes. */
static const char *axis_value(const struct fathom_clustering *clustering, const struct plot_axis *axis, double share,
			      char text[FATHOM_NUMBER_BYTES])
{
	const struct fathom_axis *scaled = &clustering->axes[axis->dimension];
	double value = scaled->least + share * (scaled->most - scaled->least);

	text[0] = '\0';
	if (axis->has_unit && !scaled->is_kept)
		fathom_number_with_unit(text, scaled->is_log ? exp(value) : value,
			clustering->metrics.metrics[clustering->choice.metrics[axis->dimension]].unit);
	return text;
}

static void put_axes(FILE *file, const struct fathom_clustering *clustering, const struct plot_axis *x,
		     const struct plot_axis *y)
{
	enum { TICKS = 4 };
	char text[FATHOM_NUMBER_BYTES];

	fprintf(file, "<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n"
		"<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", LEFT, HEIGHT - BOTTOM,
		WIDTH - RIGHT, HEIGHT - BOTTOM, LEFT, TOP, LEFT, HEIGHT - BOTTOM);
	for (int tick = 0; tick <= TICKS; tick++) {
		double share = (double)tick / TICKS;

		fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
			LEFT + share * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM + 16,
			axis_value(clustering, x, share, text));
		fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 6,
			HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM) + 4, axis_value(clustering, y, share, text));
	}
	fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12);
	fathom_html_text(file, axis_name(clustering, x));
	fprintf(file, "</text>\n<text x=\"14\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 14 %d)\">",
		(TOP + HEIGHT - BOTTOM) / 2, (TOP + HEIGHT - BOTTOM) / 2);
	fathom_html_text(file, axis_name(clustering, y));
	fputs("</text>\n", file);
}

static void put_plot(FILE *file, const struct fathom_clustering *clustering)
{
	struct plot_axis x = axis_of(clustering, 0), y;
	uint32_t count = clustering->point_count, shown = count < MOST_POINTS ? count : MOST_POINTS;

	if (clustering->dimensions < 2) {
		fputs("<p>The bursts have one dimension only.</p>\n", file);
		return;
	}
	y = axis_of(clustering, 1);
	fputs("<h2>Bursts by ", file);
	fathom_html_text(file, axis_name(clustering, &x));
	fputs(" and ", file);
	fathom_html_text(file, axis_name(clustering, &y));
	fprintf(file, "</h2>\n<p>%u of %u bursts. The axis of a metric with a wide range is logarithmic.</p>\n"
		"<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"scatter plot\">\n", shown, count,
		WIDTH, HEIGHT, WIDTH);
	put_axes(file, clustering, &x, &y);
	for (uint32_t i = 0; i < shown; i++) {
		uint32_t point = (uint32_t)((uint64_t)i * count / shown);

		fprintf(file, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>\n",
			fathom_kind_class(clustering->numbers[clustering->bursts[point]]),
			LEFT + share_of(clustering, &x, point) * (WIDTH - LEFT - RIGHT),
			HEIGHT - BOTTOM - share_of(clustering, &y, point) * (HEIGHT - TOP - BOTTOM));
	}
	fputs("</svg>\n", file);
}

/* --- the time line ------------------------------------------------------------------------------------ */

/* The begin and end of the time line in ticks, and for a row the kind with most time in each cell. */
struct line {
	uint64_t begin, end;
	uint32_t kinds[CELLS];		/* number + 1; 0: none */
	double shares[CELLS];		/* of the cell, for that kind */
};

/* Notes a burst in the cells that it touches. */
static void add_burst(struct line *line, const struct fathom_listed_burst *burst, uint32_t number)
{
	double scale = CELLS / (double)(line->end - line->begin);
	double from = (double)(burst->begin - line->begin) * scale, to = (double)(burst->end - line->begin) * scale;

	for (int cell = (int)from; cell < CELLS && cell < to; cell++) {
		double share = fmin(to, cell + 1) - fmax(from, cell);

		if (line->kinds[cell] == number + 1) {
			line->shares[cell] += share;
		} else if (share > line->shares[cell]) {
			line->kinds[cell] = number + 1;
			line->shares[cell] = share;
		}
	}
}

static void put_row(FILE *file, const struct line *line, uint32_t row)
{
	double width = (double)(WIDTH - LEFT - RIGHT) / CELLS;
	int end;

	for (int cell = 0; cell < CELLS; cell = end) {
		for (end = cell + 1; end < CELLS && line->kinds[end] == line->kinds[cell]; end++)
			;
		if (line->kinds[cell])
			fprintf(file, "<rect class=\"%s\" x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\"/>\n",
				fathom_kind_class(line->kinds[cell] - 1), LEFT + cell * width, TOP + row * ROW,
				(end - cell) * width, ROW - 2);
	}
}

/* Writes the rows of the threads, at most MOST_ROWS at equal steps. */
static void put_rows(FILE *file, const struct fathom_clustering *clustering, struct line *line, uint32_t rows)
{
	const struct fathom_burst_data *data = clustering->data;
	uint32_t row = 0, number = 0;
	size_t next;

	for (size_t i = 0; i < data->list.count; i = next, number++) {
		uint32_t location = data->list.bursts[i].location, thread, process;
		bool is_shown = (uint64_t)number * rows / data->thread_count >= row && row < rows;

		memset(line->kinds, 0, sizeof(line->kinds));
		memset(line->shares, 0, sizeof(line->shares));
		for (next = i; next < data->list.count && data->list.bursts[next].location == location; next++)
			if (is_shown && clustering->numbers[next] <= clustering->count)
				add_burst(line, &data->list.bursts[next], clustering->numbers[next]);
		if (!is_shown)
			continue;
		process = fathom_burst_process(data, location, &thread);
		fprintf(file, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\">%u:%u</text>\n", LEFT - 6,
			TOP + row * ROW + ROW - 2, process, thread);
		put_row(file, line, row++);
	}
}

static void put_time_line(FILE *file, const struct fathom_clustering *clustering)
{
	const struct fathom_burst_data *data = clustering->data;
	uint32_t rows = data->thread_count < MOST_ROWS ? data->thread_count : MOST_ROWS;
	struct line *line = fathom_tool_alloc(1, sizeof(*line));
	char from[FATHOM_NUMBER_BYTES], to[FATHOM_NUMBER_BYTES];

	line->begin = UINT64_MAX;
	for (size_t i = 0; i < data->list.count; i++) {
		if (data->list.bursts[i].begin < line->begin)
			line->begin = data->list.bursts[i].begin;
		if (data->list.bursts[i].end > line->end)
			line->end = data->list.bursts[i].end;
	}
	fprintf(file, "<h2>Kinds over time</h2>\n<p>%u of %u threads (process:thread), from %s to %s. Each place has "
		"the colour of the kind with the longest burst there.</p>\n<svg viewBox=\"0 0 %d %u\" width=\"%d\" "
		"role=\"img\" aria-label=\"time line\">\n", rows, data->thread_count,
		fathom_number_seconds(from, fathom_burst_time(data, line->begin)),
		fathom_number_seconds(to, fathom_burst_time(data, line->end)), WIDTH, TOP + rows * ROW + TOP, WIDTH);
	put_rows(file, clustering, line, rows);
	fputs("</svg>\n", file);
	free(line);
}

/* --- the file ----------------------------------------------------------------------------------------- */

int fathom_clusters_page_write(const struct fathom_clustering *clustering, const char *path)
{
	FILE *file = fopen(path, "wx");
	int err = file ? 0 : -errno;

	if (file) {
		fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n", file);
		fputs("<title>Kinds of bursts</title>\n", file);
		fputs(fathom_kind_style, file);
		fputs("</head><body>\n<h1>Kinds of computation</h1>\n<p class=\"path\">", file);
		fathom_html_text(file, clustering->data->trace.anchor);
		fputs("</p>\n", file);
		put_table(file, clustering);
		put_plot(file, clustering);
		put_time_line(file, clustering);
		fputs("</body></html>\n", file);
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
