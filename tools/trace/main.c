/*
 * main: `fathom trace`: says what is in an OTF2 trace, and writes new traces from it.
 *
 * A trace is read in the order of time, one chunk of each location at a time; memory does not grow with its length.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgraphs/graph_trace.h"
#include "otf2/archive_reader.h"
#include "otf2/memory.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/number_format.h"
#include "tools/common/trace/trace_frames.h"
#include "tools/common/trace/trace_ranks.h"
#include "tools/trace/clock_correction.h"
#include "tools/trace/graph_information.h"
#include "tools/trace/iteration_search.h"
#include "tools/trace/sort_check.h"
#include "tools/trace/trace_compress.h"
#include "tools/trace/trace_copy.h"
#include "tools/trace/trace_information.h"
#include "tools/trace/trace_merge.h"
#include "tools/trace/trace_options.h"

static int open_trace(struct fathom_otf2_archive *trace, const char *anchor)
{
	int err = fathom_trace_open(trace, anchor);

	if (!err)
		err = fathom_otf2_read_definitions(trace, NULL);
	if (err)
		fathom_tool_error("%s", trace->error);
	return err;
}

/* Prints what is in the trace, whether it is in order, or where it repeats itself. Returns the exit code. */
static int report(const struct fathom_trace_options *options, const char *anchor)
{
	struct fathom_otf2_archive trace;
	bool is_sorted = true;
	int err = open_trace(&trace, anchor);

	if (!err && options->info)
		err = fathom_trace_information_print(&trace, options->json);
	else if (!err && options->iterations)
		err = fathom_iterations_print(&trace, options->json);
	else if (!err)
		err = fathom_sort_check_print(&trace, options->json, &is_sorted);
	fathom_otf2_close(&trace);
	return err || !is_sorted ? FATHOM_TOOL_FAILURE : 0;
}

/* Prints how many times smaller the new trace is than the one that it is a part of. */
static void print_reduction(const struct fathom_trace_options *options, const char *anchor)
{
	struct fathom_otf2_archive whole, part;
	char path[PATH_MAX];

	if (snprintf(path, sizeof(path), "%s/traces.otf2", options->output) >= (int)sizeof(path) ||
	    open_trace(&whole, anchor))
		return;
	if (open_trace(&part, path) == 0) {
		double events = (double)fathom_otf2_event_count(&part), bytes = (double)part.event_bytes;

		printf("; %.1f times fewer events, %.1f times fewer bytes of events",
		       (double)fathom_otf2_event_count(&whole) / fmax(events, 1),
		       (double)whole.event_bytes / fmax(bytes, 1));
	}
	fathom_otf2_close(&part);
	fathom_otf2_close(&whole);
}

static int copy_part(const struct fathom_trace_options *options, const char *anchor)
{
	struct fathom_trace_copy copy = { .source = anchor, .directory = options->output, .filter = options->filter };
	struct fathom_otf2_archive trace;
	bool *processes = NULL;
	char note[1024];
	int err = open_trace(&trace, anchor);

	if (!err)
		err = fathom_trace_options_window(&copy.window, options->cut, &trace);
	if (!err && options->ranks) {
		processes = fathom_trace_ranks_parse(options->ranks, &trace);
		err = processes ? 0 : -EINVAL;
	}
	fathom_otf2_close(&trace);
	if (!err) {
		snprintf(note, sizeof(note), "%s%s%s%s%s%s", options->cut ? " cut " : "", options->cut ?
			 options->cut : "",
			 options->ranks ? " ranks " : "", options->ranks ? options->ranks : "",
			 options->filter ? " filter " : "", options->filter ? options->filter : "");
		copy.processes = processes;
		copy.note_name = "FATHOM::PART";
		copy.note = *note ? note + 1 : NULL;
		err = fathom_trace_copy_run(&copy);
	}
	if (!err) {
		printf("%s/traces.otf2: %" PRIu64 " events", options->output, copy.events_written);
		if (copy.left_out)
			printf("; %" PRIu64 " messages and other operations that are only partly in it are left out",
			       copy.left_out);
		if (options->cut && strncmp(options->cut, "iterations:", 11) == 0)
			print_reduction(options, anchor);
		printf("\n");
	}
	free(processes);
	return err ? FATHOM_TOOL_FAILURE : 0;
}

static int correct_clocks(const struct fathom_trace_options *options, const char *anchor)
{
	const struct fathom_clock_latencies latencies = { options->host_latency_ns, options->node_latency_ns };
	struct fathom_clock_correction correction = { 0 };
	struct fathom_trace_copy copy = { .source = anchor, .directory = options->output };
	struct fathom_otf2_archive trace;
	char note[64], text[FATHOM_NUMBER_BYTES];
	double most = 0;
	int err = open_trace(&trace, anchor);

	if (!err)
		err = fathom_clock_correction_make(&correction, &trace, &latencies);
	if (!err) {
		most = fathom_otf2_seconds(&trace.defs, correction.result.most);
		snprintf(note, sizeof(note), "%" PRIu64, correction.result.violations);
		copy.window = (struct fathom_time_window){ .to = UINT64_MAX };
		copy.note_name = "FATHOM::CORRECTED_VIOLATIONS";
		copy.note = note;
		copy.time_of = fathom_clock_correction_time;
		copy.time_data = &correction;
		err = fathom_trace_copy_run(&copy);
	}
	if (!err)
		printf("%s/traces.otf2: %" PRIu64 " events; %" PRIu64 " violations of the order of time, %" PRIu64
		       " are left; events moved by %s at most (%u pass%s, g %g)\n",
		       options->output, copy.events_written, correction.result.violations, correction.result.left,
		       fathom_number_seconds(text, most), correction.result.passes,
		       correction.result.passes == 1 ? "" : "es", correction.result.g);
	fathom_clock_correction_fini(&correction);
	fathom_otf2_close(&trace);
	return err ? FATHOM_TOOL_FAILURE : 0;
}

static int merge_traces(const struct fathom_trace_options *options)
{
	struct fathom_trace_merge merge = { .targets = options->targets, .target_count = options->target_count,
					    .directory = options->output };

	if (fathom_trace_merge_run(&merge))
		return FATHOM_TOOL_FAILURE;
	printf("%s/traces.otf2: %" PRIu64 " events of %" PRIu64 " trace%s", options->output, merge.events_written,
	       merge.traces, merge.traces == 1 ? "" : "s");
	if (merge.absent_processes)
		printf("; %" PRIu64 " process%s in none of them", merge.absent_processes,
		       merge.absent_processes == 1 ? " is" : "es are");
	printf("\n");
	return 0;
}

/* Makes the index of frames next to the trace, if there is none of it as it is now. Returns the exit code. */
static int make_index(const char *anchor)
{
	struct fathom_trace_frames frames;
	char size[FATHOM_NUMBER_BYTES];

	if (fathom_trace_frames_open(&frames, anchor))
		return FATHOM_TOOL_FAILURE;
	printf("%s: %" PRIu64 " events, %s%s\n", frames.path, frames.index.file.head.events,
	       fathom_number_bytes(size, (double)frames.index.file.count), frames.is_new ? "" : "; it was made before");
	fathom_trace_frames_close(&frames);
	return 0;
}

/* Returns by how much times may deviate, as a text in a static buffer. */
static const char *say_bounds(const struct fathom_graph_bounds *bounds)
{
	static char text[128];

	if (bounds->ticks)
		snprintf(text, sizeof(text), "; times deviate by %" PRIu64 " ticks at most (allowed: %" PRIu64 ")",
			 bounds->most, bounds->ticks);
	else if (bounds->share > 0)
		snprintf(text, sizeof(text), "; times between events deviate by %g %% at most, times by %" PRIu64
			 " ticks", 100 * bounds->share, bounds->most);
	else
		*text = '\0';
	return text;
}

static int compress_trace(const struct fathom_trace_options *options, const char *anchor)
{
	struct fathom_trace_compress compress = {
		.source = anchor, .output = options->output,
		.bounds = { .ticks = options->deviation_ticks, .share = options->deviation_share },
	};
	char file_size[FATHOM_NUMBER_BYTES], trace_size[FATHOM_NUMBER_BYTES];

	if (fathom_trace_compress_run(&compress))
		return FATHOM_TOOL_FAILURE;
	printf("%s: %" PRIu64 " events in %s, the trace has %s: %.1f times smaller; %" PRIu64
	       " calls, of which %" PRIu64 " are different%s\n", options->output, compress.events,
	       fathom_number_bytes(file_size, (double)compress.file_bytes),
	       fathom_number_bytes(trace_size, (double)compress.trace_bytes),
	       (double)compress.trace_bytes / (double)compress.file_bytes, compress.calls, compress.nodes,
	       say_bounds(&compress.bounds));
	if (compress.left_out)
		printf("%" PRIu64 " records of kinds that OTF2's library does not know are left out\n",
		       compress.left_out);
	return 0;
}

static int expand_trace(const struct fathom_trace_options *options)
{
	struct fathom_trace_compress expand = { .source = options->target, .output = options->output };

	if (fathom_trace_expand_run(&expand))
		return FATHOM_TOOL_FAILURE;
	printf("%s/traces.otf2: %" PRIu64 " events%s\n", options->output, expand.events, say_bounds(&expand.bounds));
	return 0;
}

static int show_graphs(const struct fathom_trace_options *options, const char *path)
{
	return fathom_graph_information_print(path, options->cut, options->json) ? FATHOM_TOOL_FAILURE : 0;
}

int main(int argc, char **argv)
{
	struct fathom_trace_options options = { 0 };
	struct fathom_experiment experiment;
	int code;

	fathom_tool_begin("trace");
	fathom_trace_options_parse(&options, argc, argv);
	fathom_otf2_memory_set_end(fathom_tool_out_of_memory);
	if (options.is_graphs && options.info) {
		code = show_graphs(&options, options.target);
		return fathom_tool_end() ? FATHOM_TOOL_FAILURE : code;
	}
	if (options.merge || options.expand) {
		code = options.merge ? merge_traces(&options) : expand_trace(&options);
		return fathom_tool_end() ? FATHOM_TOOL_FAILURE : code;
	}
	if (fathom_experiment_find_trace(&experiment, options.target))
		return FATHOM_TOOL_FAILURE;
	if (options.info && fathom_experiment_is_compressed(experiment.path))
		code = show_graphs(&options, experiment.path);
	else if (options.info || options.sort_check || options.iterations)
		code = report(&options, experiment.path);
	else if (options.index)
		code = make_index(experiment.path);
	else if (options.compress)
		code = compress_trace(&options, experiment.path);
	else if (options.correct_clocks)
		code = correct_clocks(&options, experiment.path);
	else
		code = copy_part(&options, experiment.path);
	return fathom_tool_end() ? FATHOM_TOOL_FAILURE : code;
}
