#include "tools/report/sections/section_loops.h"

#include <stdio.h>

#include "tools/common/command.h"
#include "tools/common/number_format.h"
#include "tools/common/text_layout.h"
#include "tools/report/json/json_samples.h"
#include "tools/report/region_text.h"
#include "tools/report/report.h"
#include "tools/report/samples/sampled_loops.h"

enum {
	TOP_DEFAULT = 15,
	NUMBERS = 37,		/* columns before the path of a loop */
};

static void print_loop(struct fathom_page *page, const struct fathom_sampled_loops *loops,
		       const struct fathom_sampled_loop *loop)
{
	const struct fathom_sample_event *event = loops->places->event;
	char share[FATHOM_NUMBER_BYTES], value[FATHOM_NUMBER_BYTES], samples[FATHOM_NUMBER_BYTES];
	char all[FATHOM_NUMBER_BYTES];
	/* Calls of a recursive function contain each other. */
	double with_calls = loop->all < event->total ? loop->all : event->total;

	printf("%s%6s%s %9s %7s %9s  ",
	       fathom_page_style(page, fathom_share_style(event->total > 0 ? loop->own / event->total : 0)),
	       fathom_number_percent(share, loop->own, event->total), fathom_page_style(page, FATHOM_STYLE_PLAIN),
	       fathom_number_with_unit(value, loop->own, fathom_sample_unit(event)),
	       fathom_number_count(samples, (double)loop->samples),
	       fathom_number_percent(all, with_calls, event->total));
	fathom_page_paragraph(page, fathom_sampled_loop_path(loops, loop), NUMBERS);
}

static void print_loops(struct fathom_page *page, const struct fathom_report_options *options,
			const struct fathom_sampled_loops *loops)
{
	const struct fathom_sample_event *event = loops->places->event;
	size_t shown = loops->count;
	char remark[128], percent[FATHOM_NUMBER_BYTES], title[128];
	double in_loops = 0;

	if (options->top >= 0 ? shown > (size_t)options->top : !options->all && shown > TOP_DEFAULT)
		shown = options->top >= 0 ? (size_t)options->top : TOP_DEFAULT;
	for (size_t i = 0; i < loops->count; i++)
		in_loops += loops->list[i].own;
	snprintf(title, sizeof(title), "Loops by their own %.64s", event->name);
	snprintf(remark, sizeof(remark), "%zu of %zu loops; %s of all is in loops", shown, loops->count,
		 fathom_number_percent(percent, in_loops, event->total));
	fathom_page_heading(page, title, remark);
	printf("%s%6s %9s %7s %9s  loop%s\n", fathom_page_style(page, FATHOM_STYLE_DIM), "own",
	       fathom_sample_heading(event), "samples", "inclusive", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	for (size_t i = 0; i < shown && !fathom_tool_output_lost(); i++)
		print_loop(page, loops, &loops->list[i]);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_DIM));
	fathom_page_paragraph(page, "own: in the loop itself; inclusive: also in loops inside it, and in functions "
			      "called from it that are not recorded themselves. Both are estimates from samples.", 0);
	printf("%s", fathom_page_style(page, FATHOM_STYLE_PLAIN));
	fathom_sample_modules_explain(&loops->places->modules, page);
}

int fathom_report_loops(struct fathom_page *page, const struct fathom_report_options *options, const char *result)
{
	struct fathom_sample_places places;
	struct fathom_sampled_loops loops = { 0 };
	int err = fathom_sample_places_init(&places, result, options->metric);

	if (!err)
		err = fathom_sampled_loops_init(&loops, &places);
	if (!err && options->json)
		fathom_report_json_loops(&loops, options);
	else if (!err)
		print_loops(page, options, &loops);
	fathom_sampled_loops_fini(&loops);
	fathom_sample_places_fini(&places);
	return err;
}
