/*
 * main: `fathom config`: prints the FATHOM_ settings with their current and allowed values, also as JSON and as the
 * man page fathom-settings(7). All output comes from the table of platform/settings.h.
 */
#include "config.h"

#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "platform/settings.h"
#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/text_layout.h"

static const char help[] =
	"usage: fathom config [--json | --man] [NAME...]\n"
	"\n"
	"Show every FATHOM_ setting, or those named: what it is now (* where the\n"
	"environment says so), what it may be, and what it means. Ends with 1 if the\n"
	"environment has a wrong value or a FATHOM_ name that is no setting.\n"
	"\n"
	"  --json    for programs\n"
	"  --man     the source of the man page fathom-settings(7)\n"
	"  --help, --version\n";

static const char *type_name(const struct fathom_setting *setting)
{
	switch (setting->type) {
	case FATHOM_SETTING_TEXT: return "text";
	case FATHOM_SETTING_NAME: return "name";
	case FATHOM_SETTING_PATTERN: return "pattern";
	case FATHOM_SETTING_NUMBER: return "number";
	case FATHOM_SETTING_SIZE: return "size";
	case FATHOM_SETTING_TIME: return "time";
	case FATHOM_SETTING_PERIOD: return "period";
	case FATHOM_SETTING_SAMPLING: return "sampling";
	case FATHOM_SETTING_WINDOW: return "window";
	case FATHOM_SETTING_RING: return "ring";
	case FATHOM_SETTING_SHARE: return "percentage";
	case FATHOM_SETTING_CHOICE: return "choice";
	case FATHOM_SETTING_WORDS: return "words";
	case FATHOM_SETTING_BUILD: return "build";
	}
	return "text";
}

/* Describes the allowed values: "choice: profile or none", "a number from 0 to 2". */
static void describe_allowed(const struct fathom_setting *setting, char *text, size_t bytes)
{
	const char *before = setting->type == FATHOM_SETTING_CHOICE ? "choice: " :
			     setting->type == FATHOM_SETTING_WORDS  ? "words, with commas between: " : "";
	char allowed[512];

	snprintf(text, bytes, "%s%s%s", before, fathom_setting_allowed(setting, allowed, sizeof(allowed)),
		 setting->type == FATHOM_SETTING_BUILD ? "; read while compiling" : "");
}

static const struct fathom_setting *find(const char *name)
{
	size_t i;

	for (i = 0; i < fathom_setting_count; i++)
		if (strcmp(fathom_setting_table[i].name, name) == 0)
			return &fathom_setting_table[i];
	return NULL;
}

/* Marks the settings to show, in the order of the table. The caller frees the result. */
static bool *choose(int count, char **names)
{
	bool *chosen = fathom_tool_alloc(fathom_setting_count, sizeof(bool));
	size_t i;
	int n;

	for (i = 0; count == 0 && i < fathom_setting_count; i++)
		chosen[i] = !fathom_setting_table[i].left_out;
	for (n = 0; n < count; n++) {
		const struct fathom_setting *setting = find(names[n]);
		const char *nearest = NULL;

		for (i = 0; !setting && i < fathom_setting_count; i++)
			nearest = fathom_tool_nearer(names[n], nearest, fathom_setting_table[i].name);
		if (!setting && nearest)
			fathom_tool_usage_error("%s: no such setting (did you mean %s?)", names[n], nearest);
		if (!setting)
			fathom_tool_usage_error("%s: no such setting (without a name, all are listed)", names[n]);
		if (setting->left_out)
			fathom_tool_usage_error("%s: fathom was built without %s", names[n], setting->left_out);
		chosen[setting - fathom_setting_table] = true;
	}
	return chosen;
}

static void print_setting(struct fathom_page *page, const struct fathom_setting *setting)
{
	const char *value = getenv(setting->name);
	char allowed[600], text[1200];

	printf("%s%c%s %s%s%s", fathom_page_style(page, FATHOM_STYLE_WARN), value ? '*' : ' ',
	       fathom_page_style(page, FATHOM_STYLE_PLAIN), fathom_page_style(page, FATHOM_STYLE_BOLD), setting->name,
	       fathom_page_style(page, FATHOM_STYLE_PLAIN));
	if (value || setting->fallback) {
		printf(" = ");
		fathom_page_text(page, value ? value : setting->fallback, page->width - 5 - (int)strlen(setting->name));
	} else {
		printf(" not set");
	}
	printf("\n");
	fathom_page_blanks(6);
	fathom_page_paragraph(page, setting->what, 6);
	describe_allowed(setting, allowed, sizeof(allowed));
	snprintf(text, sizeof(text), "%s%s%s", allowed, value && setting->fallback ? "; default: " : "",
		 value && setting->fallback ? setting->fallback : "");
	fathom_page_blanks(6);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_DIM));
	fathom_page_paragraph(page, text, 6);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
}

static void print_all(const bool *chosen)
{
	struct fathom_page page;
	size_t i;

	fathom_page_init(&page, 0, FATHOM_COLOUR_AUTO);
	for (i = 0; i < fathom_setting_count; i++)
		if (chosen[i])
			print_setting(&page, &fathom_setting_table[i]);
	fathom_page_fini(&page);
}

static json_t *text_or_null(const char *text)
{
	json_t *value = text ? json_string(text) : json_null();

	return value ? value : json_string("?");	/* not UTF-8 */
}

static json_t *words_of(const struct fathom_setting *setting)
{
	const struct fathom_setting_word *word;
	json_t *list = json_array();

	for (word = setting->words; word && word->word; word++)
		json_array_append_new(list, json_string(word->word));
	return list;
}

static void print_json(const bool *chosen)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < fathom_setting_count; i++) {
		const struct fathom_setting *setting = &fathom_setting_table[i];
		const char *value = getenv(setting->name);
		json_t *object;

		if (!chosen[i])
			continue;
		object = json_object();
		json_object_set_new(object, "name", json_string(setting->name));
		json_object_set_new(object, "type", json_string(type_name(setting)));
		json_object_set_new(object, "default", text_or_null(setting->fallback));
		json_object_set_new(object, "value", text_or_null(value ? value : setting->fallback));
		json_object_set_new(object, "set", json_boolean(value));
		if (setting->words)
			json_object_set_new(object, "words", words_of(setting));
		if (setting->type == FATHOM_SETTING_NUMBER || setting->type == FATHOM_SETTING_SIZE) {
			json_object_set_new(object, "least", json_integer((json_int_t)setting->least));
			json_object_set_new(object, "most", json_integer((json_int_t)setting->most));
		}
		json_object_set_new(object, "what", json_string(setting->what));
		json_array_append_new(list, object);
	}
	json_dumpf(list, stdout, JSON_INDENT(2));
	printf("\n");
	json_decref(list);
}

/* Prints text as roff, so that no line of it is read as a request. */
static void print_roff(const char *text)
{
	if (*text == '.' || *text == '\'')
		printf("\\&");
	for (; *text; text++) {
		if (*text == '\\')
			printf("\\e");
		else if (*text == '-')
			printf("\\-");
		else
			putchar(*text);
	}
	putchar('\n');
}

static void print_man(void)
{
	char allowed[600];
	size_t i;

	printf(".\\\" Made by fathom config --man from the table of settings.\n"
	       ".TH FATHOM-SETTINGS 7 \"\" \"fathom %s\" \"fathom\"\n"
	       ".SH NAME\nfathom-settings \\- environment variables of measured programs\n"
	       ".SH DESCRIPTION\n"
	       "A program built or run with\n.BR fathom (1)\n"
	       "is controlled by the environment variables below. All of them may be left alone. A wrong\n"
	       "value, or a name that begins with FATHOM_ and is not listed here, ends the program\n"
	       "before it has done anything, with one line that says what is allowed and exit status 2.\n"
	       ".BR fathom\\-config (1)\nshows the values in force.\n"
	       ".SH VARIABLES\n", PACKAGE_VERSION);
	for (i = 0; i < fathom_setting_count; i++) {
		const struct fathom_setting *setting = &fathom_setting_table[i];

		printf(".TP\n.B %s\n", setting->name);
		print_roff(setting->what);
		printf(".br\n");
		describe_allowed(setting, allowed, sizeof(allowed));
		print_roff(allowed);
		if (setting->fallback) {
			printf(".br\nDefault: ");
			print_roff(setting->fallback);
		}
	}
	printf(".SH SEE ALSO\n.BR fathom (1),\n.BR fathom\\-config (1),\n.BR fathom\\-report (1)\n");
}

int main(int argc, char **argv)
{
	enum { JSON = 256, MAN };
	static const struct option known[] = {
		{ "json", no_argument, NULL, JSON },	   { "man", no_argument, NULL, MAN },
		{ "help", no_argument, NULL, 'h' },	   { "version", no_argument, NULL, FATHOM_ARGUMENT_VERSION },
		{ NULL, 0, NULL, 0 },
	};
	struct fathom_settings settings;
	char error[512];
	bool json = false, *chosen;
	int code;

	fathom_tool_begin("config");
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":h", known, NULL)) != -1) {
		switch (code) {
		case JSON: json = true; break;
		case MAN: print_man(); return fathom_tool_end();
		default: fathom_argument_other(argv, code, help);
		}
	}
	chosen = choose(argc - optind, argv + optind);
	if (json)
		print_json(chosen);
	else
		print_all(chosen);
	free(chosen);
	code = fathom_tool_end();
	if (fathom_settings_read(&settings, environ, error, sizeof(error))) {
		fathom_tool_error("%s", error);
		return FATHOM_TOOL_FAILURE;
	}
	return code;
}
