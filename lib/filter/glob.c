#include "filter/glob.h"

#include <string.h>

/* --- brackets --------------------------------------------------------------------------------------- */

static bool is_lower(unsigned char c) { return c >= 'a' && c <= 'z'; }
static bool is_upper(unsigned char c) { return c >= 'A' && c <= 'Z'; }
static bool is_digit(unsigned char c) { return c >= '0' && c <= '9'; }
static bool is_alpha(unsigned char c) { return is_lower(c) || is_upper(c); }
static bool is_alnum(unsigned char c) { return is_alpha(c) || is_digit(c); }
static bool is_blank(unsigned char c) { return c == ' ' || c == '\t'; }
static bool is_space(unsigned char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static bool is_graph(unsigned char c) { return c > ' ' && c < 0x7f; }
static bool is_print(unsigned char c) { return c >= ' ' && c < 0x7f; }
static bool is_punct(unsigned char c) { return is_graph(c) && !is_alnum(c); }
static bool is_cntrl(unsigned char c) { return c < ' ' || c == 0x7f; }
static bool is_xdigit(unsigned char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

static const struct class {
	const char *name;		/* with the colon and bracket that end it */
	bool (*has)(unsigned char c);
} classes[] = {
	{ "alnum:]", is_alnum }, { "alpha:]", is_alpha }, { "blank:]", is_blank },   { "cntrl:]", is_cntrl },
	{ "digit:]", is_digit }, { "graph:]", is_graph }, { "lower:]", is_lower },   { "print:]", is_print },
	{ "punct:]", is_punct }, { "space:]", is_space }, { "upper:]", is_upper },   { "xdigit:]", is_xdigit },
};

/* Returns the class whose name is at `at`, behind "[:". */
static const struct class *class_at(const char *at)
{
	for (size_t i = 0; i < sizeof(classes) / sizeof(*classes); i++)
		if (strncmp(at, classes[i].name, strlen(classes[i].name)) == 0)
			return &classes[i];
	return NULL;
}

/* Returns one character of a bracket and moves behind it. */
static unsigned char take(const char **at)
{
	unsigned char c;

	if (**at == '\\' && (*at)[1])
		++*at;
	c = (unsigned char)**at;
	++*at;
	return c;
}

/* Returns whether c is in the bracket that begins behind *pattern, and moves *pattern behind its end. */
static bool bracket_has(const char **pattern, unsigned char c)
{
	const char *at = *pattern, *first;
	bool inverted = *at == '!' || *at == '^', found = false;

	at += inverted;
	for (first = at; at == first || *at != ']';) {
		const struct class *class = at[0] == '[' && at[1] == ':' ? class_at(at + 2) : NULL;
		unsigned char low, high;

		if (class) {
			found = found || class->has(c);
			at += 2 + strlen(class->name);
			continue;
		}
		low = high = take(&at);
		if (at[0] == '-' && at[1] != ']') {
			at++;
			high = take(&at);
		}
		found = found || (c >= low && c <= high);
	}
	*pattern = at + 1;
	return found != inverted;
}

/* --- errors ----------------------------------------------------------------------------------------- */

/* Checks the bracket whose [ is in front of *at. Returns a message, or NULL and moves *at behind the ]. */
static const char *bracket_error(const char **at)
{
	const char *first;

	*at += **at == '!' || **at == '^';
	for (first = *at; *at == first || **at != ']';) {
		if (!**at)
			return "[ without ] (write \\[ for the character itself)";
		if ((*at)[0] == '[' && ((*at)[1] == '.' || (*at)[1] == '='))
			return "[. and [= are not known inside of [ ]";
		if ((*at)[0] == '[' && (*at)[1] == ':') {
			const struct class *class = class_at(*at + 2);

			if (!class)
				return "no such class of characters; [:alpha:], [:digit:], ... are known";
			*at += 2 + strlen(class->name);
			continue;
		}
		if (**at == '\\' && !(*at)[1])
			return "\\ without a character behind it";
		take(at);
	}
	++*at;
	return NULL;
}

const char *fathom_glob_error(const char *pattern, const char **where)
{
	for (const char *at = pattern; *at;) {
		const char *error = NULL;

		*where = at;
		if (*at == '\\') {
			error = at[1] ? NULL : "\\ without a character behind it";
			at += 2;
		} else if (*at++ == '[') {
			error = bracket_error(&at);
		}
		if (error)
			return error;
	}
	return NULL;
}

/* --- matching --------------------------------------------------------------------------------------- */

/* Returns whether the pattern's first element, which is not a star, matches c, and moves *pattern behind it. */
static bool takes(const char **pattern, unsigned char c)
{
	unsigned char first = (unsigned char)*(*pattern)++;

	switch (first) {
	case '?':
		return true;
	case '[':
		return bracket_has(pattern, c);
	case '\\':
		return (unsigned char)*(*pattern)++ == c;
	default:
		return first == c;
	}
}

bool fathom_glob_matches(const char *pattern, const char *text, size_t bytes)
{
	const char *end = text + bytes;
	const char *after_star = NULL, *star_text = NULL;	/* the last star, and where the text after it begins */

	while (text < end || *pattern) {
		const char *rest = pattern;

		if (*pattern == '*') {
			after_star = ++pattern;
			star_text = text;
		} else if (text < end && *pattern && takes(&rest, (unsigned char)*text)) {
			pattern = rest;
			text++;
		} else if (after_star && star_text < end) {	/* the star matches one more character */
			pattern = after_star;
			text = ++star_text;
		} else {
			return false;
		}
	}
	return true;
}
