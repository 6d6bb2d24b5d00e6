/*
 * peri_xml: a metric of a profile in PERI-XML, in the form that ParaProf reads (tools/import/peri_xml.h describes it).
 *
 * The format has neither call paths nor threads: values are those of a function in a process.
 */
#include "config.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/profile.h"
#include "tools/export/export_format.h"

/* Writes text with XML's own characters escaped. Control characters become blanks. */
static void put_text(const char *text, FILE *out)
{
	for (; *text; text++) {
		switch (*text) {
		case '&': fputs("&amp;", out); break;
		case '<': fputs("&lt;", out); break;
		case '>': fputs("&gt;", out); break;
		default: fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
		}
	}
}

static void put_functions(const struct fathom_cube *cube, const bool *is_used, FILE *out)
{
	for (uint32_t r = 0; r < cube->region_count; r++) {
		const struct fathom_cube_region *region = &cube->regions[r];

		if (!is_used[r])
			continue;
		fprintf(out, "<eventDef id=\"%" PRIu32 "\"><procedure>", r);
		put_text(region->name, out);
		fprintf(out, "</procedure><type>function</type><startline>%" PRId32 "</startline><module>",
			region->begin_line > 0 ? region->begin_line : 0);
		put_text(region->file, out);
		fputs("</module></eventDef>\n", out);
	}
}

/* Reads the own values of all functions: [process][region]. */
static int read_values(struct fathom_profile *profile, uint32_t metric, double *values, bool *is_used)
{
	const struct fathom_cube *cube = profile->cube;
	double *row = fathom_tool_alloc(cube->location_count, sizeof(*row));
	int err = 0;

	for (uint32_t c = 0; !err && c < cube->cnode_count; c++) {
		uint32_t region = cube->cnodes[c].region;

		if (!profile->counted[c])
			continue;
		err = fathom_profile_own_row(profile, metric, c, row);
		for (uint32_t l = profile->first_location; !err && l < profile->location_end; l++) {
			size_t group = (size_t)fathom_cube_location_group(cube, l);

			values[group * cube->region_count + region] += row[l];
			is_used[region] |= row[l] != 0;
		}
	}
	free(row);
	return err;
}

int fathom_export_peri_xml(struct fathom_profile *profile, uint32_t metric, FILE *out)
{
	const struct fathom_cube *cube = profile->cube;
	double *values = fathom_tool_alloc((size_t)cube->group_count * cube->region_count, sizeof(*values));
	bool *is_used = fathom_tool_alloc(cube->region_count, sizeof(*is_used));
	int err = read_values(profile, metric, values, is_used);

	if (!err) {
		fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<perfdata creator=\"fathom " PACKAGE_VERSION "\">\n",
		      out);
		put_functions(cube, is_used, out);
		fputs("<metricDef id=\"0\"><name>", out);
		put_text(cube->metrics[metric].uniq_name, out);
		fputs("</name></metricDef>\n", out);
	}
	for (uint32_t g = 0; !err && g < cube->group_count; g++) {
		if (!fathom_group_is_process(&cube->groups[g]) ||
		    (profile->rank >= 0 && cube->groups[g].rank != profile->rank))
			continue;
		fprintf(out, "<process id=\"%" PRId64 "\">\n", cube->groups[g].rank);
		for (uint32_t r = 0; r < cube->region_count; r++) {
			double value = values[(size_t)g * cube->region_count + r];

			if (value != 0)
				fprintf(out, "<eventInstance id=\"%" PRIu32 "\"><metric id=\"0\">%.17g</metric>"
					"</eventInstance>\n", r, value);
		}
		fputs("</process>\n", out);
	}
	if (!err)
		fputs("</perfdata>\n", out);
	free(values);
	free(is_used);
	return err;
}
