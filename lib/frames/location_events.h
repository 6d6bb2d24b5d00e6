/*
 * location_events: the events of one location with global times and its call path, from any position.
 *
 * The builder of the index and the reader of a window both read events through this, so that they agree.
 * Context of all functions: tool.
 */
#ifndef FATHOM_FRAMES_LOCATION_EVENTS_H
#define FATHOM_FRAMES_LOCATION_EVENTS_H

#include "frames/location_state.h"
#include "frames/preview.h"
#include "otf2/archive_reader.h"

struct fathom_location_events {
	struct fathom_otf2_archive *trace;
	const struct fathom_otf2_location *location;
	struct fathom_otf2_translation *translation;
	struct fathom_record_stream stream;
	struct fathom_location_state state;
	struct fathom_stream_record record;	/* the last one */
	uint64_t time;		/* global time of the last record; times never go back */
};

/* Opens the events of the location with that index. 0, or -errno with a line in trace->error. */
int fathom_location_events_open(struct fathom_location_events *events, struct fathom_otf2_archive *trace,
				uint32_t location, struct fathom_path_table *paths);
void fathom_location_events_close(struct fathom_location_events *events);

/* Reads the next event. The state is still that before the event; fathom_location_state_apply changes it. 1: an event,
 * 0: there are no more; -errno with a line in trace->error. */
int fathom_location_events_next(struct fathom_location_events *events);

/* Adds the last event to the counts of a tally. */
void fathom_location_events_count(struct fathom_location_events *events, struct fathom_tally *tally);

#endif
