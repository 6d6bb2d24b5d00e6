#include "tools/report/trace/trace_summary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "otf2/event_region.h"
#include "tools/common/command.h"
#include "tools/common/progress.h"

/* --- time ---------------------------------------------------------------------------------------------- */

size_t fathom_trace_summary_region_count(const struct fathom_trace_summary *summary)
{
	return fathom_otf2_count(&summary->trace->defs, FATHOM_OTF2_REGION) + 1;
}

struct fathom_cube_region fathom_trace_summary_region(const struct fathom_trace_summary *summary, size_t index)
{
	const struct fathom_otf2_defs *defs = &summary->trace->defs;

	if (index < fathom_otf2_count(defs, FATHOM_OTF2_REGION))
		return fathom_otf2_region_words(summary->trace, fathom_otf2_at(defs, FATHOM_OTF2_REGION, index));
	return (struct fathom_cube_region){
		.name = "MEASUREMENT OFF", .mangled = "MEASUREMENT OFF", .file = "", .paradigm = "measurement",
		.role = "artificial", .description = "", .begin_line = -1, .end_line = -1,
	};
}

/* Returns whether the time of a location belongs to MEASUREMENT OFF: its measurement is off, and it is not in a region
 * that it entered afterwards. MPI calls that a paused thread makes keep their time. */
static bool is_off(const struct fathom_trace_summary *summary, uint64_t location, const struct fathom_otf2_stack *stack)
{
	return summary->off[location].since && stack->count <= summary->off[location].depth;
}

/* Charges the time since the location's last change to its innermost region. */
static void charge(struct fathom_trace_summary *summary, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_stack *stack = fathom_otf2_stack_of(&summary->stacks, event->location);
	uint64_t since = summary->since[event->location];
	int64_t index;

	summary->since[event->location] = event->time;
	if (stack->count == 0 || event->time <= since)
		return;
	index = is_off(summary, event->location, stack) ?
		(int64_t)fathom_otf2_count(&summary->trace->defs, FATHOM_OTF2_REGION) :
		fathom_otf2_index(&summary->trace->defs, FATHOM_OTF2_REGION, stack->regions[stack->count - 1]);
	if (index < 0)
		return;
	summary->regions[index].own_ticks += event->time - since;
	summary->own_ticks += event->time - since;
}

static void take_enter(struct fathom_trace_summary *summary, const struct fathom_otf2_event *event)
{
	uint32_t region = fathom_otf2_event_region_id(&summary->trace->defs, event);
	int64_t index = fathom_otf2_index(&summary->trace->defs, FATHOM_OTF2_REGION, region);

	charge(summary, event);
	fathom_otf2_stack_push(fathom_otf2_stack_of(&summary->stacks, event->location), region);
	if (index >= 0)
		summary->regions[index].visits++;
}

static void take_leave(struct fathom_trace_summary *summary, const struct fathom_otf2_event *event)
{
	struct fathom_otf2_stack *stack = fathom_otf2_stack_of(&summary->stacks, event->location);

	charge(summary, event);
	if (stack->count)
		stack->count--;
}

/* Counts a sample for the region in which it was taken. Samples of other events than time are not counted here. */
static void take_sample(struct fathom_trace_summary *summary, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_defs *defs = &summary->trace->defs;
	const struct fathom_otf2_plain *generator = fathom_otf2_find(defs, FATHOM_OTF2_GENERATOR, event->other);
	int64_t index = fathom_otf2_event_region(defs, event);

	if (index < 0 || !generator || generator->number != OTF2_INTERRUPT_GENERATOR_MODE_TIME)
		return;
	summary->regions[index].samples++;
	summary->samples++;
}

static void take_task(struct fathom_trace_summary *summary, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_location *location = fathom_otf2_at(&summary->trace->defs, FATHOM_OTF2_LOCATION,
								     event->location);
	struct fathom_otf2_task *task;

	charge(summary, event);
	task = fathom_otf2_stacks_task(&summary->stacks, location->process, event);
	if (event->kind == FATHOM_RECORD_THREAD_TASK_SWITCH)
		fathom_otf2_stacks_switch(&summary->stacks, event->location, task);
	else if (task)
		fathom_otf2_stacks_complete(&summary->stacks, event->location, task);
}

static void take_on_off(struct fathom_trace_summary *summary, const struct fathom_otf2_event *event)
{
	struct fathom_trace_off *off = &summary->off[event->location];

	charge(summary, event);
	if (event->op && off->since)
		summary->off_ticks += event->time - off->since;
	if (!event->op && !off->since)
		summary->regions[fathom_trace_summary_region_count(summary) - 1].visits++;
	if (event->op || !off->since)
		off->depth = fathom_otf2_stack_of(&summary->stacks, event->location)->count;
	off->since = event->op ? 0 : event->time;
}

/* --- data ---------------------------------------------------------------------------------------------- */

static struct fathom_otf2_comm_sum *comm_of(struct fathom_trace_summary *summary,
					    const struct fathom_otf2_event *event)
{
	static struct fathom_otf2_comm_sum nowhere;
	int64_t index = fathom_otf2_index(&summary->trace->defs, FATHOM_OTF2_COMM, event->ref);

	return index < 0 ? &nowhere : &summary->comms[index];
}

struct operation {
	struct fathom_table_entry entry;	/* process, handle, id */
	uint32_t mode;
};

static void take_file(struct fathom_trace_summary *summary, const struct fathom_otf2_event *event)
{
	const struct fathom_otf2_location *location = fathom_otf2_at(&summary->trace->defs, FATHOM_OTF2_LOCATION,
								     event->location);
	struct operation *operation = fathom_table_find(&summary->operations, location->process, event->ref, event->id);

	if (event->kind == FATHOM_RECORD_IO_OPERATION_BEGIN) {
		if (!operation)
			operation = fathom_table_add(&summary->operations, location->process, event->ref, event->id);
		operation->mode = event->op;
		return;
	}
	if (!operation)
		return;
	if (event->kind == FATHOM_RECORD_IO_OPERATION_COMPLETE && event->bytes != OTF2_UNDEFINED_UINT64) {
		summary->io_bytes_read += operation->mode == OTF2_IO_OPERATION_MODE_READ ? event->bytes : 0;
		summary->io_bytes_written += operation->mode == OTF2_IO_OPERATION_MODE_WRITE ? event->bytes : 0;
	}
	fathom_table_remove(&summary->operations, operation);
}

/* --- the program --------------------------------------------------------------------------------------- */

static void take_program(struct fathom_trace_summary *summary, const struct fathom_otf2_event *event)
{
	const OTF2_StringRef *arguments = event->types;
	size_t length;
	uint32_t a;

	if (summary->program != OTF2_UNDEFINED_STRING)	/* the first process has set it */
		return;
	summary->program = (uint32_t)event->ref;
	length = (size_t)snprintf(summary->command, sizeof(summary->command), "%s",
				  fathom_otf2_text(&summary->trace->defs, event->ref));
	for (a = 0; a < event->count && length < sizeof(summary->command); a++)
		length += (size_t)snprintf(summary->command + length, sizeof(summary->command) - length, " %s",
					   fathom_otf2_text(&summary->trace->defs, arguments[a]));
}

/* Takes the name of the region that stands for the program, for traces without a program begin. */
static void guess_program(struct fathom_trace_summary *summary)
{
	const struct fathom_otf2_defs *defs = &summary->trace->defs;
	size_t i;

	for (i = 0; summary->program == OTF2_UNDEFINED_STRING && i < fathom_otf2_count(defs,
										       FATHOM_OTF2_REGION); i++) {
		const struct fathom_otf2_region *region = fathom_otf2_at(defs, FATHOM_OTF2_REGION, i);
		const char *command = fathom_otf2_text(defs, region->canonical);

		if (region->role != OTF2_REGION_ROLE_ARTIFICIAL ||
		    region->paradigm != OTF2_PARADIGM_MEASUREMENT_SYSTEM || !summary->regions[i].visits)
			continue;
		summary->program = region->name;
		snprintf(summary->command, sizeof(summary->command), "%s", command);
	}
}

/* --- all events ------------------------------------------------------------------------------------------ */

static bool take(void *taker, const struct fathom_otf2_event *event)
{
	struct fathom_trace_summary *summary = taker;

	if (summary->events++ == 0 || event->time < summary->first)
		summary->first = event->time;
	if (event->time > summary->last)
		summary->last = event->time;
	fathom_progress_set(summary->events);
	summary->kinds[event->kind]++;
	summary->location_events[event->location]++;
	switch (event->kind) {
	case FATHOM_RECORD_ENTER:
	case FATHOM_RECORD_CALLING_CONTEXT_ENTER: take_enter(summary, event); break;
	case FATHOM_RECORD_LEAVE:
	case FATHOM_RECORD_CALLING_CONTEXT_LEAVE: take_leave(summary, event); break;
	case FATHOM_RECORD_CALLING_CONTEXT_SAMPLE: take_sample(summary, event); break;
	case FATHOM_RECORD_THREAD_TEAM_BEGIN:
		charge(summary, event);
		fathom_otf2_stacks_enter_team(&summary->stacks, event->location, event->ref);
		break;
	case FATHOM_RECORD_THREAD_TEAM_END:
		charge(summary, event);
		fathom_otf2_stacks_leave_team(&summary->stacks, event->location);
		break;
	case FATHOM_RECORD_THREAD_TASK_SWITCH:
	case FATHOM_RECORD_THREAD_TASK_COMPLETE: take_task(summary, event); break;
	case FATHOM_RECORD_MPI_SEND:
	case FATHOM_RECORD_MPI_ISEND:
		comm_of(summary, event)->messages++;
		comm_of(summary, event)->bytes += event->bytes;
		break;
	case FATHOM_RECORD_MPI_COLLECTIVE_END:
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE:
		comm_of(summary, event)->collectives++;
		comm_of(summary, event)->collective_bytes += event->bytes;
		break;
	case FATHOM_RECORD_RMA_PUT:
	case FATHOM_RECORD_RMA_GET:
	case FATHOM_RECORD_RMA_ATOMIC: summary->rma_bytes += event->bytes + event->bytes_received; break;
	case FATHOM_RECORD_IO_OPERATION_BEGIN:
	case FATHOM_RECORD_IO_OPERATION_COMPLETE:
	case FATHOM_RECORD_IO_OPERATION_CANCELLED: take_file(summary, event); break;
	case FATHOM_RECORD_BUFFER_FLUSH:
		summary->flush_ticks += event->id > event->time ? event->id - event->time : 0;
		break;
	case FATHOM_RECORD_MEASUREMENT_ON_OFF: take_on_off(summary, event); break;
	case FATHOM_RECORD_PROGRAM_BEGIN: take_program(summary, event); break;
	default: break;
	}
	return true;
}

int fathom_trace_summary_read(struct fathom_trace_summary *summary, struct fathom_otf2_archive *trace)
{
	size_t locations, i;
	int err = fathom_otf2_read_definitions(trace, NULL);

	memset(summary, 0, sizeof(*summary));
	if (err)
		return err;
	locations = fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION);
	summary->trace = trace;
	summary->program = OTF2_UNDEFINED_STRING;
	summary->regions = fathom_tool_alloc(fathom_trace_summary_region_count(summary), sizeof(*summary->regions));
	summary->comms = fathom_tool_alloc(fathom_otf2_count(&trace->defs, FATHOM_OTF2_COMM),
					   sizeof(*summary->comms));
	summary->location_events = fathom_tool_alloc(locations, sizeof(uint64_t));
	summary->since = fathom_tool_alloc(locations, sizeof(uint64_t));
	summary->off = fathom_tool_alloc(locations, sizeof(*summary->off));
	fathom_otf2_stacks_init(&summary->stacks, &trace->defs);
	fathom_table_init(&summary->operations, sizeof(struct operation));
	fathom_progress_begin("reading events", fathom_otf2_event_count(trace));
	err = fathom_otf2_read_events(trace, NULL, take, summary);
	fathom_progress_end();
	for (i = 0; i < locations; i++)		/* measurement that is off at the end stays off until then */
		if (summary->off[i].since && summary->last > summary->off[i].since)
			summary->off_ticks += summary->last - summary->off[i].since;
	guess_program(summary);
	fathom_otf2_stacks_fini(&summary->stacks);
	fathom_table_fini(&summary->operations);
	return err;
}

void fathom_trace_summary_fini(struct fathom_trace_summary *summary)
{
	free(summary->regions);
	free(summary->comms);
	free(summary->location_events);
	free(summary->since);
	free(summary->off);
	memset(summary, 0, sizeof(*summary));
}
