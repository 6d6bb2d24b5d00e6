/*
 * main: the command line of `fathom view`, which writes a profile as one page for a browser.
 */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/view/packed_text.h"
#include "tools/view/page_definitions.h"
#include "tools/view/page_file.h"
#include "tools/view/page_messages.h"
#include "tools/view/page_profiles.h"
#include "tools/view/page_samples.h"
#include "tools/view/page_sources.h"
#include "tools/view/page_trace.h"
#include "tools/view/value_table.h"

static const char help[] =
	"usage: fathom view [OPTION...] [DIRECTORY|FILE.cubex]\n"
	"       fathom view [OPTION...] A B\n"
	"       fathom view [OPTION...] RUN RUN RUN...\n"
	"\n"
	"Write a page that shows a profile in a browser: the findings, the call tree,\n"
	"its flame graph, ranks and threads, metrics and source. The page is one file\n"
	"that needs no network and no installation, so it can be mailed. Without a\n"
	"name, it is about the newest experiment in FATHOM_DIR or here. With two names,\n"
	"the page compares two runs: A, before, and B, after. With more names, it shows\n"
	"how a program scales, from runs of several sizes (see fathom scaling).\n"
	"\n"
	"  -o, --output FILE  write the page to FILE (default: report.html, of two runs\n"
	"                     comparison.html, of several sizes scaling.html, in the\n"
	"                     directory of the last or largest run); an earlier page\n"
	"                     is replaced, any other file is not\n"
	"  --scaling          two names are runs of two sizes\n"
	"  --open             show the page in the browser\n"
	"  --no-source        leave out the source texts of functions\n"
	"  --last SECONDS     only the newest part of the trace in the time line\n"
	"  --help, --version\n";

/* Limits of the page: an attachment of a mail, and a picture within a second. */
enum { CELLS_MOST = 8 << 20, CELLS_EXACT = 200 << 10, PACKED_MOST = 1500 << 10, SOURCE_BYTES_MOST = 300 << 10 };

struct options {
	char **targets;		/* names of runs */
	int count;
	const char *output;	/* NULL: a name in the directory of the profile */
	bool scales;		/* the runs have several sizes */
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
	enum { OPEN = 256, NO_SOURCE, LAST, SCALING };
	static const struct option known[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "open", no_argument, NULL, OPEN },
		{ "no-source", no_argument, NULL, NO_SOURCE },
		{ "last", required_argument, NULL, LAST },
		{ "scaling", no_argument, NULL, SCALING },
		FATHOM_COMMON_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	int code;

	opterr = 0;
	while ((code = getopt_long(argc, argv, ":ho:", known, NULL)) != -1) {
		switch (code) {
		case 'o': options->output = optarg; break;
		case SCALING: options->scales = true; break;
		case OPEN: options->opens = true; break;
		case LAST: options->last_seconds = seconds(optarg); break;
		case NO_SOURCE: options->leaves_out_source = true; break;
		default: fathom_argument_other(argv, code, help);
		}
	}
	options->targets = argv + optind;
	options->count = argc - optind;
	options->scales |= options->count > 2;
	if (options->scales && options->count < 2)
		fathom_tool_usage_error("--scaling: at least two runs must be named");
}

/* --- the data -------------------------------------------------------------------------------------- */

/* The parts of a page that are made of the profiles. */
struct page_data {
	struct fathom_page_profiles *profiles;
	struct fathom_value_table table, first_table;	/* first: of the first of two runs that are compared */
	struct fathom_packed_text definitions, values, first_values;	/* first_values: empty if there is one run */
};

static size_t cell_count(const struct fathom_value_table *table)
{
	size_t cells = 0;

	for (uint32_t m = 0; m < table->metric_count; m++)
		cells += (size_t)table->metrics[m].own_count * table->column_count;
	return cells;
}

static void pack_table(const struct fathom_value_table *table, struct fathom_packed_text *packed)
{
	size_t bytes;
	void *data = fathom_value_table_pack(table, &bytes);

	fathom_packed_text_init(packed, data, bytes);
	free(data);
}

/* Packs the values, with as many columns as the page has room for. The tables of two runs have the same columns. */
static void pack_values(struct page_data *data)
{
	bool compares = data->profiles->compares;

	data->table.is_rounded = cell_count(&data->table) > CELLS_EXACT;
	data->first_table.is_rounded = data->table.is_rounded |= compares &&
								  cell_count(&data->first_table) > CELLS_EXACT;
	for (;;) {
		pack_table(&data->table, &data->values);
		if (compares)
			pack_table(&data->first_table, &data->first_values);
		if (data->values.bytes + data->first_values.bytes <= PACKED_MOST || data->table.column_count == 1)
			return;
		fathom_packed_text_fini(&data->values);
		fathom_value_table_halve(&data->table, data->profiles->shown.cube);
		if (compares) {
			fathom_packed_text_fini(&data->first_values);
			fathom_value_table_halve(&data->first_table, data->profiles->first.cube);
		}
	}
}

/* Returns what the page says about a comparison. */
static json_t *comparison_of(const struct fathom_page_profiles *profiles)
{
	json_t *only = json_array(), *object = json_object();

	for (uint32_t c = 0; c < profiles->shown.cube->cnode_count; c++)
		json_array_append_new(only, json_integer(profiles->combined.presence[c]));
	json_object_set_new(object, "only", only);
	json_object_set(object, "first", json_object_get(profiles->first_report, "summary"));
	return object;
}

/* Adds what the samples of the experiment say, and the source texts. */
static void add_samples(json_t *page, const struct options *options, struct fathom_page_profiles *profiles)
{
	struct fathom_sample_places places;
	bool has_places = fathom_page_samples_read(&places, profiles->path, profiles->report);

	json_object_set_new(page, "samples", has_places ? fathom_page_samples(&places) : json_null());
	json_object_set_new(page, "sources", options->leaves_out_source ? json_object() :
			    fathom_page_sources(&profiles->shown, has_places ? &places : NULL, SOURCE_BYTES_MOST));
	if (has_places)
		fathom_sample_places_fini(&places);
}

/* Packs the definitions. Releases messages and trace. */
static void pack_definitions(const struct options *options, struct page_data *data, json_t *messages, json_t *trace)
{
	json_t *page = fathom_page_definitions(&data->profiles->shown, &data->table);
	char *text;

	if (data->profiles->compares)
		json_object_set_new(page, "comparison", comparison_of(data->profiles));
	if (data->profiles->scaling)
		json_object_set(page, "scaling", data->profiles->scaling);
	json_object_set(page, "report", data->profiles->report);
	add_samples(page, options, data->profiles);
	json_object_set_new(page, "messages", messages);
	json_object_set_new(page, "trace", trace);
	text = json_dumps(page, JSON_COMPACT);
	json_decref(page);
	if (!text)
		fathom_tool_out_of_memory(0);
	fathom_packed_text_init(&data->definitions, text, strlen(text));
	free(text);
}

/* --- the page -------------------------------------------------------------------------------------- */

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
	const char *slash = strrchr(profile, '/'), *name = "report";
	char *path;

	if (options->count > 1)
		name = options->scales ? "scaling" : "comparison";
	if (options->output)
		return strdup(options->output);
	if (asprintf(&path, "%.*s%s.html", slash ? (int)(slash + 1 - profile) : 0, profile, name) < 0)
		fathom_tool_out_of_memory(strlen(profile));
	return path;
}

/* Packs the values and definitions, and writes the page. Releases messages and trace. 0, or -errno after an error
 * message. */
static int write_page(const struct options *options, struct fathom_page_profiles *profiles, const char *page,
		      json_t *messages, json_t *trace)
{
	struct page_data data = { .profiles = profiles };
	int err = fathom_value_table_init(&data.table, &profiles->shown, CELLS_MOST);

	if (err)
		return err;
	if (profiles->compares)
		err = fathom_value_table_init(&data.first_table, &profiles->first, CELLS_MOST);
	if (!err) {
		pack_values(&data);
		pack_definitions(options, &data, messages, trace);
		err = fathom_page_file_write(page, &data.definitions, &data.values,
					     profiles->compares ? &data.first_values : NULL);
		fathom_packed_text_fini(&data.values);
		fathom_packed_text_fini(&data.definitions);
		fathom_packed_text_fini(&data.first_values);
		if (profiles->compares)
			fathom_value_table_fini(&data.first_table);
	}
	fathom_value_table_fini(&data.table);
	return err;
}

/* Makes the page. 0, or -errno after an error message. */
static int make_page(const struct options *options, struct fathom_page_profiles *profiles)
{
	json_t *messages = fathom_page_messages(profiles->path);
	json_t *trace = messages ? fathom_page_trace(profiles->path, options->last_seconds) : NULL;
	char *page = page_path(options, profiles->path);
	int err = trace ? write_page(options, profiles, page, messages, trace) : -EINVAL;

	if (!err)
		printf("fathom view: the page is %s (open it in a browser)\n", page);
	if (!err && options->opens && fathom_tool_end() == 0)
		err = open_page(page);
	free(page);
	return err;
}

/* The profiles, whose temporary files an exit handler removes. */
static struct fathom_page_profiles profiles;

static void release_profiles(void)
{
	fathom_page_profiles_fini(&profiles);
}

int main(int argc, char **argv)
{
	struct options options = { 0 };
	int err;

	fathom_tool_begin("view");
	parse(&options, argc, argv);
	atexit(release_profiles);
	if (options.scales)
		err = fathom_page_profiles_scale(&profiles, options.targets, options.count);
	else if (options.count == 2)
		err = fathom_page_profiles_compare(&profiles, options.targets[0], options.targets[1]);
	else
		err = fathom_page_profiles_open(&profiles, options.count ? options.targets[0] : NULL);
	if (!err)
		err = make_page(&options, &profiles);
	return fathom_tool_end() || err ? FATHOM_TOOL_FAILURE : 0;
}
