#include "tools/report/trace/trace_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "callgraphs/graph_trace.h"
#include "otf2/memory.h"
#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/report/trace/json_trace.h"
#include "tools/report/region_text.h"
#include "tools/report/trace/trace_summary.h"

enum { TOP_DEFAULT = 15, COMMS_DEFAULT = 8, KINDS_DEFAULT = 12 };

struct view {
	const struct fathom_report_options *options;
	struct fathom_trace_summary summary;
	struct fathom_otf2_archive trace;
	struct fathom_page page;
	bool noted;
};

static double seconds_of(const struct view *view, uint64_t ticks)
{
	return fathom_otf2_seconds(&view->trace.defs, (double)ticks);
}

/* Returns how many of count lines are shown. */
static uint32_t limit(const struct view *view, uint32_t count, uint32_t usual)
{
	if (view->options->top >= 0)
		usual = (uint32_t)view->options->top;
	else if (view->options->all || view->options->flat)
		usual = UINT32_MAX;
	return count < usual ? count : usual;
}

/* --- head ------------------------------------------------------------------------------------------------ */

struct size {			/* how many nodes, processes and threads were measured */
	uint32_t processes, hosts, locations;
	uint32_t least_threads, most_threads, others;	/* others: locations that are no threads */
};

static struct size size_of(const struct fathom_otf2_defs *defs)
{
	struct size size = { .least_threads = UINT32_MAX };
	size_t count = fathom_otf2_count(defs, FATHOM_OTF2_PROCESS), i;
	bool *hosts = fathom_tool_alloc(fathom_otf2_count(defs, FATHOM_OTF2_NODE), sizeof(bool));
	uint32_t threads = 0;

	for (i = 0; i < count; i++) {
		const struct fathom_otf2_process *process = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, i);

		threads += process->threads;
		if (process->type != OTF2_LOCATION_GROUP_TYPE_PROCESS)
			continue;
		size.processes++;
		if (process->host < fathom_otf2_count(defs, FATHOM_OTF2_NODE) && !hosts[process->host]) {
			hosts[process->host] = true;
			size.hosts++;
		}
		if (process->threads < size.least_threads)
			size.least_threads = process->threads;
		if (process->threads > size.most_threads)
			size.most_threads = process->threads;
	}
	free(hosts);
	size.locations = (uint32_t)fathom_otf2_count(defs, FATHOM_OTF2_LOCATION);
	size.others = size.locations - threads;
	return size;
}

static void describe_size(const struct view *view, char *text, size_t bytes)
{
	struct size size = size_of(&view->trace.defs);
	char threads[64], hosts[32] = "";

	if (size.processes == 0) {
		snprintf(text, bytes, "%u location%s", size.locations, size.locations == 1 ? "" : "s");
		return;
	}
	if (size.least_threads == size.most_threads)
		snprintf(threads, sizeof(threads), "%u thread%s", size.most_threads, size.most_threads == 1 ? "" : "s");
	else
		snprintf(threads, sizeof(threads), "%u to %u threads", size.least_threads, size.most_threads);
	if (size.hosts > 1)
		snprintf(hosts, sizeof(hosts), " on %u nodes", size.hosts);
	if (size.processes == 1)
		snprintf(text, bytes, "1 process, %s", threads);
	else
		snprintf(text, bytes, "%u ranks %s %s%s", size.processes, fathom_page_times(&view->page), threads,
			 hosts);
}

/* Describes date and time of the trace's beginning; NULL: the trace does not have them. */
static const char *describe_begin(const struct view *view, char *text, size_t bytes)
{
	time_t when = (time_t)(view->trace.defs.realtime / 1000000000u);
	struct tm moment;
	size_t length;

	if (view->trace.defs.realtime == OTF2_UNDEFINED_TIMESTAMP || !localtime_r(&when, &moment))
		return NULL;
	length = strftime(text, bytes, "%Y-%m-%d %H:%M:%S %z", &moment);
	if (length > 5 && length + 2 < bytes) {		/* +0100 as +01:00 */
		memmove(text + length - 1, text + length - 2, 3);
		text[length - 2] = ':';
	}
	return length ? text : NULL;
}

/* Describes the trace's property of clocks: "3 messages received before they were sent"; NULL: there is none. */
static const char *describe_clocks(const struct view *view, char *text, size_t bytes)
{
	const char *count = fathom_otf2_property(&view->trace, "FATHOM::CLOCK_VIOLATIONS");

	if (!count)
		return NULL;
	if (strcmp(count, "0") == 0)
		return "no message received before sent";
	snprintf(text, bytes, "%s received before sent", count);
	return text;
}

static void print_head(struct view *view)
{
	const struct fathom_trace_summary *summary = &view->summary;
	const struct fathom_otf2_archive *trace = &view->trace;
	char a[256], b[256], number[FATHOM_NUMBER_BYTES];
	const char *program = summary->program == OTF2_UNDEFINED_STRING ? "" : fathom_otf2_text(&trace->defs,
												summary->program);
	const char *slash = strrchr(program, '/');

	snprintf(a, sizeof(a), "%s", slash ? slash + 1 : *program ? program : "trace");
	if (trace->source)
		snprintf(b, sizeof(b), "%s%scompressed", trace->creator, *trace->creator ? ", " : "");
	else
		snprintf(b, sizeof(b), "%s%sOTF2 %u.%u", trace->creator, *trace->creator ? ", " : "", trace->version[0],
			 trace->version[1]);
	fathom_page_heading(&view->page, a, b);
	if (*summary->command)
		fathom_page_facts(&view->page, "Command", summary->command, NULL, NULL);
	fathom_page_facts(&view->page, "Trace", trace->anchor, NULL, NULL);
	describe_size(view, a, sizeof(a));
	fathom_page_facts(&view->page, "Ran on", a, "Duration", trace->defs.clocks ? fathom_number_seconds(number,
		    seconds_of(view, trace->defs.length)) : NULL);
	if (describe_begin(view, a, sizeof(a)))
		fathom_page_facts(&view->page, "Started", a, "Clocks", describe_clocks(view, b, sizeof(b)));
	else if (describe_clocks(view, b, sizeof(b)))
		fathom_page_facts(&view->page, "Clocks", describe_clocks(view, b, sizeof(b)), NULL, NULL);
	snprintf(a, sizeof(a), "%s in %zu location%s", fathom_number_count(number, (double)summary->events),
		 fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION),
		 fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION) == 1 ? "" : "s");
	snprintf(b, sizeof(b), "%s (%.1f B an event)",
		 fathom_number_bytes(number, (double)(trace->event_bytes + trace->definition_bytes)),
		 summary->events ? (double)trace->event_bytes / (double)summary->events : 0);
	fathom_page_facts(&view->page, "Events", a, "On disk", b);
	if (!summary->kinds[FATHOM_RECORD_BUFFER_FLUSH])
		return;
	snprintf(a, sizeof(a), "%" PRIu64 ", %s together", summary->kinds[FATHOM_RECORD_BUFFER_FLUSH],
		 fathom_number_seconds(number, seconds_of(view, summary->flush_ticks)));
	fathom_page_facts(&view->page, "Flushes", a, NULL, NULL);
}

/* --- events by kind ---------------------------------------------------------------------------------------- */

struct line {			/* of a table */
	uint64_t value, second;
	uint32_t index;
};

static int by_value(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	if (x->second != y->second)
		return x->second < y->second ? 1 : -1;
	return x->index < y->index ? -1 : x->index > y->index;
}

static void print_kinds(struct view *view)
{
	const struct fathom_trace_summary *summary = &view->summary;
	struct line lines[FATHOM_RECORD_COUNT];
	char share[FATHOM_NUMBER_BYTES], number[FATHOM_NUMBER_BYTES], remark[64];
	uint32_t count = 0, shown, k;

	for (k = 0; k < FATHOM_RECORD_COUNT; k++)
		if (summary->kinds[k])
			/* Among equal counts the first kind in the order of records comes first. */
			lines[count++] = (struct line){ summary->kinds[k], UINT32_MAX - fathom_otf2_record_order(k),
							k };
	qsort(lines, count, sizeof(lines[0]), by_value);
	shown = limit(view, count, KINDS_DEFAULT);
	snprintf(remark, sizeof(remark), "%u of %u kinds", shown, count);
	fathom_page_heading(&view->page, "Events", remark);
	for (k = 0; k < shown; k++) {
		const char *name = fathom_otf2_records[lines[k].index].name;
		double part = (double)lines[k].value / (double)summary->events;
		int bar = view->page.width - 50;

		printf("%6s %9s  %s", fathom_number_percent(share, part, 1),
		       fathom_number_count(number, (double)lines[k].value), name);
		if (part * bar >= (view->page.unicode ? 0.0625 : 0.5)) {
			fathom_page_blanks(31 - (int)strlen(name));
			fathom_page_bar(&view->page, part, bar > 50 ? 50 : bar);
		}
		putchar('\n');
	}
}

/* --- regions -------------------------------------------------------------------------------------------------- */

static uint32_t collect_regions(const struct view *view, struct line **lines)
{
	const struct fathom_trace_summary *summary = &view->summary;
	uint32_t count = (uint32_t)fathom_trace_summary_region_count(summary), used = 0, r;

	*lines = fathom_tool_alloc(count, sizeof(**lines));
	for (r = 0; r < count; r++)
		if (summary->regions[r].visits || summary->regions[r].own_ticks)
			(*lines)[used++] = (struct line){ summary->regions[r].own_ticks, summary->regions[r].visits,
			r };
	qsort(*lines, used, sizeof(**lines), by_value);
	return used;
}

static const char *place_of(const struct view *view, const struct line *line, char *text, size_t bytes)
{
	struct fathom_cube_region words = fathom_trace_summary_region(&view->summary, line->index);
	const char *place = fathom_region_place(&words, text, bytes);

	if (place != text)
		snprintf(text, bytes, "%s", place);
	return text;
}

static void print_region(struct view *view, const struct line *line, int name_columns, int place_columns)
{
	struct fathom_cube_region words = fathom_trace_summary_region(&view->summary, line->index);
	struct fathom_page *page = &view->page;
	char share[FATHOM_NUMBER_BYTES], time[FATHOM_NUMBER_BYTES], visits[FATHOM_NUMBER_BYTES],
	each[FATHOM_NUMBER_BYTES];
	double own = seconds_of(view, line->value), all = seconds_of(view, view->summary.own_ticks);
	char place[512], name[2048];
	const char *at;

	place_of(view, line, place, sizeof(place));
	/* The names of OpenMP constructs contain their place. */
	at = strncmp(words.name, "!$omp ", 6) == 0 ? strstr(words.name, " @") : NULL;
	snprintf(name, sizeof(name), "%.*s", at ? (int)(at - words.name) : (int)sizeof(name) - 1,
		 fathom_region_name(&words));
	printf("%s%6s%s %9s %8s %9s  %s", fathom_page_style(page, fathom_share_style(all > 0 ? own / all : 0)),
	       fathom_number_percent(share, own, all), fathom_page_style(page, FATHOM_STYLE_PLAIN),
	       fathom_number_seconds(time, own), fathom_number_count(visits, (double)line->second),
	       line->second ? fathom_number_seconds(each, own / (double)line->second) : "-",
	       fathom_page_style(page, fathom_region_style(&words)));
	fathom_page_name_left(page, name, name_columns);
	printf("%s  %s", fathom_page_style(page, FATHOM_STYLE_PLAIN), fathom_page_style(page, FATHOM_STYLE_DIM));
	fathom_page_name(page, place, place_columns);
	printf("%s\n", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

static void print_regions(struct view *view)
{
	struct line *lines;
	uint32_t count = collect_regions(view, &lines), shown = limit(view, count, TOP_DEFAULT), i;
	int place = 5, rest = view->page.width - 37;
	char remark[64], text[512], number[FATHOM_NUMBER_BYTES];
	bool any_without_place = false;

	for (i = 0; i < shown; i++) {
		int length = (int)strlen(place_of(view, &lines[i], text, sizeof(text)));

		any_without_place |= strcmp(text, fathom_no_place) == 0;
		place = length > place ? length : place;
	}
	place = place > rest * 2 / 5 ? rest * 2 / 5 : place;
	snprintf(remark, sizeof(remark), "%u of %u regions, %s over all locations", shown, count,
		 fathom_number_seconds(number, seconds_of(view, view->summary.own_ticks)));
	fathom_page_heading(&view->page, "Regions by their own time", remark);
	printf("%s%6s %9s %8s %9s  ", fathom_page_style(&view->page, FATHOM_STYLE_DIM), "own", "time", "visits",
	       "per visit");
	fathom_page_name_left(&view->page, "region", rest - place - 2);
	printf("  place%s\n", fathom_page_style(&view->page, FATHOM_STYLE_PLAIN));
	for (i = 0; i < shown && !fathom_tool_output_lost(); i++)
		print_region(view, &lines[i], rest - place - 2, place);
	if (any_without_place)
		fathom_report_explain_places(&view->page);
	free(lines);
}

/* --- samples -------------------------------------------------------------------------------------------------- */

static void print_sampled(struct view *view, const struct line *line, int columns)
{
	struct fathom_cube_region words = fathom_trace_summary_region(&view->summary, line->index);
	struct fathom_page *page = &view->page;
	double share = (double)line->value / (double)view->summary.samples;
	char percent[FATHOM_NUMBER_BYTES], count[FATHOM_NUMBER_BYTES], place[512];

	printf("%s%6s%s %9s  %s", fathom_page_style(page, fathom_share_style(share)),
	       fathom_number_percent(percent, share, 1), fathom_page_style(page, FATHOM_STYLE_PLAIN),
	       fathom_number_count(count, (double)line->value), fathom_page_style(page, fathom_region_style(&words)));
	fathom_page_name_left(page, fathom_region_name(&words), columns * 3 / 5);
	printf("%s  %s", fathom_page_style(page, FATHOM_STYLE_PLAIN), fathom_page_style(page, FATHOM_STYLE_DIM));
	fathom_page_name(page, place_of(view, line, place, sizeof(place)), columns - columns * 3 / 5);
	printf("%s\n", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

/* Lists the regions in which samples of time were taken. Many of them have no enters. */
static void print_samples(struct view *view)
{
	const struct fathom_trace_summary *summary = &view->summary;
	uint32_t count = (uint32_t)fathom_otf2_count(&view->trace.defs, FATHOM_OTF2_REGION), used = 0, shown, i;
	struct line *lines = fathom_tool_alloc(count, sizeof(*lines));
	int columns = view->page.width - 20;
	char remark[64], number[FATHOM_NUMBER_BYTES];

	for (i = 0; i < count; i++)
		if (summary->regions[i].samples)
			lines[used++] = (struct line){ .value = summary->regions[i].samples, .index = i };
	qsort(lines, used, sizeof(*lines), by_value);
	shown = limit(view, used, TOP_DEFAULT);
	if (used) {
		snprintf(remark, sizeof(remark), "%u of %u regions, %s sample%s of time", shown, used,
			 fathom_number_count(number, (double)summary->samples), summary->samples == 1 ? "" : "s");
		fathom_page_heading(&view->page, "Regions by their samples", remark);
		printf("%s%6s %9s  ", fathom_page_style(&view->page, FATHOM_STYLE_DIM), "share", "samples");
		fathom_page_name_left(&view->page, "region", columns * 3 / 5);
		printf("  place%s\n", fathom_page_style(&view->page, FATHOM_STYLE_PLAIN));
	}
	for (i = 0; i < shown && !fathom_tool_output_lost(); i++)
		print_sampled(view, &lines[i], columns);
	free(lines);
}

/* --- communicators ------------------------------------------------------------------------------------------ */

static void print_comm(struct view *view, const struct line *line)
{
	const struct fathom_otf2_comm *comm = fathom_otf2_at(&view->trace.defs, FATHOM_OTF2_COMM, line->index);
	const struct fathom_otf2_comm_sum *sum = &view->summary.comms[line->index];
	char messages[FATHOM_NUMBER_BYTES], bytes[FATHOM_NUMBER_BYTES], collectives[FATHOM_NUMBER_BYTES];
	char moved[FATHOM_NUMBER_BYTES], members[32], name[512];
	uint32_t size = fathom_otf2_comm_size(&view->trace.defs, comm);

	snprintf(members, sizeof(members), "%u", size);
	printf("%9s %9s %9s %9s %8s  ", fathom_number_count(messages, (double)sum->messages),
	       fathom_number_bytes(bytes, (double)sum->bytes), fathom_number_count(collectives,
										   (double)sum->collectives),
	       fathom_number_bytes(moved, (double)sum->collective_bytes), comm->is_self ? "each" : members);
	fathom_page_name(&view->page, fathom_otf2_name(&view->trace.defs, FATHOM_OTF2_COMM, comm->id, name,
						       sizeof(name)),
			 view->page.width - 50);
	putchar('\n');
}

static void print_row(struct view *view, uint64_t bytes, const char *what)
{
	char number[FATHOM_NUMBER_BYTES];

	(void)view;
	if (bytes)
		printf("%19s %30s%s\n", fathom_number_bytes(number, (double)bytes), "", what);
}

static void print_data(struct view *view)
{
	const struct fathom_trace_summary *summary = &view->summary;
	uint32_t count = (uint32_t)fathom_otf2_count(&view->trace.defs, FATHOM_OTF2_COMM), used = 0, shown, c;
	struct line *lines = fathom_tool_alloc(count, sizeof(*lines));
	char remark[64];

	for (c = 0; c < count; c++)
		if (summary->comms[c].messages || summary->comms[c].collectives)
			lines[used++] = (struct line){ summary->comms[c].bytes + summary->comms[c].collective_bytes,
						       summary->comms[c].messages + summary->comms[c].collectives, c };
	qsort(lines, used, sizeof(*lines), by_value);
	shown = limit(view, used, COMMS_DEFAULT);
	if (used) {
		snprintf(remark, sizeof(remark), "%u of %u communicators", shown, used);
		fathom_page_heading(&view->page, "Messages and data", remark);
		printf("%s%9s %9s %9s %9s %8s  communicator%s\n", fathom_page_style(&view->page, FATHOM_STYLE_DIM),
		       "messages",
		       "sent", "collect.", "sent", "members", fathom_page_style(&view->page, FATHOM_STYLE_PLAIN));
	} else if (summary->rma_bytes || summary->io_bytes_read || summary->io_bytes_written) {
		fathom_page_heading(&view->page, "Messages and data", "");
	}
	for (c = 0; c < shown; c++)
		print_comm(view, &lines[c]);
	print_row(view, summary->rma_bytes, "one-sided data");
	print_row(view, summary->io_bytes_written, "written to files");
	print_row(view, summary->io_bytes_read, "read from files");
	free(lines);
}

/* --- properties and notes ------------------------------------------------------------------------------------- */

static void print_properties(struct view *view)
{
	bool begun = false;
	uint32_t i;

	for (i = 0; i < view->trace.property_count; i++) {
		const struct fathom_otf2_property *property = &view->trace.properties[i];

		if (!view->options->all && strncmp(property->name, "FATHOM::", 8) != 0)
			continue;
		if (!begun)
			fathom_page_heading(&view->page, "Properties of the trace", "");
		begun = true;
		fathom_page_text_left(&view->page, property->name, 42);
		printf("  ");
		fathom_page_text(&view->page, property->value, view->page.width - 44);
		putchar('\n');
	}
}

static void note(struct view *view, const char *text)
{
	struct fathom_page *page = &view->page;

	if (!view->noted)
		fathom_page_heading(page, "Please note", "");
	view->noted = true;
	printf("%s!%s ", fathom_page_style(page, FATHOM_STYLE_WARN), fathom_page_style(page, FATHOM_STYLE_PLAIN));
	fathom_page_paragraph(page, text, 2);
}

static const struct fathom_otf2_location *location_at(const struct fathom_otf2_defs *defs, size_t index)
{
	return fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, index);
}

static uint64_t defined_events(const struct fathom_otf2_defs *defs)
{
	uint64_t events = 0;
	size_t i;

	for (i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_LOCATION); i++)
		events += location_at(defs, i)->events;
	return events;
}

/* Notes by which settings the run recorded less than all events. */
static void note_reductions(struct view *view)
{
	const char *granularity = fathom_otf2_property(&view->trace, "FATHOM::GRANULARITY_NS");
	const char *ring = fathom_otf2_property(&view->trace, "FATHOM::RING_BYTES");
	const char *window = fathom_otf2_property(&view->trace, "FATHOM::WINDOW");
	const char *repeat = fathom_otf2_property(&view->trace, "FATHOM::REPEAT");
	char text[256], number[FATHOM_NUMBER_BYTES];

	if (window) {
		snprintf(text, sizeof(text), "Functions that only compute are left out, outside of %s.", window);
		note(view, text);
	} else if (granularity && strtod(granularity, NULL) > 0) {
		snprintf(text, sizeof(text), "Functions shorter than %s that only compute are left out.",
			 fathom_number_seconds(number, strtod(granularity, NULL) * 1e-9));
		note(view, text);
	}
	if (repeat && strtod(repeat, NULL) > 0) {
		snprintf(text, sizeof(text), "Repetitions of the same events are left out, after %s whole periods.",
			 repeat);
		note(view, text);
	}
	if (ring && strtod(ring, NULL) > 0)
		note(view, "Functions that only compute are left out, except among the newest events of each thread.");
}

static void print_notes(struct view *view)
{
	static const struct {
		const char *property, *text;
	} gaps[] = {
		{ "OTF2::MPI_COMMUNICATION_COMPLETE", "Not all messages and collectives are in the trace." },
		{ "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE",
		"Not all forks, joins and teams of threads are in the trace." },
		{ "OTF2::THREAD_CREATE_WAIT_EVENT_COMPLETE", "Not all threads that were created are in the trace." },
		{ "OTF2::THREAD_LOCK_EVENT_COMPLETE", "Not all uses of locks are in the trace." },
	};
	const struct fathom_trace_summary *summary = &view->summary;
	char text[256], number[FATHOM_NUMBER_BYTES], percent[FATHOM_NUMBER_BYTES];
	const char *value;
	size_t i;

	if (defined_events(&view->trace.defs) != summary->events) {
		snprintf(text, sizeof(text), "The definitions promise %" PRIu64 " events, but there are %" PRIu64
			 " (fathom check says more).", defined_events(&view->trace.defs), summary->events);
		note(view, text);
	}
	for (i = 0; i < sizeof(gaps) / sizeof(gaps[0]); i++) {
		value = fathom_otf2_property(&view->trace, gaps[i].property);
		if (value && strcmp(value, "false") == 0)
			note(view, gaps[i].text);
	}
	note_reductions(view);
	if (summary->flush_ticks) {
		snprintf(text, sizeof(text), "%s of all threads' time went into writing buffers during the run (%s).",
			 fathom_number_seconds(number, seconds_of(view, summary->flush_ticks)),
			 fathom_number_percent(percent, (double)summary->flush_ticks, (double)summary->own_ticks));
		note(view, text);
	}
	if (summary->off_ticks) {
		snprintf(text, sizeof(text), "%s of all threads' time passed while recording was paused.",
			 fathom_number_seconds(number, seconds_of(view, summary->off_ticks)));
		note(view, text);
	}
}

/* --- the whole report ----------------------------------------------------------------------------------------- */

static void refuse_options(const struct fathom_report_options *options, const char *anchor)
{
	const char *wrong = NULL;

	if (options->metric)
		wrong = "--metric";
	else if (options->callers)
		wrong = "--callers";
	else if (options->threads)
		wrong = "--threads";
	else if (options->rank >= 0)
		wrong = "--rank";
	else if (options->sort)
		wrong = "--sort";
	else if (options->column)
		wrong = "--column";
	else if (options->samples)
		wrong = "--samples";
	else if (options->no_scopes)
		wrong = "--no-scopes";
	else if (options->phases)
		wrong = "--phases";
	else if (options->system)
		wrong = "--system";
	else if (options->depth >= 0)
		wrong = "--depth";
	if (wrong)
		fathom_tool_usage_error("%s: of profiles only, and %s is a trace", wrong, anchor);
}

int fathom_trace_report(const struct fathom_report_options *options, const char *anchor)
{
	struct view view = { .options = options };
	int err;

	refuse_options(options, anchor);
	fathom_otf2_memory_set_end(fathom_tool_out_of_memory);
	err = fathom_trace_open(&view.trace, anchor);
	if (!err)
		err = fathom_trace_summary_read(&view.summary, &view.trace);
	if (err) {
		fathom_tool_error("%s", view.trace.error);
		fathom_trace_summary_fini(&view.summary);
		fathom_otf2_close(&view.trace);
		return FATHOM_TOOL_FAILURE;
	}
	fathom_page_init(&view.page, options->width, options->colour);
	if (options->json) {
		fathom_trace_json(&view.summary);
	} else if (options->flat) {
		print_regions(&view);
	} else {
		print_head(&view);
		print_kinds(&view);
		print_data(&view);
		print_regions(&view);
		print_samples(&view);
		print_properties(&view);
		print_notes(&view);
	}
	if (!options->json)
		fathom_report_explain_units(&view.page);
	fathom_page_fini(&view.page);
	fathom_trace_summary_fini(&view.summary);
	fathom_otf2_close(&view.trace);
	return fathom_tool_end();
}
