/*
 * compare_details: compares the messages, collective operations and curves of random windows that are read from the
 * checkpoints of the index with those of the whole trace, which is read from its begin.
 *
 *   compare_details ANCHOR SEED WINDOWS
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"
#include "tools/common/trace/trace_frames.h"
#include "tools/common/trace/window_details.h"

enum { COLUMNS = 60, LARGE = 1 << 30 };

static struct fathom_trace_frames frames;
static struct fathom_trace_picture picture;
static struct fathom_trace_details whole;
static uint64_t state;
static unsigned long failures, messages, members, values;

static void fail(const char *what, uint64_t from, uint64_t to, double is, double should)
{
	if (failures++ < 20)
		printf("window %" PRIu64 " to %" PRIu64 ": %s: %.9g, not %.9g\n", from, to, what, is, should);
}

static uint64_t random_number(uint64_t most)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return most ? (state >> 20) % (most + 1) : 0;
}

static int by_line(const void *a, const void *b)
{
	const struct fathom_message_line *left = a, *right = b;
	uint64_t numbers[5][2] = { { left->send, right->send }, { left->receive, right->receive },
				   { left->from_row, right->from_row }, { left->to_row, right->to_row },
				   { left->bytes, right->bytes } };

	for (int i = 0; i < 5; i++)
		if (numbers[i][0] != numbers[i][1])
			return numbers[i][0] < numbers[i][1] ? -1 : 1;
	return 0;
}

/* Returns the messages that overlap a window, in order. */
static struct fathom_message_line *overlapping(const struct fathom_message_lines *lines, uint64_t from, uint64_t to,
					       size_t *count)
{
	struct fathom_message_line *list = calloc(lines->count + 1, sizeof(*list));

	*count = 0;
	for (size_t i = 0; i < lines->count; i++) {
		const struct fathom_message_line *line = &lines->lines[i];
		uint64_t first = line->send < line->receive ? line->send : line->receive;
		uint64_t last = line->send < line->receive ? line->receive : line->send;

		if (first < to && last >= from)
			list[(*count)++] = *line;
	}
	qsort(list, *count, sizeof(*list), by_line);
	return list;
}

static void compare_messages(const struct fathom_trace_details *details, uint64_t from, uint64_t to)
{
	size_t count, should_count;
	struct fathom_message_line *list = overlapping(&details->messages, from, to, &count);
	struct fathom_message_line *should = overlapping(&whole.messages, from, to, &should_count);

	if (count != should_count)
		fail("number of messages", from, to, (double)count, (double)should_count);
	for (size_t i = 0; i < count && i < should_count; i++)
		if (by_line(&list[i], &should[i]))
			fail("time of a receive", from, to, (double)list[i].receive, (double)should[i].receive);
	messages += count;
	free(list);
	free(should);
}

/* Returns the members of operations of at least two members, of which one overlaps the window. */
static struct fathom_collective_member *operations(const struct fathom_collective_lines *lines, uint64_t from,
						   uint64_t to, size_t *count)
{
	struct fathom_collective_member *list = calloc(lines->count + 1, sizeof(*list));

	*count = 0;
	for (size_t first = 0, next; first < lines->count; first = next) {
		bool is_shown = false;

		next = fathom_collective_lines_next(lines, first);
		for (size_t i = first; i < next; i++)
			is_shown |= lines->members[i].begin < to && lines->members[i].end >= from;
		for (size_t i = first; i < next && is_shown && next - first > 1; i++)
			list[(*count)++] = lines->members[i];
	}
	return list;
}

static void compare_collectives(const struct fathom_trace_details *details, uint64_t from, uint64_t to)
{
	size_t count, should_count;
	struct fathom_collective_member *list = operations(&details->collectives, from, to, &count);
	struct fathom_collective_member *should = operations(&whole.collectives, from, to, &should_count);

	if (count != should_count)
		fail("number of members", from, to, (double)count, (double)should_count);
	for (size_t i = 0; i < count && i < should_count; i++)
		if (list[i].comm != should[i].comm || list[i].number != should[i].number ||
		    list[i].row != should[i].row || list[i].begin != should[i].begin || list[i].end != should[i].end)
			fail("end of a member", from, to, (double)list[i].end, (double)should[i].end);
	members += count;
	free(list);
	free(should);
}

static const struct fathom_metric_curve *find_curve(const struct fathom_metric_curves *curves, const char *name)
{
	for (size_t c = 0; c < curves->count; c++)
		if (strcmp(curves->curves[c].name, name) == 0)
			return &curves->curves[c];
	return NULL;
}

static void compare_curves(const struct fathom_trace_details *details, uint64_t from, uint64_t to)
{
	double list[COLUMNS], should[COLUMNS], rate = (double)frames.trace.defs.resolution;

	for (size_t c = 0; c < whole.curves.count; c++) {
		const struct fathom_metric_curve *curve = &whole.curves.curves[c];
		const struct fathom_metric_curve *found = find_curve(&details->curves, curve->name);

		for (uint32_t row = 0; row < picture.row_count; row++) {
			bool has_any = found && fathom_metric_curve_draw(found, row, from, to, COLUMNS, rate, list);

			if (fathom_metric_curve_draw(curve, row, from, to, COLUMNS, rate, should) != has_any) {
				fail("a curve", from, to, has_any, !has_any);
				continue;
			}
			for (int i = 0; i < COLUMNS && has_any; i++) {
				values += !isnan(list[i]);
				if (isnan(list[i]) != isnan(should[i]) ||
				    fabs(list[i] - should[i]) > 1e-6 * (1 + fabs(should[i])))
					fail(curve->name, from, to, list[i], should[i]);
			}
		}
	}
}

static void compare(unsigned long windows)
{
	struct fathom_window_limits limits = { LARGE, LARGE, COLUMNS, true, true };
	uint64_t begin = frames.trace.defs.offset, length = frames.trace.defs.length;

	for (unsigned long w = 0; w < windows; w++) {
		uint64_t size = w ? random_number(length >> random_number(20)) + 1 : length + 1;
		uint64_t from = begin + (w ? random_number(length > size ? length - size : 0) : 0);
		struct fathom_trace_details details;

		fathom_window_details_read(&details, &frames.index, &picture, from, from + size, &limits);
		if (!details.is_known || details.messages.has_too_many || details.collectives.has_too_many)
			fail("an error", from, from + size, 1, 0);
		compare_messages(&details, from, from + size);
		compare_collectives(&details, from, from + size);
		compare_curves(&details, from, from + size);
		fathom_trace_details_fini(&details);
	}
}

int main(int argc, char **argv)
{
	uint32_t checkpoints = 0;

	if (argc != 4)
		return 2;
	fathom_tool_begin("compare_details");
	state = strtoull(argv[2], NULL, 10);
	if (fathom_trace_frames_open(&frames, argv[1]))
		return 1;
	fathom_trace_picture_choose_rows(&picture, &frames.index, NULL, 64);
	fathom_trace_details_read(&whole, argv[1], &picture, UINT64_MAX);
	if (!whole.is_known) {
		printf("the trace cannot be read\n");
		return 1;
	}
	for (uint32_t i = 0; i < frames.index.location_count; i++)
		checkpoints += frames.index.locations[i].checkpoint_count;
	compare(strtoul(argv[3], NULL, 10));
	printf("%s windows, %u checkpoints, %lu messages, %lu members, %lu values, %lu differences\n", argv[3],
	       checkpoints, messages, members, values, failures);
	return failures > 0;
}
