/*
 * main: `fathom list`: the experiments in a directory.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/json_writer.h"
#include "tools/common/number_format.h"
#include "tools/list/entry.h"

static const char help[] =
	"usage: fathom list [OPTION...] [DIRECTORY]\n"
	"\n"
	"List the experiments in a directory (FATHOM_DIR, or this one), the newest first:\n"
	"the program, its ranks and threads, how long it took, when it began, and whether\n"
	"the result is complete.\n"
	"\n"
	"  --json             for programs\n"
	"  --width N          columns (80 to 1000)\n"
	"  --color WHEN       auto, always or never; --no-color\n"
	"  --help, --version\n";

struct options {
	int width;
	enum fathom_colour colour;
	bool json;
};

static void parse(struct options *options, int argc, char **argv)
{
	enum { JSON = 256 };
	static const struct option known[] = {
		{ "json", no_argument, NULL, JSON },
		FATHOM_PAGE_OPTIONS,
		FATHOM_COMMON_OPTIONS,
		{ NULL, 0, NULL, 0 },
	};
	int code;

	*options = (struct options){ 0 };
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":h", known, NULL)) != -1) {
		switch (code) {
		case JSON: options->json = true; break;
		default:
			if (!fathom_argument_page(&options->width, &options->colour, code, argc, argv))
				fathom_argument_other(argv, code, help);
		}
	}
}

/* Returns the results of an experiment in words; NULL: it has none yet. */
static const char *results_of(const struct fathom_entry *entry)
{
	if (entry->has_profile && entry->has_trace)
		return "profile and trace";
	return entry->has_profile ? "profile" : entry->has_trace ? "trace" : NULL;
}

/* --- text ---------------------------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Appends a fact to a line, with a comma before it unless it is the first. */
static void add_fact(char *line, size_t bytes, const char *fact)
{
	size_t length = strlen(line);

	snprintf(line + length, bytes - length, "%s%s", length ? ", " : "", fact);
}

/* Writes what is known of an experiment: "heat, 4 ranks, 8 threads, 1.234 s, 2026-11-20 14:32". */
static void describe(const struct fathom_entry *entry, char *line, size_t bytes)
{
	char text[FATHOM_NUMBER_BYTES];
	struct tm moment;

	line[0] = '\0';
	if (entry->program)
		add_fact(line, bytes, base_name(entry->program));
	snprintf(text, sizeof(text), "%lld rank%s", (long long)entry->ranks, entry->ranks == 1 ? "" : "s");
	if (entry->ranks > 0)
		add_fact(line, bytes, text);
	snprintf(text, sizeof(text), "%lld threads", (long long)entry->threads);
	if (entry->threads > 0 && entry->threads != entry->ranks)
		add_fact(line, bytes, text);
	if (entry->wall_time >= 0)
		add_fact(line, bytes, fathom_number_seconds(text, entry->wall_time));
	if (localtime_r(&entry->begin, &moment) && strftime(text, sizeof(text), "%Y-%m-%d %H:%M", &moment))
		add_fact(line, bytes, text);
}

static enum fathom_style style_of(enum fathom_entry_state state)
{
	return state == FATHOM_ENTRY_COMPLETE ? FATHOM_STYLE_GREEN :
	       state == FATHOM_ENTRY_RUNNING ? FATHOM_STYLE_BLUE : FATHOM_STYLE_WARN;
}

/* Prints what a user can do about an experiment without its whole result. */
static void print_hint(struct fathom_page *page, const struct fathom_entry *entry)
{
	const char *hint = entry->reason;

	if (entry->state == FATHOM_ENTRY_KILLED && !entry->has_profile && !entry->has_trace)
		hint = "fathom merge makes a profile of the last run snapshot";
	else if (entry->state == FATHOM_ENTRY_PARTS)
		hint = "fathom merge puts the files of the ranks together";
	else if (entry->state == FATHOM_ENTRY_UNFINISHED)
		hint = "the program was stopped while it wrote its result";
	if (!hint || entry->state == FATHOM_ENTRY_DAMAGED)	/* damage was reported as an error */
		return;
	fathom_page_blanks(4);
	fathom_page_text(page, hint, page->width - 4);
	putchar('\n');
}

/* An experiment has a line with its directory and a line with the facts. */
static void print_entry(struct fathom_page *page, const struct fathom_entry *entry)
{
	const char *results = results_of(entry);
	char facts[512], state[64];

	describe(entry, facts, sizeof(facts));
	snprintf(state, sizeof(state), "%s%s%s", fathom_entry_state_name(entry->state), results ? ", " : "",
		 results ? results : "");
	printf("%s", fathom_page_style(page, FATHOM_STYLE_BOLD));
	fathom_page_text(page, entry->path, page->width);
	printf("%s\n  ", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	fathom_page_text(page, facts, page->width - 4 - (int)strlen(state));
	printf(": %s%s%s\n", fathom_page_style(page, style_of(entry->state)), state,
	       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	print_hint(page, entry);
}

/* --- JSON ---------------------------------------------------------------------------------------------------- */

static void put_text(json_t *object, const char *key, const char *text)
{
	json_object_set_new(object, key, text ? fathom_json_text(text) : json_null());
}

static void put_entry(const struct fathom_entry *entry, bool is_first)
{
	json_t *object = json_object();
	char begin[40];
	struct tm moment;

	fathom_json_set_text(object, "directory", entry->path);
	put_text(object, "program", entry->program);
	fathom_json_set_known(object, "ranks", entry->ranks >= 0, (double)entry->ranks);
	fathom_json_set_known(object, "threads", entry->threads >= 0, (double)entry->threads);
	fathom_json_set_known(object, "wall_time", entry->wall_time >= 0, entry->wall_time);
	if (gmtime_r(&entry->begin, &moment) && strftime(begin, sizeof(begin), "%Y-%m-%dT%H:%M:%SZ", &moment))
		put_text(object, "begin", begin);
	else
		put_text(object, "begin", NULL);
	fathom_json_set_text(object, "state", fathom_entry_state_name(entry->state));
	put_text(object, "reason", entry->reason);
	json_object_set_new(object, "profile", json_boolean(entry->has_profile));
	json_object_set_new(object, "trace", json_boolean(entry->has_trace));
	fathom_json_item(is_first, object);
}

static void print_json(const char *directory, const struct fathom_entry *entries, size_t count)
{
	printf("{\n\"fathom_list\": 1");
	fathom_json_member("directory", fathom_json_text(directory));
	fathom_json_begin_list("experiments");
	for (size_t i = 0; i < count; i++)
		put_entry(&entries[i], i == 0);
	fathom_json_end_list();
	printf("\n}\n");
}

static void print_text(const struct options *options, const struct fathom_entry *entries, size_t count)
{
	struct fathom_page page;

	fathom_page_init(&page, options->width, options->colour);
	for (size_t i = 0; i < count && !fathom_tool_output_lost(); i++)
		print_entry(&page, &entries[i]);
	fathom_page_fini(&page);
}

/* Removes the slashes at the end of a directory's name. */
static void trim(char *directory)
{
	size_t length = strlen(directory);

	while (length > 1 && directory[length - 1] == '/')
		directory[--length] = '\0';
}

int main(int argc, char **argv)
{
	const char *target, *setting = getenv("FATHOM_DIR");
	struct fathom_entry *entries;
	struct options options;
	char directory[PATH_MAX];
	bool is_damaged = false;
	size_t count;
	int code;

	fathom_tool_begin("list");
	parse(&options, argc, argv);
	target = fathom_argument_target(argc, argv);
	if (!target)
		target = setting && *setting ? setting : ".";
	if (snprintf(directory, sizeof(directory), "%s", target) >= (int)sizeof(directory))
		fathom_tool_usage_error("%.64s...: the path is too long", target);
	trim(directory);
	if (fathom_entries_read(directory, &entries, &count)) {
		free(entries);
		return FATHOM_TOOL_FAILURE;
	}
	for (size_t i = 0; i < count; i++) {
		if (entries[i].state != FATHOM_ENTRY_DAMAGED)
			continue;
		is_damaged = true;
		if (entries[i].reason)
			fathom_tool_error("%s", entries[i].reason);
	}
	if (options.json)
		print_json(directory, entries, count);
	else
		print_text(&options, entries, count);
	fathom_entries_free(entries, count);
	code = fathom_tool_end();
	return is_damaged ? FATHOM_TOOL_FAILURE : code;
}
