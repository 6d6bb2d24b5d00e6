#include "tools/common/match_key.h"

#include <stdbool.h>
#include <string.h>

/* Returns the length of a name without suffixes such as ".constprop.0" and "._omp_fn.1". */
static size_t without_suffixes(const char *name)
{
	static const char *const suffixes[] = { ".constprop.", ".isra.", ".part.", ".cold", "._omp_fn.", ".lto_priv.",
						".omp_outlined", "..omp_par", ".llvm." };
	size_t length = strlen(name);

	for (size_t i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		const char *found = strstr(name, suffixes[i]);

		if (found && found > name && (size_t)(found - name) < length)
			length = (size_t)(found - name);
	}
	return length;
}

const char *fathom_match_key(const char *name, char *key, size_t bytes)
{
	size_t length = without_suffixes(name);
	const char *colon;

	if (length >= bytes)
		length = bytes - 1;
	memcpy(key, name, length);
	key[length] = '\0';
	/* "@file.c:12": the line is left out. */
	colon = strrchr(key, ':');
	if (colon && strchr(key, '@') && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1))
		key[colon - key] = '\0';
	return key;
}
