#define _GNU_SOURCE
#include "opari/census.h"

#include <stdio.h>
#include <string.h>

#include "opari/buffer.h"

void fathom_census_add(struct fathom_census *census, const char *name, unsigned long line)
{
	size_t i;

	for (i = 0; i < census->count && strcmp(census->list[i].name, name) != 0; i++)
		;
	if (i == sizeof(census->list) / sizeof(census->list[0])) {
		census->others++;
		return;
	}
	if (i == census->count) {
		census->count++;
		snprintf(census->list[i].name, sizeof(census->list[i].name), "%s", name);
		census->list[i].line = line;
	}
	census->list[i].count++;
}

char *fathom_census_text(const struct fathom_census *census)
{
	struct fathom_buffer text = { 0 };

	for (size_t i = 0; i < census->count; i++) {
		const struct fathom_census_entry *entry = &census->list[i];

		fathom_buffer_addf(&text, "%s%zu %s (%sline %lu)", i ? ", " : "", entry->count, entry->name,
				   entry->count > 1 ? "from " : "", entry->line);
	}
	if (census->others)
		fathom_buffer_addf(&text, " and %zu others", census->others);
	return text.text;
}
