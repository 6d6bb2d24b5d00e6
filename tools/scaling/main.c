/*
 * main: the command line of `fathom scaling`, which says how the runs of a program at several sizes scale.
 */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/scaling/analysis.h"
#include "tools/scaling/loss_file.h"
#include "tools/scaling/page.h"
#include "tools/scaling/scaling_text.h"

static const char help[] =
	"usage: fathom scaling [OPTION...] RUN RUN...\n"
	"\n"
	"Say how a program scales, from runs at two or more sizes (numbers of ranks and\n"
	"threads): the efficiencies and the factor that breaks first, the call paths that\n"
	"lose most, and with four sizes or more how each call path grows, and what this\n"
	"predicts at ten times the largest size. A RUN is an experiment directory or a\n"
	".cubex file; runs of the same size are averaged.\n"
	"\n"
	"  --expect WHAT      strong (the work of all ranks together stays the same),\n"
	"                     weak (that of each rank does), multicore (each core works\n"
	"                     as fast as one alone), or coefficients A:B, for a loss of\n"
	"                     A times the value less B times that of the smallest size;\n"
	"                     without it, strong or weak is recognised\n"
	"  --metric NAME      use this metric (time)\n"
	"  --top N            so many lines of a list (15)\n"
	"  --all              also list what scales better than expected, or does not grow\n"
	"  --json             for programs\n"
	"  -o, --output FILE.cubex\n"
	"                     also write the losses as a profile\n"
	"  --page FILE.html   also write a page with charts, for a browser\n"
	"  --width N          columns (80 to 1000)\n"
	"  --color WHEN       auto, always or never; --no-color\n"
	"  --help, --version\n";

struct options {
	const char *metric, *output, *page;
	enum fathom_expectation expectation;
	double a, b;
	int64_t top;
	int width;
	enum fathom_colour colour;
	bool all, json;
};

/* Returns a coefficient of "A:B" that ends with that character. */
static double coefficient_of(const char *text, char ending, const char **rest)
{
	char *end;
	double value = strtod(text, &end);

	if (end == text || *end != ending || !isfinite(value) || value < 0)
		return -1;
	*rest = end + 1;
	return value;
}

static void set_expectation(struct options *options, const char *text)
{
	const char *rest = "";

	for (enum fathom_expectation e = FATHOM_EXPECT_STRONG; e < FATHOM_EXPECT_COEFFICIENTS; e++)
		if (strcmp(text, fathom_expectation_name(e)) == 0) {
			options->expectation = e;
			return;
		}
	options->expectation = FATHOM_EXPECT_COEFFICIENTS;
	options->a = coefficient_of(text, ':', &rest);
	options->b = options->a > 0 ? coefficient_of(rest, '\0', &rest) : -1;
	if (options->b < 0)
		fathom_tool_usage_error("--expect %s: strong, weak, multicore, or coefficients such as 16:4", text);
}

static void parse(struct options *options, int argc, char **argv)
{
	enum { EXPECT = 256, METRIC, TOP, ALL, JSON, PAGE };
	static const struct option known[] = {
		{ "expect", required_argument, NULL, EXPECT },
		{ "metric", required_argument, NULL, METRIC },
		{ "top", required_argument, NULL, TOP },
		{ "all", no_argument, NULL, ALL },
		{ "json", no_argument, NULL, JSON },
		{ "page", required_argument, NULL, PAGE },
		{ "output", required_argument, NULL, 'o' },
		FATHOM_PAGE_OPTIONS,
		FATHOM_COMMON_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	int code;

	*options = (struct options){ .metric = "time", .top = 15 };
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":o:h", known, NULL)) != -1) {
		switch (code) {
		case EXPECT: set_expectation(options, optarg); break;
		case METRIC: options->metric = optarg; break;
		case TOP: options->top = fathom_argument_number("--top", optarg, 0, INT32_MAX); break;
		case ALL: options->all = true; break;
		case JSON: options->json = true; break;
		case PAGE: options->page = optarg; break;
		case 'o': options->output = optarg; break;
		default:
			if (!fathom_argument_page(&options->width, &options->colour, code, argc, argv))
				fathom_argument_other(argv, code, help);
		}
	}
}

/* Refuses a name with another ending, or of a file that exists. 0, or -1 after an error message. */
static int check_output(const char *option, const char *output, const char *ending)
{
	size_t length = strlen(output), end = strlen(ending);
	struct stat status;

	if (length <= end || strcmp(output + length - end, ending) != 0)
		fathom_tool_usage_error("%s %s: the name must end in %s", option, output, ending);
	if (lstat(output, &status) != 0)
		return 0;
	fathom_tool_error("%s: exists already (remove it, or choose another name with %s)", output, option);
	return -1;
}

static void print(const struct fathom_scaling *scaling, const struct options *options)
{
	struct fathom_page page;

	if (options->json) {
		fathom_scaling_json(scaling);
		return;
	}
	fathom_page_init(&page, options->width, options->colour);
	fathom_scaling_print(scaling, &page, options->top, options->all);
	fathom_page_fini(&page);
}

int main(int argc, char **argv)
{
	static struct fathom_scaling scaling;
	struct options options;
	int err = 0;

	fathom_tool_begin("scaling");
	parse(&options, argc, argv);
	if (argc - optind < 2)
		fathom_tool_usage_error("%s: runs of at least two sizes are needed",
					argc == optind ? "no run is named" : argv[optind]);
	if (argc - optind > FATHOM_MATCHED_RUNS_MOST)
		fathom_tool_usage_error("%d runs: at most %d are possible", argc - optind, FATHOM_MATCHED_RUNS_MOST);
	if ((options.output && check_output("-o", options.output, ".cubex")) ||
	    (options.page && check_output("--page", options.page, ".html")))
		return FATHOM_TOOL_FAILURE;
	atexit(fathom_loss_file_abandon);
	scaling.expectation = options.expectation;
	scaling.a = options.a;
	scaling.b = options.b;
	err = fathom_scaling_init(&scaling, argv + optind, argc - optind, options.metric);
	if (!err) {
		fathom_scaling_analyse(&scaling);
		if (options.output)
			err = fathom_loss_file_write(&scaling, options.output);
		if (!err && options.page)
			err = fathom_scaling_page(&scaling, options.page, options.top);
	}
	if (!err)
		print(&scaling, &options);
	fathom_scaling_fini(&scaling);
	return err ? FATHOM_TOOL_FAILURE : fathom_tool_end();
}
