#include "tools/score/text.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/common/score/score.h"

enum {
	TOP_DEFAULT = 15,
	PROCESSES_SHOWN = 8,
};

static void dim(const struct fathom_page *page, const char *text)
{
	printf("%s%s%s", fathom_page_style(page, FATHOM_STYLE_DIM), text, fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

/* --- the sum ----------------------------------------------------------------------------------------- */

static const char *program_of(const struct fathom_score *score)
{
	const char *program = fathom_cube_attribute(score->profile.cube, "fathom::program"), *slash;

	if (!program && score->profile.cube->cnode_count)
		program = fathom_profile_region(&score->profile, 0)->name;
	slash = program ? strrchr(program, '/') : NULL;
	return slash ? slash + 1 : program ? program : "?";
}

static void print_sum(struct fathom_score *score, struct fathom_page *page)
{
	const struct fathom_score_process *largest = &score->processes[score->largest];
	char bytes[FATHOM_NUMBER_BYTES], events[FATHOM_NUMBER_BYTES], title[256], remark[96];

	snprintf(title, sizeof(title), "Trace of %.200s", program_of(score));
	snprintf(remark, sizeof(remark), "%u process%s, %u thread%s; predicted", score->profile.process_count,
		 score->profile.process_count == 1 ? "" : "es", score->profile.thread_count,
		 score->profile.thread_count == 1 ? "" : "s");
	fathom_page_heading(page, title, remark);
	dim(page, "all processes     ");
	printf("%9s, %s events\n", fathom_number_bytes(bytes, score->total.bytes),
	       fathom_number_count(events, score->total.events));
	if (score->process_count < 2)
		return;
	dim(page, "largest process   ");
	printf("%9s, %s events (rank %" PRId64 ")\n", fathom_number_bytes(bytes, largest->cost.bytes),
	       fathom_number_count(events, largest->cost.events), largest->rank);
}

static void print_kinds(struct fathom_score *score, struct fathom_page *page)
{
	char share[FATHOM_NUMBER_BYTES], bytes[FATHOM_NUMBER_BYTES], events[FATHOM_NUMBER_BYTES];

	fathom_page_heading(page, "What the records are about", "");
	for (unsigned k = 0; k < FATHOM_KIND_COUNT; k++) {
		const char *title = fathom_activity_table[fathom_activity_kinds[k]].title;

		if (score->kind_events[k] <= 0)
			continue;
		printf("%6s %9s %8s  ", fathom_number_percent(share, score->kinds[k], score->total.bytes),
		       fathom_number_bytes(bytes, score->kinds[k]), fathom_number_count(events, score->kind_events[k]));
		fathom_page_name_left(page, title, 18);
		printf("  ");
		fathom_page_bar(page, score->kinds[k] / score->total.bytes, page->width - 48);
		putchar('\n');
	}
}

/* --- processes ----------------------------------------------------------------------------------------- */

static const struct fathom_score *sorted;

static int by_size(const void *a, const void *b)
{
	const struct fathom_score_process *x = &sorted->processes[*(const uint32_t *)a];
	const struct fathom_score_process *y = &sorted->processes[*(const uint32_t *)b];

	if (x->cost.bytes != y->cost.bytes)
		return x->cost.bytes < y->cost.bytes ? 1 : -1;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void print_process(const struct fathom_score *score, const struct fathom_score_process *process)
{
	char bytes[FATHOM_NUMBER_BYTES], events[FATHOM_NUMBER_BYTES], rest[FATHOM_NUMBER_BYTES];
	char share[FATHOM_NUMBER_BYTES];
	unsigned most = 0;

	for (unsigned k = 1; k < FATHOM_KIND_COUNT; k++)
		if (process->kinds[k] > process->kinds[most])
			most = k;
	printf("%8" PRId64 " %9s %8s", process->rank, fathom_number_bytes(bytes, process->cost.bytes),
	       fathom_number_count(events, process->cost.events));
	if (score->dropped_count)
		printf(" %12s", fathom_number_bytes(rest, process->rest));
	printf("  %s %s\n", fathom_number_percent(share, process->kinds[most], process->cost.bytes),
	       fathom_activity_table[fathom_activity_kinds[most]].title);
}

static void print_processes(struct fathom_score *score, struct fathom_page *page)
{
	uint32_t *order = fathom_tool_alloc(score->process_count, sizeof(uint32_t)), count = score->process_count;
	uint32_t shown = count <= PROCESSES_SHOWN ? count : PROCESSES_SHOWN - 1;
	char remark[64];

	for (uint32_t g = 0; g < count; g++)
		order[g] = g;
	sorted = score;
	qsort(order, count, sizeof(uint32_t), by_size);
	snprintf(remark, sizeof(remark), "the largest %u of %u, and the smallest", shown, count);
	fathom_page_heading(page, "Processes", shown < count ? remark : "the largest first");
	dim(page, score->dropped_count ? "    rank     bytes   events  with filter  mostly\n" :
						"    rank     bytes   events  mostly\n");
	for (uint32_t i = 0; i < shown && !fathom_tool_output_lost(); i++)
		print_process(score, &score->processes[order[i]]);
	if (shown < count)
		print_process(score, &score->processes[order[count - 1]]);
	free(order);
}

/* --- regions ------------------------------------------------------------------------------------------- */

/* Returns the word for a name's place in the filter: dropped, kept because it leads to communication, or just kept. */
static const char *fate(const struct fathom_score_name *name)
{
	return name->dropped ? "drop" : name->relevant ? "path" : "keep";
}

static void print_region(struct fathom_score *score, struct fathom_page *page, const struct fathom_score_name *name)
{
	const struct fathom_cube_region *region = &score->profile.cube->regions[name->region];
	char share[FATHOM_NUMBER_BYTES], bytes[FATHOM_NUMBER_BYTES], visits[FATHOM_NUMBER_BYTES];
	char each[FATHOM_NUMBER_BYTES];

	printf("%6s %9s %8s %9s  %s%s%s  ", fathom_number_percent(share, name->cost.bytes, score->total.bytes),
	       fathom_number_bytes(bytes, name->cost.bytes), fathom_number_count(visits, name->visits),
	       score->profile.time >= 0 && name->visits > 0 ?
		       fathom_number_seconds(each, name->seconds / name->visits) : "-",
	       fathom_page_style(page, name->dropped ? FATHOM_STYLE_WARN : FATHOM_STYLE_PLAIN), fate(name),
	       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	fathom_page_name(page, *region->name ? region->name : "(no name)", page->width - 43);
	putchar('\n');
}

static void print_regions(struct fathom_score *score, struct fathom_page *page)
{
	uint32_t count = 0, shown;
	char remark[64];

	while (count < score->name_count && score->names[score->order[count]].cost.bytes > 0)
		count++;
	shown = score->options.top < 0 ? TOP_DEFAULT : (uint32_t)score->options.top;
	shown = shown < count ? shown : count;
	snprintf(remark, sizeof(remark), "%u of %u", shown, count);
	fathom_page_heading(page, "Regions by their part of the trace", remark);
	dim(page, " share     bytes   visits per visit  fate  region\n");
	for (uint32_t i = 0; i < shown && !fathom_tool_output_lost(); i++)
		print_region(score, page, &score->names[score->order[i]]);
	if (shown)
		dim(page, "path: is MPI, OpenMP or a thread operation, or calls one somewhere\n");
}

/* --- the filter ------------------------------------------------------------------------------------------ */

static void describe_filter(const struct fathom_score *score, char *text, size_t bytes)
{
	char share[FATHOM_NUMBER_BYTES], rest[FATHOM_NUMBER_BYTES], limit[FATHOM_NUMBER_BYTES];
	const char *who = score->process_count > 1 ? " for the largest process" : "";
	size_t length;

	if (!score->dropped_count && score->options.limit > 0 && !score->over_limit) {
		snprintf(text, bytes, "None is needed: the trace is within %s.",
			 fathom_number_bytes(limit, score->options.limit));
		return;
	}
	if (!score->dropped_count)
		length = (size_t)snprintf(text, bytes, "None is proposed: nothing that could be left out is %s.",
					  score->options.limit > 0 ? "large" : "both large and short-lived");
	else
		length = (size_t)snprintf(text, bytes, "Without the %u function%s marked drop (%s of the records' "
					  "bytes), %s remain%s.", score->dropped_count,
					  score->dropped_count == 1 ? "" : "s",
					  fathom_number_percent(share, score->dropped.bytes, score->total.bytes),
					  fathom_number_bytes(rest, score->rest_most), who);
	if (score->over_limit && length < bytes)
		length += (size_t)snprintf(text + length, bytes - length, " That is more than %s: the other functions "
					   "lead to communication or synchronization, or are small. "
					   "FATHOM_TRACE_LIMIT ends recording of functions at a size.",
					   fathom_number_bytes(limit, score->options.limit));
	if (score->dropped_count && !score->options.filter && !score->options.with && length < bytes)
		snprintf(text + length, bytes - length, " Write the filter: --write FILE");
	else if (score->options.filter && length < bytes)
		snprintf(text + length, bytes - length, " Written: %s", score->options.filter);
}

static void print_filter(struct fathom_score *score, struct fathom_page *page)
{
	char text[PATH_MAX + 1024];

	fathom_page_heading(page, "Filter", "");
	describe_filter(score, text, sizeof(text));
	fathom_page_paragraph(page, text, 0);
}

void fathom_score_print(struct fathom_score *score)
{
	struct fathom_page page;

	fathom_page_init(&page, score->options.width, score->options.colour);
	print_sum(score, &page);
	print_kinds(score, &page);
	if (score->process_count > 1)
		print_processes(score, &page);
	print_regions(score, &page);
	print_filter(score, &page);
	fathom_page_fini(&page);
}
