#include "profile/unification/union.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

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

/* Returns the slot of the table that holds the region, or the free slot where it must be added. */
static uint32_t *region_slot(const struct fathom_union *u, const struct fathom_region *region)
{
	uint32_t *slot = fathom_number_table_first(&u->region_table, fathom_region_hash(region, FATHOM_REGION_ALL));

	while (*slot && !fathom_region_same(&u->regions[*slot - 1], region, FATHOM_REGION_ALL))
		slot = fathom_number_table_next(&u->region_table, slot);
	return slot;
}

/* Makes room in the table for one more region. 0 or -ENOMEM. */
static int reserve_region_slot(struct fathom_union *u)
{
	int result = fathom_number_table_reserve(&u->region_table, &u->arena, u->region_count);

	for (uint32_t i = 0; result > 0 && i < u->region_count; i++)
		fathom_number_table_put(&u->region_table, fathom_region_hash(&u->regions[i], FATHOM_REGION_ALL), i);
	return result < 0 ? result : 0;
}

static int copy_text(struct fathom_union *u, const char **text)
{
	if (*text)
		*text = fathom_arena_copy(&u->arena, *text, strlen(*text));
	return *text ? 0 : -ENOMEM;
}

static int copy_texts(struct fathom_union *u, struct fathom_region *region)
{
	const char **texts[FATHOM_REGION_TEXTS];

	fathom_region_texts(region, texts);
	for (int t = 0; t < FATHOM_REGION_TEXTS; t++)
		if (*texts[t] && copy_text(u, texts[t]))
			return -ENOMEM;
	return 0;
}

void fathom_union_note_disabled(struct fathom_union *u, int64_t region, uint64_t disabled_ns)
{
	uint64_t *first = &u->regions[region].disabled_ns;

	*first = disabled_ns && (!*first || disabled_ns < *first) ? disabled_ns : *first;
}

int64_t fathom_union_add_region(struct fathom_union *u, const struct fathom_region *region, bool is_copied)
{
	uint32_t *slot;

	if (reserve_region_slot(u) ||
	    !fathom_arena_grow(&u->arena, &u->regions, &u->region_room, u->region_count + 1, sizeof(*u->regions)))
		return -ENOMEM;
	slot = region_slot(u, region);
	if (!*slot) {
		u->regions[u->region_count] = *region;
		if (is_copied && copy_texts(u, &u->regions[u->region_count]))
			return -ENOMEM;
		u->regions[u->region_count].id = u->region_count;
		*slot = ++u->region_count;
	}
	fathom_union_note_disabled(u, *slot - 1, region->disabled_ns);
	return *slot - 1;
}

int fathom_union_add_root(struct fathom_union *u, uint32_t region, fathom_presence present)
{
	if (fathom_tree_init(&u->tree, &u->arena, region) ||
	    !fathom_arena_grow(&u->arena, &u->present, &u->present_room, 1, sizeof(*u->present)))
		return -ENOMEM;
	u->present[0] = present;
	return 0;
}

uint32_t fathom_union_add_node(struct fathom_union *u, uint32_t parent, uint32_t region, fathom_presence present)
{
	uint32_t node = fathom_tree_child(&u->tree, parent, region);

	if (!node || !fathom_arena_grow(&u->arena, &u->present, &u->present_room, node + 1, sizeof(*u->present)))
		return 0;
	u->present[node] |= present;
	return node;
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

uint8_t fathom_union_add_metric(struct fathom_union *u, const struct fathom_metric *metric, bool is_copied)
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
	if (is_copied && (copy_text(u, &u->metrics[i].name) || copy_text(u, &u->metrics[i].unit) ||
			  copy_text(u, &u->metrics[i].description))) {
		u->metrics_lost++;
		return FATHOM_METRIC_NOT_KEPT;
	}
	u->metric_count++;
	return (uint8_t)i;
}

void fathom_union_fini(struct fathom_union *u)
{
	fathom_arena_fini(&u->arena);
}
