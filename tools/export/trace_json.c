/*
 * trace_json: the events of a trace as JSON in Chrome's trace event format, which Perfetto reads.
 *
 * Each event is written as soon as it is read: an enter as B, a leave as E, the two ends of a message as s and f,
 * values of counters as C. Times are in microseconds from the begin of the trace, with three decimals. Processes and
 * threads have the numbers of their definitions plus 1, because Perfetto takes 0 for an idle processor.
 *
 * The events of a thread must nest. Explicit tasks break this where a thread leaves one task for another: there the
 * regions of the first task are closed, and those of the second one are opened (again).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "callgraphs/graph_trace.h"
#include "otf2/archive_reader.h"
#include "otf2/event_region.h"
#include "otf2/memory.h"
#include "otf2/region_stacks.h"
#include "tools/common/command.h"
#include "tools/common/progress.h"
#include "tools/common/trace/trace_region.h"
#include "tools/export/export_format.h"
#include "tools/export/json_text.h"
#include "tools/export/message_flows.h"

/* Messages of the innermost region of a thread; they become arguments of its end. */
struct traffic {
	uint64_t sends, bytes_sent;
	uint64_t receives, bytes_received;
};

struct writer {
	FILE *out;
	struct fathom_otf2_archive *trace;
	struct fathom_otf2_stacks stacks;
	struct fathom_message_flows flows;
	char **region_texts;		/* by region: "name":"...","cat":"..." */
	char **member_texts;		/* by member of a metric: its name in quotes */
	char **location_texts;		/* by location: its name in quotes; NULL: its process has no other one */
	struct traffic *traffic;	/* by location */
	uint64_t *open;			/* by location: regions that are not closed */
	uint64_t events, last;
	bool is_first;
};

/* --- what all events have --------------------------------------------------------------------------------- */

static uint32_t process_of(const struct writer *writer, uint32_t location)
{
	const struct fathom_otf2_location *definition =
		fathom_otf2_at(&writer->trace->defs, FATHOM_OTF2_LOCATION, location);

	return definition->process;
}

/* Converts a time of the trace to nanoseconds from its begin. */
static uint64_t nanoseconds(const struct writer *writer, uint64_t time)
{
	const struct fathom_otf2_defs *defs = &writer->trace->defs;
	uint64_t ticks = time > defs->offset ? time - defs->offset : 0;
	uint64_t resolution = defs->resolution ? defs->resolution : 1000000000;

	return ticks / resolution * 1000000000 +
	       (uint64_t)((double)(ticks % resolution) * 1e9 / (double)resolution + 0.5);
}

/* Begins an event: its kind, thread and time. The caller writes the rest. */
static void begin_event(struct writer *writer, char phase, uint32_t location, uint64_t time)
{
	uint64_t ns = nanoseconds(writer, time);

	fprintf(writer->out, "%s{\"ph\":\"%c\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"ts\":%" PRIu64 ".%03u",
		writer->is_first ? "\n" : ",\n", phase, process_of(writer, location) + 1, location + 1, ns / 1000,
		(unsigned)(ns % 1000));
	writer->is_first = false;
}

/* --- regions ------------------------------------------------------------------------------------------ */

static const char *region_text(const struct writer *writer, uint32_t region)
{
	int64_t index = fathom_otf2_index(&writer->trace->defs, FATHOM_OTF2_REGION, region);

	return index < 0 ? "\"name\":\"?\"" : writer->region_texts[index];
}

static void open_region(struct writer *writer, uint32_t location, uint64_t time, uint32_t region)
{
	begin_event(writer, 'B', location, time);
	fprintf(writer->out, ",%s}", region_text(writer, region));
	writer->open[location]++;
}

/* Writes the end of the innermost region, with the messages that were recorded in it. */
static void close_region(struct writer *writer, uint32_t location, uint64_t time)
{
	struct traffic *traffic = &writer->traffic[location];

	begin_event(writer, 'E', location, time);
	if (traffic->sends || traffic->receives)
		fprintf(writer->out, ",\"args\":{\"sends\":%" PRIu64 ",\"bytes sent\":%" PRIu64 ",\"receives\":%" PRIu64
			",\"bytes received\":%" PRIu64 "}", traffic->sends, traffic->bytes_sent, traffic->receives,
			traffic->bytes_received);
	fputc('}', writer->out);
	*traffic = (struct traffic){ 0 };
	writer->open[location]--;
}

static void take_enter(struct writer *writer, const struct fathom_otf2_event *event)
{
	uint32_t region = fathom_otf2_event_region_id(&writer->trace->defs, event);

	writer->traffic[event->location] = (struct traffic){ 0 };
	fathom_otf2_stack_push(fathom_otf2_stack_of(&writer->stacks, event->location), region);
	open_region(writer, event->location, event->time, region);
}

static void take_leave(struct writer *writer, const struct fathom_otf2_event *event)
{
	struct fathom_otf2_stack *stack = fathom_otf2_stack_of(&writer->stacks, event->location);

	if (stack->count == 0)
		return;
	stack->count--;
	close_region(writer, event->location, event->time);
}

/* Closes the regions of what a thread works on, or opens them again. */
static void close_stack(struct writer *writer, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_stack *stack = fathom_otf2_stack_of(&writer->stacks, event->location);

	for (uint32_t i = 0; i < stack->count; i++)
		close_region(writer, event->location, event->time);
}

static void open_stack(struct writer *writer, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_stack *stack = fathom_otf2_stack_of(&writer->stacks, event->location);

	for (uint32_t i = 0; i < stack->count; i++)
		open_region(writer, event->location, event->time, stack->regions[i]);
}

static void take_task(struct writer *writer, const struct fathom_otf2_event *event)
{
	struct fathom_otf2_task *task =
		fathom_otf2_stacks_task(&writer->stacks, process_of(writer, event->location), event);

	close_stack(writer, event);
	if (event->kind == FATHOM_RECORD_THREAD_TASK_SWITCH)
		fathom_otf2_stacks_switch(&writer->stacks, event->location, task);
	else if (task)
		fathom_otf2_stacks_complete(&writer->stacks, event->location, task);
	open_stack(writer, event);
}

/* --- other events ------------------------------------------------------------------------------------- */

static void take_message(struct writer *writer, const struct fathom_otf2_event *event, bool is_send)
{
	struct traffic *traffic = &writer->traffic[event->location];
	struct fathom_message_flow flow;

	*(is_send ? &traffic->sends : &traffic->receives) += 1;
	*(is_send ? &traffic->bytes_sent : &traffic->bytes_received) += event->bytes;
	if (!fathom_message_flows_find(&writer->flows, &writer->trace->defs, event, is_send, &flow))
		return;
	begin_event(writer, is_send ? 's' : 'f', event->location, event->time);
	fprintf(writer->out, ",\"name\":\"message\",\"cat\":\"message\",\"id\":\"%" PRIu64 ".%" PRIu64 "\"%s}",
		flow.channel, flow.message, is_send ? "" : ",\"bp\":\"e\"");
}

/* Writes the values of a metric's members. */
static void take_metric(struct writer *writer, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_defs *defs = &writer->trace->defs;
	const struct fathom_otf2_metric *metric = fathom_otf2_find(defs, FATHOM_OTF2_METRIC, event->ref);
	const OTF2_Type *types = event->types;

	if (metric && metric->of_class >= 0)
		metric = fathom_otf2_at(defs, FATHOM_OTF2_METRIC, (uint64_t)metric->of_class);
	for (uint32_t i = 0; metric && i < event->count && i < metric->count; i++) {
		int64_t member = fathom_otf2_index(defs, FATHOM_OTF2_MEMBER, metric->members[i]);
		double value = types[i] == OTF2_TYPE_DOUBLE ? event->values[i].floating_point : 0;

		if (member < 0 || value - value != 0)	/* JSON has neither infinity nor "not a number" */
			continue;
		begin_event(writer, 'C', event->location, event->time);
		fprintf(writer->out, ",\"name\":%s,", writer->member_texts[member]);
		if (writer->location_texts[event->location])
			fprintf(writer->out, "\"id\":%s,", writer->location_texts[event->location]);
		if (types[i] == OTF2_TYPE_DOUBLE)
			fprintf(writer->out, "\"args\":{\"value\":%.17g}}", value);
		else if (types[i] == OTF2_TYPE_INT64)
			fprintf(writer->out, "\"args\":{\"value\":%" PRId64 "}}", event->values[i].signed_int);
		else
			fprintf(writer->out, "\"args\":{\"value\":%" PRIu64 "}}", event->values[i].unsigned_int);
	}
}

static void take_sample(struct writer *writer, const struct fathom_otf2_event *event)
{
	uint32_t region = fathom_otf2_event_region_id(&writer->trace->defs, event);

	begin_event(writer, 'i', event->location, event->time);
	fprintf(writer->out, ",\"s\":\"t\",%s}", region_text(writer, region));
}

static void take_flush(struct writer *writer, const struct fathom_otf2_event *event)
{
	uint64_t ns = event->id > event->time ?
		      nanoseconds(writer, event->id) - nanoseconds(writer, event->time) : 0;

	begin_event(writer, 'X', event->location, event->time);
	fprintf(writer->out, ",\"dur\":%" PRIu64 ".%03u,\"name\":\"flush of the trace buffer\"}", ns / 1000,
		(unsigned)(ns % 1000));
}

static bool take(void *taker, const struct fathom_otf2_event *event)
{
	struct writer *writer = taker;

	fathom_progress_set(++writer->events);
	if (event->time > writer->last)
		writer->last = event->time;
	switch (event->kind) {
	case FATHOM_RECORD_ENTER:
	case FATHOM_RECORD_CALLING_CONTEXT_ENTER: take_enter(writer, event); break;
	case FATHOM_RECORD_LEAVE:
	case FATHOM_RECORD_CALLING_CONTEXT_LEAVE: take_leave(writer, event); break;
	case FATHOM_RECORD_CALLING_CONTEXT_SAMPLE: take_sample(writer, event); break;
	case FATHOM_RECORD_THREAD_TEAM_BEGIN:
		fathom_otf2_stacks_enter_team(&writer->stacks, event->location, event->ref);
		break;
	case FATHOM_RECORD_THREAD_TEAM_END:
		close_stack(writer, event);
		fathom_otf2_stacks_leave_team(&writer->stacks, event->location);
		break;
	case FATHOM_RECORD_THREAD_TASK_SWITCH:
	case FATHOM_RECORD_THREAD_TASK_COMPLETE: take_task(writer, event); break;
	case FATHOM_RECORD_MPI_SEND:
	case FATHOM_RECORD_MPI_ISEND: take_message(writer, event, true); break;
	case FATHOM_RECORD_MPI_RECV:
	case FATHOM_RECORD_MPI_IRECV: take_message(writer, event, false); break;
	case FATHOM_RECORD_METRIC: take_metric(writer, event); break;
	case FATHOM_RECORD_BUFFER_FLUSH: take_flush(writer, event); break;
	default: break;
	}
	return !ferror(writer->out);
}

/* --- the file ----------------------------------------------------------------------------------------- */

/* Prepares the texts of regions, members and locations. */
static void prepare_texts(struct writer *writer)
{
	const struct fathom_otf2_defs *defs = &writer->trace->defs;
	size_t regions = fathom_otf2_count(defs, FATHOM_OTF2_REGION);
	size_t members = fathom_otf2_count(defs, FATHOM_OTF2_MEMBER);
	size_t locations = fathom_otf2_count(defs, FATHOM_OTF2_LOCATION);
	uint32_t *of_process = fathom_tool_alloc(fathom_otf2_count(defs, FATHOM_OTF2_PROCESS), sizeof(uint32_t));

	writer->region_texts = fathom_tool_alloc(regions, sizeof(char *));
	for (size_t r = 0; r < regions; r++) {
		const struct fathom_otf2_region *region = fathom_otf2_at(defs, FATHOM_OTF2_REGION, r);
		struct fathom_cube_region words = fathom_otf2_region_words(writer->trace, region);
		char *name = fathom_export_json_text(words.name), *paradigm = fathom_export_json_text(words.paradigm);

		if (asprintf(&writer->region_texts[r], "\"name\":%s,\"cat\":%s", name, paradigm) < 0)
			fathom_tool_out_of_memory(strlen(name));
		free(name);
		free(paradigm);
	}
	writer->member_texts = fathom_tool_alloc(members, sizeof(char *));
	for (size_t m = 0; m < members; m++) {
		const struct fathom_otf2_typed *member = fathom_otf2_at(defs, FATHOM_OTF2_MEMBER, m);

		writer->member_texts[m] = fathom_export_json_text(fathom_otf2_text(defs, member->name));
	}
	writer->location_texts = fathom_tool_alloc(locations, sizeof(char *));
	for (size_t l = 0; l < locations; l++)
		if (process_of(writer, (uint32_t)l) != UINT32_MAX)
			of_process[process_of(writer, (uint32_t)l)]++;
	for (size_t l = 0; l < locations; l++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, l);

		if (location->process != UINT32_MAX && of_process[location->process] > 1)
			writer->location_texts[l] = fathom_export_json_text(fathom_otf2_text(defs, location->name));
	}
	free(of_process);
}

static void free_texts(char **texts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(texts[i]);
	free(texts);
}

/* Writes an event that gives a process or a thread a name, and one with its position among the others. tid 0: the
 * process. */
static void put_name(struct writer *writer, uint32_t pid, uint32_t tid, const char *name)
{
	const char *kind = tid ? "thread" : "process";
	char *quoted = fathom_export_json_text(name);
	char ids[64];

	if (tid)
		snprintf(ids, sizeof(ids), "\"pid\":%" PRIu32 ",\"tid\":%" PRIu32, pid, tid);
	else
		snprintf(ids, sizeof(ids), "\"pid\":%" PRIu32, pid);
	fprintf(writer->out, "%s{\"ph\":\"M\",%s,\"name\":\"%s_name\",\"args\":{\"name\":%s}},\n"
		"{\"ph\":\"M\",%s,\"name\":\"%s_sort_index\",\"args\":{\"sort_index\":%" PRIu32 "}}",
		writer->is_first ? "\n" : ",\n", ids, kind, quoted, ids, kind, tid ? tid : pid);
	writer->is_first = false;
	free(quoted);
}

static void put_names(struct writer *writer)
{
	const struct fathom_otf2_defs *defs = &writer->trace->defs;
	char text[256];

	for (size_t p = 0; p < fathom_otf2_count(defs, FATHOM_OTF2_PROCESS); p++) {
		const struct fathom_otf2_process *process = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, p);

		put_name(writer, (uint32_t)p + 1, 0,
			 fathom_otf2_name(defs, FATHOM_OTF2_PROCESS, process->id, text, sizeof(text)));
	}
	for (size_t l = 0; l < fathom_otf2_count(defs, FATHOM_OTF2_LOCATION); l++) {
		const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, l);

		put_name(writer, location->process + 1, (uint32_t)l + 1,
			 fathom_otf2_name(defs, FATHOM_OTF2_LOCATION, location->id, text, sizeof(text)));
	}
}

static int write_events(struct writer *writer)
{
	struct fathom_otf2_defs *defs = &writer->trace->defs;
	size_t locations = fathom_otf2_count(defs, FATHOM_OTF2_LOCATION);
	int err;

	prepare_texts(writer);
	writer->traffic = fathom_tool_alloc(locations, sizeof(*writer->traffic));
	writer->open = fathom_tool_alloc(locations, sizeof(*writer->open));
	fathom_otf2_stacks_init(&writer->stacks, defs);
	fathom_message_flows_init(&writer->flows);
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", writer->out);
	put_names(writer);
	if (!isatty(fileno(writer->out)))
		fathom_progress_begin("writing events", fathom_otf2_event_count(writer->trace));
	err = fathom_otf2_read_events(writer->trace, NULL, take, writer);
	fathom_progress_end();
	/* Regions that were open at the end of the trace end there. */
	for (uint32_t l = 0; l < locations; l++)
		while (writer->open[l])
			close_region(writer, l, writer->last);
	fputs("\n]}\n", writer->out);
	free_texts(writer->region_texts, fathom_otf2_count(defs, FATHOM_OTF2_REGION));
	free_texts(writer->member_texts, fathom_otf2_count(defs, FATHOM_OTF2_MEMBER));
	free_texts(writer->location_texts, locations);
	free(writer->traffic);
	free(writer->open);
	fathom_otf2_stacks_fini(&writer->stacks);
	fathom_message_flows_fini(&writer->flows);
	return err;
}

int fathom_export_trace_json(const char *anchor, FILE *out)
{
	struct fathom_otf2_archive trace = { .anchor = "" };
	struct writer writer = { .out = out, .trace = &trace, .is_first = true };
	int err;

	fathom_otf2_memory_set_end(fathom_tool_out_of_memory);
	err = fathom_trace_open(&trace, anchor);
	if (err) {
		fathom_tool_error("%s", trace.error);
		return err;
	}
	err = fathom_otf2_read_definitions(&trace, NULL);
	if (!err)
		err = write_events(&writer);
	if (err && !ferror(out))
		fathom_tool_error("%s", trace.error);
	fathom_otf2_close(&trace);
	return ferror(out) ? 0 : err;	/* the caller finds errors of the output */
}
