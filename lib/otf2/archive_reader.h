/*
 * archive_reader: reads an OTF2 archive: the facts of its anchor file, its definitions, and its events.
 *
 * Events are read in the order of time over all locations, so that related events are close to each other and a program
 * need not remember them for long. One chunk of each location's file is in memory, whatever the size of the file.
 * Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_ARCHIVE_READER_H
#define FATHOM_OTF2_ARCHIVE_READER_H

#include <limits.h>

#include "otf2/definition_index.h"
#include "otf2/event_reader.h"

struct fathom_otf2_property {
	char *name, *value;
};

struct fathom_otf2_archive {
	char anchor[PATH_MAX];
	char folder[PATH_MAX];		/* of the files of locations: the anchor's path without ".otf2" */
	OTF2_Reader *reader;
	char *creator, *description;	/* never NULL while open */
	uint8_t version[3];		/* of the library that wrote it */
	uint64_t location_count, definition_count;	/* as the anchor says */
	struct fathom_otf2_property *properties;
	uint32_t property_count;
	uint64_t definition_bytes, event_bytes;	/* on disk; the anchor counts with the definitions */
	struct fathom_otf2_defs defs;
	char error[2048];		/* why the last call failed: a line for people */
};

/* Open an anchor file. 0, or -errno with a line in error: it is no trace. */
int fathom_otf2_open(struct fathom_otf2_archive *trace, const char *anchor);
void fathom_otf2_close(struct fathom_otf2_archive *trace);

/* Value of a property, NULL: the trace does not have it. */
const char *fathom_otf2_property(const struct fathom_otf2_archive *trace, const char *name);

/* Global definitions and the sizes of all files; what is wrong with files, definitions, mapping
 * tables and clock offsets goes to faults (may be NULL). 0, or -errno with a line in error. */
int fathom_otf2_read_definitions(struct fathom_otf2_archive *trace, struct fathom_faults *faults);

/* All events. 0; what the library cannot read goes to faults, or, where faults is NULL, ends
 * the reading: -EIO with a line in error. */
int fathom_otf2_read_events(struct fathom_otf2_archive *trace, struct fathom_faults *faults, fathom_otf2_take *take,
			    void *taker);

/* What the library last complained of, "" if of nothing; forgets it. */
const char *fathom_otf2_complaint(void);

#endif
