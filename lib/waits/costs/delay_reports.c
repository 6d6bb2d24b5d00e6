#include "waits/costs/delay_reports.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Most operations are the cause of so many others at most. */
enum { FEW_REPORTS = 16 };

static uint64_t key_of(uint32_t location, uint32_t record)
{
	return fathom_waits_key(3, (uint64_t)location << 32 | record);
}

static struct fathom_waits_kept_report *reports_of(const struct fathom_waits_delay_reports *reports, uint32_t location,
						   uint32_t record)
{
	const uint64_t *first = fathom_waits_key_find(&reports->first, key_of(location, record));

	return first ? (struct fathom_waits_kept_report *)(uintptr_t)*first : NULL;
}

int fathom_waits_reports_keep(struct fathom_waits_delay_reports *reports, uint32_t location, const void *data)
{
	struct fathom_waits_delay_report report;
	struct fathom_waits_kept_report *kept;
	uint64_t *first;

	memcpy(&report, data, sizeof(report));
	kept = malloc(sizeof(*kept) + report.count * sizeof(*kept->entries));
	if (!kept)
		return -ENOMEM;
	kept->report = report;
	if (report.count)
		memcpy(kept->entries, (const char *)data + sizeof(report), report.count * sizeof(*kept->entries));
	first = fathom_waits_key_add(&reports->first, key_of(location, report.cause.record), 0);
	if (!first) {
		free(kept);
		return -ENOMEM;
	}
	kept->next = (struct fathom_waits_kept_report *)(uintptr_t)*first;
	kept->count = kept->next ? kept->next->count + 1 : 1;
	*first = (uint64_t)(uintptr_t)kept;
	return 0;
}

uint32_t fathom_waits_reports_count(const struct fathom_waits_delay_reports *reports, uint32_t location,
				    uint32_t record)
{
	const struct fathom_waits_kept_report *kept = reports_of(reports, location, record);

	return kept ? kept->count : 0;
}

static int by_waiter(const void *a, const void *b)
{
	const struct fathom_waits_kept_report *const *x = a, *const *y = b;

	return fathom_waits_name_compare(&(*x)->report.waiter, &(*y)->report.waiter);
}

int fathom_waits_reports_take(struct fathom_waits_delay_reports *reports, uint32_t location, uint32_t record,
			      struct fathom_waits_kept_report **first)
{
	struct fathom_waits_kept_report *kept = reports_of(reports, location, record), *few[FEW_REPORTS];
	struct fathom_waits_kept_report **sorted = few;
	uint32_t count = kept ? kept->count : 0, i = 0;

	*first = kept;
	if (!kept)
		return 0;
	fathom_waits_key_remove(&reports->first, key_of(location, record));
	if (count == 1)
		return 0;
	if (count > FEW_REPORTS)
		sorted = malloc(count * sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	for (; kept; kept = kept->next)
		sorted[i++] = kept;
	qsort(sorted, count, sizeof(*sorted), by_waiter);
	for (i = 0; i < count; i++)
		sorted[i]->next = i + 1 < count ? sorted[i + 1] : NULL;
	*first = sorted[0];
	if (sorted != few)
		free(sorted);
	return 0;
}

void fathom_waits_reports_free(struct fathom_waits_kept_report *first)
{
	while (first) {
		struct fathom_waits_kept_report *next = first->next;

		free(first);
		first = next;
	}
}

void fathom_waits_reports_fini(struct fathom_waits_delay_reports *reports)
{
	for (uint64_t i = 0; i < reports->first.size; i++)
		if (reports->first.slots[i].key)
			fathom_waits_reports_free(
				(struct fathom_waits_kept_report *)(uintptr_t)reports->first.slots[i].value);
	fathom_waits_key_fini(&reports->first);
}
