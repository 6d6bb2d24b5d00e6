#include "tools/check/fault_output.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "tools/common/progress.h"

static void print_text(enum fathom_fault kind, const struct fathom_fault_place *place, const char *text)
{
	printf("%s: ", fathom_fault_name(kind));
	if (place && place->where) {
		char where[512];

		snprintf(where, sizeof(where), "%s", place->where);
		fathom_fault_tame(where);
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

static void print_json(const struct fathom_fault_output *output, enum fathom_fault kind,
		       const struct fathom_fault_place *place, const char *text)
{
	json_t *object = json_object();

	json_object_set_new(object, "kind", json_text(fathom_fault_name(kind)));
	if (place && place->where)
		json_object_set_new(object, "where", json_text(place->where));
	if (place && place->event)
		json_object_set_new(object, "event", json_integer((json_int_t)place->event));
	if (place && place->timed) {
		json_object_set_new(object, "time", json_integer((json_int_t)place->time));
		json_object_set_new(object, "seconds", json_real(place->seconds));
	}
	json_object_set_new(object, "text", json_text(text));
	printf("%s", output->shown == 0 ? output->head : ",\n");
	json_dumpf(object, stdout, JSON_COMPACT | JSON_ENSURE_ASCII);
	json_decref(object);
}

/* Shows one fault; the function show of struct fathom_faults. */
static void show(struct fathom_faults *faults, enum fathom_fault kind, const struct fathom_fault_place *place,
		 const char *text)
{
	/* faults is the first member of its output. */
	struct fathom_fault_output *output = (struct fathom_fault_output *)faults;

	if (!output->all && output->shown >= FATHOM_FAULTS_SHOWN)
		return;
	fathom_progress_clear();
	if (output->json)
		print_json(output, kind, place, text);
	else
		print_text(kind, place, text);
	output->shown++;
}

void fathom_fault_output_init(struct fathom_fault_output *output, bool json, bool all, const char *head)
{
	*output = (struct fathom_fault_output){ .faults.show = show, .json = json, .all = all, .head = head };
}
