/*
 * event_reader: an event of an OTF2 trace in one form for all kinds, and the callbacks of OTF2's reader that fill it
 * in. Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_EVENT_READER_H
#define FATHOM_OTF2_EVENT_READER_H

#include "otf2/definition_index.h"

struct fathom_otf2_event {
	enum fathom_record kind;
	uint32_t location;	/* index */
	uint64_t time;
	OTF2_AttributeList *attributes;
	uint64_t ref;		/* id of the region, communicator, window, handle, metric, ... */
	uint64_t other;		/* a second id: group, new handle, string, generator, file */
	uint64_t id;		/* request, operation, lock, thread; time at which a flush ends; value of a
				 * parameter; exit status; offset of a seek */
	uint32_t peer;		/* rank of a partner, root, thread that created a task */
	uint32_t tag;		/* of a message; level of synchronization; number of a task, of an acquisition; flags of
				 * a new handle or of a file operation */
	uint32_t op;		/* collective operation, paradigm, kind of lock or of atomic operation; whether
				 * measurement is on; access mode, status flags or origin of a seek */
	uint32_t count;		/* of values, arguments or requested threads; unwind distance; status flags of a new
				 * handle */
	uint64_t bytes;		/* bytes sent, requested or transferred; position after a seek */
	uint64_t bytes_received;
	const void *types;	/* OTF2_Type of metric values; ids of arguments */
	const OTF2_MetricValue *values;	/* of metrics */
};

/* The function that gets each event. If it returns false, the reading stops. */
typedef bool fathom_otf2_take(void *taker, const struct fathom_otf2_event *event);

struct fathom_otf2_reading {	/* the data that the callbacks get */
	const struct fathom_otf2_defs *defs;
	fathom_otf2_take *take;
	void *taker;
	uint64_t last_id;	/* location of the last event */
	uint32_t last;		/* index of this location */
};

/* Returns the callbacks for all kinds of events; the caller frees them with OTF2_GlobalEvtReaderCallbacks_Delete. NULL:
 * no memory. */
OTF2_GlobalEvtReaderCallbacks *fathom_otf2_event_callbacks(void);

#endif
