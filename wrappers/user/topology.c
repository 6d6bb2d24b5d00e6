/*
 * Topologies that the program tells of. One that was said to be otherwise stays as it was said first; a place that is
 * not in it is not recorded; both are said once.
 */
#define FATHOM_USER
#include "fathom/fathom.h"

#include <stdarg.h>
#include <string.h>

#include "define/topology.h"
#include "event/event.h"
#include "event/nesting.h"
#include "platform/compiler.h"
#include "platform/log.h"
#include "user/user.h"

enum { TEXT_BYTES = 256 };	/* longer names are cut */

/* topology NAME (file:line), then what. */
static FATHOM_COLD void FATHOM_PRINTF(2, 3) note(const struct fathom_user_topology *said, const char *format, ...)
{
	const char *file = said->file ? said->file : "";
	size_t slash = said->file_length;
	char line[2 * TEXT_BYTES], place[TEXT_BYTES / 2] = "", what[TEXT_BYTES];
	va_list arguments;

	va_start(arguments, format);
	fathom_vformat(what, sizeof(what), format, arguments);
	va_end(arguments);
	while (slash && file[slash - 1] != '/')
		slash--;
	if (said->file)
		fathom_format(place, sizeof(place), " (%.*s:%u)", (int)(said->file_length - slash), file + slash,
			      said->line);
	fathom_format(line, sizeof(line), "topology %.*s%s %s", (int)said->length, said->name, place, what);
	fathom_nesting_note_line(line);
}

static void cut(char *text, const char *given, size_t length)
{
	fathom_format(text, TEXT_BYTES, "%.*s", (int)(length < TEXT_BYTES ? length : TEXT_BYTES - 1), given);
}

void fathom_user_define_topology(const struct fathom_user_topology *said)
{
	char name[TEXT_BYTES], names[FATHOM_TOPOLOGY_MOST_DIMENSIONS][TEXT_BYTES];
	struct fathom_topology spec = { .name = name, .count = (uint32_t)said->count };
	const struct fathom_topology *other;
	int64_t places = 1;

	cut(name, said->name, said->length);
	if (said->count < 1 || said->count > FATHOM_TOPOLOGY_MOST_DIMENSIONS) {
		note(said, "has %d dimensions, and not 1 to %d: it is not recorded", said->count,
		     FATHOM_TOPOLOGY_MOST_DIMENSIONS);
		return;
	}
	if (!said->sizes) {
		note(said, "has no sizes: it is not recorded");
		return;
	}
	for (int d = 0; d < said->count; d++) {
		struct fathom_topology_dimension *dimension = &spec.dimensions[d];

		if (said->sizes[d] < 1) {
			note(said, "has %d places in dimension %d: it is not recorded", said->sizes[d], d);
			return;
		}
		if (places > INT64_MAX / said->sizes[d]) {
			note(said, "has more than 2^63 places: it is not recorded");
			return;
		}
		places *= said->sizes[d];
		dimension->size = (uint32_t)said->sizes[d];
		dimension->is_periodic = said->periodic && said->periodic[d];
		cut(names[d], said->names && said->names[d] ? said->names[d] : "",
		    said->names ? said->name_lengths[d] : 0);
		dimension->name = names[d];
	}
	if (!fathom_topology_define(&spec, &other)) {
		if (other)
			note(said, "was another one before: that is what it is");
		else
			note(said, "is one too many: there are at most %d in a process", FATHOM_TOPOLOGY_MOST);
	}
}

void fathom_user_place(const struct fathom_user_topology *said, const int *at, bool is_thread)
{
	size_t length = said->length < TEXT_BYTES ? said->length : TEXT_BYTES - 1;
	const struct fathom_topology *topology = fathom_topology_named(said->name, length);
	uint32_t place[FATHOM_TOPOLOGY_MOST_DIMENSIONS];

	if (!topology) {
		note(said, "is not known where a place in it is given: that is not recorded");
		return;
	}
	if (said->count < 0 || (uint32_t)said->count != topology->count) {
		note(said, "has %u dimensions, and a place is given by %d numbers: it is not recorded",
		     topology->count, said->count);
		return;
	}
	if (!at) {
		note(said, "has no place where one is given: it is not recorded");
		return;
	}
	for (int d = 0; d < said->count; d++) {
		if (at[d] < 0 || (uint32_t)at[d] >= topology->dimensions[d].size) {
			note(said, "has places 0 to %u in dimension %d, and %d is given: it is not recorded",
			     topology->dimensions[d].size - 1, d, at[d]);
			return;
		}
		place[d] = (uint32_t)at[d];
	}
	fathom_event_place(topology, place, is_thread);
}

/* --- from C and C++ ------------------------------------------------------------------------------ */

FATHOM_API void fathom_user_topology(const char *name, int count, const int *sizes, const int *periodic,
				     const char *const *names, const char *file, unsigned line)
{
	size_t lengths[FATHOM_TOPOLOGY_MOST_DIMENSIONS];
	const struct fathom_user_topology said = {
		.name = name ? name : "",
		.length = name ? strlen(name) : 0,
		.file = file,
		.file_length = strlen(file),
		.line = line,
		.count = count,
		.sizes = sizes,
		.periodic = periodic,
		.names = names,
		.name_lengths = lengths,
	};

	for (int d = 0; names && d < count && d < FATHOM_TOPOLOGY_MOST_DIMENSIONS; d++)
		lengths[d] = names[d] ? strlen(names[d]) : 0;
	fathom_user_define_topology(&said);
}

FATHOM_API void fathom_user_coordinates(const char *name, int count, const int *at, int is_thread, const char *file,
					unsigned line)
{
	const struct fathom_user_topology said = {
		.name = name ? name : "",
		.length = name ? strlen(name) : 0,
		.file = file,
		.file_length = strlen(file),
		.line = line,
		.count = count,
	};

	fathom_user_place(&said, at, is_thread);
}
