/*
 * main: `fathom analyze`: finds wait states, their causes and the critical path in an OTF2 trace.
 *
 * The program reads the trace once, in the order of time. It keeps the call paths with their times, and an operation
 * log for each thread, which is in temporary files if it is large. Then it searches the logs (lib/waits) and writes a
 * profile with all results.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "callgraphs/graph_trace.h"
#include "otf2/memory.h"
#include "tools/analyze/extraction.h"
#include "tools/common/hosts.h"
#include "tools/analyze/result_file.h"
#include "tools/analyze/result_transfer.h"
#include "tools/analyze/wait_search.h"
#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/progress.h"

enum { NO_TRACE = 2 };	/* exit code */

static const char help[] =
	"usage: fathom analyze [options] [DIRECTORY | traces.otf2]\n"
	"\n"
	"Search an OTF2 trace for wait states, for what caused them and for the critical\n"
	"path. The result is a profile, analysis.cubex beside the trace, with the call\n"
	"paths, visits and times of the trace and a metric for each kind of waiting;\n"
	"fathom report shows it. The times of single wait states and of the critical path\n"
	"are in analysis.intervals.txt; fathom view, timeline and serve mark them. Without a\n"
	"name, the newest experiment with a trace in FATHOM_DIR, if that is set, else in the\n"
	"present directory.\n"
	"\n"
	"mpirun -n K fathom analyze shares the work out to K processes.\n"
	"\n"
	"  -o, --output FILE.cubex   write this file instead\n"
	"  --force                   replace a file that exists\n"
	"  --no-waits                only call paths, visits and times\n"
	"  --help, --version\n"
	"\n"
	"Exit status: 0 good, 1 failure, 2 no trace or a wrong command line.\n";

struct options {
	const char *target;
	char output[PATH_MAX];
	bool force, without_waits;
};

static void parse(struct options *options, int argc, char **argv)
{
	enum { FORCE = 256, NO_WAITS };
	static const struct option known[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "force", no_argument, NULL, FORCE },
		{ "no-waits", no_argument, NULL, NO_WAITS },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, FATHOM_ARGUMENT_VERSION },
		{ NULL, 0, NULL, 0 },
	};
	size_t length;
	int code;

	opterr = 0;
	while ((code = getopt_long(argc, argv, ":o:h", known, NULL)) != -1) {
		switch (code) {
		case 'o':
			length = strlen(optarg);
			if (length + 8 >= sizeof(options->output))
				fathom_tool_usage_error("-o %.64s...: the path is too long", optarg);
			if (length < 7 || strcmp(optarg + length - 6, ".cubex") != 0)
				fathom_tool_usage_error("-o %s: the name must end in .cubex", optarg);
			strcpy(options->output, optarg);
			break;
		case FORCE: options->force = true; break;
		case NO_WAITS: options->without_waits = true; break;
		default: fathom_argument_other(argv, code, help);
		}
	}
	options->target = fathom_argument_target(argc, argv);
}

/* --- the output --------------------------------------------------------------------------------------- */

/* The file that is being written; with --force, it gets the name of the output when it is complete. */
static char unfinished_path[PATH_MAX + 32];

static void remove_unfinished(void)
{
	fathom_analysis_abandon();
	if (*unfinished_path)
		unlink(unfinished_path);
}

/* Chooses the output, and refuses one that exists before anything is read. */
static int check_output(struct options *options, const char *anchor)
{
	const char *slash = strrchr(anchor, '/');
	int folder = slash ? (int)(slash - anchor) + 1 : 0;
	char part[PATH_MAX + 8], intervals[PATH_MAX];
	struct stat status;

	if (!*options->output &&
	    snprintf(options->output, sizeof(options->output), "%.*sanalysis.cubex", folder, anchor) >=
		    (int)sizeof(options->output) - 8) {
		fathom_tool_error("%.64s...: the path is too long", anchor);
		return -ENAMETOOLONG;
	}
	if (!options->force && lstat(options->output, &status) == 0) {
		fathom_tool_error("%s: exists already (--force replaces it; -o chooses another name)", options->output);
		return -EEXIST;
	}
	fathom_interval_list_path(options->output, intervals);
	if (!options->force && !options->without_waits && lstat(intervals, &status) == 0) {
		fathom_tool_error("%s: exists already (--force replaces it; -o chooses another name)", intervals);
		return -EEXIST;
	}
	snprintf(part, sizeof(part), "%s.part", options->output);
	if (lstat(part, &status) == 0) {
		fathom_tool_error("%s: left by a program that did not finish (remove it)", part);
		return -EEXIST;
	}
	return 0;
}

static int write_result(struct fathom_extraction *extraction, struct fathom_wait_values *waits,
			struct fathom_interval_list *intervals, const struct options *options)
{
	const char *path = options->output;
	char intervals_path[PATH_MAX];
	int err;

	if (options->force) {
		snprintf(unfinished_path, sizeof(unfinished_path), "%s.%ld", options->output, (long)getpid());
		path = unfinished_path;
	}
	fathom_wait_values_sort(waits);
	err = fathom_analysis_write(extraction, waits, path);
	if (!err && options->force && rename(path, options->output) < 0) {
		err = -errno;
		fathom_tool_error("%s: %s", options->output, strerror(errno));
	}
	if (!err)
		*unfinished_path = '\0';
	fathom_interval_list_path(options->output, intervals_path);
	if (!err && !options->without_waits)
		err = fathom_interval_list_write(intervals, extraction, intervals_path);
	return err;
}

/* --- the analysis --------------------------------------------------------------------------------------- */

/* Returns the number of events that the definitions promise. */
static uint64_t promised(const struct fathom_otf2_defs *defs)
{
	uint64_t count = 0;
	size_t i;

	for (i = 0; i < fathom_otf2_count(defs, FATHOM_OTF2_LOCATION); i++)
		count += ((const struct fathom_otf2_location *)fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, i))->events;
	return count;
}

static void say_result(const struct fathom_extraction *extraction, const struct fathom_wait_values *waits,
		       const struct options *options)
{
	const struct fathom_waits_summary *summary = &waits->summary;
	uint64_t ticks = extraction->last > extraction->first ? extraction->last - extraction->first : 0;

	printf("%s: %" PRIu64 " events of %" PRIu32 " locations, %.3f s\n", options->output, extraction->events,
	       extraction->location_count, fathom_otf2_seconds(&extraction->trace->defs, (double)ticks));
	if (promised(&extraction->trace->defs) != extraction->events)
		printf("! The definitions promise %" PRIu64 " events (fathom check says more)\n",
		       promised(&extraction->trace->defs));
	if (summary->unmatched_sends + summary->unmatched_receives + summary->incomplete_collectives)
		printf("! Left out: %" PRIu64 " sends and %" PRIu64 " receives whose other end is not in the trace, "
		       "and %" PRIu64 " parts of collective operations that not all members took part in\n",
		       summary->unmatched_sends, summary->unmatched_receives, summary->incomplete_collectives);
	if (extraction->unknown_neighborhoods)
		printf("! Left out: %" PRIu64 " collective operations between neighbours that the trace does not "
		       "name\n", extraction->unknown_neighborhoods);
	if (summary->clock_violations)
		printf("! %" PRIu64 " messages end before they begin: the clocks of the trace are not exact\n",
		       summary->clock_violations);
}

/* Reads the events of the processes that this host has, and searches their logs. 0 or -errno. */
static int read_and_search(struct fathom_comm *comm, struct fathom_extraction *extraction,
			   struct fathom_wait_values *waits, struct fathom_interval_list *intervals,
			   const struct options *options)
{
	struct fathom_otf2_archive *trace = extraction->trace;
	uint32_t i;
	int err;

	extraction->without_logs = options->without_waits;
	for (i = 0; i < extraction->location_count; i++)
		extraction->locations[i].is_hosted =
			fathom_otf2_is_read(trace, fathom_otf2_at(&trace->defs, FATHOM_OTF2_LOCATION, i));
	if (comm->rank == 0)
		fathom_progress_begin("reading events", fathom_otf2_event_count(trace));
	err = fathom_otf2_read_events(trace, NULL, fathom_extraction_take, extraction);
	fathom_progress_end();
	if (err)
		fathom_tool_error("%s", trace->error);
	err = fathom_hosts_agree(comm, err);
	if (err)
		return err;
	if (comm->rank == 0)
		fathom_progress_begin("searching for wait states", 0);
	fathom_extraction_finish(extraction);
	if (!options->without_waits)
		err = fathom_wait_search(extraction, comm, waits, intervals);
	fathom_counters_give(&extraction->counters, waits);
	if (!err)
		err = fathom_results_collect(comm, extraction, waits, intervals);
	fathom_progress_end();
	if (err)
		fathom_tool_error("%s: the search for wait states failed: %s", trace->anchor, strerror(-err));
	return fathom_hosts_agree(comm, err);
}

/* Analyzes an open trace. 0 or -errno. */
static int analyze(struct fathom_comm *comm, struct fathom_otf2_archive *trace, const struct options *options)
{
	struct fathom_extraction extraction;
	struct fathom_wait_values waits = { 0 };
	struct fathom_interval_list intervals;
	int err;

	fathom_extraction_init(&extraction, trace);
	fathom_interval_list_init(&intervals, extraction.location_count);
	err = read_and_search(comm, &extraction, &waits, &intervals, options);
	if (!err && comm->rank == 0)
		err = write_result(&extraction, &waits, &intervals, options);
	if (!err && comm->rank == 0)
		say_result(&extraction, &waits, options);
	fathom_wait_values_fini(&waits);
	fathom_interval_list_fini(&intervals);
	fathom_extraction_fini(&extraction);
	return fathom_hosts_agree(comm, err);
}

/* What the first process finds out before the others begin. */
struct start {
	int code;		/* exit code; 0: there is a trace */
	char path[PATH_MAX];
};

/* Finds the trace and checks the output. Returns an exit code. */
static int prepare(struct options *options, char *path)
{
	struct fathom_experiment experiment;

	if (fathom_experiment_find_trace(&experiment, options->target))
		return NO_TRACE;
	memcpy(path, experiment.path, PATH_MAX);
	return check_output(options, path) ? FATHOM_TOOL_FAILURE : 0;
}

/* Opens the trace and reads its definitions. Returns an exit code. */
static int open_trace(struct fathom_comm *comm, struct fathom_otf2_archive *trace, const char *path)
{
	if (fathom_trace_open(trace, path)) {
		if (comm->rank == 0)
			fathom_tool_error("%s", trace->error);
		return NO_TRACE;
	}
	trace->part = (uint32_t)comm->rank;
	trace->part_count = comm->size > 1 ? (uint32_t)comm->size : 0;
	if (fathom_otf2_read_definitions(trace, NULL) == 0)
		return 0;
	if (comm->rank == 0)
		fathom_tool_error("%s", trace->error);
	fathom_otf2_close(trace);
	return NO_TRACE;
}

int main(int argc, char **argv)
{
	struct options options = { 0 };
	struct fathom_otf2_archive trace = { .anchor = "" };
	struct start start = { 0 };
	struct fathom_comm *comm;
	int code;

	fathom_tool_begin("analyze");
	comm = fathom_hosts_open();
	if (!comm)
		return FATHOM_TOOL_FAILURE;
	parse(&options, argc, argv);
	fathom_hosts_command_line_read();
	fathom_otf2_memory_set_end(fathom_tool_out_of_memory);
	atexit(remove_unfinished);
	if (comm->rank == 0)
		start.code = prepare(&options, start.path);
	if (comm->size > 1 && comm->broadcast(comm, 0, &start, sizeof(start)))
		return FATHOM_TOOL_FAILURE;
	code = start.code ? start.code : fathom_hosts_agree(comm, open_trace(comm, &trace, start.path));
	if (!code) {
		code = analyze(comm, &trace, &options) ? FATHOM_TOOL_FAILURE : 0;
		fathom_otf2_close(&trace);
	}
	fathom_hosts_close();
	return fathom_tool_end() ? FATHOM_TOOL_FAILURE : code;
}
