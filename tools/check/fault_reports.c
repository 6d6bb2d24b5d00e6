#include "tools/check/fault_reports.h"

#include <stdarg.h>
#include <stdio.h>

#include "tools/check/check.h"

uint32_t fathom_check_process(const struct fathom_check *check, uint32_t location)
{
	const struct fathom_otf2_location *its = fathom_otf2_at(&check->trace.defs, FATHOM_OTF2_LOCATION, location);

	return its->process;
}

void *fathom_check_definition(const struct fathom_check *check, const struct fathom_otf2_event *event)
{
	return fathom_otf2_find(&check->trace.defs, fathom_otf2_records[event->kind].refers, event->ref);
}

const char *fathom_check_region_name(struct fathom_check *check, uint64_t region)
{
	char *name = check->names[check->name++ % 2];

	return fathom_otf2_name(&check->trace.defs, FATHOM_OTF2_REGION, region, name, sizeof(check->names[0]));
}

static struct fathom_fault_place place_of(struct fathom_check *check, uint32_t location)
{
	const struct fathom_otf2_defs *defs = &check->trace.defs;
	const struct fathom_otf2_location *its = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, location);
	char process[200] = "no process", thread[200];

	if (its->process != UINT32_MAX) {
		const struct fathom_otf2_process *of = fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, its->process);

		fathom_otf2_name(defs, FATHOM_OTF2_PROCESS, of->id, process, sizeof(process));
	}
	fathom_otf2_name(defs, FATHOM_OTF2_LOCATION, its->id, thread, sizeof(thread));
	snprintf(check->where, sizeof(check->where), "%s, %s", process, thread);
	return (struct fathom_fault_place){ .where = check->where };
}

static void set_time(const struct fathom_check *check, struct fathom_fault_place *place, uint64_t time)
{
	place->timed = true;
	place->time = time;
	place->seconds = fathom_otf2_seconds(&check->trace.defs, (double)(int64_t)(time - check->trace.defs.offset));
}

void fathom_check_fault(struct fathom_check *check, enum fathom_fault kind, const struct fathom_otf2_event *event,
			const char *format, ...)
{
	struct fathom_fault_place place = place_of(check, event->location);
	va_list arguments;
	char text[1024];

	place.event = check->locations[event->location].count;
	set_time(check, &place, event->time);
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fathom_fault_say(&check->output.faults, kind, &place, "%s: %s", fathom_otf2_records[event->kind].name, text);
}

void fathom_check_fault_at(struct fathom_check *check, enum fathom_fault kind, uint32_t location, uint64_t time,
			   const char *format, ...)
{
	struct fathom_fault_place place = place_of(check, location);
	va_list arguments;
	char text[1024];

	if (time != UINT64_MAX)
		set_time(check, &place, time);
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fathom_fault_say(&check->output.faults, kind, &place, "%s", text);
}
