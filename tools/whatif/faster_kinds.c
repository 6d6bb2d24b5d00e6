#include "tools/whatif/faster_kinds.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bursts/recorded_bursts.h"
#include "tools/clusters/burst_data.h"
#include "tools/clusters/clustering.h"
#include "tools/common/command.h"

enum { MOST_BURSTS = 4000000 };	/* as `fathom clusters` keeps without --limit */

/* Returns the number of the rule about a kind; 0: none is. */
static uint16_t rule_of(const struct fathom_speed_rules *rules, uint32_t kind)
{
	for (size_t i = rules->count; i > 0; i--)
		if (rules->rules[i - 1].kind == kind)
			return (uint16_t)i;
	return 0;
}

/* Refuses rules about kinds that the trace does not have. 0, or -ENOENT after an error message. */
static int check_kinds(const struct fathom_clustering *clustering, const struct fathom_speed_rules *rules)
{
	for (size_t i = 0; i < rules->count; i++) {
		if (rules->rules[i].kind <= clustering->count)
			continue;
		fathom_tool_error("--faster %s: the bursts of the %s are of %u kind%s (fathom clusters)",
				  rules->rules[i].name,
				  fathom_recorded_bursts_is_file(clustering->data->trace.anchor) ? "run" : "trace",
				  clustering->count, clustering->count == 1 ? "" : "s");
		return -ENOENT;
	}
	return 0;
}

/* Writes into a rule about a kind which call path has most of the kind's time. */
static void set_place(struct fathom_speed_rule *rule, const struct fathom_clustering *clustering)
{
	const struct fathom_cluster *cluster = &clustering->clusters[rule->kind];

	if (cluster->place_count)
		fathom_burst_path_text(&clustering->data->extraction, cluster->places[0].path, rule->place,
				       sizeof(rule->place));
}

/* Copies the bursts of the kinds with rules. The list of all bursts is sorted by location and time already. */
static void take_bursts(struct fathom_faster_kinds *kinds, const struct fathom_clustering *clustering,
			const struct fathom_speed_rules *rules)
{
	const struct fathom_burst_list *list = &clustering->data->list;
	uint16_t *rule_by_kind = fathom_tool_alloc((size_t)clustering->count + 1, sizeof(*rule_by_kind));

	for (uint32_t kind = 1; kind <= clustering->count; kind++)
		rule_by_kind[kind] = rule_of(rules, kind);
	for (size_t i = 0; i < list->count; i++) {
		uint32_t kind = clustering->numbers[i];

		if (kind > clustering->count || !rule_by_kind[kind])
			continue;
		kinds->bursts = fathom_tool_grow(kinds->bursts, kinds->count, &kinds->room, sizeof(*kinds->bursts));
		kinds->bursts[kinds->count++] = (struct fathom_faster_burst){
			list->bursts[i].begin, list->bursts[i].end, list->bursts[i].location, rule_by_kind[kind] };
	}
	free(rule_by_kind);
}

/* Sets the first burst of each location. */
static void set_next(struct fathom_faster_kinds *kinds, uint32_t location_count)
{
	size_t burst = 0;

	kinds->location_count = location_count;
	kinds->next = fathom_tool_alloc((size_t)location_count + 1, sizeof(*kinds->next));
	for (uint32_t location = 0; location < location_count; location++) {
		while (burst < kinds->count && kinds->bursts[burst].location < location)
			burst++;
		kinds->next[location] = burst;
	}
}

int fathom_faster_kinds_find(struct fathom_faster_kinds *kinds, const char *anchor,
			     const struct fathom_cluster_choice *choice, struct fathom_speed_rules *rules)
{
	struct fathom_burst_data data = { .thread_count = 0 };
	struct fathom_clustering clustering = { .data = NULL };
	int err = fathom_burst_data_read(&data, anchor, MOST_BURSTS);

	*kinds = (struct fathom_faster_kinds){ .bursts = NULL };
	if (!err)
		err = fathom_clustering_make(&clustering, &data, choice);
	if (!err)
		err = check_kinds(&clustering, rules);
	if (!err) {
		for (size_t i = 0; i < rules->count; i++)
			if (rules->rules[i].kind)
				set_place(&rules->rules[i], &clustering);
		take_bursts(kinds, &clustering, rules);
		set_next(kinds, data.extraction.location_count);
	}
	fathom_clustering_fini(&clustering);
	fathom_burst_data_fini(&data);
	return err;
}

/* Takes the time of the kinds that rules are about. */
static void take_times(struct fathom_kind_times *times, const struct fathom_clustering *clustering,
		       struct fathom_speed_rules *rules)
{
	const struct fathom_burst_data *data = clustering->data;

	times->all_seconds = clustering->seconds;
	times->dropped = data->extraction.unrecorded;
	times->is_cut = data->is_cut;
	times->seconds = fathom_tool_alloc(rules->count + 1, sizeof(*times->seconds));
	for (size_t i = 0; i < rules->count; i++) {
		struct fathom_speed_rule *rule = &rules->rules[i];

		if (!rule->kind)
			continue;
		times->seconds[i] = clustering->clusters[rule->kind].seconds;
		rule->bursts = clustering->clusters[rule->kind].count;
		rule->is_used = true;
		set_place(rule, clustering);
	}
}

int fathom_kind_times_find(struct fathom_kind_times *times, const char *bursts,
			   const struct fathom_cluster_choice *choice, struct fathom_speed_rules *rules)
{
	struct fathom_burst_data data = { .thread_count = 0 };
	struct fathom_clustering clustering = { .data = NULL };
	int err = fathom_burst_data_read(&data, bursts, MOST_BURSTS);

	*times = (struct fathom_kind_times){ .seconds = NULL };
	if (!err)
		err = fathom_clustering_make(&clustering, &data, choice);
	if (!err)
		err = check_kinds(&clustering, rules);
	if (!err)
		take_times(times, &clustering, rules);
	fathom_clustering_fini(&clustering);
	fathom_burst_data_fini(&data);
	return err;
}

void fathom_kind_times_fini(struct fathom_kind_times *times)
{
	free(times->seconds);
	*times = (struct fathom_kind_times){ .seconds = NULL };
}

void fathom_faster_kinds_fini(struct fathom_faster_kinds *kinds)
{
	free(kinds->bursts);
	free(kinds->next);
	*kinds = (struct fathom_faster_kinds){ .bursts = NULL };
}

const struct fathom_faster_burst *fathom_faster_kinds_next(struct fathom_faster_kinds *kinds, uint32_t location,
							   uint64_t from, uint64_t to)
{
	size_t *next;

	if (location >= kinds->location_count || from >= to)
		return NULL;
	next = &kinds->next[location];
	while (*next < kinds->count && kinds->bursts[*next].location == location && kinds->bursts[*next].end <= from)
		++*next;
	if (*next == kinds->count || kinds->bursts[*next].location != location || kinds->bursts[*next].begin >= to)
		return NULL;
	return &kinds->bursts[*next];
}
