#include "tools/report/region_text.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/profile.h"

/* Returns the place that the name of an OpenMP construct contains: "!$omp barrier @lulesh.cc:2148". */
static const char *place_in_name(const struct fathom_cube_region *region)
{
	const char *at = strncmp(region->name, "!$omp ", 6) == 0 ? strstr(region->name, " @") : NULL;

	return at && at[2] ? at + 2 : NULL;
}

const char fathom_no_place[] = "-";

const char *fathom_region_place(const struct fathom_cube_region *region, char *text, size_t bytes)
{
	const char *base = strrchr(region->file, '/');

	base = base ? base + 1 : region->file;
	if (place_in_name(region))
		return place_in_name(region);
	/* The file of a function of a library without line numbers is the library. */
	if ((*base == '\0' || region->begin_line <= 0) && strcmp(region->paradigm, "compiler") == 0)
		return *base ? base : fathom_no_place;
	if (*base == '\0' || region->begin_line <= 0)
		return region->paradigm;
	snprintf(text, bytes, "%s:%d", base, region->begin_line);
	return text;
}

const char *fathom_region_name(const struct fathom_cube_region *region)
{
	return *region->name ? region->name : "(no name)";
}

int fathom_region_name_bytes(const struct fathom_cube_region *region)
{
	const char *place = place_in_name(region);

	return place ? (int)(place - 2 - region->name) : INT_MAX;
}

enum fathom_style fathom_region_style(const struct fathom_cube_region *region)
{
	if (strcmp(region->paradigm, "mpi") == 0)
		return FATHOM_STYLE_BLUE;
	if (strcmp(region->paradigm, "openmp") == 0)
		return FATHOM_STYLE_VIOLET;
	if (strcmp(region->paradigm, "io") == 0)
		return FATHOM_STYLE_TEAL;
	return FATHOM_STYLE_PLAIN;
}

enum fathom_style fathom_share_style(double share)
{
	return share >= 0.25 ? FATHOM_STYLE_HOT : share >= 0.05 ? FATHOM_STYLE_WARM : FATHOM_STYLE_PLAIN;
}

const char *fathom_region_construct(const struct fathom_cube_region *region, char *text, size_t bytes)
{
	const char *place = fathom_region_place(region, text, bytes);

	return place == region->paradigm ? fathom_region_name(region) : place;
}

void fathom_report_explain_places(const struct fathom_page *page)
{
	printf("%s%s: no line numbers: compile with -g%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), fathom_no_place,
	       fathom_page_style(page, FATHOM_STYLE_PLAIN));
}
