/*
 * archive_writer: writes an OTF2 archive, traces.otf2 in a directory, with OTF2's library.
 *
 * Each location that has events holds one chunk of its file in memory; a full chunk is written at once. The anchor file
 * is written last, so a directory without it has no trace. Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_ARCHIVE_WRITER_H
#define FATHOM_OTF2_ARCHIVE_WRITER_H

#include "otf2/archive_reader.h"
#include "otf2/definition_copy.h"
#include "otf2/definition_records.h"

struct fathom_otf2_archive_writer {
	OTF2_Archive *archive;
	OTF2_EvtWriter **writers;	/* by location index of the source; NULL: no event yet */
	uint64_t *counts;		/* by location index: events written */
	size_t location_count;
	const struct fathom_otf2_defs *defs;	/* of the source */
	char error[2048];		/* the reason why the last call failed, as a line for people */
};

/* Begins an archive in the existing empty directory, for locations of the source trace. 0, or -errno with a line in
 * error. */
int fathom_otf2_writer_open(struct fathom_otf2_archive_writer *writer, const char *directory,
			    const struct fathom_otf2_archive *source);

/* Writes an event to its location. Times of a location must not go back. 0, or -errno with a line in error. */
int fathom_otf2_writer_put(struct fathom_otf2_archive_writer *writer, const struct fathom_otf2_event *event);

/* Ends the events: makes the files of all locations that the selection has; NULL: of all locations. first and last are
 * the times between which they lie. 0, or -errno with a line in error. */
int fathom_otf2_writer_end_events(struct fathom_otf2_archive_writer *writer,
				  const struct fathom_otf2_selection *selection, uint64_t first, uint64_t last);

/* Sets a property of the archive, which replaces one that was set before. */
void fathom_otf2_writer_set_property(struct fathom_otf2_archive_writer *writer, const char *name, const char *value);

/* Copies the definitions of the source with changes, whose member events it sets, and writes the anchor file. 0, or
 * -errno with a line in error. */
int fathom_otf2_writer_finish(struct fathom_otf2_archive_writer *writer, const struct fathom_otf2_archive *source,
			      struct fathom_otf2_definition_changes *changes);

/* Writes the definitions of the list, in whose locations it sets the numbers of events, and the anchor file. 0, or
 * -errno with a line in error. */
int fathom_otf2_writer_finish_list(struct fathom_otf2_archive_writer *writer,
				   const struct fathom_definition_list *list);

/* Frees all; without one of the two functions above the directory has no anchor file. */
void fathom_otf2_writer_close(struct fathom_otf2_archive_writer *writer);

#endif
