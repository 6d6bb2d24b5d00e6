#include "tools/common/trace_faults.h"

#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

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

/* Names come from the file and may be anything: keep it one harmless line. */
static void tame(char *text)
{
	for (; *text; text++)
		if (iscntrl((unsigned char)*text))
			*text = '?';
}

static void print_text(enum fathom_fault kind, const struct fathom_fault_place *place, const char *text)
{
	printf("%s: ", kinds[kind].name);
	if (place && place->where) {
		char where[512];

		snprintf(where, sizeof(where), "%s", place->where);
		tame(where);
		printf("%s", where);
	}
	if (place && place->event)
		printf(", event %" PRIu64, place->event);
	if (place && place->timed)
		printf("%s%.9f s (time %" PRIu64 ")", place->where ? ", at " : "at ", place->seconds, place->time);
	if (place && (place->where || place->timed))
		printf(": ");
	printf("%s\n", text);
}

static json_t *json_text(const char *bytes)
{
	json_t *string = json_string(bytes);

	return string ? string : json_string("?");
}

static void print_json(const struct fathom_faults *faults, enum fathom_fault kind,
		       const struct fathom_fault_place *place, const char *text)
{
	json_t *object = json_object();

	json_object_set_new(object, "kind", json_text(kinds[kind].name));
	if (place && place->where)
		json_object_set_new(object, "where", json_text(place->where));
	if (place && place->event)
		json_object_set_new(object, "event", json_integer((json_int_t)place->event));
	if (place && place->timed) {
		json_object_set_new(object, "time", json_integer((json_int_t)place->time));
		json_object_set_new(object, "seconds", json_real(place->seconds));
	}
	json_object_set_new(object, "text", json_text(text));
	printf("%s", faults->shown == 0 ? faults->head : ",\n");
	json_dumpf(object, stdout, JSON_COMPACT | JSON_ENSURE_ASCII);
	json_decref(object);
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
	if (!faults->all && faults->shown >= FATHOM_FAULTS_SHOWN)
		return;
	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	tame(text);
	if (faults->json)
		print_json(faults, kind, place, text);
	else
		print_text(kind, place, text);
	faults->shown++;
}
