#include "tools/timeline/cell_colours.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/common/trace/kind_palette.h"

/* Okabe and Ito's palette, which colour-blind readers can tell apart, as in the page of fathom view: for the regions
 * with most cells. All others are grey. */
static const uint32_t palette[] = { 0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7 };
static const uint32_t grey = 0x8a929c;

enum { COLOURS = sizeof(palette) / sizeof(*palette) };

static void init(struct fathom_cell_colours *colours, const struct fathom_trace_picture *picture)
{
	memset(colours, 0, sizeof(*colours));
	colours->cells = fathom_tool_alloc((size_t)picture->row_count * picture->columns + 1, sizeof(*colours->cells));
}

void fathom_cell_colours_fini(struct fathom_cell_colours *colours)
{
	free(colours->cells);
	memset(colours, 0, sizeof(*colours));
}

static void add_entry(struct fathom_cell_colours *colours, uint32_t colour, uint64_t part, uint64_t whole,
		      const char *name)
{
	struct fathom_legend_entry *entry = &colours->legend[colours->legend_count++];
	char share[FATHOM_NUMBER_BYTES];

	entry->colour = colour;
	snprintf(entry->text, sizeof(entry->text), "%s %s",
		 fathom_number_percent(share, (double)part, (double)whole), name);
}

/* --- regions --------------------------------------------------------------------------------------------- */

struct region_cells {
	uint32_t region;		/* id */
	uint64_t cells;
};

struct region_list {
	struct region_cells *regions;	/* after sorting: the most cells first */
	size_t count, room;
	uint64_t cells;			/* in all regions */
};

static int by_cells(const void *a, const void *b)
{
	const struct region_cells *left = a, *right = b;

	if (left->cells != right->cells)
		return left->cells > right->cells ? -1 : 1;
	return left->region < right->region ? -1 : left->region > right->region;
}

static void count_cell(struct region_list *list, uint32_t region)
{
	size_t i;

	for (i = 0; i < list->count && list->regions[i].region != region; i++)
		;
	if (i == list->count) {
		list->regions = fathom_tool_grow(list->regions, i, &list->room, sizeof(*list->regions));
		list->regions[list->count++] = (struct region_cells){ region, 0 };
	}
	list->regions[i].cells++;
	list->cells++;
}

static bool is_region(uint32_t path)
{
	return path != FATHOM_PICTURE_EMPTY && path != FATHOM_PATH_NOTHING;
}

static uint32_t colour_of(const struct region_list *list, uint32_t region)
{
	for (size_t i = 0; i < list->count && i < COLOURS; i++)
		if (list->regions[i].region == region)
			return palette[i];
	return grey;
}

static void add_regions(struct fathom_cell_colours *colours, const struct region_list *list,
			const struct fathom_otf2_defs *defs)
{
	char name[200];

	for (size_t i = 0; i < list->count && i <= COLOURS; i++) {
		uint64_t cells = list->regions[i].cells;

		snprintf(name, sizeof(name), "several regions");
		if (list->regions[i].region != UINT32_MAX)
			fathom_otf2_name(defs, FATHOM_OTF2_REGION, list->regions[i].region, name, sizeof(name));
		if (i == COLOURS) {	/* the last entry is for all others */
			for (size_t other = i + 1; other < list->count; other++)
				cells += list->regions[other].cells;
			snprintf(name, sizeof(name), "other regions");
		}
		add_entry(colours, i < COLOURS ? palette[i] : grey, cells, list->cells, name);
	}
}

void fathom_cell_colours_by_region(struct fathom_cell_colours *colours, const struct fathom_trace_picture *picture,
				   const struct fathom_frame_index *index)
{
	size_t count = (size_t)picture->row_count * picture->columns;
	struct region_list list = { .count = 0 };

	init(colours, picture);
	for (size_t i = 0; i < count; i++)
		if (is_region(picture->cells[i]))
			count_cell(&list, index->paths.paths[picture->cells[i]].region);
	if (list.count)
		qsort(list.regions, list.count, sizeof(*list.regions), by_cells);
	for (size_t i = 0; i < count; i++)
		colours->cells[i] = is_region(picture->cells[i]) ?
				    colour_of(&list, index->paths.paths[picture->cells[i]].region) : FATHOM_NO_COLOUR;
	add_regions(colours, &list, &index->trace->defs);
	free(list.regions);
}

/* --- kinds of bursts ------------------------------------------------------------------------------------- */

/* Adds the kinds that have time in the picture, then the others. times: by kind; 0: of no kind. */
static void add_kinds(struct fathom_cell_colours *colours, const struct fathom_kind_intervals *kinds,
		      const struct fathom_otf2_defs *defs, const uint64_t *times)
{
	uint64_t whole = 0, others = 0;
	char name[8192], text[280];

	for (int32_t kind = 0; kind <= kinds->most; kind++)
		whole += times[kind];
	for (int32_t kind = 1; kind <= kinds->most; kind++) {
		const char *last = NULL;

		if (kind > FATHOM_COLOURED_KINDS)
			others += times[kind];
		if (kind > FATHOM_COLOURED_KINDS || !times[kind])
			continue;
		fathom_kind_name(kinds, defs, kind, name, sizeof(name));
		for (const char *at = name; (at = strstr(at, " > ")); at += 3)
			last = at + 3;
		snprintf(text, sizeof(text), last ? "kind %d: %.200s" : "kind %d%.200s", kind,
			 last ? last : name + strspn(name, "0123456789"));
		add_entry(colours, fathom_kind_colour(kind), times[kind], whole, text);
	}
	if (others)
		add_entry(colours, fathom_kind_colour(FATHOM_COLOURED_KINDS + 1), others, whole, "other kinds");
	if (times[0])
		add_entry(colours, fathom_kind_colour(FATHOM_MARK_NONE), times[0], whole, "bursts of no kind");
}

void fathom_cell_colours_by_kind(struct fathom_cell_colours *colours, const struct fathom_trace_picture *picture,
				 const struct fathom_kind_intervals *kinds, const struct fathom_otf2_defs *defs)
{
	int32_t *row = fathom_tool_alloc(picture->columns + (size_t)1, sizeof(*row));
	uint64_t *times = fathom_kind_intervals_sum(kinds, picture->from, picture->to);

	init(colours, picture);
	for (uint32_t r = 0; r < picture->row_count; r++) {
		fathom_kind_intervals_draw(kinds, r, picture->from, picture->to, picture->columns, row);
		for (uint32_t c = 0; c < picture->columns; c++)
			colours->cells[(size_t)r * picture->columns + c] =
				row[c] == FATHOM_MARK_NONE ? FATHOM_NO_COLOUR : fathom_kind_colour(row[c]);
	}
	add_kinds(colours, kinds, defs, times);
	free(times);
	free(row);
}
