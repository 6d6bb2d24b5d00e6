/*
 * main: the command lines of `fathom mean`, `fathom max` and `fathom min`, which combine profiles of equal runs into
 * one. The three are compiled from this file; FATHOM_COMMAND is the number of the one that is made.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/algebra/operation.h"
#include "tools/common/argument.h"
#include "tools/common/command.h"

static const struct { const char *name, *what; enum fathom_operation operation; } commands[] = {
	{ "mean", "the mean of each value, over the runs that have the metric", FATHOM_OPERATION_MEAN },
	{ "max", "the largest own value", FATHOM_OPERATION_MAX },
	{ "min", "the smallest own value", FATHOM_OPERATION_MIN },
};

static const char help_format[] =
	"usage: fathom %s -o FILE.cubex RUN RUN...\n"
	"\n"
	"Combine the profiles of runs into one profile, which has\n"
	"%s.\n"
	"RUN is an experiment directory or a .cubex file.\n"
	"Call paths match as for fathom diff; one that a run lacks counts as 0.\n"
	"\n"
	"  -o, --output FILE.cubex     the new profile; nothing is overwritten\n"
	"%s"
	"  --help, --version\n";

/* Prints the usage on stdout and ends the program. */
_Noreturn static void print_help(void)
{
	printf(help_format, commands[FATHOM_COMMAND].name, commands[FATHOM_COMMAND].what,
	       commands[FATHOM_COMMAND].operation != FATHOM_OPERATION_MEAN ? "" :
	       "  --deviation FILE.cubex      a second profile, of the standard deviations of\n"
	       "                              own values\n");
	exit(fathom_tool_end());
}

struct options {
	const char *output, *deviation;
};

static void parse(struct options *options, int argc, char **argv)
{
	bool is_mean = commands[FATHOM_COMMAND].operation == FATHOM_OPERATION_MEAN;
	const struct option known[] = {
		{ "output", required_argument, NULL, 'o' },
		FATHOM_COMMON_OPTIONS,
		{ is_mean ? "deviation" : NULL, required_argument, NULL, 'd' },
		{ NULL, 0, NULL, 0 },
	};
	int code;

	opterr = 0;
	while ((code = getopt_long(argc, argv, ":ho:", known, NULL)) != -1) {
		switch (code) {
		case 'o': options->output = optarg; break;
		case 'd': options->deviation = optarg; break;
		case 'h': print_help();
		default: fathom_argument_other(argv, code, "");
		}
	}
	if (!options->output)
		fathom_tool_usage_error("the name of the new profile is missing: -o FILE.cubex");
	if (argc - optind < 2)
		fathom_tool_usage_error("runs are missing: at least two");
	fathom_operation_check_output(options->output);
	if (options->deviation)
		fathom_operation_check_output(options->deviation);
}

int main(int argc, char **argv)
{
	static struct fathom_algebra algebra;
	struct options options = { 0 };
	int err;

	fathom_tool_begin(commands[FATHOM_COMMAND].name);
	parse(&options, argc, argv);
	err = fathom_algebra_open(&algebra, argv + optind, argc - optind);
	if (!err) {
		fathom_algebra_match(&algebra);
		err = fathom_operation_write(&algebra, commands[FATHOM_COMMAND].operation, 0, options.output);
	}
	if (!err && options.deviation)
		err = fathom_operation_write(&algebra, FATHOM_OPERATION_DEVIATION, 0, options.deviation);
	fathom_algebra_fini(&algebra);
	return err ? FATHOM_TOOL_FAILURE : fathom_tool_end();
}
