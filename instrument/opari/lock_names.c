#define _GNU_SOURCE
#include "opari/lock_names.h"

#include <string.h>

#define SHORTEST 12	/* the length of omp_set_lock */

/* Returns the length of the name of a lock function at the begin of text; 0: there is none. */
static size_t lock_name(const char *text, size_t length)
{
	static const char *const verbs[] = { "init", "destroy", "set", "unset", "test" };
	static const char *const ends[] = { "_lock", "_nest_lock" };

	if (length < SHORTEST || strncasecmp(text, "omp_", 4) != 0)
		return 0;
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		size_t verb = 4 + strlen(verbs[i]);

		if (length < verb || strncasecmp(text + 4, verbs[i], verb - 4) != 0)
			continue;
		for (size_t k = 0; k < sizeof(ends) / sizeof(ends[0]); k++) {
			if (length >= verb + strlen(ends[k]) && strncasecmp(text + verb, ends[k], strlen(ends[k])) == 0)
				return verb + strlen(ends[k]);
		}
	}
	return 0;
}

int fathom_lock_is(const char *name, size_t length)
{
	static const char hint[] = "_with_hint";
	size_t found = lock_name(name, length);

	return found && (found == length || (length == found + strlen(hint) &&
					     strncasecmp(name + found, hint, strlen(hint)) == 0));
}
