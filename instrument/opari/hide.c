#define _GNU_SOURCE
#include "opari/hide.h"

#include <ctype.h>
#include <string.h>

static const char *const verbs[] = { "init", "destroy", "set", "unset", "test" };

/* Length of the lock function's name that text begins with; 0 if it is none. */
static size_t lock_name(const char *text, size_t length)
{
	size_t at = 4;

	if (length < 12 || strncasecmp(text, "omp_", 4) != 0)
		return 0;
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		size_t verb = strlen(verbs[i]);

		if (length < at + verb + 5 || strncasecmp(text + at, verbs[i], verb) != 0)
			continue;
		if (strncasecmp(text + at + verb, "_lock", 5) == 0)
			return at + verb + 5;
		if (length >= at + verb + 10 && strncasecmp(text + at + verb, "_nest_lock", 10) == 0)
			return at + verb + 10;
	}
	return 0;
}

enum fathom_hide_answer fathom_hide_look(const char *name, size_t length)
{
	size_t found = lock_name(name, length);

	if (found && (found == length || (length == found + 10 && memcmp(name + found, "_with_hint", 10) == 0)))
		return FATHOM_HIDE_EXACT;
	for (size_t i = 0; i + 12 <= length; i++) {
		if (lock_name(name + i, length - i))
			return FATHOM_HIDE_WITHIN;
	}
	return FATHOM_HIDE_NOTHING;
}

void fathom_hide_lock(struct fathom_edits *edits, const char *text, size_t begin, size_t end)
{
	for (size_t at = begin; at + 12 <= end; at++) {
		if (lock_name(text + at, end - at))
			fathom_edits_add(edits, at + 4, 0, FATHOM_HIDE);
	}
}

void fathom_hide_within(struct fathom_edits *edits, const char *text, size_t length)
{
	for (size_t at = 0; at < length;) {
		size_t end = at;

		while (end < length && (isalnum((unsigned char)text[end]) || text[end] == '_'))
			end++;
		if (end > at && fathom_hide_look(text + at, end - at) == FATHOM_HIDE_WITHIN)
			fathom_hide_lock(edits, text, at, end);
		at = end > at ? end : at + 1;
	}
}
