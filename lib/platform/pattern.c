#include "platform/pattern.h"

#include <string.h>

#include "platform/log.h"

static bool is_class_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/*
 * Parses the number at *text and moves *text behind the number. Returns false if there is no number or it does not fit.
 */
static bool read_divisor(const char **text, const char *end, uint32_t *divisor)
{
	uint64_t value = 0;
	const char *begin = *text;

	for (; *text < end && **text >= '0' && **text <= '9'; ++*text) {
		value = value * 10 + (uint64_t)(**text - '0');
		if (value > UINT32_MAX)
			return false;
	}
	*divisor = (uint32_t)value;
	return *text > begin && value > 0;
}

/* Parses the text behind a per cent sign at *text and moves *text behind it. Sets *is_host if the text means the name
 * of the host, otherwise sets *number. Returns false if the text has an error. */
static bool read_value(const char **text, const char *end, uint32_t rank, bool *is_host, uint32_t *number)
{
	uint32_t divisor;
	char operator;

	*is_host = false;
	*number = rank;
	if (*text == end)
		return false;
	if (**text == 'h' || **text == 'r') {
		*is_host = *(*text)++ == 'h';
		return true;
	}
	if (end - *text < 3 || strncmp(*text, "{r", 2))
		return false;
	operator = (*text)[2];
	*text += 3;
	if ((operator != '/' && operator != '%') || !read_divisor(text, end, &divisor) || *text == end ||
	    *(*text)++ != '}')
		return false;
	*number = operator == '/' ? rank / divisor : rank % divisor;
	return true;
}

/* Returns the end of a name: the next slash that is not inside braces. */
static const char *name_end(const char *name)
{
	bool braces = false;

	for (; *name && (braces || *name != '/'); name++)
		braces = *name == '{' || (braces && *name != '}');
	return name;
}

static bool tells_by_itself(const struct fathom_pattern_part *part)
{
	static const char *const known[] = { "machine", "node", "socket", "numa" };

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strlen(known[i]) == part->class_bytes && !strncmp(known[i], part->class, part->class_bytes))
			return true;
	return false;
}

bool fathom_pattern_next(const char **text, struct fathom_pattern_part *part)
{
	const char *at = *text, *end;

	part->class = at;
	while (is_class_char(*at))
		at++;
	part->class_bytes = (size_t)(at - part->class);
	part->name = NULL;
	part->name_bytes = 0;
	if (*at == '=') {
		part->name = ++at;
		end = name_end(at);
		part->name_bytes = (size_t)(end - at);
		while (at < end) {
			bool is_host;
			uint32_t number;

			if (*at++ != '%')
				continue;
			if (at < end && *at == '%')
				at++;
			else if (!read_value(&at, end, 0, &is_host, &number))
				return false;
		}
	}
	*text = *at ? at + 1 : NULL;
	return part->class_bytes && (!*at || *at == '/') && (part->name ? part->name_bytes > 0 : tells_by_itself(part));
}

bool fathom_pattern_is_valid(const char *text)
{
	struct fathom_pattern_part part;
	int levels = 0;

	while (text)
		if (!fathom_pattern_next(&text, &part) || ++levels > FATHOM_PATTERN_LEVELS)
			return false;
	return true;
}

size_t fathom_pattern_expand(const struct fathom_pattern_part *part, const char *host, uint32_t rank, char *name,
			     size_t bytes)
{
	const char *at = part->name, *end = at + part->name_bytes;
	size_t length = 0;

	while (at < end && length + 1 < bytes) {
		bool is_host = false;
		uint32_t number = 0;
		char digits[16];

		if (*at++ != '%') {
			name[length++] = at[-1];
			continue;
		}
		if (*at == '%') {
			name[length++] = *at++;
			continue;
		}
		read_value(&at, end, rank, &is_host, &number);
		fathom_format(digits, sizeof(digits), "%u", number);
		for (const char *c = is_host ? host : digits; *c && length + 1 < bytes; c++)
			name[length++] = *c;
	}
	name[length] = 0;
	return length;
}
