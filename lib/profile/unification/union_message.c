#include "profile/unification/union_message.h"

#include <errno.h>
#include <string.h>

#include "comm/chunked_transfer.h"

/*
 * The header of a message. Regions, call paths and metrics follow; then the texts, each with a NUL: first three of
 * each metric, then those of the regions.
 */
struct message {
	int64_t err;			/* not 0: the sender had no memory, and nothing follows */
	uint64_t bytes;			/* number of bytes after the header */
	uint32_t region_count;
	uint32_t node_count;
	uint32_t metric_count;
	uint32_t pad;
};

struct message_region {
	uint64_t offset;
	uint64_t disabled_ns;
	uint32_t begin_line, end_line;
	uint32_t paradigm, role;
	uint32_t has_text;		/* bits, in the order of fathom_region_texts */
	uint32_t activity;
};

struct message_node {
	uint64_t present[2];		/* the lower half first */
	uint32_t region, parent;
};

struct message_metric {
	uint32_t type, mode, origin, is_process;
};

/* Returns text number 0, 1 or 2 of a metric, which has all three. */
static const char *metric_text(const struct fathom_metric *metric, int number)
{
	return number == 0 ? metric->name : number == 1 ? metric->unit : metric->description;
}

static char *put_text(char *place, const char *text)
{
	size_t bytes = strlen(text) + 1;

	memcpy(place, text, bytes);
	return place + bytes;
}

/* Returns the number of bytes before the texts. */
static size_t table_bytes(const struct fathom_union *u)
{
	return u->region_count * sizeof(struct message_region) + u->tree.count * sizeof(struct message_node) +
	       u->metric_count * sizeof(struct message_metric);
}

size_t fathom_union_message_bytes(const struct fathom_union *u)
{
	size_t bytes = table_bytes(u);
	const char **texts[FATHOM_REGION_TEXTS];

	for (uint32_t i = 0; i < u->region_count; i++) {
		fathom_region_texts(&u->regions[i], texts);
		for (int t = 0; t < FATHOM_REGION_TEXTS; t++)
			bytes += *texts[t] ? strlen(*texts[t]) + 1 : 0;
	}
	for (uint32_t i = 0; i < u->metric_count; i++)
		for (int t = 0; t < 3; t++)
			bytes += strlen(metric_text(&u->metrics[i], t)) + 1;
	return bytes;
}

static void pack_regions(const struct fathom_union *u, char *place, char *text)
{
	for (uint32_t i = 0; i < u->region_count; i++) {
		struct fathom_region *region = &u->regions[i];
		struct message_region packed = {
			.offset = region->offset,
			.disabled_ns = region->disabled_ns,
			.begin_line = region->begin_line,
			.end_line = region->end_line,
			.paradigm = region->paradigm,
			.role = region->role,
			.activity = region->activity,
		};
		const char **texts[FATHOM_REGION_TEXTS];

		fathom_region_texts(region, texts);
		for (int t = 0; t < FATHOM_REGION_TEXTS; t++) {
			if (!*texts[t])
				continue;
			packed.has_text |= 1u << t;
			text = put_text(text, *texts[t]);
		}
		memcpy(place, &packed, sizeof(packed));
		place += sizeof(packed);
	}
}

/* Packs the metrics: their table is the last one, but their texts are the first. Returns the place where the texts of
 * regions begin. */
static char *pack_metrics(const struct fathom_union *u, char *data)
{
	char *text = data + table_bytes(u), *place = text - u->metric_count * sizeof(struct message_metric);

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
	return text;
}

/* Packs the union. NULL: no memory. */
static char *pack(const struct fathom_union *u, struct fathom_arena *arena, uint64_t bytes)
{
	char *data = fathom_arena_alloc(arena, bytes);
	char *place = data;

	if (!data)
		return NULL;
	pack_regions(u, place, pack_metrics(u, data));
	place += u->region_count * sizeof(struct message_region);
	for (uint32_t i = 0; i < u->tree.count; i++) {
		const struct fathom_tree_node *node = &u->tree.nodes[i];
		struct message_node packed = {
			{ (uint64_t)u->present[i], (uint64_t)(u->present[i] >> 64) }, node->key, node->parent,
		};

		memcpy(place, &packed, sizeof(packed));
		place += sizeof(packed);
	}
	return data;
}

int fathom_union_message_send(const struct fathom_union *u, struct fathom_comm *comm, int to, int *err)
{
	struct fathom_arena scratch = { 0 };
	struct message message = {
		.bytes = fathom_union_message_bytes(u),
		.region_count = u->region_count,
		.node_count = u->tree.count,
		.metric_count = u->metric_count,
	};
	char *data = pack(u, &scratch, message.bytes);
	int broken;

	if (!data)
		message.err = *err = -ENOMEM;
	broken = comm->send(comm, to, &message, sizeof(message));
	if (!broken && data)
		broken = fathom_chunked_send(comm, to, data, message.bytes);
	fathom_arena_fini(&scratch);
	return broken;
}

/* The parts of a message; text is the next text to read. */
struct parts {
	const char *regions, *nodes, *metrics, *text;
};

/* Converts the presence bits of a call path to the metric numbers of the union. */
static fathom_presence map_present(fathom_presence present, const struct fathom_metric_map *map)
{
	fathom_presence mapped = present & (fathom_presence_of(FATHOM_VALUE_METRICS) - 1);

	for (uint32_t m = 0; present >> FATHOM_VALUE_METRICS >> m; m++)
		if ((present >> FATHOM_VALUE_METRICS >> m & 1) && map->ours[m] != FATHOM_METRIC_NOT_KEPT)
			mapped |= fathom_presence_of(FATHOM_VALUE_METRICS + map->ours[m]);
	return mapped;
}

static int merge_regions(struct fathom_union *u, const struct message *message, struct parts *parts, uint32_t *index)
{
	for (uint32_t i = 0; i < message->region_count; i++) {
		struct message_region packed;
		struct fathom_region region = { 0 };
		const char **texts[FATHOM_REGION_TEXTS];
		int64_t added;

		memcpy(&packed, parts->regions + i * sizeof(packed), sizeof(packed));
		region.offset = packed.offset;
		region.disabled_ns = packed.disabled_ns;
		region.begin_line = packed.begin_line;
		region.end_line = packed.end_line;
		region.paradigm = packed.paradigm;
		region.role = packed.role;
		region.activity = (uint8_t)packed.activity;
		fathom_region_texts(&region, texts);
		for (int t = 0; t < FATHOM_REGION_TEXTS; t++) {
			if (!(packed.has_text & 1u << t))
				continue;
			*texts[t] = parts->text;
			parts->text += strlen(parts->text) + 1;
		}
		added = fathom_union_add_region(u, &region, true);
		if (added < 0)
			return -ENOMEM;
		index[i] = (uint32_t)added;
	}
	return 0;
}

/* Merges the call paths. The roots become one node, even if the programs have different names. */
static int merge_nodes(struct fathom_union *u, const struct message *message, const struct parts *parts,
		       const uint32_t *index, const struct fathom_metric_map *metrics, uint32_t *ours)
{
	for (uint32_t i = 0; i < message->node_count; i++) {
		struct message_node packed;
		fathom_presence present;

		memcpy(&packed, parts->nodes + i * sizeof(packed), sizeof(packed));
		present = map_present((fathom_presence)packed.present[1] << 64 | packed.present[0], metrics);
		if (i == 0) {
			u->present[0] |= present;
			ours[0] = 0;
			continue;
		}
		ours[i] = fathom_union_add_node(u, ours[packed.parent], index[packed.region], present);
		if (!ours[i])
			return -ENOMEM;
	}
	return 0;
}

/* Merges the metrics, and sets ours to their numbers in the union. */
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
		ours->ours[i] = fathom_union_add_metric(u, &metric, true);
	}
	parts->text = text;
}

static int merge(struct fathom_union *u, struct fathom_arena *scratch, const struct message *message, const char *data)
{
	uint32_t *index = fathom_arena_alloc(scratch, ((size_t)message->region_count + 1) * sizeof(*index));
	uint32_t *ours = fathom_arena_alloc(scratch, ((size_t)message->node_count + 1) * sizeof(*ours));
	struct parts parts = { .regions = data };
	struct fathom_metric_map metrics;
	int err;

	parts.nodes = parts.regions + message->region_count * sizeof(struct message_region);
	parts.metrics = parts.nodes + message->node_count * sizeof(struct message_node);
	parts.text = parts.metrics + message->metric_count * sizeof(struct message_metric);
	if (!index || !ours)
		return -ENOMEM;
	merge_metrics(u, message, &parts, &metrics);
	err = merge_regions(u, message, &parts, index);
	return err ? err : merge_nodes(u, message, &parts, index, &metrics, ours);
}

int fathom_union_message_receive(struct fathom_union *u, struct fathom_comm *comm, int from)
{
	struct fathom_arena scratch = { 0 };
	struct message message;
	char *data;
	int err = comm->receive(comm, from, &message, sizeof(message));

	if (err)
		return err;
	if (message.err) {
		u->err = (int)message.err;
		return 0;
	}
	data = u->err ? NULL : fathom_arena_alloc(&scratch, message.bytes);
	err = fathom_chunked_receive(comm, from, data, message.bytes);
	if (!err && !u->err)
		u->err = data ? merge(u, &scratch, &message, data) : -ENOMEM;
	fathom_arena_fini(&scratch);
	return err;
}
