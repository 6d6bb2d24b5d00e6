/*
 * main: the command line of `fathom score`.
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/hash_index.h"
#include "tools/common/score/score.h"
#include "tools/common/score/score_filter.h"
#include "tools/score/json.h"
#include "tools/score/text.h"

static const char help[] =
	"usage: fathom score [OPTION...] [DIRECTORY|FILE.cubex]\n"
	"\n"
	"Predict from a profile how large the trace of the same run would be, and say\n"
	"what to leave out of it: functions on no path to communication or\n"
	"synchronization, the largest part of the trace first. Without a name, it is\n"
	"about the newest experiment in FATHOM_DIR or here.\n"
	"\n"
	"  --limit SIZE       leave out until the trace of each process is no larger\n"
	"                     (20000000, 20MB); else what is large, and short-lived\n"
	"  --write FILE       write the filter, for fathom --filter=FILE gcc ... and\n"
	"                     FATHOM_FILTER=FILE; FILE must not exist\n"
	"  --as TOOL          write it for fathom (default), tau (an include list) or\n"
	"                     scorep\n"
	"  --filter FILE      instead: how large the trace would be with this filter\n"
	"  --samples RATE     with samples: FATHOM_TRACE_SAMPLES=RATE\n"
	"  --top N            so many regions\n"
	"  --json             for programs\n"
	"  --width N          columns (80 to 1000)\n"
	"  --color WHEN       auto, always or never; --no-color\n"
	"  --help, --version\n";

/* --- the command line -------------------------------------------------------------------------------- */

/* The largest value of FATHOM_TRACE_SAMPLES. */
enum { MOST_SAMPLES = 10000 };

static double size_of(const char *option, const char *text)
{
	static const char units[] = "kMGT";
	const char *unit;
	char *end;
	double size = strtod(text, &end);

	while (end != text && *end == ' ')
		end++;
	unit = end != text && *end ? strchr(units, *end == 'K' ? 'k' : *end) : NULL;
	if (unit) {
		size *= pow(1000, (double)(unit - units) + 1);
		end++;
	}
	if (end != text && *end == 'B')
		end++;
	if (end == text || *end || !isfinite(size) || size < 1)
		fathom_tool_usage_error("%s %s: not a size (bytes; 500k, 20MB, 1.5G)", option, text);
	return size;
}

static enum fathom_score_as tool_of(const char *name)
{
	static const char *const tools[] = { "fathom", "tau", "scorep" };

	for (int i = 0; i < 3; i++)
		if (strcmp(name, tools[i]) == 0)
			return (enum fathom_score_as)i;
	fathom_tool_usage_error("--as %s: no such tool (fathom, tau, scorep)", name);
}

static void parse(struct fathom_score_options *options, int argc, char **argv)
{
	enum { LIMIT = 256, FILTER, WRITE, AS, SAMPLES, TOP, JSON };
	static const struct option known[] = {
		{ "limit", required_argument, NULL, LIMIT },   { "filter", required_argument, NULL, FILTER },
		{ "write", required_argument, NULL, WRITE },   { "as", required_argument, NULL, AS },
		{ "samples", required_argument, NULL, SAMPLES },
		{ "top", required_argument, NULL, TOP },       { "json", no_argument, NULL, JSON },
		FATHOM_PAGE_OPTIONS,
		FATHOM_COMMON_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	bool has_tool = false;
	int code;

	options->top = -1;
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":h", known, NULL)) != -1) {
		switch (code) {
		case LIMIT: options->limit = size_of("--limit", optarg); break;
		case FILTER: options->with = optarg; break;
		case WRITE: options->filter = optarg; break;
		case AS: options->as = tool_of(optarg); has_tool = true; break;
		case SAMPLES:
			options->samples = (double)fathom_argument_number("--samples", optarg, 0, MOST_SAMPLES);
			break;
		case TOP: options->top = fathom_argument_number("--top", optarg, 0, INT32_MAX); break;
		case JSON: options->json = true; break;
		default:
			if (!fathom_argument_page(&options->width, &options->colour, code, argc, argv))
				fathom_argument_other(argv, code, help);
		}
	}
	options->target = fathom_argument_target(argc, argv);
	if (has_tool && !options->filter)
		fathom_tool_usage_error("--as: is the format of the file of --write, which is missing");
	if (options->with && (options->filter || options->limit > 0))
		fathom_tool_usage_error("--filter is not allowed together with --write or --limit");
}

/* Refuses a filter file that cannot be written, before anything is read. */
static int check_filter(const struct fathom_score_options *options)
{
	struct stat status;

	if (!options->filter || lstat(options->filter, &status) != 0)
		return 0;
	fathom_tool_error("%s: exists already (remove it, or choose another name)", options->filter);
	return -EEXIST;
}

int main(int argc, char **argv)
{
	struct fathom_experiment experiment;
	struct fathom_score score = { 0 };
	char error[512];
	int err;

	fathom_tool_begin("score");
	parse(&score.options, argc, argv);
	if (score.options.with && fathom_filter_read(&score.rules, score.options.with, error, sizeof(error))) {
		fathom_tool_error("%s", error);
		return FATHOM_TOOL_FAILURE;
	}
	if (check_filter(&score.options) || fathom_experiment_find(&experiment, score.options.target))
		return FATHOM_TOOL_FAILURE;
	if (fathom_experiment_is_trace(experiment.path)) {
		fathom_tool_error("%s: is a trace; its size is known (a profile is needed: FATHOM_MODE=profile)",
				  experiment.path);
		return FATHOM_TOOL_FAILURE;
	}
	if (fathom_profile_open(&score.profile, experiment.path, -1))
		return FATHOM_TOOL_FAILURE;
	err = fathom_score_analyse(&score);
	if (!err && score.options.filter)
		err = fathom_score_write(&score);
	if (!err && score.options.json)
		fathom_score_json(&score);
	else if (!err)
		fathom_score_print(&score);
	fathom_score_fini(&score);
	fathom_filter_fini(&score.rules);
	return fathom_tool_end() || err ? FATHOM_TOOL_FAILURE : 0;
}
