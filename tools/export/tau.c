/*
 * tau: a metric of a profile as profiles of TAU: a file profile.RANK.0.THREAD for each thread in a new directory.
 *
 * Each function has a line with the sums over its call paths, and each call path below a root has a line whose
 * functions have " => " between them, in the way that TAU writes call paths of any depth. Times are in microseconds.
 */
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/command.h"
#include "tools/common/progress.h"
#include "tools/common/profile.h"
#include "tools/export/export_format.h"

enum { MOST_NAME = 1 << 16 };		/* bytes of a call path; longer ones are left out of the path lines */

struct sums {
	double calls, called, own, inclusive;
};

struct tau_writer {
	struct fathom_profile *profile;
	const struct fathom_cube *cube;
	const char *directory, *metric_name;
	int32_t metric, visits;
	double factor;
	double *own, *calls;		/* [cnode][location] */
	struct sums *paths;		/* by cnode, of the location that is written */
	struct sums *regions;		/* by region, of this location */
	uint32_t *open;			/* by region: how often it is on the path down to a cnode */
	char *name;			/* of a call path */
};

/* Reads all values: cnodes x locations, as a profile of TAU has a file for each location. */
static int read_values(struct tau_writer *writer)
{
	size_t locations = writer->cube->location_count, size = writer->cube->cnode_count * locations;
	int err = 0;

	writer->own = fathom_tool_alloc(size, sizeof(double));
	writer->calls = fathom_tool_alloc(size, sizeof(double));
	for (uint32_t c = 0; !err && c < writer->cube->cnode_count; c++) {
		if (!writer->profile->counted[c])
			continue;
		err = fathom_profile_own_row(writer->profile, (uint32_t)writer->metric, c, writer->own + c * locations);
		if (!err && writer->visits >= 0)
			err = fathom_profile_own_row(writer->profile, (uint32_t)writer->visits, c,
						     writer->calls + c * locations);
	}
	return err;
}

/* Adds up the values of a location, from the leaves up. */
static void add_up(struct tau_writer *writer, uint32_t location)
{
	const struct fathom_cube *cube = writer->cube;

	memset(writer->regions, 0, cube->region_count * sizeof(*writer->regions));
	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		size_t at = (size_t)c * cube->location_count + location;

		writer->paths[c] = (struct sums){
			.calls = writer->calls[at], .own = writer->own[at] * writer->factor,
			.inclusive = writer->own[at] * writer->factor,
		};
	}
	for (uint32_t c = cube->cnode_count; c-- > 0; ) {
		int32_t parent = cube->cnodes[c].parent;

		if (parent < 0)
			continue;
		writer->paths[parent].called += writer->paths[c].calls;
		writer->paths[parent].inclusive += writer->paths[c].inclusive;
	}
	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		struct sums *region = &writer->regions[cube->cnodes[c].region];
		bool is_outermost = true;

		for (int32_t above = cube->cnodes[c].parent; above >= 0; above = cube->cnodes[above].parent)
			is_outermost &= cube->cnodes[above].region != cube->cnodes[c].region;
		region->calls += writer->paths[c].calls;
		region->called += writer->paths[c].called;
		region->own += writer->paths[c].own;
		region->inclusive += is_outermost ? writer->paths[c].inclusive : 0;
	}
}

/* Writes the name of a region, with its place if the file has it: "solve [{/a/solve.c} {12,0}-{30,0}]". */
static size_t put_name(const struct fathom_cube_region *region, char *text, size_t room)
{
	bool has_place = *region->file && region->begin_line > 0;
	int length = has_place ?
		snprintf(text, room, "%s [{%s} {%" PRId32 ",0}-{%" PRId32 ",0}]", region->name, region->file,
			 region->begin_line, region->end_line > 0 ? region->end_line : region->begin_line) :
		snprintf(text, room, "%s", region->name);

	for (char *at = text; length > 0 && (size_t)length < room && *at; at++)
		if (*at == '"' || *at == '\n')
			*at = '\'';
	return length < 0 ? room : (size_t)length;
}

/* Writes the name of a call path. False: it is too long. */
static bool put_path(const struct tau_writer *writer, uint32_t cnode, char *text, size_t room, size_t *length)
{
	int32_t parent = writer->cube->cnodes[cnode].parent;

	*length = 0;
	if (parent >= 0) {
		if (!put_path(writer, (uint32_t)parent, text, room, length) || room - *length < 5)
			return false;
		memcpy(text + *length, " => ", 5);
		*length += 4;
	}
	*length += put_name(&writer->cube->regions[writer->cube->cnodes[cnode].region], text + *length, room - *length);
	return *length < room;
}

static const char *group_of(const struct fathom_cube_region *region)
{
	return strcmp(region->paradigm, "mpi") == 0 ? "MPI" : strcmp(region->paradigm, "openmp") == 0 ? "OpenMP" :
	       strcmp(region->paradigm, "io") == 0 ? "TAU_IO" : "TAU_USER";
}

static bool has_values(const struct sums *sums)
{
	return sums->calls != 0 || sums->inclusive != 0;
}

static void put_line(FILE *out, const char *name, const struct sums *sums, const char *group, bool is_path)
{
	fprintf(out, "\"%s\" %.17g %.17g %.17g %.17g 0 GROUP=\"%s%s\"\n", name, sums->calls, sums->called, sums->own,
		sums->inclusive, group, is_path ? " | TAU_CALLPATH" : "");
}

/* Writes the lines of functions, or counts them. */
static size_t put_lines(const struct tau_writer *writer, FILE *out)
{
	const struct fathom_cube *cube = writer->cube;
	size_t lines = 0, length;

	for (uint32_t r = 0; r < cube->region_count; r++) {
		if (!has_values(&writer->regions[r]))
			continue;
		lines++;
		if (!out)
			continue;
		put_name(&cube->regions[r], writer->name, MOST_NAME);
		put_line(out, writer->name, &writer->regions[r], group_of(&cube->regions[r]), false);
	}
	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		if (cube->cnodes[c].parent < 0 || !has_values(&writer->paths[c]) ||
		    !put_path(writer, c, writer->name, MOST_NAME, &length))
			continue;
		lines++;
		if (out)
			put_line(out, writer->name, &writer->paths[c], group_of(&cube->regions[cube->cnodes[c].region]),
				 true);
	}
	return lines;
}

static int write_location(struct tau_writer *writer, uint32_t location)
{
	const struct fathom_cube *cube = writer->cube;
	const struct fathom_cube_group *group = &cube->groups[fathom_cube_location_group(cube, location)];
	char path[PATH_MAX];
	FILE *out;
	int err = 0;

	snprintf(path, sizeof(path), "%s/profile.%" PRId64 ".0.%" PRId64, writer->directory, group->rank,
		 fathom_cube_location(writer->cube, location).rank);
	out = fopen(path, "wxe");
	if (!out) {
		err = -errno;
		fathom_tool_error("%s: %s", path, strerror(-err));
		return err;
	}
	add_up(writer, location);
	fprintf(out, "%zu templated_functions_MULTI_%s\n# Name Calls Subrs Excl Incl ProfileCalls # <metadata>"
		"<attribute>"
		"<name>Creator</name><value>fathom " PACKAGE_VERSION "</value></attribute></metadata>\n",
		put_lines(writer, NULL), writer->metric_name);
	put_lines(writer, out);
	fputs("0 aggregates\n", out);
	if (ferror(out))
		err = -EIO;
	if (fclose(out) && !err)
		err = -errno;
	if (err)
		fathom_tool_error("%s: %s", path, strerror(-err));
	return err;
}

static int write_files(struct tau_writer *writer)
{
	const struct fathom_profile *profile = writer->profile;
	int err = 0;

	fathom_progress_begin("writing profiles", profile->location_end - profile->first_location);
	for (uint32_t l = profile->first_location; !err && l < profile->location_end; l++) {
		if (!fathom_group_is_process(&writer->cube->groups[fathom_cube_location_group(writer->cube, l)]))
			continue;
		err = write_location(writer, l);
		fathom_progress_set(l - profile->first_location);
	}
	fathom_progress_end();
	return err;
}

int fathom_export_tau(struct fathom_profile *profile, uint32_t metric, const char *directory)
{
	const struct fathom_cube *cube = profile->cube;
	bool is_time = strcmp(cube->metrics[metric].unit, "sec") == 0;
	struct tau_writer writer = {
		.profile = profile, .cube = cube, .directory = directory, .metric = (int32_t)metric,
		.visits = profile->visits, .factor = is_time ? 1e6 : 1,
		.metric_name = is_time ? "TIME" : cube->metrics[metric].uniq_name,
	};
	int err = 0;

	if (mkdir(directory, 0777) < 0) {
		err = -errno;
		fathom_tool_error("%s: %s%s", directory, strerror(errno),
				  errno == EEXIST ? " (the profiles are written into a new directory)" : "");
		return err;
	}
	writer.paths = fathom_tool_alloc(cube->cnode_count, sizeof(*writer.paths));
	writer.regions = fathom_tool_alloc(cube->region_count, sizeof(*writer.regions));
	writer.name = fathom_tool_alloc(1, MOST_NAME);
	err = read_values(&writer);
	if (!err)
		err = write_files(&writer);
	free(writer.own);
	free(writer.calls);
	free(writer.paths);
	free(writer.regions);
	free(writer.name);
	return err;
}
