/*
 * event_decoder: the record that a record_stream stands behind, as an event in the form of event_reader.h.
 *
 * Ids and times become global. It knows all records but those of OTF2's first versions for OpenMP (OmpFork and the
 * others whose names begin with Omp). Context of all functions: tool.
 */
#ifndef FATHOM_OTF2_EVENT_DECODER_H
#define FATHOM_OTF2_EVENT_DECODER_H

#include "otf2/event_references.h"
#include "otf2/record_stream.h"
#include "otf2/translation.h"

/* Memory for what events point to; all zero at first. It can be used for any number of locations. */
struct fathom_event_decoder {
	struct fathom_otf2_renaming renaming;
	OTF2_AttributeList *attributes;
	uint32_t *arguments;
	size_t argument_room;
	OTF2_Type types[UINT8_MAX];	/* of metric values */
	OTF2_MetricValue values[UINT8_MAX];
};

/* Frees the memory. */
void fathom_event_decoder_fini(struct fathom_event_decoder *decoder);

/* Fills in event except for its location; record is the last one of the stream. What event points to is valid until the
 * next call. 0; -EILSEQ: the bytes are no event; -ENOTSUP: the record is one of those for OpenMP. */
int fathom_event_decoder_take(struct fathom_event_decoder *decoder, const struct fathom_record_stream *stream,
			      const struct fathom_stream_record *record,
			      struct fathom_otf2_translation *translation, struct fathom_otf2_event *event);

#endif
