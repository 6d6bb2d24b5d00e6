/*
 * main: the command line of `fathom remap`, which adds metrics of activity classes to the profiles of other tools.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/common/activity_times.h"
#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/number_format.h"
#include "tools/remap/remapped_file.h"

static const char help[] =
	"usage: fathom remap [-o FILE.cubex] RUN\n"
	"\n"
	"Write a copy of a profile with its time divided by what the program did: metrics\n"
	"of computation, MPI (point-to-point, collective, ...), OpenMP, threads, input\n"
	"and output, by the same rules as in the profiles of fathom. This is for profiles\n"
	"of other tools that write CUBE4, such as Score-P. RUN is a directory or a .cubex\n"
	"file; it is not changed.\n"
	"\n"
	"  -o, --output FILE.cubex   the name of the new file (remapped.cubex)\n"
	"  --help, --version\n";

static const char *parse(int argc, char **argv)
{
	static const struct option known[] = {
		{ "output", required_argument, NULL, 'o' },
		FATHOM_COMMON_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	const char *output = "remapped.cubex";
	size_t length;
	int code;

	opterr = 0;
	while ((code = getopt_long(argc, argv, ":o:h", known, NULL)) != -1) {
		if (code == 'o')
			output = optarg;
		else
			fathom_argument_other(argv, code, help);
	}
	length = strlen(output);
	if (length < 7 || strcmp(output + length - 6, ".cubex") != 0)
		fathom_tool_usage_error("-o %s: the name must end in .cubex", output);
	return output;
}

/* Returns the metric of a class that the profile has already; NULL: it has none. */
static const char *class_metric(const struct fathom_cube *cube)
{
	for (int class = 0; class < FATHOM_ACTIVITY_COUNT; class++)
		if (fathom_cube_metric_by_name(cube, fathom_activity_table[class].metric) >= 0)
			return fathom_activity_table[class].metric;
	return NULL;
}

/* Refuses what cannot be remapped, before anything is written. 0, or -1 after an error message. */
static int refuse(const struct fathom_profile *profile, const char *output)
{
	const struct fathom_cube *cube = profile->cube;
	const char *class = class_metric(cube);
	struct stat status;

	if (class)
		fathom_tool_error("%s: has metrics of activity classes already, such as %s", profile->path, class);
	else if (fathom_cube_metric_by_name(cube, "time") < 0)
		fathom_tool_error("%s: has no metric time, which would be divided", profile->path);
	else if (profile->time < 0 || cube->metrics[profile->time].dtype == FATHOM_CUBE_TUPLE)
		fathom_tool_error("%s: its times are statistics over threads, which cannot be divided by class",
				  profile->path);
	else if (lstat(output, &status) == 0)
		fathom_tool_error("%s: exists already (remove it, or choose another name with -o)", output);
	else
		return 0;
	return -1;
}

static void say_result(const char *output, const struct fathom_remapped *remapped)
{
	printf("%s: %u metrics of activity classes added", output, remapped->added);
	for (int k = 0; k < FATHOM_KIND_COUNT; k++) {
		enum fathom_activity class = fathom_activity_kinds[k];
		double seconds = remapped->seconds[class];
		char text[FATHOM_NUMBER_BYTES];

		/* Computation contains input and output, which is also named by itself. */
		if (seconds > 0)
			printf("; %s %s", fathom_activity_table[class].title,
			       fathom_number_percent(text, seconds, remapped->total));
	}
	putchar('\n');
	if (remapped->left_out)
		printf("%s: %u metrics left out, which are formulas or of types that are only read\n", output,
		       remapped->left_out);
}

int main(int argc, char **argv)
{
	struct fathom_experiment experiment;
	struct fathom_remapped remapped;
	struct fathom_profile profile;
	const char *output;
	int err;

	fathom_tool_begin("remap");
	output = parse(argc, argv);
	atexit(fathom_remapped_file_abandon);
	if (fathom_experiment_find(&experiment, fathom_argument_target(argc, argv)))
		return FATHOM_TOOL_FAILURE;
	if (fathom_experiment_is_trace(experiment.path)) {
		fathom_tool_error("%s: is a trace (profiles are remapped)", experiment.path);
		return FATHOM_TOOL_FAILURE;
	}
	if (fathom_profile_open(&profile, experiment.path, -1))
		return FATHOM_TOOL_FAILURE;
	err = refuse(&profile, output);
	if (!err)
		err = fathom_remapped_file_write(&profile, output, &remapped);
	if (!err)
		say_result(output, &remapped);
	fathom_profile_close(&profile);
	return err ? FATHOM_TOOL_FAILURE : fathom_tool_end();
}
