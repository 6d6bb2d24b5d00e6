#include "tools/merge/attributes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cube/reader/reader.h"
#include "system/capacity.h"
#include "tools/common/command.h"

static const char *const count_keys[FATHOM_ATTRIBUTES_COUNTS] = {
	"fathom::dropped_depth", "fathom::dropped_nodes", "fathom::dropped_memory", "fathom::unbalanced_exits",
	"fathom::iterations_lost", "fathom::samples", "fathom::samples_partial", "fathom::samples_shortened",
	"fathom::samples_dropped",
};

/* Attributes that are lists with commas: that of the run has the names of all ranks. */
static const char *const list_keys[FATHOM_ATTRIBUTES_LISTS] = {
	"fathom::metrics", "fathom::counters", "fathom::process_counters",
};

/* Returns whether ranks have different values of an attribute; all other attributes are the same in all ranks. */
static bool is_own(const char *key)
{
	static const char *const keys[] = {
		"fathom::rank", "fathom::size", "fathom::ranks_missing", "fathom::complete", "fathom::wall_time",
		"fathom::events", "fathom::event_cost_ns", "fathom::event_cost_inside_ns", "fathom::begin",
		"fathom::filtered_regions", "fathom::filtered_ranks",
		"fathom::processor_time", "fathom::processors", "fathom::shared_nodes", "fathom::shared_processors",
		"fathom::shared_by_processes", "fathom::shared_by_threads", "fathom::rank_processors",
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(key, keys[i]) == 0)
			return true;
	for (i = 0; i < FATHOM_ATTRIBUTES_COUNTS; i++)
		if (strcmp(key, count_keys[i]) == 0)
			return true;
	for (i = 0; i < FATHOM_ATTRIBUTES_LISTS; i++)
		if (strcmp(key, list_keys[i]) == 0)
			return true;
	/* These keys contain numbers of call paths; merged_definitions.c translates them. */
	return strncmp(key, FATHOM_ITERATIONS_KEY, strlen(FATHOM_ITERATIONS_KEY)) == 0;
}

static double number_of(const struct fathom_cube *cube, const char *key)
{
	const char *text = fathom_cube_attribute(cube, key);

	return text ? strtod(text, NULL) : 0;
}

static uint64_t count_of(const struct fathom_cube *cube, const char *key)
{
	const char *text = fathom_cube_attribute(cube, key);

	return text ? strtoull(text, NULL, 10) : 0;
}

static const char *keep(struct fathom_attributes *attributes, const char *text)
{
	const char *copy = fathom_arena_copy(&attributes->texts, text, strlen(text));

	return copy ? copy : "";
}

bool fathom_attributes_is_listed(const char *list, const char *name, size_t length)
{
	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (strcspn(list, ",") == length && strncmp(list, name, length) == 0)
			return true;
	return false;
}

char *fathom_attributes_add_list(char *known, const char *list)
{
	size_t bytes = (known ? strlen(known) : 0) + (list ? strlen(list) : 0) + 2, length;
	char *whole, *end;

	if (!list || !*list)
		return known;
	whole = fathom_tool_alloc(bytes, 1);
	end = stpcpy(whole, known ? known : "");
	for (; *list; list += length + (list[length] == ',')) {
		length = strcspn(list, ",");
		if (length && !fathom_attributes_is_listed(whole, list, length))
			end += sprintf(end, "%s%.*s", end > whole ? "," : "", (int)length, list);
	}
	free(known);
	return whole;
}

static void add_reason(struct fathom_attributes *attributes, const struct fathom_cube *cube, int64_t rank)
{
	const char *complete = fathom_cube_attribute(cube, "fathom::complete");

	if (!complete || strncmp(complete, "no", 2) != 0)
		return;
	complete += 2;
	complete += strspn(complete, ": ");
	if (!attributes->reason) {
		attributes->reason = keep(attributes, complete);
		attributes->reason_rank = rank;
	} else if (strcmp(attributes->reason, complete) != 0) {
		attributes->reasons_differ = true;
	}
}

/* Ends a sequence of ranks that left out the same number of regions: appends "FIRST-LAST: COUNT" to the text. */
static void end_run(struct fathom_attributes_filtered *filtered)
{
	size_t length = strlen(filtered->ranks), room = sizeof(filtered->ranks) - length;
	const char *comma = length ? ", " : "";
	int more;

	if (filtered->is_cut)
		return;
	if (filtered->first == filtered->last)
		more = snprintf(filtered->ranks + length, room, "%s%" PRId64 ": %" PRIu64, comma, filtered->last,
				filtered->count);
	else
		more = snprintf(filtered->ranks + length, room, "%s%" PRId64 "-%" PRId64 ": %" PRIu64, comma,
				filtered->first, filtered->last, filtered->count);
	filtered->is_cut = more < 0 || (size_t)more + sizeof(", ...") > room;
	if (filtered->is_cut)
		snprintf(filtered->ranks + length, room, ", ...");
}

/*
 * Adds the number of regions that a rank left out. Its file does not say which regions; so the run left out at least as
 * many as the rank with most.
 */
static void add_filtered(struct fathom_attributes_filtered *filtered, const struct fathom_cube *cube, int64_t rank,
			 bool is_first)
{
	uint64_t count = count_of(cube, "fathom::filtered_regions");

	if (!is_first && count != filtered->count)
		filtered->differ = true;
	if (!is_first && (count != filtered->count || rank != filtered->last + 1))
		end_run(filtered);
	if (is_first || count != filtered->count || rank != filtered->last + 1)
		filtered->first = rank;
	filtered->last = rank;
	filtered->count = count;
	filtered->most = count > filtered->most ? count : filtered->most;
}

static void add_processors(struct fathom_attributes *attributes, const char *text)
{
	if (!text)
		return;
	attributes->processors = fathom_tool_grow(attributes->processors, attributes->processor_count,
						  &attributes->processor_room, sizeof(*attributes->processors));
	attributes->processors[attributes->processor_count++] = keep(attributes, text);
}

void fathom_attributes_add(struct fathom_attributes *attributes, struct fathom_definitions *merged,
			   const struct fathom_cube *cube, int64_t rank)
{
	const char *begin = fathom_cube_attribute(cube, "fathom::begin");
	double wall_time = number_of(cube, "fathom::wall_time");
	uint64_t events = count_of(cube, "fathom::events");
	int64_t size = (int64_t)count_of(cube, "fathom::size");
	uint32_t i;

	for (i = 0; attributes->rank_count == 0 && i < cube->attribute_count; i++)
		if (!is_own(cube->attributes[i].key))
			fathom_definitions_set_attribute(merged, cube->attributes[i].key, cube->attributes[i].value);
	attributes->size = size > attributes->size ? size : attributes->size;
	attributes->wall_time = wall_time > attributes->wall_time ? wall_time : attributes->wall_time;
	attributes->processor_time += number_of(cube, "fathom::processor_time");
	add_processors(attributes, fathom_cube_attribute(cube, "fathom::rank_processors"));
	attributes->events += events;
	attributes->cost_ns += (double)events * number_of(cube, "fathom::event_cost_ns");
	attributes->inside_ns += (double)events * number_of(cube, "fathom::event_cost_inside_ns");
	for (i = 0; i < FATHOM_ATTRIBUTES_COUNTS; i++)
		attributes->counts[i] += count_of(cube, count_keys[i]);
	/* All ranks of a run write times in the same zone, so the order of the texts is the order of times. */
	if (begin && (!attributes->begin || strcmp(begin, attributes->begin) < 0))
		attributes->begin = keep(attributes, begin);
	for (i = 0; i < FATHOM_ATTRIBUTES_LISTS; i++)
		attributes->lists[i] = fathom_attributes_add_list(attributes->lists[i],
								  fathom_cube_attribute(cube, list_keys[i]));
	add_reason(attributes, cube, rank);
	attributes->has_filter |= fathom_cube_attribute(cube, "fathom::filter") != NULL;
	add_filtered(&attributes->filtered, cube, rank, attributes->rank_count == 0);
	attributes->ranks = fathom_tool_grow(attributes->ranks, attributes->rank_count, &attributes->rank_room,
					     sizeof(*attributes->ranks));
	attributes->ranks[attributes->rank_count++] = rank;
}

uint32_t fathom_attributes_missing(const struct fathom_attributes *attributes)
{
	int64_t missing = attributes->size - attributes->rank_count;

	return missing <= 0 ? 0 : missing < UINT32_MAX ? (uint32_t)missing : UINT32_MAX;
}

/* Writes "ranks 3, 5 and 9 left nothing"; of many ranks only the first few are named. */
static void describe_missing(const struct fathom_attributes *attributes, char *text, size_t bytes)
{
	uint32_t missing = fathom_attributes_missing(attributes), named = 0;
	size_t length = (size_t)snprintf(text, bytes, missing == 1 ? "rank" : "ranks");
	uint32_t next = 0;	/* index of the next rank that left a profile */
	int64_t rank;

	for (rank = 0; rank < attributes->size && named < 8; rank++) {
		if (next < attributes->rank_count && attributes->ranks[next] == rank) {
			next++;
			continue;
		}
		length += (size_t)snprintf(text + length, bytes - length, "%s %" PRId64,
					   named == 0 ? "" : named + 1 == missing ? " and" : ",", rank);
		named++;
	}
	if (named < missing)
		length += (size_t)snprintf(text + length, bytes - length, " and %u more", missing - named);
	snprintf(text + length, bytes - length, " left nothing");
}

static void set_number(struct fathom_definitions *merged, const char *key, uint64_t number)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	fathom_definitions_set_attribute(merged, key, text);
}

static void set_decimal(struct fathom_definitions *merged, const char *key, double number)
{
	char text[64];

	snprintf(text, sizeof(text), "%.6f", number);
	fathom_definitions_set_attribute(merged, key, text);
}

static void set_completeness(const struct fathom_attributes *attributes, struct fathom_definitions *merged)
{
	char missing[256] = "", text[1024];

	if (!attributes->reason && !fathom_attributes_missing(attributes)) {
		fathom_definitions_set_attribute(merged, "fathom::complete", "yes");
		return;
	}
	if (fathom_attributes_missing(attributes))
		describe_missing(attributes, missing, sizeof(missing));
	if (!attributes->reason)
		snprintf(text, sizeof(text), "no: %s", missing);
	else if (attributes->reasons_differ)
		snprintf(text, sizeof(text), "no: the ranks ended early, each for a reason of its own (rank %" PRId64
			 ": %.512s)%s%s", attributes->reason_rank, attributes->reason, *missing ? "; " : "", missing);
	else
		snprintf(text, sizeof(text), "no: %.512s%s%s", attributes->reason, *missing ? "; " : "", missing);
	fathom_definitions_set_attribute(merged, "fathom::complete", text);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds the capacity of the host that text first names to all. Returns the index of the next host's first text. */
static uint32_t add_host(const struct fathom_attributes *attributes, uint32_t first, struct fathom_capacity *all)
{
	struct fathom_processors *list = NULL;
	struct fathom_capacity capacity;
	char host[512] = "", next_host[512];
	size_t room = 0;
	uint32_t at;

	for (at = first; at < attributes->processor_count; at++) {
		next_host[0] = '\0';
		list = fathom_tool_grow(list, at - first, &room, sizeof(*list));
		if (!fathom_processors_parse(&list[at - first], attributes->processors[at], next_host,
					     sizeof(next_host)))
			memset(&list[at - first], 0, sizeof(*list));	/* its processors are not known */
		if (at > first && strcmp(host, next_host) != 0)
			break;
		snprintf(host, sizeof(host), "%s", next_host);
	}
	fathom_capacity_of(&capacity, list, at - first);
	fathom_capacity_add(all, &capacity);
	free(list);
	return at;
}

static void set_processors(struct fathom_attributes *attributes, struct fathom_definitions *merged)
{
	struct fathom_capacity all = { .nodes = 0 };

	if (attributes->processor_time > 0)
		set_decimal(merged, "fathom::processor_time", attributes->processor_time);
	if (attributes->processor_count < attributes->rank_count)
		return;
	qsort(attributes->processors, attributes->processor_count, sizeof(*attributes->processors), by_text);
	for (uint32_t at = 0; at < attributes->processor_count;)
		at = add_host(attributes, at, &all);
	if (!all.nodes || all.unknown_nodes)
		return;
	set_decimal(merged, "fathom::processors", (double)all.millis / 1000);
	if (!all.shared_nodes)
		return;
	set_number(merged, "fathom::shared_nodes", all.shared_nodes);
	set_decimal(merged, "fathom::shared_processors", (double)all.most.millis / 1000);
	set_number(merged, "fathom::shared_by_processes", all.most.processes);
	set_number(merged, "fathom::shared_by_threads", all.most.threads);
}

void fathom_attributes_finish(struct fathom_attributes *attributes, struct fathom_definitions *merged)
{
	size_t i;

	if (attributes->begin)
		fathom_definitions_set_attribute(merged, "fathom::begin", attributes->begin);
	set_decimal(merged, "fathom::wall_time", attributes->wall_time);
	set_processors(attributes, merged);
	set_number(merged, "fathom::events", attributes->events);
	if (attributes->events)
		set_decimal(merged, "fathom::event_cost_ns", attributes->cost_ns / (double)attributes->events);
	if (attributes->events && attributes->inside_ns > 0)
		set_decimal(merged, "fathom::event_cost_inside_ns", attributes->inside_ns / (double)attributes->events);
	for (i = 0; i < FATHOM_ATTRIBUTES_LISTS; i++)
		if (attributes->lists[i])
			fathom_definitions_set_attribute(merged, list_keys[i], attributes->lists[i]);
	set_completeness(attributes, merged);
	if (attributes->has_filter) {
		set_number(merged, "fathom::filtered_regions", attributes->filtered.most);
		end_run(&attributes->filtered);
	}
	if (attributes->filtered.differ)
		fathom_definitions_set_attribute(merged, "fathom::filtered_ranks", attributes->filtered.ranks);
	if (fathom_attributes_missing(attributes))
		set_number(merged, "fathom::ranks_missing", fathom_attributes_missing(attributes));
	for (i = 0; i < FATHOM_ATTRIBUTES_COUNTS; i++)
		if (attributes->counts[i])
			set_number(merged, count_keys[i], attributes->counts[i]);
}

void fathom_attributes_fini(struct fathom_attributes *attributes)
{
	free(attributes->ranks);
	free(attributes->processors);
	for (int i = 0; i < FATHOM_ATTRIBUTES_LISTS; i++)
		free(attributes->lists[i]);
	fathom_arena_fini(&attributes->texts);
	memset(attributes, 0, sizeof(*attributes));
}
