#include "tools/clusters/clusters_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bursts/recorded_bursts.h"
#include "tools/clusters/cluster_values.h"
#include "tools/common/command.h"
#include "tools/common/number_format.h"

enum { MOST_COLUMNS = 4, COLUMN_WIDTH = 12 };	/* of counters, besides duration */

const char *fathom_cluster_regularity(double score)
{
	if (score < 0)
		return "-";
	return score >= 0.995 ? "all alike" : score >= 0.9 ? "nearly alike" : score >= 0.6 ? "partly alike" : "differ";
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* --- what was chosen ---------------------------------------------------------------------------------- */

static void print_bursts(const struct fathom_clustering *clustering, struct fathom_page *page)
{
	const struct fathom_burst_data *data = clustering->data;
	char all[FATHOM_NUMBER_BYTES], least[FATHOM_NUMBER_BYTES], share[FATHOM_NUMBER_BYTES], text[512];

	snprintf(text, sizeof(text), "%" PRIu64 " burst%s of %u thread%s, %s of computation", data->histogram.count,
		 plural(data->histogram.count), data->thread_count, plural(data->thread_count),
		 fathom_number_seconds(all, clustering->seconds));
	fathom_page_facts(page, "Bursts", text, NULL, NULL);
	snprintf(text, sizeof(text), "%u of %s or longer, with %s of the time%s", clustering->point_count,
		 fathom_number_seconds(least, clustering->choice.least_seconds),
		 fathom_number_percent(share, clustering->kept_seconds, clustering->seconds),
		 clustering->choice.least_is_chosen ? " (--share)" : "");
	fathom_page_facts(page, "Clustered", text, NULL, NULL);
	if (clustering->missing_count) {
		snprintf(text, sizeof(text), "%" PRIu64 " without a value of these metrics, with %s of the time",
			 clustering->missing_count,
			 fathom_number_percent(share, clustering->missing_seconds, clustering->seconds));
		fathom_page_facts(page, "Left out", text, NULL, NULL);
	}
	if (data->histogram.count == data->thread_count)
		fathom_page_facts(page, "No calls",
				  "of MPI, OpenMP, threads or files: a thread's whole run is one burst", NULL, NULL);
	if (data->extraction.interrupted) {
		snprintf(text, sizeof(text), "%" PRIu64 " in which %smeasurement was off",
			 data->extraction.interrupted,
			 !fathom_recorded_bursts_is_file(data->trace.anchor) ?
			 "the trace was written, or " : "");
		fathom_page_facts(page, "Left out", text, NULL, NULL);
	}
	if (data->extraction.unrecorded) {
		snprintf(text, sizeof(text), "%" PRIu64 " that had no room: give "
			 "FATHOM_BURSTS a larger size", data->extraction.unrecorded);
		fathom_page_facts(page, "Left out", text, NULL, NULL);
	}
	if (data->is_cut) {
		snprintf(text, sizeof(text), "the first %s of the trace; --limit reads more bursts",
			 fathom_number_seconds(all, fathom_burst_time(data, data->cut_ticks)));
		fathom_page_facts(page, "Only read", text, NULL, NULL);
	}
}

/* Writes the method and its parameters into text. */
static void method_text(const struct fathom_clustering *clustering, char *text, size_t bytes)
{
	const struct fathom_cluster_choice *choice = &clustering->choice;
	const char *eps_chosen = choice->eps_is_chosen ? " (of the distance curve)" : "";
	const char *min_chosen = choice->min_points_is_chosen ? " (chosen)" : "";
	uint32_t steps = clustering->tree.steps;

	if (choice->method == FATHOM_REFINEMENT)
		snprintf(text, bytes, "%srefinement in %u step%s, eps %.3g to %.3g, MinPts %u",
			 choice->is_divisive ? "divisive " : "", steps, plural(steps),
			 clustering->tree.history[0].eps, clustering->tree.history[steps - 1].eps, choice->min_points);
	else if (choice->method == FATHOM_DBSCAN)
		snprintf(text, bytes, "DBSCAN, eps %.4g%s, MinPts %u%s", choice->eps, eps_chosen, choice->min_points,
			 min_chosen);
	else
		snprintf(text, bytes, "%s", choice->method == FATHOM_KMEANS ? "k-means" : "x-means");
}

static void print_method(const struct fathom_clustering *clustering, struct fathom_page *page)
{
	const struct fathom_cluster_choice *choice = &clustering->choice;
	char text[512] = "";

	for (uint32_t d = 0; d < choice->metric_count; d++) {
		const struct fathom_burst_metric *metric = &clustering->metrics.metrics[choice->metrics[d]];
		size_t used = strlen(text);

		snprintf(text + used, sizeof(text) - used, "%s%s%s", d ? ", " : "", metric->name,
			 clustering->axes[d].is_log ? " (logarithm)" : metric->kind == FATHOM_BURST_CALL ?
			 " that ends the burst" : "");
	}
	if (choice->principal_axes) {
		size_t used = strlen(text);

		snprintf(text + used, sizeof(text) - used, "; %u principal ax%s", clustering->dimensions,
			 clustering->dimensions == 1 ? "is" : "es");
	}
	fathom_page_facts(page, "Metrics", text, NULL, NULL);
	method_text(clustering, text, sizeof(text));
	fathom_page_facts(page, "Method", text, NULL, NULL);
	if (clustering->joined) {
		snprintf(text, sizeof(text), "%u cluster%s with others that always appear together with %s",
			 clustering->joined, plural(clustering->joined), clustering->joined == 1 ? "it" : "them");
		fathom_page_facts(page, "Joined", text, NULL, NULL);
	}
	if (clustering->sample_count) {
		snprintf(text, sizeof(text), "%u bursts, for which the clusters were found; others are in that of the "
			 "nearest", clustering->sample_count);
		fathom_page_facts(page, "Sample", text, NULL, NULL);
	}
}

static void print_quality(const struct fathom_clustering *clustering, struct fathom_page *page)
{
	char text[128];
	int used = 0;

	if (clustering->count > 1)
		used = snprintf(text, sizeof(text), "silhouette %.2f", clustering->silhouette);
	if (clustering->score >= 0)
		snprintf(text + used, sizeof(text) - (size_t)used, "%ssequence score %.2f: threads %s",
			 used ? ", " : "", clustering->score, clustering->score >= 0.995 ? "do the same" :
			 clustering->score >= 0.9 ? "do nearly the same" : "do not do the same");
	if (used || clustering->score >= 0)
		fathom_page_facts(page, "Quality", text, NULL, NULL);
	if (clustering->score < 0 ||
	    (!clustering->aligned_length && clustering->aligned_threads == clustering->data->thread_count))
		return;
	used = snprintf(text, sizeof(text), "of %u threads", clustering->aligned_threads);
	if (clustering->aligned_length)
		snprintf(text + used, sizeof(text) - (size_t)used, ", the first %u bursts of each",
			 clustering->aligned_length);
	fathom_page_facts(page, "Sequences", text, NULL, NULL);
}

/* --- the clusters ------------------------------------------------------------------------------------- */

/* Fills in which metrics are columns, besides duration: first those of the clustering. Returns how many. */
static uint32_t choose_columns(const struct fathom_clustering *clustering, uint32_t columns[MOST_COLUMNS])
{
	const struct fathom_cluster_choice *choice = &clustering->choice;
	uint32_t count = 0;

	for (uint32_t i = 0; i < choice->metric_count + clustering->metrics.count && count < MOST_COLUMNS; i++) {
		uint32_t metric = i < choice->metric_count ? choice->metrics[i] : i - choice->metric_count;
		bool is_there = clustering->metrics.metrics[metric].kind < FATHOM_BURST_COUNTER;

		for (uint32_t c = 0; c < count; c++)
			is_there |= columns[c] == metric;
		if (!is_there)
			columns[count++] = metric;
	}
	return count;
}

static void print_place(const struct fathom_clustering *clustering, const struct fathom_cluster *cluster,
			const struct fathom_cluster_place *place, struct fathom_page *page)
{
	const struct fathom_otf2_defs *defs = &clustering->data->trace.defs;
	const struct fathom_burst_extraction *extraction = &clustering->data->extraction;
	const struct fathom_otf2_region *region = fathom_otf2_at(defs, FATHOM_OTF2_REGION,
								 extraction->paths.paths[place->path].region);
	const char *file = region->file == OTF2_UNDEFINED_STRING ? "" : fathom_otf2_text(defs, region->file);
	const char *slash = strrchr(file, '/');
	char path[2048], where[512] = "", share[FATHOM_NUMBER_BYTES];
	int columns;

	if (slash)
		file = slash + 1;
	if (*file && region->begin_line)
		snprintf(where, sizeof(where), "  %s:%" PRIu32, file, region->begin_line);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_DIM));
	columns = printf("      %6s  ", fathom_number_percent(share, place->seconds, cluster->seconds));
	fathom_burst_path_text(extraction, place->path, path, sizeof(path));
	columns = page->width - columns;
	if ((size_t)columns > strlen(where) + 20) {
		fathom_page_text(page, path, columns - (int)strlen(where));
		printf("%s", where);
	} else {
		fathom_page_text(page, path, columns);
	}
	printf("%s\n", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

/* Returns the name of the innermost region of a call path. */
static const char *name_of(const struct fathom_clustering *clustering, uint32_t path)
{
	const struct fathom_otf2_defs *defs = &clustering->data->trace.defs;
	const struct fathom_otf2_region *region =
		fathom_otf2_at(defs, FATHOM_OTF2_REGION, clustering->data->extraction.paths.paths[path].region);

	return fathom_otf2_text(defs, region->name);
}

/* Returns whether the innermost region of a call path is a call or a construct, and not code where a team begins. */
static bool is_call(const struct fathom_clustering *clustering, uint32_t path)
{
	const struct fathom_burst_extraction *extraction = &clustering->data->extraction;

	return extraction->is_boundary[extraction->paths.paths[path].region];
}

/* Says which threads have bursts of a cluster, and how alike these threads are. */
static void print_threads(const struct fathom_clustering *clustering, const struct fathom_cluster *cluster,
			  struct fathom_page *page)
{
	uint32_t all = clustering->data->thread_count;
	int columns;

	printf("%s", fathom_page_style(page, FATHOM_STYLE_DIM));
	if (cluster->threads == all)
		columns = printf("      %s%u thread%s", all > 1 ? "all " : "", all, plural(all));
	else
		columns = printf("      %u of %u threads", cluster->threads, all);
	if (cluster->score >= 0)
		columns += printf(", %s (score %.2f)", fathom_cluster_regularity(cluster->score), cluster->score);
	if (cluster->metrics[1].least == cluster->metrics[1].most && cluster->metrics[1].least >= 0) {
		columns += printf(", before %s",
				  is_call(clustering, (uint32_t)cluster->metrics[1].least) ? "" : "a team in ");
		fathom_page_text(page, name_of(clustering, (uint32_t)cluster->metrics[1].least),
				 page->width - columns);
	}
	printf("%s\n", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

static void print_cluster(const struct fathom_clustering *clustering, uint32_t number, const uint32_t *columns,
			  uint32_t count, struct fathom_page *page)
{
	const struct fathom_cluster *cluster = &clustering->clusters[number];
	char text[FATHOM_NUMBER_BYTES];

	if (number == FATHOM_NOISE)
		printf("noise");
	else
		printf("%5u", number);
	printf(" %7s", fathom_number_percent(text, cluster->seconds, clustering->seconds));
	printf(" %9" PRIu64, cluster->count);
	printf(" %9s", fathom_number_seconds(text, fathom_cluster_mean(cluster)));
	printf(" %6.1f%%", 100 * cluster->metrics[0].deviation / fmax(cluster->metrics[0].mean, 1e-12));
	for (uint32_t c = 0; c < count; c++)
		if (cluster->metrics[columns[c]].count)
			printf(" %*s", COLUMN_WIDTH - 1,
			       fathom_number_with_unit(text, cluster->metrics[columns[c]].mean,
						       clustering->metrics.metrics[columns[c]].unit));
		else
			printf(" %*s", COLUMN_WIDTH - 1, "-");
	printf("\n");
	if (number != FATHOM_NOISE)
		print_threads(clustering, cluster, page);
	for (uint32_t p = 0; p < cluster->place_count; p++)
		if (cluster->places[p].seconds >= 0.02 * cluster->seconds)
			print_place(clustering, cluster, &cluster->places[p], page);
}

static void print_clusters(const struct fathom_clustering *clustering, struct fathom_page *page, int64_t top)
{
	uint32_t columns[MOST_COLUMNS], count = choose_columns(clustering, columns);

	fathom_page_heading(page, "Kinds of bursts", "share of the time of all bursts; durations and counters: means");
	while (count && 42 + (int)count * COLUMN_WIDTH > page->width)
		count--;
	printf(" kind    time    bursts  duration  spread");
	for (uint32_t c = 0; c < count; c++) {
		printf(" ");
		fathom_page_text_right(page, clustering->metrics.metrics[columns[c]].name, COLUMN_WIDTH - 1);
	}
	printf("\n");
	for (uint32_t c = 1; c <= clustering->count && c <= top; c++)
		print_cluster(clustering, c, columns, count, page);
	if (clustering->count > top)
		printf("      %" PRId64 " more kind%s (--top)\n", clustering->count - top,
		       plural((uint64_t)(clustering->count - top)));
	if (clustering->clusters[FATHOM_NOISE].count)
		print_cluster(clustering, FATHOM_NOISE, columns, count, page);
}

void fathom_clusters_print(const struct fathom_clustering *clustering, struct fathom_page *page, int64_t top)
{
	fathom_page_heading(page, "Bursts of computation", NULL);
	print_bursts(clustering, page);
	print_method(clustering, page);
	print_quality(clustering, page);
	print_clusters(clustering, page, top);
}

void fathom_clusters_print_histogram(const struct fathom_burst_data *data, struct fathom_page *page)
{
	enum { STEP = 5 };	/* bins in a line */
	const struct fathom_duration_histogram *histogram = &data->histogram;
	char text[FATHOM_NUMBER_BYTES];
	double most = 0;

	fathom_page_heading(page, "Durations of bursts", "bursts and share of the time of each line's and longer ones");
	for (unsigned bin = 0; bin < FATHOM_DURATION_BINS; bin++)
		most = fmax(most, histogram->seconds[bin]);
	printf("      from    bursts    time  longer\n");
	for (unsigned bin = 0; bin < FATHOM_DURATION_BINS; bin += STEP) {
		uint64_t count = 0;
		double seconds = 0, longer = 0;

		for (unsigned b = bin; b < FATHOM_DURATION_BINS; b++) {
			longer += histogram->seconds[b];
			if (b < bin + STEP) {
				count += histogram->counts[b];
				seconds += histogram->seconds[b];
			}
		}
		if (!count)
			continue;
		printf("%10s", fathom_number_seconds(text, fathom_duration_bin_begin(bin)));
		printf(" %9" PRIu64, count);
		printf(" %7s", fathom_number_percent(text, seconds, histogram->total_seconds));
		printf(" %7s ", fathom_number_percent(text, longer, histogram->total_seconds));
		fathom_page_bar(page, seconds / histogram->total_seconds, page->width - 38);
		printf("\n");
	}
}
