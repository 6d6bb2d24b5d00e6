/*
 * main: the command line of `fathom import`, which makes experiments of other tools' results.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/import/imported_profile.h"
#include "tools/import/paraver_trace.h"
#include "tools/import/peri_xml.h"
#include "tools/import/tau_profiles.h"

static const char help[] =
	"usage: fathom import [--from NAME] -o RESULT SOURCE\n"
	"\n"
	"Make a profile, or a trace, of the results of another tool, which all commands\n"
	"of fathom then read. SOURCE and RESULT by format:\n"
	"\n"
	"  tau       a directory with profiles of TAU (profile.0.0.0, MULTI__*)\n"
	"            -> FILE.cubex\n"
	"  peri-xml  FILE.xml -> FILE.cubex\n"
	"  paraver   FILE.prv, and FILE.pcf beside it -> a new directory with a trace\n"
	"\n"
	"  --from NAME          the format; otherwise it is seen from SOURCE\n"
	"  -o, --output RESULT  the result, which must not exist\n"
	"  --help, --version\n"
	"\n"
	"Traces of Dimemas are read by fathom whatif. The way back: fathom export\n";

static int import_tau(const char *source, const char *result);
static int import_peri(const char *source, const char *result);

static const struct format {
	const char *name;
	int (*import)(const char *source, const char *result);
	bool is_profile;
} formats[] = {
	{ "tau", import_tau, true },
	{ "peri-xml", import_peri, true },
	{ "paraver", fathom_paraver_trace_import, false },
};

enum { TAU, PERI_XML, PARAVER, FORMATS };

struct options {
	const struct format *format;
	const char *source, *result;
};

/* --- profiles ----------------------------------------------------------------------------------------- */

static int write_profile(struct fathom_imported_profile *profile, const char *source, const char *result, int err,
			 const char *tool)
{
	if (!err && profile->path_count == 0) {
		fathom_tool_error("%s: has no functions", source);
		err = -ENODATA;
	}
	if (!err)
		err = fathom_imported_write(profile, result, tool);
	if (!err)
		printf("%s: %zu call paths, %zu threads, %zu metrics\n", result, profile->path_count,
		       profile->thread_count, profile->metric_count);
	fathom_imported_fini(profile);
	return err;
}

static int import_tau(const char *source, const char *result)
{
	struct fathom_imported_profile profile = { 0 };

	return write_profile(&profile, source, result, fathom_tau_profiles_read(&profile, source), "TAU");
}

static int import_peri(const char *source, const char *result)
{
	struct fathom_imported_profile profile = { 0 };

	return write_profile(&profile, source, result, fathom_peri_xml_read(&profile, source), "PERI-XML");
}

/* --- the command line ---------------------------------------------------------------------------------- */

static const struct format *find_format(const char *name)
{
	for (int f = 0; f < FORMATS; f++)
		if (strcmp(formats[f].name, name) == 0)
			return &formats[f];
	fathom_tool_usage_error("--from %s: no such format (tau, peri-xml, paraver)", name);
}

static bool ends_with(const char *text, const char *ending)
{
	size_t length = strlen(text), end = strlen(ending);

	return length > end && strcmp(text + length - end, ending) == 0;
}

/* Returns the format of a source; ends the program if it has none. */
static const struct format *see_format(const char *source)
{
	if (ends_with(source, ".prv"))
		return &formats[PARAVER];
	if (ends_with(source, ".xml"))
		return &formats[PERI_XML];
	if (fathom_tau_profiles_are_in(source))
		return &formats[TAU];
	fathom_tool_usage_error("%s: its format is not seen (a directory with profile.0.0.0 or MULTI__*, FILE.prv, "
				"FILE.xml; or --from NAME)", source);
}

static void parse(struct options *options, int argc, char **argv)
{
	enum { FROM = 256 };
	static const struct option known[] = {
		{ "from", required_argument, NULL, FROM },
		{ "output", required_argument, NULL, 'o' },
		FATHOM_COMMON_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	int code;

	*options = (struct options){ .format = NULL };
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":ho:", known, NULL)) != -1) {
		switch (code) {
		case FROM: options->format = find_format(optarg); break;
		case 'o': options->result = optarg; break;
		default: fathom_argument_other(argv, code, help);
		}
	}
	options->source = fathom_argument_target(argc, argv);
	if (!options->source)
		fathom_tool_usage_error("no source is named (a directory or file of another tool)");
	if (!options->result)
		fathom_tool_usage_error("no result is named (-o FILE.cubex, or for paraver -o DIRECTORY)");
	if (!options->format)
		options->format = see_format(options->source);
	if (options->format->is_profile && !ends_with(options->result, ".cubex"))
		fathom_tool_usage_error("-o %s: a profile is written into a file whose name ends in .cubex",
					options->result);
	if (options->format == &formats[PARAVER] && !ends_with(options->source, ".prv"))
		fathom_tool_usage_error("%s: the name of a trace of Paraver ends in .prv", options->source);
}

int main(int argc, char **argv)
{
	struct options options;
	struct stat status;
	int err = 0;

	fathom_tool_begin("import");
	parse(&options, argc, argv);
	if (lstat(options.result, &status) == 0) {
		fathom_tool_error("%s: exists already (remove it, or choose another name)", options.result);
		err = -EEXIST;
	}
	if (!err)
		err = options.format->import(options.source, options.result);
	return fathom_tool_end() || err ? FATHOM_TOOL_FAILURE : 0;
}
