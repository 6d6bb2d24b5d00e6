#define _GNU_SOURCE
#include "opari/construct_counts.h"

#include <stdio.h>
#include <string.h>

#include "opari/buffer.h"

void fathom_construct_counts_add(struct fathom_construct_counts *counts, const char *name, unsigned long line)
{
	size_t i;

	for (i = 0; i < counts->count && strcmp(counts->list[i].name, name) != 0; i++)
		;
	if (i == sizeof(counts->list) / sizeof(counts->list[0])) {
		counts->others++;
		return;
	}
	if (i == counts->count) {
		counts->count++;
		snprintf(counts->list[i].name, sizeof(counts->list[i].name), "%s", name);
		counts->list[i].line = line;
	}
	counts->list[i].count++;
}

char *fathom_construct_counts_text(const struct fathom_construct_counts *counts)
{
	struct fathom_buffer text = { 0 };

	for (size_t i = 0; i < counts->count; i++) {
		const struct fathom_construct_counts_entry *entry = &counts->list[i];

		fathom_buffer_addf(&text, "%s%zu %s (%sline %lu)", i ? ", " : "", entry->count, entry->name,
				   entry->count > 1 ? "from " : "", entry->line);
	}
	if (counts->others)
		fathom_buffer_addf(&text, " and %zu others", counts->others);
	return text.text;
}
