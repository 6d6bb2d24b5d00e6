/*
 * main: the command line of `fathom diff`, which compares the profiles of runs.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "tools/algebra/operation.h"
#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/progress.h"
#include "tools/diff/diff_text.h"

static const char help[] =
	"usage: fathom diff [OPTION...] A B\n"
	"       fathom diff [OPTION...] A1 A2 A3 -- B1 B2 B3\n"
	"\n"
	"Compare the profiles of runs: what became slower or faster from A to B, by\n"
	"region and call path. A and B are experiment directories or .cubex files. With\n"
	"several runs of each side, only differences beyond the noise are changes.\n"
	"\n"
	"  -o, --output FILE.cubex\n"
	"                     write the differences of all metrics (B minus A) as a\n"
	"                     profile, in place of the comparison\n"
	"  --metric NAME      compare this metric (time)\n"
	"  --kinds            also say how the kinds of computation changed, if both runs\n"
	"                     have a trace (see fathom track)\n"
	"  --all              list differences that may be noise, too\n"
	"  --top N            so many lines of a list (20)\n"
	"  --fail-above N%    exit code 3 if the whole run, or a region with a change,\n"
	"                     grew by more than N per cent of the whole run of A\n"
	"  --json             for programs\n"
	"  --width N          columns (80 to 1000)\n"
	"  --color WHEN       auto, always or never; --no-color\n"
	"  --help, --version\n";

enum { EXIT_SLOWER = 3 };

struct options {
	const char *metric;
	const char *output;	/* NULL: the comparison is printed */
	double fail_above;	/* per cent; negative: not given */
	int64_t top;
	int width;
	enum fathom_colour colour;
	bool all, json, kinds;
};

static double percent_of(const char *text)
{
	char *end;
	double percent = strtod(text, &end);

	if (*end == '%')
		end++;
	if (end == text || *end || !(percent >= 0 && percent <= 1e6))
		fathom_tool_usage_error("--fail-above %s: not a percentage (5%%, 0.5)", text);
	return percent;
}

static void parse(struct options *options, int argc, char **argv)
{
	enum { METRIC = 256, ALL, TOP, FAIL_ABOVE, JSON, KINDS };
	static const struct option known[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "metric", required_argument, NULL, METRIC },
		{ "all", no_argument, NULL, ALL },
		{ "kinds", no_argument, NULL, KINDS },
		{ "top", required_argument, NULL, TOP },
		{ "fail-above", required_argument, NULL, FAIL_ABOVE },
		{ "json", no_argument, NULL, JSON },
		FATHOM_PAGE_OPTIONS,
		FATHOM_COMMON_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	int code;

	*options = (struct options){ .metric = "time", .fail_above = -1, .top = 20 };
	opterr = 0;
	while ((code = getopt_long(argc, argv, "+:ho:", known, NULL)) != -1) {
		switch (code) {
		case 'o': options->output = optarg; break;
		case METRIC: options->metric = optarg; break;
		case ALL: options->all = true; break;
		case KINDS: options->kinds = true; break;
		case TOP: options->top = fathom_argument_number("--top", optarg, 0, INT32_MAX); break;
		case FAIL_ABOVE: options->fail_above = percent_of(optarg); break;
		case JSON: options->json = true; break;
		default:
			if (!fathom_argument_page(&options->width, &options->colour, code, argc, argv))
				fathom_argument_other(argv, code, help);
		}
	}
}

/* Finds where the second side begins, and removes the "--" between the sides from the targets. Returns the number of
 * runs; *first_count becomes that of the first side. */
static int split_sides(char **targets, int count, uint32_t *first_count)
{
	int before = 0;

	while (before < count && strcmp(targets[before], "--") != 0)
		before++;
	if (before == count && count != 2)
		fathom_tool_usage_error("%d %s: two are compared, or several with -- between the sides "
					"(A1 A2 -- B1 B2)", count, count == 1 ? "run" : "runs");
	if (before == count) {
		*first_count = 1;
	} else {
		*first_count = (uint32_t)before;
		memmove(targets + before, targets + before + 1, (size_t)(count - before - 1) * sizeof(*targets));
		count--;
	}
	if (*first_count == 0 || (int)*first_count == count)
		fathom_tool_usage_error("no run %s --", *first_count ? "behind" : "before");
	if (count > FATHOM_MATCHED_RUNS_MOST)
		fathom_tool_usage_error("%d runs: at most %d can be compared", count, FATHOM_MATCHED_RUNS_MOST);
	return count;
}

/* Reads the runs of both sides. 0, or -errno after an error message. */
static int read_runs(struct fathom_diff *diff, char **targets, int count, const char *metric)
{
	int err = 0;

	fathom_progress_begin("reading profiles", 0);
	for (int i = 0; i < count && !err; i++)
		err = fathom_matched_runs_add(&diff->matched, targets[i], metric);
	fathom_progress_end();
	return err;
}

/* Returns whether anything grew by more than that share of the whole. */
static bool is_slower(const struct fathom_diff *diff, double percent)
{
	double most = percent / 100 * diff->total.before;

	if (diff->total.is_change && diff->total.after - diff->total.before > most)
		return true;
	for (size_t i = 0; i < diff->matched.regions.count; i++)
		if (diff->own[i].is_change && diff->own[i].after - diff->own[i].before > most)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	struct fathom_diff diff = { 0 };
	struct options options;
	int code = 0, count;

	fathom_tool_begin("diff");
	parse(&options, argc, argv);
	if (optind >= argc)
		fathom_tool_usage_error("no run is named (fathom diff A B)");
	count = split_sides(argv + optind, argc - optind, &diff.first_count);
	if (options.kinds && (count != 2 || options.output))
		fathom_tool_usage_error("--kinds: compares two runs, and not with --output");
	if (options.output && (options.json || options.fail_above >= 0))
		fathom_tool_usage_error("--output and --%s: choose one", options.json ? "json" : "fail-above");
	if (options.output)
		return fathom_operation_run(argv + optind, count, FATHOM_OPERATION_DIFF, diff.first_count,
					    options.output) ? FATHOM_TOOL_FAILURE : fathom_tool_end();
	if (read_runs(&diff, argv + optind, count, options.metric)) {
		fathom_matched_runs_fini(&diff.matched);
		return FATHOM_TOOL_FAILURE;
	}
	if (options.kinds) {
		diff.kinds = fathom_kind_changes_find(argv[optind], argv[optind + (int)diff.first_count]);
		if (!diff.kinds) {
			fathom_matched_runs_fini(&diff.matched);
			return FATHOM_TOOL_FAILURE;
		}
	}
	diff.all = options.all;
	diff.top = options.top;
	diff.total = fathom_changes_total(&diff.matched, diff.first_count);
	diff.own = fathom_changes_find(&diff.matched, &diff.matched.regions, diff.first_count, FATHOM_CHANGE_OWN);
	diff.inclusive = fathom_changes_find(&diff.matched, &diff.matched.regions, diff.first_count,
					     FATHOM_CHANGE_INCLUSIVE);
	diff.paths = fathom_changes_find(&diff.matched, &diff.matched.call_paths, diff.first_count, FATHOM_CHANGE_OWN);
	if (options.json) {
		fathom_diff_json(&diff);
	} else {
		struct fathom_page page;

		fathom_page_init(&page, options.width, options.colour);
		fathom_diff_print(&diff, &page);
		fathom_page_fini(&page);
	}
	if (options.fail_above >= 0 && is_slower(&diff, options.fail_above))
		code = EXIT_SLOWER;
	if (diff.kinds)
		fathom_kind_changes_destroy(diff.kinds);
	free(diff.own);
	free(diff.inclusive);
	free(diff.paths);
	fathom_matched_runs_fini(&diff.matched);
	return fathom_tool_end() ? FATHOM_TOOL_FAILURE : code;
}
