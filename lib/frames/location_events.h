/*
 * location_events: the events of one location with global times and its call path, from any position.
 *
 * They come from the event file of an OTF2 archive, or from another source of the trace, such as call graphs; there a
 * position is the number of the event.
 *
 * The builder of the index and the reader of a window both read events through this, so that they agree.
 * Context of all functions: tool.
 */
#ifndef FATHOM_FRAMES_LOCATION_EVENTS_H
#define FATHOM_FRAMES_LOCATION_EVENTS_H

#include "frames/location_state.h"
#include "frames/preview.h"
#include "otf2/archive_reader.h"
#include "otf2/event_decoder.h"

struct fathom_location_events {
	struct fathom_otf2_archive *trace;
	const struct fathom_otf2_location *location;
	struct fathom_otf2_translation *translation;
	struct fathom_otf2_translation none;	/* that of a trace that is no archive: its ids and times are global */
	struct fathom_record_stream stream;	/* of an archive */
	uint32_t index;			/* of the location */
	uint64_t number;		/* of the next event; only if the trace is no archive */
	const struct fathom_otf2_event *event;	/* the last one; NULL: the trace is an archive */
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

/* Returns the position of the next event; continues at a position, at which the last event had that time (0, or -errno
 * with a line in trace->error). The state stays as it is. */
struct fathom_stream_position fathom_location_events_position(const struct fathom_location_events *events);
int fathom_location_events_seek(struct fathom_location_events *events, struct fathom_stream_position position,
				uint64_t time);

/* Fills in the last event. What it points to is valid until the next call. 0, or -errno of
 * fathom_event_decoder_take. */
int fathom_location_events_decode(struct fathom_location_events *events, struct fathom_event_decoder *decoder,
				  struct fathom_otf2_event *event);

/* Adds the last event to the counts of a tally. */
void fathom_location_events_count(struct fathom_location_events *events, struct fathom_tally *tally);

#endif
