#include "tools/report/run_attributes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/report/report.h"

double fathom_report_number(const struct fathom_cube *cube, const char *key, double fallback)
{
	const char *text = fathom_cube_attribute(cube, key);
	char *end;
	double number;

	if (!text)
		return fallback;
	number = strtod(text, &end);
	return end == text || !isfinite(number) ? fallback : number;
}

double fathom_report_wall_time(const struct fathom_report *report)
{
	double longest = 0;
	uint32_t u;

	longest = fathom_report_number(report->profile.cube, "fathom::wall_time", -1);
	if (longest >= 0)
		return longest;
	/* Without the attribute: the longest time of a single thread. */
	if (report->profile.most_threads > 1 &&
	    (!report->breakdown.by_thread || report->profile.threads.aggregation != FATHOM_AGGREGATION_ALL))
		return -1;
	for (u = 0; u < report->breakdown.unit_count; u++)
		longest = fmax(longest, report->breakdown.unit_total[u]);
	return longest > 0 ? longest : -1;
}

double fathom_report_overhead(const struct fathom_report *report)
{
	const struct fathom_cube *cube = report->profile.cube;
	double wall = fathom_report_number(cube, "fathom::wall_time", -1);
	double events = fathom_report_number(cube, "fathom::events", -1);
	double cost_ns = fathom_report_number(cube, "fathom::event_cost_ns", -1);

	if (wall <= 0 || report->profile.thread_count == 0)
		return -1;
	if (report->time.own && report->own_cost.seconds >= 0)
		return report->own_cost.seconds / (wall * report->profile.thread_count);
	if (events < 0 || cost_ns < 0)
		return -1;
	return events * cost_ns * 1e-9 / (wall * report->profile.thread_count);
}

/* Returns whether the first word of a command line names the program. */
static bool begins_with_program(const char *command, const char *program)
{
	const char *base = strrchr(program, '/'), *word = command, *at;
	size_t length = strcspn(command, " ");

	base = base ? base + 1 : program;
	for (at = command; at < command + length; at++)
		if (*at == '/')
			word = at + 1;
	return length > 0 && strlen(base) == (size_t)(command + length - word) &&
	       strncmp(word, base, strlen(base)) == 0;
}

const char *fathom_report_command(const struct fathom_report *report, char *text, size_t bytes)
{
	const struct fathom_cube *cube = report->profile.cube;
	const char *program = fathom_cube_attribute(cube, "fathom::program");
	const char *arguments = fathom_cube_attribute(cube, "fathom::arguments");

	if (!program && cube->cnode_count > 0)	/* Score-P writes the command line as the root's mangled name */
		return fathom_profile_region(&report->profile, 0)->mangled;
	if (!program || !arguments || !*arguments)
		return program ? program : "";
	if (begins_with_program(arguments, program))
		return arguments;
	snprintf(text, bytes, "%s %s", program, arguments);
	return text;
}
