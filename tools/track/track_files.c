#include "tools/track/track_files.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "tools/common/output_file.h"

/* Writes a text as a value: in quotation marks, of which those in the text are doubled. */
static void put_text(FILE *file, const char *text)
{
	fputc('"', file);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', file);
		fputc(*text, file);
	}
	fputc('"', file);
}

static void put_kind(FILE *file, const struct fathom_kind_trends *trends, uint32_t kind, uint32_t run)
{
	const struct fathom_kind_values *values = fathom_kind_values_of(trends, kind, run);
	char clusters[4096];

	fprintf(file, "%u,%u,", kind, run + 1);
	put_text(file, trends->runs->runs[run].name);
	fprintf(file, ",%s,%" PRIu64 ",%.9g,%.9g", fathom_kind_clusters(trends, kind, run, clusters, sizeof(clusters)),
		values->bursts, values->seconds, values->seconds / trends->runs->runs[run].clustering.seconds);
	for (uint32_t m = 0; m < trends->metric_count; m++)
		if (isfinite(values->means[m]))
			fprintf(file, ",%.12g", values->means[m]);
		else
			fputc(',', file);
	fputc('\n', file);
}

int fathom_track_write_kinds(const struct fathom_kind_trends *trends, const char *path)
{
	struct fathom_output_file file;
	int err = fathom_output_file_open(&file, path, false);

	if (err)
		return err;
	fputs("kind,experiment,name,clusters,bursts,time,share", file.stream);
	for (uint32_t m = 0; m < trends->metric_count; m++) {
		fputc(',', file.stream);
		put_text(file.stream, trends->metrics[m]->name);
	}
	fputc('\n', file.stream);
	for (uint32_t k = 1; k <= trends->runs->tracking.kind_count; k++)
		for (uint32_t r = 0; r < trends->runs->count; r++)
			put_kind(file.stream, trends, k, r);
	return fathom_output_file_close(&file, 0);
}

int fathom_track_write_bursts(const struct fathom_kind_trends *trends, const char *path)
{
	struct fathom_output_file file;
	int err = fathom_output_file_open(&file, path, false);

	if (err)
		return err;
	fputs("experiment,process,thread,begin,end,cluster,kind\n", file.stream);
	for (uint32_t r = 0; r < trends->runs->count; r++) {
		const struct fathom_clustering *clustering = &trends->runs->runs[r].clustering;
		const struct fathom_burst_data *data = clustering->data;
		uint32_t location = UINT32_MAX, process = 0, thread = 0;

		for (uint32_t i = 0; i < clustering->point_count; i++) {
			const struct fathom_listed_burst *burst = &data->list.bursts[clustering->bursts[i]];
			uint32_t cluster = clustering->numbers[clustering->bursts[i]];

			if (burst->location != location)
				process = fathom_burst_process(data, burst->location, &thread);
			location = burst->location;
			fprintf(file.stream, "%u,%u,%u,%.0f,%.0f,%u,%u\n", r + 1, process, thread,
				1e9 * fathom_burst_time(data, burst->begin), 1e9 * fathom_burst_time(data, burst->end),
				cluster, cluster == FATHOM_NOISE ? 0 : trends->runs->tracking.kinds[r][cluster]);
		}
	}
	return fathom_output_file_close(&file, 0);
}
