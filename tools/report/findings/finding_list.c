#include "tools/report/findings/finding_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/number_format.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"

double fathom_finding_bound(const struct fathom_report *report, const struct fathom_finding *finding)
{
	double all = report->time.total + (finding->is_idle ? report->idle : 0), rest = all - finding->seconds;

	return rest > 1e-9 * all ? all / rest : -1;
}

/* Appends the sentence with the bound to the text. */
static void add_bound(const struct fathom_report *report, struct fathom_finding *finding)
{
	double bound = fathom_finding_bound(report, finding);
	size_t length = strlen(finding->text);

	if (bound > 0)
		snprintf(finding->text + length, sizeof(finding->text) - length,
			 " Without this cost, the run would be at most %.2f times as fast.", bound);
}

void fathom_finding_add(struct fathom_finding_list *list, const struct fathom_finding *finding, const char *format, ...)
{
	struct fathom_finding *place = &list->findings[0];
	va_list arguments;
	uint32_t i;

	if (list->count < FATHOM_FINDING_ROOM)
		place = &list->findings[list->count++];
	else
		for (i = 1; i < list->count; i++)
			if (list->findings[i].seconds < place->seconds)
				place = &list->findings[i];
	if (place->text[0] && place->seconds >= finding->seconds)
		return;
	*place = *finding;
	va_start(arguments, format);
	vsnprintf(place->text, sizeof(place->text), format, arguments);
	va_end(arguments);
	add_bound(list->report, place);
}

const char *fathom_finding_name(const struct fathom_report *report, uint32_t cnode, char *text, size_t bytes)
{
	const struct fathom_cube_region *region = fathom_profile_region(&report->profile, cnode);
	int32_t parent = report->profile.cube->cnodes[cnode].parent;
	char buffer[256];
	const char *place = fathom_region_place(region, buffer, sizeof(buffer));
	size_t length = (size_t)snprintf(text, bytes, "%.150s", fathom_region_name(region));

	if (length >= bytes)
		return text;
	if (!strchr(place, ':') && parent >= 0 && strcmp(region->role, "artificial") != 0) {
		region = fathom_profile_region(&report->profile, (uint32_t)parent);
		place = fathom_region_place(region, buffer, sizeof(buffer));
		length += (size_t)snprintf(text + length, bytes - length, " called in %.150s",
					   fathom_region_name(region));
	}
	/* A name may already contain the place: "!$omp critical @x.c:20". */
	if (length < bytes && strchr(place, ':') && !strchr(text, '@'))
		snprintf(text + length, bytes - length, " (%.100s)", place);
	return text;
}

const char *fathom_finding_cost(const struct fathom_report *report, double seconds, char *text, size_t bytes)
{
	char time[FATHOM_NUMBER_BYTES], share[FATHOM_NUMBER_BYTES];

	snprintf(text, bytes, "%s (%s of the run)", fathom_number_seconds(time, seconds),
		 fathom_number_percent(share, seconds, report->time.total));
	return text;
}
