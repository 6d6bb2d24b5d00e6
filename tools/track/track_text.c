#include "tools/track/track_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/number_format.h"

enum { COLUMN_WIDTH = 12, FIRST_COLUMNS = 57 };

const char *fathom_relation_words(enum fathom_relation_reason reason)
{
	switch (reason) {
	case FATHOM_RELATED_BY_PLACE: return "place";
	case FATHOM_RELATED_BY_CODE: return "code";
	case FATHOM_RELATED_BY_SEQUENCE: return "sequence";
	}
	return "";
}

static void print_runs(const struct fathom_kind_trends *trends, struct fathom_page *page)
{
	const struct fathom_tracked_runs *runs = trends->runs;
	char text[FATHOM_NUMBER_BYTES];

	fathom_page_heading(page, "Experiments", "time: of all bursts; noise: bursts of no kind");
	printf("    processes  threads    bursts  kinds    noise        time  experiment\n");
	for (uint32_t r = 0; r < runs->count; r++) {
		const struct fathom_clustering *clustering = &runs->runs[r].clustering;
		int columns = printf("%3u %9u %8u %9u %6u", r + 1, runs->runs[r].process_count,
				     clustering->data->thread_count, clustering->point_count, clustering->count);

		columns += printf(" %8s", fathom_number_percent(text, clustering->clusters[FATHOM_NOISE].seconds,
								clustering->seconds));
		columns += printf(" %11s  ", fathom_number_seconds(text, clustering->seconds));
		fathom_page_text(page, runs->runs[r].name, page->width - columns);
		printf("\n");
	}
}

static void print_facts(const struct fathom_kind_trends *trends, struct fathom_page *page)
{
	const struct fathom_tracked_runs *runs = trends->runs;
	char text[512], least[FATHOM_NUMBER_BYTES], mean[FATHOM_NUMBER_BYTES];
	uint32_t everywhere = 0;

	for (uint32_t k = 1; k <= runs->tracking.kind_count; k++) {
		uint32_t has = 0;

		for (uint32_t r = 0; r < runs->count; r++)
			has += fathom_kind_values_of(trends, k, r)->bursts > 0;
		everywhere += has == runs->count;
	}
	fathom_page_heading(page, "Tracking", NULL);
	snprintf(text, sizeof(text), "%.300s%s", runs->metric_names, runs->lacks_counters ?
		 " (not all experiments have the counters of the first)" : "");
	fathom_page_facts(page, "Metrics", text, NULL, NULL);
	snprintf(text, sizeof(text), "%u, of which %u %s in all experiments", runs->tracking.kind_count, everywhere,
		 everywhere == 1 ? "is" : "are");
	fathom_page_facts(page, "Kinds", text, NULL, NULL);
	snprintf(text, sizeof(text), "%s of the time in kinds is in those (least: %s, experiment %u)",
		 fathom_number_percent(mean, trends->coverage, 1),
		 fathom_number_percent(least, trends->least_coverage, 1), trends->least_covered + 1);
	fathom_page_facts(page, "Coverage", text, NULL, NULL);
}

static void print_code(const struct fathom_kind_trends *trends, uint32_t kind, struct fathom_page *page)
{
	const char *file;
	uint32_t line;
	char path[2048], where[512] = "";

	fathom_kind_code(trends, kind, 0, path, sizeof(path), &file, &line);
	if (!*path)
		return;
	if (*file)
		snprintf(where, sizeof(where), "  %.400s:%" PRIu32, file, line);
	printf("%s       ", fathom_page_style(page, FATHOM_STYLE_DIM));
	if ((int)strlen(where) + 32 < page->width) {
		fathom_page_text(page, path, page->width - 12 - (int)strlen(where));
		printf("%s", where);
	} else {
		fathom_page_text(page, path, page->width - 12);
	}
	printf("%s\n", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

/* Prints a line: a kind in an experiment. last: the values in the last experiment that had the kind; NULL: none. */
static void print_values(const struct fathom_kind_trends *trends, uint32_t kind, uint32_t run,
			 const struct fathom_kind_values *last, uint32_t columns)
{
	const struct fathom_kind_values *values = fathom_kind_values_of(trends, kind, run);
	char text[FATHOM_NUMBER_BYTES], clusters[512];

	fathom_kind_clusters(trends, kind, run, clusters, sizeof(clusters));
	if (strlen(clusters) > 9)
		snprintf(clusters + 6, 4, "...");
	printf("%10u %9s", run + 1, values->bursts ? clusters : "-");
	if (!values->bursts) {
		printf("       -\n");
		return;
	}
	printf(" %7s", fathom_number_percent(text, values->seconds, trends->runs->runs[run].clustering.seconds));
	printf(" %8" PRIu64 " %10s", values->bursts, fathom_number_seconds(text, values->means[0]));
	if (last && last->means[0] > 0)
		printf(" %+7.1f%%", 100 * (values->means[0] / last->means[0] - 1));
	else
		printf("         ");
	for (uint32_t c = 1; c <= columns; c++)
		printf(" %*s", COLUMN_WIDTH - 1, isfinite(values->means[c]) ?
		       fathom_number_with_unit(text, values->means[c], trends->metrics[c]->unit) : "-");
	printf("\n");
}

/* Says so if a kind has other code in an experiment than before, and only the order of the bursts relates them. */
static void print_other_code(const struct fathom_kind_trends *trends, uint32_t kind, uint32_t run,
			     struct fathom_page *page)
{
	const struct fathom_tracking *tracking = &trends->runs->tracking;
	bool is_other = false;
	const char *file;
	uint32_t line;
	char path[2048];
	int columns;

	for (size_t i = 0; i < tracking->relation_count; i++) {
		const struct fathom_relation *relation = &tracking->relations[i];

		is_other |= relation->experiment + 1 == run && relation->evidence.call_stack <= 0.05 &&
			    tracking->kinds[run][relation->b] == kind;
	}
	fathom_kind_code(trends, kind, run, path, sizeof(path), &file, &line);
	if (!is_other || !*path)
		return;
	columns = printf("%s                     by its order only: ", fathom_page_style(page, FATHOM_STYLE_DIM));
	fathom_page_text(page, path, page->width - columns);
	printf("%s\n", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

void fathom_track_print_kinds(const struct fathom_kind_trends *trends, struct fathom_page *page, int64_t top)
{
	const struct fathom_tracked_runs *runs = trends->runs;
	uint32_t columns = trends->metric_count - 1;

	fathom_page_heading(page, "Kinds of bursts over the experiments",
			    "durations, counters: means");
	while (columns && FIRST_COLUMNS + (int)columns * COLUMN_WIDTH > page->width)
		columns--;
	printf(" kind  no.  clusters    time   bursts   duration   change");
	for (uint32_t c = 1; c <= columns; c++) {
		printf(" ");
		fathom_page_text_right(page, trends->metrics[c]->name, COLUMN_WIDTH - 1);
	}
	printf("\n");
	for (uint32_t k = 1; k <= runs->tracking.kind_count && k <= top; k++) {
		const struct fathom_kind_values *last = NULL;

		printf("%5u", k);
		print_code(trends, k, page);
		for (uint32_t r = 0; r < runs->count; r++) {
			print_values(trends, k, r, last, columns);
			print_other_code(trends, k, r, page);
			if (fathom_kind_values_of(trends, k, r)->bursts)
				last = fathom_kind_values_of(trends, k, r);
		}
	}
	if (runs->tracking.kind_count > top)
		printf("      %" PRId64 " more (--top)\n", runs->tracking.kind_count - top);
}

void fathom_track_print(const struct fathom_kind_trends *trends, struct fathom_page *page, int64_t top)
{
	print_runs(trends, page);
	print_facts(trends, page);
	fathom_track_print_kinds(trends, page, top);
}
