/*
 * main: the command line of `fathom fold`, which shows what happens within a stretch of computation.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "callgraphs/graph_trace.h"
#include "bursts/recorded_bursts.h"
#include "folding/duration_modes.h"
#include "otf2/memory.h"
#include "tools/clusters/cluster_options.h"
#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/fold/fold_output.h"
#include "tools/fold/fold_reading.h"

static const char help[] =
	"usage: fathom fold [OPTION...] [DIR|TRACE]\n"
	"\n"
	"Show what happens within a region or a kind of computation, finer than it was\n"
	"measured: the samples and counter readings of all its instances are put into one.\n"
	"Prints the rates of counters over the time of an instance, and which lines of the\n"
	"code run when. Without a target, the newest trace is taken.\n"
	"\n"
	"  --region NAME      fold the visits of this region\n"
	"  --kind N           fold the bursts of kind N, as fathom clusters counts them\n"
	"  --top N            without these: fold the N kinds with most time (3)\n"
	"  --csv FILE         also write the rates as a table\n"
	"  --page FILE.html   also write a page with curves, for a browser\n"
	"  --json             for programs\n"
	"  --metrics LIST, --share PERCENT, --least TIME, --eps NUMBER, --min-points N,\n"
	"  --method METHOD    how kinds are found, as for fathom clusters\n"
	"  --width N          columns (80 to 1000)\n"
	"  --color WHEN       auto, always or never; --no-color\n"
	"  --help, --version\n";

struct options {
	struct fathom_cluster_choice choice;
	const char *region, *csv, *page;	/* NULL: not given */
	uint32_t kind, top;			/* kind 0: not given */
	int width;
	enum fathom_colour colour;
	bool json, has_choice;
};

static void parse(struct options *options, int argc, char **argv)
{
	enum { REGION = 256, KIND, TOP, CSV, PAGE, JSON };
	static const struct option table[] = {
		FATHOM_CLUSTER_OPTIONS,
		{ "region", required_argument, NULL, REGION },
		{ "kind", required_argument, NULL, KIND },
		{ "top", required_argument, NULL, TOP },
		{ "csv", required_argument, NULL, CSV },
		{ "page", required_argument, NULL, PAGE },
		{ "json", no_argument, NULL, JSON },
		FATHOM_PAGE_OPTIONS,
		FATHOM_COMMON_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	int code;

	*options = (struct options){ .choice = FATHOM_CLUSTER_CHOICE_INIT };
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":h", table, NULL)) != -1) {
		switch (code) {
		case REGION: options->region = optarg; break;
		case KIND: options->kind = (uint32_t)fathom_argument_number("--kind", optarg, 1, 1000000); break;
		case TOP: options->top = (uint32_t)fathom_argument_number("--top", optarg, 1, 1000); break;
		case CSV: options->csv = optarg; break;
		case PAGE: options->page = optarg; break;
		case JSON: options->json = true; break;
		default:
			if (fathom_cluster_option(&options->choice, code, optarg))
				options->has_choice = true;
			else if (!fathom_argument_page(&options->width, &options->colour, code, argc, argv))
				fathom_argument_other(argv, code, help);
		}
	}
	if ((options->region != NULL) + (options->kind > 0) + (options->top > 0) > 1)
		fathom_tool_usage_error("choose one of --region, --kind and --top");
	if (options->region && options->has_choice)
		fathom_tool_usage_error("--region: not with options about kinds");
	if (options->top == 0)
		options->top = 3;
	fathom_cluster_options_check(&options->choice);
}

/* Refuses a file that exists. 0, or -EEXIST after an error message. */
static int check_output(const char *option, const char *output)
{
	struct stat status;

	if (!output || lstat(output, &status) != 0)
		return 0;
	fathom_tool_error("%s: exists already (remove it, or choose another name with %s)", output, option);
	return -EEXIST;
}

/* Refuses a profile and the bursts of a run: nothing in them has a time within an instance. target may be NULL. 0, or
 * -EINVAL after an error message. */
static int check_target(const char *target)
{
	struct fathom_experiment_content content = { .bursts = false };
	size_t length = target ? strlen(target) : 0;
	bool has_bursts = target && fathom_recorded_bursts_is_file(target);
	bool is_profile = length > 6 && strcmp(target + length - 6, ".cubex") == 0;

	if (target && !fathom_experiment_look(target, &content))
		has_bursts = content.bursts && !*content.trace;
	if (!has_bursts && !is_profile)
		return 0;
	fathom_tool_error("%s: has no trace: %s, and folding needs the times of samples or counter readings within the "
			  "instances; run the program with FATHOM_MODE=trace FATHOM_SAMPLING=1000 "
			  "FATHOM_TRACE_SAMPLES=1000", target,
			  has_bursts ? "a recorded burst has a begin and an end only" : "a profile has sums only");
	return -EINVAL;
}

/* Prints the folds and writes the files that are wanted. 0, or -errno after an error message. */
static int show(const struct options *options, const struct fathom_folds *folds)
{
	struct fathom_page page;
	int err = 0;

	if (options->csv)
		err = fathom_folds_csv(folds, options->csv);
	if (!err && options->page)
		err = fathom_folds_page(folds, options->page);
	if (err)
		return err;
	if (options->json) {
		fathom_folds_json(folds);
		return 0;
	}
	fathom_page_init(&page, options->width, options->colour);
	fathom_folds_print(folds, &page);
	fathom_page_fini(&page);
	return 0;
}

/* Folds the instances. 0, or -errno after an error message. */
static int fold(const struct options *options, const char *anchor, struct fathom_instances *instances)
{
	struct fathom_otf2_archive trace;
	struct fathom_folds folds = { 0 };
	int err = fathom_trace_open(&trace, anchor);

	if (!err)
		err = fathom_otf2_read_definitions(&trace, NULL);
	if (err) {
		fathom_tool_error("%s", trace.error);
	} else {
		fathom_folds_make(&folds, &trace, instances);
		if (folds.count == 0) {
			fathom_tool_error("%s: %zu instances%s%s: too few of equal duration to fold them (%d at least)",
					  anchor, instances->count, options->region ? " of " : "",
					  options->region ? options->region : "", FATHOM_LEAST_INSTANCES);
			err = -ENODATA;
		}
		if (!err)
			err = fathom_folds_read(&folds, instances);
		if (!err)
			err = show(options, &folds);
	}
	fathom_folds_fini(&folds);
	fathom_otf2_close(&trace);
	return err;
}

int main(int argc, char **argv)
{
	struct fathom_instances instances = { 0 };
	struct fathom_experiment experiment;
	struct options options;
	int err;

	fathom_tool_begin("fold");
	parse(&options, argc, argv);
	fathom_otf2_memory_set_end(fathom_tool_out_of_memory);
	if (check_output("--csv", options.csv) || check_output("--page", options.page) ||
	    check_target(fathom_argument_target(argc, argv)) ||
	    fathom_experiment_find_trace(&experiment, fathom_argument_target(argc, argv)))
		return FATHOM_TOOL_FAILURE;
	err = options.region ? fathom_instances_of_region(&instances, experiment.path, options.region) :
	      fathom_instances_of_kinds(&instances, experiment.path, &options.choice, options.kind, options.top);
	if (!err)
		err = fold(&options, experiment.path, &instances);
	fathom_instances_fini(&instances);
	return err ? FATHOM_TOOL_FAILURE : fathom_tool_end();
}
