/*
 * main: `fathom check`: finds faults in an OTF2 trace.
 *
 * The program reads the trace once, in the order of time. Memory grows with the number of operations that are
 * incomplete at a time, not with the number of events.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgraphs/graph_trace.h"
#include "otf2/memory.h"
#include "tools/check/check.h"
#include "tools/check/collectives.h"
#include "tools/check/events.h"
#include "tools/check/files.h"
#include "tools/check/general.h"
#include "tools/check/locks.h"
#include "tools/check/messages.h"
#include "tools/check/teams.h"
#include "tools/check/windows.h"
#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/number_format.h"
#include "tools/common/progress.h"
#include "tools/common/text_layout.h"

enum { NO_TRACE = 2 };	/* exit code */

static const char help[] =
	"usage: fathom check [options] [DIRECTORY | traces.otf2]\n"
	"\n"
	"Read an OTF2 trace and say what is wrong with it: definitions, times, balance of\n"
	"regions, messages, collectives, requests, teams, tasks, locks, windows, files.\n"
	"Without a name, the newest experiment with a trace in FATHOM_DIR, if that is set,\n"
	"else in the present directory.\n"
	"\n"
	"  --all              every fault, not only the first ten\n"
	"  --clock NS         messages received more than NS nanoseconds before they were\n"
	"                     sent are faults, too; else they are only counted\n"
	"  --json             the result for programs\n"
	"  --help, --version\n"
	"\n"
	"Exit status: 0 good, 1 faults, 2 no trace or a wrong command line.\n";

enum { ALL = 256, CLOCK, JSON };

static const struct option options_known[] = {
	{ "all", no_argument, NULL, ALL },
	{ "clock", required_argument, NULL, CLOCK },
	{ "json", no_argument, NULL, JSON },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, FATHOM_ARGUMENT_VERSION },
	{ NULL, 0, NULL, 0 },
};

static double nanoseconds(const char *text)
{
	char *end;
	double number = strtod(text, &end);

	if (end == text || *end || !(number >= 0))
		fathom_tool_usage_error("--clock %s: not a number of nanoseconds from 0 on", text);
	return number;
}

static void parse(struct fathom_check_options *options, int argc, char **argv)
{
	int code;

	options->clock_ns = -1;
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":h", options_known, NULL)) != -1) {
		switch (code) {
		case ALL: options->all = true; break;
		case CLOCK: options->clock_ns = nanoseconds(optarg); break;
		case JSON: options->json = true; break;
		default: fathom_argument_other(argv, code, help);
		}
	}
	options->target = fathom_argument_target(argc, argv);
}

/* --- reading ----------------------------------------------------------------------------------------------- */

/* Reads the trace's properties about itself: if it declares that events are missing, their absence is no fault. */
static void read_properties(struct fathom_check *check)
{
	static const struct {
		const char *name;
		unsigned excuse;
	} properties[] = {
		{ "OTF2::MPI_COMMUNICATION_COMPLETE", FATHOM_EXCUSE_MPI },
		{ "OTF2::THREAD_FORK_JOIN_EVENT_COMPLETE", FATHOM_EXCUSE_FORK_JOIN },
		{ "OTF2::THREAD_CREATE_WAIT_EVENT_COMPLETE", FATHOM_EXCUSE_CREATE_WAIT },
		{ "OTF2::THREAD_LOCK_EVENT_COMPLETE", FATHOM_EXCUSE_LOCK },
	};
	const char *value;
	size_t i;

	for (i = 0; i < sizeof(properties) / sizeof(properties[0]); i++) {
		value = fathom_otf2_property(&check->trace, properties[i].name);
		if (value && strcmp(value, "false") == 0)
			check->output.faults.excuses |= properties[i].excuse;
	}
	value = fathom_otf2_property(&check->trace, "OTF2::PTHREAD_LOCATION_REUSED");
	check->reuses_threads = value && strcmp(value, "true") == 0;
}

static void read_events(struct fathom_check *check)
{
	check->locations = fathom_tool_alloc(fathom_otf2_count(&check->trace.defs, FATHOM_OTF2_LOCATION),
					     sizeof(*check->locations));
	fathom_otf2_stacks_init(&check->stacks, &check->trace.defs);
	fathom_check_general_init(check);
	fathom_check_messages_init(check);
	fathom_check_collectives_init(check);
	fathom_check_teams_init(check);
	fathom_check_locks_init(check);
	fathom_check_windows_init(check);
	fathom_check_files_init(check);
	fathom_progress_begin("reading events", fathom_otf2_event_count(&check->trace));
	fathom_otf2_read_events(&check->trace, &check->output.faults, fathom_check_event, check);
	fathom_progress_end();
	fathom_check_events_finish(check);
	fathom_check_general_finish(check);
	fathom_check_messages_finish(check);
	fathom_check_collectives_finish(check);
	fathom_check_teams_finish(check);
	fathom_check_locks_finish(check);
	fathom_check_windows_finish(check);
	fathom_check_files_finish(check);
	fathom_otf2_stacks_fini(&check->stacks);
	free(check->locations);
}

/* --- the result --------------------------------------------------------------------------------------------- */

static void describe_violations(const struct fathom_check *check, char *text, size_t bytes)
{
	const struct fathom_check_violations *within = &check->within_host, *between = &check->between_hosts;
	char time[FATHOM_NUMBER_BYTES];
	size_t length;

	if (within->count + between->count == 0) {
		snprintf(text, bytes, "no message received before it was sent");
		return;
	}
	length = (size_t)snprintf(text, bytes, "clocks: ");
	if (within->count)
		length += (size_t)snprintf(text + length, bytes - length,
					   "%" PRIu64 " messages within a host received before "
					   "they were sent, by %s at most%s", within->count,
					   fathom_number_seconds(time, fathom_otf2_seconds(&check->trace.defs,
											     within->worst_ticks)),
					   between->count ? "; " : "");
	if (between->count)
		snprintf(text + length, bytes - length, "%" PRIu64 " between hosts, by %s at most", between->count,
			 fathom_number_seconds(time, fathom_otf2_seconds(&check->trace.defs, between->worst_ticks)));
}

static void print_rest(const struct fathom_check *check)
{
	unsigned kind;
	bool first = true;

	if (check->output.faults.count <= check->output.shown)
		return;
	printf("... and %" PRIu64 " more; all together:", check->output.faults.count - check->output.shown);
	for (kind = 0; kind < FATHOM_FAULT_KINDS; kind++) {
		if (check->output.faults.counts[kind])
			printf("%s %" PRIu64 " %s", first ? "" : ",", check->output.faults.counts[kind],
			       fathom_fault_name(kind));
		first = first && !check->output.faults.counts[kind];
	}
	printf(" (--all shows them)\n");
}

static void print_summary(const struct fathom_check *check)
{
	char violations[256], excused[96] = "";

	print_rest(check);
	describe_violations(check, violations, sizeof(violations));
	if (check->output.faults.excused)
		snprintf(excused, sizeof(excused), "; %" PRIu64 " gaps that the trace itself declares",
			 check->output.faults.excused);
	if (check->output.faults.count)
		printf("%s: %" PRIu64 " fault%s in", check->trace.anchor, check->output.faults.count,
		       check->output.faults.count == 1 ? "" : "s");
	else
		printf("%s: good:", check->trace.anchor);
	printf(" %" PRIu64 " events of %zu locations, %" PRIu64 " messages, %" PRIu64 " collectives; %s%s\n",
	       check->events, fathom_otf2_count(&check->trace.defs, FATHOM_OTF2_LOCATION), check->messages,
	       check->collectives, violations, excused);
}

static json_t *violations(const struct fathom_check *check, const struct fathom_check_violations *violations)
{
	return json_pack("{s:I, s:f}", "count", (json_int_t)violations->count, "worst_seconds",
			 fathom_otf2_seconds(&check->trace.defs, violations->worst_ticks));
}

static json_t *fault_counts(const struct fathom_check *check)
{
	json_t *object = json_object();
	unsigned kind;

	for (kind = 0; kind < FATHOM_FAULT_KINDS; kind++)
		if (check->output.faults.counts[kind])
			json_object_set_new(object, fathom_fault_name(kind),
					    json_integer((json_int_t)check->output.faults.counts[kind]));
	return object;
}

static json_t *event_counts(const struct fathom_check *check)
{
	json_t *object = json_object();
	unsigned kind;

	for (kind = 0; kind < FATHOM_RECORD_COUNT; kind++)
		if (check->kinds[kind])
			json_object_set_new(object, fathom_otf2_records[kind].name,
					    json_integer((json_int_t)check->kinds[kind]));
	return object;
}

static void member(const char *key, json_t *value)
{
	printf(",\n\"%s\": ", key);
	json_dumpf(value, stdout, JSON_ENCODE_ANY | JSON_COMPACT | JSON_ENSURE_ASCII);
	json_decref(value);
}

static void print_json(const struct fathom_check *check)
{
	json_t *file = json_string(check->trace.anchor);

	printf("%s\n]", check->output.shown ? "" : check->output.head);
	member("file", file ? file : json_string("?"));
	member("good", json_boolean(check->output.faults.count == 0));
	member("fault_count", json_integer((json_int_t)check->output.faults.count));
	member("faults_by_kind", fault_counts(check));
	member("excused", json_integer((json_int_t)check->output.faults.excused));
	member("events", json_integer((json_int_t)check->events));
	member("events_by_kind", event_counts(check));
	member("locations", json_integer((json_int_t)fathom_otf2_count(&check->trace.defs, FATHOM_OTF2_LOCATION)));
	member("messages", json_integer((json_int_t)check->messages));
	member("collectives", json_integer((json_int_t)check->collectives));
	member("clock_violations_within_host", violations(check, &check->within_host));
	member("clock_violations_between_hosts", violations(check, &check->between_hosts));
	printf("\n}\n");
}

int main(int argc, char **argv)
{
	struct fathom_experiment experiment;
	struct fathom_check check = { 0 };
	int code;

	fathom_tool_begin("check");
	parse(&check.options, argc, argv);
	fathom_otf2_memory_set_end(fathom_tool_out_of_memory);
	fathom_fault_output_init(&check.output, check.options.json, check.options.all,
				 "{\n\"fathom_check\": 1,\n\"faults\": [\n");
	if (fathom_experiment_find_trace(&experiment, check.options.target))
		return NO_TRACE;
	if (fathom_trace_open(&check.trace, experiment.path)) {
		fathom_tool_error("%s", check.trace.error);
		return NO_TRACE;
	}
	read_properties(&check);
	if (fathom_otf2_read_definitions(&check.trace, &check.output.faults)) {
		fathom_tool_error("%s", check.trace.error);
		fathom_otf2_close(&check.trace);
		return NO_TRACE;
	}
	read_events(&check);
	(check.options.json ? print_json : print_summary)(&check);
	code = check.output.faults.count ? FATHOM_TOOL_FAILURE : 0;
	fathom_otf2_close(&check.trace);
	return fathom_tool_end() ? FATHOM_TOOL_FAILURE : code;
}
