#include "tools/trace/trace_options.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "callgraphs/graph_file.h"
#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/trace/iteration_search.h"
#include "tools/trace/visit_window.h"

static const char help[] =
	"usage: fathom trace --info [--json] [DIRECTORY | traces.otf2]\n"
	"       fathom trace --info [--json] [--cut FROM:TO] FILE\n"
	"       fathom trace --sort-check [--json] [DIRECTORY | traces.otf2]\n"
	"       fathom trace --iterations [--json] [DIRECTORY | traces.otf2]\n"
	"       fathom trace [--cut FROM:TO | --cut REGION#N | --cut iterations:N] [--ranks LIST]\n"
	"                    [--filter FILE] -o NEW-DIRECTORY [DIRECTORY | traces.otf2]\n"
	"       fathom trace --index [DIRECTORY | traces.otf2 | FILE.graphs]\n"
	"       fathom trace --correct-clocks [--latency A[:B]] -o NEW-DIRECTORY [DIRECTORY | traces.otf2]\n"
	"       fathom trace --merge -o NEW-DIRECTORY DIRECTORY | traces.otf2 ...\n"
	"       fathom trace --compress [--deviation TICKS | PERCENT%] -o NEW-FILE\n"
	"                    [DIRECTORY | traces.otf2]\n"
	"       fathom trace --expand -o NEW-DIRECTORY FILE\n"
	"\n"
	"Say what is in an OTF2 trace, or write a new one from it: a part of its time, of its\n"
	"ranks or of its regions, or all of it with corrected clocks; or put several traces of\n"
	"one run together, or store a trace as a small file of call graphs. What is read stays\n"
	"as it is; --index puts a file next to it. Without a name, the newest experiment with a\n"
	"trace in FATHOM_DIR, if that is set, else in the present directory.\n"
	"\n"
	"  --info             ranks, locations, time, records by kind, regions, clocks; of call\n"
	"                     graphs: visits and times of regions\n"
	"  --sort-check       whether times of each location ascend, and no message is received\n"
	"                     before it was sent\n"
	"  --index            make traces.frames, from which fathom timeline draws any part of the\n"
	"                     trace quickly; it is kept if the trace has not changed\n"
	"  --iterations       where the program iterates, how long an iteration takes, and which\n"
	"                     iterations are typical\n"
	"  --cut FROM:TO      seconds from the beginning of the trace; one of them may be missing\n"
	"  --cut REGION#N     iteration N of a phase, or the Nth visit (from 1) of another region\n"
	"  --cut iterations:N N consecutive iterations that are most like all others\n"
	"  --ranks LIST       only these ranks, such as 0-3,8\n"
	"  --filter FILE      without the regions that the rules exclude (fathom filter)\n"
	"  --correct-clocks   move events so that no message is received before it was sent\n"
	"  --latency A[:B]    least time of a message between hosts, and within a host, in ns\n"
	"                     (1000:10)\n"
	"  --merge            one trace of the traces of ranks that ended early (rank-N in the\n"
	"                     directory), of several directories, or of parts made by --ranks\n"
	"  --compress         write the trace as call graphs, in which equal calls are stored once\n"
	"  --deviation N      times may be wrong by N ticks, or, with N%, times between two events\n"
	"                     by N percent; the file is smaller. Without it, nothing is lost\n"
	"  --expand           make a trace of the call graphs in FILE\n"
	"  -o, --output DIR   the new directory, with traces.otf2 in it; --compress: the new file\n"
	"  --json             the answer for programs (--info, --sort-check, --iterations)\n"
	"  --help, --version\n"
	"\n"
	"Exit status: 0 good, 1 failure (--sort-check: not in order), 2 wrong command line.\n";

enum {
	INFO = 256, SORT_CHECK, CUT, RANKS, FILTER, CORRECT_CLOCKS, LATENCY, MERGE, INDEX, COMPRESS, DEVIATION, EXPAND,
	ITERATIONS, JSON
};

static const struct option options_known[] = {
	{ "info", no_argument, NULL, INFO },
	{ "sort-check", no_argument, NULL, SORT_CHECK },
	{ "iterations", no_argument, NULL, ITERATIONS },
	{ "cut", required_argument, NULL, CUT },
	{ "ranks", required_argument, NULL, RANKS },
	{ "filter", required_argument, NULL, FILTER },
	{ "correct-clocks", no_argument, NULL, CORRECT_CLOCKS },
	{ "latency", required_argument, NULL, LATENCY },
	{ "merge", no_argument, NULL, MERGE },
	{ "index", no_argument, NULL, INDEX },
	{ "compress", no_argument, NULL, COMPRESS },
	{ "deviation", required_argument, NULL, DEVIATION },
	{ "expand", no_argument, NULL, EXPAND },
	{ "output", required_argument, NULL, 'o' },
	{ "json", no_argument, NULL, JSON },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, FATHOM_ARGUMENT_VERSION },
	{ NULL, 0, NULL, 0 },
};

static void parse_latency(struct fathom_trace_options *options, const char *text)
{
	char *end;
	double between = strtod(text, &end), within = options->host_latency_ns;
	bool is_good = end != text && between >= 0;

	if (is_good && *end == ':') {
		text = end + 1;
		within = strtod(text, &end);
		is_good = end != text && within >= 0;
	}
	if (!is_good || *end || between > 1e9 || within > 1e9)
		fathom_tool_usage_error("--latency %s: not one or two numbers of nanoseconds from 0 to 1e9, such as "
					"1000:10", optarg);
	options->node_latency_ns = between;
	options->host_latency_ns = within;
}

static void parse_deviation(struct fathom_trace_options *options, const char *text)
{
	char *end;
	double number = strtod(text, &end);

	if (end != text && strcmp(end, "%") == 0 && number > 0 && number <= 100)
		options->deviation_share = number / 100;
	else if (end != text && !*end && number >= 1 && number <= 1e15 && !text[strspn(text, "0123456789")])
		options->deviation_ticks = (uint64_t)number;
	else
		fathom_tool_usage_error("--deviation %s: neither a number of ticks from 1, such as 1000, nor percents "
					"up to 100, such as 50%%", text);
}

/* Checks the options of compressing, expanding and merging. */
static void check_forms(const struct fathom_trace_options *options, bool selects)
{
	const char *name = options->merge ? "--merge" : options->compress ? "--compress" : "--expand";

	if (options->merge + options->compress + options->expand > 1)
		fathom_tool_usage_error("choose one of --merge, --compress and --expand");
	if ((options->deviation_ticks || options->deviation_share > 0) && !options->compress)
		fathom_tool_usage_error("--deviation goes with --compress");
	if (options->deviation_ticks && options->deviation_share > 0)
		fathom_tool_usage_error("--deviation: ticks and percents do not go together");
	if (!options->merge && !options->compress && !options->expand)
		return;
	if (selects || options->correct_clocks)
		fathom_tool_usage_error("%s does not go with --cut, --ranks, --filter or --correct-clocks: make one "
					"trace after the other", name);
	if (options->merge && !options->target_count)
		fathom_tool_usage_error("--merge needs the names of the traces, or of a directory with rank-N in it");
	if (options->expand && !options->target)
		fathom_tool_usage_error("--expand needs the name of a file of call graphs");
	if (!options->output)
		fathom_tool_usage_error("-o %s is missing: the result needs a place", options->compress ? "NEW-FILE" :
					"NEW-DIRECTORY");
}

/* Checks that the options go together. */
static void check_options(const struct fathom_trace_options *options)
{
	int reports = options->info + options->sort_check + options->index + options->iterations;
	bool selects = options->cut || options->ranks || options->filter;

	if (options->is_graphs && options->info && !options->ranks && !options->filter && !options->output)
		return;
	if (options->is_graphs && options->compress)
		fathom_tool_usage_error("%s: is compressed already; --expand makes a trace of it, which --compress can "
					"read", options->target);
	if (reports > 1)
		fathom_tool_usage_error("--info, --sort-check, --iterations and --index do not go together");
	if (reports && (selects || options->output || options->correct_clocks || options->merge ||
			options->compress || options->expand))
		fathom_tool_usage_error("%s writes no trace, so it does not go with --cut, --ranks, --filter, "
					"--correct-clocks, --merge, --compress, --expand or -o",
					options->info ? "--info" : options->index ? "--index" :
					options->iterations ? "--iterations" : "--sort-check");
	if (options->json && (!reports || options->index))
		fathom_tool_usage_error("--json goes with --info, --sort-check or --iterations");
	if (options->correct_clocks && selects)
		fathom_tool_usage_error("--correct-clocks does not go with --cut, --ranks or --filter: correct the "
					"whole trace, then take a part of it");
	check_forms(options, selects);
	if ((selects || options->correct_clocks) && !options->output)
		fathom_tool_usage_error("-o NEW-DIRECTORY is missing: the new trace needs a place");
}

/* Sets is_graphs. Of an experiment whose only trace is compressed, the target becomes the file. */
static void find_graphs(struct fathom_trace_options *options)
{
	static char path[PATH_MAX];
	struct fathom_experiment_content content;

	if (!options->target)
		return;
	options->is_graphs = fathom_graph_file_is(options->target);
	if (options->is_graphs || fathom_experiment_look(options->target, &content) || !*content.trace ||
	    snprintf(path, sizeof(path), "%s/%s", options->target, content.trace) >= (int)sizeof(path) ||
	    !fathom_graph_file_is(path))
		return;
	options->target = path;
	options->is_graphs = true;
}

void fathom_trace_options_parse(struct fathom_trace_options *options, int argc, char **argv)
{
	int code;

	options->node_latency_ns = 1000;
	options->host_latency_ns = 10;
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":ho:", options_known, NULL)) != -1) {
		switch (code) {
		case INFO: options->info = true; break;
		case SORT_CHECK: options->sort_check = true; break;
		case ITERATIONS: options->iterations = true; break;
		case CUT: options->cut = optarg; break;
		case RANKS: options->ranks = optarg; break;
		case FILTER: options->filter = optarg; break;
		case CORRECT_CLOCKS: options->correct_clocks = true; break;
		case LATENCY: parse_latency(options, optarg); break;
		case MERGE: options->merge = true; break;
		case COMPRESS: options->compress = true; break;
		case DEVIATION: parse_deviation(options, optarg); break;
		case EXPAND: options->expand = true; break;
		case 'o': options->output = optarg; break;
		case INDEX: options->index = true; break;
		case JSON: options->json = true; break;
		default: fathom_argument_other(argv, code, help);
		}
	}
	options->targets = argv + optind;
	options->target_count = (size_t)(argc - optind);
	if (!options->merge)
		options->target = fathom_argument_target(argc, argv);
	if (!options->sort_check && !options->iterations && !options->output && !options->cut && !options->ranks &&
	    !options->filter && !options->correct_clocks && !options->merge && !options->index && !options->compress &&
	    !options->expand)
		options->info = true;
	find_graphs(options);
	options->info = options->info || (options->is_graphs && options->cut && !options->output);
	check_options(options);
}

/* --- the window ---------------------------------------------------------------------------------------- */

/* Parses seconds up to the end of the text or a colon; an empty text is the default. */
static bool parse_seconds(const char *text, const char *end, double missing, double *seconds)
{
	char *rest;

	*seconds = missing;
	if (text == end)
		return true;
	*seconds = strtod(text, &rest);
	return rest == end && *seconds >= 0 && isfinite(*seconds);
}

int fathom_trace_options_window(struct fathom_time_window *window, const char *cut, struct fathom_otf2_archive *trace)
{
	const struct fathom_otf2_defs *defs = &trace->defs;
	const char *hash = cut ? strrchr(cut, '#') : NULL, *colon = cut ? strchr(cut, ':') : NULL;
	double from, to, length = fathom_otf2_seconds(defs, (double)defs->length);

	*window = (struct fathom_time_window){ .from = 0, .to = UINT64_MAX, .is_cut = cut };
	if (!cut)
		return 0;
	if (hash && hash != cut && hash[1] >= '0' && hash[1] <= '9' && !hash[1 + strspn(hash + 1, "0123456789")])
		return fathom_visit_window_find(window, cut, trace);
	if (strncmp(cut, "iterations:", 11) == 0)
		return fathom_iteration_window_find(window, cut, trace);
	if (!colon || !parse_seconds(cut, colon, 0, &from) ||
	    !parse_seconds(colon + 1, cut + strlen(cut), length, &to)) {
		fathom_tool_error("--cut %s: neither FROM:TO in seconds, such as 1.5:2, nor REGION#N, nor "
				  "iterations:N", cut);
		return -EINVAL;
	}
	if (from > to || from > length) {
		fathom_tool_error("--cut %s: nothing is between these times; the trace has %g s", cut, length);
		return -EINVAL;
	}
	window->from = defs->offset + (uint64_t)llrint(from * (double)defs->resolution);
	window->to = to >= length ? defs->offset + defs->length :
		     defs->offset + (uint64_t)llrint(to * (double)defs->resolution);
	return 0;
}
