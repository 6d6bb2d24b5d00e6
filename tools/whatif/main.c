/*
 * main: `fathom whatif`: predicts the time of a run on another machine, or with other code, by a replay of its trace.
 *
 * The command reads the trace once and makes the program of a replay from it (trace_reading.c). It estimates the
 * machine of the run, replays the program on it, which gives the error of the model, and then on the machine and with
 * the speeds that the options ask for (study.c).
 */
#include <errno.h>
#include <string.h>

#include "callgraphs/graph_trace.h"
#include "otf2/memory.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/whatif/dimemas_files.h"
#include "tools/whatif/faster_kinds.h"
#include "tools/whatif/predicted_trace.h"
#include "tools/whatif/profile_bound.h"
#include "tools/whatif/study.h"
#include "tools/whatif/trace_reading.h"
#include "tools/whatif/whatif_json.h"
#include "tools/whatif/whatif_options.h"
#include "tools/whatif/whatif_text.h"

enum { NO_TRACE = 2 };	/* exit code */

static void print(const struct fathom_study *study)
{
	const struct fathom_whatif_options *options = study->options;
	struct fathom_page page;

	if (options->json) {
		fathom_whatif_json(study);
		return;
	}
	fathom_page_init(&page, options->width, options->colour);
	fathom_whatif_print(study, &page);
	fathom_page_fini(&page);
}

/* Runs the study of a complete program and writes what the options ask for. 0, or -errno after an error message. */
static int study_program(struct fathom_trace_program *made, const struct fathom_whatif_options *options)
{
	struct fathom_study study = { .options = NULL };
	struct fathom_machine machine;
	int err = 0;

	if (options->machine)
		err = fathom_dimemas_machine_read(&machine, &made->program, options->machine);
	if (!err)
		err = fathom_study_run(&study, made, options, options->machine ? &machine : NULL);
	if (!err && options->dimemas)
		err = fathom_dimemas_files_write(&study, options->dimemas);
	if (!err && options->output)
		err = fathom_predicted_trace_write(made, study.has_prediction ? &study.predicted.result :
							 &study.replayed.result, options->output);
	if (!err)
		print(&study);
	fathom_study_fini(&study);
	return err;
}

static int predict_trace(const struct fathom_whatif_options *options, struct fathom_otf2_archive *trace,
			 struct fathom_speed_rules *rules)
{
	struct fathom_faster_kinds kinds = { .bursts = NULL };
	struct fathom_trace_program made;
	int err = 0;

	if (fathom_speed_rules_kind(rules))
		err = fathom_faster_kinds_find(&kinds, trace->anchor, &options->kinds, rules);
	if (err)
		return err;
	fathom_trace_program_init(&made, trace, rules, &kinds);
	err = fathom_trace_program_read(&made);
	if (!err)
		err = study_program(&made, options);
	fathom_trace_program_fini(&made);
	fathom_faster_kinds_fini(&kinds);
	return err;
}

static int predict_dimemas(const struct fathom_whatif_options *options)
{
	struct fathom_trace_program made;
	int err = 0;

	if (options->output) {
		fathom_tool_error("%s: -o needs an OTF2 trace (--dimemas writes the program)", options->target);
		return -EINVAL;
	}
	err = fathom_dimemas_file_read(&made, options->target);
	if (!err)
		err = study_program(&made, options);
	fathom_replay_program_fini(&made.program);
	return err;
}

/* Returns whether the command line names a profile itself, and not a directory. */
static bool is_file(const char *target)
{
	size_t length = target ? strlen(target) : 0;

	return length > 6 && strcmp(target + length - 6, ".cubex") == 0;
}

/* Refuses rules about kinds of bursts for a trace of Dimemas. 0, or -EINVAL after an error message. */
static int check_rules(const struct fathom_speed_rules *rules, const char *target)
{
	const struct fathom_speed_rule *rule = fathom_speed_rules_kind(rules);

	if (!rule)
		return 0;
	fathom_tool_error("--faster %s: kinds of bursts are found in OTF2 traces; %s is none (FATHOM_MODE=trace makes "
			  "one)", rule->name, target);
	return -EINVAL;
}

/* Finds the trace that target names, or the profile if there is no trace. 0, or -errno after an error message. */
static int find_result(struct fathom_experiment *experiment, const char *target)
{
	char trace[PATH_MAX];

	if (fathom_experiment_find(experiment, target))
		return -ENOENT;
	if (!fathom_experiment_is_trace(experiment->path) && !is_file(target) &&
	    fathom_experiment_trace_of(experiment->path, trace))
		strcpy(experiment->path, trace);
	return 0;
}

int main(int argc, char **argv)
{
	struct fathom_whatif_options options;
	struct fathom_otf2_archive trace = { .anchor = "" };
	struct fathom_experiment experiment;
	int err;

	fathom_tool_begin("whatif");
	fathom_whatif_options_read(&options, argc, argv);
	fathom_otf2_memory_set_end(fathom_tool_out_of_memory);
	if (options.dimemas && fathom_dimemas_files_check(options.dimemas))
		return FATHOM_TOOL_FAILURE;
	if (fathom_whatif_is_dimemas(options.target)) {
		err = check_rules(&options.rules, options.target);
		if (!err)
			err = predict_dimemas(&options);
		fathom_whatif_options_fini(&options);
		return err ? FATHOM_TOOL_FAILURE : fathom_tool_end();
	}
	if (find_result(&experiment, options.target))
		return NO_TRACE;
	if (!fathom_experiment_is_trace(experiment.path)) {
		err = fathom_profile_bound(experiment.path, &options);
		fathom_whatif_options_fini(&options);
		return err ? FATHOM_TOOL_FAILURE : fathom_tool_end();
	}
	err = fathom_trace_open(&trace, experiment.path);
	if (!err)
		err = fathom_otf2_read_definitions(&trace, NULL);
	if (err) {
		fathom_tool_error("%s", trace.error);
		return NO_TRACE;
	}
	err = predict_trace(&options, &trace, &options.rules);
	fathom_otf2_close(&trace);
	fathom_whatif_options_fini(&options);
	return err ? FATHOM_TOOL_FAILURE : fathom_tool_end();
}
