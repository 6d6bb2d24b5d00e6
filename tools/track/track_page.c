#include "tools/track/track_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "tools/clusters/kind_colours.h"
#include "tools/common/html_text.h"
#include "tools/common/number_format.h"
#include "tools/common/output_file.h"

enum {
	MOST_KINDS = 30,	/* in the table and the trend lines */
	MOST_TRENDS = 8,	/* metrics with a picture */
	MOST_POINTS = 3000,	/* of a scatter plot */
};

/* The frame of a picture in pixels. */
enum { WIDTH = 460, HEIGHT = 300, LEFT = 80, RIGHT = 16, TOP = 12, BOTTOM = 44, TICKS = 4 };

/* An axis of a picture: the range of its values, after the logarithm if is_log. */
struct range {
	double least, most;
	bool is_log;
	const char *name, *unit;	/* unit NULL: numbers of categories, which have no ticks */
};

static void widen(struct range *range, double value)
{
	value = range->is_log ? log(fmax(value, 1e-300)) : value;
	range->least = fmin(range->least, value);
	range->most = fmax(range->most, value);
}

static double place(const struct range *range, double value)
{
	value = range->is_log ? log(fmax(value, 1e-300)) : value;
	return range->most > range->least ? (value - range->least) / (range->most - range->least) : 0.5;
}

static double x_of(double share)
{
	return LEFT + share * (WIDTH - LEFT - RIGHT);
}

static double y_of(double share)
{
	return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM);
}

static const char *tick_text(const struct range *range, double share, char text[FATHOM_NUMBER_BYTES])
{
	double value = range->least + share * (range->most - range->least);

	text[0] = '\0';
	if (range->unit)
		fathom_number_with_unit(text, range->is_log ? exp(value) : value, range->unit);
	return text;
}

static void put_frame(FILE *file, const char *label, const struct range *y)
{
	char text[FATHOM_NUMBER_BYTES];

	fprintf(file, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"%s\">\n", WIDTH, HEIGHT, WIDTH,
		label);
	fprintf(file, "<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n"
		"<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", LEFT, HEIGHT - BOTTOM,
		WIDTH - RIGHT, HEIGHT - BOTTOM, LEFT, TOP, LEFT, HEIGHT - BOTTOM);
	for (int tick = 0; tick <= TICKS; tick++)
		fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 6,
			y_of((double)tick / TICKS) + 4, tick_text(y, (double)tick / TICKS, text));
}

static void put_x_name(FILE *file, const char *name)
{
	fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">", (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
	fathom_html_text(file, name);
	fputs("</text>\n", file);
}

/* --- the table ---------------------------------------------------------------------------------------- */

static void put_table(FILE *file, const struct fathom_kind_trends *trends)
{
	const struct fathom_tracked_runs *runs = trends->runs;
	char text[FATHOM_NUMBER_BYTES], path[2048];
	const char *source;
	uint32_t line;

	fputs("<table><tr><th>kind</th>", file);
	for (uint32_t r = 0; r < runs->count; r++) {
		fprintf(file, "<th>%u: ", r + 1);
		fathom_html_text(file, runs->runs[r].name);
		fputs("</th>", file);
	}
	fputs("<th class=\"path\">code</th></tr>\n", file);
	for (uint32_t k = 1; k <= runs->tracking.kind_count && k <= MOST_KINDS; k++) {
		fprintf(file, "<tr><td><svg width=\"12\" height=\"12\"><rect class=\"%s\" width=\"12\" height=\"12\"/>"
			"</svg> %u</td>", fathom_kind_class(k), k);
		for (uint32_t r = 0; r < runs->count; r++) {
			const struct fathom_kind_values *values = fathom_kind_values_of(trends, k, r);

			if (!values->bursts) {
				fputs("<td>-</td>", file);
				continue;
			}
			fprintf(file, "<td>%s, ", fathom_number_percent(text, values->seconds,
									 runs->runs[r].clustering.seconds));
			fprintf(file, "%s</td>", fathom_number_seconds(text, values->means[0]));
		}
		fputs("<td class=\"path\">", file);
		fathom_html_text(file, fathom_kind_code(trends, k, 0, path, sizeof(path), &source, &line));
		fputs("</td></tr>\n", file);
	}
	fputs("</table>\n", file);
}

/* --- trend lines -------------------------------------------------------------------------------------- */

/* Returns the value that a trend line shows: the mean of a metric, or the share of the time (metric -1). */
static double trend_value(const struct fathom_kind_trends *trends, uint32_t kind, uint32_t run, int64_t metric)
{
	const struct fathom_kind_values *values = fathom_kind_values_of(trends, kind, run);

	if (!values->bursts)
		return NAN;
	return metric < 0 ? 100 * values->seconds / trends->runs->runs[run].clustering.seconds : values->means[metric];
}

static void put_trend(FILE *file, const struct fathom_kind_trends *trends, uint32_t kind, int64_t metric,
		      const struct range *y)
{
	uint32_t last = trends->runs->count - 1;
	bool is_drawn = false;	/* the line has begun, and the last run had the kind */

	fprintf(file, "<path class=\"trend %s\" d=\"", fathom_kind_class(kind));
	for (uint32_t r = 0; r <= last; r++) {
		double value = trend_value(trends, kind, r, metric);

		if (isfinite(value))
			fprintf(file, "%c%.1f %.1f", is_drawn ? 'L' : 'M', x_of(last ? (double)r / last : 0.5),
				y_of(place(y, value)));
		is_drawn = isfinite(value);
	}
	fputs("\"/>\n", file);
	for (uint32_t r = 0; r <= last; r++) {
		double value = trend_value(trends, kind, r, metric);

		if (isfinite(value))
			fprintf(file, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n",
				fathom_kind_class(kind), x_of(last ? (double)r / last : 0.5), y_of(place(y, value)));
	}
}

static void put_trends(FILE *file, const struct fathom_kind_trends *trends, int64_t metric)
{
	const struct fathom_tracked_runs *runs = trends->runs;
	struct range y = { 0, 0, false, metric < 0 ? "share of the time in per cent" : trends->metrics[metric]->name,
			   metric < 0 ? "" : trends->metrics[metric]->unit };
	uint32_t kinds = runs->tracking.kind_count < MOST_KINDS ? runs->tracking.kind_count : MOST_KINDS;

	for (uint32_t k = 1; k <= kinds; k++)
		for (uint32_t r = 0; r < runs->count; r++)
			if (isfinite(trend_value(trends, k, r, metric)))
				widen(&y, trend_value(trends, k, r, metric));
	fputs("<figure><figcaption>", file);
	fathom_html_text(file, y.name);
	fputs("</figcaption>\n", file);
	put_frame(file, "trend lines", &y);
	for (uint32_t r = 0; r < runs->count; r++)
		fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%u</text>\n",
			x_of(runs->count > 1 ? (double)r / (runs->count - 1) : 0.5), HEIGHT - BOTTOM + 16, r + 1);
	put_x_name(file, "experiment");
	for (uint32_t k = kinds; k >= 1; k--)
		put_trend(file, trends, k, metric, &y);
	fputs("</svg></figure>\n", file);
}

/* --- scatter plots ------------------------------------------------------------------------------------ */

/* Returns a dimension of a burst as it was measured. */
static double burst_value(const struct fathom_tracked_run *run, uint32_t point, uint32_t dimension)
{
	const struct fathom_clustering *clustering = &run->clustering;

	return fathom_burst_metric_value(run->data,
					 &clustering->metrics.metrics[clustering->choice.metrics[dimension]],
					 clustering->bursts[point]);
}

/* Returns the range of a dimension over the bursts in clusters of all runs. */
static struct range range_of(const struct fathom_kind_trends *trends, uint32_t dimension)
{
	const struct fathom_tracked_runs *runs = trends->runs;
	const struct fathom_clustering *first = &runs->runs[0].clustering;
	const struct fathom_burst_metric *metric = &first->metrics.metrics[first->choice.metrics[dimension]];
	struct range range = { HUGE_VAL, -HUGE_VAL, runs->axes[dimension].is_log, metric->name,
			       metric->kind == FATHOM_BURST_CALL ? NULL : metric->unit };

	for (uint32_t r = 0; r < runs->count; r++)
		for (uint32_t i = 0; i < runs->experiments[r].points.count; i++)
			widen(&range, burst_value(&runs->runs[r], runs->runs[r].points[i], dimension));
	return range;
}

static void put_scatter(FILE *file, const struct fathom_kind_trends *trends, uint32_t number, const struct range *x,
			const struct range *y)
{
	const struct fathom_tracked_run *run = &trends->runs->runs[number];
	uint32_t count = trends->runs->experiments[number].points.count;
	uint32_t shown = count < MOST_POINTS ? count : MOST_POINTS;
	char text[FATHOM_NUMBER_BYTES];

	fprintf(file, "<figure><figcaption>%u: ", number + 1);
	fathom_html_text(file, run->name);
	fprintf(file, " (%u of %u bursts)</figcaption>\n", shown, count);
	put_frame(file, "scatter plot", y);
	for (int tick = 0; tick <= TICKS; tick += 2)
		fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n",
			x_of((double)tick / TICKS), HEIGHT - BOTTOM + 16, tick_text(x, (double)tick / TICKS, text));
	put_x_name(file, x->name);
	for (uint32_t i = 0; i < shown; i++) {
		uint32_t point = (uint32_t)((uint64_t)i * count / shown);

		fprintf(file, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>\n",
			fathom_kind_class(trends->runs->tracking.kinds[number][run->clusters[point]]),
			x_of(place(x, burst_value(run, run->points[point], 0))),
			y_of(place(y, burst_value(run, run->points[point], 1))));
	}
	fputs("</svg></figure>\n", file);
}

static void put_scatters(FILE *file, const struct fathom_kind_trends *trends)
{
	struct range x, y;

	if (trends->runs->dimensions < 2)
		return;
	x = range_of(trends, 0);
	y = range_of(trends, 1);
	fputs("<h2>Bursts of each experiment</h2>\n<p>", file);
	fathom_html_text(file, x.name);
	fputs(" to the right, ", file);
	fathom_html_text(file, y.name);
	fputs(" upwards. A kind has the same colour in all experiments; noise is left out.</p>\n", file);
	for (uint32_t r = 0; r < trends->runs->count; r++)
		put_scatter(file, trends, r, &x, &y);
}

int fathom_track_page_write(const struct fathom_kind_trends *trends, const char *path)
{
	struct fathom_output_file output;
	int err = fathom_output_file_open(&output, path, false);
	FILE *file = output.stream;

	if (err)
		return err;
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n", file);
	fputs("<title>Tracked kinds of bursts</title>\n", file);
	fputs(fathom_kind_style, file);
	fputs("<style>figure{display:inline-block;margin:.5rem;max-width:100%}figcaption{font-size:13px}\n"
	      "path.trend{fill:none;stroke:#888;stroke-width:1.5}\n"
	      ".trend.k1{stroke:#0072b2}.trend.k2{stroke:#d55e00}.trend.k3{stroke:#009e73}.trend.k4{stroke:#cc79a7}"
	      ".trend.k5{stroke:#e69f00}\n.trend.k6{stroke:#56b4e9}.trend.k7{stroke:#8c6d31}.trend.k8{stroke:#7570b3}"
	      ".trend.k9{stroke:#66a61e}.trend.k10{stroke:#e7298a}\n</style>\n", file);
	fputs("</head><body>\n<h1>Kinds of computation over experiments</h1>\n", file);
	fputs("<p>Share of the time of all bursts, and mean duration, of each kind.</p>\n", file);
	put_table(file, trends);
	fputs("<h2>Trends</h2>\n", file);
	put_trends(file, trends, -1);
	for (uint32_t m = 0; m < trends->metric_count && m < MOST_TRENDS; m++)
		put_trends(file, trends, m);
	put_scatters(file, trends);
	fputs("</body></html>\n", file);
	return fathom_output_file_close(&output, 0);
}
