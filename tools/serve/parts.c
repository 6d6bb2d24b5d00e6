#include "tools/serve/parts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "frames/frame_window.h"
#include "tools/common/command.h"

int64_t fathom_served_region(const struct fathom_trace_frames *frames, uint32_t path)
{
	const struct fathom_otf2_defs *defs = &frames->trace.defs;
	int64_t index = fathom_otf2_index(defs, FATHOM_OTF2_REGION, frames->index.paths.paths[path].region);

	return index < 0 ? (int64_t)fathom_otf2_count(defs, FATHOM_OTF2_REGION) : index;
}

const char *fathom_served_region_name(const struct fathom_trace_frames *frames, int64_t region)
{
	const struct fathom_otf2_region *definition = fathom_otf2_at(&frames->trace.defs, FATHOM_OTF2_REGION,
								     (uint64_t)region);

	return definition ? fathom_otf2_text(&frames->trace.defs, definition->name) : "several regions";
}

/* --- a window and a summary ------------------------------------------------------------------------------ */

static int draw_window(struct fathom_part *part, struct fathom_trace_frames *frames,
		       const struct fathom_trace_picture *picture, const struct fathom_request *request)
{
	struct fathom_trace_picture own = { .thread_count = picture->thread_count };
	int err;

	part->cell_count = (size_t)picture->row_count * FATHOM_SERVED_COLUMNS;
	part->cells = fathom_tool_alloc(part->cell_count + 1, sizeof(*part->cells));
	own.locations = fathom_tool_alloc(picture->row_count + (size_t)1, sizeof(*own.locations));
	for (uint32_t r = request->share; r < picture->row_count; r += request->shares)
		own.locations[own.row_count++] = picture->locations[r];
	err = fathom_trace_picture_draw(&own, &frames->index, request->from, request->to, FATHOM_SERVED_COLUMNS, 0);
	for (uint32_t r = 0; r < own.row_count && !err; r++)
		memcpy(part->cells + (size_t)(request->share + r * request->shares) * FATHOM_SERVED_COLUMNS,
		       own.cells + (size_t)r * FATHOM_SERVED_COLUMNS, FATHOM_SERVED_COLUMNS * sizeof(*part->cells));
	fathom_trace_picture_fini(&own);
	return err;
}

static int sum_up(struct fathom_part *part, struct fathom_trace_frames *frames, const struct fathom_request *request)
{
	struct fathom_tally tally = { 0 };
	int err = 0;

	part->region_count = fathom_otf2_count(&frames->trace.defs, FATHOM_OTF2_REGION) + 1;
	part->ticks = fathom_tool_alloc(part->region_count, sizeof(*part->ticks));
	for (uint32_t l = request->share; l < frames->index.location_count && !err; l += request->shares)
		err = fathom_frame_window_sum(&frames->index, l, request->from, request->to, &tally);
	for (uint32_t i = 0; i < tally.touched_count; i++)
		if (tally.touched[i] != FATHOM_PATH_NOTHING)
			part->ticks[fathom_served_region(frames, tally.touched[i])] += tally.ticks[tally.touched[i]];
	part->counts = tally.counts;
	fathom_tally_fini(&tally);
	return err;
}

/* --- a search -------------------------------------------------------------------------------------------- */

/* A search in more events than this is refused: it would take more than about a second. */
enum { SEARCHED_MOST = 20000000 };

struct search {
	struct fathom_part *part;
	uint32_t *visited;		/* by path: its part down to the region; 0: the region is not on the path */
	uint32_t row, open;		/* path of the visit that has begun; 0: none */
	uint64_t begin, end;		/* of that visit */
};

/* Orders visits: the longest first; of equally long ones that of the first row, and of a row the first one. */
static int compare(const struct fathom_visit *a, const struct fathom_visit *b)
{
	if (a->end - a->begin != b->end - b->begin)
		return a->end - a->begin > b->end - b->begin ? -1 : 1;
	if (a->row != b->row)
		return a->row < b->row ? -1 : 1;
	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

void fathom_part_add_visits(struct fathom_part *part, const struct fathom_visit *visits, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t at = part->visit_count;

		if (at == FATHOM_SERVED_VISITS && compare(&visits[i], &part->visits[at - 1]) >= 0)
			continue;
		if (at == FATHOM_SERVED_VISITS)
			at--;
		else
			part->visit_count++;
		for (; at > 0 && compare(&visits[i], &part->visits[at - 1]) < 0; at--)
			part->visits[at] = part->visits[at - 1];
		part->visits[at] = visits[i];
	}
}

static void end_visit(struct search *search)
{
	struct fathom_visit visit = { search->row, search->open, search->begin, search->end };

	if (search->open)
		fathom_part_add_visits(search->part, &visit, 1);
	search->open = 0;
}

static void take_interval(void *taker, const struct fathom_preview *preview)
{
	struct search *search = taker;
	uint32_t path = preview->share_count ? search->visited[preview->shares[0].path] : search->open;

	if (preview->end == preview->begin)
		return;
	if (path != search->open) {
		end_visit(search);
		search->open = path;
		search->begin = preview->begin;
	}
	search->end = preview->end;
}

/* Finds for each path its part down to the outermost region whose name has the text. */
static uint32_t *find_paths(const struct fathom_trace_frames *frames, const char *text)
{
	const struct fathom_path_table *paths = &frames->index.paths;
	uint32_t *visited = fathom_tool_alloc(paths->count, sizeof(*visited));

	for (uint32_t p = FATHOM_PATH_SEVERAL + 1; p < paths->count; p++) {
		visited[p] = visited[paths->paths[p].parent];
		if (!visited[p] && strcasestr(fathom_served_region_name(frames, fathom_served_region(frames, p)), text))
			visited[p] = p;
	}
	return visited;
}

static int search_rows(struct fathom_part *part, struct fathom_trace_frames *frames,
		       const struct fathom_trace_picture *picture, const struct fathom_request *request)
{
	struct search search = { .part = part };
	struct fathom_tally tally = { 0 };
	int err = 0;

	for (uint32_t r = 0; r < picture->row_count && !err; r++)
		err = fathom_frame_window_sum(&frames->index, picture->locations[r], request->from, request->to,
					      &tally);
	if (!err && tally.counts.events > SEARCHED_MOST)
		err = -E2BIG;
	fathom_tally_fini(&tally);
	search.visited = find_paths(frames, request->text);
	for (search.row = request->share; search.row < picture->row_count && !err; search.row += request->shares) {
		err = fathom_frame_window_read(&frames->index, picture->locations[search.row], request->from,
					       request->to, 0, take_interval, &search);
		end_visit(&search);
	}
	free(search.visited);
	return err;
}

/* --- the part -------------------------------------------------------------------------------------------- */

void fathom_part_make(struct fathom_part *part, struct fathom_trace_frames *frames,
		      const struct fathom_trace_picture *picture, const struct fathom_request *request)
{
	memset(part, 0, sizeof(*part));
	switch (request->kind) {
	case FATHOM_REQUEST_WINDOW:
		part->err = draw_window(part, frames, picture, request);
		break;
	case FATHOM_REQUEST_SUMMARY:
		part->err = sum_up(part, frames, request);
		break;
	default:
		part->err = search_rows(part, frames, picture, request);
		break;
	}
}

void fathom_part_fini(struct fathom_part *part)
{
	free(part->cells);
	free(part->ticks);
	memset(part, 0, sizeof(*part));
}
