/*
 * Prints the bursts of a trace, or of a file of bursts, one a line: process, number of the location, begin (ns after the
 * first burst of its location), duration (ns), the call paths of its begin and end, and its counters.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bursts/recorded_bursts.h"
#include "callgraphs/graph_trace.h"

static struct fathom_otf2_archive trace;
static struct fathom_burst_extraction extraction;
static uint64_t *first_begin;	/* by location; 0: no burst yet */

static const char *path_text(uint32_t path, char *text, size_t bytes)
{
	return path == FATHOM_NO_BURST_PATH ? "-" : fathom_burst_path_text(&extraction, path, text, bytes);
}

static bool print_burst(void *taker, const struct fathom_burst *burst)
{
	const struct fathom_otf2_location *location =
		fathom_otf2_at(&trace.defs, FATHOM_OTF2_LOCATION, burst->location);
	double ns = fathom_otf2_seconds(&trace.defs, 1) * 1e9;
	char before[4096], after[4096];

	(void)taker;
	if (!first_begin)
		first_begin = calloc(fathom_otf2_count(&trace.defs, FATHOM_OTF2_LOCATION) + 1, sizeof(*first_begin));
	if (!first_begin[burst->location])
		first_begin[burst->location] = burst->begin + 1;
	printf("%" PRIu32 "\t%s\t%.1f\t%.1f\t%s\t%s", location->process, fathom_otf2_text(&trace.defs, location->name),
	       (double)(burst->begin + 1 - first_begin[burst->location]) * ns, (double)(burst->end - burst->begin) * ns,
	       path_text(burst->before, before, sizeof(before)), path_text(burst->after, after, sizeof(after)));
	for (uint32_t c = 0; c < extraction.counter_count; c++)
		printf("\t%s=%.0f", extraction.counters[c].name, burst->counters[c]);
	putchar('\n');
	return true;
}

static int read_trace(const char *path)
{
	int err = fathom_trace_open(&trace, path);

	if (!err)
		err = fathom_otf2_read_definitions(&trace, NULL);
	if (err)
		return err;
	fathom_burst_extraction_init(&extraction, &trace, print_burst, NULL);
	err = fathom_otf2_read_events(&trace, NULL, fathom_burst_extraction_take, &extraction);
	fathom_burst_extraction_finish(&extraction);
	return err;
}

int main(int argc, char **argv)
{
	int err;

	if (argc != 2)
		return 2;
	err = fathom_recorded_bursts_is_file(argv[1]) ?
	      fathom_recorded_bursts_read(&extraction, &trace, argv[1], print_burst, NULL) : read_trace(argv[1]);
	if (err)
		fprintf(stderr, "%s\n", trace.error);
	else
		fprintf(stderr, "%" PRIu64 " interrupted, %" PRIu64 " dropped\n", extraction.interrupted,
			extraction.unrecorded);
	if (extraction.locations)
		fathom_burst_extraction_fini(&extraction);
	fathom_otf2_close(&trace);
	free(first_begin);
	return err ? 1 : 0;
}
