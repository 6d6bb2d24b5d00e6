#include "tools/report/options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/report/report.h"

static const char help[] =
	"usage: fathom report [options] [DIRECTORY | FILE.cubex | traces.otf2]\n"
	"       fathom report [options] A B       (the same as fathom diff A B)\n"
	"\n"
	"Show a profile: where the time goes, how evenly, in which regions and call\n"
	"paths. Without a name, the newest experiment in FATHOM_DIR, if that is set, else\n"
	"in the present directory.\n"
	"\n"
	"What to look at\n"
	"  --metric NAME      regions and call tree by this metric instead of time;\n"
	"                     --metric list says which there are\n"
	"  --rank R           only what rank R did\n"
	"  --callers REGION   who calls REGION (a name, or a pattern with * and ?)\n"
	"  --threads REGION   what each thread did in REGION\n"
	"  --lines REGION     the source of REGION with the samples of each line\n"
	"  --loops            the loops with most samples, and how they are nested\n"
	"  --phases           only phases, iteration by iteration\n"
	"  --messages         how many messages and bytes each rank sent to which\n"
	"  --waits            only wait states and their causes, by kind\n"
	"  --critical         only the critical path\n"
	"  --flat             only the list of regions, all of them\n"
	"  --system           only the system: machine, nodes, processes, threads\n"
	"  --trace            the trace, where there is a profile as well\n"
	"\n"
	"How much of it\n"
	"  --top N            regions, or loops, in the list (15)\n"
	"  --min PERCENT      leave out call paths of less (1)\n"
	"  --sort KEY         regions, and what stands below the same caller, by another\n"
	"                     metric, by visits or by name\n"
	"  --depth N          levels of the call tree (40), of callers (8)\n"
	"  --no-scopes        only functions in the call tree, no loops and inlined calls\n"
	"  --all              everything: no limit but those given\n"
	"\n"
	"More columns\n"
	"  --column NAME      another metric in the list of regions, such as max_time\n"
	"  --samples          number of samples, and how sure estimated times are\n"
	"\n"
	"How it looks\n"
	"  --color WHEN       auto, always or never; --no-color\n"
	"  --width N          columns, 80 to 1000 (the terminal's, else 80)\n"
	"  --json             everything in the profile, for programs\n"
	"  --help, --version\n";

enum { METRIC = 256, SORT, COLUMN, RANK, CALLERS, THREADS, LINES, LOOPS, FLAT, NO_SCOPES, PHASES, SAMPLES, SYSTEM,
	TRACE, WAITS, CRITICAL, MESSAGES, TOP, MIN, DEPTH, ALL, JSON };

static const struct option options_known[] = {
	{ "metric", required_argument, NULL, METRIC },
	{ "sort", required_argument, NULL, SORT },
	{ "column", required_argument, NULL, COLUMN },
	{ "rank", required_argument, NULL, RANK },
	{ "callers", required_argument, NULL, CALLERS },
	{ "threads", required_argument, NULL, THREADS },
	{ "lines", required_argument, NULL, LINES },
	{ "loops", no_argument, NULL, LOOPS },
	{ "no-scopes", no_argument, NULL, NO_SCOPES },
	{ "phases", no_argument, NULL, PHASES },
	{ "messages", no_argument, NULL, MESSAGES },
	{ "waits", no_argument, NULL, WAITS },
	{ "critical", no_argument, NULL, CRITICAL },
	{ "flat", no_argument, NULL, FLAT },
	{ "samples", no_argument, NULL, SAMPLES },
	{ "system", no_argument, NULL, SYSTEM },
	{ "trace", no_argument, NULL, TRACE },
	{ "top", required_argument, NULL, TOP },
	{ "min", required_argument, NULL, MIN },
	{ "depth", required_argument, NULL, DEPTH },
	{ "all", no_argument, NULL, ALL },
	FATHOM_PAGE_OPTIONS,
	{ "json", no_argument, NULL, JSON },
	FATHOM_COMMON_OPTIONS,
	{ NULL, 0, NULL, 0 },
};

static double percentage(const char *option, const char *text)
{
	char *end;
	double number = strtod(text, &end);

	if (end != text && *end == '%')
		end++;
	if (end == text || *end || !(number >= 0 && number <= 100))
		fathom_tool_usage_error("%s %s: not a percentage from 0 to 100", option, text);
	return number;
}

static void take_option(struct fathom_report_options *options, int code, int argc, char **argv)
{
	switch (code) {
	case METRIC: options->metric = optarg; break;
	case SORT: options->sort = optarg; break;
	case COLUMN: options->column = optarg; break;
	case RANK: options->rank = fathom_argument_number("--rank", optarg, 0, INT32_MAX); break;
	case CALLERS: options->callers = optarg; break;
	case THREADS: options->threads = optarg; break;
	case LINES: options->lines = optarg; break;
	case LOOPS: options->loops = true; break;
	case NO_SCOPES: options->no_scopes = true; break;
	case PHASES: options->phases = true; break;
	case MESSAGES: options->messages = true; break;
	case WAITS: options->waits = true; break;
	case CRITICAL: options->critical = true; break;
	case FLAT: options->flat = true; break;
	case SAMPLES: options->samples = true; break;
	case SYSTEM: options->system = true; break;
	case TRACE: options->trace = true; break;
	case TOP: options->top = fathom_argument_number("--top", optarg, 0, INT32_MAX); break;
	case MIN: options->least_percent = percentage("--min", optarg); break;
	case DEPTH: options->depth = fathom_argument_number("--depth", optarg, 1, INT32_MAX); break;
	case ALL: options->all = true; break;
	case JSON: options->json = true; break;
	default:
		if (!fathom_argument_page(&options->width, &options->colour, code, argc, argv))
			fathom_argument_other(argv, code, help);
	}
}

/* Ends the program if an option does not go with --lines or --loops, which show samples only. */
static void check_sample_options(const struct fathom_report_options *options)
{
	const char *other = options->loops && options->lines ? "loops" :
			    options->flat		     ? "flat" :
			    options->callers		     ? "callers" :
			    options->threads		     ? "threads" :
			    options->phases		     ? "phases" :
			    options->system		     ? "system" :
			    options->trace		     ? "trace" : NULL;
	const char *option = options->lines ? "lines" : "loops";

	if (!options->lines && !options->loops)
		return;
	if (other)
		fathom_tool_usage_error("--%s and --%s: choose one", option, other);
	if (options->rank >= 0 || options->sort)
		fathom_tool_usage_error("--%s and --%s: samples are summed over all ranks, and sorted by %s", option,
					options->sort ? "sort" : "rank", options->lines ? "line" : "time");
}

/* Ends the program if another section is asked for in addition to --messages. */
static void check_message_options(const struct fathom_report_options *options)
{
	const char *other = options->waits    ? "waits" :
			    options->critical ? "critical" :
			    options->flat     ? "flat" :
			    options->callers  ? "callers" :
			    options->threads  ? "threads" :
			    options->lines    ? "lines" :
			    options->loops    ? "loops" :
			    options->phases   ? "phases" :
			    options->system   ? "system" :
			    options->trace    ? "trace" :
			    options->metric   ? "metric" :
			    options->sort     ? "sort" :
			    options->column   ? "column" : NULL;

	if (options->messages && other)
		fathom_tool_usage_error("--messages and --%s: choose one", other);
}

/* Ends the program if another section is asked for in addition to --waits or --critical. */
static void check_wait_options(const struct fathom_report_options *options)
{
	const char *other = options->waits && options->critical ? "critical" :
			    options->flat    ? "flat" :
			    options->callers ? "callers" :
			    options->threads ? "threads" :
			    options->lines   ? "lines" :
			    options->loops   ? "loops" :
			    options->phases  ? "phases" :
			    options->system  ? "system" :
			    options->trace   ? "trace" :
			    options->sort    ? "sort" :
			    options->column  ? "column" :
			    options->json    ? "json" : NULL;

	if ((options->waits || options->critical) && other)
		fathom_tool_usage_error("--%s and --%s: choose one", options->waits ? "waits" : "critical", other);
}

/* Ends the program if an option for the list of regions is given with one that shows another section. */
static void check_list_options(const struct fathom_report_options *options)
{
	const char *other = options->json    ? "json" :
			    options->callers ? "callers" :
			    options->threads ? "threads" :
			    options->lines   ? "lines" :
			    options->loops   ? "loops" :
			    options->phases  ? "phases" :
			    options->system  ? "system" : NULL;

	if (other && options->sort)
		fathom_tool_usage_error("--sort and --%s: only the list of regions and the call tree can be sorted",
					other);
	if (other && options->column)
		fathom_tool_usage_error("--column and --%s: only the list of regions has this column", other);
}

void fathom_report_parse(struct fathom_report_options *options, int argc, char **argv)
{
	int code;

	memset(options, 0, sizeof(*options));
	options->rank = options->depth = options->top = -1;
	options->least_percent = -1;
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":h", options_known, NULL)) != -1)
		take_option(options, code, argc, argv);
	options->compares = argc - optind > 1;
	if (options->compares)
		return;
	options->target = fathom_argument_target(argc, argv);
	check_message_options(options);
	check_sample_options(options);
	if (options->flat && options->callers)
		fathom_tool_usage_error("--flat and --callers: choose one");
	if (options->threads && (options->flat || options->callers))
		fathom_tool_usage_error("--threads and --%s: choose one", options->flat ? "flat" : "callers");
	if (options->system && (options->flat || options->callers || options->threads || options->json ||
				options->trace))
		fathom_tool_usage_error("--system and --%s: choose one",
					options->flat    ? "flat" :
					options->callers ? "callers" :
					options->threads ? "threads" :
					options->json    ? "json" : "trace");
	if (options->phases && (options->flat || options->callers || options->threads || options->system ||
				options->trace))
		fathom_tool_usage_error("--phases and --%s: choose one",
					options->flat    ? "flat" :
					options->callers ? "callers" :
					options->threads ? "threads" :
					options->system  ? "system" : "trace");
	if (options->json && (options->flat || options->callers || options->phases))
		fathom_tool_usage_error("--json shows everything: leave out --%s", options->flat ? "flat" :
					options->callers ? "callers" : "phases");
	check_wait_options(options);
	check_list_options(options);
	if (options->least_percent < 0)
		options->least_percent = options->all ? 0 : 1;
}
