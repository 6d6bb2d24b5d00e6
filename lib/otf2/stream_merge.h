/*
 * stream_merge: reads the events of all locations of a trace in the order of time without a file descriptor for each
 * location, which OTF2's reader needs.
 *
 * The event files are mapped into memory one after the other (record_stream.h), and a heap has the next record of each.
 * Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_STREAM_MERGE_H
#define FATHOM_OTF2_STREAM_MERGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "otf2/definition_index.h"
#include "otf2/event_reader.h"
#include "otf2/translation.h"

/* What is read. */
struct fathom_stream_merge {
	const struct fathom_otf2_defs *defs;
	const char *folder;		/* of the event files */
	uint64_t chunk_bytes;		/* of these */
	struct fathom_otf2_translation *translations;	/* by location */
	const bool *is_read;		/* by location */
	char *error;			/* gets the reason of a failure, as a line for people */
	size_t error_bytes;
};

/* Calls take with each event of the locations that are read; of events at the same time, with those of the location
 * with the lowest index first. 0; -EINTR: take has stopped it; or -errno with a line in merge->error. */
int fathom_stream_merge_read(const struct fathom_stream_merge *merge, fathom_otf2_take *take, void *taker);

#endif
