#include "profile/unify.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "profile/budget.h"

/* --- adding things --------------------------------------------------------------------------- */

/* Room for one more in an array of the arena. What is outgrown stays there. */
static int make_room(struct fathom_arena *arena, void *array, uint32_t count, uint32_t *room, size_t bytes)
{
	void **place = array;
	uint32_t more = *room ? *room * 2 : 64;
	void *copy;

	if (count < *room)
		return 0;
	copy = fathom_arena_alloc(arena, more * bytes);
	if (!copy)
		return -ENOMEM;
	if (count)
		memcpy(copy, *place, count * bytes);
	*place = copy;
	*room = more;
	return 0;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
	return (hash ^ 0xff) * 0x100000001b3u;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool same_region(const struct fathom_region *a, const struct fathom_region *b)
{
	return a->offset == b->offset && a->begin_line == b->begin_line && a->end_line == b->end_line &&
	       a->paradigm == b->paradigm && a->role == b->role && same_text(a->name, b->name) &&
	       same_text(a->file, b->file) && same_text(a->module, b->module) &&
	       same_text(a->canonical, b->canonical);
}

static uint32_t *region_slot(const struct fathom_union *u, const struct fathom_region *region)
{
	uint64_t hash = hash_text(hash_text(0xcbf29ce484222325u, region->name), region->module);
	uint32_t i;

	hash = (hash ^ region->offset ^ region->begin_line) * 0x9e3779b97f4a7c15u;
	i = (uint32_t)(hash >> 32) & (u->region_table_size - 1);
	while (u->region_table[i] && !same_region(&u->regions[u->region_table[i] - 1], region))
		i = (i + 1) & (u->region_table_size - 1);
	return &u->region_table[i];
}

/* Keep the table at most half full. */
static int grow_region_table(struct fathom_union *u)
{
	uint32_t size = u->region_table_size ? u->region_table_size * 4 : 256;

	if (u->region_count * 2 < u->region_table_size)
		return 0;
	u->region_table = fathom_arena_alloc(&u->arena, size * sizeof(*u->region_table));
	if (!u->region_table)
		return -ENOMEM;
	u->region_table_size = size;
	for (uint32_t i = 0; i < u->region_count; i++)
		*region_slot(u, &u->regions[i]) = i + 1;
	return 0;
}

/* The index of a region, added if it is new; its texts must outlive the union. Negative: -errno. */
static int64_t add_region(struct fathom_union *u, const struct fathom_region *region)
{
	uint32_t *slot;
	int err = grow_region_table(u);

	if (!err)
		err = make_room(&u->arena, &u->regions, u->region_count, &u->region_room, sizeof(*u->regions));
	if (err)
		return err;
	slot = region_slot(u, region);
	if (!*slot) {
		u->regions[u->region_count] = *region;
		u->regions[u->region_count].id = u->region_count;
		*slot = ++u->region_count;
	}
	return *slot - 1;
}

/* A region was switched off: the first process that did so counts. */
static void note_off(struct fathom_region *region, uint64_t off_ns)
{
	region->off_ns = off_ns && (!region->off_ns || off_ns < region->off_ns) ? off_ns : region->off_ns;
}

/* The union's node below parent for a region, with these values present. 0: out of memory. */
static uint32_t add_node(struct fathom_union *u, uint32_t parent, uint32_t region, uint64_t present)
{
	uint32_t node = fathom_tree_child(&u->tree, parent, region);

	if (!node || make_room(&u->arena, &u->present, node, &u->present_room, sizeof(*u->present)))
		return 0;
	u->present[node] |= present;
	return node;
}

static int64_t add_host(struct fathom_union *u, const char *host)
{
	for (uint32_t i = u->host_count; i > 0; i--)
		if (!strcmp(u->hosts[i - 1], host))
			return i - 1;
	if (make_room(&u->arena, &u->hosts, u->host_count, &u->host_room, sizeof(*u->hosts)))
		return -ENOMEM;
	u->hosts[u->host_count] = host;
	return u->host_count++;
}

static uint32_t *names_slot(const struct fathom_union *u, const struct fathom_names *names)
{
	uint64_t hash = 0xcbf29ce484222325u;
	uint32_t i;

	for (uint64_t b = 0; b < names->bytes; b++)
		hash = (hash ^ (unsigned char)names->texts[b]) * 0x100000001b3u;
	i = (uint32_t)(hash * 0x9e3779b97f4a7c15u >> 32) & (u->names_table_size - 1);
	for (;; i = (i + 1) & (u->names_table_size - 1)) {
		const struct fathom_names *there = u->names + u->names_table[i] - 1;

		if (!u->names_table[i] ||
		    (there->bytes == names->bytes && !memcmp(there->texts, names->texts, names->bytes)))
			return &u->names_table[i];
	}
}

/* Keep the table at most half full. */
static int grow_names_table(struct fathom_union *u)
{
	uint32_t size = u->names_table_size ? u->names_table_size * 4 : 64;

	if (u->names_count * 2 < u->names_table_size)
		return 0;
	u->names_table = fathom_arena_alloc(&u->arena, size * sizeof(*u->names_table));
	if (!u->names_table)
		return -ENOMEM;
	u->names_table_size = size;
	for (uint32_t i = 0; i < u->names_count; i++)
		*names_slot(u, &u->names[i]) = i + 1;
	return 0;
}

/* The index of what the locations of a process are called, added if nobody's are called so; the texts must
 * outlive the union. Negative: -errno. */
static int64_t add_names(struct fathom_union *u, const struct fathom_names *names)
{
	uint32_t *slot;
	int err = grow_names_table(u);

	if (!err)
		err = make_room(&u->arena, &u->names, u->names_count, &u->names_room, sizeof(*u->names));
	if (err)
		return err;
	slot = names_slot(u, names);
	if (!*slot) {
		u->names[u->names_count] = *names;
		*slot = ++u->names_count;
	}
	return *slot - 1;
}

static bool same_metric(const struct fathom_metric *a, const struct fathom_metric *b)
{
	return a->type == b->type && a->mode == b->mode && a->is_process == b->is_process &&
	       same_text(a->name, b->name) && same_text(a->unit, b->unit);
}

uint64_t fathom_union_metric_hash(const struct fathom_metric *metric)
{
	uint64_t hash = hash_text(hash_text(0xcbf29ce484222325u, metric->name), metric->unit);

	return (hash ^ (uint64_t)metric->type << 8 ^ (uint64_t)metric->mode << 4 ^ metric->is_process) *
	       0x9e3779b97f4a7c15u;
}

/* The number of a metric, added if it is new; its texts must outlive the union. FATHOM_METRIC_NOT_KEPT: no room. */
static uint8_t add_metric(struct fathom_union *u, const struct fathom_metric *metric)
{
	uint32_t i;

	for (i = 0; i < u->metric_count; i++)
		if (same_metric(&u->metrics[i], metric))
			return (uint8_t)i;
	if (i == FATHOM_METRIC_MOST) {
		u->metrics_lost++;
		return FATHOM_METRIC_NOT_KEPT;
	}
	u->metrics[i] = *metric;
	u->metrics[i].id = i;
	u->metric_count++;
	return (uint8_t)i;
}

/* The index of a map, added if it is new. Negative: -errno. */
static int64_t add_map(struct fathom_union *u, const struct fathom_metric_map *map)
{
	for (uint32_t i = u->map_count; i > 0; i--)
		if (!memcmp(&u->maps[i - 1], map, sizeof(*map)))
			return i - 1;
	if (make_room(&u->arena, &u->maps, u->map_count, &u->map_room, sizeof(*u->maps)))
		return -ENOMEM;
	u->maps[u->map_count] = *map;
	return u->map_count++;
}

/* Which values there are, once their metrics are called as in the union. */
static uint64_t map_present(uint64_t present, const struct fathom_metric_map *map)
{
	uint64_t mapped = present & (((uint64_t)1 << FATHOM_VALUE_METRICS) - 1);

	for (uint32_t m = 0; present >> FATHOM_VALUE_METRICS >> m; m++)
		if ((present >> FATHOM_VALUE_METRICS >> m & 1) && map->ours[m] != FATHOM_METRIC_NOT_KEPT)
			mapped |= (uint64_t)1 << (FATHOM_VALUE_METRICS + map->ours[m]);
	return mapped;
}

static int add_process(struct fathom_union *u, const struct fathom_process *process)
{
	if (make_room(&u->arena, &u->processes, u->process_count, &u->process_room, sizeof(*u->processes)))
		return -ENOMEM;
	u->processes[u->process_count++] = *process;
	return 0;
}

static void add_totals(struct fathom_totals *sum, const struct fathom_totals *part)
{
	sum->events += part->events;
	for (int why = 0; why < FATHOM_DROP_COUNT; why++)
		sum->dropped[why] += part->dropped[why];
}

/* --- the own part --------------------------------------------------------------------------- */

static int add_snapshot(struct fathom_union *u, const struct fathom_snapshot *snapshot)
{
	uint32_t known = fathom_region_count();
	uint32_t *index = fathom_arena_alloc(&u->arena, (known + 1) * sizeof(*index));	/* + 1; 0: not used yet */
	uint64_t *values = fathom_arena_alloc(&u->arena, (size_t)snapshot->value_count *
								(snapshot->location_count + 1) * sizeof(*values));

	if (!index || !values || fathom_aggregate_init(&u->own, &u->arena, snapshot, fathom_aggregate_chosen()))
		return -ENOMEM;
	for (uint32_t i = 0; i < snapshot->tree.count; i++) {
		const struct fathom_tree_node *node = &snapshot->tree.nodes[i];
		uint64_t present = fathom_snapshot_values(snapshot, i, values);

		fathom_aggregate_see(&u->own, i, fathom_region_by_id(node->key), values);

		if (!index[node->key]) {
			int64_t added = add_region(u, fathom_region_by_id(node->key));

			if (added < 0)
				return -ENOMEM;
			note_off(&u->regions[added], fathom_budget_off_ns(node->key, snapshot->scale));
			index[node->key] = (uint32_t)added + 1;
		}
		if (i == 0) {
			if (fathom_tree_init(&u->tree, &u->arena, index[node->key] - 1) ||
			    make_room(&u->arena, &u->present, 0, &u->present_room, sizeof(*u->present)))
				return -ENOMEM;
			u->present[0] = present;
		} else if (add_node(u, node->parent, index[node->key] - 1, present) != i) {
			return -ENOMEM;
		}
	}
	return fathom_aggregate_finish(&u->own, &u->arena);
}

/* --- messages --------------------------------------------------------------------------- */

/*
 * A message: this header, then regions, call paths, processes, how long the names of each kind are, metrics, maps;
 * then one behind the other all texts, each with a NUL: of metrics (three each), regions (up to four), hosts, names.
 */
struct message {
	int64_t err;			/* not 0: the sender had no memory; nothing follows */
	uint64_t bytes;			/* of what follows the header */
	uint32_t region_count;
	uint32_t node_count;
	uint32_t process_count;
	uint32_t host_count;
	uint32_t names_count;
	uint32_t most_locations;
	uint32_t metric_count;
	uint32_t map_count;
	uint32_t metrics_lost;
	uint64_t wall_units;
	struct fathom_totals totals;
};

struct message_region {
	uint64_t offset;
	uint64_t off_ns;
	uint32_t begin_line, end_line;
	uint32_t paradigm, role;
	uint32_t has_text;		/* bits: name, canonical, file, module */
	uint32_t pad;
};

struct message_node {
	uint64_t present;
	uint32_t region, parent;
};

struct message_metric {
	uint32_t type, mode, origin, is_process;
};

/* The texts of a metric are always there. */
static const char *metric_text(const struct fathom_metric *metric, int number)
{
	return number == 0 ? metric->name : number == 1 ? metric->unit : metric->description;
}

static void region_texts(const struct fathom_region *region, const char *texts[4])
{
	texts[0] = region->name;
	texts[1] = region->canonical;
	texts[2] = region->file;
	texts[3] = region->module;
}

static char *put_text(char *place, const char *text)
{
	size_t bytes = strlen(text) + 1;

	memcpy(place, text, bytes);
	return place + bytes;
}

/* Everything before the texts. */
static size_t table_bytes(const struct fathom_union *u)
{
	return u->region_count * sizeof(struct message_region) + u->tree.count * sizeof(struct message_node) +
	       u->process_count * sizeof(struct fathom_process) + u->names_count * sizeof(uint64_t) +
	       u->metric_count * sizeof(struct message_metric) + u->map_count * sizeof(struct fathom_metric_map);
}

static size_t message_bytes(const struct fathom_union *u)
{
	size_t bytes = table_bytes(u);
	const char *texts[4];

	for (uint32_t i = 0; i < u->region_count; i++) {
		region_texts(&u->regions[i], texts);
		for (int t = 0; t < 4; t++)
			bytes += texts[t] ? strlen(texts[t]) + 1 : 0;
	}
	for (uint32_t i = 0; i < u->host_count; i++)
		bytes += strlen(u->hosts[i]) + 1;
	for (uint32_t i = 0; i < u->names_count; i++)
		bytes += u->names[i].bytes;
	for (uint32_t i = 0; i < u->metric_count; i++)
		for (int t = 0; t < 3; t++)
			bytes += strlen(metric_text(&u->metrics[i], t)) + 1;
	return bytes;
}

static char *pack_regions(const struct fathom_union *u, char *place, char *text)
{
	for (uint32_t i = 0; i < u->region_count; i++) {
		const struct fathom_region *region = &u->regions[i];
		struct message_region packed = {
			.offset = region->offset,
			.off_ns = region->off_ns,
			.begin_line = region->begin_line,
			.end_line = region->end_line,
			.paradigm = region->paradigm,
			.role = region->role,
		};
		const char *texts[4];

		region_texts(region, texts);
		for (int t = 0; t < 4; t++) {
			if (!texts[t])
				continue;
			packed.has_text |= 1u << t;
			text = put_text(text, texts[t]);
		}
		memcpy(place, &packed, sizeof(packed));
		place += sizeof(packed);
	}
	return text;
}

/* Their table is the last but that of maps, their texts the first; returns where the others' begin. */
static char *pack_metrics(const struct fathom_union *u, char *data)
{
	size_t map_bytes = u->map_count * sizeof(struct fathom_metric_map);
	char *text = data + table_bytes(u), *place = text - map_bytes - u->metric_count * sizeof(struct message_metric);

	for (uint32_t i = 0; i < u->metric_count; i++) {
		const struct fathom_metric *metric = &u->metrics[i];
		struct message_metric packed = {
			.type = metric->type,
			.mode = metric->mode,
			.origin = metric->origin,
			.is_process = metric->is_process,
		};

		memcpy(place, &packed, sizeof(packed));
		place += sizeof(packed);
		for (int t = 0; t < 3; t++)
			text = put_text(text, metric_text(metric, t));
	}
	if (u->map_count)
		memcpy(place, u->maps, map_bytes);
	return text;
}

/* The whole union as one piece of memory. NULL: there is none. */
static char *pack(struct fathom_union *u, uint64_t bytes)
{
	char *data = fathom_arena_alloc(&u->arena, bytes);
	char *place = data, *text;

	if (!data)
		return NULL;
	text = pack_regions(u, place, pack_metrics(u, data));
	place += u->region_count * sizeof(struct message_region);
	for (uint32_t i = 0; i < u->tree.count; i++) {
		const struct fathom_tree_node *node = &u->tree.nodes[i];
		struct message_node packed = { u->present[i], node->key, node->parent };

		memcpy(place, &packed, sizeof(packed));
		place += sizeof(packed);
	}
	if (u->process_count)
		memcpy(place, u->processes, u->process_count * sizeof(*u->processes));
	place += u->process_count * sizeof(*u->processes);
	for (uint32_t i = 0; i < u->host_count; i++)
		text = put_text(text, u->hosts[i]);
	for (uint32_t i = 0; i < u->names_count; i++) {
		memcpy(place, &u->names[i].bytes, sizeof(u->names[i].bytes));
		place += sizeof(u->names[i].bytes);
		memcpy(text, u->names[i].texts, u->names[i].bytes);
		text += u->names[i].bytes;
	}
	return data;
}

static int send_up(struct fathom_union *u, struct fathom_comm *comm)
{
	struct message message = { .err = u->err };
	char *data = NULL;
	int err;

	if (!u->err) {
		message.bytes = message_bytes(u);
		message.region_count = u->region_count;
		message.node_count = u->tree.count;
		message.process_count = u->process_count;
		message.host_count = u->host_count;
		message.names_count = u->names_count;
		message.metric_count = u->metric_count;
		message.map_count = u->map_count;
		message.metrics_lost = u->metrics_lost;
		message.wall_units = u->wall_units;
		message.most_locations = u->most_locations;
		message.totals = u->totals;
		data = pack(u, message.bytes);
		if (!data)
			message.err = u->err = -ENOMEM;
	}
	err = comm->send(comm, u->parent, &message, sizeof(message));
	return err || !data ? err : fathom_pieces_send(comm, u->parent, data, message.bytes);
}

/* Where the parts of a message stand. */
struct parts {
	const char *regions, *nodes, *processes, *names, *metrics, *maps, *text;
};

static int merge_regions(struct fathom_union *u, const struct message *message, struct parts *parts, uint32_t *index)
{
	for (uint32_t i = 0; i < message->region_count; i++) {
		struct message_region packed;
		struct fathom_region region = { 0 };
		const char **texts[4] = { &region.name, &region.canonical, &region.file, &region.module };
		int64_t added;

		memcpy(&packed, parts->regions + i * sizeof(packed), sizeof(packed));
		region.offset = packed.offset;
		region.begin_line = packed.begin_line;
		region.end_line = packed.end_line;
		region.paradigm = packed.paradigm;
		region.role = packed.role;
		for (int t = 0; t < 4; t++) {
			if (!(packed.has_text & 1u << t))
				continue;
			*texts[t] = parts->text;
			parts->text += strlen(parts->text) + 1;
		}
		added = add_region(u, &region);
		if (added < 0)
			return -ENOMEM;
		note_off(&u->regions[added], packed.off_ns);
		index[i] = (uint32_t)added;
	}
	return 0;
}

/* The roots are one, whatever the programs are called. */
static int merge_nodes(struct fathom_union *u, const struct message *message, const struct parts *parts,
		       const uint32_t *index, const struct fathom_metric_map *metrics, uint32_t *ours)
{
	for (uint32_t i = 0; i < message->node_count; i++) {
		struct message_node packed;

		memcpy(&packed, parts->nodes + i * sizeof(packed), sizeof(packed));
		packed.present = map_present(packed.present, metrics);
		if (i == 0) {
			u->present[0] |= packed.present;
			ours[0] = 0;
			continue;
		}
		ours[i] = add_node(u, ours[packed.parent], index[packed.region], packed.present);
		if (!ours[i])
			return -ENOMEM;
	}
	return 0;
}

static int merge_hosts(struct fathom_union *u, const struct message *message, struct parts *parts, uint32_t *host)
{
	for (uint32_t i = 0; i < message->host_count; i++) {
		int64_t added = add_host(u, parts->text);

		if (added < 0)
			return -ENOMEM;
		host[i] = (uint32_t)added;
		parts->text += strlen(parts->text) + 1;
	}
	return 0;
}

static int merge_names(struct fathom_union *u, const struct message *message, struct parts *parts, uint32_t *index)
{
	for (uint32_t i = 0; i < message->names_count; i++) {
		struct fathom_names names = { .texts = parts->text };
		int64_t added;

		memcpy(&names.bytes, parts->names + i * sizeof(names.bytes), sizeof(names.bytes));
		added = add_names(u, &names);
		if (added < 0)
			return -ENOMEM;
		index[i] = (uint32_t)added;
		parts->text += names.bytes;
	}
	return 0;
}

/* Those of the sender, and what they are called here. */
static void merge_metrics(struct fathom_union *u, const struct message *message, struct parts *parts,
			  struct fathom_metric_map *ours)
{
	const char *text = parts->text;

	memset(ours, FATHOM_METRIC_NOT_KEPT, sizeof(*ours));
	for (uint32_t i = 0; i < message->metric_count; i++) {
		struct message_metric packed;
		struct fathom_metric metric = { 0 };

		memcpy(&packed, parts->metrics + i * sizeof(packed), sizeof(packed));
		metric.type = packed.type;
		metric.mode = packed.mode;
		metric.origin = packed.origin;
		metric.is_process = packed.is_process;
		metric.name = text;
		metric.unit = metric.name + strlen(metric.name) + 1;
		metric.description = metric.unit + strlen(metric.unit) + 1;
		text = metric.description + strlen(metric.description) + 1;
		ours->ours[i] = add_metric(u, &metric);
	}
	parts->text = text;
	u->metrics_lost += message->metrics_lost;
}

/* The index here of a map of the sender's, whose numbers are those that ours tells. Negative: -errno. */
static int64_t merge_map(struct fathom_union *u, const struct parts *parts, uint32_t number,
			 const struct fathom_metric_map *ours)
{
	struct fathom_metric_map map;

	memcpy(&map, parts->maps + number * sizeof(map), sizeof(map));
	for (uint32_t i = 0; i < FATHOM_METRIC_MOST; i++)
		if (map.ours[i] != FATHOM_METRIC_NOT_KEPT)
			map.ours[i] = ours->ours[map.ours[i]];
	return add_map(u, &map);
}

static int merge_processes(struct fathom_union *u, const struct message *message, struct parts *parts,
			   const struct fathom_metric_map *metrics)
{
	uint32_t *host = fathom_arena_alloc(&u->arena, ((size_t)message->host_count + 1) * sizeof(*host));
	uint32_t *names = fathom_arena_alloc(&u->arena, ((size_t)message->names_count + 1) * sizeof(*names));

	if (!host || !names || merge_hosts(u, message, parts, host) || merge_names(u, message, parts, names))
		return -ENOMEM;
	for (uint32_t i = 0; i < message->process_count; i++) {
		struct fathom_process process;
		int64_t map;

		memcpy(&process, parts->processes + i * sizeof(process), sizeof(process));
		map = merge_map(u, parts, process.metrics, metrics);
		if (map < 0)
			return -ENOMEM;
		process.metrics = (uint32_t)map;
		process.host = host[process.host];
		process.names = names[process.names];
		if (add_process(u, &process))
			return -ENOMEM;
	}
	return 0;
}

static int merge(struct fathom_union *u, const struct message *message, const char *data,
		 struct fathom_union_child *child)
{
	uint32_t *index = fathom_arena_alloc(&u->arena, ((size_t)message->region_count + 1) * sizeof(*index));
	struct parts parts = { .regions = data };
	struct fathom_metric_map metrics;
	int err;

	parts.nodes = parts.regions + message->region_count * sizeof(struct message_region);
	parts.processes = parts.nodes + message->node_count * sizeof(struct message_node);
	parts.names = parts.processes + message->process_count * sizeof(struct fathom_process);
	parts.metrics = parts.names + message->names_count * sizeof(uint64_t);
	parts.maps = parts.metrics + message->metric_count * sizeof(struct message_metric);
	parts.text = parts.maps + message->map_count * sizeof(struct fathom_metric_map);
	child->count = message->node_count;
	child->ours = fathom_arena_alloc(&u->arena, message->node_count * sizeof(*child->ours));
	if (!index || !child->ours)
		return -ENOMEM;
	merge_metrics(u, message, &parts, &metrics);
	err = merge_regions(u, message, &parts, index);
	if (!err)
		err = merge_nodes(u, message, &parts, index, &metrics, child->ours);
	if (!err)
		err = merge_processes(u, message, &parts, &metrics);
	add_totals(&u->totals, &message->totals);
	if (message->wall_units > u->wall_units)
		u->wall_units = message->wall_units;
	if (message->most_locations > u->most_locations)
		u->most_locations = message->most_locations;
	return err;
}

static int receive_child(struct fathom_union *u, struct fathom_comm *comm, struct fathom_union_child *child)
{
	struct message message;
	char *data;
	int err = comm->receive(comm, child->rank, &message, sizeof(message));

	if (err)
		return err;
	if (message.err) {
		u->err = (int)message.err;
		return 0;
	}
	data = u->err ? NULL : fathom_arena_alloc(&u->arena, message.bytes);
	err = fathom_pieces_receive(comm, child->rank, data, message.bytes);
	if (err)
		return err;
	if (!u->err)
		u->err = data ? merge(u, &message, data, child) : -ENOMEM;
	return 0;
}

/* --- up and down --------------------------------------------------------------------------- */

static int add_own(struct fathom_union *u, int rank, const struct fathom_snapshot *snapshot, const char *host)
{
	struct fathom_process process = { .rank = (uint32_t)rank };
	struct fathom_metric_map map;
	struct fathom_names names;
	size_t bytes;
	int64_t index;

	if (add_snapshot(u, snapshot))
		return -ENOMEM;
	memset(&map, FATHOM_METRIC_NOT_KEPT, sizeof(map));
	for (uint32_t m = 0; m + FATHOM_VALUE_METRICS < snapshot->value_count; m++)
		map.ours[m] = add_metric(u, fathom_metric_by_id(m));
	index = add_map(u, &map);
	if (index < 0)
		return -ENOMEM;
	process.metrics = (uint32_t)index;
	names.texts = fathom_aggregate_names(&u->own, &u->arena, snapshot, &bytes);
	if (!names.texts)
		return -ENOMEM;
	names.bytes = bytes;
	index = add_names(u, &names);
	if (index < 0)
		return -ENOMEM;
	process.names = (uint32_t)index;
	index = add_host(u, host);
	if (index < 0)
		return -ENOMEM;
	process.host = (uint32_t)index;
	process.location_count = u->own.location_count;
	u->most_locations = u->own.location_count;
	process.threads = u->own.threads;
	return add_process(u, &process);
}

int fathom_union_reduce(struct fathom_union *u, struct fathom_comm *comm, const struct fathom_snapshot *snapshot,
			const char *host, uint64_t wall_units)
{
	int ranks[32];

	memset(u, 0, sizeof(*u));
	if (snapshot)
		u->totals = snapshot->totals;
	u->wall_units = wall_units;
	u->child_count = fathom_comm_tree(comm->rank, comm->size, &u->parent, ranks);
	u->err = snapshot ? add_own(u, comm->rank, snapshot, host) : -ENOMEM;
	for (int i = 0; i < u->child_count; i++) {
		int err;

		u->children[i].rank = ranks[i];
		err = receive_child(u, comm, &u->children[i]);
		if (err)
			return err;
	}
	return u->parent < 0 ? 0 : send_up(u, comm);
}

/* Before the header: what follows it. */
struct hand_back {
	uint64_t numbers;
};

static int receive_numbers(struct fathom_union *u, struct fathom_comm *comm, void *header, size_t header_bytes,
			   uint32_t *numbers, bool *has_numbers)
{
	struct hand_back what;
	int err = comm->receive(comm, u->parent, &what, sizeof(what));

	if (!err)
		err = comm->receive(comm, u->parent, header, header_bytes);
	if (!err)
		err = fathom_pieces_receive(comm, u->parent, numbers, what.numbers * sizeof(*numbers));
	*has_numbers = what.numbers && numbers;
	return err;
}

int fathom_union_hand_back(struct fathom_union *u, struct fathom_comm *comm, void *header, size_t header_bytes,
			   uint32_t *numbers, bool *has_numbers)
{
	int err = 0;

	*has_numbers = numbers;
	if (u->parent >= 0)
		err = receive_numbers(u, comm, header, header_bytes, numbers, has_numbers);
	/* The farthest child has the largest subtree: it goes first. */
	for (int i = u->child_count - 1; !err && i >= 0; i--) {
		struct fathom_union_child *child = &u->children[i];
		struct hand_back what = { *has_numbers ? child->count : 0 };

		for (uint32_t n = 0; n < what.numbers; n++)
			child->ours[n] = numbers[child->ours[n]];
		err = comm->send(comm, child->rank, &what, sizeof(what));
		if (!err)
			err = comm->send(comm, child->rank, header, header_bytes);
		if (!err)
			err = fathom_pieces_send(comm, child->rank, child->ours, what.numbers * sizeof(*child->ours));
	}
	return err;
}

void fathom_union_fini(struct fathom_union *u)
{
	fathom_arena_fini(&u->arena);
}
