#include "otf2/faults.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>


static const struct {
	const char *name;
	unsigned excuse;
} kinds[FATHOM_FAULT_KINDS] = {
	[FATHOM_FAULT_LIBRARY] = { "unreadable", 0 },
	[FATHOM_FAULT_ANCHOR] = { "wrong count in the anchor", 0 },
	[FATHOM_FAULT_FILES] = { "files", 0 },
	[FATHOM_FAULT_IDS] = { "ids out of order", 0 },
	[FATHOM_FAULT_REFERENCE] = { "definition refers to nothing", 0 },
	[FATHOM_FAULT_CLOCK] = { "clock properties", 0 },
	[FATHOM_FAULT_PARADIGM] = { "paradigm", 0 },
	[FATHOM_FAULT_TREE] = { "system tree", 0 },
	[FATHOM_FAULT_REGION] = { "region", 0 },
	[FATHOM_FAULT_GROUP] = { "group members", 0 },
	[FATHOM_FAULT_COMM] = { "communicator", 0 },
	[FATHOM_FAULT_METRIC] = { "metric", 0 },
	[FATHOM_FAULT_TOPOLOGY] = { "topology", 0 },
	[FATHOM_FAULT_HANDLE] = { "handle definition", 0 },
	[FATHOM_FAULT_MAPPING] = { "mapping table", 0 },
	[FATHOM_FAULT_OFFSET] = { "clock offsets", 0 },
	[FATHOM_FAULT_TIME] = { "time goes back", 0 },
	[FATHOM_FAULT_SPAN] = { "outside the clock properties", 0 },
	[FATHOM_FAULT_COUNT] = { "number of events", 0 },
	[FATHOM_FAULT_UNDEFINED] = { "event refers to nothing", 0 },
	[FATHOM_FAULT_BALANCE] = { "unbalanced leave", 0 },
	[FATHOM_FAULT_OPEN] = { "never left", 0 },
	[FATHOM_FAULT_PROGRAM] = { "program begin and end", 0 },
	[FATHOM_FAULT_OFF] = { "measurement on and off", 0 },
	[FATHOM_FAULT_FLUSH] = { "buffer flush", 0 },
	[FATHOM_FAULT_VALUES] = { "metric values", 0 },
	[FATHOM_FAULT_PARAMETER] = { "parameter", 0 },
	[FATHOM_FAULT_ATTRIBUTE] = { "attribute", 0 },
	[FATHOM_FAULT_RECORD] = { "unknown record", 0 },
	[FATHOM_FAULT_RANK] = { "rank", 0 },
	[FATHOM_FAULT_UNRECEIVED] = { "message never received", FATHOM_EXCUSE_MPI },
	[FATHOM_FAULT_UNSENT] = { "message never sent", FATHOM_EXCUSE_MPI },
	[FATHOM_FAULT_LENGTH] = { "received more than sent", FATHOM_EXCUSE_MPI },
	[FATHOM_FAULT_EARLY] = { "received before sent", FATHOM_EXCUSE_MPI },
	[FATHOM_FAULT_REQUEST] = { "request", FATHOM_EXCUSE_MPI },
	[FATHOM_FAULT_BRACKET] = { "collective begin and end", FATHOM_EXCUSE_MPI },
	[FATHOM_FAULT_MEMBERS] = { "collective without all members", FATHOM_EXCUSE_MPI },
	[FATHOM_FAULT_DIFFERENT] = { "collectives differ", FATHOM_EXCUSE_MPI },
	[FATHOM_FAULT_COMM_LIFE] = { "communicator created and destroyed", FATHOM_EXCUSE_MPI },
	[FATHOM_FAULT_FORK] = { "fork and join", FATHOM_EXCUSE_FORK_JOIN },
	[FATHOM_FAULT_TEAM] = { "team begin and end", FATHOM_EXCUSE_FORK_JOIN },
	[FATHOM_FAULT_TASK] = { "task", FATHOM_EXCUSE_FORK_JOIN },
	[FATHOM_FAULT_THREAD] = { "thread created, begun, ended", FATHOM_EXCUSE_CREATE_WAIT },
	[FATHOM_FAULT_LOCK] = { "lock", FATHOM_EXCUSE_LOCK },
	[FATHOM_FAULT_WINDOW] = { "window created and destroyed", FATHOM_EXCUSE_MPI },
	[FATHOM_FAULT_WINDOW_MEMBERS] = { "window collective", FATHOM_EXCUSE_MPI },
	[FATHOM_FAULT_WINDOW_LOCK] = { "window lock", FATHOM_EXCUSE_MPI },
	[FATHOM_FAULT_ONE_SIDED] = { "one-sided operation", FATHOM_EXCUSE_MPI },
	[FATHOM_FAULT_IO_HANDLE] = { "file handle", 0 },
	[FATHOM_FAULT_IO_OPERATION] = { "file operation", 0 },
};

const char *fathom_fault_name(enum fathom_fault kind)
{
	return kinds[kind].name;
}

void fathom_fault_tame(char *text)
{
	for (; *text; text++)
		if (iscntrl((unsigned char)*text))
			*text = '?';
}

void fathom_fault_say(struct fathom_faults *faults, enum fathom_fault kind, const struct fathom_fault_place *place,
		      const char *format, ...)
{
	va_list arguments;
	char text[1024];

	if (!faults)
		return;
	if (kinds[kind].excuse & faults->excuses) {
		faults->excused++;
		return;
	}
	faults->counts[kind]++;
	faults->count++;
	if (!faults->show)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	fathom_fault_tame(text);
	faults->show(faults, kind, place, text);
}
