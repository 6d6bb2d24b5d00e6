#include "tools/common/argument.h"

#include "config.h"

#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

int64_t fathom_argument_number(const char *option, const char *text, int64_t least, int64_t most)
{
	char *end;
	long long number;

	errno = 0;
	number = strtoll(text, &end, 10);
	if (errno || end == text || *end || number < least || number > most)
		fathom_tool_usage_error("%s %s: not a whole number from %lld to %lld", option, text, (long long)least,
					(long long)most);
	return number;
}

int fathom_argument_width(const char *text)
{
	return (int)fathom_argument_number("--width", text, FATHOM_PAGE_NARROWEST, FATHOM_PAGE_WIDEST);
}

enum fathom_colour fathom_argument_colour(int argc, char **argv)
{
	static const struct {
		const char *word;
		enum fathom_colour colour;
	} words[] = {
		{ "always", FATHOM_COLOUR_ALWAYS }, { "auto", FATHOM_COLOUR_AUTO }, { "never", FATHOM_COLOUR_NEVER },
	};
	const char *next = optind < argc ? argv[optind] : "";

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(optarg ? optarg : next, words[i].word) != 0)
			continue;
		optind += !optarg;
		return words[i].colour;
	}
	if (optarg)
		fathom_tool_usage_error("--color=%s: not one of auto, always, never", optarg);
	return FATHOM_COLOUR_ALWAYS;
}

bool fathom_argument_page(int *width, enum fathom_colour *colour, int code, int argc, char **argv)
{
	switch (code) {
	case FATHOM_ARGUMENT_WIDTH: *width = fathom_argument_width(optarg); return true;
	case FATHOM_ARGUMENT_COLOUR: *colour = fathom_argument_colour(argc, argv); return true;
	case FATHOM_ARGUMENT_NO_COLOUR: *colour = FATHOM_COLOUR_NEVER; return true;
	default: return false;
	}
}

void fathom_argument_other(char **argv, int code, const char *help)
{
	if (code != 'h' && code != FATHOM_ARGUMENT_VERSION)
		fathom_tool_bad_option(argv, code);
	if (!fathom_tool_prints_command_line())
		fathom_tool_exit(0);
	if (code == 'h')
		fputs(help, stdout);
	else
		printf("fathom %s\n", PACKAGE_VERSION);
	fathom_tool_exit(fathom_tool_end());
}

const char *fathom_argument_target(int argc, char **argv)
{
	if (argc - optind > 1)
		fathom_tool_usage_error("%s: one directory or file at a time", argv[optind + 1]);
	return optind < argc ? argv[optind] : NULL;
}
