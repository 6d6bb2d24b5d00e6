#include "filter/tau_pattern.h"

#include <string.h>

/* Cuts a function's type and parameters off. */
static char *bare_name(char *name)
{
	char *word = strstr(name, "operator"), *behind = word ? word + strlen("operator") : name, *begin;
	char *open = strchr(behind, '(');

	if (word && open == behind)		/* operator()(...) */
		open = strchr(open + 1, '(');
	if (!open || open == name)
		return name;
	*open = '\0';
	for (begin = word ? word : open; begin > name && begin[-1] != ' '; )
		begin--;
	return begin + strspn(begin, "*&");
}

char *fathom_tau_name_pattern(char *name)
{
	name = bare_name(name);
	for (char *at = name; *at; at++)
		*at = *at == '#' ? '*' : strchr("*?[\\", *at) ? '?' : *at;
	return name;
}

char *fathom_tau_file_pattern(char *name)
{
	for (char *at = name; *at; at++)
		*at = strchr("[\\", *at) ? '?' : *at;
	return name;
}
