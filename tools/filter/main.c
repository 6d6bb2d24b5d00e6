/*
 * main: `fathom filter --check FILE [--on DIR]`: checks a filter file, and counts which regions of an experiment, or
 * which functions of a program, each of its rules matches.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/number_format.h"
#include "tools/common/score/score.h"
#include "tools/common/score/score_filter.h"
#include "tools/filter/program_functions.h"

static const char help[] =
	"usage: fathom filter --check FILE [--on DIRECTORY|FILE.cubex|PROGRAM]\n"
	"\n"
	"Check a filter, and say what each of its rules hits in an experiment: regions,\n"
	"visits, time and bytes of a trace, for the regions that the rule decides about.\n"
	"In a program or library: how many of its functions.\n"
	"\n"
	"A filter has one rule a line; the last rule that matches a region decides:\n"
	"  exclude PATTERN            regions of that name are left out\n"
	"  include PATTERN            and these are not\n"
	"  exclude file PATTERN       by source file; also: mangled, object (program\n"
	"                             or library)\n"
	"  exclude mpi PATTERN        one kind of regions; also: function, user, openmp,\n"
	"                             thread, io, any\n"
	"  exclude rank 1-7,9 PATTERN only in these processes\n"
	"The words go together: rank, then kind, then file. Patterns are those of the\n"
	"shell (* ? [...] and \\); one that begins with a wildcard means functions and\n"
	"user regions unless a kind says otherwise. Filters with SCOREP_REGION_NAMES_BEGIN\n"
	"and SCOREP_FILE_NAMES_BEGIN are taken, too.\n"
	"\n"
	"Use it when the program is built:  fathom --filter=FILE gcc ...\n"
	"or when it runs:                   FATHOM_FILTER=FILE ./program\n"
	"See doc/guides/filters.md. What could be left out of a trace: fathom score\n";

struct request {
	const char *check, *on;
};

static void parse(struct request *request, int argc, char **argv)
{
	enum { CHECK = 256, ON };
	static const struct option known[] = {
		{ "check", required_argument, NULL, CHECK }, { "on", required_argument, NULL, ON },
		{ "help", no_argument, NULL, 'h' }, { "version", no_argument, NULL, FATHOM_ARGUMENT_VERSION },
		{ NULL, 0, NULL, 0 },
	};
	int code;

	opterr = 0;
	while ((code = getopt_long(argc, argv, ":h", known, NULL)) != -1) {
		switch (code) {
		case CHECK: request->check = optarg; break;
		case ON: request->on = optarg; break;
		default: fathom_argument_other(argv, code, help);
		}
	}
	if (argc > optind)
		fathom_tool_usage_error("%s: only files given by --check and --on are checked", argv[optind]);
	if (!request->check)
		fathom_tool_usage_error("--check FILE is missing");
}

/* The regions that a rule matches. */
struct hits {
	uint32_t matched, decided;	/* regions that the rule matches, and regions that it decides about */
	double visits, seconds, bytes;	/* sums over the latter */
};

static void count_hits(const struct fathom_score *score, struct hits *hits)
{
	const struct fathom_filter *filter = &score->rules;

	for (uint32_t n = 0; n < score->name_count; n++) {
		const struct fathom_score_name *name = &score->names[n];
		struct fathom_filter_subject subject =
			fathom_score_subject(&score->profile.cube->regions[name->region]);
		const struct fathom_filter_rule *decider;

		for (size_t i = 0; i < filter->count; i++)
			hits[i].matched += fathom_filter_matches(&filter->rules[i], &subject);
		fathom_filter_ask(filter, &subject, &decider);
		if (!decider)
			continue;
		hits[decider - filter->rules].decided++;
		hits[decider - filter->rules].visits += name->visits;
		hits[decider - filter->rules].seconds += name->seconds;
		hits[decider - filter->rules].bytes += name->cost.bytes;
	}
}

static void print_rule(const struct fathom_score *score, const struct fathom_filter_rule *rule,
		       const struct hits *hits)
{
	char visits[FATHOM_NUMBER_BYTES], seconds[FATHOM_NUMBER_BYTES] = "-", bytes[FATHOM_NUMBER_BYTES];

	if (score->profile.time >= 0)
		fathom_number_seconds(seconds, hits->seconds);
	printf("%5u  %7u  %8s  %9s  %9s  ", rule->line, hits->decided, fathom_number_count(visits, hits->visits),
	       seconds, fathom_number_bytes(bytes, hits->bytes));
	fathom_score_print_rule(rule);
	if (rule->ranks || rule->about == FATHOM_FILTER_OBJECT)
		printf("  (not known from a profile)");
	else if (!hits->matched)
		printf("  (hits nothing)");
	else if (!hits->decided)
		printf("  (%u, all decided by other rules)", hits->matched);
	putchar('\n');
}

static void print_all(const struct fathom_score *score)
{
	struct hits *hits = fathom_tool_alloc(score->rules.count + 1, sizeof(*hits));
	char before[FATHOM_NUMBER_BYTES], after[FATHOM_NUMBER_BYTES];

	count_hits(score, hits);
	printf(" line  regions    visits       time      trace  rule\n");
	for (size_t i = 0; i < score->rules.count; i++)
		print_rule(score, &score->rules.rules[i], &hits[i]);
	printf("%u regions are left out; the trace of the largest process: %s, with the filter %s\n",
	       score->dropped_count, fathom_number_bytes(before, score->processes[score->largest].cost.bytes),
	       fathom_number_bytes(after, score->rest_most));
	free(hits);
}

static int check_on(struct fathom_score *score, const char *target)
{
	struct fathom_experiment experiment;
	int err;

	if (fathom_functions_are_in(target)) {
		fathom_functions_print(&score->rules, target);
		return 0;
	}
	err = fathom_experiment_find(&experiment, target);
	if (err)
		return err;
	if (fathom_experiment_is_trace(experiment.path)) {
		fathom_tool_error("%s: is a trace (a profile is needed: FATHOM_MODE=profile)", experiment.path);
		return -1;
	}
	err = fathom_profile_open(&score->profile, experiment.path, -1);
	if (err)
		return err;
	err = fathom_score_analyse(score);
	if (!err)
		print_all(score);
	fathom_score_fini(score);
	return err;
}

int main(int argc, char **argv)
{
	struct fathom_score score = { 0 };
	struct request request = { 0 };
	char error[512];
	int err = 0;

	fathom_tool_begin("filter");
	parse(&request, argc, argv);
	if (fathom_filter_read(&score.rules, request.check, error, sizeof(error))) {
		fathom_tool_error("%s", error);
		return FATHOM_TOOL_FAILURE;
	}
	if (request.on)
		err = check_on(&score, request.on);
	else
		printf("%s: %zu rules, no mistake\n", request.check, score.rules.count);
	fathom_filter_fini(&score.rules);
	return fathom_tool_end() || err ? FATHOM_TOOL_FAILURE : 0;
}
