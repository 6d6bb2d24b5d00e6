/*
 * gprof: a flat profile, and for each region its callers and callees, in the form of gprof's output.
 *
 * Times are in seconds with nine decimals, so that no value is rounded; other metrics are whole numbers.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "tools/common/command.h"
#include "tools/export/export_format.h"
#include "tools/export/export_profile.h"
#include "tools/export/region_calls.h"

struct listing {
	const struct fathom_export_profile *source;
	struct fathom_region_calls graph;
	uint32_t *order;		/* regions that have call paths */
	uint32_t count;
	uint32_t *index;		/* by region: its number in the call graph, from 1 */
	struct fathom_region_call *by_callee;	/* the calls by callee, then by inclusive value */
	size_t *first_caller;		/* by region: its calls in by_callee end where those of the next one begin */
	FILE *out;
};

/* Writes a blank and a value, together at least as wide as width. */
static void put_value(const struct listing *listing, int64_t value, int width)
{
	if (listing->source->is_time)
		fprintf(listing->out, " %*" PRId64 ".%09" PRId64, width - 11, value / 1000000000, value % 1000000000);
	else
		fprintf(listing->out, " %*" PRId64, width - 1, value);
}

static void put_name(const struct listing *listing, uint32_t r)
{
	const char *name = listing->source->profile->cube->regions[r].name;

	if (!*name)
		fputc('?', listing->out);
	for (; *name; name++)
		fputc((unsigned char)*name < ' ' ? ' ' : *name, listing->out);
	fprintf(listing->out, " [%" PRIu32 "]\n", listing->index[r]);
}

static double percent(const struct listing *listing, int64_t value)
{
	return listing->source->total ? 100 * (double)value / (double)listing->source->total : 0;
}

/* --- the order of lines ------------------------------------------------------------------------------ */

struct ranked {
	int64_t value;
	uint32_t region;
};

static int compare_ranked(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	return a->region < b->region ? -1 : a->region > b->region;
}

static int compare_callees(const void *left, const void *right)
{
	const struct fathom_region_call *a = left, *b = right;

	if (a->callee != b->callee)
		return a->callee < b->callee ? -1 : 1;
	if (a->inclusive != b->inclusive)
		return a->inclusive < b->inclusive ? -1 : 1;
	return a->caller < b->caller ? -1 : a->caller > b->caller;
}

/* Puts the regions in the order of their own or inclusive values, the largest first. */
static void sort_regions(struct listing *listing, bool is_inclusive)
{
	uint32_t region_count = listing->source->profile->cube->region_count;
	struct ranked *list = fathom_tool_alloc(region_count, sizeof(*list));

	listing->count = 0;
	for (uint32_t r = 0; r < region_count; r++) {
		const struct fathom_region_sum *sum = &listing->graph.regions[r];

		if (sum->call_paths)
			list[listing->count++] = (struct ranked){ is_inclusive ? sum->inclusive : sum->own, r };
	}
	qsort(list, listing->count, sizeof(*list), compare_ranked);
	for (uint32_t i = 0; i < listing->count; i++)
		listing->order[i] = list[i].region;
	free(list);
}

static void list_callers(struct listing *listing)
{
	uint32_t region_count = listing->source->profile->cube->region_count;
	size_t count = listing->graph.call_count, i = 0;

	listing->by_callee = fathom_tool_alloc(count, sizeof(*listing->by_callee));
	listing->first_caller = fathom_tool_alloc((size_t)region_count + 1, sizeof(size_t));
	for (size_t k = 0; k < count; k++)
		listing->by_callee[k] = listing->graph.calls[k];
	qsort(listing->by_callee, count, sizeof(*listing->by_callee), compare_callees);
	for (uint32_t r = 0; r <= region_count; r++) {
		while (i < count && listing->by_callee[i].callee < r)
			i++;
		listing->first_caller[r] = i;
	}
}

/* --- sections ----------------------------------------------------------------------------------------- */

static void put_flat(struct listing *listing)
{
	const char *unit = listing->source->is_time ? "seconds" : listing->source->unit;
	int64_t sum = 0;

	fprintf(listing->out, "Flat profile:\n\nMetric: %s in %s\n", listing->source->metric->disp_name, unit);
	fprintf(listing->out, "  %%  %18s %18s %12s %18s\n", "cumulative", "self", "", "total");
	fprintf(listing->out, " %%  %19.18s %18.18s %12s %18.18s  name\n", unit, unit, "calls", unit);
	for (uint32_t i = 0; i < listing->count; i++) {
		uint32_t r = listing->order[i];
		const struct fathom_region_sum *region = &listing->graph.regions[r];

		sum += region->own;
		fprintf(listing->out, "%6.2f", percent(listing, region->own));
		put_value(listing, sum, 17);
		put_value(listing, region->own, 19);
		fprintf(listing->out, " %12" PRId64, region->calls + region->recursive_calls);
		put_value(listing, region->inclusive, 19);
		fputs("  ", listing->out);
		put_name(listing, r);
	}
}

/* Writes the line of a caller or callee: what its calls contribute, and calls of all calls. */
static void put_call(const struct listing *listing, const struct fathom_region_call *call, uint32_t named)
{
	const struct fathom_region_sum *callee = &listing->graph.regions[call->callee];
	char calls[48];

	fputs("              ", listing->out);
	if (call->caller == call->callee) {
		snprintf(calls, sizeof(calls), "%" PRId64, call->calls);
		fprintf(listing->out, "%36s", "");
	} else {
		snprintf(calls, sizeof(calls), "%" PRId64 "/%" PRId64, call->calls, callee->calls);
		put_value(listing, call->own, 18);
		put_value(listing, call->inclusive - call->own, 18);
	}
	fprintf(listing->out, " %18s      ", calls);
	put_name(listing, named);
}

static void put_region(const struct listing *listing, uint32_t r)
{
	const struct fathom_region_sum *region = &listing->graph.regions[r];
	char calls[48], number[16];
	size_t i;

	for (i = listing->first_caller[r]; i < listing->first_caller[r + 1]; i++)
		if (listing->by_callee[i].caller != r)
			put_call(listing, &listing->by_callee[i], listing->by_callee[i].caller);
	snprintf(number, sizeof(number), "[%" PRIu32 "]", listing->index[r]);
	snprintf(calls, sizeof(calls), region->recursive_calls ? "%" PRId64 "+%" PRId64 : "%" PRId64, region->calls,
		 region->recursive_calls);
	fprintf(listing->out, "%-8s%6.1f", number, percent(listing, region->inclusive));
	put_value(listing, region->own, 18);
	put_value(listing, region->inclusive - region->own, 18);
	fprintf(listing->out, " %18s  ", calls);
	put_name(listing, r);
	for (i = region->first_call; i < listing->graph.regions[r + 1].first_call; i++)
		put_call(listing, &listing->graph.calls[i], listing->graph.calls[i].callee);
	fputs("-----------------------------------------------\n", listing->out);
}

int fathom_export_gprof(struct fathom_export_profile *source, FILE *out)
{
	uint32_t region_count = source->profile->cube->region_count;
	struct listing listing = { .source = source, .out = out };

	fathom_region_calls_init(&listing.graph, source);
	listing.order = fathom_tool_alloc(region_count, sizeof(uint32_t));
	listing.index = fathom_tool_alloc(region_count, sizeof(uint32_t));
	list_callers(&listing);
	sort_regions(&listing, true);
	for (uint32_t i = 0; i < listing.count; i++)
		listing.index[listing.order[i]] = i + 1;
	sort_regions(&listing, false);
	put_flat(&listing);
	fputs("\n\t\t\tCall graph\n\n"
	      "index   % time              self          children             called      name\n", out);
	sort_regions(&listing, true);
	for (uint32_t i = 0; i < listing.count && !ferror(out); i++)
		put_region(&listing, listing.order[i]);
	free(listing.order);
	free(listing.index);
	free(listing.by_callee);
	free(listing.first_caller);
	fathom_region_calls_fini(&listing.graph);
	return 0;
}
