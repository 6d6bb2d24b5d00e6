#include "tools/merge/counter_merge.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cube/derived.h"
#include "cube/reader/reader.h"
#include "cube/writer/writer.h"
#include "platform/arena.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/merge/attributes.h"
#include "tools/merge/folded_tree.h"

struct run {
	char path[PATH_MAX];
	struct fathom_cube_reader *reader;
	const struct fathom_cube *cube;	/* the definitions of the file, or of the folded tree */
	struct fathom_folded_tree fold;
	bool is_folded;			/* all clusters of each phase are merged */
	uint32_t *cnode;	/* by call path of the first run: the equal call path of this run */
	double time;		/* seconds, sum of all threads */
};

/* The profile to be written: the first run's definitions with the metrics of all runs. */
struct whole {
	struct run *runs;
	int count;
	struct fathom_cube cube;
	struct fathom_arena texts;	/* texts of derived metrics */
	struct source {		/* by metric: the run that it is taken from, and its number there */
		int run;
		uint32_t metric;
	} *sources;
};

static struct fathom_cube_writer *unfinished;

void fathom_counter_merge_abandon(void)
{
	if (unfinished)
		fathom_cube_writer_abandon(unfinished);
	unfinished = NULL;
}

/* --- are the runs equal? ------------------------------------------------------------------------- */

/* Writes "main > solve > MPI_Send" to text; a path that is too long loses its end. Returns text. */
static const char *path_of(const struct fathom_cube *cube, int32_t cnode, char *text, size_t bytes)
{
	char rest[512] = "";

	for (; cnode >= 0; cnode = cube->cnodes[cnode].parent) {
		snprintf(text, bytes, "%s%s%s", cube->regions[cube->cnodes[cnode].region].name, *rest ? " > " : "",
			 rest);
		snprintf(rest, sizeof(rest), "%.500s", text);
	}
	return text;
}

static bool same_parameters(const struct fathom_cube *a, const struct fathom_cube_cnode *x, const struct fathom_cube *b,
			    const struct fathom_cube_cnode *y)
{
	uint32_t p;

	if (x->parameter_count != y->parameter_count)
		return false;
	for (p = 0; p < x->parameter_count; p++) {
		const struct fathom_cube_parameter *m = &a->parameters[x->first_parameter + p];
		const struct fathom_cube_parameter *n = &b->parameters[y->first_parameter + p];

		if (strcmp(m->key, n->key) != 0 || strcmp(m->value, n->value) != 0)
			return false;
	}
	return true;
}

static bool same_call(const struct fathom_cube *a, uint32_t x, const struct fathom_cube *b, uint32_t y)
{
	const struct fathom_cube_region *p = &a->regions[a->cnodes[x].region], *q = &b->regions[b->cnodes[y].region];

	return strcmp(p->name, q->name) == 0 && strcmp(p->mangled, q->mangled) == 0 && strcmp(p->file, q->file) == 0 &&
	       p->begin_line == q->begin_line && same_parameters(a, &a->cnodes[x], b, &b->cnodes[y]);
}

/* Makes the lists of the children of each call path, in the order of the file. */
static void list_children(const struct fathom_cube *cube, int32_t **first, int32_t **next)
{
	int32_t *last = fathom_tool_alloc(cube->cnode_count, sizeof(*last));
	uint32_t c;

	*first = fathom_tool_alloc(cube->cnode_count, sizeof(**first));
	*next = fathom_tool_alloc(cube->cnode_count, sizeof(**next));
	for (c = 0; c < cube->cnode_count; c++) {
		int32_t parent = cube->cnodes[c].parent;

		(*first)[c] = (*next)[c] = -1;
		if (parent < 0)
			continue;
		if ((*first)[parent] < 0)
			(*first)[parent] = (int32_t)c;
		else
			(*next)[last[parent]] = (int32_t)c;
		last[parent] = (int32_t)c;
	}
	free(last);
}

/*
 * Finds the call path of other that equals call path c of base, among the children of the call path that equals the
 * parent of c. The roots always match, because a program may be started by another name. -1: there is none.
 */
static int32_t find_call(const struct fathom_cube *base, uint32_t c, const struct run *other, const int32_t *first,
			 const int32_t *next)
{
	int32_t at;

	if (base->cnodes[c].parent < 0)
		return c == 0 && other->cube->cnodes[0].parent < 0 ? 0 : -1;
	at = first[other->cnode[base->cnodes[c].parent]];
	while (at >= 0 && !same_call(base, c, other->cube, (uint32_t)at))
		at = next[at];
	return at;
}

static int match_calls(const struct run *base, struct run *other)
{
	bool *taken = fathom_tool_alloc(other->cube->cnode_count, sizeof(*taken));
	int32_t *first, *next;
	char text[512];
	uint32_t c;
	int err = 0;

	list_children(other->cube, &first, &next);
	other->cnode = fathom_tool_alloc(base->cube->cnode_count, sizeof(*other->cnode));
	for (c = 0; !err && c < base->cube->cnode_count; c++) {
		int32_t at = find_call(base->cube, c, other, first, next);

		if (at < 0) {
			fathom_tool_error("%s: has no call path %s, which %s has: the runs are not equal", other->path,
					  path_of(base->cube, (int32_t)c, text, sizeof(text)), base->path);
			err = -EINVAL;
			break;
		}
		other->cnode[c] = (uint32_t)at;
		taken[at] = true;
	}
	for (c = 0; !err && c < other->cube->cnode_count; c++)
		if (!taken[c]) {
			fathom_tool_error("%s: has a call path %s, which %s has not: the runs are not equal",
					  other->path, path_of(other->cube, (int32_t)c, text,
							       sizeof(text)), base->path);
			err = -EINVAL;
		}
	free(first);
	free(next);
	free(taken);
	return err;
}

static int match_system(const struct run *base, const struct run *other)
{
	const struct fathom_cube *a = base->cube, *b = other->cube;
	uint32_t l;

	if (a->location_count != b->location_count || a->group_count != b->group_count) {
		fathom_tool_error("%s: has %u processes and %u threads, %s has %u and %u: the runs are not equal",
				  other->path, b->group_count, b->location_count, base->path, a->group_count,
				  a->location_count);
		return -EINVAL;
	}
	for (l = 0; l < a->location_count; l++) {
		const struct fathom_cube_location mine = fathom_cube_location(a, l), its = fathom_cube_location(b, l);

		if (strcmp(mine.name, its.name) != 0 || a->groups[mine.group].rank != b->groups[its.group].rank) {
			fathom_tool_error("%s: has %s of rank %ld where %s has %s of rank %ld: the runs are not equal",
					  other->path, its.name, (long)b->groups[its.group].rank, base->path, mine.name,
					  (long)a->groups[mine.group].rank);
			return -EINVAL;
		}
	}
	return 0;
}

/* --- do they agree? ------------------------------------------------------------------------------ */

static int read_row(struct run *run, uint32_t metric, uint32_t cnode, double *row)
{
	struct fathom_cube_error error;
	int err = run->is_folded ? fathom_folded_tree_row(&run->fold, run->reader, metric, cnode, row, &error) :
				   fathom_cube_reader_row(run->reader, metric, cnode, row, &error);

	if (err)
		fathom_tool_error("%s", error.text);
	return err;
}

static int need_metric(const struct run *run, const char *name, uint32_t *metric)
{
	int32_t at = fathom_cube_metric_by_name(run->cube, name);

	if (at < 0) {
		fathom_tool_error("%s: has no metric %s", run->path, name);
		return -EINVAL;
	}
	*metric = (uint32_t)at;
	return 0;
}

/* Compares the visits of all call paths and threads; names the first difference. */
static int compare_visits(struct run *base, struct run *other, bool force)
{
	uint32_t mine, theirs, c, l, differ = 0, locations = base->cube->location_count;
	double *a = fathom_tool_alloc(locations, sizeof(*a)), *b = fathom_tool_alloc(locations, sizeof(*b));
	char text[512], first[PATH_MAX + 640] = "";
	int err = need_metric(base, "visits", &mine);

	if (!err)
		err = need_metric(other, "visits", &theirs);
	for (c = 0; !err && c < base->cube->cnode_count; c++) {
		err = read_row(base, mine, c, a);
		if (!err)
			err = read_row(other, theirs, other->cnode[c], b);
		for (l = 0; !err && l < locations && a[l] == b[l]; l++)
			;
		if (err || l == locations)
			continue;
		if (!differ++)
			snprintf(first, sizeof(first), "%s was visited %.0f times there and %.0f in %s",
				 path_of(base->cube, (int32_t)c, text, sizeof(text)), b[l], a[l], base->path);
	}
	free(a);
	free(b);
	if (err || !differ)
		return err;
	if (force) {
		printf("%s: visits differ in %u call path%s; those of the first run are kept\n", other->path, differ,
		       differ == 1 ? "" : "s");
		return 0;
	}
	fathom_tool_error("%s: %s; visits differ in %u call path%s (--force joins the runs all the same)", other->path,
			  first, differ, differ == 1 ? "" : "s");
	return -EINVAL;
}

/* Adds up a metric over all threads and call paths. */
static int sum_metric(const struct run *run, uint32_t metric, double *sum)
{
	const struct fathom_cube *cube = fathom_cube_reader_cube(run->reader);
	double *sums = fathom_tool_alloc(cube->cnode_count, sizeof(*sums));
	struct fathom_cube_error error;
	int err = fathom_cube_reader_sums(run->reader, metric, sums, &error);
	uint32_t c;

	*sum = 0;
	if (err)
		fathom_tool_error("%s", error.text);
	else
		fathom_cube_make_exclusive(cube, metric, sums);
	for (c = 0; !err && c < cube->cnode_count; c++)
		*sum += sums[c];
	free(sums);
	return err;
}

static int sum_time(struct run *run)
{
	uint32_t metric;
	int err = need_metric(run, "time", &metric);

	return err ? err : sum_metric(run, metric, &run->time);
}

/* --- the whole ----------------------------------------------------------------------------------- */

static int open_run(struct run *run, const char *target)
{
	struct fathom_cube_error error;
	struct fathom_experiment experiment;
	int err = fathom_experiment_find(&experiment, target);

	if (err)
		return err;
	snprintf(run->path, sizeof(run->path), "%s", experiment.path);
	err = fathom_cube_reader_open(&run->reader, run->path, &error);
	if (err) {
		fathom_tool_error("%s", error.text);
		return err;
	}
	run->cube = fathom_cube_reader_cube(run->reader);
	return 0;
}

/* Refuses a run that is given twice, which would be compared with itself. */
static int check_once(const struct run *runs, int r)
{
	struct stat it, other;

	if (stat(runs[r].path, &it))
		return 0;
	for (int i = 0; i < r; i++)
		if (!stat(runs[i].path, &other) && it.st_dev == other.st_dev && it.st_ino == other.st_ino) {
			fathom_tool_error("%s: given twice (runs must be different ones)", runs[r].path);
			return -EINVAL;
		}
	return 0;
}

static bool can_be_copied(const struct fathom_cube_metric *metric)
{
	return metric->type != FATHOM_CUBE_DERIVED && metric->dtype <= FATHOM_CUBE_TUPLE;
}

/* Collects the metrics of the first run, then those that only later runs have. */
static void collect_metrics(struct whole *whole)
{
	struct fathom_cube *cube = &whole->cube;
	size_t most = FATHOM_DERIVED_MOST;
	int r;

	for (r = 0; r < whole->count; r++)
		most += whole->runs[r].cube->metric_count;
	cube->metrics = fathom_tool_alloc(most, sizeof(*cube->metrics));
	whole->sources = fathom_tool_alloc(most, sizeof(*whole->sources));
	cube->metric_count = 0;
	for (r = 0; r < whole->count; r++) {
		const struct fathom_cube *from = whole->runs[r].cube;
		uint32_t m;

		for (m = 0; m < from->metric_count; m++) {
			const struct fathom_cube_metric *metric = &from->metrics[m];

			if (!can_be_copied(metric) || fathom_cube_metric_by_name(cube, metric->uniq_name) >= 0)
				continue;
			/* A metric within another one, such as a part of the time, is left out: it belongs to the
			 * other metric of the same run. */
			if (r && metric->parent >= 0)
				continue;
			whole->sources[cube->metric_count] = (struct source){ r, m };
			cube->metrics[cube->metric_count] = *metric;
			if (metric->parent >= 0)
				cube->metrics[cube->metric_count].parent =
					fathom_cube_metric_by_name(cube, from->metrics[metric->parent].uniq_name);
			cube->metric_count++;
		}
	}
	if (fathom_derived_add(cube, &whole->texts)) {
		fathom_tool_error("out of memory");
		exit(FATHOM_TOOL_FAILURE);
	}
}

static bool is_present(void *context, uint32_t metric, uint32_t cnode)
{
	const struct whole *whole = context;
	const struct source *source = &whole->sources[metric];
	const struct run *run = &whole->runs[source->run];

	cnode = source->run ? run->cnode[cnode] : cnode;
	return run->is_folded ? fathom_folded_tree_present(&run->fold, run->reader, source->metric, cnode) :
				fathom_cube_reader_present(run->reader, source->metric, cnode);
}

static int read_raw(const struct run *run, uint32_t metric, uint32_t cnode, void *row,
		    struct fathom_cube_error *error)
{
	return run->is_folded ? fathom_folded_tree_raw_row(&run->fold, run->reader, metric, cnode, row, error) :
				fathom_cube_reader_raw_row(run->reader, metric, cnode, row, error);
}

static int copy_rows(struct whole *whole, const char *output)
{
	char *row = fathom_tool_alloc(whole->cube.location_count, sizeof(struct fathom_cube_tuple));
	struct fathom_cube_error error;
	uint32_t m, c;
	int err = 0;

	for (m = 0; !err && m < whole->cube.metric_count; m++) {
		const struct run *run = &whole->runs[whole->sources[m].run];

		if (whole->cube.metrics[m].type == FATHOM_CUBE_DERIVED)
			continue;
		for (c = 0; !err && c < whole->cube.cnode_count; c++) {
			uint32_t own = whole->sources[m].run ? run->cnode[c] : c;

			if (!is_present(whole, m, c))
				continue;
			err = read_raw(run, whole->sources[m].metric, own, row, &error);
			if (err) {
				fathom_tool_error("%s", error.text);
				break;
			}
			err = fathom_cube_writer_put(unfinished, m, c, 0, whole->cube.location_count, row);
			if (err)
				fathom_tool_error("%s: %s", output, strerror(-err));
		}
	}
	free(row);
	return err;
}

/* Attributes that are lists of names of metrics and counters. */
static const char *const list_keys[] = { "fathom::metrics", "fathom::counters", "fathom::process_counters" };
enum { LISTS = sizeof(list_keys) / sizeof(*list_keys) };

static bool is_list(const char *key)
{
	for (int i = 0; i < LISTS; i++)
		if (strcmp(list_keys[i], key) == 0)
			return true;
	return false;
}

/* Returns whether an attribute is a map that says which iterations are in which cluster. */
static bool is_map(const char *key)
{
	return strncmp(key, "fathom::iterations", strlen("fathom::iterations")) == 0;
}

/* Returns a list with the names in the lists of all runs, each name once. NULL: no run has such a list. */
static const char *join_lists(const struct whole *whole, const char *key)
{
	char *list = NULL;
	int r;

	for (r = 0; r < whole->count; r++)
		list = fathom_attributes_add_list(list, fathom_cube_attribute(whole->runs[r].cube, key));
	return list;
}

/* Sets the attribute that names the runs of which the profile is made. */
static void add_attribute(struct whole *whole)
{
	struct fathom_cube *cube = &whole->cube;
	struct fathom_cube_attribute *attributes = fathom_tool_alloc(cube->attribute_count + LISTS + 1,
								    sizeof(*attributes));
	uint32_t count = 0;
	char *text = fathom_tool_alloc((size_t)whole->count, PATH_MAX + 2);
	size_t length = 0;
	int r;

	for (r = 0; r < whole->count; r++)
		length += (size_t)sprintf(text + length, "%s%s", r ? ", " : "", whole->runs[r].path);
	for (uint32_t a = 0; a < cube->attribute_count; a++)
		if (!is_list(cube->attributes[a].key) &&
		    !(whole->runs[0].is_folded && is_map(cube->attributes[a].key)))
			attributes[count++] = cube->attributes[a];
	for (int i = 0; i < LISTS; i++) {
		const char *list = join_lists(whole, list_keys[i]);

		if (list)
			attributes[count++] = (struct fathom_cube_attribute){ list_keys[i], list };
	}
	attributes[count++] = (struct fathom_cube_attribute){ "fathom::holistic", text };
	cube->attributes = attributes;
	cube->attribute_count = count;
}

/* Spells out the locations, because the writer needs them one by one. */
static void list_locations(struct whole *whole)
{
	struct fathom_cube *cube = &whole->cube;

	cube->locations = fathom_tool_alloc(cube->location_count, sizeof(*cube->locations));
	for (uint32_t l = 0; l < cube->location_count; l++)
		cube->locations[l] = fathom_cube_location(whole->runs[0].cube, l);
}

static int write_whole(struct whole *whole, const char *output)
{
	struct stat status;
	int64_t newest = 0;
	int err, r;

	for (r = 0; r < whole->count; r++)
		if (!stat(whole->runs[r].path, &status) && status.st_mtime > newest)
			newest = status.st_mtime;
	err = fathom_cube_writer_open(&unfinished, output, &whole->cube, is_present, whole, newest);
	if (err) {
		fathom_tool_error("%s: cannot be made: %s", output, strerror(-err));
		return err;
	}
	err = copy_rows(whole, output);
	if (err) {
		fathom_counter_merge_abandon();
		return err;
	}
	err = fathom_cube_writer_close(unfinished);
	unfinished = NULL;
	if (err)
		fathom_tool_error("%s: %s", output, strerror(-err));
	return err;
}

/* Prints how much the times of the runs differ: ratios of metrics from different runs are wrong by about as much. */
static void say_times(const struct whole *whole)
{
	int r;

	for (r = 1; r < whole->count; r++)
		printf("%s: took %.3f times as long as the first run (%.3f s and %.3f s over all threads)\n",
		       whole->runs[r].path, whole->runs[r].time / whole->runs[0].time, whole->runs[r].time,
		       whole->runs[0].time);
}

/* Prints for each counter that several runs have, how much its values differ; the first of these runs is kept. */
static int say_agreement(const struct whole *whole)
{
	const char *list = fathom_cube_attribute(&whole->cube, "fathom::metrics");
	double kept, other;
	uint32_t m;
	int err = 0, r;

	for (m = 0; m < whole->cube.metric_count; m++) {
		const struct fathom_cube_metric *metric = &whole->cube.metrics[m];
		const struct source *source = &whole->sources[m];

		if (!list || metric->type == FATHOM_CUBE_DERIVED ||
		    !fathom_attributes_is_listed(list, metric->disp_name, strlen(metric->disp_name)))
			continue;
		for (r = source->run + 1; !err && r < whole->count; r++) {
			int32_t its = fathom_cube_metric_by_name(whole->runs[r].cube, metric->uniq_name);

			if (its < 0 || whole->runs[r].cube->metrics[its].dtype != metric->dtype)
				continue;
			err = sum_metric(&whole->runs[source->run], source->metric, &kept);
			if (!err)
				err = sum_metric(&whole->runs[r], (uint32_t)its, &other);
			if (!err)
				printf("%s: has %s, too: %.15g in all; kept is that of %s, %.15g in all\n",
				       whole->runs[r].path, metric->uniq_name, other, whole->runs[source->run].path,
				       kept);
		}
	}
	return err;
}

static void say_metrics(const struct whole *whole, const char *output)
{
	uint32_t m, count = 0;

	printf("%s: %d runs put together;", output, whole->count);
	for (m = 0; m < whole->cube.metric_count; m++) {
		bool is_derived = whole->cube.metrics[m].type == FATHOM_CUBE_DERIVED;

		if (is_derived || whole->sources[m].run)
			printf("%s %s", count++ ? "," : " added to the metrics of the first:",
			       whole->cube.metrics[m].uniq_name);
	}
	printf("%s\n", count ? "" : " no metric is added to those of the first");
}

/* If a run has clusters of iterations, merges all clusters of each phase, because clusters differ from run to run. */
static void fold_runs(struct whole *whole)
{
	bool is_needed = false;
	int r;

	for (r = 0; r < whole->count; r++)
		is_needed |= fathom_folded_tree_needed(whole->runs[r].cube);
	for (r = 0; is_needed && r < whole->count; r++) {
		fathom_folded_tree_init(&whole->runs[r].fold, whole->runs[r].cube);
		whole->runs[r].cube = &whole->runs[r].fold.cube;
		whole->runs[r].is_folded = true;
	}
	if (is_needed)
		printf("the iterations of each phase are put together: "
		       "which are in a cluster differs from run to run\n");
}

int fathom_counter_merge(const char *output, char **targets, int count, bool force)
{
	struct whole whole = { .count = count };
	int err = 0, r;

	whole.runs = fathom_tool_alloc((size_t)count, sizeof(*whole.runs));
	for (r = 0; !err && r < count; r++) {
		err = open_run(&whole.runs[r], targets[r]);
		if (!err)
			err = check_once(whole.runs, r);
	}
	if (!err)
		fold_runs(&whole);
	for (r = 0; !err && r < count; r++) {
		if (r)
			err = match_system(&whole.runs[0], &whole.runs[r]);
		if (!err && r)
			err = match_calls(&whole.runs[0], &whole.runs[r]);
		if (!err && r)
			err = compare_visits(&whole.runs[0], &whole.runs[r], force);
		if (!err)
			err = sum_time(&whole.runs[r]);
	}
	if (!err) {
		whole.cube = *whole.runs[0].cube;
		list_locations(&whole);
		collect_metrics(&whole);
		add_attribute(&whole);
		err = write_whole(&whole, output);
	}
	if (!err) {
		say_times(&whole);
		err = say_agreement(&whole);
	}
	if (!err)
		say_metrics(&whole, output);
	for (r = 0; r < count; r++) {
		free(whole.runs[r].cnode);
		if (whole.runs[r].is_folded)
			fathom_folded_tree_fini(&whole.runs[r].fold);
		if (whole.runs[r].reader)
			fathom_cube_reader_close(whole.runs[r].reader);
	}
	free(whole.cube.locations);
	free(whole.sources);
	fathom_arena_fini(&whole.texts);
	free(whole.runs);
	return err;
}
