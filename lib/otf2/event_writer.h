/*
 * event_writer: writes an event, in the form that the reader gives, with OTF2's library.
 */
#ifndef FATHOM_OTF2_EVENT_WRITER_H
#define FATHOM_OTF2_EVENT_WRITER_H

#include "otf2/event_reader.h"

/* Writes the event; its location is that of the writer. The list of attributes is empty afterwards. Returns whether the
 * library took it; false also for a record of unknown kind. Context: tool. */
bool fathom_otf2_write_event(OTF2_EvtWriter *writer, const struct fathom_otf2_event *event);

#endif
