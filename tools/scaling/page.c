#include "tools/scaling/page.h"

#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "tools/common/html_text.h"
#include "tools/common/number_format.h"

enum { SERIES = 6 };	/* lines of a chart, each with a colour that colour-blind people can tell from the others */

/* The frame of a chart, in pixels. */
enum { WIDTH = 760, HEIGHT = 320, LEFT = 70, RIGHT = 20, TOP = 16, BOTTOM = 44 };

static const char style[] =
	"<style>\n"
	":root{color-scheme:light dark;--text:#1a1a1a;--page:#fff;--line:#bbb;--broken:#b00020}\n"
	"@media(prefers-color-scheme:dark){:root{--text:#e6e6e6;--page:#161616;--line:#555;--broken:#ff8a80}}\n"
	"body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;"
	"color:var(--text);background:var(--page)}\n"
	"table{border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}\n"
	"th,td{padding:.15rem .7rem;text-align:right;border-bottom:1px solid var(--line)}\n"
	"th:first-child,td:first-child,.path{text-align:left}\n"
	".broken{color:var(--broken);font-weight:600}.path{font-family:ui-monospace,monospace;font-size:13px}\n"
	"svg{max-width:100%;height:auto}svg text{fill:var(--text);font-size:12px}\n"
	".axis{stroke:var(--line);stroke-width:1}.limit{stroke:var(--broken);stroke-dasharray:4 4}\n"
	".series{fill:none;stroke-width:2}.projected{stroke-dasharray:5 4}\n"
	".s0{stroke:#0072b2;fill:#0072b2}.s1{stroke:#d55e00;fill:#d55e00}.s2{stroke:#009e73;fill:#009e73}\n"
	".s3{stroke:#cc79a7;fill:#cc79a7}.s4{stroke:#e69f00;fill:#e69f00}.s5{stroke:#56b4e9;fill:#56b4e9}\n"
	"path.series{fill:none}text.s0,text.s1,text.s2,text.s3,text.s4,text.s5{stroke:none}\n"
	"@media print{body{max-width:none}}\n"
	"</style>\n";

/* --- charts -------------------------------------------------------------------------------------------------- */

/* A chart with a logarithmic axis of sizes. */
struct chart {
	double first, last;	/* sizes */
	double least, most;	/* values */
	bool is_log;		/* the axis of values is logarithmic, too */
	uint32_t series;	/* lines so far */
};

static double x_of(const struct chart *chart, double size)
{
	return LEFT + (WIDTH - LEFT - RIGHT) * log(size / chart->first) / log(chart->last / chart->first);
}

static double y_of(const struct chart *chart, double value)
{
	double share = chart->is_log ? log(value / chart->least) / log(chart->most / chart->least) :
		       (value - chart->least) / (chart->most - chart->least);

	return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * fmin(fmax(share, 0), 1);
}

static void begin_chart(FILE *file, const struct fathom_scaling *scaling, const struct chart *chart, const char *title)
{
	double previous = -100;

	fprintf(file, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" aria-label=\"%s\">\n", WIDTH, HEIGHT, WIDTH,
		title);
	fprintf(file, "<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", LEFT, HEIGHT - BOTTOM,
		WIDTH - RIGHT, HEIGHT - BOTTOM);
	fprintf(file, "<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", LEFT, TOP, LEFT,
		HEIGHT - BOTTOM);
	for (uint32_t s = 0; s <= scaling->count; s++) {
		double size = s < scaling->count ? scaling->sizes[s].threads : scaling->target;
		double x = x_of(chart, size);

		if (x - previous < 24)		/* the numbers would touch each other */
			continue;
		previous = x;
		fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f</text>\n", x, HEIGHT - BOTTOM + 18,
			size);
	}
	fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">threads of all ranks</text>\n",
		(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8);
}

/* Begins a line through points; the class gives its colour. */
static void begin_series(FILE *file, const struct chart *chart, const char *more)
{
	fprintf(file, "<path class=\"series s%u%s\" d=\"", chart->series, more);
}

static void put_point(FILE *file, const struct chart *chart, double size, double value, bool is_first)
{
	fprintf(file, "%s%.1f %.1f", is_first ? "M" : " L", x_of(chart, size), y_of(chart, value));
}

static void put_dot(FILE *file, const struct chart *chart, double size, double value)
{
	fprintf(file, "<circle class=\"s%u\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", chart->series, x_of(chart, size),
		y_of(chart, value));
}

/* Names a line below a chart. */
static void put_legend_entry(FILE *file, uint32_t series, const char *name)
{
	fprintf(file, "<svg width=\"22\" height=\"10\"><path class=\"series s%u\" d=\"M0 5 L18 5\"/></svg>", series);
	fathom_html_text(file, name);
	fputs(" &#160; ", file);
}

/* --- efficiencies -------------------------------------------------------------------------------------------- */

static const enum fathom_factor charted[] = {
	FATHOM_FACTOR_GLOBAL, FATHOM_FACTOR_PARALLEL, FATHOM_FACTOR_BALANCE, FATHOM_FACTOR_COMMUNICATION,
	FATHOM_FACTOR_THREADS, FATHOM_FACTOR_COMPUTATION,
};

static bool is_known(const struct fathom_scaling *scaling, enum fathom_factor factor)
{
	for (uint32_t s = 0; s < scaling->count; s++)
		if (scaling->sizes[s].factors[factor] >= 0)
			return true;
	return false;
}

static void put_factor_line(FILE *file, const struct fathom_scaling *scaling, const struct chart *chart,
			    enum fathom_factor factor)
{
	const struct fathom_size *last = &scaling->sizes[scaling->count - 1];
	bool is_first = true;

	begin_series(file, chart, "");
	for (uint32_t s = 0; s < scaling->count; s++) {
		if (scaling->sizes[s].factors[factor] < 0)
			continue;
		put_point(file, chart, scaling->sizes[s].threads, scaling->sizes[s].factors[factor], is_first);
		is_first = false;
	}
	fputs("\"/>\n", file);
	for (uint32_t s = 0; s < scaling->count; s++)
		if (scaling->sizes[s].factors[factor] >= 0)
			put_dot(file, chart, scaling->sizes[s].threads, scaling->sizes[s].factors[factor]);
	if (isnan(scaling->projected[factor]) || last->factors[factor] < 0)
		return;
	begin_series(file, chart, " projected");
	put_point(file, chart, last->threads, last->factors[factor], true);
	put_point(file, chart, scaling->target, scaling->projected[factor], false);
	fputs("\"/>\n", file);
}

static void put_factor_chart(FILE *file, const struct fathom_scaling *scaling)
{
	struct chart chart = { .first = scaling->sizes[0].threads, .last = scaling->target, .most = 1 };

	for (enum fathom_factor f = 0; f < FATHOM_FACTOR_COUNT; f++)
		for (uint32_t s = 0; s < scaling->count; s++)
			chart.most = fmax(chart.most, scaling->sizes[s].factors[f]);
	/* Larger factors are drawn at the upper edge; the table has their values. */
	chart.most = fmin(chart.most, 1.2);
	begin_chart(file, scaling, &chart, "Efficiencies by size");
	for (int tenth = 0; tenth <= 10; tenth += 2)
		fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.1f</text>\n", LEFT - 8,
			y_of(&chart, tenth / 10.0) + 4, tenth / 10.0);
	fprintf(file, "<line class=\"limit\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n", LEFT,
		y_of(&chart, fathom_factor_limit), WIDTH - RIGHT, y_of(&chart, fathom_factor_limit));
	for (chart.series = 0; chart.series < SERIES; chart.series++)
		if (is_known(scaling, charted[chart.series]))
			put_factor_line(file, scaling, &chart, charted[chart.series]);
	fputs("</svg>\n<p>", file);
	for (uint32_t i = 0; i < SERIES; i++)
		if (is_known(scaling, charted[i]))
			put_legend_entry(file, i, fathom_factor_table[charted[i]].title);
	fputs("dashed: projected</p>\n", file);
}

static void put_factor_table(FILE *file, const struct fathom_scaling *scaling)
{
	bool has_projection = !isnan(scaling->projected[FATHOM_FACTOR_COMPUTATION]);

	fputs("<table><tr><th>ranks (threads)</th>", file);
	for (uint32_t s = 0; s < scaling->count; s++)
		fprintf(file, "<th>%u (%u)</th>", scaling->sizes[s].processes, scaling->sizes[s].threads);
	if (has_projection)
		fprintf(file, "<th>projected (%.0f)</th>", scaling->target);
	fputs("</tr>\n", file);
	for (enum fathom_factor f = 0; f < FATHOM_FACTOR_COUNT; f++) {
		if (!is_known(scaling, f))
			continue;
		fprintf(file, "<tr><td>%s</td>", fathom_factor_table[f].title);
		for (uint32_t s = 0; s < scaling->count; s++) {
			double factor = scaling->sizes[s].factors[f];
			bool is_broken = factor < fathom_factor_limit;

			if (factor < 0)
				fputs("<td>-</td>", file);
			else
				fprintf(file, "<td%s>%.3f</td>", is_broken ? " class=\"broken\"" : "", factor);
		}
		if (has_projection && isnan(scaling->projected[f]))
			fputs("<td>-</td>", file);
		else if (has_projection)
			fprintf(file, "<td>%.3f</td>", scaling->projected[f]);
		fputs("</tr>\n", file);
	}
	fputs("</table>\n", file);
	if (scaling->first_broken == FATHOM_FACTOR_COUNT)
		fprintf(file, "<p>No factor is below %.2f.</p>\n", fathom_factor_limit);
	else
		fprintf(file, "<p>The first to break: <b>%s</b>, %.3f with %u ranks and %u threads (below %.2f).</p>\n",
			fathom_factor_table[scaling->first_broken].title,
			scaling->sizes[scaling->broken_at].factors[scaling->first_broken],
			scaling->sizes[scaling->broken_at].processes, scaling->sizes[scaling->broken_at].threads,
			fathom_factor_limit);
}

/* --- losses and models --------------------------------------------------------------------------------------- */

static void put_cell(FILE *file, const struct fathom_scaling *scaling, double value)
{
	char text[FATHOM_NUMBER_BYTES];

	fprintf(file, "<td>%s</td>", fathom_number_with_unit(text, value, scaling->matched.unit));
}

static void put_path(FILE *file, const struct fathom_scaling *scaling, uint32_t item)
{
	char path[4096];

	fathom_matched_path(&scaling->matched.call_paths, item, path, sizeof(path));
	fputs("<td class=\"path\">", file);
	fathom_html_text(file, path);
	fputs("</td></tr>\n", file);
}

static void put_losses(FILE *file, const struct fathom_scaling *scaling, int64_t top)
{
	const struct fathom_matched_list *list = &scaling->matched.call_paths;
	uint32_t last = scaling->count - 1;

	fprintf(file, "<h2>Scaling losses</h2>\n<p>Own values per thread, from %u to %u threads. The whole run loses "
		"%.1f%%.</p>\n<table><tr><th>loss</th><th>%u</th><th>%u</th><th class=\"path\">call path</th></tr>\n",
		scaling->sizes[0].threads, scaling->sizes[last].threads, 100 * scaling->sizes[last].loss,
		scaling->sizes[0].threads, scaling->sizes[last].threads);
	for (size_t i = 0; i < list->count && (int64_t)i < top && scaling->paths[i].loss > 0; i++) {
		const struct fathom_matched_item *item = &list->items[scaling->paths[i].item];

		fprintf(file, "<tr><td>%.1f%%</td>", 100 * fathom_scaling_share(scaling, scaling->paths[i].loss, last));
		put_cell(file, scaling, fathom_scaling_own(scaling, item, 0));
		put_cell(file, scaling, fathom_scaling_own(scaling, item, last));
		put_path(file, scaling, scaling->paths[i].item);
	}
	fputs("</table>\n", file);
}

/* Returns how many of the call paths that grow worst the chart shows. */
static uint32_t growing_shown(const struct fathom_scaling *scaling)
{
	uint32_t count = 0;

	while (count < SERIES && count < scaling->growing_count && scaling->growing[count].growth > 0)
		count++;
	return count;
}

static void put_growth_line(FILE *file, const struct fathom_scaling *scaling, const struct chart *chart)
{
	enum { STEPS = 60 };
	const struct fathom_scaled_item *path = &scaling->growing[chart->series];
	const struct fathom_matched_item *item = &scaling->matched.call_paths.items[path->item];
	bool is_first = true;

	begin_series(file, chart, "");
	for (int i = 0; i <= STEPS; i++) {
		double size = chart->first * pow(chart->last / chart->first, (double)i / STEPS);
		double value = fathom_growth_model_value(&path->model, size);

		if (value < chart->least)
			continue;
		put_point(file, chart, size, value, is_first);
		is_first = false;
	}
	fputs("\"/>\n", file);
	for (uint32_t s = 0; s < scaling->count; s++) {
		double value = fathom_scaling_own(scaling, item, s);

		if (value >= chart->least)
			put_dot(file, chart, scaling->sizes[s].threads, value);
	}
}

/* Draws the call paths that grow worst, on axes that are both logarithmic. */
static void put_growth_chart(FILE *file, const struct fathom_scaling *scaling)
{
	struct chart chart = { .first = scaling->sizes[0].threads, .last = scaling->target, .least = DBL_MAX,
			       .is_log = true };
	uint32_t count = growing_shown(scaling);
	char text[FATHOM_NUMBER_BYTES];

	for (uint32_t i = 0; i < count; i++) {
		const struct fathom_scaled_item *path = &scaling->growing[i];

		chart.most = fmax(chart.most, path->model.predicted);
		for (uint32_t s = 0; s < scaling->count; s++) {
			double value = fathom_scaling_own(scaling, &scaling->matched.call_paths.items[path->item], s);

			chart.most = fmax(chart.most, value);
			chart.least = value > 0 ? fmin(chart.least, value) : chart.least;
		}
	}
	if (!count || chart.least >= chart.most)
		return;
	/* Six powers of ten at most. */
	chart.least = pow(10, floor(log10(fmax(chart.least, chart.most * 1e-6))));
	chart.most = pow(10, ceil(log10(chart.most)));
	begin_chart(file, scaling, &chart, "Growth of call paths");
	for (double value = chart.least; value <= chart.most * 1.01; value *= 10)
		fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", LEFT - 8,
			y_of(&chart, value) + 4, fathom_number_with_unit(text, value, scaling->matched.unit));
	for (chart.series = 0; chart.series < count; chart.series++)
		put_growth_line(file, scaling, &chart);
	fputs("</svg>\n<p>", file);
	for (uint32_t i = 0; i < count; i++)
		put_legend_entry(file, i, scaling->matched.call_paths.items[scaling->growing[i].item].name);
	fputs("points: measured; lines: models</p>\n", file);
}

static void put_models(FILE *file, const struct fathom_scaling *scaling, int64_t top)
{
	uint32_t last = scaling->count - 1;
	char term[FATHOM_GROWTH_TERM_BYTES];

	if (!scaling->whole.is_there)
		return;
	fputs("<h2>Growth with the number of threads, p</h2>\n<p>Own values per thread; the worst first.</p>\n", file);
	put_growth_chart(file, scaling);
	fprintf(file, "<table><tr><th>model</th><th>error</th><th>%u</th><th>%.0f, predicted</th><th>least</th>"
		"<th>most</th><th class=\"path\">call path</th></tr>\n", scaling->sizes[last].threads, scaling->target);
	for (size_t i = 0; i < scaling->growing_count && (int64_t)i < top && scaling->growing[i].growth > 0; i++) {
		const struct fathom_scaled_item *path = &scaling->growing[i];

		fprintf(file, "<tr><td>%s</td><td>%.1f%%</td>", fathom_growth_model_term(&path->model, term),
			100 * path->model.error);
		put_cell(file, scaling, fathom_scaling_own(scaling, &scaling->matched.call_paths.items[path->item],
							   last));
		put_cell(file, scaling, path->model.predicted);
		put_cell(file, scaling, path->model.low);
		put_cell(file, scaling, path->model.high);
		put_path(file, scaling, path->item);
	}
	fputs("</table>\n", file);
}

/* --- the page ------------------------------------------------------------------------------------------------ */

static void put_page(FILE *file, const struct fathom_scaling *scaling, int64_t top)
{
	const char *program = scaling->matched.runs[scaling->order[0]].program, *slash = strrchr(program, '/');

	program = slash && slash[1] ? slash + 1 : program;
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
	      "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>Scaling of ", file);
	fathom_html_text(file, program);
	fprintf(file, "</title>\n%s</head><body>\n<h1>Scaling of ", style);
	fathom_html_text(file, program);
	fprintf(file, "</h1>\n<p>%u runs of %u sizes; metric: ", scaling->matched.count, scaling->count);
	fathom_html_text(file, scaling->matched.title);
	fprintf(file, "; expected scaling: %s.</p>\n", fathom_expectation_name(scaling->expectation));
	for (uint32_t s = 0; s < scaling->count; s++)
		if (scaling->sizes[s].shares_processors)
			fprintf(file, "<p class=\"broken\">In the runs of %u ranks, ranks or threads shared "
				"processors: their times tell little about how the program scales.</p>\n",
				scaling->sizes[s].processes);
	fputs("<h2>Efficiency</h2>\n", file);
	put_factor_chart(file, scaling);
	put_factor_table(file, scaling);
	put_losses(file, scaling, top);
	put_models(file, scaling, top);
	fputs("</body></html>\n", file);
}

int fathom_scaling_page(const struct fathom_scaling *scaling, const char *path, int64_t top)
{
	FILE *file = fopen(path, "wx");
	bool is_written;
	int err;

	if (!file) {
		err = errno;
		fathom_tool_error("%s: cannot be made: %s", path, strerror(err));
		return -err;
	}
	put_page(file, scaling, top);
	errno = 0;
	is_written = !ferror(file);
	is_written &= fclose(file) == 0;
	if (is_written)
		return 0;
	err = errno ? errno : EIO;
	fathom_tool_error("%s: %s", path, strerror(err));
	unlink(path);
	return -err;
}
