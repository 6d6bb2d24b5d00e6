#include "tools/report/processors.h"

#include <stdio.h>

#include "tools/common/number_format.h"
#include "tools/report/report.h"
#include "tools/report/run_attributes.h"

double fathom_report_processors(const struct fathom_report *report)
{
	return fathom_report_number(report->profile.cube, "fathom::processors", -1);
}

double fathom_report_processor_time(const struct fathom_report *report)
{
	return fathom_report_number(report->profile.cube, "fathom::processor_time", -1);
}

struct fathom_sharing fathom_report_sharing(const struct fathom_report *report)
{
	const struct fathom_cube *cube = report->profile.cube;
	struct fathom_sharing sharing = {
		.nodes = fathom_report_number(cube, "fathom::shared_nodes", 0),
		.processors = fathom_report_number(cube, "fathom::shared_processors", 0),
		.processes = fathom_report_number(cube, "fathom::shared_by_processes", 0),
		.threads = fathom_report_number(cube, "fathom::shared_by_threads", 0),
	};

	if (!(sharing.nodes > 0 && sharing.processors > 0 && sharing.threads > sharing.processors))
		return (struct fathom_sharing){ .nodes = 0 };
	return sharing;
}

/* Writes a number of processors: "2", or "1.5", because the limit of a control group may be a fraction. */
static const char *count_text(char text[FATHOM_NUMBER_BYTES], double count)
{
	snprintf(text, FATHOM_NUMBER_BYTES, "%.10g", count);
	return text;
}

void fathom_report_processor_facts(const struct fathom_report *report, char *processors, char *time, size_t bytes)
{
	double count = fathom_report_processors(report), used = fathom_report_processor_time(report);
	double wall = fathom_report_wall_time(report);
	char number[FATHOM_NUMBER_BYTES], percent[FATHOM_NUMBER_BYTES];

	processors[0] = time[0] = '\0';
	if (count > 0)
		snprintf(processors, bytes, "%s", count_text(number, count));
	if (count > 0 && used >= 0 && wall > 0)
		snprintf(processors, bytes, "%s (this run used %s)", count_text(number, count),
			 fathom_number_percent(percent, used, wall * count));
	if (used >= 0)
		snprintf(time, bytes, "%s", fathom_number_seconds(number, used));
}

/* Writes "The 4 ranks", "8 threads" or "2 ranks with 8 threads". */
static void describe_sharers(const struct fathom_sharing *sharing, char *text, size_t bytes)
{
	char processes[FATHOM_NUMBER_BYTES], threads[FATHOM_NUMBER_BYTES];

	count_text(processes, sharing->processes);
	count_text(threads, sharing->threads);
	if (sharing->processes <= 1)
		snprintf(text, bytes, "%s threads", threads);
	else if (sharing->threads <= sharing->processes)
		snprintf(text, bytes, "%s ranks", processes);
	else
		snprintf(text, bytes, "%s ranks with %s threads in all", processes, threads);
}

void fathom_report_say_sharing(struct fathom_report *report)
{
	struct fathom_sharing sharing = fathom_report_sharing(report);
	double count = fathom_report_processors(report);
	char sharers[128], nodes[128] = "", bound[128] = "", text[800];
	char number[FATHOM_NUMBER_BYTES], percent[FATHOM_NUMBER_BYTES];
	struct fathom_page *page = &report->page;

	if (!(sharing.nodes > 0))
		return;
	describe_sharers(&sharing, sharers, sizeof(sharers));
	if (sharing.nodes > 1)
		snprintf(nodes, sizeof(nodes), "Processors are shared on %s nodes; on the most crowded one, ",
			 count_text(number, sharing.nodes));
	else if (count > sharing.processors)	/* the run has more: threads are bound, or limited */
		snprintf(bound, sizeof(bound), " (the run may use %s; see how ranks and threads are bound)",
			 count_text(number, count));
	snprintf(text, sizeof(text), "%s%s share %s processor%s%s: if all work, each has a processor for %s of the "
		 "time and waits for one otherwise. All times below contain this waiting, most of it in calls that "
		 "wait for others.", nodes, sharers, count_text(number, sharing.processors),
		 sharing.processors == 1 ? "" : "s", bound,
		 fathom_number_percent(percent, sharing.processors, sharing.threads));
	printf("%s!%s ", fathom_page_style(page, FATHOM_STYLE_WARN), fathom_page_style(page, FATHOM_STYLE_PLAIN));
	fathom_page_paragraph(page, text, 2);
}
