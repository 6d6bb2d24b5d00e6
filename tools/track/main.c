/*
 * main: the command line of `fathom track`, which follows the kinds of computation over several experiments.
 */
#include <getopt.h>
#include <stdio.h>
#include <sys/stat.h>

#include "otf2/memory.h"
#include "tools/clusters/cluster_options.h"
#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/track/track_files.h"
#include "tools/track/track_json.h"
#include "tools/track/track_page.h"
#include "tools/track/track_text.h"
#include "tools/track/track_traces.h"

enum { MOST_RUNS = 64 };

static const char help[] =
	"usage: fathom track [OPTION...] DIR|TRACE DIR|TRACE...\n"
	"       fathom track --windows N [OPTION...] [DIR|TRACE]\n"
	"\n"
	"Follow the kinds of computation over several experiments: numbers of processes,\n"
	"sizes, versions of a program, machines, or windows of time of one run. The\n"
	"kinds of each trace are found as `fathom clusters` does it. Then it is found\n"
	"out which of them are the same kind: by their place among the others, by their\n"
	"code, and by their order. Prints how each kind changes.\n"
	"\n"
	"  --windows N        divide one trace into N windows of equal time\n"
	"  --metrics LIST     the dimensions, separated by commas (chosen for the first\n"
	"                     trace; duration and call if the others lack these)\n"
	"  --share PERCENT, --least TIME, --eps NUMBER, --min-points N, --method METHOD\n"
	"                     as for `fathom clusters`, for each experiment\n"
	"  --limit N          keep at most so many bursts of each trace, the longest ones\n"
	"                     (1000000)\n"
	"  --top N            print so many kinds (15)\n"
	"  --json             for programs\n"
	"  --csv FILE         also write a line for each kind and experiment\n"
	"  --bursts FILE      also write a line for each burst with its kind\n"
	"  --traces DIR       also write a copy of each trace, DIR/1, DIR/2, ..., in which\n"
	"                     each burst has the number of its kind\n"
	"  --page FILE.html   also write a page with trend lines and scatter plots, for a\n"
	"                     browser\n"
	"  --width N          columns (80 to 1000)\n"
	"  --color WHEN       auto, always or never; --no-color\n"
	"  --help, --version\n";

struct options {
	struct fathom_cluster_choice choice;
	const char *csv, *bursts, *page, *traces;	/* files, and a directory; NULL: not wanted */
	int64_t windows, top, limit;
	int width;
	enum fathom_colour colour;
	bool json;
};

static void parse(struct options *options, int argc, char **argv)
{
	enum { WINDOWS = 256, LIMIT, TOP, JSON, CSV, BURSTS, PAGE, TRACES };
	static const struct option table[] = {
		FATHOM_CLUSTER_OPTIONS,
		{ "windows", required_argument, NULL, WINDOWS },
		{ "limit", required_argument, NULL, LIMIT },
		{ "top", required_argument, NULL, TOP },
		{ "json", no_argument, NULL, JSON },
		{ "csv", required_argument, NULL, CSV },
		{ "bursts", required_argument, NULL, BURSTS },
		{ "traces", required_argument, NULL, TRACES },
		{ "page", required_argument, NULL, PAGE },
		FATHOM_PAGE_OPTIONS,
		FATHOM_COMMON_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	int code;

	*options = (struct options){ .choice = FATHOM_CLUSTER_CHOICE_INIT, .top = 15, .limit = 1000000 };
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":h", table, NULL)) != -1) {
		switch (code) {
		case WINDOWS: options->windows = fathom_argument_number("--windows", optarg, 2, MOST_RUNS); break;
		case LIMIT: options->limit = fathom_argument_number("--limit", optarg, 100, INT32_MAX); break;
		case TOP: options->top = fathom_argument_number("--top", optarg, 0, INT32_MAX); break;
		case JSON: options->json = true; break;
		case CSV: options->csv = optarg; break;
		case BURSTS: options->bursts = optarg; break;
		case TRACES: options->traces = optarg; break;
		case PAGE: options->page = optarg; break;
		default:
			if (!fathom_cluster_option(&options->choice, code, optarg) &&
			    !fathom_argument_page(&options->width, &options->colour, code, argc, argv))
				fathom_argument_other(argv, code, help);
		}
	}
	fathom_cluster_options_check(&options->choice);
	if (!options->windows && argc - optind < 2)
		fathom_tool_usage_error("track: two traces or more, or one trace with --windows");
	if (options->windows && options->traces)
		fathom_tool_usage_error("--traces: windows are no traces of their own, so --windows has no copies");
	if (argc - optind > MOST_RUNS)
		fathom_tool_usage_error("%d traces: at most %d are possible", argc - optind, MOST_RUNS);
}

/* Refuses a file that exists. 0, or -1 after an error message. */
static int check_output(const char *option, const char *output)
{
	struct stat status;

	if (!output || lstat(output, &status) != 0)
		return 0;
	fathom_tool_error("%s: exists already (remove it, or choose another name with %s)", output, option);
	return -1;
}

/* Writes the files that are wanted and prints the result. 0, or -errno after an error message. */
static int show(const struct options *options, const struct fathom_tracked_runs *runs)
{
	struct fathom_kind_trends trends;
	struct fathom_page page;
	int err = 0;

	fathom_kind_trends_make(&trends, runs);
	if (options->csv)
		err = fathom_track_write_kinds(&trends, options->csv);
	if (!err && options->bursts)
		err = fathom_track_write_bursts(&trends, options->bursts);
	if (!err && options->traces)
		err = fathom_track_write_traces(&trends, options->traces);
	if (!err && options->page)
		err = fathom_track_page_write(&trends, options->page);
	if (!err && options->json) {
		fathom_track_json(&trends);
	} else if (!err) {
		fathom_page_init(&page, options->width, options->colour);
		fathom_track_print(&trends, &page, options->top);
		fathom_page_fini(&page);
	}
	fathom_kind_trends_fini(&trends);
	return err;
}

int main(int argc, char **argv)
{
	static char *newest[] = { NULL };
	static struct fathom_tracked_runs runs;
	struct options options;
	int err;

	fathom_tool_begin("track");
	parse(&options, argc, argv);
	if (options.windows)
		newest[0] = (char *)fathom_argument_target(argc, argv);
	fathom_otf2_memory_set_end(fathom_tool_out_of_memory);
	if (check_output("--csv", options.csv) || check_output("--bursts", options.bursts) ||
	    check_output("--page", options.page) || check_output("--traces", options.traces))
		return FATHOM_TOOL_FAILURE;
	err = fathom_tracked_runs_make(&runs, options.windows ? newest : argv + optind, (uint32_t)(argc - optind),
				       (uint32_t)options.windows, &options.choice, (size_t)options.limit);
	if (!err)
		err = show(&options, &runs);
	fathom_tracked_runs_fini(&runs);
	return err ? FATHOM_TOOL_FAILURE : fathom_tool_end();
}
