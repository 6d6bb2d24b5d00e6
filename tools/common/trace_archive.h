/*
 * trace_archive: an OTF2 archive opened for reading: what its anchor says, its files, and its events.
 *
 * Events are read in the order of time over all locations, so that what belongs together comes
 * close together and a reader can forget it soon. For each location one chunk of its file is in
 * memory, however long it is.
 */
#ifndef FATHOM_TOOLS_COMMON_TRACE_ARCHIVE_H
#define FATHOM_TOOLS_COMMON_TRACE_ARCHIVE_H

#include <limits.h>

#include "tools/common/trace_definitions.h"
#include "tools/common/trace_event.h"

struct fathom_trace_property {
	char *name, *value;
};

struct fathom_trace {
	char anchor[PATH_MAX];
	char folder[PATH_MAX];		/* of the files of locations: the anchor's path without ".otf2" */
	OTF2_Reader *reader;
	char *creator, *description;	/* never NULL while open */
	uint8_t version[3];		/* of the library that wrote it */
	uint64_t location_count, definition_count;	/* as the anchor says */
	struct fathom_trace_property *properties;
	uint32_t property_count;
	uint64_t definition_bytes, event_bytes;	/* on disk; the anchor counts with the definitions */
	struct fathom_trace_defs defs;
};

/* Open an anchor file. 0 or -errno after a line was said: it is no trace. */
int fathom_trace_open(struct fathom_trace *trace, const char *anchor);
void fathom_trace_close(struct fathom_trace *trace);

/* Value of a property, NULL: the trace does not have it. */
const char *fathom_trace_property(const struct fathom_trace *trace, const char *name);

/* Global definitions and the sizes of all files; what is wrong with files, definitions, mapping
 * tables and clock offsets goes to faults (may be NULL). 0 or -errno after a line was said. */
int fathom_trace_read_definitions(struct fathom_trace *trace, struct fathom_faults *faults);

/* All events. 0; what the library cannot read goes to faults, or, where there are none, is said, and ends with
 * -EIO. */
int fathom_trace_read_events(struct fathom_trace *trace, struct fathom_faults *faults, fathom_trace_take *take,
			     void *taker);

/* What the library last complained of, "" if of nothing; forgets it. */
const char *fathom_trace_complaint(void);

/*
 * Looks at an anchor file before the library opens it: whether the properties that it announces are there. 0, or
 * -EINVAL after a line was said; also 0 for a file that the library will refuse by itself.
 */
int fathom_trace_check_anchor(const char *path);

#endif
