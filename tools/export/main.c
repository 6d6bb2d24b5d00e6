/*
 * main: the command line of `fathom export`, which writes results in formats of other tools.
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/progress.h"
#include "tools/export/export_format.h"
#include "tools/export/export_profile.h"
#include "tools/common/output_file.h"

static const char help[] =
	"usage: fathom export --to NAME [OPTION...] [DIRECTORY|FILE.cubex|traces.otf2]\n"
	"       fathom export --list\n"
	"\n"
	"Write a profile, or a trace, in a format that other tools read. Without a\n"
	"directory or file, it is about the newest experiment in FATHOM_DIR or here.\n"
	"\n"
	"  --to NAME          the format (--list names all)\n"
	"  --list             list the formats\n"
	"  -o, --output FILE  write to FILE, not to standard output\n"
	"  --force            replace FILE if it exists\n"
	"  --metric NAME      this metric of a profile (time; csv: all)\n"
	"  --rank N           the values of one rank of a profile\n"
	"  --table NAME       csv: calltree (default), regions, ranks or values\n"
	"  --scopes           the call tree with loops and inlined functions, of\n"
	"                     scopes.cubex\n"
	"  --help, --version\n";

struct options {
	const struct format *format;
	const char *target;
	const char *output;	/* NULL: standard output */
	const char *metric;	/* NULL: the default of the format */
	int64_t rank;		/* -1: all */
	int table;		/* enum fathom_export_table; -1: not given */
	bool force, scopes;
};

/* --- formats ------------------------------------------------------------------------------------------ */

typedef int write_values(struct fathom_export_profile *source, FILE *out);

static const struct format {
	const char *name;
	const char *source;		/* what it is written from */
	const char *what;
	write_values *write;		/* NULL: it is written from other data */
	bool is_binary;
} formats[] = {
	{ "collapsed", "profile", "collapsed stacks, for flame graph tools (flamegraph.pl, inferno)",
	  fathom_export_collapsed, false },
	{ "speedscope", "profile", "JSON for speedscope.app", fathom_export_speedscope, false },
	{ "callgrind", "profile", "callgrind.out, for KCachegrind and callgrind_annotate", fathom_export_callgrind,
	  false },
	{ "gprof", "profile", "text like gprof's: flat profile, callers and callees", fathom_export_gprof, false },
	{ "pprof", "profile", "profile.proto, compressed with gzip, for pprof", fathom_export_pprof, true },
	{ "csv", "profile", "comma-separated values: call tree, regions, ranks, all values", NULL, false },
	{ "tau", "profile", "profile.RANK.0.THREAD in a new directory, for TAU's tools (-o DIRECTORY)", NULL, false },
	{ "peri-xml", "profile", "PERI-XML as ParaProf reads it: functions by process", NULL, false },
	{ "chrome", "trace", "trace event JSON, for Perfetto (ui.perfetto.dev) and Chrome", NULL, false },
	{ "paraver", "trace", "FILE.prv, FILE.pcf and FILE.row, for Paraver (-o FILE.prv)", NULL, false },
};

static const char *const tables[FATHOM_EXPORT_TABLES] = { "calltree", "regions", "ranks", "values" };

static const struct format *find_format(const char *name)
{
	const char *nearest = NULL;

	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
		if (strcmp(formats[i].name, name) == 0)
			return &formats[i];
		nearest = fathom_tool_nearer(name, nearest, formats[i].name);
	}
	if (nearest)
		fathom_tool_usage_error("--to %s: no such format; did you mean %s?", name, nearest);
	fathom_tool_usage_error("--to %s: no such format (collapsed, speedscope, callgrind, gprof, pprof, csv, tau, "
				"peri-xml, chrome, paraver)", name);
}

static int find_table(const char *name)
{
	for (int t = 0; t < FATHOM_EXPORT_TABLES; t++)
		if (strcmp(tables[t], name) == 0)
			return t;
	fathom_tool_usage_error("--table %s: not one of calltree, regions, ranks, values", name);
}

static _Noreturn void list_formats(void)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		printf("%-11s %-8s %s\n", formats[i].name, formats[i].source, formats[i].what);
	exit(fathom_tool_end());
}

/* --- options ------------------------------------------------------------------------------------------ */

static bool ends_with(const char *text, const char *ending)
{
	size_t length = text ? strlen(text) : 0, end = strlen(ending);

	return length > end && strcmp(text + length - end, ending) == 0;
}

static bool is_format(const struct format *format, const char *name)
{
	return strcmp(format->name, name) == 0;
}

/* Refuses options that the format does not have. */
static void refuse_options(const struct options *options)
{
	const struct format *format = options->format;
	bool is_trace = strcmp(format->source, "trace") == 0;

	if (is_trace && options->metric)
		fathom_tool_usage_error("--metric: --to %s writes all events of a trace", format->name);
	if (is_trace && options->rank >= 0)
		fathom_tool_usage_error("--rank: --to %s writes all ranks of a trace", format->name);
	if (is_trace && options->scopes)
		fathom_tool_usage_error("--scopes: --to %s reads a trace, not a profile", format->name);
	if (is_format(format, "paraver") && !ends_with(options->output, ".prv"))
		fathom_tool_usage_error("--to paraver: writes three files, so it needs -o FILE.prv");
	if (is_format(format, "tau") && !options->output)
		fathom_tool_usage_error("--to tau: writes a file for each thread, so it needs -o DIRECTORY");
	if (is_format(format, "tau") && options->force)
		fathom_tool_usage_error("--force: --to tau always writes a new directory");
	if (options->table >= 0 && !is_format(format, "csv"))
		fathom_tool_usage_error("--table: only --to csv has tables");
	if (format->is_binary && !options->output && isatty(STDOUT_FILENO))
		fathom_tool_usage_error("--to %s: is no text for a terminal (-o FILE, or > FILE)", format->name);
}

static void parse(struct options *options, int argc, char **argv)
{
	enum { TO = 256, LIST, FORCE, METRIC, RANK, TABLE, SCOPES };
	static const struct option known[] = {
		{ "to", required_argument, NULL, TO },
		{ "list", no_argument, NULL, LIST },
		{ "output", required_argument, NULL, 'o' },
		{ "force", no_argument, NULL, FORCE },
		{ "metric", required_argument, NULL, METRIC },
		{ "rank", required_argument, NULL, RANK },
		{ "table", required_argument, NULL, TABLE },
		{ "scopes", no_argument, NULL, SCOPES },
		FATHOM_COMMON_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	int code;

	*options = (struct options){ .rank = -1, .table = -1 };
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":ho:", known, NULL)) != -1) {
		switch (code) {
		case TO: options->format = find_format(optarg); break;
		case LIST: list_formats();
		case 'o': options->output = optarg; break;
		case FORCE: options->force = true; break;
		case METRIC: options->metric = optarg; break;
		case RANK: options->rank = fathom_argument_number("--rank", optarg, 0, INT64_MAX); break;
		case TABLE: options->table = find_table(optarg); break;
		case SCOPES: options->scopes = true; break;
		default: fathom_argument_other(argv, code, help);
		}
	}
	options->target = fathom_argument_target(argc, argv);
	if (!options->format)
		fathom_tool_usage_error("no format is named (--to NAME; --list names all)");
	refuse_options(options);
}

/* --- profiles ----------------------------------------------------------------------------------------- */

/* Returns the index of the metric that is written; -1: all; -2 after an error message. */
static int32_t find_metric(const struct options *options, const struct fathom_profile *profile)
{
	const char *name = options->metric ? options->metric : "time";
	int32_t metric;

	if (!options->metric && is_format(options->format, "csv"))
		return -1;
	metric = fathom_cube_metric_by_name(profile->cube, name);
	if (profile->odd_times && strcmp(name, "time") == 0) {
		fathom_tool_error("%s: its values of the metric time are no times (choose another one with --metric)",
				  profile->path);
		return -2;
	}
	if (metric >= 0 && fathom_profile_has_values(profile, (uint32_t)metric))
		return metric;
	fathom_tool_error("%s: has no values of the metric %s (fathom report --metric=list names what there is)",
			  profile->path, name);
	return -2;
}

static int write_profile(const struct options *options, struct fathom_profile *profile)
{
	struct fathom_export_profile source = { 0 };
	struct fathom_output_file file;
	int32_t metric = find_metric(options, profile);
	int err = 0;

	if (metric < -1)
		return -EINVAL;
	if (is_format(options->format, "tau"))
		return fathom_export_tau(profile, (uint32_t)metric, options->output);
	if (options->format->write) {
		fathom_progress_begin("reading values", 1);
		err = fathom_export_profile_init(&source, profile, (uint32_t)metric);
		fathom_progress_end();
	}
	if (!err)
		err = fathom_output_file_open(&file, options->output, options->force);
	if (!err) {
		if (options->format->write)
			err = options->format->write(&source, file.stream);
		else if (is_format(options->format, "peri-xml"))
			err = fathom_export_peri_xml(profile, (uint32_t)metric, file.stream);
		else
			err = fathom_export_csv(profile, options->table < 0 ? FATHOM_EXPORT_CALL_TREE :
						(enum fathom_export_table)options->table, metric, file.stream);
		err = fathom_output_file_close(&file, err);
	}
	fathom_export_profile_fini(&source);
	return err;
}

/* Replaces the path of a profile by that of the file with its loops and inlined functions. 0, or -ENOENT after an error
 * message. */
static int choose_scopes(struct fathom_experiment *experiment)
{
	const char *slash = strrchr(experiment->path, '/');
	size_t folder = slash ? (size_t)(slash + 1 - experiment->path) : 0;
	char path[PATH_MAX + 16];

	snprintf(path, sizeof(path), "%.*sscopes.cubex", (int)folder, experiment->path);
	if (strlen(path) >= sizeof(experiment->path) || access(path, R_OK) != 0) {
		fathom_tool_error("%s: %s (fathom report --tree makes it, for runs with samples)", path,
				  strerror(ENOENT));
		return -ENOENT;
	}
	strcpy(experiment->path, path);
	return 0;
}

static int export_profile(const struct options *options)
{
	struct fathom_experiment experiment;
	struct fathom_profile profile;
	int err = fathom_experiment_find(&experiment, options->target);

	if (err)
		return err;
	if (fathom_experiment_is_trace(experiment.path)) {
		fathom_tool_error("%s: is a trace; --to %s is written from a profile (--to chrome is written from "
				  "traces)", experiment.path, options->format->name);
		return -EINVAL;
	}
	if (options->scopes && choose_scopes(&experiment))
		return -ENOENT;
	err = fathom_profile_open(&profile, experiment.path, options->rank);
	if (err)
		return err;
	err = write_profile(options, &profile);
	fathom_profile_close(&profile);
	return err;
}

/* --- traces ------------------------------------------------------------------------------------------- */

static int export_trace(const struct options *options)
{
	struct fathom_experiment experiment;
	struct fathom_output_file file;
	int err = fathom_experiment_find_trace(&experiment, options->target);

	if (!err && is_format(options->format, "paraver"))
		return fathom_export_paraver(experiment.path, options->output, options->force);
	if (!err)
		err = fathom_output_file_open(&file, options->output, options->force);
	if (err)
		return err;
	return fathom_output_file_close(&file, fathom_export_trace_json(experiment.path, file.stream));
}

int main(int argc, char **argv)
{
	struct options options;
	int err;

	fathom_tool_begin("export");
	parse(&options, argc, argv);
	if (strcmp(options.format->source, "trace") == 0)
		err = export_trace(&options);
	else
		err = export_profile(&options);
	return fathom_tool_end() || err ? FATHOM_TOOL_FAILURE : 0;
}
