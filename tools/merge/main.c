/*
 * main: `fathom merge`: merges the profiles that the ranks of a run left into one profile. Several runs are merged by
 * counter_merge.h (--holistic: equal runs) or tools/algebra (any runs).
 *
 * The program reads each file twice: first its definitions and which rows it has, then its values. Values are copied
 * bit by bit. Memory holds only one row of values for a batch of ranks. So time grows with the bytes read and written,
 * and memory with the size of the merged call tree and the number of locations.
 */
#include <dirent.h>
#include <errno.h>
#include <float.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cube/dtype.h"
#include "cube/reader/reader.h"
#include "cube/writer/writer.h"
#include "tools/algebra/operation.h"
#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/progress.h"
#include "tools/common/snapshots.h"
#include "tools/merge/attributes.h"
#include "tools/merge/burst_merge.h"
#include "tools/merge/counter_merge.h"
#include "tools/merge/merged_definitions.h"
#include "tools/merge/message_merge.h"
#include "tools/merge/rank_traces.h"
#include "tools/merge/sample_merge.h"

enum {
	BATCH_MOST = 64,			/* files open at a time */
	BATCH_BYTES = 256 << 20,		/* approximate limit for the trees of a batch together */
	CNODE_BYTES = 64,			/* approximate memory of a call path in an open profile */
};

struct source {			/* the profile of a rank */
	char *path;
	bool is_snapshot;	/* path is a run snapshot, of which no profile has been made yet */
	int64_t rank;
	time_t changed;
	uint32_t order;		/* its position in the order in which profiles are merged */
	uint32_t first_column;
	uint32_t location_count;
	struct fathom_cube_reader *reader;	/* this and the following are set while its batch is processed */
	uint32_t *own_cnode;	/* by merged cnode: the file's cnode plus one; 0: the file does not have it */
	int32_t *own_metric;	/* by merged metric: the file's metric; -1: the file does not have it */
};

struct merge {
	const char *directory;
	char **runs;		/* with --holistic, or if there are several */
	int run_count;
	bool holistic, force, mean;
	char output[PATH_MAX];
	bool has_output;	/* the user named the output (-o) */
	bool has_profile;	/* the output exists already; only the trace may be missing */
	size_t snapshot_count;	/* how many sources are run snapshots */
	char **traced;		/* snapshots that may have a trace */
	size_t traced_count, traced_room;
	struct source *sources;	/* in the order of ranks, then of columns */
	size_t source_count, source_room;
	struct fathom_definitions merged;
	struct fathom_attributes attributes;
	uint8_t **present;	/* by metric and cnode in order of arrival */
	size_t *present_count;	/* by metric: room for so many cnodes */
	size_t present_metrics, present_room, count_room;
	uint32_t *arrival_metric, *arrival_cnode;	/* by final number: the number in order of arrival */
};

/* The output that is being written; an exit handler removes it if the program ends before the output is complete. */
static struct fathom_cube_writer *unfinished;

static void abandon(void)
{
	if (unfinished)
		fathom_cube_writer_abandon(unfinished);
	unfinished = NULL;
}

/* --- results of killed processes --------------------------------------------------------------- */

/* The directory for the profiles that are made of run snapshots; empty: none was created. */
static char temporary[PATH_MAX];

static void remove_temporary(void)
{
	struct dirent *entry;
	DIR *stream = *temporary ? opendir(temporary) : NULL;

	if (!stream)
		return;
	while ((entry = readdir(stream)) != NULL)
		unlinkat(dirfd(stream), entry->d_name, 0);
	closedir(stream);
	rmdir(temporary);
	*temporary = '\0';
}

static int make_temporary(void)
{
	const char *directory = getenv("TMPDIR");

	if (*temporary)
		return 0;
	snprintf(temporary, sizeof(temporary), "%.*s/fathom-merge-XXXXXX", PATH_MAX - 32,
		 directory && *directory ? directory : "/tmp");
	if (mkdtemp(temporary))
		return 0;
	fathom_tool_error("%s: cannot be made: %s", temporary, strerror(errno));
	*temporary = '\0';
	return -EINVAL;
}

/* Refuses to merge while the program is running: it may still write its result, to the same file. */
static int refuse_alive(const struct merge *merge, const char *path)
{
	if (merge->has_output || !fathom_snapshot_is_alive(path))
		return 0;
	fathom_tool_error("%s: the program is still running (-o FILE.cubex makes a profile of what it has so far)",
			  path);
	return -EBUSY;
}

/* Notes that a snapshot may have a trace. */
static void note_traced(struct merge *merge, const char *path)
{
	merge->traced = fathom_tool_grow(merge->traced, merge->traced_count, &merge->traced_room,
					 sizeof(*merge->traced));
	merge->traced[merge->traced_count] = strdup(path);
	if (merge->traced[merge->traced_count])
		merge->traced_count++;
}

/*
 * Makes the trace of the run, if the processes recorded one, in the directory of the profile. FATHOM_RESTORED_NONE:
 * there is no trace to be made. A profile of a program that is still running, or one in another place, is made without
 * a trace.
 */
static enum fathom_restored restore_trace(const struct merge *merge)
{
	if (merge->has_output || !merge->traced_count)
		return FATHOM_RESTORED_NONE;
	return fathom_snapshot_restore_traces(merge->directory, (const char *const *)merge->traced,
					      merge->traced_count);
}

/* Makes one trace of those in rank-N/, if there are some and no trace of all ranks. FATHOM_RESTORED_NONE: not so, or
 * the user wants the profile alone. */
static enum fathom_restored merge_rank_traces(const struct merge *merge)
{
	if (merge->has_output || !fathom_rank_traces_are_in(merge->directory))
		return FATHOM_RESTORED_NONE;
	return fathom_rank_traces_merge(merge->directory) ? FATHOM_RESTORED_FAILED : FATHOM_RESTORED;
}

/* Prints that neither a profile nor a trace could be made. */
static int say_no_result(const struct merge *merge)
{
	if (merge->has_profile)
		fathom_tool_error("%s: exists already (remove it, or choose another name with -o)", merge->output);
	else if (merge->has_output && merge->traced_count)
		fathom_tool_error("%s: the program recorded a trace alone (fathom merge %s)", merge->directory,
				  merge->directory);
	else
		fathom_tool_error("%s: nothing in it that can be put together", merge->directory);
	return -ENOENT;
}

/* Makes the result of a program without MPI from its run snapshot. 1: there is none. */
static int restore_serial(struct merge *merge)
{
	enum fathom_restored profile = FATHOM_RESTORED_NONE, trace;
	char path[PATH_MAX];
	bool is_running;

	if (snprintf(path, sizeof(path), "%s/" FATHOM_SNAPSHOT_SERIAL, merge->directory) >= (int)sizeof(path) ||
	    access(path, F_OK) != 0)
		return 1;
	if (refuse_alive(merge, path))
		return -EBUSY;
	is_running = fathom_snapshot_is_alive(path);
	note_traced(merge, path);
	if (!merge->has_profile)
		profile = fathom_snapshot_restore(path, merge->output);
	if (profile == FATHOM_RESTORED)
		printf("%s: made from the last run snapshot: the program %s\n", merge->output,
		       is_running ? "is still running" : "was killed");
	trace = restore_trace(merge);
	if (profile == FATHOM_RESTORED_NONE && trace == FATHOM_RESTORED_NONE)
		return say_no_result(merge);
	return profile == FATHOM_RESTORED_FAILED || trace == FATHOM_RESTORED_FAILED ? -EINVAL : 0;
}

/* Makes a profile of the run snapshot of a rank. A run snapshot without a profile, or one that cannot be read (an error
 * message was printed), is left out. */
static int restore_rank(struct merge *merge, struct source *source)
{
	int err = refuse_alive(merge, source->path);
	char *profile;

	note_traced(merge, source->path);
	if (!err)
		err = make_temporary();
	if (err)
		return err;
	if (asprintf(&profile, "%s/rank-%" PRId64 ".cubex", temporary, source->rank) < 0)
		profile = fathom_tool_alloc(1, 1);
	source->is_snapshot = merge->has_profile || fathom_snapshot_restore(source->path, profile) != FATHOM_RESTORED;
	free(source->path);
	source->path = profile;
	merge->snapshot_count += !source->is_snapshot;
	return 0;
}

static int restore_ranks(struct merge *merge)
{
	size_t kept = 0, i;
	int err = 0;

	for (i = 0; !err && i < merge->source_count; i++)
		if (merge->sources[i].is_snapshot)
			err = restore_rank(merge, &merge->sources[i]);
	if (err)
		return err;
	for (i = 0; i < merge->source_count; i++) {
		if (merge->sources[i].is_snapshot)
			free(merge->sources[i].path);
		else
			merge->sources[kept++] = merge->sources[i];
	}
	merge->source_count = kept;
	return 0;
}

/* --- the files to merge ---------------------------------------------------------------------- */

static int by_rank(const void *a, const void *b)
{
	const struct source *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	if (x->is_snapshot != y->is_snapshot)
		return x->is_snapshot ? 1 : -1;
	return strcmp(x->path, y->path);
}

static int by_column(const void *a, const void *b)
{
	const struct source *x = a, *y = b;

	return x->first_column < y->first_column ? -1 : x->first_column > y->first_column;
}

/* Drops run snapshots of ranks with a profile: such a rank was killed after it wrote its profile. */
static void drop_needless_snapshots(struct merge *merge)
{
	size_t kept = 0, i;

	for (i = 0; i < merge->source_count; i++) {
		if (merge->sources[i].is_snapshot && kept && merge->sources[kept - 1].rank == merge->sources[i].rank) {
			note_traced(merge, merge->sources[i].path);
			free(merge->sources[i].path);
		} else {
			merge->sources[kept++] = merge->sources[i];
		}
	}
	merge->source_count = kept;
}

static int find_sources(struct merge *merge)
{
	struct dirent *entry;
	DIR *stream = opendir(merge->directory);
	size_t i;

	if (!stream) {
		fathom_tool_error("%s: %s", merge->directory, strerror(errno));
		return -EINVAL;
	}
	while ((entry = readdir(stream)) != NULL) {
		struct source source = { .rank = fathom_experiment_rank_of(entry->d_name, ".cubex") };

		source.is_snapshot = source.rank < 0;
		if (source.is_snapshot)
			source.rank = fathom_experiment_rank_of(entry->d_name, FATHOM_SNAPSHOT_ENDING);
		if (source.rank < 0)
			continue;
		if (asprintf(&source.path, "%s/%s", merge->directory, entry->d_name) < 0)
			source.path = fathom_tool_alloc(1, 1);
		merge->sources = fathom_tool_grow(merge->sources, merge->source_count, &merge->source_room,
						  sizeof(source));
		merge->sources[merge->source_count++] = source;
	}
	closedir(stream);
	if (merge->source_count == 0 && !merge->has_output && fathom_rank_traces_are_in(merge->directory))
		return 0;
	if (merge->source_count == 0) {
		fathom_tool_error("%s: no rank-0.cubex, rank-1.cubex, ... in it", merge->directory);
		return -ENOENT;
	}
	qsort(merge->sources, merge->source_count, sizeof(*merge->sources), by_rank);
	drop_needless_snapshots(merge);
	for (i = 1; i < merge->source_count; i++)
		if (merge->sources[i].rank == merge->sources[i - 1].rank) {
			fathom_tool_error("%s: the same rank as %s (only one may be there)", merge->sources[i].path,
					  merge->sources[i - 1].path);
			return -EINVAL;
		}
	return 0;
}

/* Refuses an output that exists, before anything is read. The default output may exist: a killed run may have a profile
 * but no trace yet. */
static int check_output(struct merge *merge)
{
	char part[PATH_MAX + 8];
	struct stat status;

	merge->has_profile = lstat(merge->output, &status) == 0;
	if (merge->has_profile && (merge->has_output || merge->holistic)) {
		fathom_tool_error("%s: exists already (remove it, or choose another name with -o)", merge->output);
		return -EEXIST;
	}
	snprintf(part, sizeof(part), "%s.part", merge->output);
	if (lstat(part, &status) == 0) {
		fathom_tool_error("%s: left by a program that did not finish (remove it)", part);
		return -EEXIST;
	}
	return 0;
}

/* --- definitions ------------------------------------------------------------------------------- */

static void mark_present(struct merge *merge, uint32_t metric, uint32_t cnode)
{
	while (merge->present_metrics <= metric) {
		merge->present = fathom_tool_grow(merge->present, merge->present_metrics, &merge->present_room,
						  sizeof(*merge->present));
		merge->present_count = fathom_tool_grow(merge->present_count, merge->present_metrics,
							&merge->count_room, sizeof(*merge->present_count));
		merge->present[merge->present_metrics] = NULL;
		merge->present_count[merge->present_metrics++] = 0;
	}
	while (merge->present_count[metric] <= cnode) {
		size_t before = merge->present_count[metric];

		merge->present[metric] = fathom_tool_grow(merge->present[metric], before, &merge->present_count[metric],
							  1);
		memset(merge->present[metric] + before, 0, merge->present_count[metric] - before);
	}
	merge->present[metric][cnode] = 1;
}

static bool is_present(void *context, uint32_t metric, uint32_t cnode)
{
	const struct merge *merge = context;

	metric = merge->arrival_metric[metric];
	cnode = merge->arrival_cnode[cnode];
	return metric < merge->present_metrics && cnode < merge->present_count[metric] &&
	       merge->present[metric][cnode];
}

static int note_rows(struct merge *merge, struct fathom_cube_reader *reader)
{
	const struct fathom_cube *cube = fathom_cube_reader_cube(reader);
	struct fathom_definitions_map map;
	uint32_t m, c;

	if (fathom_definitions_locate(&merge->merged, cube, &map))
		return -EINVAL;
	for (m = 0; m < cube->metric_count; m++)
		for (c = 0; c < cube->cnode_count; c++)
			if (fathom_cube_reader_present(reader, m, c))
				mark_present(merge, map.metric[m], map.cnode[c]);
	fathom_definitions_map_fini(&map);
	return 0;
}

static int add_source(struct merge *merge, struct source *source)
{
	struct fathom_cube_error error;
	const struct fathom_cube *cube;
	struct stat status;
	const char *rank;
	char why[256];
	int err = fathom_cube_reader_open(&source->reader, source->path, &error);

	if (stat(source->path, &status) == 0)
		source->changed = status.st_mtime;
	if (err) {
		fathom_tool_error("%s (without this file, the others can be merged)", error.text);
		return err;
	}
	cube = fathom_cube_reader_cube(source->reader);
	rank = fathom_cube_attribute(cube, "fathom::rank");
	if (rank && strtoll(rank, NULL, 10) != source->rank) {
		fathom_tool_error("%s: is of rank %s, not %" PRId64 " as its name says", source->path, rank,
				  source->rank);
		err = -EINVAL;
		goto close;
	}
	err = fathom_definitions_add(&merge->merged, cube, source->rank, why, sizeof(why));
	if (err) {
		fathom_tool_error("%s: %s", source->path, why);
		goto close;
	}
	fathom_attributes_add(&merge->attributes, &merge->merged, cube, source->rank);
	source->location_count = cube->location_count;
	err = note_rows(merge, source->reader);
close:
	fathom_cube_reader_close(source->reader);
	source->reader = NULL;
	return err;
}

static void invert(const uint32_t *place, uint32_t count, uint32_t **inverse)
{
	*inverse = fathom_tool_alloc(count, sizeof(**inverse));
	for (uint32_t i = 0; i < count; i++)
		(*inverse)[place[i]] = i;
}

static int read_definitions(struct merge *merge)
{
	int err = 0;

	fathom_progress_begin("reading definitions", merge->source_count);
	for (size_t i = 0; !err && i < merge->source_count; i++) {
		merge->sources[i].order = (uint32_t)i;
		err = add_source(merge, &merge->sources[i]);
		fathom_progress_step();
	}
	if (err)
		return err;
	fathom_definitions_finish(&merge->merged);
	fathom_attributes_finish(&merge->attributes, &merge->merged);
	invert(merge->merged.final_metric, merge->merged.cube.metric_count, &merge->arrival_metric);
	invert(merge->merged.final_cnode, merge->merged.cube.cnode_count, &merge->arrival_cnode);
	for (size_t i = 0; i < merge->source_count; i++)
		merge->sources[i].first_column = merge->merged.first_column[merge->sources[i].order];
	qsort(merge->sources, merge->source_count, sizeof(*merge->sources), by_column);
	return 0;
}

/* --- values ------------------------------------------------------------------------------------- */

static int open_source(const struct merge *merge, struct source *source)
{
	struct fathom_cube_error error;
	struct fathom_definitions_map map;
	const struct fathom_cube *cube;
	uint32_t i;
	int err = fathom_cube_reader_open(&source->reader, source->path, &error);

	if (err) {
		fathom_tool_error("%s", error.text);
		return err;
	}
	cube = fathom_cube_reader_cube(source->reader);
	if (cube->location_count != source->location_count || fathom_definitions_locate(&merge->merged, cube, &map)) {
		fathom_tool_error("%s: has changed while it was being read", source->path);
		return -EINVAL;
	}
	source->own_cnode = fathom_tool_alloc(merge->merged.cube.cnode_count, sizeof(*source->own_cnode));
	source->own_metric = fathom_tool_alloc(merge->merged.cube.metric_count, sizeof(*source->own_metric));
	for (i = 0; i < merge->merged.cube.metric_count; i++)
		source->own_metric[i] = -1;
	for (i = 0; i < cube->metric_count; i++)
		source->own_metric[map.metric[i]] = (int32_t)i;
	for (i = 0; i < cube->cnode_count; i++)
		source->own_cnode[map.cnode[i]] = i + 1;
	fathom_definitions_map_fini(&map);
	return 0;
}

static void close_source(struct source *source)
{
	if (source->reader)
		fathom_cube_reader_close(source->reader);
	source->reader = NULL;
	free(source->own_cnode);
	free(source->own_metric);
	source->own_cnode = NULL;
	source->own_metric = NULL;
}

/* Writes the neutral values of a rank that never visited a call path. */
static void put_neutral(enum fathom_cube_dtype dtype, void *values, uint32_t count, uint32_t bytes)
{
	double *numbers = values;
	uint32_t i;

	memset(values, 0, (size_t)count * bytes);
	for (i = 0; dtype == FATHOM_CUBE_TUPLE && i < count; i++)
		((struct fathom_cube_tuple *)values)[i] =
			(struct fathom_cube_tuple){ .minimum = DBL_MAX, .maximum = -DBL_MAX };
	if (dtype == FATHOM_CUBE_MINDOUBLE || dtype == FATHOM_CUBE_MAXDOUBLE)
		for (i = 0; i < count; i++)
			numbers[i] = dtype == FATHOM_CUBE_MINDOUBLE ? DBL_MAX : -DBL_MAX;
}

/* Copies the row of a metric and call path from the files of a batch of ranks. */
static int copy_row(const struct merge *merge, const struct source *sources, size_t count, uint32_t metric,
		    uint32_t cnode, char *row)
{
	const struct fathom_cube_metric *whole = &merge->merged.cube.metrics[metric];
	uint32_t bytes = fathom_cube_value_bytes(whole), filled = 0;
	struct fathom_cube_error error;
	size_t i;
	int err;

	for (i = 0; i < count; i++) {
		char *values = row + (size_t)filled * bytes;

		filled += sources[i].location_count;
		if (sources[i].own_cnode[cnode] == 0 || sources[i].own_metric[metric] < 0) {
			put_neutral(whole->dtype, values, sources[i].location_count, bytes);
			continue;
		}
		err = fathom_cube_reader_raw_row(sources[i].reader, (uint32_t)sources[i].own_metric[metric],
						 sources[i].own_cnode[cnode] - 1, values, &error);
		if (err) {
			fathom_tool_error("%s", error.text);
			return err;
		}
	}
	err = fathom_cube_writer_put(unfinished, metric, cnode, sources[0].first_column, filled, row);
	if (err)
		fathom_tool_error("%s: %s", merge->output, strerror(-err));
	return err;
}

static int copy_batch(struct merge *merge, struct source *sources, size_t count)
{
	size_t locations = 0, i;
	uint32_t m, c;
	char *row;
	int err = 0;

	for (i = 0; !err && i < count; i++) {
		locations += sources[i].location_count;
		err = open_source(merge, &sources[i]);
	}
	row = fathom_tool_alloc(locations, sizeof(struct fathom_cube_tuple));	/* the largest type */
	for (m = 0; !err && m < merge->merged.cube.metric_count; m++) {
		for (c = 0; !err && c < merge->merged.cube.cnode_count; c++)
			if (is_present(merge, m, c))
				err = copy_row(merge, sources, count, m, c, row);
		fathom_progress_set((size_t)(sources - merge->sources) * merge->merged.cube.metric_count + m * count);
	}
	free(row);
	for (i = 0; i < count; i++)
		close_source(&sources[i]);
	return err;
}

static int write_profile(struct merge *merge)
{
	size_t at, batch = BATCH_BYTES / ((size_t)merge->merged.cube.cnode_count * CNODE_BYTES + 1);
	time_t newest = 0;
	int err;

	/* The time in the output is that of the newest input, so equal inputs give equal bytes. */
	for (at = 0; at < merge->source_count; at++)
		if (merge->sources[at].changed > newest)
			newest = merge->sources[at].changed;
	err = fathom_cube_writer_open(&unfinished, merge->output, &merge->merged.cube, is_present, merge, newest);
	if (err) {
		fathom_tool_error("%s: cannot be made: %s", merge->output, strerror(-err));
		return err;
	}
	if (batch < 1 || batch > BATCH_MOST)
		batch = batch < 1 ? 1 : BATCH_MOST;
	fathom_progress_begin("copying values", merge->source_count * merge->merged.cube.metric_count);
	for (at = 0; !err && at < merge->source_count; at += batch)
		err = copy_batch(merge, merge->sources + at,
				 merge->source_count - at < batch ? merge->source_count - at : batch);
	fathom_progress_end();
	if (err) {
		abandon();
		return err;
	}
	err = fathom_cube_writer_close(unfinished);
	unfinished = NULL;
	if (err)
		fathom_tool_error("%s: %s", merge->output, strerror(-err));
	return err;
}

/* --- the program ----------------------------------------------------------------------------------- */

static void say_result(const struct merge *merge)
{
	uint32_t missing = fathom_attributes_missing(&merge->attributes);

	printf("%s: %zu rank%s put together", merge->output, merge->source_count, merge->source_count == 1 ? "" : "s");
	if (merge->snapshot_count)
		printf(", %zu of them killed", merge->snapshot_count);
	if (missing)
		printf("; of %" PRId64 ", %u left nothing", merge->attributes.size, missing);
	printf("\n");
}

static void fini(struct merge *merge)
{
	size_t i;

	for (i = 0; i < merge->source_count; i++)
		free(merge->sources[i].path);
	for (i = 0; i < merge->present_metrics; i++)
		free(merge->present[i]);
	free(merge->present);
	free(merge->present_count);
	for (i = 0; i < merge->traced_count; i++)
		free(merge->traced[i]);
	free(merge->traced);
	free(merge->sources);
	free(merge->arrival_metric);
	free(merge->arrival_cnode);
	fathom_attributes_fini(&merge->attributes);
	fathom_definitions_fini(&merge->merged);
}

static const char help[] =
	"usage: fathom merge [-o FILE.cubex] DIRECTORY\n"
	"       fathom merge [--mean] -o FILE.cubex RUN RUN...\n"
	"       fathom merge --holistic [--force] -o FILE.cubex RUN RUN...\n"
	"\n"
	"Put the profiles rank-0.cubex, rank-1.cubex, ... that the processes of a run\n"
	"left in DIRECTORY, because they could not end together, into one:\n"
	"DIRECTORY/profile.cubex. Nothing is overwritten; the files of the ranks stay.\n"
	"Of a process that was killed (SIGKILL) there is profile.snapshot or\n"
	"rank-N.snapshot, a copy of its measurement that was made at most a second\n"
	"before: the profile contains this copy.\n"
	"If they recorded a trace, it is made as well: DIRECTORY/traces.otf2; also of the\n"
	"traces that ranks left in DIRECTORY/rank-N.\n"
	"\n"
	"With several runs, join their profiles into one with all metrics and call paths.\n"
	"The values of a metric are those of the first run that has it, and 0 at call\n"
	"paths which that run lacks. Call paths match as for fathom diff.\n"
	"\n"
	"With --holistic, join the profiles of equal runs that counted different things\n"
	"(FATHOM_METRICS) into one with all metrics. They must have the same call paths,\n"
	"ranks and threads, and the same visits; a line says how their times differ.\n"
	"\n"
	"  -o, --output FILE.cubex   write this file instead\n"
	"  --mean                    of a metric of several runs, the mean\n"
	"  --force                   of runs whose visits differ, keep those of the first\n"
	"  --help, --version\n";

static void check_name(const struct merge *merge, size_t length)
{
	if (length >= sizeof(merge->output))
		fathom_tool_usage_error("%.64s...: the path is too long", merge->output);
	if (length < 7 || strcmp(merge->output + length - 6, ".cubex") != 0)
		fathom_tool_usage_error("-o %s: the name must end in .cubex", merge->output);
}

static void parse_runs(struct merge *merge, int argc, char **argv, const char *output)
{
	if (argc - optind < 2)
		fathom_tool_usage_error("--%s: runs are missing: at least two", merge->holistic ? "holistic" : "mean");
	if (!output && merge->holistic)
		fathom_tool_usage_error("--holistic: the name of the new file is missing: -o FILE.cubex");
	if (!output)
		fathom_tool_usage_error("%s: a second run; the name of the new file is missing: -o FILE.cubex",
					argv[optind + 1]);
	merge->runs = argv + optind;
	merge->run_count = argc - optind;
	check_name(merge, (size_t)snprintf(merge->output, sizeof(merge->output), "%s", output));
}

static void parse(struct merge *merge, int argc, char **argv)
{
	static const struct option known[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "holistic", no_argument, NULL, 'H' },
		{ "force", no_argument, NULL, 'F' },
		{ "mean", no_argument, NULL, 'm' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, FATHOM_ARGUMENT_VERSION },
		{ NULL, 0, NULL, 0 },
	};
	const char *output = NULL;
	size_t length;
	int code;

	opterr = 0;
	while ((code = getopt_long(argc, argv, ":o:h", known, NULL)) != -1) {
		if (code == 'o') {
			output = optarg;
		} else if (code == 'H') {
			merge->holistic = true;
		} else if (code == 'F') {
			merge->force = true;
		} else if (code == 'm') {
			merge->mean = true;
		} else {
			fathom_argument_other(argv, code, help);
		}
	}
	if (merge->force && !merge->holistic)
		fathom_tool_usage_error("--force: is allowed only with --holistic");
	if (merge->mean && merge->holistic)
		fathom_tool_usage_error("--mean and --holistic: choose one");
	if (merge->holistic || merge->mean || argc - optind > 1) {
		parse_runs(merge, argc, argv, output);
		return;
	}
	if (optind == argc)
		fathom_tool_usage_error("a directory is missing");
	merge->directory = argv[optind];
	length = strlen(merge->directory);
	while (length > 1 && merge->directory[length - 1] == '/')
		argv[optind][--length] = '\0';
	length =
		(size_t)(output ? snprintf(merge->output, sizeof(merge->output), "%s", output)
				: snprintf(merge->output, sizeof(merge->output), "%s/profile.cubex", merge->directory));
	merge->has_output = output;
	check_name(merge, length);
}

/* Merges the profiles of the ranks of a program with MPI. */
static int merge_ranks(struct merge *merge)
{
	struct fathom_merged_messages messages = { 0 };
	struct fathom_merged_bursts bursts = { 0 };
	enum fathom_restored trace, rank_traces;
	bool makes_profile;
	int err = find_sources(merge);

	if (!err)
		err = restore_ranks(merge);
	if (err)
		return err;
	makes_profile = merge->source_count && !merge->has_profile;
	if (makes_profile)
		err = read_definitions(merge);
	if (makes_profile && !err)
		err = write_profile(merge);
	if (makes_profile && !err)
		err = fathom_samples_merge(merge->directory, merge->attributes.ranks, merge->attributes.rank_count,
					   merge->output);
	for (size_t i = 0; makes_profile && !err && i < merge->source_count; i++)
		err = fathom_messages_merge(&messages, merge->sources[i].path, merge->output);
	err = fathom_messages_end(&messages, err);
	for (size_t i = 0; makes_profile && !err && i < merge->source_count; i++)
		err = fathom_bursts_merge(&bursts, merge->sources[i].path, merge->output);
	err = fathom_bursts_end(&bursts, err);
	if (makes_profile && !err)
		say_result(merge);
	trace = restore_trace(merge);
	rank_traces = merge_rank_traces(merge);
	if (!makes_profile && trace == FATHOM_RESTORED_NONE && rank_traces == FATHOM_RESTORED_NONE)
		return say_no_result(merge);
	return trace == FATHOM_RESTORED_FAILED || rank_traces == FATHOM_RESTORED_FAILED ? -EINVAL : err;
}

int main(int argc, char **argv)
{
	struct merge merge = { 0 };
	int err;

	fathom_tool_begin("merge");
	parse(&merge, argc, argv);
	atexit(abandon);
	if (merge.holistic) {
		atexit(fathom_counter_merge_abandon);
		err = check_output(&merge);
		if (!err)
			err = fathom_counter_merge(merge.output, merge.runs, merge.run_count, merge.force);
		return err ? FATHOM_TOOL_FAILURE : fathom_tool_end();
	}
	if (merge.runs)
		return fathom_operation_run(merge.runs, merge.run_count, merge.mean ? FATHOM_OPERATION_MERGE_MEAN :
					    FATHOM_OPERATION_MERGE, 0, merge.output) ? FATHOM_TOOL_FAILURE :
			fathom_tool_end();
	atexit(remove_temporary);
	err = check_output(&merge);
	if (err)
		return FATHOM_TOOL_FAILURE;
	err = restore_serial(&merge);
	if (err <= 0)
		return err ? FATHOM_TOOL_FAILURE : fathom_tool_end();
	err = merge_ranks(&merge);
	fini(&merge);
	if (err)
		return FATHOM_TOOL_FAILURE;
	return fathom_tool_end();
}
