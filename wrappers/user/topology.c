/*
 * topology: topologies that the program describes. The first description of a name counts. Later ones that differ, and
 * positions outside of the topology, are not recorded; the end of the run reports each of these cases once.
 */
#include <stdarg.h>

#include "define/topology.h"
#include "event/event.h"
#include "event/nesting.h"
#include "platform/compiler.h"
#include "platform/log.h"
#include "user/topology.h"

enum { TEXT_BYTES = 256 };	/* longer names are cut */

/* Notes a line for the report at the end: "topology NAME (FILE:LINE)", followed by the text of format. */
static FATHOM_COLD void FATHOM_PRINTF(2, 3) note(const struct fathom_user_topology *given, const char *format, ...)
{
	const char *file = given->file ? given->file : "";
	size_t slash = given->file_length;
	char line[2 * TEXT_BYTES], place[TEXT_BYTES / 2] = "", what[TEXT_BYTES];
	va_list arguments;

	va_start(arguments, format);
	fathom_vformat(what, sizeof(what), format, arguments);
	va_end(arguments);
	while (slash && file[slash - 1] != '/')
		slash--;
	if (given->file)
		fathom_format(place, sizeof(place), " (%.*s:%u)", (int)(given->file_length - slash), file + slash,
			      given->line);
	fathom_format(line, sizeof(line), "topology %.*s%s %s", (int)given->length, given->name, place, what);
	fathom_nesting_note_line(line);
}

static void cut(char *text, const char *given, size_t length)
{
	fathom_format(text, TEXT_BYTES, "%.*s", (int)(length < TEXT_BYTES ? length : TEXT_BYTES - 1), given);
}

void fathom_user_define_topology(const struct fathom_user_topology *given)
{
	char name[TEXT_BYTES], names[FATHOM_TOPOLOGY_MOST_DIMENSIONS][TEXT_BYTES];
	struct fathom_topology spec = { .name = name, .count = (uint32_t)given->count };
	const struct fathom_topology *other;
	int64_t places = 1;

	cut(name, given->name, given->length);
	if (given->count < 1 || given->count > FATHOM_TOPOLOGY_MOST_DIMENSIONS) {
		note(given, "has %d dimensions, but 1 to %d are allowed: it is not recorded", given->count,
		     FATHOM_TOPOLOGY_MOST_DIMENSIONS);
		return;
	}
	if (!given->sizes) {
		note(given, "has no sizes: it is not recorded");
		return;
	}
	for (int d = 0; d < given->count; d++) {
		struct fathom_topology_dimension *dimension = &spec.dimensions[d];

		if (given->sizes[d] < 1) {
			note(given, "has the size %d in dimension %d: it is not recorded", given->sizes[d], d);
			return;
		}
		if (places > INT64_MAX / given->sizes[d]) {
			note(given, "has more than 2^63 positions: it is not recorded");
			return;
		}
		places *= given->sizes[d];
		dimension->size = (uint32_t)given->sizes[d];
		dimension->is_periodic = given->periodic && given->periodic[d];
		cut(names[d], given->names && given->names[d] ? given->names[d] : "",
		    given->names ? given->name_lengths[d] : 0);
		dimension->name = names[d];
	}
	if (!fathom_topology_define(&spec, &other)) {
		if (other)
			note(given, "was defined in another way before: it stays as before");
		else
			note(given, "is one too many and is not recorded: there are at most %d in a process",
			     FATHOM_TOPOLOGY_MOST);
	}
}

void fathom_user_place(const struct fathom_user_topology *given, const int *at, bool is_thread)
{
	size_t length = given->length < TEXT_BYTES ? given->length : TEXT_BYTES - 1;
	const struct fathom_topology *topology = fathom_topology_named(given->name, length);
	uint32_t place[FATHOM_TOPOLOGY_MOST_DIMENSIONS];

	if (!topology) {
		note(given, "is not defined, but a position in it is given: the position is not recorded");
		return;
	}
	if (given->count < 0 || (uint32_t)given->count != topology->count) {
		note(given, "has %u dimensions, but a position has %d coordinates: the position is not recorded",
		     topology->count, given->count);
		return;
	}
	if (!at) {
		note(given, "is given a position without coordinates: the position is not recorded");
		return;
	}
	for (int d = 0; d < given->count; d++) {
		if (at[d] < 0 || (uint32_t)at[d] >= topology->dimensions[d].size) {
			note(given, "has coordinates 0 to %u in dimension %d, but %d is given: the position is "
			     "not recorded",
			     topology->dimensions[d].size - 1, d, at[d]);
			return;
		}
		place[d] = (uint32_t)at[d];
	}
	fathom_event_place(topology, place, is_thread);
}
