#include "tools/common/trace/collective_lines.h"

#include <stdlib.h>
#include <string.h>

#include "tools/common/command.h"

/* With more pairs of a process and a communicator than this, collective operations are not shown. */
enum { PAIRS_MOST = 16 << 20 };

static void begin(struct fathom_collective_lines *lines, const struct fathom_otf2_defs *defs)
{
	lines->process_count = fathom_otf2_count(defs, FATHOM_OTF2_PROCESS);
	lines->comm_count = fathom_otf2_count(defs, FATHOM_OTF2_COMM);
	lines->begins = fathom_tool_alloc(fathom_otf2_count(defs, FATHOM_OTF2_LOCATION) + 1, sizeof(*lines->begins));
	if (lines->process_count * lines->comm_count <= PAIRS_MOST)
		lines->numbers = fathom_tool_alloc(lines->process_count * lines->comm_count + 1,
						   sizeof(*lines->numbers));
}

static void take_end(struct fathom_collective_lines *lines, const struct fathom_otf2_defs *defs,
		     const struct fathom_otf2_event *event, int64_t row)
{
	const struct fathom_otf2_location *location = fathom_otf2_at(defs, FATHOM_OTF2_LOCATION, event->location);
	int64_t comm = fathom_otf2_index(defs, FATHOM_OTF2_COMM, event->ref);
	struct fathom_collective_member member = { .row = (uint32_t)row, .end = event->time };
	const struct fathom_otf2_comm *definition;
	uint32_t *number;

	member.begin = lines->begins[event->location] ? lines->begins[event->location] : event->time;
	lines->begins[event->location] = 0;
	if (!lines->numbers || comm < 0 || location->process == UINT32_MAX)
		return;
	definition = fathom_otf2_at(defs, FATHOM_OTF2_COMM, (uint64_t)comm);
	number = &lines->numbers[location->process * lines->comm_count + (size_t)comm];
	member.comm = (uint32_t)comm;
	member.number = (*number)++;
	if (row < 0 || definition->is_self)
		return;
	lines->members = fathom_tool_grow(lines->members, lines->count, &lines->room, sizeof(*lines->members));
	lines->members[lines->count++] = member;
}

void fathom_collective_lines_take(struct fathom_collective_lines *lines, const struct fathom_otf2_defs *defs,
				  const struct fathom_otf2_event *event, int64_t row)
{
	if (!lines->begins)
		begin(lines, defs);
	switch (event->kind) {
	case FATHOM_RECORD_MPI_COLLECTIVE_BEGIN:
		lines->begins[event->location] = event->time;
		break;
	case FATHOM_RECORD_NON_BLOCKING_COLLECTIVE_COMPLETE:
		lines->begins[event->location] = 0;
		take_end(lines, defs, event, row);
		break;
	case FATHOM_RECORD_MPI_COLLECTIVE_END:
		take_end(lines, defs, event, row);
		break;
	default:
		break;
	}
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_operation(const void *a, const void *b)
{
	const struct fathom_collective_member *left = a, *right = b;
	int order = compare(left->comm, right->comm);

	if (!order)
		order = compare(left->number, right->number);
	return order ? order : compare(left->row, right->row);
}

void fathom_collective_lines_sort(struct fathom_collective_lines *lines)
{
	if (lines->count)
		qsort(lines->members, lines->count, sizeof(*lines->members), by_operation);
}

size_t fathom_collective_lines_next(const struct fathom_collective_lines *lines, size_t first)
{
	size_t next = first + 1;

	while (next < lines->count && lines->members[next].comm == lines->members[first].comm &&
	       lines->members[next].number == lines->members[first].number)
		next++;
	return next;
}

void fathom_collective_lines_fini(struct fathom_collective_lines *lines)
{
	free(lines->members);
	free(lines->numbers);
	free(lines->begins);
	memset(lines, 0, sizeof(*lines));
}
