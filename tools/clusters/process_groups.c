#include "tools/clusters/process_groups.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/command.h"

enum { MOST_KINDS = 64 };	/* dimensions; further kinds have little time and count as the last one */

/* Processes differ if they are so far apart, as a share of the mean time of a process. */
static const double least_height = 0.05;

/* Lists the processes with bursts. place_of: by process, its place in the list, or UINT32_MAX. */
static void list_processes(struct fathom_process_groups *groups, const struct fathom_clustering *clustering,
			   uint32_t *place_of)
{
	const struct fathom_burst_data *data = clustering->data;
	uint32_t thread;

	for (uint32_t i = 0; i < clustering->point_count; i++) {
		uint32_t location = data->list.bursts[clustering->bursts[i]].location, process;

		/* Points are sorted by location. */
		if (i && data->list.bursts[clustering->bursts[i - 1]].location == location)
			continue;
		process = fathom_burst_process(data, location, &thread);
		if (place_of[process] != UINT32_MAX)
			continue;
		place_of[process] = groups->count;
		groups->processes[groups->count++] = process;
	}
}

/* Returns the points: [process in the list][kind]. */
static double *make_values(const struct fathom_process_groups *groups, const struct fathom_clustering *clustering,
			   const uint32_t *place_of, uint32_t dimensions)
{
	const struct fathom_burst_data *data = clustering->data;
	double *values = fathom_tool_alloc((size_t)groups->count * dimensions, sizeof(*values));
	double mean = clustering->kept_seconds / groups->count;
	uint32_t process = 0, thread;

	for (uint32_t i = 0; i < clustering->point_count; i++) {
		uint32_t burst = clustering->bursts[i], location = data->list.bursts[burst].location;
		uint32_t kind = clustering->numbers[burst];

		if (i == 0 || data->list.bursts[clustering->bursts[i - 1]].location != location)
			process = fathom_burst_process(data, location, &thread);
		values[(size_t)place_of[process] * dimensions + (kind < dimensions ? kind : dimensions - 1)] +=
			fathom_burst_seconds(data, burst) / mean;
	}
	return values;
}

void fathom_process_groups_make(struct fathom_process_groups *groups, const struct fathom_clustering *clustering)
{
	size_t all = fathom_otf2_count(&clustering->data->trace.defs, FATHOM_OTF2_PROCESS) + 1;
	uint32_t *place_of = fathom_tool_alloc(all, sizeof(*place_of));
	struct fathom_points points = {
		.dimensions = clustering->count < MOST_KINDS ? clustering->count + 1 : MOST_KINDS,
	};
	double *values;

	*groups = (struct fathom_process_groups){ .processes = fathom_tool_alloc(all, sizeof(*groups->processes)) };
	memset(place_of, 0xff, all * sizeof(*place_of));
	list_processes(groups, clustering, place_of);
	groups->groups = fathom_tool_alloc(groups->count, sizeof(*groups->groups));
	groups->joins = fathom_tool_alloc(groups->count, sizeof(*groups->joins));
	if (groups->count <= FATHOM_PROCESSES_MOST) {
		values = make_values(groups, clustering, place_of, points.dimensions);
		points.values = values;
		points.count = groups->count;
		if (fathom_hierarchy_make(&points, FATHOM_LINKAGE_AVERAGE, groups->joins))
			fathom_tool_out_of_memory((size_t)groups->count * groups->count * sizeof(double));
		groups->group_count = fathom_hierarchy_groups(groups->joins, groups->count, least_height);
		if (fathom_hierarchy_cut(groups->joins, groups->count, groups->group_count, groups->groups))
			fathom_tool_out_of_memory(groups->count);
		free(values);
	}
	free(place_of);
}

void fathom_process_groups_fini(struct fathom_process_groups *groups)
{
	free(groups->processes);
	free(groups->groups);
	free(groups->joins);
}

/* --- text --------------------------------------------------------------------------------------------- */

/* Writes the processes of a group as numbers and ranges: "0-3,7". Returns how many there are. */
static uint32_t members_text(const struct fathom_process_groups *groups, uint32_t group, char *text, size_t bytes)
{
	uint32_t count = 0;
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t i = 0, end; i < groups->count; i = end) {
		end = i + 1;
		if (groups->groups[i] != group)
			continue;
		while (end < groups->count && groups->groups[end] == group &&
		       groups->processes[end] == groups->processes[end - 1] + 1)
			end++;
		count += end - i;
		used = strlen(text);
		snprintf(text + used, bytes - used, "%s%u", used ? "," : "", groups->processes[i]);
		used = strlen(text);
		if (end - i > 1)
			snprintf(text + used, bytes - used, "-%u", groups->processes[end - 1]);
	}
	return count;
}

void fathom_process_groups_print(const struct fathom_process_groups *groups, struct fathom_page *page)
{
	enum { MOST_GROUPS = 20 };
	char members[4096], line[4400];

	if (groups->group_count < 2)
		return;
	fathom_page_heading(page, "Groups of processes", "by their time in each kind");
	for (uint32_t g = 1; g <= groups->group_count && g <= MOST_GROUPS; g++) {
		uint32_t count = members_text(groups, g, members, sizeof(members));

		snprintf(line, sizeof(line), "%u process%s%s: ", count, count == 1 ? "" : "es",
			 10 * count < groups->count ? ", a small group" : "");
		fathom_page_text(page, strcat(line, members), page->width);
		printf("\n");
	}
	if (groups->group_count > MOST_GROUPS)
		printf("and %u more\n", groups->group_count - MOST_GROUPS);
}

/* --- the file ----------------------------------------------------------------------------------------- */

int fathom_process_groups_write(const struct fathom_process_groups *groups, const char *path)
{
	FILE *file = fopen(path, "wx");
	int err = file ? 0 : -errno;

	if (file) {
		fputs("digraph processes {\n\trankdir=LR;\n\tnode [shape=box];\n", file);
		for (uint32_t i = 0; i < groups->count; i++)
			fprintf(file, "\tn%u [label=\"process %u\\ngroup %u\"];\n", i, groups->processes[i],
				groups->groups[i]);
		for (uint32_t j = 0; groups->group_count && j + 1 < groups->count; j++)
			fprintf(file, "\tn%u [label=\"%.4g\", shape=ellipse];\n\tn%u -> n%u;\n\tn%u -> n%u;\n",
				groups->count + j, groups->joins[j].height, groups->count + j, groups->joins[j].a,
				groups->count + j, groups->joins[j].b);
		fputs("}\n", file);
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
