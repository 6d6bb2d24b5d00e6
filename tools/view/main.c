/*
 * main: the command line of `fathom view`, which writes a profile as one page for a browser.
 */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/view/page_definitions.h"
#include "tools/view/page_messages.h"
#include "tools/view/page_sources.h"
#include "tools/view/page_trace.h"
#include "tools/view/page_text.h"
#include "tools/view/packed_text.h"

static const char help[] =
	"usage: fathom view [OPTION...] [DIRECTORY|FILE.cubex]\n"
	"\n"
	"Write a page that shows a profile in a browser: the findings, the call tree,\n"
	"its flame graph, ranks and threads, metrics and source. The page is one file\n"
	"that needs no network and no installation, so it can be mailed. Without a\n"
	"name, it is about the newest experiment in FATHOM_DIR or here.\n"
	"\n"
	"  -o, --output FILE  write the page to FILE (default: report.html in the\n"
	"                     experiment's directory); an earlier page is replaced,\n"
	"                     any other file is not\n"
	"  --open             show the page in the browser\n"
	"  --no-source        leave out the source texts of functions\n"
	"  --last SECONDS     only the newest part of the trace in the time line\n"
	"  --help, --version\n";

/* Limits of the page: an attachment of a mail, and a picture within a second. */
enum { CELLS_MOST = 8 << 20, CELLS_EXACT = 200 << 10, PACKED_MOST = 1500 << 10, SOURCE_BYTES_MOST = 300 << 10 };

struct options {
	const char *target;
	const char *output;	/* NULL: report.html in the directory of the profile */
	bool opens;
	bool leaves_out_source;
	double last_seconds;	/* of the trace in the page; 0: all of it */
};

/* Returns the seconds of --last. */
static double seconds(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	if (end != text && *end == 's')
		end++;
	if (end == text || *end || !(value > 0 && value < 1e12))
		fathom_tool_usage_error("--last %s: not a number of seconds above 0", text);
	return value;
}

static void parse(struct options *options, int argc, char **argv)
{
	enum { OPEN = 256, NO_SOURCE, LAST };
	static const struct option known[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "open", no_argument, NULL, OPEN },
		{ "no-source", no_argument, NULL, NO_SOURCE },
		{ "last", required_argument, NULL, LAST },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, FATHOM_ARGUMENT_VERSION },
		{ NULL, 0, NULL, 0 },
	};
	int code;

	opterr = 0;
	while ((code = getopt_long(argc, argv, ":ho:", known, NULL)) != -1) {
		switch (code) {
		case 'o': options->output = optarg; break;
		case OPEN: options->opens = true; break;
		case LAST: options->last_seconds = seconds(optarg); break;
		case NO_SOURCE: options->leaves_out_source = true; break;
		default: fathom_argument_other(argv, code, help);
		}
	}
	options->target = fathom_argument_target(argc, argv);
}

/* --- the data -------------------------------------------------------------------------------------- */

/* Packs the values, with as many columns as the page has room for. */
static void pack_values(struct fathom_value_table *table, const struct fathom_cube *cube,
			struct fathom_packed_text *packed)
{
	size_t cells = 0;

	for (uint32_t m = 0; m < table->metric_count; m++)
		cells += (size_t)table->metrics[m].own_count * table->column_count;
	table->is_rounded = cells > CELLS_EXACT;
	for (;;) {
		size_t bytes;
		void *data = fathom_value_table_pack(table, &bytes);

		fathom_packed_text_init(packed, data, bytes);
		free(data);
		if (packed->bytes <= PACKED_MOST || table->column_count == 1)
			return;
		fathom_packed_text_fini(packed);
		fathom_value_table_halve(table, cube);
	}
}

/* Packs the definitions. Releases report, messages and trace. */
static void pack_definitions(const struct options *options, struct fathom_profile *profile,
			     const struct fathom_value_table *table, json_t *report, json_t *messages, json_t *trace,
			     struct fathom_packed_text *packed)
{
	json_t *page = fathom_page_definitions(profile, table);
	char *text;

	json_object_set_new(page, "report", report);
	json_object_set_new(page, "sources", options->leaves_out_source ? json_object() :
			    fathom_page_sources(profile, SOURCE_BYTES_MOST));
	json_object_set_new(page, "messages", messages);
	json_object_set_new(page, "trace", trace);
	text = json_dumps(page, JSON_COMPACT);
	json_decref(page);
	if (!text)
		fathom_tool_out_of_memory(0);
	fathom_packed_text_init(packed, text, strlen(text));
	free(text);
}

/* Replaces the open profile by the one with loops and inlined functions in its call tree, if fathom report has made one
 * next to it. */
static void open_scopes(struct fathom_profile *profile, const char *path, json_t *report)
{
	static char scoped[PATH_MAX];
	const char *slash = strrchr(path, '/');
	size_t nodes = json_array_size(json_object_get(report, "origins"));

	snprintf(scoped, sizeof(scoped), "%.*sscopes.cubex", slash ? (int)(slash + 1 - path) : 0, path);
	if (nodes && access(scoped, R_OK) == 0) {
		struct fathom_profile plain = *profile;
		int err = fathom_profile_open(profile, scoped, -1);

		if (!err && profile->cube->cnode_count == nodes) {
			fathom_profile_close(&plain);
			return;
		}
		if (!err)
			fathom_profile_close(profile);
		*profile = plain;
	}
	json_object_del(report, "origins");
}

/* --- the file -------------------------------------------------------------------------------------- */

/* Returns whether the file is a page that this command wrote, so that it may be replaced. */
static bool is_page(const char *path)
{
	char begin[sizeof(fathom_page_mark)] = "";
	FILE *file = fopen(path, "r");
	size_t length = file ? fread(begin, 1, sizeof(begin) - 1, file) : 0;

	if (file)
		fclose(file);
	return length == sizeof(begin) - 1 && memcmp(begin, fathom_page_mark, length) == 0;
}

/* Writes the page. 0, or -errno after an error message; then there is no new file. */
static int write_page(const char *path, const struct fathom_packed_text *definitions,
		      const struct fathom_packed_text *values)
{
	struct stat status;
	char *part;
	FILE *file;
	int err;

	if (lstat(path, &status) == 0 && !(S_ISREG(status.st_mode) && is_page(path))) {
		fathom_tool_error("%s: exists already and is no page of fathom view (choose another name with "
				  "--output)", path);
		return -EEXIST;
	}
	if (asprintf(&part, "%s.part", path) < 0)
		fathom_tool_out_of_memory(strlen(path));
	file = fopen(part, "wx");
	if (!file) {
		err = -errno;
		fathom_tool_error("%s: %s", part, strerror(errno));
		free(part);
		return err;
	}
	fwrite(fathom_page_before_definitions, 1, strlen(fathom_page_before_definitions), file);
	fwrite(definitions->text, 1, definitions->bytes, file);
	fwrite(fathom_page_before_values, 1, strlen(fathom_page_before_values), file);
	fwrite(values->text, 1, values->bytes, file);
	fwrite(fathom_page_end, 1, strlen(fathom_page_end), file);
	err = ferror(file) ? -EIO : 0;
	if (fclose(file) && !err)
		err = -errno;
	if (!err && rename(part, path))
		err = -errno;
	if (err) {
		fathom_tool_error("%s: %s", path, strerror(-err));
		unlink(part);
	}
	free(part);
	return err;
}

/* Starts the desktop's browser. 0, or -1 after an error message. */
static int open_page(const char *path)
{
	execlp("xdg-open", "xdg-open", path, (char *)NULL);
	fathom_tool_error("--open: xdg-open could not be started (%s); open %s in a browser", strerror(errno), path);
	return -1;
}

/* Returns the path of the page: given, or in the directory of the profile. The caller frees it. */
static char *page_path(const struct options *options, const char *profile)
{
	const char *slash = strrchr(profile, '/');
	char *path;

	if (options->output)
		return strdup(options->output);
	if (asprintf(&path, "%.*sreport.html", slash ? (int)(slash + 1 - profile) : 0, profile) < 0)
		fathom_tool_out_of_memory(strlen(profile));
	return path;
}

int main(int argc, char **argv)
{
	struct fathom_packed_text values = { 0 }, definitions = { 0 };
	struct fathom_experiment experiment;
	struct fathom_value_table table;
	struct fathom_profile profile;
	struct options options = { 0 };
	json_t *report, *messages, *trace;
	char *path;
	int err;

	fathom_tool_begin("view");
	parse(&options, argc, argv);
	if (fathom_experiment_find(&experiment, options.target))
		return FATHOM_TOOL_FAILURE;
	if (fathom_experiment_is_trace(experiment.path)) {
		fathom_tool_error("%s: is a trace (a profile is needed: FATHOM_MODE=profile)", experiment.path);
		return FATHOM_TOOL_FAILURE;
	}
	if (fathom_profile_open(&profile, experiment.path, -1))
		return FATHOM_TOOL_FAILURE;
	report = fathom_page_report(experiment.path);
	messages = fathom_page_messages(experiment.path);
	trace = messages ? fathom_page_trace(experiment.path, options.last_seconds) : NULL;
	if (!report || !messages || !trace)
		return FATHOM_TOOL_FAILURE;
	open_scopes(&profile, experiment.path, report);
	err = fathom_value_table_init(&table, &profile, CELLS_MOST);
	if (err)
		return FATHOM_TOOL_FAILURE;
	pack_values(&table, profile.cube, &values);
	pack_definitions(&options, &profile, &table, report, messages, trace, &definitions);
	path = page_path(&options, experiment.path);
	err = write_page(path, &definitions, &values);
	if (!err)
		printf("fathom view: the page is %s (open it in a browser)\n", path);
	if (!err && options.opens && fathom_tool_end() == 0)
		err = open_page(path);
	free(path);
	fathom_packed_text_fini(&values);
	fathom_packed_text_fini(&definitions);
	fathom_value_table_fini(&table);
	fathom_profile_close(&profile);
	return fathom_tool_end() || err ? FATHOM_TOOL_FAILURE : 0;
}
