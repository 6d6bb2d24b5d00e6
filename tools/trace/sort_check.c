#include "tools/trace/sort_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "otf2/faults.h"
#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/common/number_format.h"
#include "tools/trace/operation_matching.h"

enum { LOCATIONS_SHOWN = 10 };

struct place {			/* a location */
	uint64_t events, last;
	uint64_t back;		/* events whose time is before that of the event in front of them */
	double worst_back;	/* in ticks */
	uint64_t early;		/* messages that it received before they were sent */
	double worst_early;
};

struct sort_check {
	struct fathom_otf2_archive *trace;
	struct fathom_operation_matching *matching;
	struct place *places;
	size_t place_count;
	uint64_t messages, unmatched, back, early;
	double worst_back, worst_early;
};

static void take_message(void *data, const struct fathom_operation_part *send,
			 const struct fathom_operation_part *receive)
{
	struct sort_check *check = data;
	struct place *place = &check->places[receive->last_location];
	double ticks;

	check->messages++;
	if (receive->last_time >= send->first_time)
		return;
	ticks = (double)(send->first_time - receive->last_time);
	check->early++;
	place->early++;
	if (ticks > place->worst_early)
		place->worst_early = ticks;
	if (ticks > check->worst_early)
		check->worst_early = ticks;
}

static void take_lone(void *data, const struct fathom_operation_part *part, bool is_left_out)
{
	(void)part;
	(void)is_left_out;
	((struct sort_check *)data)->unmatched++;
}

static bool take_event(void *data, const struct fathom_otf2_event *event)
{
	struct sort_check *check = data;
	struct place *place = &check->places[event->location];
	double ticks;

	if (place->events && event->time < place->last) {
		ticks = (double)(place->last - event->time);
		place->back++;
		check->back++;
		if (ticks > place->worst_back)
			place->worst_back = ticks;
		if (ticks > check->worst_back)
			check->worst_back = ticks;
	}
	place->last = event->time;
	fathom_operation_matching_take(check->matching, event, place->events++, false);
	return true;
}

static void name_place(const struct sort_check *check, size_t index, char name[400])
{
	const struct fathom_otf2_defs *defs = &check->trace->defs;
	const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, index);
	const struct fathom_otf2_process *process = location->process == UINT32_MAX ? NULL :
		fathom_otf2_at(defs, FATHOM_OTF2_PROCESS, location->process);

	snprintf(name, 400, "%s, %s", process ? fathom_otf2_text(defs, process->name) : "no process",
		 fathom_otf2_text(defs, location->name));
	fathom_fault_tame(name);
}

static void print_text(const struct sort_check *check)
{
	const struct fathom_otf2_defs *defs = &check->trace->defs;
	char text[FATHOM_NUMBER_BYTES], name[400];
	size_t i, shown = 0;

	for (i = 0; i < check->place_count; i++) {
		const struct place *place = &check->places[i];

		if (!place->back && !place->early)
			continue;
		if (shown++ >= LOCATIONS_SHOWN)
			continue;
		name_place(check, i, name);
		if (place->back)
			printf("%s: %" PRIu64 " times go back, by %s at most\n", name, place->back,
			       fathom_number_seconds(text, fathom_otf2_seconds(defs, place->worst_back)));
		if (place->early)
			printf("%s: %" PRIu64 " messages received before they were sent, by %s at most\n", name,
			       place->early, fathom_number_seconds(text, fathom_otf2_seconds(defs,
											     place->worst_early)));
	}
	if (shown > LOCATIONS_SHOWN)
		printf("... and %zu more locations (--json has all)\n", shown - LOCATIONS_SHOWN);
	printf("%s: %s: %" PRIu64 " times go back; %" PRIu64 " of %" PRIu64 " messages received before they were sent",
	       check->trace->anchor, check->back + check->early ? "not in order" : "in order", check->back,
		       check->early,
	       check->messages);
	if (check->early)
		printf(", by %s at most", fathom_number_seconds(text, fathom_otf2_seconds(defs, check->worst_early)));
	if (check->unmatched)
		printf("; %" PRIu64 " operations without their partner", check->unmatched);
	printf("\n");
}

static void print_json(const struct sort_check *check)
{
	const struct fathom_otf2_defs *defs = &check->trace->defs;
	char name[400];
	bool is_first = true;
	size_t i;

	printf("{\n\"fathom_trace\": 1");
	fathom_json_member("file", fathom_json_text(check->trace->anchor));
	fathom_json_member("in_order", json_boolean(check->back + check->early == 0));
	fathom_json_member("times_back", json_integer((json_int_t)check->back));
	fathom_json_member("worst_back_seconds", fathom_json_number(fathom_otf2_seconds(defs, check->worst_back)));
	fathom_json_member("messages", json_integer((json_int_t)check->messages));
	fathom_json_member("received_early", json_integer((json_int_t)check->early));
	fathom_json_member("worst_early_seconds", fathom_json_number(fathom_otf2_seconds(defs, check->worst_early)));
	fathom_json_member("unmatched", json_integer((json_int_t)check->unmatched));
	fathom_json_begin_list("locations");
	for (i = 0; i < check->place_count; i++) {
		const struct place *place = &check->places[i];
		json_t *object;

		if (!place->back && !place->early)
			continue;
		object = json_object();
		name_place(check, i, name);
		fathom_json_set_text(object, "name", name);
		fathom_json_set_number(object, "times_back", (double)place->back);
		fathom_json_set_number(object, "worst_back_seconds", fathom_otf2_seconds(defs, place->worst_back));
		fathom_json_set_number(object, "received_early", (double)place->early);
		fathom_json_set_number(object, "worst_early_seconds", fathom_otf2_seconds(defs, place->worst_early));
		fathom_json_item(is_first, object);
		is_first = false;
	}
	fathom_json_end_list();
	printf("\n}\n");
}

int fathom_sort_check_print(struct fathom_otf2_archive *trace, bool json, bool *is_sorted)
{
	struct sort_check check = { .trace = trace };
	struct fathom_otf2_selection all;
	int err;

	check.place_count = fathom_otf2_count(&trace->defs, FATHOM_OTF2_LOCATION);
	check.places = fathom_tool_alloc(check.place_count, sizeof(struct place));
	fathom_otf2_selection_init(&all, &trace->defs, NULL);
	check.matching = fathom_operation_matching_create(&all, &(struct fathom_operation_user){
		.data = &check, .message = take_message, .lone = take_lone,
	});
	err = fathom_otf2_read_events(trace, NULL, take_event, &check);
	fathom_operation_matching_destroy(check.matching);
	if (err)
		fathom_tool_error("%s", trace->error);
	else
		(json ? print_json : print_text)(&check);
	*is_sorted = check.back + check.early == 0;
	fathom_otf2_selection_fini(&all);
	free(check.places);
	return err;
}
