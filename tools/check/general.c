#include "tools/check/general.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/check/check.h"
#include "tools/check/fault_reports.h"
#include "tools/common/command.h"

struct process {
	uint64_t first, begin, end;	/* times of the first event, of program begin and of program end */
	bool has_events, begun, ended, said;
};

struct strict {			/* a metric class that has values at every enter and leave, at one location */
	struct fathom_table_entry entry;	/* location, metric id */
	uint64_t time;
	bool fresh;		/* values came since the last enter or leave */
	struct strict *next;	/* the next class of the same location */
};

struct fathom_check_general {
	struct process *processes;
	size_t process_count;
	struct strict **strict;	/* by location */
	struct fathom_table metrics;
	bool programs;		/* some process has a program begin */
	bool flush_region;	/* there is a region for flushes */
};

void fathom_check_general_init(struct fathom_check *check)
{
	const struct fathom_otf2_defs *defs = &check->trace.defs;
	struct fathom_check_general *part = fathom_tool_alloc(1, sizeof(*part));
	size_t i;

	part->process_count = fathom_otf2_count(defs, FATHOM_OTF2_PROCESS);
	part->processes = fathom_tool_alloc(part->process_count, sizeof(*part->processes));
	part->strict = fathom_tool_alloc(fathom_otf2_count(defs, FATHOM_OTF2_LOCATION), sizeof(struct strict *));
	fathom_table_init(&part->metrics, sizeof(struct strict));
	for (i = 0; !part->flush_region && i < fathom_otf2_count(defs, FATHOM_OTF2_REGION); i++) {
		const struct fathom_otf2_region *region = fathom_otf2_at(defs, FATHOM_OTF2_REGION, i);

		part->flush_region = strcmp(fathom_otf2_text(defs, region->name), "TRACE BUFFER FLUSH") == 0;
	}
	check->general = part;
}

/* --- regions -------------------------------------------------------------------------------------------- */

/* Checks that strict metrics have values right before an enter or leave, at the same time. */
static void check_strict(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	struct strict *strict;

	for (strict = check->general->strict[event->location]; strict; strict = strict->next) {
		if (!strict->fresh || strict->time != event->time)
			fathom_check_fault(check, FATHOM_FAULT_VALUES, event,
					   "no values of metric %" PRIu64 ", which has some at "
					   "every enter and leave", strict->entry.key[1]);
		strict->fresh = false;
	}
}

static void take_visit(struct fathom_check *check, const struct fathom_otf2_event *event, uint64_t region,
		       bool is_enter)
{
	struct fathom_check_location *location = &check->locations[event->location];
	struct fathom_otf2_stack *stack = fathom_otf2_stack_of(&check->stacks, event->location);

	if (location->off && is_enter)
		fathom_check_fault(check, FATHOM_FAULT_OFF, event, "%s is entered while measurement is off",
				   fathom_check_region_name(check, region));
	location->left_while_off |= location->off && !is_enter;
	if (check->general->strict[event->location])
		check_strict(check, event);
	if (is_enter) {
		fathom_otf2_stack_push(stack, (uint32_t)region);
		return;
	}
	if (stack->count == 0) {
		if (!location->old_tasks)
			fathom_check_fault(check, FATHOM_FAULT_BALANCE, event, "%s is left, but nothing is open",
					   fathom_check_region_name(check, region));
		return;
	}
	if (stack->regions[--stack->count] != region && !location->old_tasks)
		fathom_check_fault(check, FATHOM_FAULT_BALANCE, event, "%s is left, but %s was entered last",
				   fathom_check_region_name(check, region),
				   fathom_check_region_name(check, stack->regions[stack->count]));
}

static void check_mixture(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	struct fathom_check_location *location = &check->locations[event->location];

	if (!location->contexts || !location->plain_regions || location->said_mixed)
		return;
	location->said_mixed = true;
	fathom_check_fault(check, FATHOM_FAULT_RECORD, event, "enters with and without calling context are mixed");
}

static void take_context(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	struct fathom_check_location *location = &check->locations[event->location];
	const struct fathom_otf2_plain *context = fathom_check_definition(check, event);

	if (event->kind == FATHOM_RECORD_CALLING_CONTEXT_SAMPLE) {
		if (!fathom_otf2_find(&check->trace.defs, FATHOM_OTF2_GENERATOR, event->other))
			fathom_check_fault(check, FATHOM_FAULT_UNDEFINED, event,
					   "interrupt generator %" PRIu64 " is not defined",
					   event->other);
		return;
	}
	location->contexts = true;
	check_mixture(check, event);
	take_visit(check, event, context->number, event->kind == FATHOM_RECORD_CALLING_CONTEXT_ENTER);
}

/* --- others --------------------------------------------------------------------------------------------- */

static void take_metric(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	struct fathom_check_general *part = check->general;
	const struct fathom_otf2_defs *defs = &check->trace.defs;
	const struct fathom_otf2_metric *metric = fathom_check_definition(check, event);
	const OTF2_Type *types = event->types;
	struct strict *strict;
	unsigned m;

	if (metric->of_class >= 0)
		metric = fathom_otf2_at(defs, FATHOM_OTF2_METRIC, (uint64_t)metric->of_class);
	if (metric->count != event->count) {
		fathom_check_fault(check, FATHOM_FAULT_VALUES, event, "%u values of metric %" PRIu64 ", which has %u",
				   event->count, event->ref, metric->count);
		return;
	}
	for (m = 0; m < metric->count; m++) {
		const struct fathom_otf2_typed *member = fathom_otf2_find(defs, FATHOM_OTF2_MEMBER,
									  metric->members[m]);

		if (member && member->type != types[m])
			fathom_check_fault(check, FATHOM_FAULT_VALUES, event,
					   "value %u of metric %" PRIu64 " is of type %u, not %u",
					   m, event->ref, types[m], member->type);
	}
	if (metric->occurrence != OTF2_METRIC_SYNCHRONOUS_STRICT)
		return;
	strict = fathom_table_find(&part->metrics, event->location, event->ref, 0);
	if (!strict) {
		strict = fathom_table_add(&part->metrics, event->location, event->ref, 0);
		strict->next = part->strict[event->location];
		part->strict[event->location] = strict;
	}
	strict->time = event->time;
	strict->fresh = true;
}

static void take_parameter(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	static const char *const names[] = { "a string", "a signed number", "an unsigned number" };
	const struct fathom_otf2_typed *parameter = fathom_check_definition(check, event);
	unsigned type = OTF2_PARAMETER_TYPE_UINT64;

	if (event->kind == FATHOM_RECORD_PARAMETER_STRING)
		type = OTF2_PARAMETER_TYPE_STRING;
	else if (event->kind == FATHOM_RECORD_PARAMETER_INT)
		type = OTF2_PARAMETER_TYPE_INT64;
	if (parameter->type != type)
		fathom_check_fault(check, FATHOM_FAULT_PARAMETER, event, "%s is recorded as %s, defined as %s",
				   fathom_otf2_text(&check->trace.defs, parameter->name), names[type],
				   parameter->type < 3 ? names[parameter->type] : "something else");
	if (event->kind == FATHOM_RECORD_PARAMETER_STRING &&
	    !fathom_otf2_find(&check->trace.defs, FATHOM_OTF2_STRING, event->other))
		fathom_check_fault(check, FATHOM_FAULT_UNDEFINED, event, "string %" PRIu64 " is not defined",
				   event->other);
	if (fathom_otf2_stack_of(&check->stacks, event->location)->count == 0)
		fathom_check_fault(check, FATHOM_FAULT_PARAMETER, event, "%s outside of any region",
				   fathom_otf2_text(&check->trace.defs, parameter->name));
}

static void take_on_off(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	struct fathom_check_location *location = &check->locations[event->location];

	if (location->off == !event->op)
		fathom_check_fault(check, FATHOM_FAULT_OFF, event, "recording is %s already",
				   event->op ? "on" : "off");
	/* Regions may be left while measurement is off if it is not switched on again: then the program ended. */
	if (event->op && location->left_while_off)
		fathom_check_fault(check, FATHOM_FAULT_OFF, event, "regions were left while measurement was off");
	location->left_while_off = false;
	location->off = !event->op;
}

static void take_program(struct fathom_check *check, const struct fathom_otf2_event *event, struct process *process)
{
	const OTF2_StringRef *arguments = event->types;
	uint32_t a;

	if (event->kind == FATHOM_RECORD_PROGRAM_END) {
		if (!process->begun || process->ended)
			fathom_check_fault(check, FATHOM_FAULT_PROGRAM, event, "the program ends, but %s",
					   process->ended ? "did so before" : "did not begin");
		process->ended = true;
		process->end = event->time;
		return;
	}
	if (process->begun)
		fathom_check_fault(check, FATHOM_FAULT_PROGRAM, event, "the program begins a second time");
	else if (process->first < event->time || check->locations[event->location].count > 1)
		fathom_check_fault(check, FATHOM_FAULT_PROGRAM, event,
				   "the process has events before its program begins");
	process->begun = check->general->programs = true;
	process->begin = event->time;
	for (a = 0; a < event->count; a++)
		if (!fathom_otf2_find(&check->trace.defs, FATHOM_OTF2_STRING, arguments[a]))
			fathom_check_fault(check, FATHOM_FAULT_UNDEFINED, event, "string %u is not defined",
					   arguments[a]);
}

static void take_flush(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	if (event->id < event->time)
		fathom_check_fault(check, FATHOM_FAULT_FLUSH, event, "it ends at time %" PRIu64 ", before it begins",
				   event->id);
	if (!check->general->flush_region)
		fathom_check_fault(check, FATHOM_FAULT_FLUSH, event, "no region TRACE BUFFER FLUSH is defined");
	check->general->flush_region = true;	/* so that the fault is reported only once */
}

/* Checks that each event of a process lies between its program begin and program end. */
static void take_any(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	uint32_t index = fathom_check_process(check, event->location);
	struct process *process = index == UINT32_MAX ? NULL : &check->general->processes[index];

	if (!process)
		return;
	if (!process->has_events)
		process->first = event->time;
	process->has_events = true;
	if (process->ended && event->time > process->end && !process->said) {
		process->said = true;
		fathom_check_fault(check, FATHOM_FAULT_PROGRAM, event,
				   "the process has events after its program ended");
	}
	if (event->kind == FATHOM_RECORD_PROGRAM_BEGIN || event->kind == FATHOM_RECORD_PROGRAM_END)
		take_program(check, event, process);
}

void fathom_check_general_event(struct fathom_check *check, const struct fathom_otf2_event *event)
{
	take_any(check, event);
	switch (event->kind) {
	case FATHOM_RECORD_ENTER:
	case FATHOM_RECORD_LEAVE:
		check->locations[event->location].plain_regions = true;
		check_mixture(check, event);
		take_visit(check, event, event->ref, event->kind == FATHOM_RECORD_ENTER);
		break;
	case FATHOM_RECORD_CALLING_CONTEXT_ENTER:
	case FATHOM_RECORD_CALLING_CONTEXT_LEAVE:
	case FATHOM_RECORD_CALLING_CONTEXT_SAMPLE: take_context(check, event); break;
	case FATHOM_RECORD_METRIC: take_metric(check, event); break;
	case FATHOM_RECORD_PARAMETER_STRING:
	case FATHOM_RECORD_PARAMETER_INT:
	case FATHOM_RECORD_PARAMETER_UNSIGNED_INT: take_parameter(check, event); break;
	case FATHOM_RECORD_MEASUREMENT_ON_OFF: take_on_off(check, event); break;
	case FATHOM_RECORD_BUFFER_FLUSH: take_flush(check, event); break;
	case FATHOM_RECORD_UNKNOWN:
		fathom_check_fault(check, FATHOM_FAULT_RECORD, event,
				   "a record that this version of OTF2 does not know");
		break;
	default: break;
	}
}

/* --- the end ---------------------------------------------------------------------------------------------- */

static void finish_process(struct fathom_check *check, uint32_t index)
{
	const struct fathom_otf2_process *its = fathom_otf2_at(&check->trace.defs, FATHOM_OTF2_PROCESS, index);
	const struct process *process = &check->general->processes[index];
	const char *wrong = NULL;
	char name[300];

	if (process->begun && !process->ended)
		wrong = "the program begins, but does not end";
	else if (!process->begun && process->has_events && check->general->programs &&
		 its->type == OTF2_LOCATION_GROUP_TYPE_PROCESS)
		wrong = "no begin of the program, which others have";
	if (wrong)
		fathom_fault_say(&check->output.faults, FATHOM_FAULT_PROGRAM, NULL, "%s: %s", fathom_otf2_name(
				 &check->trace.defs, FATHOM_OTF2_PROCESS, its->id, name, sizeof(name)), wrong);
}

static void say_open(struct fathom_check *check, uint32_t location, const struct fathom_otf2_stack *stack)
{
	if (stack->count && !check->locations[location].old_tasks)
		fathom_check_fault_at(check, FATHOM_FAULT_OPEN, location, UINT64_MAX,
				      "%u open at the end, the innermost is %s",
				      stack->count, fathom_check_region_name(check, stack->regions[stack->count - 1]));
}

void fathom_check_general_finish(struct fathom_check *check)
{
	struct fathom_check_general *part = check->general;
	uint32_t i, team;

	for (i = 0; i < fathom_otf2_count(&check->trace.defs, FATHOM_OTF2_LOCATION); i++)
		for (team = 0; team < check->stacks.threads[i].team_count; team++)
			say_open(check, i, &check->stacks.threads[i].teams[team].stack);
	for (i = 0; i < part->process_count; i++)
		finish_process(check, i);
	fathom_table_fini(&part->metrics);
	free(part->processes);
	free(part->strict);
	free(part);
	check->general = NULL;
}
