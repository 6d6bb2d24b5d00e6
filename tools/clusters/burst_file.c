#include "tools/clusters/burst_file.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/command.h"

static void put_head(FILE *file, const struct fathom_clustering *clustering)
{
	fputs("# Instance,TaskId,ThreadId,Begin_Time,End_Time,Duration,Line", file);
	for (uint32_t m = 2; m < clustering->metrics.count; m++)
		fprintf(file, ",%s", clustering->metrics.metrics[m].name);
	for (uint32_t d = 0; d < clustering->dimensions; d++)
		if (clustering->choice.principal_axes)
			fprintf(file, ",axis_%u", d + 1);
		else
			fprintf(file, ",%s_normalised",
				clustering->metrics.metrics[clustering->choice.metrics[d]].name);
	fputs(",ClusterID\n", file);
}

/* Writes the number of a line of the code where most of the burst is; 0: unknown. */
static uint32_t line_of(const struct fathom_burst_data *data, const struct fathom_listed_burst *burst)
{
	const struct fathom_otf2_region *region;

	if (burst->code == FATHOM_NO_BURST_PATH)
		return 0;
	region = fathom_otf2_at(&data->trace.defs, FATHOM_OTF2_REGION,
				data->extraction.paths.paths[burst->code].region);
	return region->begin_line;
}

static void put_burst(FILE *file, const struct fathom_clustering *clustering, size_t index, uint32_t process,
		      uint32_t thread, const double *point)
{
	const struct fathom_burst_data *data = clustering->data;
	const struct fathom_listed_burst *burst = &data->list.bursts[index];
	uint32_t number = clustering->numbers[index];

	fprintf(file, "%zu,%" PRIu32 ",%" PRIu32 ",%.0f,%.0f,%.0f,%" PRIu32, index, process, thread,
		1e9 * fathom_burst_time(data, burst->begin), 1e9 * fathom_burst_time(data, burst->end),
		1e9 * fathom_burst_seconds(data, index), line_of(data, burst));
	for (uint32_t m = 2; m < clustering->metrics.count; m++) {
		double value = fathom_burst_metric_value(data, &clustering->metrics.metrics[m], index);

		if (isfinite(value))
			fprintf(file, ",%.12g", value);
		else
			fputc(',', file);
	}
	for (uint32_t d = 0; d < clustering->dimensions; d++)
		if (point)
			fprintf(file, ",%.9g", point[d]);
		else
			fputc(',', file);
	fprintf(file, ",%" PRId64 "\n", number == FATHOM_BURST_SHORT ? -1 : number == FATHOM_BURST_MISSING ? -2 :
		(int64_t)number);
}

int fathom_burst_file_write(const struct fathom_clustering *clustering, const char *path)
{
	const struct fathom_burst_data *data = clustering->data;
	FILE *file = fopen(path, "wx");
	uint32_t process = 0, thread = 0, point = 0;
	int err = 0;

	if (!file) {
		err = -errno;
		fathom_tool_error("%s: cannot be made: %s", path, strerror(-err));
		return err;
	}
	put_head(file, clustering);
	for (size_t i = 0; i < data->list.count; i++) {
		bool is_point = point < clustering->point_count && clustering->bursts[point] == i;

		if (i == 0 || data->list.bursts[i].location != data->list.bursts[i - 1].location)
			process = fathom_burst_process(data, data->list.bursts[i].location, &thread);
		put_burst(file, clustering, i, process, thread, is_point ?
			  clustering->values + (size_t)point * clustering->dimensions : NULL);
		point += is_point;
	}
	errno = ENOSPC;
	if (ferror(file))
		err = -ENOSPC;
	if (fclose(file) != 0 && !err)
		err = -errno;
	if (err) {
		unlink(path);
		fathom_tool_error("%s: cannot be written: %s", path, strerror(-err));
	}
	return err;
}
