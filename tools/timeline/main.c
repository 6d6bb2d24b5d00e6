/*
 * main: `fathom timeline`: draws a part of a trace as a picture: threads from top to bottom, time from left to right.
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/argument.h"
#include "tools/common/command.h"
#include "tools/common/experiment.h"
#include "tools/common/output_file.h"
#include "tools/common/trace/trace_frames.h"
#include "tools/common/trace/trace_picture.h"
#include "tools/common/trace/trace_ranks.h"
#include "tools/common/trace/window_details.h"
#include "tools/timeline/painting.h"

static const char help[] =
	"usage: fathom timeline --png FILE | --svg FILE [--from S] [--to S] [--ranks LIST]\n"
	"                       [--depth N] [--width PIXELS] [DIRECTORY | traces.otf2]\n"
	"\n"
	"Draw a trace: what each thread did over time, in the colours of the regions that take\n"
	"most of the picture, with lines for messages. The picture is drawn from an index next\n"
	"to the trace (traces.frames), which is made if there is none, so every part of a trace\n"
	"is drawn in less than a second, whatever its length. Without a name, the newest\n"
	"experiment with a trace in FATHOM_DIR, if that is set, else in the present directory.\n"
	"\n"
	"  --png FILE        write a picture as PNG\n"
	"  --svg FILE        write a picture as SVG; both can be given\n"
	"  --from SECONDS    begin of the picture, from the beginning of the trace (the first event)\n"
	"  --to SECONDS      its end (the last event)\n"
	"  --ranks LIST      only these ranks, such as 0-3,8\n"
	"  --depth N         show the region at this level of the call path, 1 for main\n"
	"                    (the innermost region)\n"
	"  --width PIXELS    of the picture, 400 to 16000 (1200)\n"
	"  --colour WHAT     what the colours are: region (the default), or kind: the kinds\n"
	"                    of bursts, in a trace that fathom clusters --trace has written\n"
	"  --no-messages     without lines for messages and collective operations\n"
	"  --curve NAME      draw this counter of the trace as a curve in each row, or\n"
	"                    samples; counters that grow by their growth in a second\n"
	"  --no-waits        without marks for what fathom analyze found: wait states, red,\n"
	"                    and the critical path, a dark line\n"
	"  --force           replace files that exist\n"
	"  --help, --version\n"
	"\n"
	"Exit status: 0 good, 1 failure, 2 wrong command line.\n";

enum { PNG = 256, SVG, FROM, TO, RANKS, DEPTH, WIDTH, NO_MESSAGES, NO_WAITS, CURVE, COLOUR, FORCE };

static const struct option options_known[] = {
	{ "png", required_argument, NULL, PNG },
	{ "svg", required_argument, NULL, SVG },
	{ "from", required_argument, NULL, FROM },
	{ "to", required_argument, NULL, TO },
	{ "ranks", required_argument, NULL, RANKS },
	{ "depth", required_argument, NULL, DEPTH },
	{ "width", required_argument, NULL, WIDTH },
	{ "no-messages", no_argument, NULL, NO_MESSAGES },
	{ "curve", required_argument, NULL, CURVE },
	{ "colour", required_argument, NULL, COLOUR },
	{ "no-waits", no_argument, NULL, NO_WAITS },
	{ "force", no_argument, NULL, FORCE },
	FATHOM_COMMON_OPTIONS,
	{ NULL, 0, NULL, 0 },
};

/* Kinds of bursts are drawn of traces with at most so many events; all of them are read. */
enum { ROWS_MOST = 256, KINDS_EVENTS_MOST = 5000000 };

struct options {
	const char *png, *svg, *ranks, *curve, *target;
	double from, to;		/* seconds; below 0: the first, and the last event */
	uint32_t depth, width;
	bool no_messages, no_waits, by_kind, force;
};

static double parse_seconds(const char *option, const char *text)
{
	char *end;
	double seconds = strtod(text, &end);

	if (end == text || *end || !isfinite(seconds) || seconds < 0)
		fathom_tool_usage_error("%s %s: not a number of seconds from 0 on", option, text);
	return seconds;
}

/* Returns whether the colours are those of kinds. */
static bool parse_colour(const char *text)
{
	if (strcmp(text, "kind") != 0 && strcmp(text, "region") != 0)
		fathom_tool_usage_error("--colour %s: not one of region, kind", text);
	return strcmp(text, "kind") == 0;
}

static void parse(struct options *options, int argc, char **argv)
{
	int code;

	options->from = options->to = -1;
	options->width = 1200;
	opterr = 0;
	while ((code = getopt_long(argc, argv, ":h", options_known, NULL)) != -1) {
		switch (code) {
		case PNG: options->png = optarg; break;
		case SVG: options->svg = optarg; break;
		case FROM: options->from = parse_seconds("--from", optarg); break;
		case TO: options->to = parse_seconds("--to", optarg); break;
		case RANKS: options->ranks = optarg; break;
		case DEPTH: options->depth = (uint32_t)fathom_argument_number("--depth", optarg, 1, 1000); break;
		case WIDTH: options->width = (uint32_t)fathom_argument_number("--width", optarg, 400, 16000); break;
		case NO_MESSAGES: options->no_messages = true; break;
		case CURVE: options->curve = optarg; break;
		case COLOUR: options->by_kind = parse_colour(optarg); break;
		case NO_WAITS: options->no_waits = true; break;
		case FORCE: options->force = true; break;
		default: fathom_argument_other(argv, code, help);
		}
	}
	options->target = fathom_argument_target(argc, argv);
	if (!options->png && !options->svg)
		fathom_tool_usage_error("--png FILE or --svg FILE is missing: the picture needs a place");
}

/* Sets [from, to) in ticks. 0, or -EINVAL after an error message. */
static int find_window(const struct options *options, const struct fathom_frame_index *index, uint64_t *from,
		       uint64_t *to)
{
	const struct fathom_otf2_defs *defs = &index->trace->defs;
	double per_second = defs->resolution ? (double)defs->resolution : 1e9;
	double length = (double)defs->length / per_second, end = options->to;

	fathom_frame_index_range(index, from, to);
	if (options->from >= 0)
		*from = defs->offset + (uint64_t)(options->from * per_second);
	if (end >= 0 && end < length)
		*to = defs->offset + (uint64_t)ceil(end * per_second);
	if (*from < *to)
		return 0;
	fathom_tool_error("--from %g --to %g: nothing is between these times; the trace has %g s",
			  options->from < 0 ? 0 : options->from, end < 0 || end > length ? length : end, length);
	return -EINVAL;
}

static int write_file(const struct options *options, struct fathom_painting *painting, const char *path)
{
	struct fathom_output_file file;
	int err;

	if (!path)
		return 0;
	painting->is_png = path == options->png;
	err = fathom_output_file_open(&file, path, options->force);
	if (!err)
		err = fathom_output_file_close(&file, fathom_painting_write(painting, file.stream));
	if (!err)
		printf("fathom timeline: the picture is %s\n", path);
	return err;
}

/* Finds the curve that the user wants. 0, or -errno after an error message. */
static int choose_curve(const struct options *options, const struct fathom_trace_details *details,
			struct fathom_painting *painting)
{
	char names[400] = "none";
	size_t length = 0;

	for (size_t c = 0; options->curve && c < details->curves.count; c++) {
		const struct fathom_metric_curve *curve = &details->curves.curves[c];

		if (strcmp(curve->name, options->curve) == 0)
			painting->curve = curve;
		if (length < sizeof(names))
			length += (size_t)snprintf(names + length, sizeof(names) - length, "%s%s", c ? ", " : "",
						   curve->name);
	}
	if (!options->curve || painting->curve)
		return 0;
	if (details->is_known)
		fathom_tool_error("--curve %s: the threads of the trace have no such counter; they have: %s",
				  options->curve, names);
	else
		fathom_tool_error("--curve %s: the events of this part of the trace cannot be read", options->curve);
	return -ENOENT;
}

/* 0, or -ENOENT after an error message: the trace has no kinds. */
static int check_kinds(const struct fathom_trace_details *details)
{
	if (details->is_known && details->kinds.is_known)
		return 0;
	if (details->is_known)
		fathom_tool_error("--colour kind: the trace has no kinds of bursts; fathom clusters --trace DIRECTORY "
				  "writes a copy that has them");
	else
		fathom_tool_error("--colour kind: kinds are drawn of traces with at most %d million events",
				  KINDS_EVENTS_MOST / 1000000);
	return -ENOENT;
}

/* Draws the picture of an open trace. 0, or -errno after an error message. */
static int draw(const struct options *options, struct fathom_trace_frames *frames)
{
	struct fathom_trace_picture picture = { .row_count = 0 };
	struct fathom_wait_intervals waits = { .count = 0 };
	struct fathom_trace_details details = { .is_known = false }, whole = { .is_known = false };
	struct fathom_painting painting = { .picture = &picture, .index = &frames->index, .width = options->width,
					    .has_messages = !options->no_messages };
	bool *processes = options->ranks ? fathom_trace_ranks_parse(options->ranks, &frames->trace) : NULL;
	uint64_t from, to;
	int err = options->ranks && !processes ? -EINVAL : find_window(options, &frames->index, &from, &to);

	if (!err) {
		fathom_trace_picture_choose_rows(&picture, &frames->index, processes, ROWS_MOST);
		err = fathom_trace_picture_draw(&picture, &frames->index, from, to,
						options->width - FATHOM_PAINTING_NAMES, options->depth);
		if (err)
			fathom_tool_error("%s", *frames->trace.error ? frames->trace.error : frames->path);
	}
	if (!err && (!options->no_messages || options->curve)) {
		struct fathom_window_limits limits = {
			.messages = FATHOM_PAINTING_MESSAGES, .members = FATHOM_PAINTING_MEMBERS,
			.columns = FATHOM_PAINTING_CURVE_COLUMNS, .has_channels = !options->no_messages,
			.has_curves = options->curve };

		fathom_window_details_read(&details, &frames->index, &picture, from, to, &limits);
		painting.details = &details;
		err = choose_curve(options, &details, &painting);
	}
	if (!err && options->by_kind) {
		fathom_trace_details_read(&whole, frames->trace.anchor, &picture, KINDS_EVENTS_MOST);
		painting.kinds = &whole;
		err = check_kinds(&whole);
	}
	if (!err && !options->no_waits) {
		fathom_wait_intervals_read(&waits, &frames->trace);
		painting.waits = &waits;
	}
	if (!err)
		err = write_file(options, &painting, options->png);
	if (!err)
		err = write_file(options, &painting, options->svg);
	fathom_wait_intervals_fini(&waits);
	fathom_trace_details_fini(&details);
	fathom_trace_details_fini(&whole);
	fathom_trace_picture_fini(&picture);
	free(processes);
	return err;
}

int main(int argc, char **argv)
{
	struct options options = { .png = NULL };
	static struct fathom_experiment experiment;
	static struct fathom_trace_frames frames;
	int err;

	fathom_tool_begin("timeline");
	parse(&options, argc, argv);
	if (fathom_experiment_find_trace(&experiment, options.target) ||
	    fathom_trace_frames_open(&frames, experiment.path))
		return FATHOM_TOOL_FAILURE;
	err = draw(&options, &frames);
	fathom_trace_frames_close(&frames);
	return fathom_tool_end() || err ? FATHOM_TOOL_FAILURE : 0;
}
