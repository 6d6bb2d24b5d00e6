#include "tools/common/matched_runs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/match_key.h"
#include "tools/common/profile.h"
#include "tools/common/samples/sampled_times.h"

/* --- lists ----------------------------------------------------------------------------------------- */

static bool is_same_item(const void *items, uint32_t number, const void *wanted)
{
	const struct fathom_matched_item *item = &((const struct fathom_matched_item *)items)[number], *other = wanted;

	return item->parent == other->parent && strcmp(item->key, other->key) == 0;
}

static char *copy_of(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		fathom_tool_out_of_memory(strlen(text));
	return copy;
}

/* Returns the number of the item with that key and parent, which is added if it is new. */
static uint32_t find_item(struct fathom_matched_list *list, const char *key, int32_t parent,
			  const struct fathom_cube_region *region)
{
	struct fathom_matched_item wanted = { .key = key, .parent = parent }, *item;
	uint64_t hash = fathom_index_hash_number(fathom_index_hash_text(0, key), parent);
	int64_t known = fathom_index_find(&list->index, hash, is_same_item, list->items, &wanted);

	if (known >= 0)
		return (uint32_t)known;
	list->items = fathom_tool_grow(list->items, list->count, &list->room, sizeof(*list->items));
	item = &list->items[list->count];
	*item = (struct fathom_matched_item){
		.name = copy_of(region->name), .key = copy_of(key), .file = copy_of(region->file),
		.paradigm = copy_of(region->paradigm), .role = copy_of(region->role),
		.line = region->begin_line, .parent = parent,
		.values = fathom_tool_alloc(FATHOM_MATCHED_RUNS_MOST, sizeof(*item->values)),
	};
	fathom_index_add(&list->index, hash, (uint32_t)list->count);
	return (uint32_t)list->count++;
}

static void free_list(struct fathom_matched_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		free((char *)list->items[i].name);
		free((char *)list->items[i].key);
		free((char *)list->items[i].file);
		free((char *)list->items[i].paradigm);
		free((char *)list->items[i].role);
		for (uint32_t p = 0; p < list->items[i].parameter_count; p++) {
			free((char *)list->items[i].parameters[p].key);
			free((char *)list->items[i].parameters[p].value);
		}
		free(list->items[i].parameters);
		free(list->items[i].values);
	}
	free(list->items);
	fathom_index_fini(&list->index);
}

/* --- reading --------------------------------------------------------------------------------------- */

/* What is read from one profile. */
struct reading {
	struct fathom_profile profile;
	struct fathom_values values, visits;
	struct fathom_sampled_times sampled;
	uint32_t *call_path;	/* by cnode: its number in the list */
	uint32_t *region;	/* by cnode: its region's number in the list */
	uint32_t run;
};

/* Writes the key of a call path: its region, its parameters, and its order among the siblings that would otherwise have
 * the same key, which are those that differ in their lines alone. */
static void call_path_key(const struct reading *reading, uint32_t c, char *key, size_t bytes)
{
	const struct fathom_cube *cube = reading->profile.cube;
	const struct fathom_cube_cnode *cnode = &cube->cnodes[c];
	const struct fathom_cube_region *region = &cube->regions[cnode->region];
	char own[1024], other[1024];
	unsigned before = 0;
	uint32_t end;
	size_t length;

	if (cnode->parent < 0 && fathom_profile_is_program(&reading->profile, c)) {
		snprintf(key, bytes, "(program)");
		return;
	}
	fathom_match_key(region->name, own, sizeof(own));
	length = (size_t)snprintf(key, bytes, "%s", own);
	for (uint32_t i = 0; i < cnode->parameter_count && length < bytes; i++) {
		const struct fathom_cube_parameter *parameter = &cube->parameters[cnode->first_parameter + i];

		length += (size_t)snprintf(key + length, bytes - length, "|%s=%s", parameter->key, parameter->value);
	}
	if (cnode->parent < 0 || !strchr(region->name, '@'))
		return;
	end = reading->profile.first_child[cnode->parent + 1];
	for (uint32_t k = reading->profile.first_child[cnode->parent]; k < end; k++) {
		const struct fathom_cube_region *sibling =
			&cube->regions[cube->cnodes[reading->profile.child[k]].region];

		before += sibling != region && sibling->begin_line < region->begin_line &&
			  strcmp(fathom_match_key(sibling->name, other, sizeof(other)), own) == 0;
	}
	if (before && length < bytes)
		snprintf(key + length, bytes - length, "#%u", before);
}

/* Returns the variance of the own time of a call path that samples estimate; 0: it was measured. The own time of a
 * measured call path with sampled ones below is an estimate, too. */
static double variance_of(const struct reading *reading, uint32_t c)
{
	const struct fathom_sampled_times *sampled = &reading->sampled;
	double samples, own = reading->values.own[c];

	if (!sampled->samples.own)
		return 0;
	samples = sampled->samples.own[c];
	if (!sampled->is_sampled[c] && sampled->shared[c] <= samples)
		return 0;
	return own * own / (samples > 1 ? samples : 1);
}

static void add_value(struct fathom_run_value *value, const struct reading *reading, uint32_t c, double processes,
		      bool is_outermost)
{
	value->is_present = true;
	value->own += reading->values.own[c] / processes;
	value->inclusive += is_outermost ? reading->values.inclusive[c] / processes : 0;
	value->variance += variance_of(reading, c) / (processes * processes);
	value->visits += reading->visits.own ? reading->visits.own[c] / processes : 0;
}

/* Returns whether a call path stands below another one of the same region: the inclusive time is part of that one. */
static bool is_recursive(const struct reading *reading, uint32_t c)
{
	for (int32_t above = reading->profile.cube->cnodes[c].parent; above >= 0;
	     above = reading->profile.cube->cnodes[above].parent)
		if (reading->region[above] == reading->region[c])
			return true;
	return false;
}

/* Copies the parameters of a call path to its item, if the item is new. */
static void copy_parameters(struct fathom_matched_item *item, const struct fathom_cube *cube,
			    const struct fathom_cube_cnode *cnode)
{
	if (item->parameters || !cnode->parameter_count)
		return;
	item->parameters = fathom_tool_alloc(cnode->parameter_count, sizeof(*item->parameters));
	item->parameter_count = cnode->parameter_count;
	for (uint32_t p = 0; p < cnode->parameter_count; p++) {
		item->parameters[p] = cube->parameters[cnode->first_parameter + p];
		item->parameters[p].key = copy_of(item->parameters[p].key);
		item->parameters[p].value = copy_of(item->parameters[p].value);
	}
}

static void match(struct fathom_matched_runs *matched, struct reading *reading)
{
	const struct fathom_cube *cube = reading->profile.cube;
	double processes = reading->profile.process_count ? reading->profile.process_count : 1;
	char key[2048];

	for (uint32_t c = 0; c < cube->cnode_count; c++) {
		const struct fathom_cube_cnode *cnode = &cube->cnodes[c];
		const struct fathom_cube_region *region = &cube->regions[cnode->region];
		bool is_program = cnode->parent < 0 && fathom_profile_is_program(&reading->profile, c);

		reading->region[c] = find_item(&matched->regions, is_program ? "(program)" :
					       fathom_match_key(region->name, key, sizeof(key)), -1, region);
		call_path_key(reading, c, key, sizeof(key));
		reading->call_path[c] = find_item(&matched->call_paths, key, cnode->parent < 0 ? -1 :
						  (int32_t)reading->call_path[cnode->parent], region);
		matched->call_paths.items[reading->call_path[c]].region = reading->region[c];
		matched->call_paths.items[reading->call_path[c]].activity =
			fathom_profile_activity(&reading->profile, region);
		copy_parameters(&matched->call_paths.items[reading->call_path[c]], cube, cnode);
		if (!reading->profile.counted[c])
			continue;
		add_value(&matched->regions.items[reading->region[c]].values[reading->run], reading, c, processes,
			  !is_recursive(reading, c));
		add_value(&matched->call_paths.items[reading->call_path[c]].values[reading->run], reading, c, processes,
			  true);
	}
}

static double number_of(const struct fathom_cube *cube, const char *key)
{
	const char *text = fathom_cube_attribute(cube, key);

	return text ? strtod(text, NULL) : -1;
}

/* Keeps the facts about a run. */
static void describe(struct fathom_matched_run *run, const struct reading *reading)
{
	const struct fathom_cube *cube = reading->profile.cube;
	const char *program = fathom_cube_attribute(cube, "fathom::program");

	run->path = copy_of(reading->profile.path);
	run->program = copy_of(program ? program : cube->cnode_count ?
			       cube->regions[cube->cnodes[0].region].name : "?");
	run->wall_time = number_of(cube, "fathom::wall_time");
	run->processes = reading->profile.process_count ? reading->profile.process_count : 1;
	run->threads = reading->profile.thread_count;
	run->total = reading->values.total / run->processes;
}

/* Reads the values of the metric. 0, or -errno after an error message. */
static int read_values(struct reading *reading, const char *metric)
{
	struct fathom_profile *profile = &reading->profile;
	int32_t number = fathom_cube_metric_by_name(profile->cube, metric);
	int err;

	if (number < 0 || !fathom_profile_has_values(profile, (uint32_t)number) ||
	    !fathom_profile_can_read(&profile->cube->metrics[number])) {
		fathom_tool_error("%s: has no metric %s (fathom report --metric=list names what there is)",
				  profile->path, metric);
		return -EINVAL;
	}
	err = fathom_profile_values(profile, (uint32_t)number, &reading->values);
	if (!err && reading->values.kind != FATHOM_VALUES_SUM) {
		fathom_tool_error("--metric %s: only metrics that are sums can be compared", metric);
		err = -EINVAL;
	}
	if (!err && profile->visits >= 0)
		err = fathom_profile_values(profile, (uint32_t)profile->visits, &reading->visits);
	if (!err && number == profile->time)
		err = fathom_sampled_times_init(&reading->sampled, profile, &reading->visits);
	return err;
}

int fathom_matched_runs_add(struct fathom_matched_runs *matched, const char *target, const char *metric)
{
	struct reading reading = { .run = matched->count };
	struct fathom_experiment experiment;
	int err = fathom_experiment_find(&experiment, target);

	if (err)
		return err;
	if (fathom_experiment_is_trace(experiment.path)) {
		fathom_tool_error("%s: is a trace (profiles are compared)", experiment.path);
		return -EINVAL;
	}
	err = fathom_profile_open(&reading.profile, experiment.path, -1);
	if (err)
		return err;
	err = read_values(&reading, metric);
	if (!err) {
		reading.call_path = fathom_tool_alloc(reading.profile.cube->cnode_count, sizeof(uint32_t));
		reading.region = fathom_tool_alloc(reading.profile.cube->cnode_count, sizeof(uint32_t));
		describe(&matched->runs[matched->count++], &reading);
		if (!matched->metric) {
			matched->metric = copy_of(reading.values.metric->uniq_name);
			matched->title = copy_of(reading.values.metric->disp_name);
			matched->unit = copy_of(reading.values.metric->unit);
		}
		match(matched, &reading);
		matched->runs[reading.run].call_paths = reading.call_path;
		free(reading.region);
	}
	fathom_sampled_times_fini(&reading.sampled);
	fathom_values_free(&reading.values);
	fathom_values_free(&reading.visits);
	fathom_profile_close(&reading.profile);
	return err;
}

void fathom_matched_path(const struct fathom_matched_list *list, uint32_t item, char *text, size_t bytes)
{
	uint32_t chain[64], depth = 0;
	size_t length = 0;

	for (int32_t at = (int32_t)item; at >= 0 && depth < 64; at = list->items[at].parent)
		chain[depth++] = (uint32_t)at;
	text[0] = '\0';
	while (depth-- > 0 && length < bytes)
		length += (size_t)snprintf(text + length, bytes - length, "%s%s", length ? " > " : "",
					   list->items[chain[depth]].name);
}

void fathom_matched_runs_fini(struct fathom_matched_runs *matched)
{
	for (uint32_t r = 0; r < matched->count; r++) {
		free(matched->runs[r].path);
		free(matched->runs[r].program);
		free(matched->runs[r].call_paths);
	}
	free_list(&matched->regions);
	free_list(&matched->call_paths);
	free(matched->metric);
	free(matched->title);
	free(matched->unit);
}
