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
#include "tools/view/combined_profile.h"
#include "tools/view/page_definitions.h"
#include "tools/view/page_messages.h"
#include "tools/view/page_samples.h"
#include "tools/view/page_sources.h"
#include "tools/view/page_trace.h"
#include "tools/view/page_text.h"
#include "tools/view/packed_text.h"

static const char help[] =
	"usage: fathom view [OPTION...] [DIRECTORY|FILE.cubex]\n"
	"       fathom view [OPTION...] A B\n"
	"\n"
	"Write a page that shows a profile in a browser: the findings, the call tree,\n"
	"its flame graph, ranks and threads, metrics and source. The page is one file\n"
	"that needs no network and no installation, so it can be mailed. Without a\n"
	"name, it is about the newest experiment in FATHOM_DIR or here. With two names,\n"
	"the page compares two runs: A, before, and B, after.\n"
	"\n"
	"  -o, --output FILE  write the page to FILE (default: report.html, of two runs\n"
	"                     comparison.html, in the directory of the last run); an\n"
	"                     earlier page is replaced, any other file is not\n"
	"  --open             show the page in the browser\n"
	"  --no-source        leave out the source texts of functions\n"
	"  --last SECONDS     only the newest part of the trace in the time line\n"
	"  --help, --version\n";

/* Limits of the page: an attachment of a mail, and a picture within a second. */
enum { CELLS_MOST = 8 << 20, CELLS_EXACT = 200 << 10, PACKED_MOST = 1500 << 10, SOURCE_BYTES_MOST = 300 << 10 };

struct options {
	char *target, *other;	/* other: the second of two runs to compare; NULL: there is one run */
	const char *output;	/* NULL: report.html or comparison.html in the directory of the profile */
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
	if (argc - optind > 2)
		fathom_tool_usage_error("%s: a page shows one run, or compares two", argv[optind + 2]);
	options->target = optind < argc ? argv[optind] : NULL;
	options->other = optind + 1 < argc ? argv[optind + 1] : NULL;
}

/* --- the data -------------------------------------------------------------------------------------- */

/* The parts of a page that are made of the profiles. */
struct page_data {
	struct fathom_profile profile, first_profile;	/* first: the first of two runs that are compared */
	struct fathom_value_table table, first_table;
	struct fathom_packed_text definitions, values, first_values;	/* first_values: empty if there is one run */
	bool compares;
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
	data->table.is_rounded = cell_count(&data->table) > CELLS_EXACT;
	data->first_table.is_rounded = data->table.is_rounded |= data->compares &&
								  cell_count(&data->first_table) > CELLS_EXACT;
	for (;;) {
		pack_table(&data->table, &data->values);
		if (data->compares)
			pack_table(&data->first_table, &data->first_values);
		if (data->values.bytes + data->first_values.bytes <= PACKED_MOST || data->table.column_count == 1)
			return;
		fathom_packed_text_fini(&data->values);
		fathom_value_table_halve(&data->table, data->profile.cube);
		if (data->compares) {
			fathom_packed_text_fini(&data->first_values);
			fathom_value_table_halve(&data->first_table, data->first_profile.cube);
		}
	}
}

/* Returns what the page says about a comparison. NULL after an error message. */
static json_t *comparison_of(const struct fathom_combined_profile *combined, uint32_t call_paths)
{
	json_t *report = fathom_page_report(combined->inputs[1]), *only = json_array(), *object = json_object();

	for (uint32_t c = 0; c < call_paths; c++)
		json_array_append_new(only, json_integer(combined->presence[c]));
	json_object_set_new(object, "only", only);
	json_object_set(object, "first", json_object_get(report, "summary"));
	json_decref(report);
	return object;
}

/* Adds what the samples of the experiment say, and the source texts. path: of its profile. */
static void add_samples(json_t *page, const struct options *options, struct page_data *data, const char *path,
			const json_t *report)
{
	struct fathom_sample_places places;
	bool has_places = fathom_page_samples_read(&places, path, report);

	json_object_set_new(page, "samples", has_places ? fathom_page_samples(&places) : json_null());
	json_object_set_new(page, "sources", options->leaves_out_source ? json_object() :
			    fathom_page_sources(&data->profile, has_places ? &places : NULL, SOURCE_BYTES_MOST));
	if (has_places)
		fathom_sample_places_fini(&places);
}

/* Packs the definitions. path: of the profile that the report is about. Releases report, messages and trace. */
static void pack_definitions(const struct options *options, struct page_data *data,
			     const struct fathom_combined_profile *combined, const char *path, json_t *report,
			     json_t *messages, json_t *trace)
{
	json_t *page = fathom_page_definitions(&data->profile, &data->table);
	char *text;

	add_samples(page, options, data, path, report);

	if (data->compares)
		json_object_set_new(page, "comparison", comparison_of(combined, data->profile.cube->cnode_count));
	json_object_set_new(page, "report", report);
	json_object_set_new(page, "messages", messages);
	json_object_set_new(page, "trace", trace);
	text = json_dumps(page, JSON_COMPACT);
	json_decref(page);
	if (!text)
		fathom_tool_out_of_memory(0);
	fathom_packed_text_init(&data->definitions, text, strlen(text));
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
static int write_page(const char *path, const struct page_data *data)
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
	fwrite(data->definitions.text, 1, data->definitions.bytes, file);
	fwrite(fathom_page_before_values, 1, strlen(fathom_page_before_values), file);
	fwrite(data->values.text, 1, data->values.bytes, file);
	fwrite(fathom_page_before_first, 1, strlen(fathom_page_before_first), file);
	if (data->compares)
		fwrite(data->first_values.text, 1, data->first_values.bytes, file);
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
	if (asprintf(&path, "%.*s%s.html", slash ? (int)(slash + 1 - profile) : 0, profile,
		     options->other ? "comparison" : "report") < 0)
		fathom_tool_out_of_memory(strlen(profile));
	return path;
}

/* Opens the profile of the page: that of the user with loops and inlined functions, or a combined one. */
static int open_profiles(struct page_data *data, const struct fathom_combined_profile *combined, const char *path,
			 json_t *report)
{
	int err = fathom_profile_open(&data->profile, *combined->path ? combined->path : path, -1);

	if (err)
		return err;
	if (*combined->path)
		json_object_del(report, "origins");
	else
		open_scopes(&data->profile, path, report);
	data->compares = *combined->before;
	if (data->compares)
		err = fathom_profile_open(&data->first_profile, combined->before, -1);
	if (!err)
		err = fathom_value_table_init(&data->table, &data->profile, CELLS_MOST);
	if (!err && data->compares)
		err = fathom_value_table_init(&data->first_table, &data->first_profile, CELLS_MOST);
	return err;
}

/* Makes the page of the profile with that path, or of the combined ones. 0, or -errno after an error message. */
static int make_page(const struct options *options, const struct fathom_combined_profile *combined, const char *path)
{
	struct page_data data = { .compares = false };
	json_t *report = fathom_page_report(path), *messages = report ? fathom_page_messages(path) : NULL;
	json_t *trace = messages ? fathom_page_trace(path, options->last_seconds) : NULL;
	char *page = page_path(options, path);
	int err = trace ? open_profiles(&data, combined, path, report) : -EINVAL;

	if (!err) {
		pack_values(&data);
		pack_definitions(options, &data, combined, path, report, messages, trace);
		err = write_page(page, &data);
		fathom_packed_text_fini(&data.values);
		fathom_packed_text_fini(&data.definitions);
		fathom_packed_text_fini(&data.first_values);
		fathom_value_table_fini(&data.table);
	}
	if (!err && data.compares)
		fathom_value_table_fini(&data.first_table);
	if (!err)
		printf("fathom view: the page is %s (open it in a browser)\n", page);
	if (!err && options->opens && fathom_tool_end() == 0)
		err = open_page(page);
	free(page);
	fathom_profile_close(&data.profile);
	if (data.compares)
		fathom_profile_close(&data.first_profile);
	return err;
}

/* Finds the profile of the page. The profile that fathom analyze made of a trace is shown for the trace, and is added
 * to the profile of a run. 0, or -errno after an error message. */
static int find_profile(const struct options *options, struct fathom_combined_profile *combined, char *path)
{
	static struct fathom_experiment experiment;
	char analysis[PATH_MAX + 16];
	const char *slash;
	int err;

	if (options->other) {
		err = fathom_combined_profile_compare(combined, options->target, options->other);
		memcpy(path, combined->inputs[0], PATH_MAX);
		return err;
	}
	err = fathom_experiment_find(&experiment, options->target);
	if (err)
		return err;
	memcpy(path, experiment.path, PATH_MAX);
	slash = strrchr(path, '/');
	snprintf(analysis, sizeof(analysis), "%.*sanalysis.cubex", slash ? (int)(slash + 1 - path) : 0, path);
	if (fathom_experiment_is_trace(path) && access(analysis, R_OK) == 0)
		snprintf(path, PATH_MAX, "%.*s", PATH_MAX - 1, analysis);
	else if (fathom_experiment_is_trace(path)) {
		fathom_tool_error("%s: is a trace; make a profile of it first: fathom analyze %s", path, path);
		return -EINVAL;
	} else if (strcmp(slash ? slash + 1 : path, "profile.cubex") == 0 && access(analysis, R_OK) == 0) {
		return fathom_combined_profile_merge(combined, path, analysis);
	}
	return 0;
}

/* The combined profiles, which an exit handler removes. */
static struct fathom_combined_profile combined;

static void remove_combined(void)
{
	fathom_combined_profile_fini(&combined);
}

int main(int argc, char **argv)
{
	static char path[PATH_MAX];
	struct options options = { 0 };
	int err;

	fathom_tool_begin("view");
	parse(&options, argc, argv);
	atexit(remove_combined);
	err = find_profile(&options, &combined, path);
	if (!err)
		err = make_page(&options, &combined, path);
	return fathom_tool_end() || err ? FATHOM_TOOL_FAILURE : 0;
}
